"""Odds of leg and race without desert tiles, for all relative positions of the camels.

Without tiles, the odds depend only on how far each camel is behind the one before it, whose dice are still to come, and
how far the first camel is from the finish. There are few enough cases to compute all of them once, from the finish
backwards, so that simulations can look odds up. Distances above ``FURTHEST`` are treated as that: odds are exact while
the field stays together, else wrong by up to a few hundredths.

Camels are identified by their rank: 0 is the first one. A set of ranks is a bit mask.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from games.camelup.terms import Terms

FURTHEST = 5  # squares between a camel and the one before it
LONGEST = 16  # squares to the finish: more count as that
MOST_CAMELS = 5  # with six the tables would have 50 times as many entries
MOST_FACES = 6

LEVELS = 3  # bits of a height: see ``games.camelup.odds``

Whole = NDArray[np.int64]
Table = NDArray[np.float16]

FIRST, SECOND, WINS, LOSES = 0, 1, 2, 3  # the events: first and second of the leg, winner and loser of the race


@dataclass(frozen=True)
class PlacementOdds:
    """All standings of so many camels, the standing after each roll of a die, and the odds in each."""

    camels: int
    count: int
    # By standing, the rank that moves, and the face (from 0):
    after: NDArray[np.int32]  # the standing then
    ahead: NDArray[np.int8]  # by how many squares the first one is further then
    ranks: NDArray[np.int8]  # [..., rank then]: the rank before
    waiting: NDArray[np.int8]  # [..., dice to come before]: dice to come then, where the mover's is not
    odds: Table  # [``row`` of the situation, event, rank]

    def row(self, to_go: Whole, waiting: Whole, standing: Whole) -> Whole:
        """Return the rows of ``odds`` for situations: squares to the finish, dice to come as a bit mask, standing."""
        row: Whole = ((np.clip(to_go, 0, LONGEST) << self.camels) + waiting) * self.count + standing
        return row


def suits(terms: Terms) -> bool:
    """Return whether there are tables for such a race."""
    return 2 <= terms.camels <= MOST_CAMELS and terms.die_high - terms.die_low < MOST_FACES


def standings(terms: Terms) -> PlacementOdds:
    """Return the tables for a race, which take half a second to make the first time."""
    return _standings(terms.camels, terms.die_low, terms.die_high)


@lru_cache(2)
def _standings(camels: int, low: int, high: int) -> PlacementOdds:
    count = (FURTHEST + 1) ** (camels - 1)
    faces = high - low + 1
    after = np.zeros((count, camels, faces), np.int32)
    ahead = np.zeros((count, camels, faces), np.int8)
    ranks = np.zeros((count, camels, faces, camels), np.int8)
    waiting = np.zeros((count, camels, faces, 1 << camels), np.int8)
    heights = _heights(camels, count)
    sets = np.arange(1 << camels)
    for rank in range(camels):
        for face in range(faces):
            moved = _moved(heights, rank, low + face)
            then = (-moved).argsort(axis=1)
            ranks[:, rank, face] = then
            moved = np.take_along_axis(moved, then, 1)
            after[:, rank, face] = standing_of(moved)
            ahead[:, rank, face] = (moved[:, 0] >> LEVELS) - (heights[:, 0] >> LEVELS)
            rest = sets & ~(1 << rank)
            waiting[:, rank, face] = sum((rest[None] >> then[:, k, None] & 1) << k for k in range(camels))
    odds = _odds(camels, count, after, ahead, ranks, waiting)
    return PlacementOdds(camels, count, after, ahead, ranks, waiting, odds)


def standing_of(heights: Whole) -> Whole:
    """Return the number of each standing. ``heights``: [situation, rank], from the first camel to the last."""
    squares = heights >> LEVELS
    behind = np.minimum(squares[:, :-1] - squares[:, 1:], FURTHEST)
    number: Whole = behind @ (FURTHEST + 1) ** np.arange(behind.shape[1])
    return number


def _heights(camels: int, count: int) -> Whole:
    """Return a row of heights, first to last, for each standing."""
    numbers = np.arange(count)
    squares = np.full((count, camels), camels * FURTHEST)
    for rank in range(1, camels):
        squares[:, rank] = squares[:, rank - 1] - numbers // (FURTHEST + 1) ** (rank - 1) % (FURTHEST + 1)
    level = np.zeros_like(squares)
    for rank in range(camels - 2, -1, -1):
        level[:, rank] = np.where(squares[:, rank] == squares[:, rank + 1], level[:, rank + 1] + 1, 0)
    return (squares << LEVELS) + level


def _moved(heights: Whole, rank: int, pips: int) -> Whole:
    """Return the heights after a camel and those that it carries have moved; they land on top of others there."""
    mover = heights[:, rank, None]
    square = mover >> LEVELS
    unit = (heights >= mover) & (heights >> LEVELS == square)
    there = (heights >> LEVELS == square + pips) & ~unit
    rise = (square + pips << LEVELS) + there.sum(1, keepdims=True) - mover
    moved: Whole = heights + unit * rise
    return moved


def _odds(
    camels: int,
    count: int,
    after: NDArray[np.int32],
    ahead: NDArray[np.int8],
    ranks: NDArray[np.int8],
    waiting: NDArray[np.int8],
) -> Table:
    """Compute all odds, from the finish backwards.

    At the end of a leg, the odds of the race are those of a fresh leg in the same standing. In a leg the first camel
    advances, so the odds of later legs depend on those of a fresh leg, which the first of two passes computes; what
    that pass looks up too early does not affect them.
    """
    all_dice = (1 << camels) - 1
    odds = np.zeros((LONGEST + 1, 1 << camels, count, 4, camels), np.float32)
    odds[:, :, :, FIRST, 0] = odds[:, :, :, SECOND, 1] = 1
    odds[0, :, :, WINS, 0] = odds[0, :, :, LOSES, -1] = 1
    flat = odds.reshape(-1, 4 * camels)
    # For each rank and face: where, among the odds of the standings then, those of the camels as ranked before are.
    cells = np.argsort(ranks, axis=-1).astype(np.int64)[:, :, :, None] + camels * np.arange(4)[:, None]
    cells += 4 * camels * np.arange(count)[:, None, None, None, None]
    by_size = sorted(range(1, 1 << camels), key=lambda dice: dice.bit_count())
    moves = [(rank, face, cells[:, rank, face].ravel()) for rank in range(camels) for face in range(after.shape[2])]
    for to_go in range(1, LONGEST + 1):
        left = np.maximum(to_go - ahead.astype(np.int64), 0) << camels
        for _ in range(2):
            for dice in by_size:
                row = (left + waiting[..., dice]) * count + after
                sums = np.zeros(count * 4 * camels, np.float32)
                ways = 0
                for rank, face, where in moves:
                    if dice >> rank & 1:
                        sums += flat.take(row[:, rank, face], 0).ravel().take(where)
                        ways += 1
                odds[to_go, dice] = (sums / ways).reshape(count, 4, camels)
            odds[to_go, 0, :, WINS:] = odds[to_go, all_dice, :, WINS:]
    return flat.reshape(-1, 4, camels).astype(np.float16)
