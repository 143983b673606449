"""Estimated odds of the whole race, by simulating many races from here at once.

The exact odds of the leg end with its last die. Beyond it, ``RUNS`` races are rolled to their end with the current
tiles; in rule sets where tiles go back, they are removed after this leg. The same position always gets the same
estimate.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from games.camelup.odds import REMEMBERED, Heights, LegTrack, Placement, Whole
from games.camelup.position import Position

RUNS = 600
SEED = 20141  # of the estimates: any number


@dataclass(frozen=True)
class RaceOdds:
    """Shares of the races that were rolled to their end."""

    wins: NDArray[np.float64]  # [camel]: it crosses the line in front
    losses: NDArray[np.float64]  # [camel]: it is last then
    landings: NDArray[np.float64]  # [square]: units that a die brings there, a race
    wins_after: NDArray[np.float64]  # [leader, camel]: that one leads when this leg ends, and this one wins later
    losses_after: NDArray[np.float64]  # [last, camel]: that one is last when this leg ends, and this one loses later


def race_odds(position: Position) -> RaceOdds:
    """Return the estimate for a race."""
    return _race_odds(Placement.of(position), position.terms.tiles_stay)


@lru_cache(REMEMBERED)
def _race_odds(placement: Placement, tiles_stay: bool) -> RaceOdds:
    finish, order, place, left, tiles, (low, high) = placement
    camels = len(place)
    draw = np.random.default_rng(SEED)
    squares = finish + high + 2  # more than a die can reach
    track = LegTrack(camels, squares, tiles)
    running = np.broadcast_to(track.heights(order, place)[:, None], (camels, RUNS))
    runs = np.arange(RUNS)
    final = np.zeros((camels, RUNS), np.int32)  # heights when the race ends
    after_leg: tuple[Whole, Heights] | None = None  # the runs that go on after this leg, and their heights then
    landings = np.zeros(squares, np.int64)
    waiting = np.array(left or range(camels))
    while len(runs):
        orders = waiting[draw.random((len(runs), len(waiting))).argsort(axis=1)]
        for turn in range(len(waiting)):
            pips = draw.integers(low, high + 1, (1, len(runs))).astype(np.int32)
            heights, landing, target = track.ride(running, orders[:, turn], pips)
            landings += np.bincount(landing[0], minlength=squares)
            over = target[0] >= finish
            final[:, runs[over]] = heights[:, 0, over]
            running, runs, orders = heights[:, 0, ~over], runs[~over], orders[~over]
        if after_leg is None:
            after_leg = runs, running
            waiting = np.arange(camels)
            if not tiles_stay:
                track = LegTrack(camels, squares, ())
    winners, losers = final.argmax(0), final.argmin(0)
    going, then = after_leg or (runs, running)
    return RaceOdds(
        wins=np.bincount(winners, minlength=camels) / RUNS,
        losses=np.bincount(losers, minlength=camels) / RUNS,
        landings=landings / RUNS,
        wins_after=_pairs(then.argmax(0), winners[going], camels) / RUNS,
        losses_after=_pairs(then.argmin(0), losers[going], camels) / RUNS,
    )


def _pairs(first: Whole, second: Whole, size: int) -> Whole:
    """Count the pairs: [first, second]."""
    return np.bincount(first * size + second, minlength=size * size).reshape(size, size)
