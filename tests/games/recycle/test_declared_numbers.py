"""A declared number stands wherever a number does: a text is read, played and explained the same with it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given

from games.core import FastChance
from games.recycle.constants import constant
from games.recycle.game import RecycleGame
from games.recycle.lint import warnings
from games.recycle.numbers import named_numbers
from games.recycle.problems import BadText, Source
from games.recycle.reader import read
from games.recycle.rules import RecycleState
from tests.games.recycle.texts import games
from tests.games.recycle.trees import bare
from tests.tiers import examples

NUMBER = re.compile(r"(?<![\w'])\d+")

# Every place of the frame that takes a number; the places inside steps and values are those of ``texts.py``.
FRAME = """
(game
  (setup
    (create players {players})
    {teams}
    (create deck (game hloc STOCK) (deck (RANK (ACE, KING, QUEEN, JACK)) (SUIT (CLUBS, HEARTS))))
    (repeat 2 (create deck (game hloc STOCK) (deck (RANK (JOKER)))))
    (repeat 2 (repeat 3 (create deck (game hloc STOCK) (deck (RANK (TEN)))))))
  (do
    ((shuffle (game hloc STOCK))
     (all player 'P (repeat 2 (move (top (game hloc STOCK)) (top ('P iloc HAND)))))
     (repeat 3 (move (top (game hloc STOCK)) (0 (game vloc TABLE))))
     (set (game points WORTH) (((RANK : ACE) 11) ((RANK : KING) 4)))
     (inc ((1 player) sto SCORE) 6)))
  (stage player (end (== (size (game vloc TABLE)) 0))
    (choice
      ((move (0 (game vloc TABLE)) (top ((current player) vloc WON)))
       (any (range 1 .. 3) 'N
         (do ((inc ((current player) sto SCORE) 'N) (move (top (game vloc TABLE)) (bottom (game vloc OUT)))))))))
  (scoring max (+ ((current player) sto SCORE) 5)))
"""
TEXTS = (
    FRAME.format(players="4", teams=""),
    FRAME.format(players="4", teams="(create teams (0, 2) (1, 3))"),
    FRAME.format(players="2 .. 4", teams=""),
)


def with_names(text: str) -> str:
    """Return a text in which each number is declared, and each use of it is by its name."""
    names: dict[str, str] = {}

    def named(found: re.Match[str]) -> str:
        number = found.group()
        return "'" + names.setdefault(number, "DECLARED" + "".join(chr(65 + int(digit)) for digit in number))

    body = NUMBER.sub(named, text)
    declares = " ".join(f"(declare {number} '{name})" for number, name in names.items())
    return body.replace("(game", f"(game {declares}", 1)


def as_read(text: str) -> Any:
    """Return what a text says, without its places and the numbers that it declares."""
    game = read(text)
    declares = tuple(one for one in game.declares if constant(one.value) is None)
    return bare((declares, game.players, game.teams, game.decks, game.blocks, game.scoring))


def course(game: RecycleGame, seats: int) -> list[object]:
    """Return what happens in a match: the moves, where all cards lie, the scores."""
    state = game.new(seats, {}, FastChance("deal"))
    assert isinstance(state, RecycleState)
    pick, found = FastChance("moves"), list[object]()
    while state.to_act():
        moves = state.legal_moves(state.cur)
        found += [moves, state.observe(None, face_up=True).places]
        state.apply(state.cur, moves[pick.randbelow(len(moves))])
    return [*found, state.scores(), state.ranks(), state.teams]


@examples(40)
@given(games())
def test_each_number_of_a_text_may_be_a_declared_one(text: str) -> None:
    named = with_names(text)
    assert not NUMBER.search(named.split("(setup")[1])
    assert as_read(named) == as_read(text)


@pytest.mark.parametrize("text", TEXTS, ids=("players", "teams", "a range of players"))
def test_a_game_of_declared_numbers_is_played_and_explained_as_one_of_plain_numbers(text: str) -> None:
    plain, named = RecycleGame("made", text), RecycleGame("made", with_names(text))
    assert (named.min_seats, named.max_seats) == (plain.min_seats, plain.max_seats)
    assert named.rules_page() == plain.rules_page()
    for seats in range(plain.min_seats, plain.max_seats + 1):
        assert course(named, seats) == course(plain, seats)


@pytest.mark.parametrize("text", TEXTS, ids=("players", "teams", "a range of players"))
def test_a_declared_number_that_is_used_anywhere_is_not_called_unused(text: str) -> None:
    named = with_names(text)
    plain = [problem.text for problem in warnings(read(text), Source(text))]
    assert [problem.text for problem in warnings(read(named), Source(named))] == plain
    spare = named.replace("(game", "(game (declare 9 'SPARE)", 1)
    assert "'SPARE is never used." in [problem.text for problem in warnings(read(spare), Source(spare))]


def test_numbers_computed_from_declared_ones_are_numbers_of_the_text() -> None:
    declares = "(declare 'FEW 'SAME)"  # turned with the number that it is the same as
    declares = f"(declare 3 'FEW) {declares} (declare (- (* 'FEW 'FEW) (// 'FEW 2)) 'MORE) (declare (- 1 'FEW) 'LESS)"
    text = FRAME.format(players="(- (* 2 'SAME) 'FEW)", teams="").replace("(game", f"(game {declares}", 1)
    text = text.replace("SCORE) 6)", "SCORE) (+ 'MORE 'LESS))").replace("(repeat 2 (move", "(repeat (- 'MORE 6) (move")
    assert named_numbers(text) == {"FEW": 3}
    found, plain = RecycleGame("made", text), RecycleGame("made", FRAME.format(players="3", teams=""))
    assert found.rules_page() == plain.rules_page()
    assert course(found, 3) == course(plain, 3)


@pytest.mark.parametrize("players", ["(random 3)", "'DRAWN", "'NONE", "'MANY"])
def test_players_whose_number_the_text_does_not_say_are_refused(players: str) -> None:
    declares = "(declare (random 3) 'DRAWN) (declare (- 1 1) 'NONE) (declare 21 'MANY)"
    text = FRAME.format(players=players, teams="").replace("(game", f"(game {declares}", 1)
    with pytest.raises(BadText, match="How many players there are is a number from 1 to 20"):
        RecycleGame("made", text)


@pytest.mark.parametrize(
    ("team", "said"), [("0, 'DRAWN", "Expected the number of a player"), ("0, 'MANY", "no player with the number 21")]
)
def test_a_team_lists_players_by_numbers_that_the_text_says(team: str, said: str) -> None:
    text = FRAME.format(players="4", teams=f"(create teams ({team}))")
    with pytest.raises(BadText, match=said):
        read(text.replace("(game", "(game (declare (random 3) 'DRAWN) (declare 21 'MANY)", 1))
