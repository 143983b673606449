"""How cards are drawn that are no French playing cards: one style for a pack, and no two different cards alike."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from games.core import FastChance
from games.core.view import Colour, Piece, Symbol
from games.recycle.compiler.program import Program
from games.recycle.game import RecycleGame
from games.recycle.labels import BadTableFile, Labels
from tests.games.recycle.library import LIBRARY, PATTERNS, STRANGERS, game_of
from tests.games.recycle.tables import Sitting
from tests.running_site import ROOT

TEXTS = [*LIBRARY, *PATTERNS, *STRANGERS]
SCOPA = "(RANK (ACE, TWO, THREE, FOUR, FIVE, JACK, KNIGHT, KING)) (SUIT (COINS, CUPS, SWORDS, CLUBS))"


def packed(deck: str, table: str = "") -> Program:
    source = f"""(game (setup (create players 2) (create deck (game hloc STOCK) (deck {deck})))
      (stage player (end (== 1 1)) (choice ((turn pass)))) (scoring max 0))"""
    game = RecycleGame("pack", source, table)
    return game.program(game.default_seats)


def drawn(program: Program) -> dict[str, Piece]:
    """Return each different card of a text, by its face in the rules."""
    kinds = program.cards.kinds
    return {face: program.faces.open(face, "") for card, face in program.cards.faces.items() if kinds[card] == "deck"}


def pictures(program: Program) -> list[tuple[str, str, str]]:
    return [
        (piece.get("corner", ""), piece.get("symbol", ""), piece.get("colour", ""))
        for piece in drawn(program).values()
        if "corner" in piece or "symbol" in piece
    ]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_no_two_different_cards_of_a_text_look_alike_and_a_pack_has_one_style(path: Path) -> None:
    game = game_of(path)
    program = game.program(game.default_seats)
    shown = pictures(program)
    assert len(set(shown)) == len(shown)
    assert all(len(corner) <= 3 for corner, _, _ in shown)
    suited = [
        program.cards.faces[card]
        for card, attributes in enumerate(program.cards.attributes)
        if program.cards.kinds[card] == "deck" and "SUIT" in attributes
    ]
    assert len({"symbol" in program.faces.open(face, "") for face in suited}) <= 1
    # The corner alone tells the values apart that it stands for.
    for symbol in {symbol for _, symbol, _ in shown}:
        corners = [picture[::2] for picture in shown if picture[1] == symbol]
        assert len(set(corners)) == len(corners)


def test_a_pack_with_other_suits_has_no_french_card() -> None:
    program = packed(SCOPA)
    cards = drawn(program)
    assert "AC" in cards  # the rules and moves call it so
    assert not [piece["face"] for piece in cards.values() if re.fullmatch(r"(10|[2-9AJQK])[CDHS]", piece["face"])]
    assert program.faces.arg("AC") == "clubs ace"
    assert cards["AC"] == {
        "id": "",
        "face": "ace clubs",
        "label": {"text": "{card}", "args": {"card": "ace clubs"}},
        "corner": "A",
        "symbol": "baton",
        "colour": "green",
    }
    assert [piece["corner"] for face, piece in cards.items() if "cups" in face] == [
        "A",
        "2",
        "3",
        "4",
        "5",
        "J",
        "Kn",
        "Ki",
    ]
    assert {piece["symbol"] for piece in cards.values()} == {"coin", "cup", "sword", "baton"}
    assert len({piece["colour"] for piece in cards.values()}) == 4


def test_a_french_pack_stays_as_it_is_and_its_joker_shows_its_word() -> None:
    cards = drawn(packed("(RANK (A, TWO, KING)) (SUIT (HEARTS, CLUBS))"))
    assert list(cards.values()) == [{"id": "", "face": face} for face in ("AH", "AC", "2H", "2C", "KH", "KC")]
    source = """(game (setup (create players 2) (create deck (game hloc STOCK)
        (deck (RANK (A, J)) (SUIT (HEARTS, SPADES))))
      (create deck (game hloc STOCK) (deck (RANK (JOKER)))))
      (stage player (end (== 1 1)) (choice ((turn pass)))) (scoring max 0))"""
    faces = drawn(RecycleGame("jokers", source).program(2))
    assert [piece for piece in faces.values() if "corner" in piece or "symbol" in piece] == []
    assert faces["joker"]["label"]["args"] == {"card": "joker"}


@pytest.mark.parametrize(
    ("deck", "expected"),
    [
        ("(COLOUR (RED, WHITE)) (STEP (ONE, TEN))", [("1", "flame", "red"), ("10", "flame", "red")]),
        ("(COLOUR (RED, BLUE))", [("", "flame", "red"), ("", "drop", "blue")]),
        ("(VALUE (ONE, TWELVE, TWENTY))", [("1", "", ""), ("12", "", ""), ("20", "", "")]),
        ("(SUIT (OAK, STARS))", [("", "triangle", "red"), ("", "star", "yellow")]),
        (
            "(N (ONE, TWO)) (SHAPE (SQUARE, SUN)) (TINT (RED, GOLD))",
            [("1", "square", "red"), ("1", "square", "yellow")],
        ),
        ("(ROLE (DUKE, THIEF, GUARD))", []),  # words only
        ("(N (ONE, TWO)) (SHAPE (STAR, SUN)) (COLOUR (RED, BLUE)) (FILL (EMPTY, FULL))", []),  # FILL would be missing
    ],
)
def test_what_a_card_shows_follows_from_its_attributes(deck: str, expected: list[tuple[str, str, str]]) -> None:
    assert pictures(packed(deck))[: max(1, len(expected))] == expected


@pytest.mark.parametrize("ranks", ["ONE, TWO, THREE, MARSHAL, MARINER", "ONE, TWO, TEN, TENTH, TENOR", "A, K, KA, KAB"])
def test_corners_differ_whatever_the_names_are(ranks: str) -> None:
    corners = [corner for corner, _, _ in pictures(packed(f"(RANK ({ranks})) (SUIT (OAK))"))]
    assert len(set(corners)) == len(corners) == len(ranks.split())
    assert all(0 < len(corner) <= 3 for corner in corners)


def test_a_table_file_says_otherwise() -> None:
    table = '[faces]\nKNIGHT = {corner = "C"}\nCUPS = {symbol = "moon", colour = "teal"}'
    shown = pictures(packed(SCOPA, table))
    assert ("C", "moon", "teal") in shown
    assert ("A", "coin", "yellow") in shown
    assert len(set(shown)) == 32


LAMP = """[pictures]
lamp = '<svg viewBox="0 0 20 20"><circle cx="10" cy="10" r="8" fill="red"/></svg>'
spare = '<svg viewBox="0 0 20 20"><rect width="9" height="9"/></svg>'
"""


def test_a_picture_of_the_author_is_the_symbol_of_cards_and_views_have_it() -> None:
    table = f'[faces]\nCUPS = {{symbol = "lamp", number = 3}}\n{LAMP}'
    program = packed(SCOPA, table)
    (own,) = program.faces.own
    assert program.faces.own[own]["shapes"][0]["attributes"]["fill"] == "red"
    cups = [piece for face, piece in drawn(program).items() if "cups" in face]
    assert {(piece["symbol"], piece["number"]) for piece in cups} == {(own, 3)}
    game = RecycleGame("pack", '(game (setup (create players 2) (create deck (game hloc S) (deck (SUIT (CUPS, LAMPS)))'
                       ')) (stage player (end (== 1 1)) (choice ((turn pass)))) (scoring max 0))', table)  # fmt: skip
    views = [game.view(game.new(2, {}, FastChance("1")), seat) for seat in (0, None)]
    assert [list(view["pictures"]) for view in views] == [[own], [own]]
    assert "pictures" not in Sitting("(choice ((turn pass)))").view()


def test_another_picture_of_the_same_name_is_another_symbol() -> None:
    texts = [LAMP, LAMP.replace("red", "blue"), LAMP]
    keys = [Labels.read(text).own["lamp"] for text in texts]
    assert keys[0] == keys[2] != keys[1]


def test_a_french_pack_is_drawn_otherwise_if_the_table_file_says_so() -> None:
    deck = "(RANK (A, TWO, KING)) (SUIT (HEARTS, CLUBS))"
    cards = drawn(packed(deck, '[faces]\nHEARTS = {symbol = "cup"}'))
    shown = [(piece["corner"], piece["symbol"]) for piece in cards.values()]
    assert shown == [("A", "cup"), ("A", "club"), ("2", "cup"), ("2", "club"), ("K", "cup"), ("K", "club")]
    others = drawn(packed(deck, '[faces]\nJOKER = {symbol = "cup"}'))
    assert [piece for piece in others.values() if "symbol" in piece] == []


def backs(decks: str, table: str = "") -> list[tuple[str, str]]:
    source = f"""(game (setup (create players 2) {decks})
      (stage player (end (== 1 1)) (choice ((turn pass)))) (scoring max 0))"""
    program = RecycleGame("pack", source, table).program(2)
    found = [program.faces.closed(Piece(id="", back=back)) for back in dict.fromkeys(program.cards.backs)]
    return [(piece.get("symbol", ""), piece.get("colour", "")) for piece in found]


def test_decks_of_one_back_have_the_usual_one_and_several_differ() -> None:
    def deck(name: str) -> str:
        return f"(create deck {name} (game hloc S) (deck (RANK (ONE, TWO))))"

    assert backs(deck("")) == backs(deck("GOALS")) == [("", "")]
    assert backs(deck("") + deck("COINS") + deck("GOALS") + deck("")) == [
        ("", ""),
        ("coin", "yellow"),
        ("triangle", "red"),
    ]
    die = "(create die (game vloc D) (deck (N (ONE, TWO))))"
    assert backs(deck("") + die, '[backs]\nDEFAULT = {colour = "teal"}') == [("", "teal"), ("", "")]
    assert backs(deck("COINS") + deck("GOALS"), '[backs]\nCOINS = {symbol = "star"}') == [
        ("star", ""),
        ("triangle", "red"),
    ]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ('CUPS = "cup"', "each line is VALUE = "),
        ("CUPS = {}", "each line is VALUE = "),
        ('CUPS = {shape = "cup"}', "CUPS has 'shape'; there are corner, symbol, colour, number."),
        ('CUPS = {symbol = "chalice"}', "CUPS has no symbol 'chalice'; there are triangle, "),
        ('CUPS = {colour = "crimson"}', "CUPS has no colour 'crimson'; there are red, "),
        ('ACE = {corner = "ace!"}', "a corner has 1 to 3 characters: ACE."),
        ('ACE = {corner = ""}', "a corner has 1 to 3 characters: ACE."),
        ('ACE = {corner = "A"}\nAS = {corner = "A"}', "ACE and AS have the same corner."),
        ("ACE = {corner = 1}", "a corner has 1 to 3 characters: ACE."),
        ("ACE = {symbol = 1}", "ACE has no symbol 1; there are triangle, "),
        ("ACE = {number = 0}", "ACE has a number that is not a whole one from 1 to 10, without quotes."),
        ("ACE = {number = 11}", "ACE has a number that is not a whole one from 1 to 10, without quotes."),
        ("ACE = {number = true}", "ACE has a number that is not a whole one from 1 to 10, without quotes."),
        ('ACE = {number = "2"}', "ACE has a number that is not a whole one from 1 to 10, without quotes."),
        ("[backs]\nGOALS = {}", "In [backs] of the table file each line is DECK = "),
        (
            '[backs]\nGOALS = {corner = "A"}',
            "[backs] of the table file GOALS has 'corner'; there are symbol, colour.",
        ),
        ('[backs]\nGOALS = {symbol = "lamp"}', "GOALS has no symbol 'lamp'; there are triangle, "),
    ],
)
def test_a_table_file_with_mistakes_is_refused(line: str, error: str) -> None:
    with pytest.raises(BadTableFile, match=re.escape(error)):
        Labels.read(f"[faces]\n{line}")


def test_the_guide_lists_all_symbols_and_colours() -> None:
    guide = " ".join((ROOT / "docs/recycle.md").read_text().split())
    assert ", ".join(get_args(Symbol)) in guide
    assert ", ".join(get_args(Colour)) in guide


def test_a_known_card_that_lies_face_down_has_short_words_on_its_badge() -> None:
    program = packed("(RANK (TWO, TEN)) (COLOUR (YELLOW, RED))")
    badges = [program.faces.known(face, "", "back")["badge"] for face in program.cards.faces.values()]
    assert badges == ["Y 2", "red 2", "Y 10", "red 10"]
