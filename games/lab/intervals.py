"""95 % confidence intervals of rates and of means over matches."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence

Z = 1.959964  # standard deviations on each side that contain 95 % of a normal distribution
RESAMPLES = 2000
LARGEST_DRAW = 1_000_000  # numbers at once


def wilson(wins: float, matches: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of the rate ``wins / matches``; a shared win counts as a fraction.

    Source: E. B. Wilson, Journal of the American Statistical Association 22 (1927), page 209.
    """
    rate, square = wins / matches, Z * Z / matches
    centre = (rate + square / 2) / (1 + square)
    half = Z / (1 + square) * math.sqrt(rate * (1 - rate) / matches + square / (4 * matches))
    return max(0.0, centre - half), min(1.0, centre + half)


def bootstrap(
    parts: Sequence[tuple[float, float]], seed: str, resamples: int = RESAMPLES
) -> tuple[float, float] | None:
    """Return the bootstrap 95 % interval of a ratio of sums; each part is one match's (numerator, denominator).

    Whole matches are resampled with replacement, because the decisions of one match are not independent. The interval
    lies between the 2.5 % and 97.5 % quantiles of the ratios. It is None for a single match, and too narrow for fewer
    than about 20. The same ``seed`` and parts give the same interval.

    Source: B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap (1993), chapter 13, percentile interval.
    """
    if len(parts) < 2:
        return None
    import numpy as np  # not at the top: simulations need only ``wilson``, and NumPy is slow to import

    table = np.array(parts, dtype=float)
    # The legacy generator: NumPy guarantees that its stream never changes, unlike that of the new generators.
    draws = np.random.RandomState(list(hashlib.sha256(seed.encode()).digest()))
    batch = max(1, LARGEST_DRAW // len(table))
    ratios: list[float] = []
    for first in range(0, resamples, batch):
        picked = draws.randint(0, len(table), size=(min(batch, resamples - first), len(table)))
        sums = table[picked].sum(axis=1)
        ratios += (sums[:, 0][sums[:, 1] > 0] / sums[:, 1][sums[:, 1] > 0]).tolist()
    low, high = np.quantile(ratios, [0.025, 0.975])
    return float(low), float(high)
