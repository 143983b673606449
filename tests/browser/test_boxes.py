"""One layout for every game and screen: everything needed to decide is visible, and nothing covers it.

Positions of real games are laid on a real table's page, one after the other, at every size.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise, product
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from games import catalogue
from games.core import FastChance, Game
from games.core.match import Match
from games.recycle.game import RecycleGame
from tests import words
from tests.browser.boxes import EVERY_SIZE, FIND_FAULTS, SIZES, faults, lasting, names
from tests.browser.pretend import NAMES, PretendTable, say
from tests.games.cases import QUICK_TEXTS
from tests.tiers import full, is_full, tiered

Json = dict[str, Any]

NATIVE = [game.name for game in catalogue.listed(catalogue.providers[0])]
TEXTS = [game.name for game in catalogue.listed(catalogue.providers[1])]
# At the deal, under way, and with much on the table.
PLIES, OF_TEXTS = ((0, 9, 40), (1, 30)) if is_full() else ((40,), (30,))
# Games whose buttons say different things: of the texts a trick-taking game, one of many piles, one where the piles
# have names, and a patience. Camel Up, with the most buttons, is laid in every language.
WORDY = [*(name for name in NATIVE if name != "camelup"), "hearts", "rummy", "expeditions", "golf-patience"]


def counts(game: Game) -> list[int]:
    """Return the numbers of players to try: for a game of the house all there may be that look different."""
    return sorted({game.min_seats, game.default_seats, game.max_seats}) if is_full() else [game.max_seats]


def positions(game: Game, seats: int, plies_wanted: tuple[int, ...]) -> Iterator[tuple[int, Json]]:
    """Yield what seat 0 sees when it is to move, about those plies into a random match, or its end; with the plies."""
    chance = FastChance(f"boxes {game.name} {seats}")
    state = game.start(seats, game.check_options({}), FastChance(f"deal {game.name} {seats}"))
    plies, wanted = 0, list(plies_wanted)
    while not state.over and plies < 2000:
        movers = [seat for seat in range(seats) if state.legal_moves(seat)]
        if wanted and plies >= wanted[0] and 0 in movers:
            wanted.pop(0)
            yield plies, dict(game.view(state, 0))
        elif not wanted:
            return
        seat = chance.choice(movers)
        state.apply(seat, chance.choice(state.legal_moves(seat)))
        plies += 1
    yield plies, dict(game.view(state, 0))


@pytest.fixture(scope="module")
def tables(browser: Browser, address: str) -> Iterator[dict[bool, PretendTable]]:
    """A table for a mouse (False), and one for a touch screen (True)."""
    yield from tables_in("en", browser, address)


@pytest.fixture(scope="module")
def wordy_tables(browser: Browser, address: str) -> Iterator[dict[bool, PretendTable]]:
    """The same in the language that takes most letters to say what is said at tables."""
    letters = {
        language: sum(map(len, (*words.known(language, "scripts").values(), *words.known(language, "core").values())))
        for language in words.LANGUAGES
    }
    yield from tables_in(max(words.LANGUAGES, key=lambda language: letters[language]), browser, address)


def tables_in(language: str, browser: Browser, address: str) -> Iterator[dict[bool, PretendTable]]:
    """Yield a table for a mouse and one for a touch screen, in a language."""
    contexts: list[BrowserContext] = []

    def open_one(touch: bool) -> PretendTable:
        context = browser.new_context(reduced_motion="reduce", has_touch=touch, is_mobile=touch, locale=language)
        contexts.append(context)
        context.add_init_script("localStorage.tips ??= 'no'")  # tests/browser/test_teaching.py is about those
        page = context.new_page()
        table = PretendTable(page, address, seats=1)
        table.open(zones=[])
        return table

    yield {touch: open_one(touch) for touch in (False, True)}
    for context in contexts:
        context.close()


def at(page: Page, size: str) -> None:
    """Make the screen so large."""
    width, height, _ = EVERY_SIZE[size]
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("([width, height]) => innerWidth === width && innerHeight === height", arg=[width, height])


def faults_of(
    tables: dict[bool, PretendTable], game: Game, seats: int, plies_wanted: tuple[int, ...] = PLIES
) -> list[str]:
    """Return the layout faults at any size in any position of a game."""
    results = []
    for plies, view in positions(game, seats, plies_wanted):
        for touch, table in tables.items():
            table.table["title"] = game.title
            table.show_position(view, names(seats))
            table.page.keyboard.press("Escape")  # a scoring panel or a result is closed
            table.page.evaluate("() => document.querySelector('.move[data-kind=all]')?.click()")  # the longest list
            for size, (_, _, fingers) in SIZES.items():
                if fingers is not touch:
                    continue
                at(table.page, size)
                results += [f"{size}, ply {plies}: {fault}" for fault in faults(table.page, touch=touch)]
    return results


@pytest.mark.parametrize(
    ("name", "seats"), [(name, seats) for name in NATIVE for seats in counts(catalogue.find(name))]
)
def test_a_game_of_the_house_lies_in_view_at_every_size(
    tables: dict[bool, PretendTable], name: str, seats: int
) -> None:
    assert faults_of(tables, catalogue.find(name), seats) == []


@full
@pytest.mark.parametrize("name", WORDY)
def test_a_game_lies_in_view_at_every_size_in_the_longest_language(
    wordy_tables: dict[bool, PretendTable], name: str
) -> None:
    game = catalogue.find(name)
    assert faults_of(wordy_tables, game, game.default_seats, (9,)) == []
    assert wordy_tables[False].page.locator("html").get_attribute("lang") in words.LANGUAGES


@full
@pytest.mark.parametrize("language", words.LANGUAGES)
def test_the_most_buttons_that_a_game_has_are_in_sight_in_every_language(
    browser: Browser, address: str, language: str
) -> None:
    for tables in tables_in(language, browser, address):
        assert faults_of(tables, catalogue.find("camelup"), 4, (9,)) == []


# Where buttons have least room: beside the felt or below it, for fingers and at a zoom of 200 %.
TIGHT = ("844x390", "667x375", "640x400", "390x664", "360x640")
MOST = 16  # buttons that are all to be in sight


def wordiest(game: Game, fewest: int) -> Iterator[tuple[int, Json]]:
    """Yield seats and what seat 0 sees, once for each number of buttons up to MOST: where they have most letters."""
    found: dict[int, tuple[int, int, Json]] = {}
    for seats, seed in product(sorted({game.default_seats, game.max_seats}), range(4)):
        chance = FastChance(f"wordiest {game.name} {seats} {seed}")
        state = game.start(seats, game.check_options({}), chance)
        for _ in range(300):
            movers = [seat for seat in range(seats) if state.legal_moves(seat)]
            if not movers:
                break
            if 0 in movers and fewest <= len(state.legal_moves(0)) <= MOST:
                view: Json = dict(game.view(state, 0))
                count, letters = len(view["moves"]), len(json.dumps([move["label"] for move in view["moves"]]))
                if count not in found or letters > found[count][0]:
                    found[count] = (letters, seats, view)
            seat = chance.choice(movers)
            state.apply(seat, chance.choice(state.legal_moves(seat)))
    yield from ((seats, view) for _, seats, view in found.values())


@pytest.mark.parametrize("name", tiered(NATIVE + TEXTS, lambda name: name in ("liars-dice", "president")))
@pytest.mark.parametrize("language", tiered(words.LANGUAGES, lambda language: language == "de"))
def test_up_to_sixteen_buttons_are_in_sight_where_there_is_least_room(
    browser: Browser, address: str, language: str, name: str
) -> None:
    game = catalogue.find(name)
    fullest = list(wordiest(game, 6 if is_full() else MOST - 1))
    results = []
    for tables in tables_in(language, browser, address):
        for (seats, view), (touch, table) in product(fullest, tables.items()):
            table.show_position(view, names(seats))
            table.page.keyboard.press("Escape")
            for size in TIGHT:
                if EVERY_SIZE[size][2] is touch:
                    at(table.page, size)
                    found = lasting(table.page, partial(button_faults, table.page, touch))
                    results += [f"{size}, {len(view['moves'])}: {fault}" for fault in found]
    assert results == []


@pytest.mark.parametrize(("name", "fewest"), [("enchere-avancee", 13), ("spoof", 14)])
def test_a_full_hand_and_cards_to_tap_in_the_middle_lie_in_view_on_small_screens(
    tables: dict[bool, PretendTable], name: str, fewest: int
) -> None:
    table = tables[True]
    results = []
    for seats, view in wordiest(catalogue.find(name), fewest):
        for size in ("667x375", "390x664"):
            at(table.page, size)
            table.show_position(view, names(seats))
            results += [f"{size}, {seats}: {fault}" for fault in faults(table.page, touch=True)]
    assert results == []


def button_faults(page: Page, touch: bool) -> list[str]:
    """Return the layout faults that are about buttons."""
    found: list[str] = page.evaluate(FIND_FAULTS, touch)
    return [fault for fault in found if re.search("button|words cut|the list|how many more", fault)]


@pytest.mark.parametrize("name", tiered(TEXTS, lambda name: name in QUICK_TEXTS))
def test_a_text_that_nobody_has_laid_out_lies_in_view_at_every_size(
    tables: dict[bool, PretendTable], name: str
) -> None:
    game = catalogue.find(name)
    assert faults_of(tables, game, game.max_seats, OF_TEXTS) == []


@pytest.mark.parametrize("language", tiered(words.LANGUAGES, lambda language: language == "de"))
def test_the_label_of_every_place_is_whole_in_every_language(browser: Browser, address: str, language: str) -> None:
    results = []
    for tables in tables_in(language, browser, address):
        for name in NATIVE + TEXTS if is_full() else ("expeditions", "camelup"):
            game = catalogue.find(name)
            found = faults_of(tables, game, game.default_seats, (9,))
            results += [f"{name}, {fault}" for fault in found if "label" in fault]
    assert results == []


def test_what_happened_last_and_where_a_match_stands_is_whole_on_a_phone(tables: dict[bool, PretendTable]) -> None:
    table = tables[True]
    table.page.evaluate("() => localStorage.setItem('sound', 'off')")  # otherwise that is asked where the phase stands
    for name, seats in (("camelup", 4), ("hearts", 4), ("hamsterdam", 6)):
        _, view = next(positions(catalogue.find(name), seats, (9,)))
        happened = say("{seat} puts a race card on the loser's pile.", seat={"seat": 1})
        table.table["title"] = catalogue.find(name).title
        at(table.page, "390x844")
        table.show_position(view | {"settled": happened}, list(NAMES[:seats]))
        for what in (".last-line > span", ".room-phase", ".room-title"):
            shown = table.page.locator(what)
            expect(shown).to_be_visible()
            cut = shown.evaluate("(node) => node.scrollHeight - node.clientHeight > 3")
            assert not cut, f"{name}: {shown.inner_text()}"
    table.page.evaluate("() => localStorage.removeItem('sound')")


# Upright and low: there the pieces of a board are worth more than labels.
NO_ROOM = ("360x640", "390x664")


@pytest.mark.parametrize(
    ("name", "labels", "sizes"),
    [
        ("thief", ["Deck", "Taken"], EVERY_SIZE),
        ("camelup", ["Winner", "Loser"], tuple(size for size in EVERY_SIZE if size not in NO_ROOM)),
    ],
)
def test_piles_on_a_board_that_look_alike_have_labels(
    tables: dict[bool, PretendTable], name: str, labels: list[str], sizes: tuple[str, ...]
) -> None:
    game = catalogue.find(name)
    _, view = next(positions(game, game.max_seats, (9,)))
    results = []
    for touch, table in tables.items():
        table.show_position(view, names(game.max_seats))
        for size in sizes:
            if EVERY_SIZE[size][2] is touch:
                at(table.page, size)
                found = lasting(table.page, partial(unlabelled, table.page, labels))
                results += [f"{size}: {label}" for label in found]
    assert results == []


def unlabelled(page: Page, labels: list[str]) -> list[str]:
    """Return which of these labels of places in the middle are not seen."""
    shown = page.locator(".shared .zone-label:not([data-cut]):visible").all_inner_texts()
    return [label for label in labels if label not in shown]


# Empty places of one's own and in the middle without a label that is seen.
NAMELESS = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  await frame(); await frame();
  return [...document.querySelectorAll(":is(.own, .shared) .zone[data-empty]:not([data-unused])")]
    .filter((zone) => !zone.querySelector(".zone-label").checkVisibility({ visibilityProperty: true }))
    .map((zone) => zone.querySelector(".zone-label").textContent);
}"""


