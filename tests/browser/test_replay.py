"""The replay in a browser: a step has an address, a screenshot, and can be played on from."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitor
from tests.browser.tables import fits, play_out, result_of, set_table, start
from tests.tiers import full

# How a picture in the clipboard looks: its size, and how many colours there are along its middle.
LOOK = """async () => {
  const [item] = await navigator.clipboard.read();
  const bitmap = await createImageBitmap(await item.getType("image/png"));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const pen = canvas.getContext("2d");
  pen.drawImage(bitmap, 0, 0);
  const row = pen.getImageData(0, bitmap.height / 2, bitmap.width, 1).data;
  const colours = new Set();
  for (let at = 0; at < row.length; at += 4) colours.add(row.slice(at, at + 3).join());
  return [bitmap.width, bitmap.height, colours.size];
}"""


def stands_at(page: Page, move: int) -> None:
    """Wait until the replay and its address stand at a move."""
    expect(page.locator(".replay-count")).to_have_text(re.compile(rf"^{move} / "))
    page.wait_for_function("(move) => new URL(location.href).searchParams.get('move') === String(move)", arg=move)


def in_front(page: Page) -> str:
    """Return who sits in front."""
    return page.locator(".felt .own .seat-name").inner_text()


@full
def test_a_step_of_a_match_is_shared_pictured_and_played_on_from(visitor: Visitor) -> None:
    host, friend = visitor(), visitor("phone")
    set_table(host, "bundles", ("house",))
    start(host)
    play_out(host)
    host.get_by_role("link", name="Replay the match").click()
    stands_at(host, 0)
    for key, move in (("ArrowRight", 1), ("PageDown", 11), ("ArrowLeft", 10)):
        host.keyboard.press(key)
        stands_at(host, move)
    host.get_by_label("Speed").select_option("4")
    host.get_by_label("Seen from").select_option("1")
    assert in_front(host) == "Bram"

    # Shared: everybody who opens the address sees the same step from the same side.
    host.context.grant_permissions(["clipboard-read", "clipboard-write"])
    host.get_by_role("button", name="Copy link to this step").click()
    expect(host.get_by_role("button", name="Link copied")).to_be_visible()
    address = host.evaluate("() => navigator.clipboard.readText()")
    friend.goto(address)
    stands_at(friend, 10)
    assert in_front(friend) == "Bram"
    assert fits(friend)
    expect(friend.locator(".log")).not_to_contain_text("You get")
    expect(friend.locator(".log")).to_contain_text("Anna gets")

    # Pictured.
    host.get_by_role("button", name="Copy as a picture").click()
    expect(host.get_by_role("button", name="Picture copied")).to_be_visible()
    box = host.locator(".felt").bounding_box()
    assert box
    width, height, colours = host.evaluate(LOOK)
    assert (width, height) == (round(box["width"] * 2), round(box["height"] * 2))
    assert colours > 20

    # The speed is kept, and the space bar plays to the end.
    host.reload()
    expect(host.get_by_label("Speed")).to_have_value("4")
    host.keyboard.press("End")
    host.keyboard.press("ArrowLeft")
    host.keyboard.press("Space")
    expect(host.locator(".replay-count")).to_have_text(re.compile(r"^(\d+) / \1$"))

    # Played on from.
    host.goto(address)
    host.get_by_role("button", name="Play from here").click()
    host.get_by_label("You play for").select_option(label="Anna")
    host.get_by_role("dialog").get_by_role("button", name="Play from here").click()
    host.wait_for_url("**/t/*/")
    expect(host.get_by_role("link", name="What if: from move 10 on")).to_be_visible()
    assert host.locator(".room-bar").inner_text().count("What if") == 1
    play_out(host)
    assert "nothing counts here" in result_of(host)
    host.get_by_role("button", name="Play again").click()
    expect(host.locator(".room[data-status=playing] .log-line").first).to_be_attached()
