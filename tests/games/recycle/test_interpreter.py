"""The compiled texts and a second interpreter side by side: with the same seed and moves, all must be the same.

At every decision compared are who moves, the options and what each of them does, where every card lies and what each
audience sees and knows of it, all stores, whose turn it is, and the scores; and, where the rules break down, that both
do. A match is left where the interpreter would take too long (``Unclear``).
"""

from __future__ import annotations

import random
from bisect import bisect_right
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core import FastChance
from games.core.moves import RulesFailed
from games.recycle.game import RecycleGame, read
from games.recycle.machine import NOBODY, Op
from games.recycle.problems import BadText
from tests.games.recycle.generate import Author, texts
from tests.games.recycle.interpreter import Card, Failed, Slot, Spot, Step, Unclear, World
from tests.games.recycle.library import LIBRARY, STRANGERS
from tests.tiers import examples, is_full, tiered

QUICK = ("agram", "climbing-partners", "stealing")  # a game of tricks, one of partners, one of captures
DECISIONS = 40  # of each match
MOST_OPTIONS = 300  # of a choice that is compared: the interpreter is slow
BOUNDS = (
    "too many steps",
    "number too large",
    "range too long",
    "too many",
    "too long",
)  # kinds of limits of the product
# Texts by their seeds that together come to most constructs in most surroundings, and play on.
CHOSEN = (
    13, 22, 44, 52, 71, 82, 83, 87, 92, 95, 96, 106, 119, 120, 121, 140, 152, 154, 162, 168, 173, 189, 201, 216,
    248, 250, 270, 280, 283, 291, 295, 322, 331, 337, 343, 348, 360, 361, 364, 391, 402, 419, 431, 445, 447, 463,
    472, 482, 492, 504, 540, 541, 570, 596, 612, 613, 627, 634, 639, 660, 665, 690, 693, 705, 709, 717, 721, 743,
    784, 789, 802, 805, 809, 811, 821, 832, 842, 857, 858, 860, 865, 881, 887, 916, 926, 930, 931, 941, 951, 968,
    972, 1010, 1014, 1017, 1021, 1037, 1044, 1056, 1063, 1065, 1067, 1075, 1081, 1103, 1110, 1126, 1137, 1162, 1165,
    1205, 1221, 1228, 1242, 1246, 1263, 1286, 1305, 1309, 1335, 1341, 1354, 1363, 1367, 1379, 1436, 1449, 1480,
    1482, 1490, 1498, 1540, 1569, 1575, 1579, 1597, 1634, 1653, 1666, 1673, 1702, 1704, 1715, 1731, 1749, 1757,
    1759, 1764, 1775, 1778, 1788, 1790, 1793, 1813, 1825, 1831, 1844, 1869, 1873, 1884, 1888, 1889, 1902, 1922,
    1942, 1959, 1960, 1964, 1967, 1976, 1991, 1994,
    14, 15, 20, 21, 27, 29, 30, 43, 48, 60, 65, 72, 73, 78, 100, 157, 181, 234,  # with draws in options, and the like
)  # fmt: skip
MADE = range(3_000) if is_full() else CHOSEN[::4]


