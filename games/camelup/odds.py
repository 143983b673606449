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
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.camelup.position import Position, bits

Whole = NDArray[np.int64]
Heights = NDArray[np.int32]

REMEMBERED = 1024  # positions whose odds are kept: between two rolls everybody asks for the same ones


@dataclass(frozen=True)
class LegOdds:
    """The outcomes of a leg, as counts out of ``sequences``. Camels and squares are numbered from 0."""

    sequences: int
    ranks: Whole  # [camel, rank]: how often the camel is first, second, ..., last
    top: Whole  # [camel, camel]: how often this one is first and that one second
    landings: Whole  # [square]: units that a die brings to the square, whether a tile lies there or not
    race_ends: int

    def tile_hits(self, square: int) -> int:
        """Return how often a unit lands on a square, over all sequences: what a tile there earns its owner."""
        return int(self.landings[square]) if square < len(self.landings) else 0


class Placement(NamedTuple):
    """All that the odds of a race depend on."""

    finish: int  # the race ends when a camel reaches this square
    order: tuple[int, ...]  # all camels, last to first
    place: tuple[int, ...]  # the square of each camel
    left: tuple[int, ...]  # camels whose dice are still to come in this leg
    tiles: tuple[tuple[int, int], ...]  # (square, 1 or -1)
    die: tuple[int, int]  # its lowest and its highest face

    @staticmethod
    def of(position: Position) -> Placement:
        """Return the placement of a race."""
        terms = position.terms
        tiles = tuple(sorted((abs(tile), 1 if tile > 0 else -1) for tile in position.tiles if tile))
        die = (terms.die_low, terms.die_high)
        return Placement(terms.spaces, position.order, position.place, position.left, tiles, die)


def leg_odds(position: Position) -> LegOdds:
    """Return the odds of the current leg."""
    return track_odds(Placement.of(position))


@lru_cache(REMEMBERED)
def track_odds(placement: Placement) -> LegOdds:
    """Return the odds of a leg."""
    leg = _Leg(placement)
    for _ in placement.left:
        leg.roll()
    return leg.odds()


class LegTrack:
    """What does not change while dice are rolled: how heights are made, and where tiles push."""

    def __init__(self, camels: int, squares: int, tiles: tuple[tuple[int, int], ...]) -> None:
        """``squares``: one more than any die can reach."""
        self.camels = camels
        self.shift = (camels - 1).bit_length()
        self.push = np.zeros(squares, np.int32)
        for square, side in tiles:
            if square < squares:
                self.push[square] = side

    def heights(self, order: tuple[int, ...], place: tuple[int, ...]) -> Heights:
        """Return the height of each camel: [camel]."""
        heights = [0] * self.camels
        level = 0
        for below, camel in zip((None, *order), order, strict=False):
            level = level + 1 if below is not None and place[below] == place[camel] else 0
            heights[camel] = (place[camel] << self.shift) + level
        return np.array(heights, np.int32)

    def ride(self, heights: Heights, movers: Whole, pips: Heights) -> tuple[Heights, Heights, Heights]:
        """Move a camel in each of many situations.

        ``heights``: [camel, situation]. ``movers``: [situation]. ``pips``: [any, situation] or what broadcasts to it.
        Returns the heights [camel, any, situation], the squares where the dice end and, after tiles, the units
        [any, situation].
        """
        mover = heights[movers, np.arange(len(movers))]
        square = mover >> self.shift
        unit = (heights >= mover) & (heights < (square + 1 << self.shift))
        landing = pips + square
        push = self.push[landing]
        target = landing + push
        heights, unit = heights[:, None], unit[:, None]
        there = ((heights >> self.shift) == target) & ~unit
        rise = (target << self.shift) - mover
        under = push < 0
        if under.any():
            rise += np.where(under, 0, _how_many(there, 0))
            heights = heights + there * np.where(under, _how_many(unit, 0), 0)
        else:
            rise += _how_many(there, 0)
        return heights + unit * rise, landing, target


