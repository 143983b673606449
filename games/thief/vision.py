"""Light and gaze: which cells are lit, which cells enemies see and from which side. Sets of cells are bit masks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from games.thief.board import AHEAD, CELLS, DIRECTIONS, INWARD, MEMBERS, NEXT_TO, Board, cards_on, mask, opposite
from games.thief.cards import ENEMIES, GUARD, OVERSEER, OWL, TORCH, WARDEN, WOLF, Card

Side = Literal["front", "back", "flank"]

_FACINGS = range(len(DIRECTIONS))
_AHEAD = tuple(tuple(mask([AHEAD[cell][facing]]) for facing in _FACINGS) for cell in CELLS)
_BOTH = tuple(
    tuple(mask([AHEAD[cell][facing], AHEAD[cell][opposite(facing)]]) for facing in _FACINGS) for cell in CELLS
)
_ALL = tuple((NEXT_TO[cell],) for cell in CELLS)  # an owl's facing, NOWHERE, is the last and only entry

# GAZES[kind][cell][facing] are the cells it sees.
GAZES = {GUARD: _AHEAD, WARDEN: _AHEAD, WOLF: _AHEAD, OVERSEER: _BOTH, OWL: _ALL}


def directions(enemy: Card, cell: int) -> Sequence[int]:
    """Return the directions that ``enemy`` on ``cell`` looks in; what has a facing may look at a wall."""
    if enemy.kind == OWL:
        return INWARD[cell]
    return [enemy.facing, opposite(enemy.facing)] if enemy.kind == OVERSEER else [enemy.facing]


def enemies_among(cards: Iterable[Card]) -> int:
    """Return the cells of the cards that are enemies."""
    return mask([cell for cell, card in enumerate(cards) if card.kind in ENEMIES])


def seen_by(cards: Sequence[Card], enemies: int) -> int:
    """Return the cells that are seen by the enemies on the cells ``enemies``. No enemy sees its own cell."""
    seen = 0
    for cell in MEMBERS[enemies]:
        enemy = cards[cell]
        seen |= GAZES[enemy.kind][cell][enemy.facing]
    return seen


def gaze(board: Board) -> int:
    """Return the cells that some enemy sees."""
    cards = cards_on(board)
    return seen_by(cards, enemies_among(cards))


def _side(kind: str, cell: int, facing: int, other: int) -> Side:
    if GAZES[kind][cell][facing] >> other & 1:
        return "front"
    if kind != OWL and AHEAD[cell][opposite(facing)] == other:
        return "back"
    return "flank"


# _SIDES[kind][cell][facing][other]: worked out once, because it is asked with almost every step of every path.
_SIDES = {
    kind: [
        [[_side(kind, cell, facing, other) for other in CELLS] for facing in range(len(seen[cell]))] for cell in CELLS
    ]
    for kind, seen in GAZES.items()
}


def side(enemy: Card, cell: int, other: int) -> Side:
    """Return on which side of ``enemy``, which stands on ``cell``, ``other`` lies.

    Its front is where it looks; its back is straight behind, and owls and overseers have none; all else is flank.
    """
    return _SIDES[enemy.kind][cell][enemy.facing][other]


# What each kind that carries light lights from each cell: a torch also its own, a warden's lantern does not.
LIGHTS = {TORCH: tuple(1 << cell | NEXT_TO[cell] for cell in CELLS), WARDEN: NEXT_TO}


def lamps_among(cards: Iterable[Card]) -> int:
    """Return the cells of the cards that carry light: torches, and wardens with their lanterns."""
    return mask([cell for cell, card in enumerate(cards) if card.kind in LIGHTS])


def lit_by(cards: Sequence[Card], lamps: int) -> int:
    """Return the cells that are lit by the cards on the cells ``lamps``: see ``lamps_among``."""
    lit = 0
    for cell in MEMBERS[lamps]:
        lit |= LIGHTS[cards[cell].kind][cell]
    return lit


def light(board: Board) -> int:
    """Return the cells that are lit."""
    cards = cards_on(board)
    return lit_by(cards, lamps_among(cards))
