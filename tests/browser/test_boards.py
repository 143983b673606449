"""Board games and others: played by people and bots, watched in a third browser, and replayed."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from games.core import FastChance, SealedChance
from games.thief.board import CELLS
from games.thief.game import GAME as HEIST
from games.thief.path import Path, begin, enter, legal_paths, slips
from games.thief.rules import HeistState
from games.thief.vision import light
from tests.browser.conftest import Visitor
from tests.browser.tables import fits, piece, play_out, result_of, scores_of, set_table, sit_down, start, step_through
from tests.running_site import RunningSite
from tests.tiers import full

ANIMATIONS_DONE = """() => Promise.all(
    document.getAnimations().filter((one) => one.effect.getComputedTiming().iterations !== Infinity)
        .map((one) => one.finished.catch(() => null))
).then(() => null)"""


def wait_for_board(page: Page) -> None:
    """Wait until there is a move to make, and a board to make it on where all pieces have come to lie."""
    expect(page.locator(".room[data-mine]")).to_be_attached()
    expect(page.locator(".board [data-piece]").first).to_be_visible()
    page.evaluate(ANIMATIONS_DONE)


@full
@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("bundles", ("house",), {}),
        ("enchere", ("house", "house"), {"target": "0"}),
    ],
)
def test_a_game_of_cards_is_played_watched_and_stepped_through(
    visitor: Visitor, game: str, seats: tuple[str, ...], options: dict[str, str]
) -> None:
    anna, walter = visitor(), visitor(device="phone")
    address = set_table(anna, game, seats, **options)
    walter.goto(address)
    start(anna, walter)
    assert play_out(anna) > 3
    expect(walter.get_by_role("region", name="Result")).to_be_visible()
    assert scores_of(walter) == scores_of(anna) != []
    assert fits(anna)
    assert fits(walter)
    step_through(anna)


@full
def test_two_people_and_two_bots_race_camels(visitor: Visitor) -> None:
    anna, bob, walter = visitor(), visitor(device="phone"), visitor(scheme="dark")
    address = set_table(anna, "camelup", ("open", "house", "house"))
    sit_down(bob, address, "Bob")
    walter.goto(address)
    start(anna, bob, walter)
    spaces = walter.get_by_role("list", name="Race track").locator("> li")
    expect(spaces).to_have_count(17)
    expect(walter.locator(".board-track [data-figure=camel]")).to_have_count(5)
    for page in (anna, bob, walter):
        assert fits(page)
    assert play_out(anna, bob) > 4
    expect(walter.get_by_role("region", name="Result")).to_be_visible()
    assert walter.locator('.space[data-zone="finish"] [data-figure=camel]').count() >= 1
    step_through(bob)
    step_through(anna)


@pytest.mark.parametrize("device", ["desktop", pytest.param("phone", marks=full)])
def test_each_kind_of_turn_in_camel_up_takes_one_tap_or_two(visitor: Visitor, device: str) -> None:
    anna = visitor(device=device)
    set_table(anna, "camelup", ("random", "none", "none"))
    start(anna)
    log = anna.locator(".log-line")

    wait_for_board(anna)
    # What can be done on the board is not repeated beside it, but is one press away, and then a key.
    moves = anna.locator(".scroller > .moves > .move")
    expect(moves.locator("span:not(.verb)")).to_have_text(["Roll a die", "All moves …"])
    anna.keyboard.press("2")
    expect(moves).to_have_count(13)
    expect(moves.filter(has_text="Bet on")).to_have_count(5)
    anna.locator(".shared [data-figure=leg][role=button]").first.click()
    expect(log.filter(has_text=re.compile("^You bet on"))).to_have_count(1)

    wait_for_board(anna)
    anna.locator(".own [data-figure=oasis]").click()
    lit = anna.locator(".board-track .aim")
    assert lit.count() > 3
    anna.keyboard.press("Escape")
    expect(lit).to_have_count(0)
    anna.locator(".own [data-figure=mirage]").click()
    where = lit.last.get_attribute("data-target") or ""
    lit.last.click()
    expect(log.filter(has_text=re.compile("^You put a mirage"))).to_have_count(1)
    expect(anna.locator(f'.space[data-zone="{where.removeprefix("zone:")}"] [data-figure=mirage]')).to_have_count(1)

    wait_for_board(anna)
    anna.locator(".own [data-figure=race]").first.click()
    anna.get_by_role("button", name="Loser").click()
    expect(log.filter(has_text="You put a race card on the loser's pile")).to_have_count(1)

    wait_for_board(anna)
    piece(anna, "pyramid").click()
    expect(log.filter(has_text=re.compile("^You roll"))).to_have_count(1)


@full
def test_learners_look_up_odds_unless_the_table_forbids_them(visitor: Visitor) -> None:
    anna = visitor()
    set_table(anna, "camelup", ("random", "none", "none"))
    start(anna)
    anna.get_by_text("Chances at the end of this leg").click()
    rows = anna.locator(".odds tbody tr")
    expect(rows).to_have_count(5)
    expect(rows.first).to_contain_text(re.compile(r"camel.*%"))
    set_table(anna, "camelup", ("random", "none", "none"), odds="forbidden")
    start(anna)
    expect(anna.get_by_text("Chances at the end of this leg")).to_have_count(0)


@full
def test_a_camel_rides_along_the_track_in_less_than_a_second(visitor: Visitor) -> None:
    anna = visitor()
    set_table(anna, "camelup", ("random", "none", "none"))
    start(anna)
    wait_for_board(anna)
    anna.evaluate(
        """() => {
             window.rides = [];
             const animate = Element.prototype.animate;
             Element.prototype.animate = function (frames, timing) {
               if (this.dataset?.figure === "camel" && frames.length > 2) window.rides.push(timing.duration);
               return animate.call(this, frames, timing);
             };
           }"""
    )
    while not anna.evaluate("window.rides.length") and not result_of(anna):
        wait_for_board(anna)
        piece(anna, "pyramid").click()
        expect(anna.locator(".controls [data-kind=busy]")).to_have_count(0)
        anna.wait_for_timeout(50)
    rides = anna.evaluate("window.rides")
    assert rides
    assert all(length <= 900 for length in rides)


@full
def test_a_heist_is_played_to_its_end_watched_and_stepped_through(visitor: Visitor) -> None:
    anna, walter = visitor(), visitor(device="phone", scheme="dark")
    address = set_table(anna, "thief", ())
    walter.goto(address)
    start(anna, walter)
    expect(walter.get_by_role("list", name="The house").locator("> li")).to_have_count(9)
    expect(walter.locator(".tally table")).to_have_count(0)
    assert play_out(anna) > 3
    expect(walter.get_by_role("region", name="Result")).to_be_visible()
    assert fits(anna)
    assert fits(walter)
    step_through(anna)
    # What the director rolled is read beside the table: on it, it covered the deck.
    anna.get_by_text("The director's last deal").click()
    expect(anna.locator(".replay-notes li").first).to_contain_text("rolled")
    expect(anna.locator(".felt")).not_to_contain_text("rolled")


def drawn(page: Page) -> list[str]:
    """Return the ids of the pieces on the path, in order."""
    pieces = page.locator('.board-grid [data-path="on"]').all()
    places = {int(one.get_attribute("data-order") or 0): one.get_attribute("data-piece") or "" for one in pieces}
    return [places[number] for number in sorted(places)]


def expect_drawn(page: Page, pieces: int) -> None:
    """Wait until the path goes over so many pieces."""
    expect(page.locator('.board-grid [data-path="on"]')).to_have_count(pieces)


FIRST_STEP = re.compile("^You (?!slip into)")  # whatever lay there was taken, put out, fought ...


def open_cards(page: Page) -> Locator:
    """Return the cards that may come next."""
    return page.locator('.board-grid [data-path="next"]')


@full
def test_a_path_is_tapped_taken_back_step_by_step_and_gone(visitor: Visitor) -> None:
    anna = visitor(device="phone")
    set_table(anna, "thief", ())
    start(anna)
    wait_for_board(anna)
    open_cards(anna).first.tap()
    first = drawn(anna)
    assert len(first) == 1
    open_cards(anna).first.tap()
    expect_drawn(anna, 2)
    expect(anna.get_by_role("status", name="Your path").locator("tbody tr").first).to_contain_text(re.compile(r"\d"))
    piece(anna, first[0]).tap()
    assert drawn(anna) == first
    anna.get_by_role("button", name="One step back").tap()
    expect_drawn(anna, 0)
    for _ in range(2):
        open_cards(anna).first.tap()
    anna.get_by_role("button", name="Take this path").tap()
    expect(anna.locator(".log-line").filter(has_text=FIRST_STEP).first).to_be_attached()


@full
def test_a_path_is_drawn_with_the_keyboard_alone(visitor: Visitor) -> None:
    anna = visitor()
    set_table(anna, "thief", ())
    start(anna)
    wait_for_board(anna)
    anna.evaluate("document.activeElement?.blur()")
    anna.keyboard.press("ArrowLeft")
    expect(anna.locator(".board-grid [data-piece]:focus")).to_have_count(1)
    anna.keyboard.press("Enter")
    expect_drawn(anna, 1)
    anna.keyboard.press("Enter")
    expect(anna.get_by_text("You cannot stop here")).to_be_visible()
    anna.keyboard.press("Escape")
    expect_drawn(anna, 0)
    anna.keyboard.press("1")
    second = anna.locator(".moves [data-kind=group]").first
    second.focus()
    anna.keyboard.press("Enter")
    expect_drawn(anna, 2)
    anna.keyboard.press("Backspace")
    expect_drawn(anna, 1)
    open_cards(anna).first.focus()
    anna.keyboard.press("Enter")
    anna.keyboard.press("Enter")
    expect(anna.locator(".log-line").filter(has_text=FIRST_STEP).first).to_be_attached()


@full
def test_a_player_who_walks_over_the_cards_by_keys_stays_there_when_the_table_is_drawn_anew(visitor: Visitor) -> None:
    anna = visitor()
    set_table(anna, "thief", ())
    start(anna)
    wait_for_board(anna)
    open_cards(anna).first.focus()
    here = anna.locator(".board-grid [data-piece]:focus").get_attribute("data-piece")
    anna.evaluate("document.addEventListener('focusout', () => document.body.dataset.lost = 'yes')")
    bob = visitor()
    bob.goto(anna.url)
    expect(anna.get_by_text("1 spectator")).to_be_attached()  # the question about sound hides it at first
    assert anna.locator("body").get_attribute("data-lost") is None
    assert anna.locator(".board-grid [data-piece]:focus").get_attribute("data-piece") == here


@full
def test_the_house_stays_where_it_is_whatever_card_is_pointed_at(visitor: Visitor) -> None:
    anna = visitor(device="phone")
    set_table(anna, "thief", ())
    start(anna)
    wait_for_board(anna)
    house = anna.locator(".board-grid")
    before = house.bounding_box()
    for first in (None, open_cards(anna).first):
        if first:
            first.click()
        for card in anna.locator(".board-grid [data-piece]").all():
            card.hover()
            assert house.bounding_box() == before


@full
def test_a_path_is_drawn_by_dragging(visitor: Visitor) -> None:
    anna = visitor()
    set_table(anna, "thief", ())
    start(anna)
    wait_for_board(anna)

    def middle(card: Locator) -> tuple[float, float]:
        box = card.bounding_box()
        assert box
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    anna.mouse.move(*middle(piece(anna, "thief")))
    anna.mouse.down()
    for length in (1, 2):
        anna.mouse.move(*middle(open_cards(anna).first), steps=8)
        assert len(drawn(anna)) >= length
    anna.mouse.up()
    assert len(drawn(anna)) >= 2
    move = anna.get_by_role("button", name="Take this path").get_attribute("data-move") or ""
    assert move.startswith("path ")
    assert len(move.split()) == 1 + len(drawn(anna))


def break_in(page: Page, site: RunningSite, wanted: Callable[[HeistState], bool]) -> HeistState:
    """Begin the heist of the day and play until it is as wanted; return it. How to come there is tried out beforehand.

    Raises AssertionError when 500 tries at random do not come there.
    """
    key = (site.folder / "var" / "secret.key").read_bytes()
    page.goto("/daily/thief/")
    page.get_by_role("button", name="Play the deal of the day").click()
    page.wait_for_url("**/t/*/")
    day = datetime.now(UTC).date()
    for index in range(500):
        chance = FastChance(f"break in {index}")
        state = HEIST.start(1, HEIST.check_options(HEIST.daily.options(day)), SealedChance(HEIST.daily.seed(day, key)))
        moves: list[str] = []
        while not state.over and not wanted(state):
            moves.append(chance.choice(state.legal_moves(0)))
            state.apply(0, moves[-1])
        if not state.over:
            break
    else:
        raise AssertionError("No heist came to what was wanted.")
    for number, move in enumerate(moves, 1):
        wait_for_board(page)
        expect(page.locator(".room-phase")).to_have_text(re.compile(f"Turn {number},"))
        verb, *cells = move.split()
        if verb == "slip":
            named, groups = (
                page.locator(f'.controls [data-move="{move}"]'),
                page.locator('.controls [data-kind="group"]'),
            )
            expect(named.or_(groups).first).to_be_visible()
            if not named.is_visible():  # of more than four moves, and the bar asks for the piece first
                groups.filter(has_text="thief").click()
            named.click()
            continue
        for cell in cells:
            on(page, int(cell)).click()
        page.get_by_role("button", name="Take this path").click()
    wait_for_board(page)
    expect(page.locator(".room-phase")).to_have_text(re.compile(f"Turn {len(moves) + 1},"))
    return state


def on(page: Page, cell: int) -> Locator:
    """Return what lies on a cell of the house."""
    return page.locator(f'.board-grid .space[data-zone="cell:{cell}"] [data-piece]')


@full
@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_out_of_stealth_the_thief_slips_past_an_enemy(visitor: Visitor, site: RunningSite, device: str) -> None:
    anna = visitor(device=device)
    state = break_in(anna, site, lambda state: 1 <= len(slips(state.position)) <= 4 and not legal_paths(state.position))
    cell = slips(state.position)[0]
    enemy = on(anna, cell).get_attribute("data-piece") or ""
    expect(anna.locator(".prompt")).to_have_text("Your turn: there is no path, so slip past an enemy")
    slip = anna.locator(f'.controls [data-move="slip {cell}"]')
    expect(slip).to_have_text(re.compile(r"Slip past the .*\)$"))
    if device == "phone":
        piece(anna, "thief").tap()
        on(anna, cell).tap()
    else:
        anna.evaluate("document.activeElement?.blur()")
        anna.keyboard.press("ArrowUp")
        expect(piece(anna, "thief")).to_be_focused()
        anna.keyboard.press("Enter")
        expect(on(anna, cell)).to_have_attribute("data-lit", "")
        on(anna, cell).focus()
        anna.keyboard.press("Enter")
    expect(anna.locator(".log-line").filter(has_text="slip past the").last).to_be_attached()
    expect(on(anna, cell)).to_have_attribute("data-piece", "thief")
    expect(on(anna, state.thief)).to_have_attribute("data-piece", enemy)


@full
def test_the_house_shows_light_and_gazes_as_the_path_will_leave_them(visitor: Visitor, site: RunningSite) -> None:
    anna = visitor()

    def darkened(state: HeistState) -> list[tuple[int, int]]:
        """Cells that may be entered first, each with a cell that is dark then and was not."""
        lit = light(state.board)
        first = {path.cells[1] for path in legal_paths(state.position)}
        paths = [enter(begin(state.position), cell) for cell in first]
        return [
            (path.here, cell)
            for path in paths
            if isinstance(path, Path)
            for cell in CELLS
            if (lit & ~path.lit) >> cell & 1
        ]

    state = break_in(anna, site, lambda state: bool(darkened(state)))
    torch, cell = darkened(state)[0]
    space = anna.locator(f'.board-grid .space[data-zone="cell:{cell}"]')
    lit = re.compile(r"\blit\b")
    expect(space).to_have_attribute("data-marks", lit)
    on(anna, torch).click()
    expect(space).not_to_have_attribute("data-marks", lit)
    anna.get_by_role("button", name="One step back").click()
    expect(space).to_have_attribute("data-marks", lit)


@full
def test_a_board_comes_with_all_else_so_that_nothing_jumps(visitor: Visitor) -> None:
    anna, walter = visitor(), visitor(device="phone")
    address = set_table(anna, "thief", ())
    start(anna)
    wait_for_board(anna)
    late: list[Route] = []
    frames: list[str] = []
    walter.on("websocket", lambda line: line.on("framereceived", lambda text: frames.append(str(text))))
    seen: list[bool] = []
    walter.route(re.compile(r"css.table.boards\."), lambda one: one.continue_() if seen else late.append(one))
    walter.goto(address, wait_until="commit")
    expect(walter.locator(".room[data-status]")).to_be_attached()
    while not (late and any('"snapshot"' in text for text in frames)):
        walter.wait_for_timeout(20)
    walter.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    seen.append(True)
    for route in late:
        route.continue_()
    expect(walter.locator(".board [data-piece]").first).to_be_visible()
    moved = walter.evaluate(
        """() => new Promise((done) => requestAnimationFrame(() => {
             new PerformanceObserver((list) => done(list.getEntries().reduce((sum, one) => sum + one.value, 0)))
               .observe({ type: "layout-shift", buffered: true });
             setTimeout(() => done(0), 500); // nothing at all
           }))"""
    )
    assert moved < 0.05