@pytest.mark.parametrize("name", tiered(TEXTS, lambda name: name == "colours"))
def test_every_empty_place_of_a_text_says_what_it_is_for(tables: dict[bool, PretendTable], name: str) -> None:
    game = catalogue.find(name)
    results = []
    for _, view in positions(game, game.max_seats, (1,)):
        for touch, table in tables.items():
            table.show_position(view, names(game.max_seats))
            table.page.keyboard.press("Escape")
            for size, (_, _, fingers) in EVERY_SIZE.items():
                if fingers is touch:
                    at(table.page, size)
                    nameless = lasting(table.page, partial(table.page.evaluate, NAMELESS))
                    results += [f"{size}: {label}" for label in nameless]
    assert results == []


@pytest.mark.parametrize("language", tiered(words.LANGUAGES, lambda language: language == "de"))
def test_what_ones_own_plate_says_beside_the_name_is_whole(browser: Browser, address: str, language: str) -> None:
    game = catalogue.find("hamsterdam")
    _, view = next(positions(game, 3, (0,)))
    results = []
    for tables in tables_in(language, browser, address):
        for touch, table in tables.items():
            for size, (_, _, fingers) in EVERY_SIZE.items():
                if fingers is not touch:
                    continue
                at(table.page, size)
                for marks in ([], ["dealer"], ["dealer", "passed"], ["first", "dealer", "traded"]):
                    seats = [seat | {"marks": marks} for seat in view["seats"]]
                    table.show_position(view | {"seats": seats}, ["Tulip", "Bram", "Cato"], again=bool(marks))
                    results += [f"{size}, {marks}: {fault}" for fault in faults(table.page, touch=touch)]
    assert results == []


