"""The path: what a step costs and brings, who notices it, and every path there is from a position.

Every beginning of a path that has two cards is a path itself. There are at most about 1,400 in a turn: bots, hints and
the table take them from here. Searches spend most of their time here, so a step computes only what it changes.
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
from games.thief.vision import Side, enemies_among, lamps_among, light, lit_by, seen_by, side

MOST_ALERT = 2
MOST_SLIPS = 2  # in a row

_FAR = tuple(tuple(int(not NEAR[start] >> cell & 1) for cell in CELLS) for start in CELLS)  # what raises the multiplier
_WORDS = tuple(map(str, CELLS))
_ONWARD = tuple(tuple(MEMBERS[NEAR[here] & cells] for cells in range(EVERYWHERE + 1)) for here in CELLS)


class Position(NamedTuple):
    """What the legal moves depend on: all of it is public."""

    board: Board
    thief: int
    stealth: int
    slips: int = 0  # made in a row


class Effect(NamedTuple):
    """What a step onto a card does: what it costs and brings, and what enemies may notice."""

    stealth: int = 0  # added; negative: paid
    gems: int = 0
    must_afford: bool = False  # the thief must have the stealth that it costs
    box: int = 0  # stealth paid for the Strongbox
    why: tuple[str, ...] = ()  # why it costs what it costs, and what it leads to: keys of ``table.NOTES``
    noise: bool = False
    howl: bool = False
    refuge: bool = False  # a hide in the dark, good if the path ends there
    escapes: bool = False  # through the Hatch


NO_STEP = Effect()


class Path(NamedTuple):
    """Where a path has come to, and what its last step did.

    ``left``, ``enemies``, ``lamps``, ``lit`` and ``watched`` are sets of cells. Cards move only when a turn ends.
    """

    cells: tuple[int, ...]  # the thief's own first
    cards: tuple[Card, ...]  # as they are now, also those that are taken
    left: int  # cards that are not taken
    enemies: int  # those of ``left`` that are enemies
    lamps: int  # those of ``left`` that carry light
    lit: int
    watched: int
    stealth: int
    gems: int = 0  # gained on this path
    multiplier: int = 1
    box: int = 0  # stealth paid for the Strongbox on this path
    step: Effect = NO_STEP  # the last one

    @property
    def here(self) -> int:
        """The cell it has come to."""
        return self.cells[-1]

    @property
    def board(self) -> Board:
        """The cards that are left."""
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
    return Path((position.thief,), cards, left, enemies, lamps, lit, watched, position.stealth)


# -- one step


def enter(path: Path, cell: int) -> Path | str:
    """Take one more step, onto a card next to the last. Return the longer path, or why the step is refused.

    A refusal is a key of ``rules.REFUSALS``.
    """
    # Unpacked and packed at once, in the order of the fields, because searches make millions of steps.
    cells, cards, left, enemies, lamps, lights, gazes, stealth, gems, multiplier, box, before = path[:]
    if not left >> cell & 1:
        return "empty"
    if before.escapes:
        return "escaped"
    card = cards[cell]
    lit = lights >> cell & 1 != 0
    multiplier += _FAR[cells[0]][cell]
    is_enemy = enemies >> cell & 1
    approach: Side = side(card, cell, cells[-1]) if is_enemy else "flank"
    step = effect(card, lit, gazes >> cell & 1 != 0, approach, multiplier)
    if step is None:
        return "locked"
    change, gained, must_afford, paid, _, noise, howl, _, escapes = step[:]
    stealth += change
    if must_afford and stealth < 0:
        return "too expensive"

    # The card is taken: what it lit or saw ends, and enemies nearby may notice. Then the thief must not be seen.
    left &= ~(1 << cell)
    enemies &= left
    if lamps >> cell & 1:
        lamps &= left
        lights = lit_by(cards, lamps)
    alerted = enemies & (EVERYWHERE if howl else NEAR[cell] if noise else NEXT_TO[cell] if lit else 0)
    if alerted:
        cards = _react(cards, alerted, cell, lit=lit, noise=noise, howl=howl)
    if alerted or is_enemy:
        gazes = seen_by(cards, enemies)
    if stealth <= 0 and not escapes and (lights & gazes) >> cell & 1:
        return "seen"
    cells += (cell,)
    return tuple.__new__(
        Path, (cells, cards, left, enemies, lamps, lights, gazes, stealth, gems + gained, multiplier, box + paid, step)
    )


@lru_cache(maxsize=1 << 14)  # searches make millions of steps, most of them alike
def effect(card: Card, lit: bool, watched: bool, approach: Side, multiplier: int) -> Effect | None:
    """Return what a step onto a card does; None if it cannot be entered: a door in the light.

    ``approach``: the side of an enemy that the thief comes from.
    """
    kind = card.kind
    if kind == TREASURE:
        return Effect(gems=card.value * multiplier)
    if kind == TORCH:
        return Effect(-TORCH_COST * multiplier, why=("out",))
    if kind == TRAP:
        return Effect(-TRAP_COST * multiplier, why=("noise",), noise=True)
    if kind == SNEAK:
        return Effect(why=("exposed",)) if lit else Effect(card.value * multiplier)
    if kind == HIDE:
        return Effect(why=("exposed",)) if lit else Effect(why=("refuge",), refuge=True)
    if kind == STRONGBOX:
        return Effect(-card.value, must_afford=True, box=card.value, why=("box",))
    if kind == HATCH:
        return Effect(escapes=True)
    if kind == DOOR:
        return None if lit else NO_STEP
    # an enemy
    gems = card.purse * multiplier
    if approach == "back" and not lit:
        return Effect(gems=gems, why=("behind",))
    front = approach == "front"
    cost = price(card, lit=lit, watched=watched, front=front) * multiplier
    why = surcharges(card, lit=lit, watched=watched, front=front)
    if kind == WOLF:
        return Effect(-cost, gems, must_afford=True, why=(*why, "howl"), howl=True)
    if lit and front:
        return Effect(-cost, gems, must_afford=True, why=(*why, "noise"), noise=True)
    return Effect(-cost, gems, must_afford=True, why=why)


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
    paths: list[Path] = []
    for cell in NEIGHBOURS[start.here]:
        first = enter(start, cell)
        if isinstance(first, str):
            continue
        firsts.append(first)
        if first.step.escapes:
            paths.append(first)
        else:
            _continue(first, paths)
    return paths if any(len(path.cells) > 2 for path in paths) else firsts


def _continue(path: Path, paths: list[Path]) -> None:
    """Add every path that begins with ``path`` to those found."""
    for cell in _ONWARD[path.cells[-1]][path.left]:
        after = enter(path, cell)
        if not isinstance(after, str):
            paths.append(after)
            _continue(after, paths)


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
