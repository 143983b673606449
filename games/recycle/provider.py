"""The library of games written in RECYCLE. ``games.catalogue`` discovers it by this file."""

from __future__ import annotations

from pathlib import Path

from games.core import Game
from games.core.words import languages

TITLE = "Written in RECYCLE"
FOLDER = Path(__file__).parent / "library"
LANGUAGES = ("en", *languages())  # in which a game may have an introduction
# Of the text, its table file and its introductions: hearts.md, hearts.de.md and so on.
SUFFIXES = (".rcy", ".toml", ".md", *(f".{language}.md" for language in LANGUAGES[1:]))


def read(name: str, text: str, table: str, *introductions: str) -> Game:
    """Return the game of a text and of the files beside it. Raises BadText, BadTableFile."""
    from games.recycle import game  # not at the top: listing the library must not import the parser

    return game.read(name, text, table, *introductions)