# Controls of a table that a finger cannot hit: what it hits of them is less than 44 pixels wide or high.
SMALL = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  await frame(); await frame();
  const controls = ".room :is(button, summary, a[href], select, textarea, input, [role=button])";
  const seen = [...document.querySelectorAll(controls)].filter((one) =>
    one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length);
  return seen.flatMap((node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    const owns = (x, y) => {
      const at = document.elementFromPoint(x, y);
      return !!at && (at === node || node.contains(at) || (at.matches(".aim") && at.parentElement.contains(node)));
    };
    const longest = (from, to, at) => {
      let [best, now] = [0, 0];
      for (let place = from; place < to; place++) best = Math.max(best, (now = at(place) ? now + 1 : 0));
      return best;
    };
    const rows = [top + 8, top + height / 3, top + height / 2, top + height - 6];
    const columns = [left + 8, left + width / 2, left + width - 8];
    const wide = Math.max(...rows.map((y) => longest(left - 24, left + width + 24, (x) => owns(x, y))));
    const high = Math.max(...columns.map((x) => longest(top - 24, top + height + 24, (y) => owns(x, y))));
    const name = node.dataset.piece ?? node.dataset.target ?? `${node.className} ${node.textContent.trim()}`;
    // Counted in whole pixels, of which the outer ones may be halves.
    return wide < 43 || high < 43 ? [`${name}: ${wide}x${high}`] : [];
  });
}"""
FINGERS = ("390x844", "844x390")


@pytest.mark.parametrize("name", tiered([*NATIVE, "hearts", "rummy", "golf-patience"], lambda name: name == "camelup"))
def test_a_finger_hits_every_control_of_a_game(tables: dict[bool, PretendTable], name: str) -> None:
    game = catalogue.find(name)
    table = tables[True]
    results = []
    for plies, view in positions(game, game.default_seats, (0, 9, 40) if is_full() else (9, 40)):
        for size in FINGERS:
            at(table.page, size)
            table.show_position(view, names(game.default_seats))
            table.page.keyboard.press("Escape")
            found = lasting(table.page, partial(table.page.evaluate, SMALL))
            results += [f"{size}, ply {plies}: {fault}" for fault in found]
    assert results == []


# -- what lies over the felt

# A card of paper that is cut or needs scrolling, or lies off the felt.
UNROLLED = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  await frame(); await frame();
  const felt = document.querySelector(".felt").getBoundingClientRect();
  const seen = [...document.querySelectorAll(".over .overlay:not(.ending)")].filter((one) => one.checkVisibility());
  return seen.map((one) => {
    const box = one.getBoundingClientRect();
    const aside = box.left < felt.left - 1 || box.right > felt.right + 1;
    const off = aside || box.top < felt.top - 1 || box.bottom > felt.bottom + 1;
    const cut = one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1;
    return [one.className, off ? "off the felt" : cut ? `cut: ${one.scrollHeight} of ${one.clientHeight}` : ""];
  });
}"""


