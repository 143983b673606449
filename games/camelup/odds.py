"""Exact odds of a leg: every sequence of dice that can still come, counted.

With n dice in the pyramid and f faces there are n!·f^n equally likely sequences (29,160 for a fresh leg). They are not
played one by one: after each die, equal situations are merged and their counts added up. A race that ends in the
middle of a leg counts for all the sequences it cuts short. All figures are whole numbers.

A camel's height is its square times a power of two plus its place in the stack, from 0 at the bottom: so the higher
of two camels is ahead, a camel's riders are those between it and the next square, and a row of heights is the track.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import factorial

import numpy as np
from numpy.typing import NDArray

from games.camelup.position import Position

Whole = NDArray[np.int64]

REMEMBERED = 1024  # positions whose odds are kept: between two rolls everybody asks for the same ones


@dataclass(frozen=True)
class LegOdds:
    """What can come of a leg, as counts out of ``sequences``. Camels and squares are numbered from 0."""

    sequences: int
    ranks: Whole  # [camel, place]: how often the camel is first, second, ..., last
    top: Whole  # [camel, camel]: how often this one is first and that one second
    landings: Whole  # [square]: units that a die brings to the square, whether a tile lies there or not
    race_ends: int

    def tile_hits(self, square: int) -> int:
        """Return how often a unit lands on a square, over all sequences: what a tile there earns its owner."""
        return int(self.landings[square]) if square < len(self.landings) else 0


def leg_odds(position: Position) -> LegOdds:
    """Return the odds of the leg as it stands."""
    terms = position.terms
    tiles = tuple(sorted((abs(tile), 1 if tile > 0 else -1) for tile in position.tiles if tile))
    return track_odds(
        terms.spaces, position.order, position.place, position.left, tiles, (terms.die_low, terms.die_high)
    )


@lru_cache(REMEMBERED)
def track_odds(
    finish: int,
    order: tuple[int, ...],
    place: tuple[int, ...],
    left: tuple[int, ...],
    tiles: tuple[tuple[int, int], ...],
    die: tuple[int, int],
) -> LegOdds:
    """Return the odds of a leg.

    ``order``: all camels from last to first. ``place``: the square of each camel. ``left``: camels whose dice are
    still to come. ``tiles``: (square, 1 or -1). ``die``: its lowest and highest face. The race ends when a camel
    reaches square ``finish``.
    """
    leg = _Leg(finish, order, place, left, tiles, die)
    for _ in left:
        leg.roll()
    return leg.odds()


class Track:
    """What does not change while dice are rolled: how heights are made, and where tiles push."""

    def __init__(self, camels: int, squares: int, tiles: tuple[tuple[int, int], ...]) -> None:
        """``squares``: one more than any die can reach."""
        self.camels = camels
        self.shift = (camels - 1).bit_length()
        self.push = np.zeros(squares, np.int64)
        for square, side in tiles:
            if square < squares:
                self.push[square] = side

    def heights(self, order: tuple[int, ...], place: tuple[int, ...]) -> Whole:
        """Return the height of each camel."""
        found = [0] * self.camels
        level = 0
        for below, camel in zip((None, *order), order, strict=False):
            level = level + 1 if below is not None and place[below] == place[camel] else 0
            found[camel] = (place[camel] << self.shift) + level
        return np.array(found, np.int64)

    def ride(self, heights: Whole, movers: Whole, pips: Whole) -> tuple[Whole, Whole, Whole]:
        """Move a camel in each of many situations.

        ``heights``: [situation, camel]. ``movers``: [situation]. ``pips``: [any, situation] or what broadcasts to it.
        Returns the heights [any, situation, camel], the squares where the dice end and, after tiles, the units
        [any, situation].
        """
        mover = heights[np.arange(len(heights)), movers]
        square = mover >> self.shift
        unit = (heights >= mover[:, None]) & (heights < (square + 1 << self.shift)[:, None])
        landing = pips + square
        push = self.push[landing]
        target = landing + push
        there = ((heights >> self.shift) == target[:, :, None]) & ~unit
        rise = (target << self.shift) - mover
        under = push < 0
        if under.any():
            rise += np.where(under, 0, there.sum(2))
            others = heights + there * np.where(under, unit.sum(1), 0)[:, :, None]
        else:
            rise += there.sum(2)
            others = heights[None]
        return np.where(unit, heights + rise[:, :, None], others), landing, target


class _Leg:
    """All situations after some of the dice: their heights, dice still to come, and counts."""

    def __init__(
        self,
        finish: int,
        order: tuple[int, ...],
        place: tuple[int, ...],
        left: tuple[int, ...],
        tiles: tuple[tuple[int, int], ...],
        die: tuple[int, int],
    ) -> None:
        self.camels = len(place)
        self.finish = finish
        self.faces = np.arange(die[0], die[1] + 1, dtype=np.int64)[:, None]
        self.dice_left = len(left)
        self.track = Track(self.camels, max(*place, finish) + (die[1] + 1) * len(left) + 1, tiles)
        self.landings = np.zeros(len(self.track.push), np.int64)
        self.race_ends = 0
        self.heights = self.track.heights(order, place)[None]
        self.waiting: NDArray[np.bool_] = np.zeros((1, self.camels), np.bool_)
        self.waiting[0, list(left)] = True
        self.counts: Whole = np.ones(1, np.int64)
        self.ended: list[tuple[Whole, Whole]] = []  # heights and counts of situations where nothing more can come

    def sequences(self) -> int:
        """Return how many sequences of the dice that are left there are."""
        return int(factorial(self.dice_left) * len(self.faces) ** self.dice_left)

    def roll(self) -> None:
        """Go on by one die: for every situation, every die still to come, every face."""
        self.dice_left -= 1
        rest = self.sequences()
        rows, movers = self.waiting.nonzero()
        if not len(rows):
            return
        heights, landing, target = self.track.ride(self.heights[rows], movers, self.faces)
        counts = np.broadcast_to(self.counts[rows], landing.shape).ravel()
        self.landings += np.bincount(landing.ravel(), counts * rest, len(self.landings)).astype(np.int64)
        waiting = self.waiting[rows]
        waiting[np.arange(len(rows)), movers] = False
        waiting = np.broadcast_to(waiting, heights.shape).reshape(-1, self.camels)
        self._keep(heights.reshape(-1, self.camels), waiting, counts, (target >= self.finish).ravel(), rest)

    def _keep(
        self, heights: Whole, waiting: NDArray[np.bool_], counts: Whole, crossed: NDArray[np.bool_], rest: int
    ) -> None:
        """Set the ended situations aside and merge the others."""
        if crossed.any():
            self.ended.append((heights[crossed], counts[crossed] * rest))
            self.race_ends += int(self.ended[-1][1].sum())
            running = ~crossed
            heights, waiting, counts = heights[running], waiting[running], counts[running]
        if self.dice_left and len(heights):
            keys = _keys(heights, waiting)
            _, first, which = np.unique(keys, return_index=True, return_inverse=True)
            counts = np.bincount(which, counts).astype(np.int64)
            heights, waiting = heights[first], waiting[first]
        self.heights, self.waiting, self.counts = heights, waiting, counts

    def odds(self) -> LegOdds:
        """Count how the camels stand in the end."""
        camels = self.camels
        ended = [*self.ended, (self.heights, self.counts)]
        heights = np.concatenate([part[0] for part in ended])
        counts = np.concatenate([part[1] for part in ended])
        ranking = np.argsort(-heights, axis=1)
        cells = (ranking * camels + np.arange(camels)).ravel()
        ranks = np.bincount(cells, np.repeat(counts, camels), camels * camels).astype(np.int64)
        top = np.zeros(camels * camels, np.int64)
        if camels > 1:
            pairs = ranking[:, 0] * camels + ranking[:, 1]
            top = np.bincount(pairs, counts, camels * camels).astype(np.int64)
        return LegOdds(
            sequences=int(counts.sum()),
            ranks=ranks.reshape(camels, camels),
            top=top.reshape(camels, camels),
            landings=self.landings,
            race_ends=self.race_ends,
        )


def _keys(heights: Whole, waiting: NDArray[np.bool_]) -> Whole:
    """Return a number for each situation: equal ones have equal numbers, different ones do not."""
    camels = heights.shape[1]
    lowest = int(heights.min())
    width = (int(heights.max()) - lowest).bit_length()
    if (width + 1) * camels <= 62:
        powers = np.left_shift(np.int64(1), (width + 1) * np.arange(camels, dtype=np.int64))
        keys: Whole = ((heights - lowest) * 2 + waiting) @ powers
        return keys
    # Too many camels for a machine word: number the distinct rows.
    _, which = np.unique(np.concatenate([heights, waiting], axis=1), axis=0, return_inverse=True)
    return which.reshape(-1).astype(np.int64)
