"""Light: which cells of a board are lit. A set of cells is a bit mask here: bit 4 is cell 4."""

from __future__ import annotations

from games.thief.board import BESIDE, CELLS, Board
from games.thief.cards import TORCH, WARDEN

_BESIDE = tuple(sum(1 << other for other in BESIDE[cell]) for cell in CELLS)
# What each kind that carries light lights from each cell: a torch also its own, a warden's lantern does not.
LIGHTS = {TORCH: tuple(1 << cell | _BESIDE[cell] for cell in CELLS), WARDEN: _BESIDE}


def light(board: Board) -> int:
    """Return the cells that are lit."""
    lit = 0
    for cell, card in enumerate(board):
        if card is not None and card.kind in LIGHTS:
            lit |= LIGHTS[card.kind][cell]
    return lit
