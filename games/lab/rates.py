"""How sure a rate is that was counted in so many matches."""

from __future__ import annotations

import math

Z = 1.959964  # 95 % of a normal distribution lie within so many deviations


def wilson(wins: float, matches: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a rate: ``wins`` of ``matches``, where a shared win may count in part.

    Source: E. B. Wilson, Journal of the American Statistical Association 22 (1927), page 209.
    """
    rate, square = wins / matches, Z * Z / matches
    centre = (rate + square / 2) / (1 + square)
    half = Z / (1 + square) * math.sqrt(rate * (1 - rate) / matches + square / (4 * matches))
    return max(0.0, centre - half), min(1.0, centre + half)
