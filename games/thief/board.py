"""The board: nine cells, row by row from the upper left, where they lie to each other, and how cards fall.

A set of cells is a bit mask here and wherever there is light or gaze: bit 4 is cell 4.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from games.thief.cards import BLANK, Card

SIDE = 3
CELLS = range(SIDE * SIDE)
START = SIDE * SIDE - 1  # lower right
OUTSIDE = -1

NORTH, EAST, SOUTH, WEST = range(4)
DIRECTIONS = ("north", "east", "south", "west")
PLACES = (
    "upper left", "top", "upper right",
    "left", "middle", "right",
    "lower left", "bottom", "lower right",
)  # fmt: skip
_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # rows down, columns right

Board = tuple[Card | None, ...]  # None: empty, or the thief's


def _cell(row: int, column: int) -> int:
    return row * SIDE + column if 0 <= row < SIDE and 0 <= column < SIDE else OUTSIDE


def _around(cell: int) -> tuple[int, ...]:
    row, column = divmod(cell, SIDE)
    near = [_cell(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
    return tuple(other for other in near if other not in (OUTSIDE, cell))


# AHEAD[cell][direction] is the next cell that way, or OUTSIDE; INWARD[cell] are the directions that stay on the board.
AHEAD = tuple(tuple(_cell(cell // SIDE + down, cell % SIDE + right) for down, right in _STEPS) for cell in CELLS)
INWARD = tuple(tuple(facing for facing, ahead in enumerate(near) if ahead != OUTSIDE) for near in AHEAD)
NEIGHBOURS = tuple(_around(cell) for cell in CELLS)  # all eight ways, ascending
BESIDE = tuple(tuple(sorted(other for other in AHEAD[cell] if other != OUTSIDE)) for cell in CELLS)  # the four ways


def mask(cells: Iterable[int]) -> int:
    """Return the set of these cells; OUTSIDE is none."""
    bits = 0
    for cell in cells:
        if cell != OUTSIDE:
            bits |= 1 << cell
    return bits


EVERYWHERE = mask(CELLS)
MEMBERS = tuple(tuple(cell for cell in CELLS if cells >> cell & 1) for cells in range(EVERYWHERE + 1))  # by set
NEAR = tuple(map(mask, NEIGHBOURS))  # the same as sets: all eight ways,
NEXT_TO = tuple(map(mask, BESIDE))  # and the four


def cards_on(board: Board) -> tuple[Card, ...]:
    """Return the card on each cell, a blank one where there is none."""
    return tuple([card or BLANK for card in board])


def card_on(board: Board, cell: int) -> Card:
    """Return the card on a cell. Raises ValueError when there is none."""
    card = board[cell]
    if card is None:
        raise ValueError(f"No card lies on cell {cell}.")
    return card


def direction(cell: int, other: int) -> int:
    """Return which way ``other`` lies from ``cell``, the cell beside it. Raises ValueError when it is not."""
    return AHEAD[cell].index(other)


def opposite(facing: int) -> int:
    """Return the direction that is straight behind."""
    return (facing + 2) % 4


def fall(board: list[Card | None], floors: Collection[int]) -> None:
    """Let cards fall into the empty cells under them, column by column.

    Cards in ``floors`` stay, and hold those above.
    """
    for column in range(SIDE):
        rest = OUTSIDE  # lowest cell that a falling card can come to
        for cell in range(column + SIDE * (SIDE - 1), -1, -SIDE):
            if cell in floors:
                rest = OUTSIDE
            elif board[cell] is None:
                rest = max(rest, cell)
            elif rest != OUTSIDE:
                board[rest], board[cell] = board[cell], None
                rest -= SIDE