def unrolled(tables: dict[bool, PretendTable], lay: Callable[[PretendTable], None], kind: str) -> list[str]:
    """Return at which sizes that panel has faults, after ``lay`` has opened it."""
    results = []
    for touch, table in tables.items():
        at(table.page, "820x1180")  # the controls keep the height that they have needed at a size: here for other games
        lay(table)
        expect(table.page.locator(f".overlay.{kind}")).to_be_visible()
        for size, (_, _, fingers) in SIZES.items():
            if fingers is touch:
                at(table.page, size)
                results += [f"{size}: {fault}" for fault in lasting(table.page, partial(panel_faults, table.page))]
    return results


def panel_faults(page: Page) -> list[str]:
    """Return what is wrong with the one panel over the felt."""
    panels = page.evaluate(UNROLLED)
    assert len(panels) == 1
    return [" ".join(panel) for panel in panels if panel[1]]


def ended(game: Game, seats: int, until: Callable[[Json], bool]) -> Json:
    """Return what seat 0 sees when a random match has come that far."""
    chance = FastChance(f"ended {game.name}")
    state = game.start(seats, game.check_options({}), FastChance(f"deal {game.name}"))
    while not state.over and not until(dict(game.view(state, 0))):
        seat = next(seat for seat in range(seats) if state.legal_moves(seat))
        state.apply(seat, chance.choice(state.legal_moves(seat)))
    return dict(game.view(state, 0))


