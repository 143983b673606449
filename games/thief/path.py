"""The path: what a step costs and brings, who notices it, and every path there is from a position.

Every beginning of a path that has two cards is a path itself. There are at most about 1,400 in a turn: bots, hints and
the table take them from here. Searches spend most of their time here, so a step works out only what it changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import compress, product
from typing import NamedTuple

from games.thief.board import (
    CELLS,
    EVERYWHERE,
    MEMBERS,
    NEAR,
    NEIGHBOURS,
    NEXT_TO,
    Board,
    cards_on,
    direction,
    mask,
)
from games.thief.cards import (
    BLANK,
    DOOR,
    ENEMIES,
    HATCH,
    HIDE,
    OWL,
    SNEAK,
    STRONGBOX,
    TORCH,
    TORCH_COST,
    TRAP,
    TRAP_COST,
    TREASURE,
    WOLF,
    Card,
)
from games.thief.vision import enemies_among, lamps_among, light, lit_by, seen_by, side

MOST_ALERT = 2
MOST_SLIPS = 2  # in a row

_FAR = tuple(tuple(int(not NEAR[start] >> cell & 1) for cell in CELLS) for start in CELLS)  # what raises the multiplier
_WORDS = tuple(map(str, CELLS))
_ONWARD = tuple(tuple(MEMBERS[NEAR[here] & cells] for cells in range(EVERYWHERE + 1)) for here in CELLS)


class Position(NamedTuple):
    """What the legal moves depend on: all of it lies open."""

    board: Board
    thief: int
    stealth: int
    slips: int = 0  # made in a row


class Path(NamedTuple):
    """Where a path has come to, and what its last step was like.

    ``left``, ``enemies``, ``lamps``, ``lit`` and ``watched`` are sets of cells. Cards move only when a turn ends.
    """

    cells: tuple[int, ...]  # the thief's own first
    cards: tuple[Card, ...]  # as they stand now, also those that are taken
    left: int  # cards that are not
    enemies: int  # of those
    lamps: int  # those of them that carry light
    stealth: int
    gems: int  # gained on this path
    multiplier: int
    box: int  # stealth paid for the Strongbox on this path
    lit: int
    watched: int
    gained: int = 0  # gems by the last step
    why: tuple[str, ...] = ()  # what made the last step's price: keys of ``table.NOTES``
    refuge: bool = False  # a hide in the dark, good if the path ends there
    escaped: bool = False  # through the Hatch

    @property
    def here(self) -> int:
        """The cell it has come to."""
        return self.cells[-1]

    @property
    def board(self) -> Board:
        """What is left."""
        return tuple([card if self.left >> cell & 1 else None for cell, card in enumerate(self.cards)])

    @property
    def seen(self) -> bool:
        """Whether the thief is seen here: out of stealth, in the light, and in a gaze."""
        return self.stealth <= 0 and bool((self.lit & self.watched) >> self.cells[-1] & 1)

    @property
    def move(self) -> str:
        """The move that takes this path."""
        return "path " + " ".join([_WORDS[cell] for cell in self.cells[1:]])


def begin(position: Position) -> Path:
    """Return the path of no step yet."""
    cards = cards_on(position.board)
    left = mask([cell for cell, card in enumerate(cards) if card is not BLANK])
    enemies, lamps = enemies_among(cards), lamps_among(cards)
    lit, watched = lit_by(cards, lamps), seen_by(cards, enemies)
    return Path((position.thief,), cards, left, enemies, lamps, position.stealth, 0, 1, 0, lit, watched)


# -- one step


def enter(path: Path, cell: int) -> Path | str:
    """Take one more step, onto a card next to the last. Return the longer path, or why the step is refused.

    A refusal is a key of ``rules.REFUSALS``.
    """
    # Unpacked and packed again at once, in the order of the fields, because searches make millions of steps.
    cells, cards, left, enemies, lamps, stealth, gems, times, box, lights, gazes = path[:11]
    if not left >> cell & 1:
        return "empty"
    if path.escaped:
        return "escaped"
    card = cards[cell]
    kind = card.kind
    lit = bool(lights >> cell & 1)
    times += _FAR[cells[0]][cell]
    gained = 0
    why: tuple[str, ...] = ()
    noise = howl = refuge = escapes = False

    if kind in ENEMIES:
        where = side(card, cell, cells[-1])
        if where == "back" and not lit:
            why = ("behind",)
        else:
            front, watched = where == "front", bool(gazes >> cell & 1)
            cost = price(card, lit=lit, watched=watched, front=front) * times
            if cost > stealth:
                return "too expensive"
            stealth -= cost
            howl = kind == WOLF
            noise = lit and front and not howl
            why = surcharges(card, lit=lit, watched=watched, front=front)
        gained = card.purse * times
    elif kind == TREASURE:
        gained = card.value * times
    elif kind == TORCH:
        stealth -= TORCH_COST * times
        why = ("out",)
    elif kind == TRAP:
        stealth -= TRAP_COST * times
        noise = True
    elif kind == SNEAK:
        if lit:
            why = ("exposed",)
        else:
            stealth += card.value * times
    elif kind == HIDE:
        refuge = not lit
        why = ("refuge",) if refuge else ("exposed",)
    elif kind == STRONGBOX:
        if card.value > stealth:
            return "too expensive"
        stealth -= card.value
        box += card.value
        why = ("box",)
    elif kind == HATCH:
        escapes = True
    elif kind == DOOR and lit:
        return "locked"
    if howl:
        why += ("howl",)
    elif noise:
        why += ("noise",)

    # The card is taken: what it lit or saw ends, and enemies nearby may notice. Then the thief must not be seen.
    left &= ~(1 << cell)
    was_enemy = enemies >> cell & 1
    enemies &= left
    if lamps >> cell & 1:
        lamps &= left
        lights = lit_by(cards, lamps)
    alerted = enemies & (EVERYWHERE if howl else NEAR[cell] if noise else NEXT_TO[cell] if lit else 0)
    if alerted:
        cards = _react(cards, alerted, cell, lit=lit, noise=noise, howl=howl)
    if alerted or was_enemy:
        gazes = seen_by(cards, enemies)
    if stealth <= 0 and not escapes and (lights & gazes) >> cell & 1:
        return "seen"

    cells += (cell,)
    gems += gained
    # fmt: off
    return tuple.__new__(Path, (
        cells, cards, left, enemies, lamps, stealth, gems, times, box, lights, gazes, gained, why, refuge, escapes,
    ))
    # fmt: on


def follow(position: Position, cells: Iterable[int]) -> list[Path]:
    """Return what a legal path is after each of its steps, and before the first. Raises ValueError for another path."""
    paths = [begin(position)]
    for cell in cells:
        after = enter(paths[-1], cell)
        if isinstance(after, str):
            raise ValueError(f"Cell {cell} cannot be entered: {after}.")
        paths.append(after)
    return paths


_SURCHARGES = {
    holds: tuple(compress(("lit", "watched", "front", "alert"), holds)) for holds in product((False, True), repeat=4)
}


def surcharges(enemy: Card, *, lit: bool, watched: bool, front: bool) -> tuple[str, ...]:
    """Return what adds to an enemy's price."""
    return _SURCHARGES[lit, watched, front, enemy.alert > 0]


