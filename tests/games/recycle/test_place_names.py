"""What names of places usually mean: one table for the buttons, the table, the log and the rules page."""

from __future__ import annotations

from games.recycle import place_names
from games.recycle.explaining import names
from games.recycle.labels import Labels


def test_a_name_is_in_the_table_once() -> None:
    met = [name.rstrip("*") for _, name, _ in place_names._ENTRIES]
    assert len(met) == len(set(met))


def test_a_name_is_said_as_the_table_has_it() -> None:
    said = {name: names.place(name, Labels())[0] for name in ("SUPPLY", "PLAYED", "DISCARD", "DRAWPILE", "TRICKSWON")}
    assert said == {
        "SUPPLY": "supply",
        "PLAYED": "place *Played*",
        "DISCARD": "discard pile",
        "DRAWPILE": "draw pile",
        "TRICKSWON": "tricks won",
    }
    assert "STOCK" in place_names.used_for("stocks")
    assert "WON" in place_names.used_for("won"), "the star is no part of the name"
