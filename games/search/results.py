"""What the end of a match is worth to each seat, as bots see it that know no game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.core import State
from games.core.ranks import scaled_ranks


def results(ended: State[Any]) -> list[float]:
    """Return the scaled rank of each seat, from 1 (first) to 0 (last); who plays alone gets its score, more is better.

    Tied seats share the better rank, as competitions count and the laboratory does.
    """
    if ended.seats == 1:
        [score] = ended.scores()
        return [-score if ended.low_wins else score]
    return scaled_ranks(ended.ranks())


def rewards(ended: State[Any]) -> list[float]:
    """Return the scaled rank of each seat, where seats that tie share what the places they take together are worth.

    So to win alone is worth more than to share it. By the scaled rank alone a bot would be content with any draw.
    """
    return results(ended) if ended.seats == 1 else shared(ended.ranks())


def shared(ranks: Sequence[int]) -> list[float]:
    """Return ranks as numbers from 1 (first alone) to 0 (last alone), ties sharing what their places are worth.

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
