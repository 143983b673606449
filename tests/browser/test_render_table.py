"""The table's page: by keyboard alone, with two taps, over a lost connection, and without layout shifts."""

from __future__ import annotations

import math
import re
import sqlite3
from collections.abc import Sequence

import pytest
from playwright.sync_api import Page, WebSocket, expect

from tests.browser.conftest import Visitor
from tests.browser.pretend import PretendTable, card, zone
from tests.browser.tables import fits, play_with_keys, sit_with_bots
from tests.running_site import RunningSite
from tests.tiers import full

FIRST_VIEW = 96_000  # bytes over the network
MOST_REQUESTS = 14  # scripts and styles are bundled
# Half of what web.dev calls good, measured as there: the largest sum of shifts within five seconds that have no second
# without one. In most matches it is below 0.01.
SHIFT = 0.05


def largest_shift(shifts: Sequence[tuple[float, float, object]]) -> float:
    """Return the cumulative layout shift of a page, from the time in ms and the size of each (https://web.dev/cls)."""
    sums, begin, last = [0.0], -math.inf, -math.inf
    for at, value, _ in shifts:
        if at - last >= 1000 or at - begin >= 5000:
            sums.append(0.0)
            begin = at
        sums[-1] += value
        last = at
    return max(sums)


def own_stock(page: Page) -> str:
    """Return a selector for the card to keep or to trade."""
    return ".own [data-layout=slot] [role=button]"


@full
def test_a_whole_match_can_be_played_with_the_number_keys(visitor: Visitor) -> None:
    page = visitor()
    sit_with_bots(page)
    assert play_with_keys(page) >= 1
    expect(page).to_have_title(re.compile("^Hamsterdam Exchange"))


def test_a_card_is_picked_taken_back_and_played_on_its_lit_target(visitor: Visitor) -> None:
    page = visitor(device="phone")
    sit_with_bots(page)
    card = page.locator(own_stock(page))
    card.tap()
    expect(card).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".aim")).to_have_count(1)
    expect(page.locator(".target-lines path")).to_have_count(1)
    page.get_by_role("button", name="Undo").tap()
    expect(card).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".aim")).to_have_count(0)
    card.tap()
    page.locator(".aim").tap()
    page.get_by_role("group", name="Sound").get_by_role("button", name="No").tap()  # its question hides that button
    page.get_by_role("button", name="Log").tap()
    log = page.get_by_role("region", name="Log", exact=True)
    expect(
        log.get_by_role("listitem").filter(has_text=re.compile("trades? stocks|discards? and draws?")).first
    ).to_be_visible()


