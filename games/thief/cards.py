"""The cards of a heist: their kinds, what is printed on them, and the deck of each level."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

GUARD, WARDEN, WOLF, OWL, OVERSEER = "guard", "warden", "wolf", "owl", "overseer"
SNEAK, HIDE, TORCH, TREASURE, DOOR, TRAP = "sneak", "hide", "torch", "treasure", "door", "trap"
STRONGBOX, HATCH = "strongbox", "hatch"

ENEMIES = frozenset((GUARD, WARDEN, WOLF, OWL, OVERSEER))
KINDS = (GUARD, WARDEN, WOLF, OWL, OVERSEER, SNEAK, HIDE, TORCH, TREASURE, DOOR, TRAP, STRONGBOX, HATCH)

LEVELS = (1, 2, 3, 4)
NOWHERE = -1  # the facing of what has none


class Card(NamedTuple):
    """A card, and on the board how it stands there. ``value`` of the Strongbox is its price now."""

    kind: str
    value: int = 0
    purse: int = 0  # gems of an enemy
    facing: int = NOWHERE  # a direction of ``board``
    alert: int = 0
    drawn: bool = False  # will step towards what it saw or noticed at the end of the turn
    number: int = 0  # counts the cards dealt, from 1; 0: not dealt yet

    def __str__(self) -> str:
        return f"{self.kind} {self.value}" if self.value else self.kind


BLANK = Card("")  # stands for "no card" where a card is expected

# Guards of each value, by level; the purse of a guard is its value less 1.
_GUARDS = {1: {2: 6, 3: 5, 4: 2}, 2: {2: 5, 3: 3, 4: 1}, 3: {2: 4, 3: 3}, 4: {2: 2, 3: 3}}

# Other enemies: what is printed on them, and how many there are at levels 1 to 4.
PRINTED = {
    WARDEN: Card(WARDEN, value=3, purse=2),
    WOLF: Card(WOLF, value=2),
    OWL: Card(OWL, value=2),
    OVERSEER: Card(OVERSEER, value=4, purse=3),
}
_OTHERS = {WARDEN: (0, 3, 3, 3), WOLF: (0, 3, 3, 3), OWL: (0, 0, 2, 2), OVERSEER: (0, 0, 0, 2)}
_TORCHES = (10, 8, 8, 8)

# The same at every level: how many of each value.
_SNEAKS = {1: 2, 2: 3, 3: 1}
_HIDES = 4
_TREASURES = {1: 2, 2: 2, 3: 2}
_DOORS = _TRAPS = 2

HIDE_RESTORES = 10
TORCH_COST = 2
TRAP_COST = 1
BOX_PRICE, BOX_MOST, BOX_WORTH = 1, 9, 5  # first price, highest price, score for each stealth paid


def guard(value: int) -> Card:
    """Return a guard of that value."""
    return Card(GUARD, value=value, purse=value - 1)


def deck(level: int) -> list[Card]:
    """Return the 43 cards of a level in printed order. Strongbox and Hatch are not part of it: the rules deal them."""
    return list(_printed(level))


def _printed(level: int) -> Iterator[Card]:
    index = LEVELS.index(level)
    for value, count in _GUARDS[level].items():
        yield from [guard(value)] * count
    for kind, counts in _OTHERS.items():
        yield from [PRINTED[kind]] * counts[index]
    for value, count in _SNEAKS.items():
        yield from [Card(SNEAK, value=value)] * count
    yield from [Card(HIDE)] * _HIDES
    yield from [Card(TORCH)] * _TORCHES[index]
    for value, count in _TREASURES.items():
        yield from [Card(TREASURE, value=value)] * count
    yield from [Card(DOOR)] * _DOORS
    yield from [Card(TRAP)] * _TRAPS
