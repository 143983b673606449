"""The library of games written in RECYCLE. ``games.catalogue`` discovers it by this file."""

from __future__ import annotations

from pathlib import Path

from games.core import Game

TITLE = "Written in RECYCLE"
FOLDER = Path(__file__).parent / "library"
SUFFIXES = (".rcy", ".toml", ".md")  # of the text, its table file and its rules page


def read(name: str, text: str, table: str, page: str) -> Game:
    """Return the game of a text and of the files beside it. Raises BadText, BadTableFile."""
    from games.recycle import game  # not at the top: listing the library must not import the parser

    return game.read(name, text, table, page)