@full
def test_a_card_is_picked_and_put_back_with_the_keyboard_alone(visitor: Visitor) -> None:
    page = visitor()
    sit_with_bots(page)
    card = page.locator(own_stock(page))
    for _ in range(40):
        if card.evaluate("(node) => node === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(card).to_be_focused()
    page.keyboard.press("Enter")
    expect(card).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(card).to_have_attribute("aria-pressed", "false")
    expect(card).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys at the table")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    expect(page.get_by_label("Write a message")).to_be_focused()


def test_what_happens_and_whose_turn_it_is_is_announced_to_screen_readers(visitor: Visitor) -> None:
    page = visitor()
    sit_with_bots(page)
    expect(page.locator("[aria-live=assertive]")).to_contain_text("Your turn. Your market: keep the")
    page.keyboard.press("1")
    expect(page.locator("[aria-live=polite]")).to_contain_text("You keep the stock")


@pytest.mark.parametrize("device", ["desktop", pytest.param("phone", marks=full)])
def test_the_table_needs_no_scrolling_and_does_not_jump_while_others_play(visitor: Visitor, device: str) -> None:
    page, spectator = visitor(), visitor(device=device)
    sit_with_bots(page)
    spectator.goto(page.url)
    expect(spectator.locator(".seat")).to_have_count(3)
    spectator.evaluate(
        """() => {
             window.shifts = [];
             const named = ({ node }) => `${node?.nodeName} ${node?.className}`;
             const note = (entry) => window.shifts.push([entry.startTime, entry.value, entry.sources.map(named)]);
             new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type: "layout-shift" });
           }"""
    )
    play_with_keys(page)
    expect(spectator.get_by_role("region", name="Result")).to_be_visible()
    shifts = spectator.evaluate("window.shifts")
    assert largest_shift(shifts) < SHIFT, shifts
    assert spectator.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert spectator.evaluate("document.documentElement.scrollWidth <= innerWidth")


@full
@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_a_result_stays_where_it_is_when_the_table_says_that_the_match_is_over(
    visitor: Visitor, address: str, device: str
) -> None:
    page = visitor(device=device, reduced_motion=True)
    table = PretendTable(page, address)
    result = {"scores": [1.0, 0.0, 0.0], "winners": [0], "text": {"text": "{seat} wins", "args": {"seat": {"seat": 0}}}}
    table.open(zones=[zone("hand:0", card("4C"), seat=0, layout="hand")], over=True, to_act=[], result=result)
    panel = page.get_by_role("region", name="Result")
    expect(panel).to_be_visible()
    before = panel.bounding_box()
    table.update(status="over")
    expect(page.get_by_role("button", name="Play again")).to_be_visible()
    assert panel.bounding_box() == before


@pytest.mark.parametrize("status", ["playing", pytest.param("over", marks=full)])
def test_a_table_with_a_match_is_shown_with_its_cards_and_not_before(
    visitor: Visitor, address: str, status: str
) -> None:
    """What stood there before them would jump when they come: a board, a result and its buttons take their room."""
    page = visitor(device="phone")
    page.add_init_script(
        """window.early = [];
           new MutationObserver(() => {
             const buttons = document.querySelector(".extra")?.children.length;
             if (buttons && !document.querySelector(".seat")) window.early.push(buttons);
           }).observe(document, { subtree: true, childList: true });"""
    )
    table = PretendTable(page, address)
    table.table["status"] = status
    table.you = {"seat": None, "name": "", "host": False, "person": 0}
    table.open(zones=[zone("hand:0", card("4C"), seat=0, layout="hand")], over=status == "over", to_act=[])
    expect(page.locator(".seat")).to_have_count(3)
    assert page.evaluate("window.early") == []


@full
def test_nothing_is_animated_with_reduced_motion(visitor: Visitor) -> None:
    page = visitor(reduced_motion=True)
    sit_with_bots(page)
    page.evaluate("() => { Element.prototype.animate = () => { window.moved = true; }; }")
    play_with_keys(page)
    assert page.evaluate("window.moved") is None
    assert page.evaluate("document.getAnimations().length") == 0


def test_a_move_made_while_the_connection_is_lost_is_played_once_after_it_is_restored(visitor: Visitor) -> None:
    page = visitor()
    sit_with_bots(page)
    page.context.set_offline(True)
    expect(page.get_by_text("Connection lost")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Keep|^1 ?Keep")).click()
    expect(page.get_by_text("Your move is kept")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("Connection lost")).to_be_hidden()
    expect(page.locator(".log-line").filter(has_text="You keep the stock")).to_have_count(1)


@full
def test_the_first_view_of_a_table_is_small(visitor: Visitor) -> None:
    page = visitor()
    sit_with_bots(page)
    spectator = visitor()
    network = spectator.context.new_cdp_session(spectator)
    sizes: list[float] = []
    sockets: list[WebSocket] = []
    spectator.on("websocket", lambda socket: sockets.append(socket))
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    network.send("Network.enable")
    spectator.goto(page.url)
    expect(spectator.locator(".seat")).to_have_count(3)
    assert 5 < len(sizes) <= MOST_REQUESTS
    assert sum(sizes) < FIRST_VIEW
    assert len(sockets) == 1, "the one that was opened while scripts were on their way"


@full
def test_a_replay_by_other_rules_says_so_above_the_table_and_hides_nothing(visitor: Visitor, site: RunningSite) -> None:
    page = visitor()
    sit_with_bots(page)
    play_with_keys(page)
    replay = page.get_by_role("link", name="Replay the match").get_attribute("href") or ""
    with sqlite3.connect(site.folder / "var" / "hamsterdam.sqlite3") as database:
        database.execute("UPDATE table_match SET rules_version = 'old' WHERE id = ?", [replay.split("/")[2]])
    phone = visitor(device="phone")
    for reader in (page, phone):
        reader.goto(replay)
        remark = reader.get_by_role("note")
        expect(remark).to_contain_text("played with version old of the rules")
        expect(reader.locator(".felt [data-piece]").first).to_be_visible()
        assert fits(reader)
        lower, upper = (reader.locator(what).bounding_box() for what in (".room", ".replay-remark"))
        assert lower
        assert upper
        assert upper["y"] + upper["height"] <= lower["y"]


def test_a_match_is_stepped_through_and_its_deal_is_proved(visitor: Visitor) -> None:
    page = visitor()
    sit_with_bots(page)
    play_with_keys(page)
    page.get_by_role("link", name="Replay the match").click()
    slider = page.get_by_role("slider", name="Move")
    expect(slider).to_have_value("0")
    expect(page.get_by_text("all hands open")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value("1")
    page.get_by_role("button", name="Go to the end").click()
    expect(page.locator(".prompt")).to_contain_text("win")
    page.get_by_role("button", name="One move back").click()
    expect(page.locator(".prompt")).not_to_contain_text("wins, the last")
    page.get_by_role("link", name="Verify the deal").click()
    expect(page.get_by_role("heading", name="The deal is the one that was promised")).to_be_visible()
    expect(page.get_by_text("match the seed")).to_be_visible()
