"""Gaze: which cells the enemies see, and from which side one comes upon them. Sets of cells are bit masks."""

from __future__ import annotations

from typing import Literal

from games.thief.board import AHEAD, BESIDE, CELLS, DIRECTIONS, OUTSIDE, Board, opposite
from games.thief.cards import ENEMIES, GUARD, OVERSEER, OWL, WARDEN, WOLF, Card

Side = Literal["front", "back", "flank"]


def _mask(*cells: int) -> int:
    return sum(1 << cell for cell in cells if cell != OUTSIDE)


_WAYS = range(len(DIRECTIONS))
_AHEAD = tuple(tuple(_mask(AHEAD[cell][way]) for way in _WAYS) for cell in CELLS)
_BOTH = tuple(tuple(_mask(AHEAD[cell][way], AHEAD[cell][opposite(way)]) for way in _WAYS) for cell in CELLS)
_ALL = tuple((_mask(*BESIDE[cell]),) for cell in CELLS)  # an owl's facing, NOWHERE, is the last and only entry

# GAZES[kind][cell][facing] are the cells it sees.
GAZES = {GUARD: _AHEAD, WARDEN: _AHEAD, WOLF: _AHEAD, OVERSEER: _BOTH, OWL: _ALL}


def directions(enemy: Card, cell: int) -> list[int]:
    """Return the directions that ``enemy`` on ``cell`` looks in; what has a facing may look at a wall."""
    if enemy.kind == OWL:
        return [way for way, ahead in enumerate(AHEAD[cell]) if ahead != OUTSIDE]
    return [enemy.facing, opposite(enemy.facing)] if enemy.kind == OVERSEER else [enemy.facing]


def gaze(board: Board) -> int:
    """Return the cells that some enemy sees. No enemy sees its own."""
    seen = 0
    for cell, card in enumerate(board):
        if card is not None and card.kind in ENEMIES:
            seen |= GAZES[card.kind][cell][card.facing]
    return seen


def side(enemy: Card, cell: int, other: int) -> Side:
    """Return on which side of ``enemy``, which stands on ``cell``, ``other`` lies.

    Its front is where it looks; its back is straight behind, and owls and overseers have none; all else is flank.
    """
    if GAZES[enemy.kind][cell][enemy.facing] >> other & 1:
        return "front"
    if enemy.kind != OWL and AHEAD[cell][opposite(enemy.facing)] == other:
        return "back"
    return "flank"
