"""The TV: what happens at a table on a large screen, without anybody touching it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games import catalogue
from games.core import FastChance
from tests.browser.boxes import lasting
from tests.browser.conftest import Visitor
from tests.browser.pretend import PretendTable
from tests.browser.tables import code_of, create_circle, play_now, play_out, result_of, set_table, sit_down, start
from tests.browser.test_axe import serious
from tests.tiers import full, tiered

LOOK_AGAIN = "dispatchEvent(new Event('online'))"  # the page asks at once what to show
A_RESULT, A_MOMENT = 9_500, 9_000  # milliseconds for which they are shown
# Everything that the TV says is whole on the screen, and nothing lies over anything else.
OUTSIDE = """() => {
  const parts = [".tv-title", ".tv-stage", ".tv-last", ".tv-standings", ".tv-join:not([hidden])"]
    .map((one) => document.querySelector(one)).filter((one) => one?.offsetParent !== null && one);
  const boxes = parts.map((one) => [one.className, one.getBoundingClientRect()]);
  const faults = [];
  for (const [name, box] of boxes) {
    if (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)
      faults.push(`${name} is cut off`);
    for (const [other, there] of boxes)
      if (name < other && box.left < there.right - 1 && there.left < box.right - 1 &&
          box.top < there.bottom - 1 && there.top < box.bottom - 1) faults.push(`${name} lies over ${other}`);
  }
  for (const row of document.querySelectorAll(".tv-standings li")) {
    const [box, list] = [row.getBoundingClientRect(), row.parentElement.getBoundingClientRect()];
    if (box.bottom > list.bottom + 1 || box.right > list.right + 1) faults.push(`${row.textContent} is cut off`);
  }
  const last = document.querySelector(".tv-last");
  if (last.getBoundingClientRect().width < 9 * parseFloat(getComputedStyle(last).fontSize))
    faults.push("no room for what happened");
  const stage = document.querySelector(".tv-stage").getBoundingClientRect();
  for (const one of document.querySelectorAll(".felt .plate, .felt [data-piece]")) {
    const box = one.getBoundingClientRect();
    if (box.width && (box.bottom > stage.bottom + 1 || box.top < stage.top - 1 || box.right > stage.right + 1))
      faults.push(`${one.className} is not whole on the felt`);
  }
  return faults;
}"""
SCREENS = (
    *((1920, 1080), (3840, 2160), (1280, 800), (1024, 768), (820, 800)),
    *((820, 1180), (390, 844), (844, 390), (640, 400)),
)


def tv_of(visitor: Visitor, choice: str = "") -> Page:
    """Open a TV whose clock can be moved on."""
    tv = visitor(reduced_motion=True)
    tv.set_viewport_size({"width": 1920, "height": 1080})
    tv.clock.install()
    tv.goto(f"/tv/{choice}")
    return tv


def test_the_tv_says_what_happens_who_leads_and_how_it_ended_and_shows_the_best_moment(visitor: Visitor) -> None:
    host = visitor()
    address = set_table(host, "kuhn", ("house",))
    tv = tv_of(visitor, f"?table={code_of(address)}")
    expect(tv.get_by_text("The match begins soon.")).to_be_visible()
    expect(tv.get_by_role("link", name="Watch or join")).to_have_attribute("href", re.compile(code_of(address)))
    start(host)
    expect(tv.locator(".felt .seat")).to_have_count(2)
    expect(tv.locator(".tv-phase")).to_contain_text("Hand: 1")
    play_out(host, until=2)
    expect(tv.locator(".tv-last")).to_have_text(re.compile("bets|checks|folds|calls"))
    play_out(host)
    over = tv.get_by_role("region", name="Result")
    expect(over).to_contain_text("with")
    scores = [int(text) for text in over.locator(".tv-score").all_inner_texts()]
    assert scores == sorted(scores, reverse=True)
    expect(tv.locator(".tv-standings [data-first]").first).to_contain_text(str(scores[0]))
    tv.clock.fast_forward(A_RESULT)
    expect(tv.locator(".tv-phase")).to_have_text("The best moment of this match")
    expect(over).to_be_hidden()
    tv.clock.fast_forward(A_MOMENT)
    expect(over).to_be_visible()
    expect(tv.locator(".tv-phase")).to_have_text("The match is over")


def shows_at_first(visitor: Visitor, tables: list[str]) -> Page:
    """Open a TV that the test tells what to show: the codes in ``tables``, which may change."""
    tv = visitor(reduced_motion=True)
    tv.clock.install()
    answer: dict[str, Any] = {"tables": tables, "nothing": "", "evening": []}
    tv.route("**/tv/now.json*", lambda route: route.fulfill(json=answer))
    tv.goto("/tv/")
    return tv


def ask_again(tv: Page) -> None:
    """Let the page ask what to show, and think about the answer at least once more."""
    with tv.expect_response("**/tv/now.json*"):
        tv.evaluate(LOOK_AGAIN)
    tv.clock.fast_forward(6_000)


@full
def test_the_tv_leaves_a_table_between_two_deals_and_after_the_match_and_at_no_other_time(visitor: Visitor) -> None:
    host, friend, other = visitor(), visitor(), visitor()
    first = set_table(host, "hamsterdam", ("open", "none", "none", "none", "none"))
    sit_down(friend, first, "Bob")
    start(host, friend)
    second = set_table(other, "kuhn", ("house",))
    start(other)
    tables = [code_of(first)]
    tv = shows_at_first(visitor, tables)
    expect(tv.locator(".tv-title")).to_have_text("Hamsterdam Exchange")
    expect(tv.locator(".felt .seat")).to_have_count(2)
    tables.insert(0, code_of(second))
    ask_again(tv)
    expect(tv.locator(".tv-title")).to_have_text("Hamsterdam Exchange")
    while host.get_by_role("region", name="Scoring").count() == 0:
        assert not result_of(host)
        play_out(host, friend, until=1)
    tv.clock.fast_forward(6_000)
    expect(tv.locator(".tv-title")).to_have_text("Kuhn Poker")
    tables.reverse()
    ask_again(tv)
    expect(tv.locator(".tv-title")).to_have_text("Kuhn Poker")
    play_out(other)
    expect(tv.get_by_role("region", name="Result")).to_be_visible()
    for wait in (A_RESULT, A_MOMENT, 6_000):
        tv.clock.fast_forward(wait)
    expect(tv.locator(".tv-title")).to_have_text("Hamsterdam Exchange")
    # Nobody moves there for two minutes.
    tv.clock.fast_forward(130_000)
    expect(tv.locator(".tv-title")).to_have_text("Kuhn Poker")


@full
def test_the_tv_says_that_the_connection_is_lost_and_goes_on_when_it_is_back(visitor: Visitor) -> None:
    host = visitor()
    address = set_table(host, "kuhn", ("house",))
    start(host)
    tv = visitor()
    tv.goto(f"/tv/?table={code_of(address)}")
    expect(tv.locator(".felt .seat")).to_have_count(2)
    tv.context.set_offline(True)
    expect(tv.get_by_text("No connection. Trying again …")).to_be_visible()
    play_out(host)
    tv.context.set_offline(False)
    expect(tv.get_by_role("region", name="Result")).to_be_visible()
    assert serious(tv) == []
    expect(tv.get_by_text("No connection. Trying again …")).to_be_hidden()


def test_a_circle_has_its_evening_on_the_tv_with_the_score(visitor: Visitor) -> None:
    host, friend = visitor(), visitor()
    create_circle(host)
    circle = code_of(host.url)
    tv = host.context.new_page()
    tv.goto(f"/tv/?circle={circle}")
    expect(tv.get_by_text("No evening is on.")).to_be_visible()
    assert serious(tv) == []
    host.goto(f"/new/?circle={circle}&game=kuhn")
    host.get_by_label("Seat 2").select_option("open")
    host.get_by_role("button", name="Create the table").click()
    host.wait_for_url("**/t/*/")
    tv.evaluate(LOOK_AGAIN)
    expect(tv.locator(".tv-standings li")).to_have_text(["Anna"])
    sit_down(friend, host.url, "Bob")
    tv.evaluate(LOOK_AGAIN)
    expect(tv.get_by_text("The match begins soon.")).to_be_visible()
    expect(tv.locator(".tv-standings li")).to_have_text(["Anna", "Bob"])
    start(host, friend)
    play_out(host, friend)
    over = tv.get_by_role("region", name="Result")
    expect(over).to_be_visible()
    tv.reload()
    expect(over).to_contain_text("This evening")
    expect(over.locator("ol").last).to_contain_text("Bob")


@full
@pytest.mark.parametrize("game", ["hamsterdam", "enchere", "camelup", "hearts"])
def test_all_is_whole_on_every_screen(visitor: Visitor, game: str) -> None:
    host = visitor()
    play_now(host, game)
    tv = visitor(reduced_motion=True)
    tv.goto(f"/tv/?table={code_of(host.url)}")
    expect(tv.locator(".felt .seat")).not_to_have_count(0)
    for width, height in SCREENS:
        tv.set_viewport_size({"width": width, "height": height})
        assert lasting(tv, lambda: tv.evaluate(OUTSIDE)) == [], (width, height)


# The smallest card and the smallest type, relative to the height of the screen, and the layout.
SIZES = """() => {
  const high = (box) => box.height / innerHeight;
  const felt = document.querySelector(".felt");
  const cards = [...felt.querySelectorAll("[data-piece]")].map((one) => one.getBoundingClientRect());
  const spoken = ".tv-last, .tv-standings li, .plate *, .zone-label, .zone-size, .badge, .space-label, .tv-join *";
  const words = [...document.querySelectorAll(spoken)]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 1 &&
      [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  return {
    layout: [felt.dataset.style, felt.dataset.seating],
    card: Math.min(...cards.filter((box) => box.width).map(high)),
    text: Math.min(...words.map((one) => parseFloat(getComputedStyle(one).fontSize) / innerHeight)),
    felt: high(document.querySelector(".tv-stage").getBoundingClientRect()),
    sizes: [".plate", ".own [data-piece]", ".opponents [data-piece]"].map((one) =>
      high(felt.querySelector(one).getBoundingClientRect())),
  };
}"""


@pytest.mark.parametrize(
    "game", tiered(["hamsterdam", "enchere", "hearts", "camelup"], lambda game: game == "hamsterdam")
)
def test_a_large_screen_has_the_same_layout_as_a_small_one_and_is_read_from_afar(visitor: Visitor, game: str) -> None:
    host = visitor()
    play_now(host, game)
    tv = visitor(reduced_motion=True)
    found = []
    for width, height in ((1920, 1080), (3840, 2160)):
        tv.set_viewport_size({"width": width, "height": height})
        tv.goto(f"/tv/?table={code_of(host.url)}")
        expect(tv.locator(".felt .seat")).not_to_have_count(0)
        expect(tv.locator(".tv-last")).not_to_be_empty()  # also on arrival
        expect(tv.locator(".own [data-piece]").first).to_be_visible()
        found.append(tv.evaluate(SIZES))
    first, second = found
    assert first["layout"] == second["layout"]
    assert second["sizes"] == pytest.approx(first["sizes"], abs=0.003)
    assert first["felt"] >= 0.84
    assert first["text"] >= 0.022
    if game == "hamsterdam":  # where no hand of thirteen cards needs the room
        assert first["card"] >= 0.16


# The boxes of the places on the felt, and what of a board or in the middle lies on the rim of the table.
LAID = """async () => {
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  const box = (node) => node.getBoundingClientRect();
  const [rim, border] = [box(document.querySelector(".oval")), document.querySelector(".oval").clientLeft];
  const places = [...document.querySelectorAll(".felt .plate, .felt .zone, .board .space, .board-grid")]
    .filter((node) => node.checkVisibility());
  const onRim = places.filter((node) => node.closest(".centre") && (
    box(node).left < rim.left + border - 0.5 || box(node).right > rim.right - border + 0.5 ||
    box(node).top < rim.top + border - 0.5 || box(node).bottom > rim.bottom - border + 0.5));
  const cards = [...document.querySelectorAll(".opponents .zone[data-holds=card] [data-piece]")];
  return {
    boxes: places.map((node) => [box(node).left, box(node).top, box(node).width, box(node).height].map(Math.round)),
    on_rim: onRim.map((node) => node.dataset.zone ?? node.className),
    card: Math.min(...cards.map((node) => box(node).width)),
  };
}"""


@pytest.mark.parametrize(("width", "height"), tiered(SCREENS, lambda size: size == (1920, 1080)))
def test_a_board_lies_inside_the_rim_and_is_laid_out_the_same_whichever_match_was_shown_before(
    visitor: Visitor, address: str, width: int, height: int
) -> None:
    game = catalogue.find("camelup")

    def laid(*seats: int) -> dict[str, Any]:
        page = visitor(reduced_motion=True)
        page.set_viewport_size({"width": width, "height": height})
        table = PretendTable(page, address, seats=4)
        table.open_on_tv(code_of(address))
        for count in seats:
            state = game.start(count, game.check_options({}), FastChance(f"deal {count}"))
            table.show_position(dict(game.view(state, None)), [f"Player {seat}" for seat in range(count)])
        result: dict[str, Any] = page.evaluate(LAID)
        return result

    after_four, at_once = laid(4, 8), laid(8)
    assert after_four == at_once
    assert at_once["on_rim"] == []
    if width == 1920:
        assert at_once["card"] >= 44  # of the other players: seven of them


def test_the_buttons_disappear_without_a_pointer_too(visitor: Visitor) -> None:
    tv = tv_of(visitor)
    leave = tv.get_by_role("link", name="Leave")
    expect(tv.locator(".tv-nothing, .felt .seat").filter(visible=True).first).to_be_visible()
    expect(leave).to_be_visible()
    tv.clock.fast_forward(4_000)
    expect(leave).to_be_hidden()
    tv.mouse.move(50, 50)
    tv.mouse.move(60, 60)
    expect(leave).to_be_visible()


def test_the_move_that_changes_the_most_is_the_best_moment(modules: Page) -> None:
    def standings(leaders: list[int], *scores: int) -> dict[str, Any]:
        return {"scores": scores, "leaders": leaders}

    cases = [
        (standings([], 0, 0, 0), standings([1], 0, 4, 0), 8),  # 4 points, and a new leader
        (standings([1], 0, 4, 0), standings([1], 0, 9, 0), 5),
        (standings([1], 0, 4, 0), standings([1], 0, 4, 0), 0),
        (standings([0], 3, 20), standings([0], 3, 33), 13),  # the lowest score wins
        (standings([0], 3, 20), None, 0),
        (standings([], 0), standings([], 7), 0),  # one plays alone
        (None, None, 0),
    ]
    swings = modules.evaluate(
        """async (cases) => {
          const { swing } = await import("/static/js/tv/best_moment.js");
          return cases.map(([before, after]) => swing(before ?? undefined, after ?? undefined));
        }""",
        [list(case[:2]) for case in cases],
    )
    assert swings == [case[2] for case in cases]
