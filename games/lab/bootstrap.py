"""How sure a mean is that was found in so many matches: by drawing matches again. For rates see ``rates``."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

RESAMPLES = 2000
LARGEST_DRAW = 1_000_000  # numbers at once


def bootstrap(
    parts: Sequence[tuple[float, float]], seed: str, resamples: int = RESAMPLES
) -> tuple[float, float] | None:
    """Return the 95 % interval of a ratio of sums, each match giving a part of both: (of the sum, of its weight).

    Whole matches are drawn with replacement, as decisions of one match are no independent ones, and the 2.5 % and
    97.5 % quantiles of the ratios taken. One match tells nothing of how they differ: None. With fewer than about 20 the
    interval is too narrow. Equal ``seed`` and parts give equal intervals.

    Source: B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap (1993), chapter 13, percentile interval.
    """
    if len(parts) < 2:
        return None
    table = np.array(parts, dtype=float)
    # The old generator, because NumPy promises that its draws never change, and the new ones' may.
    draws = np.random.RandomState(list(hashlib.sha256(seed.encode()).digest()))
    batch = max(1, LARGEST_DRAW // len(table))
    ratios: list[float] = []
    for first in range(0, resamples, batch):
        picked = draws.randint(0, len(table), size=(min(batch, resamples - first), len(table)))
        sums = table[picked].sum(axis=1)
        ratios += (sums[:, 0][sums[:, 1] > 0] / sums[:, 1][sums[:, 1] > 0]).tolist()
    low, high = np.quantile(ratios, [0.025, 0.975])
    return float(low), float(high)