class Beside:
    """A match of a text, and the same one as the interpreter plays it."""

    def __init__(self, game: RecycleGame, seats: int, seed: str) -> None:
        self.failed: RulesFailed | None = None
        self.world = World(game.tree, seats, FastChance(seed))
        self.match = self.world.run()
        self.ended = False
        self.offered: list[list[Step]] = []
        try:
            state = game.start(seats, {}, FastChance(seed))
            [state.options(seat) for seat in state.to_act()] or state.scores()
        except RulesFailed as failed:
            self.failed = failed
        self._interpret(None)
        if not self.failed:
            self.state = state
            self.compare()

    def _interpret(self, number: int | None) -> None:
        """Let the interpreter go on to its next choice. It must fail where the text does, and only there."""
        if self.failed and any(self.failed.kind.startswith(bound) for bound in BOUNDS):
            return
        failed = self._go_on(number)
        assert not (failed and not self.failed), f"only the interpreter fails: {failed}"
        assert not (self.failed and not failed), f"only the compiled text fails: {self.failed}"

    def _go_on(self, number: int | None) -> str:
        """Let the interpreter go on. Returns how it fails, if it does."""
        try:
            self.offered = next(self.match) if number is None else self.match.send(number)
        except StopIteration:
            self.ended = True
        except Failed as failed:
            return repr(failed)
        try:
            self.world.scores() if self.ended else None
        except Failed as failed:
            return repr(failed)
        return ""

    def take(self, number: int) -> None:
        """Take an option in both, and compare."""
        state = self.state
        try:
            [seat, *_] = state.to_act()
            state.apply(seat, state.legal_moves(seat)[number])
            [state.options(seat) for seat in state.to_act()] or state.scores()
        except RulesFailed as failed:
            self.failed = failed
        self._interpret(number)
        if not self.failed:
            self.compare()

    @property
    def over(self) -> bool:
        return bool(self.failed or self.ended)

    # -- what is compared

    def card(self, number: int) -> Card:
        statement = bisect_right(self.state.program.cards.blocks, number) - 1
        return statement, number - self.state.program.cards.blocks[statement]

    def spot(self, place: int) -> Spot:
        fact = self.state.fact(place)
        return Spot(fact.vis, fact.owner, self.state.program.names[fact.name])

    def slot(self, what: Any, number: int) -> Slot:
        fact = self.state.store_fact(what, number)
        return Slot(what, fact.owner, fact.number, self.state.program.names[fact.name], fact.vis)

    def compare(self) -> None:
        state, world = self.state, self.world
        assert state.over == self.ended
        cards = {self.spot(place): [self.card(one) for one in lie] for place, lie in enumerate(state.L) if lie}
        assert cards == {spot: lie for spot, lie in world.places.items() if lie}
        there = {self.card(one): self.spot(place) for one, place in enumerate(state.W) if place >= 0}
        assert there == world.lies
        self.compare_stores()
        cur = state.to_act()[0] if state.asked else state.cur  # the interpreter asks one after the other
        turn = (cur, state.queued, state.tcur)
        assert turn == (world.cur, world.queued, world.tcur)
        assert list(state.teams) == world.teams
        if self.ended:
            assert state.scores() == world.scores()
            assert state.winners() == world.winners()
        else:
            self.compare_options()
        for audience in (None, *range(state.seats)):
            self.compare_sight(audience)
            self.compare_secrets(audience)

    def compare_stores(self) -> None:
        state, world = self.state, self.world
        found: dict[Slot, Any] = {self.slot("sto", at): value for at, value in enumerate(state.I) if value}
        found |= {self.slot("str", at): state.program.names[value] for at, value in enumerate(state.S) if value}
        found |= {self.slot("who", at): value for at, value in enumerate(state.H) if value != NOBODY}
        kept = {slot: value for slot, value in world.stores.items() if slot.what != "points"}
        assert found == {slot: value for slot, value in kept.items() if value or slot.what == "who"}
        made = [number for number, place in enumerate(state.W) if place >= 0]
        for at, scores in enumerate(state.P):
            awards = world.stores.get(self.slot("points", at), [])
            for number in made:
                assert scores[number] == self.worth(awards, self.card(number))

    def worth(self, awards: list[Any], card: Card) -> int:
        has = self.world.attribute
        return sum(worth for pairs, worth in awards if all(has(card, key) == value for key, value in pairs))

    def compare_options(self) -> None:
        options = self.state.options()
        assert len(options) == len(self.offered)
        if len(options) <= MOST_OPTIONS:
            for option, steps in zip(options, self.offered, strict=True):
                assert len(option) == len(steps)
                for action, step in zip(option, steps, strict=True):
                    if not step.later:
                        self.compare_action(action, step.action)

    def compare_action(self, action: tuple[Any, ...], meant: tuple[Any, ...]) -> None:
        kinds: tuple[Any, ...] = ("sto", "str", "points")
        match action:
            case (Op.MOVE | Op.REMEMBER as what, _, card, place, position):
                word = "move" if what == Op.MOVE else "remember"
                assert (word, self.card(card), self.spot(place), None if position < 0 else position) == meant[:4]
            case (Op.PLAYER, _, store, player):
                assert ("set", self.slot("who", store), player) == meant[:3]
            case (Op.REVEAL, _, what, store):
                assert meant == ("reveal", self.slot(what, store))
            case (Op.NUMBER | Op.NAME | Op.POINTS as what, _, store, value):
                assert ("set", self.slot(kinds[what - Op.NUMBER], store)) == meant[:2]
                if what != Op.POINTS:
                    assert (self.state.program.names[value] if what == Op.NAME else value) == meant[2]
            case (Op.FORGET, _, card, *_):
                assert ("forget", self.card(card)) == meant[:2]
            case (Op.SHUFFLE, _, place):
                listed = isinstance(place, list)
                assert meant == ("shuffle", [self.card(one) for one in place] if listed else self.spot(place))
            case (Op.ROLL, _, place):
                listed = isinstance(place, list)
                assert meant == ("roll", [self.card(one) for one in place] if listed else self.spot(place))
            case (Op.FARO, _, first, second):
                assert meant == ("faro", self.spot(first), self.spot(second))
            case (Op.NEXT | Op.CURRENT as what, _, player):
                assert meant == ("next" if what == Op.NEXT else "current", player)
            case (Op.DECK, _, statement, place):
                assert meant == ("deck", statement, self.spot(place))
            case (Op.PASS | Op.TEAMS as what, *_):
                assert meant[0] == ("pass" if what == Op.PASS else "teams")

    def compare_secrets(self, audience: int | None) -> None:
        """An audience sees what stores hold that are open to it, and of the others that they were set."""
        state, world = self.state, self.world
        who = state.seats if audience is None else audience
        for store in state.observe(audience).stores:
            slot = Slot(store.what, store.owner, store.number, store.name, store.vis)
            true = world.stores.get(slot, {"sto": 0, "str": "", "who": NOBODY}[store.what])
            assert store.value == (true if world.knows_value(who, slot) else None)

    def compare_sight(self, audience: int | None) -> None:
        """An audience sees the cards that lie open to it; of the others it sees backs, and knows what it has seen."""
        state, world = self.state, self.world
        faces, doubles = state.program.cards.faces, state.program.cards.doubles
        places = state.observe(audience).places
        assert all(
            place.used is ((place.where.vis, place.where.owner >= 0, place.where.name) in world.used)
            for place in places
        )
        seen = {Spot(*place.where): place.cards for place in places if place.cards}
        assert {spot: len(lie) for spot, lie in seen.items()} == {
            spot: len(lie) for spot, lie in world.places.items() if lie
        }
        numbers = {self.card(number): number for number, place in enumerate(state.W) if place >= 0}
        who = state.seats if audience is None else audience
        for spot, lie in seen.items():
            true = [faces[numbers[card]] for card in world.places[spot]]
            if world.sees(who, spot):
                assert [one.face for one in lie] == true
                assert all(one.id for one in lie)
                continue
            assert not any(one.id for one in lie)
            for one, card, face in zip(lie, world.places[spot], true, strict=True):
                assert one.face in ("", face)
                if not doubles:
                    assert bool(one.face) is ((who, card) in world.knows)


