"""Comparing two reports: by how much a measure differs, and whether that is more than chance."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

from games.lab.reports import NAMES, AnalysisReport, Figure

Verdict = Literal["more", "less", "inconclusive"]
# Measures that depend on the number of roll-outs, whose noise biases them: only compared for equal numbers.
OF_ROLLOUTS = frozenset(NAMES) - {"fairness", "convergence", "length", "branching"}
ONLY_ONE, NEITHER = "only one report has it", "neither report has it"
OTHER_ROLLOUTS = "made with different numbers of roll-outs"


class Difference(NamedTuple):
    """The second figure minus the first, with a 95 % interval (None if it has none)."""

    value: float
    low: float | None
    high: float | None

    @property
    def verdict(self) -> Verdict:
        """Whether the second is clearly more or less than the first, that is, whether 0 lies outside the interval."""
        if self.low is None or self.high is None:
            return "inconclusive"
        return "more" if self.low > 0 else "less" if self.high < 0 else "inconclusive"


def difference(first: Figure, second: Figure) -> Difference:
    """Return the second figure minus the first, for independent matches.

    The interval combines those of the two figures, [l1, u1] around a and [l2, u2] around b, by a normal approximation
    that keeps their asymmetry ("square and add"): from b - a - sqrt((b - l2)^2 + (u1 - a)^2) to b - a + sqrt((u2 - b)^2
    + (a - l1)^2).

    Sources: R. G. Newcombe, Statistics in Medicine 17 (1998), page 873, method 10, for Wilson's intervals of rates; G.
    Y. Zou and A. Donner, Statistics in Medicine 27 (2008), page 1693, for others, such as those of the bootstrap.

    >>> figure = lambda value, low, high: {"value": value, "low": low, "high": high, "matches": 100}
    >>> gap = difference(figure(0.5, 0.47, 0.54), figure(0.7, 0.67, 0.74))
    >>> round(gap.value, 9), round(gap.low, 9), round(gap.high, 9), gap.verdict
    (0.2, 0.15, 0.25, 'more')
    """
    value = second["value"] - first["value"]
    if first["low"] is None or first["high"] is None or second["low"] is None or second["high"] is None:
        return Difference(value, None, None)
    below = math.hypot(second["value"] - second["low"], first["high"] - first["value"])
    above = math.hypot(second["high"] - second["value"], first["value"] - first["low"])
    return Difference(value, value - below, value + above)


class Compared(NamedTuple):
    """A measure in two reports; ``why_not`` says why they cannot be compared, "" if they can."""

    name: str
    first: Figure | None
    second: Figure | None
    difference: Difference | None
    why_not: str


def compare(first: AnalysisReport, second: AnalysisReport) -> list[Compared]:
    """Return every measure of two reports, in the usual order, with ties shared."""
    rows = []
    for name in NAMES:
        one, other = first["measures"].get(name), second["measures"].get(name)
        why_not = ""
        if one is None or other is None:
            why_not = ONLY_ONE if one or other else NEITHER
        elif name in OF_ROLLOUTS and first["rollouts"] != second["rollouts"]:
            why_not = OTHER_ROLLOUTS
        gap = difference(one, other) if one and other and not why_not else None
        rows.append(Compared(name, one, other, gap, why_not))
    return rows