@pytest.mark.parametrize("seats", [2, 8])
def test_the_waiting_room_is_seen_whole(tables: dict[bool, PretendTable], seats: int) -> None:
    assert unrolled(tables, lambda table: table.open_room(names(seats)), "waiting-room") == []


@pytest.mark.parametrize(
    ("name", "seats"),
    tiered([("hamsterdam", 6), ("cuckoo", 8), ("camelup", 8)], lambda case: case[0] == "hamsterdam"),
)
def test_a_result_is_seen_whole(tables: dict[bool, PretendTable], name: str, seats: int) -> None:
    view = ended(catalogue.find(name), seats, lambda view: view["over"])
    assert unrolled(tables, lambda table: table.show_position(view, names(seats)), "result") == []


# What is wrong with how the match ended: it is covered, off the felt, or its trick is not seen whole.
ENDING = """async (cards) => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  await frame(); await frame();
  const box = (what) => document.querySelector(what).getBoundingClientRect();
  const [felt, result, ending] = [".felt", ".over .result", ".over .ending"].map(box);
  const faults = [];
  const within = (one, other) =>
    one.left >= other.left - 1 && one.right <= other.right + 1 &&
    one.top >= other.top - 1 && one.bottom <= other.bottom + 1;
  if (!within(ending, felt)) faults.push("off the felt");
  const [wide, high] = [["left", "right"], ["top", "bottom"]].map(([low, end]) =>
    Math.min(result[end], ending[end]) - Math.max(result[low], ending[low]));
  if (wide > 0 && high > 0) faults.push("under the result");
  const shown = [...document.querySelectorAll(".ending .last-trick-cards > li")].filter((one) => one.checkVisibility());
  if (shown.length !== cards) faults.push(`${shown.length} cards`);
  if (cards && !shown.some((one) => one.matches("[data-won]"))) faults.push("nobody has won it");
  for (const one of shown) {
    const card = one.getBoundingClientRect();
    const middle = document.elementFromPoint(card.left + card.width / 2, card.top + card.height / 2);
    if (!within(card, ending) || !one.contains(middle)) faults.push(`a card is not seen: ${one.textContent}`);
  }
  const line = document.querySelector(".ending-lines > li").getBoundingClientRect();
  if (ending.bottom - line.top < 14) faults.push("no line is seen");
  return faults;
}"""


