"""Light: which cells of a board are lit. Sets of cells are bit masks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.thief.board import CELLS, MEMBERS, NEXT_TO, Board, cards_on, mask
from games.thief.cards import TORCH, WARDEN, Card

# What each kind that carries light lights from each cell: a torch also its own, a warden's lantern does not.
LIGHTS = {TORCH: tuple(1 << cell | NEXT_TO[cell] for cell in CELLS), WARDEN: NEXT_TO}


def lamps_among(cards: Iterable[Card]) -> int:
    """Return the cells of the cards that carry light."""
    return mask([cell for cell, card in enumerate(cards) if card.kind in LIGHTS])


def lit_by(cards: Sequence[Card], lamps: int) -> int:
    """Return the cells that are lit by the cards on the cells ``lamps``, which all carry light."""
    lit = 0
    for cell in MEMBERS[lamps]:
        lit |= LIGHTS[cards[cell].kind][cell]
    return lit


def light(board: Board) -> int:
    """Return the cells that are lit."""
    cards = cards_on(board)
    return lit_by(cards, lamps_among(cards))