def play(game: RecycleGame, seats: int, seed: str, decisions: int = DECISIONS) -> str:
    """Play a match at random in both. Returns how it was left: "over", "failed", "unclear" or "going on"."""
    pick = FastChance(f"{seed}/moves")
    try:
        match = Beside(game, seats, seed)
        for _ in range(decisions):
            if match.over:
                return "failed" if match.failed else "over"
            match.take(pick.randbelow(len(match.offered)))
    except (Unclear, RecursionError):
        return "unclear"
    return "going on"


@pytest.mark.parametrize("path", tiered(LIBRARY, lambda path: path.stem in QUICK, lambda path: path.stem))
def test_a_library_game_is_played_as_the_page_says(path: Path) -> None:
    game = read(path.stem, path.read_text(encoding="utf-8"))
    for seats in {game.min_seats, game.max_seats}:
        assert play(game, seats, f"{path.stem}/{seats}", 400 if is_full() else DECISIONS) in ("over", "going on")


@pytest.mark.parametrize("path", STRANGERS, ids=lambda path: path.stem)
def test_a_text_that_nobody_has_tuned_anything_for_is_played_as_the_page_says(path: Path) -> None:
    game = read(path.stem, path.read_text(encoding="utf-8"))
    for seats in range(game.min_seats, game.max_seats + 1):
        assert {play(game, seats, f"{path.stem}/{seats}/{seed}", 200) for seed in range(6)} == {"over"}