@pytest.mark.parametrize(
    ("name", "seats", "cards"),
    [("hearts", 4, 4), ("camelup", 8, 0)]
    + [pytest.param(*one, marks=full) for one in (("whist", 4, 4), ("thief", 1, 0))],
)
def test_how_a_match_ended_is_seen_beside_or_below_its_result(
    tables: dict[bool, PretendTable], name: str, seats: int, cards: int
) -> None:
    game = catalogue.find(name)
    chance = FastChance(f"ended {name}")
    match = Match.start(game, seats, {}, FastChance(f"deal {name}"))
    while not match.over:
        seat = match.to_act()[0]
        match.advance(seat, chance.choice(match.legal_moves(seat)))
    results = []
    for touch, table in tables.items():
        table.log = match.log[-1]
        at(table.page, "820x1180")
        table.show_position(dict(match.view(0)), names(seats))
        for size, (_, _, fingers) in SIZES.items():
            if fingers is touch:
                at(table.page, size)
                found = lasting(table.page, partial(table.page.evaluate, ENDING, cards))
                results += [f"{size}: {fault}" for fault in found]
        # The result says who won, and with what score.
        assert not re.search(r"\bwins? with \d", table.page.locator(".ending-lines").inner_text())
        table.page.keyboard.press("Escape")
        expect(table.page.locator(".ending")).to_be_hidden()  # with the result
        table.log = []
    assert results == []


@pytest.mark.parametrize("seats", [2, 6])
def test_a_scoring_panel_is_seen_whole_and_leaves_ones_own_cards_in_sight(
    tables: dict[bool, PretendTable], seats: int
) -> None:
    view = ended(catalogue.find("hamsterdam"), seats, lambda view: "scoring" in view and bool(view["moves"]))
    waits = view | {"moves": [], "to_act": [1]}
    assert unrolled(tables, lambda table: table.show_position(waits, names(seats)), "scoring") == []
    for touch, table in tables.items():
        for size, (_, _, fingers) in SIZES.items():
            if fingers is touch:
                at(table.page, size)
                table.show_position(waits, names(seats))
                table.page.evaluate(UNROLLED)
                panel, cards = (table.page.locator(what).first.bounding_box() for what in (".scoring", ".own .pieces"))
                assert panel
                assert cards
                beside = bool(table.page.locator(".panel-log > .scoring").count())
                assert beside or panel["y"] + panel["height"] <= cards["y"] + 1, size
                # Once there is something to decide, it lies over nothing, and is one press away.
                table.show_position(view, names(seats))
                assert not table.page.locator(".over .scoring").count(), size
                if not beside:
                    table.page.get_by_role("button", name="Scoring", exact=True).click()
                expect(table.page.locator(".panel-log > .scoring")).to_be_visible()
                table.page.keyboard.press("Escape")


