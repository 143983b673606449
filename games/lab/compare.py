"""Comparing two reports: by how much a measure differs, and whether that is more than chance.

A table of a dozen measures is a dozen tests: with 5 % for each, every second table of equal games would show a
difference. So verdicts are corrected by Holm's method, which keeps the probability of any false verdict in a table
below 5 %. There are none where a side has fewer than ``FEW`` matches, and none on measures that few roll-outs change.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

from games.lab.intervals import FEW, Z, holm
from games.lab.report_types import AnalysisReport, Figure
from games.lab.reports import NAMES

Verdict = Literal["more", "less", "inconclusive", "few", "biased", "noisy"]
FAMILY_WISE_LEVEL = 0.05  # probability of any false verdict in a table
# Measures that depend on the number of roll-outs, whose noise biases them: only compared for equal numbers.
OF_ROLLOUTS = frozenset(NAMES) - {"fairness", "convergence", "length", "branching"}
BIASED = frozenset({"spread"})  # by the number of options, which differs between games: see ``spread_corrected``
# Between the same games, differences in these were clear with 5 roll-outs, and not or reversed with 40:
# docs/studies/measures.md
NOISY = frozenset({"drama", "clarity"})
STEADY = 10  # roll-outs from which they are compared
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

    @property
    def p(self) -> float | None:
        """The p-value of "no difference": two-sided, from the end of the interval that is nearer to 0.

        The interval reaches 1.96 standard errors to each side, so its end says how many of them 0 is away.
        """
        if self.low is None or self.high is None:
            return None
        reach = self.value - self.low if self.value > 0 else self.high - self.value
        if reach <= 0:  # the interval is one point, as of a measure that is equal in all matches
            return 0.0 if self.value else 1.0
        return math.erfc(abs(self.value) / reach * Z / math.sqrt(2))


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
    """A measure in two reports; ``why_not`` says why they cannot be compared, "" if they can.

    ``verdict`` is that of the whole table: see ``compare``.
    """

    name: str
    first: Figure | None
    second: Figure | None
    difference: Difference | None
    why_not: str
    verdict: Verdict


def has_few(first: AnalysisReport, second: AnalysisReport) -> bool:
    """Return whether either report has too few matches with search for a verdict."""
    return min(first["search_matches"], second["search_matches"]) < FEW


def compare(first: AnalysisReport, second: AnalysisReport, *, strict: bool = False) -> list[Compared]:
    """Return every measure of two reports, in the order of ``NAMES``; a shared win counts as a part of one.

    ``strict``: no verdict on any measure if either report has fewer than ``FEW`` matches with search. Otherwise a
    measure needs so many matches of its own run.
    """
    rows = []
    none_at_all = strict and has_few(first, second)
    for name in NAMES:
        one, other = first["measures"].get(name), second["measures"].get(name)
        why_not = ""
        if one is None or other is None:
            why_not = ONLY_ONE if one or other else NEITHER
        elif name in OF_ROLLOUTS and first["rollouts"] != second["rollouts"]:
            why_not = OTHER_ROLLOUTS
        gap = difference(one, other) if one and other and not why_not else None
        few = none_at_all or (gap and one and other and min(one["matches"], other["matches"]) < FEW)
        noisy = name in NOISY and first["rollouts"] < STEADY
        verdict: Verdict = "few" if few else "biased" if name in BIASED else "noisy" if noisy else "inconclusive"
        rows.append(Compared(name, one, other, gap, why_not, verdict))
    return _judged(rows)


def _judged(rows: list[Compared]) -> list[Compared]:
    """Return the rows with verdicts, corrected for their number."""
    tested = [(number, row.difference) for number, row in enumerate(rows) if row.verdict == "inconclusive"]
    known = [(number, gap, gap.p) for number, gap in tested if gap and gap.p is not None]
    for (number, gap, _), p in zip(known, holm([p for *_, p in known]), strict=True):
        if p < FAMILY_WISE_LEVEL:
            rows[number] = rows[number]._replace(verdict="more" if gap.value > 0 else "less")
    return rows
