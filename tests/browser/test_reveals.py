"""Reveals are shown, and a click meant for the last question never answers the next one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import GAMES, Visitor
from tests.browser.pretend import PretendTable, hand, legal_move, say, zone
from tests.browser.tables import set_table, sit_down, start, wait_for_turn
from tests.running_site import RunningSite
from tests.tiers import full

MOVES = ".moves:not(.extra) .move:not([data-kind=back])"

# Returns so many milliseconds after the last click, in seconds since 1970. A busy machine has spent some already.
SINCE_THE_CLICK = """async (pause) => {
  const then = clicks.at(-1) + pause;
  await new Promise((done) => setTimeout(done, then - performance.now()));
  return (performance.timeOrigin + then) / 1000;
}"""
SECOND = {"button": "left", "clickCount": 2}  # of the two clicks of a double click
MIDDLE = """(button) => {
  const { left, top, width, height } = button.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}"""


@pytest.fixture(scope="module")
def slow_reveals(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    """A site that shows reveals for four times as long as usual, so that a loaded machine sees them too."""
    site = RunningSite(tmp_path_factory.mktemp("slow_reveals"), REVEAL_PACE="4")
    with site.running():
        yield site


@pytest.fixture(scope="module")
def fast_reveals(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    """A site where reveals are over at once, but a question still takes no answer in its first moment."""
    site = RunningSite(tmp_path_factory.mktemp("fast_reveals"), REVEAL_PACE="0.001")
    with site.running():
        yield site


def decisions(page: Page) -> int:
    """Return how many decisions this browser has sent."""
    return int(page.evaluate("window.sentMoves.length"))


def listen(page: Page) -> None:
    """Note every decision that goes out over the socket."""
    page.add_init_script(
        """window.sentMoves = [];
        window.clicks = [];
        window.deciding = []; // the clicks that sent a decision
        addEventListener("click", (event) => window.clicks.push(event.timeStamp), true);
        const send = WebSocket.prototype.send;
        WebSocket.prototype.send = function (text) {
          const message = JSON.parse(text);
          if (message.t === "move") window.sentMoves.push(message);
          if (message.t === "move" && window.event?.type === "click") window.deciding.push(window.event.timeStamp);
          return send.call(this, text);
        };"""
    )


def play_now(page: Page, game: str) -> None:
    """Start a match of a game with bots, and wait for the first decision."""
    page.goto("/games/")
    page.evaluate("(game) => document.querySelector(`form[action='/play/${game}/']`).submit()", game)
    page.wait_for_url("**/t/*/")
    wait_for_turn(page)


def decisive_button(page: Page) -> tuple[Locator, int]:
    """Return a button that decides, and how many moves it may send: if it confirms several cards, they are selected."""
    confirm = page.locator(".move[data-kind=confirm]")
    while confirm.count() and confirm.first.is_disabled():
        page.locator(".move[data-kind=card][aria-pressed=false]").first.press("Space")
    selected = page.locator(".move[data-kind=card][aria-pressed=true]").count()
    return page.locator(MOVES).first, max(1, selected)


@full
@pytest.mark.parametrize(
    ("game", "pause"),
    [*((game, 180) for game in GAMES if game != "rummy"), ("enchere", 60), ("enchere", 400)],
)
def test_a_double_click_decides_once(visitor: Visitor, fast_reveals: RunningSite, game: str, pause: int) -> None:
    """Bots answer at once here, so the next question stands under the pointer before the second click comes."""
    page = visitor(at=fast_reveals)
    listen(page)
    play_now(page, game)
    devtools = page.context.new_cdp_session(page)
    for _ in range(2):
        if page.locator(".result:visible").count():
            break
        before = decisions(page)
        button, moves = decisive_button(page)
        button.hover()
        where = button.evaluate(MIDDLE)
        page.mouse.down()
        page.mouse.up()
        # As on a busy page, the second click may be handled late: the time at which it was made is what counts.
        made = page.evaluate(SINCE_THE_CLICK, pause)
        for step in ("mousePressed", "mouseReleased"):
            devtools.send("Input.dispatchMouseEvent", {"type": step, "timestamp": made, **SECOND, **where})
        first, second, deciding = page.evaluate("[...clicks.slice(-2), deciding]")
        assert second - first == pytest.approx(pause, abs=2)
        assert second not in deciding
        wait_for_turn(page)
        # Several cards may be sent one after the other. What was clicked too soon is not kept for later either.
        assert decisions(page) in (before, before + 1, before + moves)


@full
def test_bids_lie_open_and_the_next_question_waits_for_them(visitor: Visitor, slow_reveals: RunningSite) -> None:
    page = visitor(at=slow_reveals)
    listen(page)
    play_now(page, "enchere")
    prize = page.locator("[data-zone=prize] [data-piece]")
    first = prize.get_attribute("data-piece")
    page.locator(MOVES).first.click()
    expect(page.locator("[data-zone^=bid] [data-piece][data-up=yes]")).to_have_count(3)
    expect(page.locator("[data-mark=won]")).to_have_count(1)
    expect(prize).to_have_attribute("data-piece", str(first))
    expect(page.locator(".prompt")).to_contain_text("wins")
    expect(page.locator(MOVES)).to_have_count(0)
    log = page.locator(".log")
    expect(log).not_to_contain_text("The next prize is")
    page.get_by_role("button", name="Continue").click()
    wait_for_turn(page)
    expect(log).to_contain_text("The next prize is")
    expect(prize).not_to_have_attribute("data-piece", str(first))
    assert decisions(page) == 1


@full
def test_escape_and_a_tap_on_the_felt_go_on_too(visitor: Visitor, slow_reveals: RunningSite) -> None:
    page = visitor(at=slow_reveals)
    play_now(page, "enchere")
    for way in ("key", "tap"):
        page.locator(MOVES).first.click()
        expect(page.locator("[data-mark=won]")).to_have_count(1)
        page.keyboard.press("Escape") if way == "key" else page.locator(".last-line").click()
        expect(page.get_by_role("button", name="Continue")).to_have_count(0, timeout=2_000)
        wait_for_turn(page)


@full
def test_skipping_a_reveal_does_not_affect_other_players(visitor: Visitor, slow_reveals: RunningSite) -> None:
    anna, bob = visitor(at=slow_reveals), visitor(at=slow_reveals)
    listen(anna)
    address = set_table(anna, "enchere", ("open", "house"))
    sit_down(bob, address, "Bob")
    start(anna, bob)
    for page in (anna, bob):
        wait_for_turn(page)
        page.locator(MOVES).first.click()
    expect(bob.locator("[data-mark=won]")).to_have_count(1)
    expect(anna.locator("[data-mark=won]")).to_have_count(1)
    anna.keyboard.press("Escape")
    wait_for_turn(anna)
    anna.locator(MOVES).first.click()
    anna.wait_for_function("() => window.sentMoves.length === 2")
    expect(bob.locator("[data-mark=won]"), "Bob still looks at the bids").to_have_count(1)
    wait_for_turn(bob)
    expect(bob.locator("[data-zone^=bid] [data-piece][data-up=no]"), "and learns that Anna has bid").not_to_have_count(
        0
    )


@full
def test_a_player_can_switch_reveals_off(visitor: Visitor, slow_reveals: RunningSite) -> None:
    page = visitor(at=slow_reveals)
    listen(page)
    play_now(page, "enchere")
    page.get_by_label("Menu", exact=True).click()
    page.get_by_role("button", name="Without pauses").click()
    page.keyboard.press("Escape")
    prize = page.locator("[data-zone=prize] [data-piece]")
    first = prize.get_attribute("data-piece")
    page.locator(MOVES).first.click()
    expect(prize).not_to_have_attribute("data-piece", str(first))


def test_a_question_about_dealt_cards_comes_though_something_else_happens_before_they_have_landed(
    visitor: Visitor, address: str
) -> None:
    table = PretendTable(visitor(reduced_motion=False), address)
    table.open(zones=[zone("deck", *hand("4C", "9D")["pieces"]), hand()])
    moves = [legal_move(f"play {face}", face) for face in ("4C", "9D")]
    for match, kind in ((2, "deal"), (3, "move")):  # each is drawn as what happens just now
        table.log = [{"kind": kind, "text": say("Something happens")}]
        table.table["match"] = match
        table.show(*moves, zones=[zone("deck"), hand("4C", "9D")])
    expect(table.page.locator(".scroller > .moves > .move")).to_have_count(2)