@pytest.mark.parametrize("seats", [2, 6])
def test_a_result_says_on_every_screen_what_it_is_for_the_visitor(tables: dict[bool, PretendTable], seats: int) -> None:
    view = ended(catalogue.find("hamsterdam"), seats, lambda view: view["over"])
    for touch, table in tables.items():
        table.show_position(view, names(seats))
        for size, (_, _, fingers) in EVERY_SIZE.items():
            if fingers is touch:
                at(table.page, size)
                expect(table.page.locator(".own-line")).to_be_in_viewport(ratio=1)
                expect(table.page.locator(".result tr[data-own]").first).to_contain_text("you")


# -- while a match goes on

PLACES = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  await frame(); await frame();
  const traits = ({ dataset: { zone, most, live, ever } }) => [zone, most, live, ever].join(" ");
  const held = [...document.querySelectorAll(".zone")].map(traits);
  const { top, width } = document.querySelector(".own .plate").getBoundingClientRect();
  const size = (what) => document.querySelector(what).style.getPropertyValue("--card-w");
  const sizes = [".own", ".centre", ".opponents"].map(size);
  const { height } = document.querySelector(".controls").getBoundingClientRect();
  return { held: held.join(), lies: [top, width, height, ...sizes].join() };
}"""


@pytest.mark.parametrize("size", tiered(["390x664", "844x390", "1280x800"], lambda size: size in SIZES))
@pytest.mark.parametrize(
    ("name", "seats"),
    tiered([("bundles", 4), ("enchere", 3), ("hearts", 4), ("camelup", 4)], lambda case: case[0] == "hearts"),
)
def test_a_match_goes_on_in_view_and_nothing_moves_unless_a_place_holds_more_than_it_ever_did(
    tables: dict[bool, PretendTable], name: str, seats: int, size: str
) -> None:
    game = catalogue.find(name)
    table = tables[EVERY_SIZE[size][2]]
    at(table.page, size)
    seen: list[dict[str, str]] = []
    results: list[str] = []
    for plies, view in positions(game, seats, tuple(range(0, 40, 2))):
        table.show_position(view, names(seats), again=bool(seen))
        table.page.keyboard.press("Escape")
        seen.append({"ply": str(plies)} | table.page.evaluate(PLACES))
        results += [f"ply {plies}: {fault}" for fault in table.page.evaluate(FIND_FAULTS, table is tables[True])]
    assert len(seen) > 8
    assert results == []
    jumps = [
        f"{before['ply']}-{after['ply']}: {before['lies']} -> {after['lies']}"
        for before, after in pairwise(seen)
        if before["held"] == after["held"] and before["lies"] != after["lies"]
    ]
    # The controls may grow, once or twice, to what they turn out to need.
    assert len(jumps) <= 2, jumps
    assert len({each["lies"] for each in seen}) <= len(seen) / 2, [each["lies"] for each in seen]


# -- tips

# What lies under the bubble that one has to see or to touch, in words.
UNDER_A_TIP = """(roomy) => {
  const toPlay = ".ask, .moves > .move, .felt [data-legal], .felt .aim, .felt [data-path=next], .over > *";
  const onTable = ".last-line > span, .own .zone [data-piece], .centre [data-piece], .board .space";
  const needed = `${toPlay}, ${onTable}${roomy ? ", .own .plate" : ""}`;
  const box = (node) => node.getBoundingClientRect();
  const bubble = box(document.querySelector(".tip"));
  const over = (one, low, high) => Math.min(one[high], bubble[high]) - Math.max(one[low], bubble[low]) > 1;
  return [...document.querySelectorAll(needed)]
    .filter((node) => node.checkVisibility() && over(box(node), "left", "right") && over(box(node), "top", "bottom"))
    .map((node) => `${node.className} ${node.textContent.slice(0, 30)}`);
}"""
SETTLED = """async () => {
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
}"""
TIP, WAITING = ".tips:not([hidden], [data-waiting])", ".tips[data-waiting]:not([hidden])"
ROOMY = ("1280x800", "1920x1080", "2560x1440")  # where one's own plate can be left free, too


@pytest.fixture(scope="module")
def taught(browser: Browser, address: str) -> Iterator[dict[bool, PretendTable]]:
    """A newcomer's table for a mouse, and one for a touch screen, at which any game can be laid."""
    results = {}
    for touch in (False, True):
        context = browser.new_context(reduced_motion="reduce", has_touch=touch, is_mobile=touch)
        page = context.new_page()
        page.route(re.compile("/teaching.json"), _teach)
        results[touch] = PretendTable(page, address, seats=1)
        results[touch].open(zones=[])
    yield results
    for table in results.values():
        table.page.context.close()