def made_and_played(number: int, *, ours: bool = False) -> str:
    """Play the text of a number. Raises AssertionError with the text where the two differ."""
    text = Author(random.Random(f"interpreter {number}").randrange, ours=ours).text()
    game = RecycleGame("made", text)
    try:
        return play(game, game.max_seats, str(number), 12)
    except AssertionError as error:
        raise AssertionError(f"text {number}:\n{text}") from error


def test_made_texts_are_played_as_the_page_says() -> None:
    left = [made_and_played(number) for number in MADE]
    assert left.count("unclear") <= len(MADE) // 50
    assert left.count("failed") < len(MADE) * 2 // 3, "most texts should play on, or little is tested"


# Known to differ: in a simultaneous choice two players take an option that rolls and then does ``inc``. The page counts
# anew, the compiled text stores the number that was offered. To be changed with the next version of the machine,
# since it changes how such moves are written in stored matches.
DIFFERS = {1729}


def test_made_texts_with_what_is_ours_are_played_as_the_page_says() -> None:
    made = [number for number in range(3_000 if is_full() else 30) if number not in DIFFERS]
    left = [made_and_played(number, ours=True) for number in made]
    assert left.count("unclear") <= len(made) // 20
    assert left.count("failed") < len(made) * 3 // 4, "many texts should play on, or little is tested"


S, H = "(game vloc STOCK)", "(game vloc HEAP)"
NOTED = f"(do ((all {S} 'C (do ((remember 'C (top (game mem ONE))) (remember 'C (top (game mem TWO))))))))"
SOMETIMES = "((== (random 1) 1) (inc (game sto X) 'N))"
# Blocks, and whether they end the match as failed.
RULED = [
    ("(choice ((set (game sto X) (random 6)) (any (range 1 .. (random 3)) 'N (set (game sto Y) 'N))))", False),
    ("(choice ((do ((set (game sto X) (random 6)) ((> (game sto X) 2) (set (game sto Y) (random 9)))))))", False),
    (f"(choice ((shuffle {S}) (move (max {S} using (game points P)) (top {H})) (inc (game sto X) (random 5))))", False),
    (f"(choice ((do ((shuffle {S}) (move (top {S}) (top {H})) (inc (game sto X) (random 5))))))", False),
    (f"(choice ((any (range 1 .. (random 3)) 'N (do ((shuffle {S}) {SOMETIMES}))) (turn pass)))", False),
    ("(choice ((let (random 3) 'N (set (game sto X) (+ 'N (random 3)))) (inc (game sto Y) (random 3))))", False),
    (f"{NOTED} (choice ((any {S} 'C (forget 'C))))", False),
    (f"{NOTED} (choice ((let (top {S}) 'C (forget 'C)) (any (game mem ONE) 'C (forget 'C))))", False),
    (f"(choice ((shuffle faro {S} {S}))) (do ((shuffle faro {S} {S})))", False),
    (f"(choice ((move (top {S}) (9 {H})) (turn pass)))", True),
    (f"(choice ((do ((shuffle {S}) (move (top {S}) (9 {H})))) (turn pass)))", True),
    ("(choice ((set (game sto X) (random 3 .. 1)) (turn pass)))", True),
    (f"(choice ((any {S} 'C (forget 'C)) (turn pass)))", True),
]


@pytest.mark.parametrize(("blocks", "fails"), RULED, ids=[blocks for blocks, _ in RULED])
def test_what_an_option_draws_and_a_memory_forgets_is_the_same_in_both(blocks: str, fails: bool) -> None:
    text = f"""(game (setup (create players 2) (create deck {S} (deck (RANK (A, B, C)) (SUIT (D, E, F)))))
        (do ((set (game points P) (((SUIT : D) 1)))))
        (stage player (end (== (game sto TURN) 4)) (do ((inc (game sto TURN) 1))) {blocks}) (scoring max 0))"""
    game = RecycleGame("made", text)
    assert {play(game, 2, str(seed)) for seed in range(8)} == {"failed" if fails else "over"}


@examples(10)
@given(text=texts(), seed=st.integers(0, 1000))
def test_any_text_is_played_as_the_page_says(text: str, seed: int) -> None:
    try:
        game = RecycleGame("made", text)
    except BadText:
        return
    play(game, game.max_seats, str(seed), 12)
