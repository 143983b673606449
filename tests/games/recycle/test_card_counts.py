"""Warnings about steps that take more cards than there are: given where a match must fail, and nowhere else."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core import FastChance
from games.recycle.card_counts import too_many_taken
from games.recycle.lint import warnings
from games.recycle.problems import Source
from games.recycle.reader import read
from tests.games.recycle.generate import texts
from tests.games.recycle.interpreter import Failed, Unclear, World
from tests.tiers import examples

RANKS = "A, B, C, D, E, F, G, H, I, J, K, L, M"
DECK = f"(create deck (game hloc STOCK) (deck (RANK ({RANKS})) (SUIT (C, D, H, S))))"
STOCK = "(top (game hloc STOCK))"


def deal(many: int | str, where: str = "('P iloc HAND)") -> str:
    return f"(repeat {many} (move {STOCK} (top {where})))"


def text(blocks: str, players: str, decks: str = DECK, before: str = "") -> str:
    scored = "(scoring max (size (union ((current player) iloc HAND) (game vloc ROW))))"
    return f"(game {before} (setup (create players {players}) {decks}) {blocks} {scored})"


TO_ALL = f"(do ((all player 'P {deal(5)})))"
ROW = "(game vloc ROW)"
ENOUGH: list[str] = []


def taken(many: int, there: int = 52, players: int = 0) -> list[str]:
    said = f"{many} cards are taken from STOCK (hloc) here, but it has {there}."
    return [f"With {players} players: {said}" if players else said]


DEALS = {
    # text, warnings
    "to all, of one number of players": (text(TO_ALL, "12"), taken(60)),
    "to as many as there can be": (text(TO_ALL, "10"), ENOUGH),
    "to all, of several numbers": (text(TO_ALL, "2 .. 12"), taken(55, players=11)),
    "to all, too many for any": (text(f"(do ((all player 'P {deal(30)})))", "2 .. 3"), taken(60, players=2)),
    "by a block": (text("(do ((call DEAL 5 (game hloc STOCK) HAND)))", "12"), taken(60)),
    "by a declared number": (
        text(f"(do ((all player 'P {deal(chr(39) + 'N')})))", "4", before="(declare 14 'N)"),
        taken(56),
    ),
    "by a declared number of players": (text(TO_ALL, "'N", before="(declare 11 'N)"), taken(55)),
    "a number that depends on the players": (
        text(f"(do ((all player 'P {deal('(// 60 (size player))')})))", "4"),
        taken(60),
    ),
    "as many as there are for each": (
        text(f"(do ((all player 'P {deal('(// 52 (size player))')})))", "2 .. 12"),
        ENOUGH,
    ),
    "in one row": (text(f"(do ({deal(60, ROW)}))", "2"), taken(60)),
    "of two decks": (text(f"(do ({deal(60, ROW)}))", "2", DECK + DECK), ENOUGH),
    "of a repeated deck": (text(f"(do ({deal(120, ROW)}))", "2", f"(repeat 2 {DECK})"), taken(120, 104)),
    "of tokens": (
        text(f"(do ({deal(60, ROW)}))", "2", DECK.replace("deck (g", "tokens (g", 1)),
        taken(60),
    ),
    "of dice": (text(f"(do ({deal(2, ROW)}))", "2", DECK.replace("deck (g", "die (g", 1)), taken(2, 1)),
    "of nested attributes": (
        text(
            f"(do ({deal(5, ROW)}))",
            "2",
            "(create deck (game hloc STOCK) (deck (COLOR (RED (SUIT (D, H))) (BLACK (SUIT (C, S)))) (RANK (A))))",
        ),
        taken(5, 4),
    ),
    "of a deck made in play": (text(f"(do ({DECK} {deal(104, ROW)}))", "2"), ENOUGH),
    "after a first deal": (
        text(f"(do ({deal(10, ROW)} (all player 'P {deal(11)})))", "4"),
        taken(44, 42),
    ),
    "one by one": (
        text(f"(do ({deal(52, ROW)} (move {STOCK} (top (game vloc ROW)))))", "2"),
        ["A card is taken from STOCK (hloc) here, but no card is there then."],
    ),
    "in rounds": (text(f"(do ((repeat 5 (all player 'P (move {STOCK} (top ('P iloc HAND)))))))", "12"), taken(60)),
    "to the others": (text(f"(do ((all (other player) 'P {deal(5)})))", "2 .. 12"), taken(55, players=12)),
    "to numbered players": (
        text(f"(do ((all (range 0 .. 10) 'N {deal(5, chr(40) + '(' + chr(39) + 'N player) iloc HAND)')})))", "11"),
        taken(55),
    ),
    "put back": (
        text(
            f"(do ({deal(30, ROW)} (repeat all (move (top (game vloc ROW)) {STOCK})) {deal(30, ROW)}))",
            "2",
        ),
        ENOUGH,
    ),
    "by a variable": (
        text("(do ((let (game hloc STOCK) 'L (repeat 60 (move (top 'L) (top (game vloc ROW)))))))", "2"),
        taken(60),
    ),
    "on a condition that holds": (
        text(f"(do (((== (size player) 2) {deal(60, ROW)})))", "2 .. 3"),
        taken(60, players=2),
    ),
    "while there are cards": (
        text(
            f"(do ((all player 'P (repeat 5 ((> (size (game hloc STOCK)) 0) (move {STOCK} (top ('P iloc HAND))))))))",
            "12",
        ),
        ENOUGH,
    ),
    "in a stage of turns": (
        text(
            "(stage player (end (> (size ((next player) iloc HAND)) 0))"
            f" (do ({deal(5, '((current player) iloc HAND)')})))",
            "2 .. 12",
        ),
        taken(5, 2, players=11),
    ),
    "in a stage of rounds, with choices": (
        text(
            f"(stage player (end (== (game sto ROUND) 4)) (do ((inc (game sto ROUND) 1) (all player 'P {deal(5)})))"
            " (choice ((turn pass) (any ((current player) iloc HAND) 'C (move 'C (top (game vloc ROW)))))))",
            "2 .. 3",
        ),
        taken(15, 7, players=3),
    ),
    "in every option": (text(f"(choice ({deal(60, ROW)} (turn pass)))", "2"), taken(60)),
    "after a choice that may take some": (
        text(f"(choice ((turn pass) (move {STOCK} (top (game vloc ROW))))) (do ((all player 'P {deal(30)})))", "2"),
        ["60 cards are taken from STOCK (hloc) here, but it has at most 52."],
    ),
    "after a choice that may put some there": (
        text(f"(choice ((turn pass) {DECK})) (do ((all player 'P {deal(30)})))", "2"),
        ENOUGH,
    ),
    "by chance": (text(f"(do (((== (random 1) 0) {deal(60, ROW)})))", "2"), ENOUGH),
    "on a condition of a choice": (
        text(
            f"(choice ((turn pass) (set (game sto A) 1))) (do (((== (game sto A) 1) {deal(60, ROW)})))",
            "2",
        ),
        ENOUGH,
    ),
    "in a stage that may be over": (
        text(
            "(choice ((turn pass) (set (game sto A) 1))) (stage player (end (== (game sto A) 1))"
            f" (do ({deal(60, ROW)} (set (game sto A) 1))))",
            "2",
        ),
        ENOUGH,
    ),
}


@pytest.mark.parametrize("what", DEALS)
def test_an_author_who_deals_more_cards_than_there_are_is_warned(what: str) -> None:
    made, expected = DEALS[what]
    assert [problem.text for problem in warnings(read(made), Source(made)) if "taken" in problem.text] == expected


def test_the_warning_stands_at_the_number_of_cards_and_says_how_many_may_play() -> None:
    made = text(f"\n(do ((shuffle (game hloc STOCK))\n (all player 'P\n {deal(7)})))", "2 .. 9")
    [problem] = [problem for problem in warnings(read(made), Source(made)) if "taken" in problem.text]
    assert made[problem.at.start :].startswith("(repeat 7 ")
    assert problem.text == taken(56, players=8)[0]
    assert problem.hint == "With at most 7 players there are enough cards."


ROOT = Path(__file__).parents[3]
ALL = [
    path
    for path in ROOT.rglob("*.rcy")
    if path.name != "standard.rcy" and not {".venv", "node_modules"} & {*path.parts}
]


@pytest.mark.parametrize("path", sorted(ALL), ids=lambda path: path.stem)
def test_no_text_of_the_repository_takes_more_cards_than_there_are(path: Path) -> None:
    assert list(too_many_taken(read(path.read_text(encoding="utf-8")))) == []


def ends(made: str, seed: int) -> bool | None:
    """Return whether a match of random moves comes to its end; None if it takes too long."""
    pick, tree = random.Random(seed), read(made)
    match = World(tree, tree.players.value, FastChance(f"{seed}")).run()  # type: ignore[union-attr]
    try:
        options = next(match)
        for _ in range(60):
            options = match.send(pick.randrange(len(options)))
    except StopIteration:
        return True
    except (Failed, KeyError):  # KeyError: a face of a die that is not up lies nowhere
        return False
    except Unclear:
        pass
    return None


PLACES = st.sampled_from(("(game hloc STOCK)", "(game vloc ROW)", "((current player) iloc HAND)", "('P iloc HAND)"))
MOVE = st.builds("(move (top {}) (top {}))".format, PLACES, PLACES)
NUMBER = st.integers(0, 4)
SIZE = st.builds("(size {})".format, st.one_of(PLACES, st.just("player"))) | st.just("(game sto N)")
TEST = st.builds("({} {} {})".format, st.sampled_from(("==", "!=", "<", ">", "<=", ">=")), SIZE, NUMBER)
SIMPLE = (
    MOVE
    | st.builds("(repeat {} {})".format, NUMBER, MOVE)
    | st.builds("(repeat all {})".format, MOVE)
    | st.sampled_from(("(inc (game sto N) 1)", "(dec (game sto N) 2)", "(cycle current next)", "(cycle next previous)"))
    | st.just("(create deck (game vloc ROW) (deck (RANK (A, B, C))))")
)
STEP = st.recursive(
    SIMPLE,
    lambda step: st.one_of(
        st.builds("(repeat {} {})".format, NUMBER, step),
        st.builds("(all player 'P {})".format, step),
        st.builds("({} (do ({})))".format, TEST, step),
        st.builds("(do ({} {}))".format, step, step),
    ),
    max_leaves=6,
)
STEPS = st.builds("(do ((all player 'P {})))".format, STEP)
TURNS = "(stage player (end (>= (game sto ROUND) {})) (do ((inc (game sto ROUND) 1))) {})"
BLOCKS = st.lists(STEPS | st.builds(TURNS.format, NUMBER, STEPS), min_size=1, max_size=3).map(" ".join)
SMALL = (
    "(create deck (game hloc STOCK) (deck (RANK (A, B)) (SUIT (C, D)))) (create deck (game vloc ROW) (deck (RANK (A))))"
    " (create deck ((0 player) iloc HAND) (deck (RANK (A))))"
)


@given(BLOCKS, st.integers(1, 4))
@examples(60)
def test_a_text_without_choices_is_warned_of_exactly_if_it_fails(blocks: str, players: int) -> None:
    made = text(blocks, str(players), SMALL)
    finished = ends(made, 0)
    if finished is not None:
        assert (list(too_many_taken(read(made))) == []) == finished


OPTIONS = st.builds("(any {} 'C (move 'C (top {})))".format, PLACES, PLACES) | STEP
CHOICE = st.builds("(choice ((turn pass) (all player 'P {})))".format, OPTIONS)
CHANCE = st.builds("(do (((== (random 1) 0) (all player 'P {}))))".format, STEP)
UNKNOWN = st.one_of(CHOICE, CHANCE, st.builds(TURNS.format, NUMBER, CHOICE))


@st.composite
def open_blocks(draw: st.DrawFn) -> str:
    """Return a strategy for blocks with choices and chance."""
    return f"{draw(BLOCKS)} {draw(UNKNOWN)} {draw(BLOCKS)}"


@given(open_blocks(), st.integers(1, 4), st.integers(0, 3))
@examples(60)
def test_a_match_with_choices_and_chance_that_is_warned_of_never_comes_to_its_end(
    blocks: str, players: int, seed: int
) -> None:
    made = text(blocks, str(players), SMALL)
    if list(too_many_taken(read(made))):
        assert not ends(made, seed)


@given(texts(), st.integers(0, 3))
@examples(30)
def test_a_match_of_any_text_that_is_warned_of_never_comes_to_its_end(made: str, seed: int) -> None:
    fixed = re.sub(r"create players \d .. (\d)", r"create players \1", made)
    if list(too_many_taken(read(fixed))):
        assert not ends(fixed, seed)