class _Leg:
    """All situations after some of the dice: their heights, dice still to come, and counts."""

    def __init__(self, placement: Placement) -> None:
        finish, order, place, left, tiles, (low, high) = placement
        self.camels = len(place)
        self.finish = finish
        self.faces = np.arange(low, high + 1, dtype=np.int32)[:, None]
        self.dice_left = len(left)
        self.track = LegTrack(self.camels, max(*place, finish) + (high + 1) * len(left) + 1, tiles)
        self.landings = np.zeros(len(self.track.push), np.int64)
        self.race_ends = 0
        # Of each situation: [camel, situation], the dice still to come as bits, and in how many ways it can come about.
        self.heights = self.track.heights(order, place)[:, None]
        self.waiting = np.array([bits(left)], np.int64)
        self.counts: Whole = np.ones(1, np.int64)
        self.ended: list[tuple[Heights, Whole]] = []  # heights and counts of situations where nothing more can come

    def sequences(self) -> int:
        """Return how many sequences of the dice that are left there are."""
        return int(factorial(self.dice_left) * len(self.faces) ** self.dice_left)

    def roll(self) -> None:
        """Roll one more die: for every situation, every die still to come, every face."""
        self.dice_left -= 1
        rest = self.sequences()
        movers, rows = (self.waiting >> np.arange(self.camels)[:, None] & 1).nonzero()
        if not len(rows):
            return
        heights, landing, target = self.track.ride(self.heights.take(rows, 1), movers, self.faces)
        counts = np.broadcast_to(self.counts[rows], landing.shape).ravel()
        self.landings += np.bincount(landing.ravel(), counts * rest, len(self.landings)).astype(np.int64)
        waiting = np.broadcast_to(self.waiting[rows] & ~(1 << movers), landing.shape).ravel()
        self._keep(heights.reshape(self.camels, -1), waiting, counts, (target >= self.finish).ravel(), rest)

    def _keep(self, heights: Heights, waiting: Whole, counts: Whole, crossed: NDArray[np.bool_], rest: int) -> None:
        """Set the ended situations aside and merge the others."""
        if crossed.any():
            self.ended.append((heights[:, crossed], counts[crossed] * rest))
            self.race_ends += int(self.ended[-1][1].sum())
            running = ~crossed
            heights, waiting, counts = heights[:, running], waiting[running], counts[running]
        if self.dice_left and len(counts):
            keys = _keys(heights, waiting)
            order = _order(keys)
            keys = keys[order]
            first = np.concatenate([[0], (keys[1:] != keys[:-1]).nonzero()[0] + 1])
            counts = np.add.reduceat(counts[order], first)
            heights, waiting = heights.take(order[first], 1), waiting[order[first]]
        self.heights, self.waiting, self.counts = heights, waiting, counts

    def odds(self) -> LegOdds:
        """Count the ranks of the camels at the end."""
        camels = self.camels
        ended = [*self.ended, (self.heights, self.counts)]
        heights = np.concatenate([part[0] for part in ended], axis=1)
        counts = np.concatenate([part[1] for part in ended])
        beaten_by = _how_many(heights[:, None] < heights, 1)  # [camel, situation]: by how many others it is beaten
        ranks = np.array([np.bincount(counted, counts, camels) for counted in beaten_by]).astype(np.int64)
        top = np.zeros(camels * camels, np.int64)
        if camels > 1:
            pairs = (beaten_by == 0).argmax(0) * camels + (beaten_by == 1).argmax(0)
            top = np.bincount(pairs, counts, camels * camels).astype(np.int64)
        return LegOdds(
            sequences=int(counts.sum()),
            ranks=ranks,
            top=top.reshape(camels, camels),
            landings=self.landings,
            race_ends=self.race_ends,
        )


def _how_many(true: NDArray[np.bool_], axis: int) -> NDArray[np.int8]:
    """Count along an axis of camels: NumPy's own sum of truth values is many times slower."""
    counted: NDArray[np.int8] = true.view(np.int8).sum(axis, np.int8)
    return counted


def _keys(heights: Heights, waiting: Whole) -> Whole:
    """Return a number for each situation: equal ones have equal numbers, different ones do not."""
    camels = len(heights)
    lowest = int(heights.min())
    width = (int(heights.max()) - lowest).bit_length()
    if (width + 1) * camels <= 62:
        keys = waiting
        for height in heights:
            keys = (keys << width) + (height - lowest)
        return keys
    # Too many camels for a machine word: number the distinct columns.
    _, which = np.unique(np.vstack([heights, waiting]), axis=1, return_inverse=True)
    return which.reshape(-1).astype(np.int64)


def _order(keys: Whole) -> Whole:
    """Return the indexes that sort ``keys``: NumPy sorts numbers many times faster than it finds these."""
    size = len(keys).bit_length()
    if int(keys.max()).bit_length() + size > 63:
        return keys.argsort()
    return np.sort(keys << size | np.arange(len(keys))) & ((1 << size) - 1)
