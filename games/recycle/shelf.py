"""The library: texts that come with the house. ``games.catalogue`` finds it by this file."""

from __future__ import annotations

from pathlib import Path

from games.core import Game

TITLE = "Written in RECYCLE"
FOLDER = Path(__file__).parent / "library"
SUFFIXES = (".rcy", ".toml", ".md")  # of a text, its table file and its rules page


def read(name: str, text: str, table: str, page: str) -> Game:
    """Return the game of a text. Raises BadText, BadTableFile."""
    from games.recycle import game  # the parser is not needed to know which texts there are

    return game.read(name, text, table, page)
