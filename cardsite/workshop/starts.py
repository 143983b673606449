"""Texts to begin with: a small game that works, and the patterns.

They are part of the project and tested, so their headers are parsed here; texts of visitors are parsed in the sandbox.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from games.core.texts import read_beside, read_text
from games.recycle.game import header

FOLDER = Path(__file__).parent / "patterns"
SUFFIX, TABLE = ".rcy", ".toml"


@dataclass(frozen=True)
class Start:
    """A text to begin with. ``name`` is the key of its drafts in the browser; ``table`` the table file, "" for none."""

    name: str
    title: str
    source: str
    table: str = ""
    shows: str = ""  # what it demonstrates, in a word or two
    summary: str = ""


# What each pattern shows, in the order in which the page lists them.
SHOWS = {
    "trump": "Trumps",
    "partners": "Partners",
    "bidding": "Bids",
    "shedding": "Shedding",
    "melds": "Melds",
    "drafting": "Drafting",
    "secret-choice": "Secret choices",
    "stealing": "Stealing",
    "push-your-luck": "Push your luck",
    "patience": "Patience",
}


def pattern(name: str) -> Start | None:
    """Return a pattern by its name, None if there is none."""
    return _read(name) if name in SHOWS else None  # visitors choose the name: an unknown one is not cached


def patterns() -> list[tuple[str, Start]]:
    """Return all patterns with their names, by which addresses name them."""
    return [(name, _read(name)) for name in SHOWS]


@cache
def _read(name: str) -> Start:
    text = read_text(FOLDER / f"{name}{SUFFIX}")
    facts = header(text)
    (table,) = read_beside(FOLDER / f"{name}{SUFFIX}", [TABLE])
    return Start(f"pattern-{name}", facts["Title"], text, table, SHOWS[name], facts["Summary"])


@cache
def small_game() -> Start:
    """Return the small game with which a new text begins."""
    return Start("new", "", read_text(FOLDER.parent / "lessons" / f"blank{SUFFIX}"))
