"""Changing a number that an author has given a name leaves the rest of the text as it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsite.workshop.feel_worker import named_numbers, with_number
from games.core import FastChance
from games.recycle.game import RecycleGame
from games.recycle.problems import BadText
from tests.tiers import full

TEXT = """;; Title: Highest é of (declare 9 'HANDSIZE) cards
(game
  (declare 3 'HANDSIZE) ;; (declare 7 'NOT)
  (declare   12 'LAST)
  (declare (RED, BLUE) 'COLOURS)
  (setup (create players 2)
    (create deck (game hloc STOCK) (deck (RANK (A, B, C, D, E, F, G, H)) (COLOR (RED, BLUE)))))
  (do ((shuffle (game hloc STOCK))
       (all player 'P (repeat 'HANDSIZE (move (top (game hloc STOCK)) (top ('P iloc HAND)))))))
  (stage player (end (all player 'P (== (size ('P iloc HAND)) 0)))
    (choice ((any ((current player) iloc HAND) 'C (move 'C (top (game vloc PILE)))))))
  (scoring max 'LAST))
"""


def test_what_is_declared_as_a_plain_number_can_be_changed() -> None:
    assert named_numbers(TEXT) == {"HANDSIZE": 3, "LAST": 12}


@full
@given(st.integers(0, 10**9), st.sampled_from(["HANDSIZE", "LAST"]), st.sampled_from(["", "\ufeff", "\r\n\r\n"]))
def test_only_the_number_changes(value: int, name: str, before: str) -> None:
    text = before + TEXT
    changed = with_number(text, name, value)
    assert named_numbers(changed) == {**named_numbers(TEXT), name: value}
    was = {"HANDSIZE": "(declare {} 'HANDSIZE)", "LAST": "(declare   {} 'LAST)"}[name]
    assert changed == text.replace(was.format(named_numbers(text)[name]), was.format(value))


def test_a_text_with_another_number_is_another_game() -> None:
    lengths = []
    for cards in (2, 5):
        state = RecycleGame("x", with_number(TEXT, "HANDSIZE", cards)).new(2, {}, FastChance("1"))
        moves = 0
        while seats := state.to_act():
            state.apply(seats[0], state.legal_moves(seats[0])[0])
            moves += 1
        lengths.append(moves)
    assert lengths == [4, 10]


def test_what_is_no_number_cannot_be_changed() -> None:
    with pytest.raises(KeyError):
        with_number(TEXT, "COLOURS", 3)
    with pytest.raises(BadText):
        named_numbers("(game")
