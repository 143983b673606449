"""Changing numbers of a text leaves the rest of it as it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import catalogue
from games.core import BadOption, FastChance, SealedChance
from games.recycle.game import RecycleGame
from games.recycle.numbers import named_numbers, numbers, with_numbers
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
    changed = with_numbers(text, {name: value})
    assert named_numbers(changed) == {**named_numbers(TEXT), name: value}
    was = {"HANDSIZE": "(declare {} 'HANDSIZE)", "LAST": "(declare   {} 'LAST)"}[name]
    assert changed == text.replace(was.format(named_numbers(text)[name]), was.format(value))


def test_a_text_with_another_number_is_another_game() -> None:
    lengths = []
    for cards in (2, 5):
        state = RecycleGame("x", with_numbers(TEXT, {"HANDSIZE": cards})).new(2, {}, FastChance("1"))
        moves = 0
        while seats := state.to_act():
            state.apply(seats[0], state.legal_moves(seats[0])[0])
            moves += 1
        lengths.append(moves)
    assert lengths == [4, 10]


def test_what_is_no_number_cannot_be_changed() -> None:
    with pytest.raises(KeyError, match="COLOURS"):
        with_numbers(TEXT, {"COLOURS": 3})


def test_a_text_with_a_missing_bracket_has_no_numbers() -> None:
    with pytest.raises(BadText, match="never closed"):
        named_numbers("(game")


def test_numbers_without_a_name_go_by_their_line_and_column() -> None:
    text = TEXT.replace("(repeat 'HANDSIZE", "(repeat 4").replace("(scoring max 'LAST)", "(scoring max (+ 'LAST 33))")
    found = numbers(text)
    assert [(each.name, each.value) for each in found.values()] == [
        ("HANDSIZE", 3), ("LAST", 12), ("9:31", 4), ("12:25", 33),
    ]  # fmt: skip
    assert found["9:31"].around.startswith("(repeat 4 (move (top (game hloc STOCK))")
    assert found["12:25"].around == "(+ 'LAST 33)"
    changed = with_numbers(text, {"12:25": 100, "HANDSIZE": 11, "9:31": 7})
    assert changed == text.replace("33", "100").replace("(declare 3", "(declare 11").replace("(repeat 4", "(repeat 7")


def test_each_number_of_each_text_of_the_library_can_be_changed_alone() -> None:
    texts = [game for game in catalogue.listed() if game.text]
    assert len(texts) > 10
    for game in texts:
        for name, number in game.numbers().items():
            assert game.text[number.start : number.end] == str(number.value), (game.name, name)
            assert str(number.value) in number.around, (game.name, number)
            assert len(number.around) < 70, (game.name, number)
            changed = with_numbers(game.text, {name: 12345})
            assert changed == game.text[: number.start] + "12345" + game.text[number.end :]


def test_the_number_of_cards_that_are_dealt_can_be_changed_in_agram() -> None:
    agram = catalogue.find("agram")
    (dealt,) = (name for name, number in agram.numbers().items() if number.around.startswith("(call DEAL 6"))
    for cards in (4, 6):
        state = agram.with_numbers({dealt: cards}).new(2, {}, SealedChance(bytes(32)))
        assert len(state.legal_moves(state.to_act()[0])) == cards
    with pytest.raises(BadOption, match="no number 'NOTHING'"):
        agram.with_numbers({"NOTHING": 3})
    with pytest.raises(BadOption, match="not written as a text"):
        catalogue.find("hamsterdam").with_numbers({dealt: 3})
