"""Texts to begin with: a small game that works, and the patterns.

They are our own and tested, so reading their heads in this process is safe.
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
    """A text to begin with. Its drafts in the browser have the same ``name``."""

    name: str
    title: str
    source: str
    table: str = ""
    shows: str = ""  # what it demonstrates, in a word or two
    summary: str = ""


# What each pattern shows, in the order of the page.
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


@cache
def pattern(name: str) -> Start | None:
    """Return a pattern by its name, None if there is none."""
    if name not in SHOWS:
        return None
    text = read_text(FOLDER / f"{name}{SUFFIX}")
    facts = header(text)
    (table,) = read_beside(FOLDER / f"{name}{SUFFIX}", [TABLE])
    return Start(f"pattern-{name}", facts["Title"], text, table, SHOWS[name], facts["Summary"])


def patterns() -> list[tuple[str, Start]]:
    """Return all patterns, with their names."""
    return [(name, start) for name in SHOWS if (start := pattern(name))]


@cache
def small_game() -> Start:
    """Return the small game with which a new text begins."""
    return Start("new", "", read_text(FOLDER.parent / "lessons" / f"blank{SUFFIX}"))
