"""What names of places usually mean: one table for the buttons, the table, the log and the rules page."""

from __future__ import annotations

from games.recycle import phrase_book
from games.recycle.explaining.course import CourseOfPlay
from games.recycle.explaining.survey import Survey
from games.recycle.labels import Labels
from tests.games.recycle.trees import game


def test_a_name_is_in_the_table_once() -> None:
    met = [name.rstrip("*") for _, name, _ in phrase_book._ENTRIES]
    assert len(met) == len(set(met))


def test_a_name_is_said_as_the_table_has_it() -> None:
    tree = game("(do ((turn pass)))")
    words = CourseOfPlay(tree, Survey(tree), Labels(), phrase_book.Book())
    said = {name: str(words.place_noun(name)[0]) for name in ("SUPPLY", "PLAYED", "DISCARD", "DRAWPILE", "TRICKSWON")}
    assert said == {
        "SUPPLY": "supply",
        "PLAYED": "place *Played*",
        "DISCARD": "discard pile",
        "DRAWPILE": "draw pile",
        "TRICKSWON": "tricks won",
    }
    assert "STOCK" in phrase_book.used_for("stocks")
    assert "WON" in phrase_book.used_for("won"), "the star is no part of the name"