def _teach(route: Route) -> None:
    name = route.request.url.split("/")[-2]
    known = name in NATIVE + TEXTS
    route.fulfill(json=catalogue.find(name).teaching() if known else {"tips": [], "about": {}})


@full
@pytest.mark.parametrize("name", NATIVE + TEXTS)
def test_a_tip_covers_none_of_ones_own_cards_and_nothing_else_that_one_needs(
    taught: dict[bool, PretendTable], name: str
) -> None:
    game = catalogue.find(name)
    read: set[str] = set()
    for plies, view in positions(game, game.default_seats, (0, 9)):
        if view["over"]:
            continue
        for screen, (_, _, touch) in SIZES.items():
            table = taught[touch]
            at(table.page, screen)
            table.page.evaluate("() => localStorage.clear()")
            table.table["game"] = name
            table.show_position(view, names(game.default_seats))
            read |= _read_all(table.page, f"{name} after {plies} at {screen}", roomy=screen in ROOMY)
    assert len(read) >= 3


def _read_all(page: Page, where: str, *, roomy: bool) -> set[str]:
    """Read one tip after the other until there is none, or no room for the next one. Return them."""
    read: set[str] = set()
    page.wait_for_function("([shown, waiting]) => document.querySelector(`${shown}, ${waiting}`)", arg=[TIP, WAITING])
    while True:
        page.evaluate(SETTLED)
        result = page.locator(TIP)
        if not result.count():
            assert not (roomy and page.locator(WAITING).count()), f"{where}: no room for a tip"
            return read
        words = page.locator(".tip p").inner_text()
        assert words not in read
        read.add(words)
        assert not (covered := page.evaluate(UNDER_A_TIP, roomy)), f"{where}: {words} covers {covered}"
        page.locator(".tip .button-primary").dispatch_event("click")


SCOPA = """(game
  (setup
    (create players 2)
    (create deck (game hloc STOCK)
      (deck (RANK (ACE, TWO, THREE, FOUR, FIVE, SIX, SEVEN, JACK, KNIGHT, KING)) (SUIT (COINS, CUPS, SWORDS, CLUBS)))))
  (do
    ((shuffle (game hloc STOCK))
     (repeat 6 (move (top (game hloc STOCK)) (top (game vloc TABLE))))
     (all player 'P (repeat 12 (move (top (game hloc STOCK)) (top ('P iloc HAND)))))))
  (stage player
    (end (all player 'P (== (size ('P iloc HAND)) 0)))
    (choice
      ((any ((current player) iloc HAND) 'CARD (move 'CARD (top ((current player) vloc CAUGHT))))
       (any ((current player) iloc HAND) 'CARD (move 'CARD (top (game vloc TABLE))))))
    (do ((cycle next next))))
  (scoring max (size ((current player) vloc CAUGHT))))"""


@pytest.mark.parametrize("name", ["scopa", *tiered(["expeditions", "colours"], lambda name: name == "colours")])
def test_nothing_is_cut_on_the_cards_of_other_packs(tables: dict[bool, PretendTable], name: str) -> None:
    game = RecycleGame("scopa", SCOPA) if name == "scopa" else catalogue.find(name)
    assert faults_of(tables, game, game.max_seats, OF_TEXTS if name != "scopa" else (1, 9)) == []
    assert tables[False].page.locator(".felt .tile").count() == 0
