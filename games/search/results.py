"""The value of a finished match for each seat, for bots that can play any game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.core import State
from games.core.ranks import scaled_ranks


def results(ended: State[Any]) -> list[float]:
    """Return the scaled rank of each seat, from 1 (first) to 0 (last); in solitaire games the score, higher is better.

    Tied seats share the better rank, as in competitions and in the laboratory.
    """
    if ended.seats == 1:
        [score] = ended.scores()
        return [-score if ended.low_wins else score]
    return scaled_ranks(ended.ranks())


def rewards(ended: State[Any]) -> list[float]:
    """Return the scaled rank of each seat, where tied seats share the mean value of their ranks.

    So a sole win is worth more than a shared one. With plain scaled ranks a bot would be content with any draw.
    """
    return results(ended) if ended.seats == 1 else shared(ended.ranks())


def shared(ranks: Sequence[int]) -> list[float]:
    """Return ranks as numbers from 1 (sole first) to 0 (sole last), where ties share the mean of their ranks.

    >>> shared([1, 1])
    [0.5, 0.5]
    >>> shared([1, 2, 2])
    [1.0, 0.25, 0.25]
    """
    last = len(ranks) - 1
    return [
        (sum(other > mine for other in ranks) + (sum(other == mine for other in ranks) - 1) / 2) / last
        for mine in ranks
    ]