def price(enemy: Card, *, lit: bool, watched: bool, front: bool) -> int:
    """Return the stealth that an enemy costs, before the multiplier: one more for each of these, and its alert."""
    return enemy.value + enemy.alert + lit + watched + front


def _react(cards: Sequence[Card], enemies: int, cell: int, *, lit: bool, noise: bool, howl: bool) -> tuple[Card, ...]:
    """Let ``enemies`` notice what was done on ``cell``. Those beside it see it in the light.

    Noise reaches all enemies around, a wolf's howl every enemy. Return the cards afterwards.
    """
    after = list(cards)
    beside = NEXT_TO[cell]
    for other in MEMBERS[enemies]:
        enemy = cards[other]
        kind, value, purse, facing, alert, drawn, number = enemy
        near = beside >> other & 1
        turns = noise and near and kind != OWL  # an owl has no facing to turn, and stays
        if noise or howl:
            alert += 1
        if lit and near:
            where = side(enemy, other, cell)
            if where == "front":
                alert += 1
            elif where == "flank":
                turns = True
        if turns:
            facing, drawn = direction(other, cell), True
        after[other] = Card(kind, value, purse, facing, min(MOST_ALERT, alert), drawn, number)
    return tuple(after)


# -- all paths


@lru_cache(maxsize=16)  # the same position is asked for by the rules, the view and a bot
def legal_paths(position: Position) -> tuple[Path, ...]:
    """Return every legal path of a position, shorter ones first where one begins another."""
    return tuple(paths_from(begin(position)))


def paths_from(start: Path) -> list[Path]:
    """Return every legal path that continues ``start``, which has no step yet; a path comes before its continuations.

    A path has two cards or more; one is enough if it is the Hatch, or if there is no path of two.
    """
    firsts: list[Path] = []
    found: list[Path] = []
    for cell in NEIGHBOURS[start.here]:
        first = enter(start, cell)
        if isinstance(first, str):
            continue
        firsts.append(first)
        if first.escaped:
            found.append(first)
        else:
            _go_on(first, found)
    return found if any(len(path.cells) > 2 for path in found) else firsts


def _go_on(path: Path, found: list[Path]) -> None:
    """Add every path that begins with ``path`` to those found."""
    for cell in _ONWARD[path.cells[-1]][path.left]:
        after = enter(path, cell)
        if not isinstance(after, str):
            found.append(after)
            if not after.escaped:
                _go_on(after, found)


def cornered(position: Position) -> bool:
    """Return whether there is no move. If any card can be entered, there is one: that card alone is a path then."""
    start = begin(position)
    return all(isinstance(enter(start, cell), str) for cell in NEIGHBOURS[position.thief]) and not slips(position)


def slips(position: Position) -> list[int]:
    """Return the cells of the enemies that the thief, out of stealth and in the dark, may change places with.

    The thief's new cell is dark (a warden next to it would have lit the thief before), so the thief is not seen there.
    """
    if position.stealth > 0 or position.slips >= MOST_SLIPS:
        return []
    lit = light(position.board)
    if lit >> position.thief & 1:
        return []
    near = [(cell, position.board[cell]) for cell in NEIGHBOURS[position.thief] if not lit >> cell & 1]
    return [cell for cell, card in near if card is not None and card.kind in ENEMIES]


def slipped(position: Position, cell: int) -> Board:
    """Return the board after the thief has changed places with the enemy on ``cell``."""
    board = list(position.board)
    board[position.thief], board[cell] = board[cell], None
    return tuple(board)
