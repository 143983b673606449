"""The path: what a step costs and brings, who notices it, and every path there is from a position.

A path is drawn card by card, so all paths of a turn make a tree; every beginning of a path that has two cards is a path
itself. There are at most about 1,400 in a turn: bots, hints and the table take them from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from games.thief.board import BESIDE, CELLS, NEIGHBOURS, Board, direction
from games.thief.cards import (
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
from games.thief.gaze import gaze, side
from games.thief.light import light

MOST_ALERT = 2
MOST_SLIPS = 2  # in a row

_NEAR = tuple(sum(1 << other for other in NEIGHBOURS[cell]) for cell in CELLS)


class Position(NamedTuple):
    """What the legal moves depend on: all of it lies open."""

    board: Board
    thief: int
    stealth: int
    slips: int = 0  # made in a row


class Walk(NamedTuple):
    """Where a path has come to, and what its last step was like. ``lit`` and ``watched`` are sets of cells."""

    cells: tuple[int, ...]  # the thief's own first
    board: Board
    stealth: int
    gems: int  # gained on this path
    multiplier: int
    box: int  # stealth paid for the Strongbox on this path
    lit: int
    watched: int
    gained: int = 0  # gems by the last step
    why: tuple[str, ...] = ()  # what made the last step's price: keys of ``rules.NOTES``
    refuge: bool = False  # a hide in the dark, good if the path ends there
    escaped: bool = False  # through the Hatch

    @property
    def here(self) -> int:
        """The cell it has come to."""
        return self.cells[-1]

    @property
    def seen(self) -> bool:
        """Whether the thief is seen here: out of stealth, in the light, and in a gaze."""
        return self.stealth <= 0 and bool((self.lit & self.watched) >> self.cells[-1] & 1)


def begin(position: Position) -> Walk:
    """Return the path of no step yet."""
    board = position.board
    return Walk((position.thief,), board, position.stealth, 0, 1, 0, light(board), gaze(board))


# -- one step


def enter(walk: Walk, cell: int) -> Walk | str:
    """Take one more step, onto a card next to the last. Return what the path is then, or why it is refused.

    A refusal is a key of ``rules.REFUSALS``.
    """
    card = walk.board[cell]
    if card is None:
        return "empty"
    if walk.escaped:
        return "escaped"
    kind = card.kind
    lit = bool(walk.lit >> cell & 1)
    times = walk.multiplier + (not _NEAR[walk.cells[0]] >> cell & 1)
    stealth = walk.stealth
    gained = box = 0
    why: tuple[str, ...] = ()
    noise = howl = refuge = False

    if kind in ENEMIES:
        where = side(card, cell, walk.cells[-1])
        if where == "back" and not lit:
            why = ("behind",)
        else:
            why = surcharges(card, lit=lit, watched=bool(walk.watched >> cell & 1), front=where == "front")
            cost = price(card, why) * times
            if cost > stealth:
                return "dear"
            stealth -= cost
            howl = kind == WOLF
            noise = lit and where == "front" and not howl
        gained = card.purse * times
    elif kind == TORCH:
        stealth -= TORCH_COST * times
        why = ("out",)
    elif kind == SNEAK:
        if lit:
            why = ("exposed",)
        else:
            stealth += card.value * times
    elif kind == HIDE:
        refuge = not lit
        why = ("refuge",) if refuge else ("exposed",)
    elif kind == TREASURE:
        gained = card.value * times
    elif kind == DOOR:
        if lit:
            return "locked"
    elif kind == TRAP:
        stealth -= TRAP_COST * times
        noise = True
    elif kind == STRONGBOX:
        if card.value > stealth:
            return "dear"
        stealth -= card.value
        box = card.value
        why = ("box",)
    if howl:
        why += ("howl",)
    elif noise:
        why += ("noise",)

    left = list(walk.board)
    left[cell] = None
    if lit or noise or howl:
        _react(left, cell, lit=lit, noise=noise, howl=howl)
    board = tuple(left)
    after = Walk(
        (*walk.cells, cell),
        board,
        stealth,
        walk.gems + gained,
        times,
        walk.box + box,
        light(board),
        gaze(board),
        gained,
        why,
        refuge,
        kind == HATCH,
    )
    if after.seen and not after.escaped:
        return "seen"
    return after


def follow(position: Position, cells: Iterable[int]) -> list[Walk]:
    """Return what a legal path is after each of its steps, and before the first. Raises ValueError for another path."""
    walks = [begin(position)]
    for cell in cells:
        after = enter(walks[-1], cell)
        if isinstance(after, str):
            raise ValueError(f"Cell {cell} cannot be entered: {after}.")
        walks.append(after)
    return walks


def surcharges(enemy: Card, *, lit: bool, watched: bool, front: bool) -> tuple[str, ...]:
    """Return what adds to an enemy's price: one each, and ``alert`` as much as it is."""
    found = (("lit", lit), ("watched", watched), ("front", front), ("alert", enemy.alert > 0))
    return tuple([reason for reason, holds in found if holds])


