"""95 % confidence intervals of rates and of means over matches, and p-values of several tests."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Table: TypeAlias = NDArray[np.float64]

Z = 1.959964  # standard deviations on each side that contain 95 % of a normal distribution
LEVEL = 0.05  # how probable it is that such an interval does not contain the true value
RESAMPLES = 2000
LARGEST_DRAW = 1_000_000  # numbers at once
FEW = 20  # matches below which a bootstrap interval of a mean is too narrow


def quantile(level: float) -> float:
    """Return how many standard deviations on each side contain a normal number, except with probability ``level``.

    >>> round(quantile(0.05), 6), round(quantile(0.001), 6)
    (1.959964, 3.290527)
    """
    return Z if level == LEVEL else NormalDist().inv_cdf(1 - level / 2)


def wilson(wins: float, matches: int, z: float = Z) -> tuple[float, float]:
    """Return Wilson's 95 % interval of the rate ``wins / matches``; a shared win counts as a fraction.

    Another ``z`` gives the interval of another level.

    Source: E. B. Wilson, Journal of the American Statistical Association 22 (1927), page 209.
    """
    rate, square = wins / matches, z * z / matches
    centre = (rate + square / 2) / (1 + square)
    half = z / (1 + square) * math.sqrt(rate * (1 - rate) / matches + square / (4 * matches))
    return max(0.0, centre - half), min(1.0, centre + half)


def bootstrap(parts: Sequence[tuple[float, float]], seed: str) -> tuple[float, float] | None:
    """Return the bootstrap 95 % interval of a ratio of sums; each part is one match's (numerator, denominator).

    Whole matches are resampled with replacement, because the decisions of one match are not independent. The interval
    lies between the 2.5 % and 97.5 % quantiles of the ratios. It is None for a single match, and too narrow for fewer
    than about 20. The same ``seed`` and parts give the same interval.

    Source: B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap (1993), chapter 13, percentile interval.
    """
    if len(parts) < 2:
        return None
    import numpy as np  # not at the top: processes that play matches need only ``wilson``, and NumPy is slow to import

    table = np.array(parts, dtype=float)
    # The legacy generator: NumPy guarantees that its stream never changes, unlike that of the new generators.
    draws = np.random.RandomState(list(hashlib.sha256(seed.encode()).digest()))
    batch = max(1, LARGEST_DRAW // len(table))
    ratios: list[float] = []
    for first in range(0, RESAMPLES, batch):
        picked = draws.randint(0, len(table), size=(min(batch, RESAMPLES - first), len(table)))
        sums = table[picked].sum(axis=1)
        ratios += (sums[:, 0][sums[:, 1] > 0] / sums[:, 1][sums[:, 1] > 0]).tolist()
    low, high = np.quantile(ratios, [0.025, 0.975])
    return float(low), float(high)


def bootstrap_means(table: Table, seed: str, resamples: int = RESAMPLES) -> tuple[Table, Table] | None:
    """Return the ends of the bootstrap 95 % intervals of the means over ``table[match]``, each of the same shape.

    None for a single match. See ``bootstrap``.
    """
    if len(table) < 2:
        return None
    import numpy as np

    draws = np.random.RandomState(list(hashlib.sha256(seed.encode()).digest()))
    times = draws.multinomial(len(table), [1 / len(table)] * len(table), size=resamples)
    means = times @ table.reshape(len(table), -1) / len(table)
    low, high = np.quantile(means, [0.025, 0.975], axis=0)
    return low.reshape(table.shape[1:]), high.reshape(table.shape[1:])


def covering(
    value: float,
    low: float,
    high: float,
    matches: int,
    lowest: float = 0.0,
    highest: float = 1.0,
    level: float = LEVEL,
) -> tuple[float, float]:
    """Return a bootstrap interval, widened where the bootstrap cannot know better: few matches, or all of them equal.

    ``value`` is the mean over ``matches`` of numbers between ``lowest`` and ``highest``. The result always contains
    the given interval, so widening it twice changes nothing. ``level``: how probable it is that the interval does not
    contain the true mean.

    *All matches equal.* The bootstrap resamples what there is: from fifty matches of 1 it makes [1, 1], though a match
    of 0 may be due every thirty. But let p be the probability of this value c. Fifty in a row have the probability
    p^50, which is below 5 % unless p is at least .05^(1/50). With such a p the mean lies between p c + (1 - p) lowest
    and p c + (1 - p) highest. This holds for any distribution between the bounds. For c = 1 it is Clopper and Pearson's
    one-sided bound, close to 1 - 3/n, the "rule of three".

    *Few matches.* Below 20, percentile intervals are too narrow. Among distributions from 0 to 1 with a given mean,
    that of a coin has the largest variance (x^2 <= x), so an interval for coins is conservative for all of them. Here
    it is Wilson's, with a mean in place of a rate, as for shared wins.

    Both treat a match as one observation. Where matches weigh differently (a measure over decisions), they hold as far
    as the weight does not depend on the value.

    Sources: C. J. Clopper and E. S. Pearson, Biometrika 26 (1934), page 404; J. A. Hanley and A. Lippman-Hand, "If
    nothing goes wrong, is everything all right?", JAMA 249 (1983), page 1743; E. B. Wilson, as for ``wilson``.

    >>> [round(end, 3) for end in covering(1.0, 1.0, 1.0, 50)]
    [0.942, 1.0]
    >>> [round(end, 3) for end in covering(0.5, 0.45, 0.55, 3)]
    [0.125, 0.875]
    >>> covering(0.5, 0.45, 0.55, 50)
    (0.45, 0.55)
    """
    width = highest - lowest
    share = min(1.0, max(0.0, (value - lowest) / width))
    ends = [(low, high)]
    if matches < FEW:
        ends.append(_stretched(wilson(share * matches, matches, quantile(level)), lowest, width))
    if high - low < 1e-9:
        likely = level ** (1 / matches)
        ends.append(_stretched((likely * share, 1 - likely * (1 - share)), lowest, width))
    return min(low for low, _ in ends), max(high for _, high in ends)


def _stretched(ends: tuple[float, float], lowest: float, width: float) -> tuple[float, float]:
    return lowest + ends[0] * width, lowest + ends[1] * width


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for their number: below a level only where Holm's step-down method rejects.

    Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6
    (1979), page 65.

    >>> [round(each, 3) for each in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted, so_far = [0.0] * len(p_values), 0.0
    for place, number in enumerate(order):
        so_far = max(so_far, min(1.0, (len(p_values) - place) * p_values[number]))
        adjusted[number] = so_far
    return adjusted
