"""Positions of Card Thief, laid out by hand.

A layout is nine words, row by row: ``@`` the thief, ``.`` nothing, else a card as in ``guard3>``: kind, value where it
has one, facing as an arrow, and an exclamation mark for each alert.
"""

from __future__ import annotations

import re

from games.core import FastChance
from games.core.view import plain
from games.thief import cards
from games.thief.cards import GUARD, KINDS, PRINTED, Card, guard
from games.thief.path import Path, Position, follow
from games.thief.rules import HeistState

ARROWS = "^>v<"
_CARD = re.compile(r"([a-z]+?)(\d*)([\^>v<]?)(!*)(\*?)")


def card(word: str) -> Card:
    """Return the card of a word of a layout."""
    match = _CARD.fullmatch(word)
    assert match, word
    kind, value, arrow, alert, drawn = match.groups()
    assert kind in KINDS, word
    if kind == GUARD:
        made = guard(int(value))
    elif kind in PRINTED:
        made = PRINTED[kind]
    else:
        made = Card(kind, value=int(value or 0))
    facing = ARROWS.index(arrow) if arrow else cards.NOWHERE
    return made._replace(facing=facing, alert=len(alert), drawn=bool(drawn))


def word(result: Card | None) -> str:
    """Return what a layout writes for a card."""
    if result is None:
        return "."
    arrow = ARROWS[result.facing] if result.facing != cards.NOWHERE else ""
    value = str(result.value) if result.value and result.kind not in PRINTED else ""
    return result.kind + value + arrow + "!" * result.alert + "*" * result.drawn


def lay(layout: str, stealth: int = 10, slips: int = 0) -> Position:
    """Return the position of a layout."""
    words = layout.split()
    assert len(words) == 9, words
    board = tuple(None if one in "@." else card(one) for one in words)
    return Position(board, words.index("@"), stealth, slips)


def path_over(layout: str, *cells: int, stealth: int = 10) -> Path:
    """Return the path over these cells."""
    return follow(lay(layout, stealth), cells)[-1]


def layout(board: tuple[Card | None, ...]) -> str:
    """Return a board as a layout, without the thief."""
    return " ".join(map(word, board))


def heist(layout: str, stealth: int = 10, *, deck: str = "", level: int = 1, gems: int = 0, box: int = 0) -> HeistState:
    """Return a heist at a layout. ``deck`` are the cards left, the top last; it is dealt from without the director."""
    state = HeistState(level, directed=False, chance=FastChance("any"))
    state.board, state.thief, state.stealth, _ = lay(layout, stealth)
    state.deck = [card(one) for one in deck.split()]
    state.strongbox_out = True
    state.gems, state.box = gems, box
    state.log = []
    return state


def log(state: HeistState) -> list[str]:
    """Return the sentences of the log since the last call, and clear it."""
    entries, state.log = state.log or [], []
    return [plain(entry["text"], ["Tess"]) for entry in entries]
