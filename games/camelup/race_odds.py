"""Estimated odds of the whole race: many races run on from here, all at once.

The leg's exact odds reach no further than its last die. Beyond it, ``RUNS`` races are rolled to their end with the
tiles that lie now; in a rule set where tiles go back, they are gone after this leg. The same position always gets the
same estimate, whoever asks.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from games.camelup.odds import REMEMBERED, Track, Whole
from games.camelup.position import Position

RUNS = 600
SEED = 20141  # of the estimates: any number


@dataclass(frozen=True)
class RaceOdds:
    """Shares of the races that were rolled to their end."""

    wins: NDArray[np.float64]  # [camel]: it crosses the line in front
    losses: NDArray[np.float64]  # [camel]: it is last then
    landings: NDArray[np.float64]  # [square]: units that a die brings there, a race
    dice: float  # still to be rolled, a race


def race_odds(position: Position) -> RaceOdds:
    """Return the estimate for a race as it stands."""
    terms = position.terms
    tiles = tuple(sorted((abs(tile), 1 if tile > 0 else -1) for tile in position.tiles if tile))
    die = (terms.die_low, terms.die_high)
    return _race_odds(terms.spaces, position.order, position.place, position.left, tiles, die, terms.tiles_stay)


@lru_cache(REMEMBERED)
def _race_odds(
    finish: int,
    order: tuple[int, ...],
    place: tuple[int, ...],
    left: tuple[int, ...],
    tiles: tuple[tuple[int, int], ...],
    die: tuple[int, int],
    tiles_stay: bool,
) -> RaceOdds:
    camels = len(place)
    draw = np.random.default_rng(SEED)
    squares = finish + die[1] + 2
    track = Track(camels, squares, tiles)
    running = np.broadcast_to(track.heights(order, place), (RUNS, camels))
    ended: list[Whole] = []
    landings = np.zeros(squares, np.int64)
    dice = 0
    waiting = np.array(left or range(camels))
    while len(running):
        orders = waiting[draw.random((len(running), len(waiting))).argsort(axis=1)]
        for turn in range(len(waiting)):
            pips = draw.integers(die[0], die[1] + 1, (1, len(running)))
            heights, landing, target = track.ride(running, orders[:, turn], pips)
            landings += np.bincount(landing[0], minlength=squares)
            dice += len(running)
            over = target[0] >= finish
            if over.any():
                ended.append(heights[0][over])
                orders = orders[~over]
                running = heights[0][~over]
            else:
                running = heights[0]
            if not len(running):
                break
        waiting = np.arange(camels)
        if not tiles_stay:
            track = Track(camels, squares, ())
    final = np.concatenate(ended)
    return RaceOdds(
        wins=np.bincount(final.argmax(1), minlength=camels) / RUNS,
        losses=np.bincount(final.argmin(1), minlength=camels) / RUNS,
        landings=landings / RUNS,
        dice=dice / RUNS,
    )