def price(enemy: Card, why: tuple[str, ...]) -> int:
    """Return the stealth that an enemy costs with these surcharges, before the multiplier."""
    return enemy.value + enemy.alert + len(why) - ("alert" in why)


def _react(board: list[Card | None], cell: int, *, lit: bool, noise: bool, howl: bool) -> None:
    """Let the enemies notice what was done on ``cell``: seen in the light by those beside it, and heard.

    Noise is heard all round, a wolf's howl everywhere.
    """
    beside = BESIDE[cell]
    for other in CELLS if howl else NEIGHBOURS[cell] if noise else beside:
        enemy = board[other]
        if enemy is None or enemy.kind not in ENEMIES:
            continue
        if lit and other in beside:
            where = side(enemy, other, cell)
            if where == "front":
                enemy = _alarmed(enemy)
            elif where == "flank":
                enemy = enemy._replace(facing=direction(other, cell), drawn=True)
        if noise or howl:
            enemy = _alarmed(enemy)
        if noise and other in beside and enemy.kind != OWL:  # an owl has no facing to turn, and stays
            enemy = enemy._replace(facing=direction(other, cell), drawn=True)
        board[other] = enemy


def _alarmed(enemy: Card) -> Card:
    return enemy._replace(alert=min(MOST_ALERT, enemy.alert + 1))


# -- all paths


@dataclass(frozen=True, slots=True)
class Branch:
    """A path, and the longer ones that begin with it. Not ``legal``: it must go on."""

    walk: Walk
    legal: bool
    then: tuple[Branch, ...]

    def paths(self) -> Iterator[Walk]:
        """Yield every legal path from here, shorter ones first where one begins another."""
        if self.legal:
            yield self.walk
        for branch in self.then:
            yield from branch.paths()


@lru_cache(maxsize=16)  # the same position is asked for by the rules, the view and a bot
def explore(position: Position) -> tuple[Branch, ...]:
    """Return all paths of a position as trees, one for each first step.

    A path has two cards or more; one is enough if it is the Hatch, or if there is no path of two.
    """
    start = begin(position)
    found = _grow(start)
    if any(branch.then for branch in found):
        return tuple([branch for branch in found if branch.then or branch.legal])
    return tuple([Branch(branch.walk, True, ()) for branch in found])


def _grow(walk: Walk) -> tuple[Branch, ...]:
    found: list[Branch] = []
    for cell in NEIGHBOURS[walk.cells[-1]]:
        if walk.board[cell] is not None:
            after = enter(walk, cell)
            if not isinstance(after, str):
                found.append(Branch(after, len(walk.cells) > 1 or after.escaped, _grow(after)))
    return tuple(found)


def cornered(position: Position) -> bool:
    """Return whether there is no move. Whoever can enter any card has one: alone, if there is no path of two."""
    start = begin(position)
    cells = [cell for cell in NEIGHBOURS[position.thief] if position.board[cell] is not None]
    return all(isinstance(enter(start, cell), str) for cell in cells) and not slips(position)


def slips(position: Position) -> list[int]:
    """Return the cells of the enemies that the thief, out of stealth and in the dark, may change places with.

    It stays dark where the thief goes (a warden beside in the four ways would have lit the thief), so nobody is seen.
    """
    lit = light(position.board)
    if position.stealth > 0 or position.slips >= MOST_SLIPS or lit >> position.thief & 1:
        return []
    beside = [(cell, position.board[cell]) for cell in NEIGHBOURS[position.thief] if not lit >> cell & 1]
    return [cell for cell, card in beside if card is not None and card.kind in ENEMIES]


def slipped(position: Position, cell: int) -> Board:
    """Return the board after the thief has changed places with the enemy on ``cell``."""
    board = list(position.board)
    board[position.thief], board[cell] = board[cell], None
    return tuple(board)
