"""Goals of a search: what a measure should be, and how near some matches come to that.

Measures are those of matches in which all seats think (the run *search* of ``games.lab.analyse``), so ``length`` and
``branching`` are not those of reports, whose matches are random.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

from games.core import BadOption
from games.core.messages import message, quoted
from games.lab.histories import History
from games.lab.intervals import FEW, LEVEL, Z, covering, quantile, wilson
from games.lab.measures import branching, length, spread_corrected, spread_squared, win
from games.lab.report_types import Figure
from games.lab.reports import OF_SEARCH, OF_WINNERS, mean

Verdict = Literal["met", "missed", "open", "few"]


class GoalKind(NamedTuple):
    """A measure that may be a goal: its usual target (None: it has none) and tolerance, and its largest value."""

    target: float | None
    tolerance: float  # of ``relative`` goals: as a share of the target
    highest: float = 1.0
    relative: bool = False


GOALS: Mapping[str, GoalKind] = {
    "fair": GoalKind(0.0, 0.1),
    "length": GoalKind(None, 0.1, math.inf, relative=True),
    "minutes": GoalKind(None, 0.1, math.inf, relative=True),
    "branching": GoalKind(None, 0.1, math.inf, relative=True),
    "spread_corrected": GoalKind(None, 0.05),
    **{name: GoalKind(None, 0.05) for name in (*OF_WINNERS, *OF_SEARCH) if name != "spread"},
}
ALONE = frozenset({"length", "minutes", "branching"})  # those of a game for one player


class Goal(NamedTuple):
    """What a measure should be, and how far it may be from that."""

    name: str
    target: float
    tolerance: float

    @classmethod
    def checked(cls, name: str, target: float | None = None, tolerance: float | None = None) -> Goal:
        """Return a goal, with the usual target and tolerance where there is none. Raises BadOption."""
        if name not in GOALS:
            known = ", ".join(GOALS)
            raise BadOption(message("There is no goal {goal}. The goals are: {known}.", goal=quoted(name), known=known))
        kind = GOALS[name]
        target = kind.target if target is None else target
        if target is None:
            raise BadOption(message("The goal {goal} needs a target.", goal=quoted(name)))
        if tolerance is None:
            tolerance = target * kind.tolerance if kind.relative else kind.tolerance
        if not (0 <= target <= kind.highest and math.isfinite(target)):
            if kind.highest == 1:
                raise BadOption(message("The target of {goal} must be from 0 to 1.", goal=quoted(name)))
            raise BadOption(message("The target of {goal} must be 0 or more.", goal=quoted(name)))
        if not (tolerance > 0 and math.isfinite(tolerance)):
            raise BadOption(message("The tolerance of {goal} must be more than 0.", goal=quoted(name)))
        return cls(name, target, tolerance)


class GoalFigure(Figure):
    """How near a candidate comes to a goal. The interval is wide enough for all figures of a search together."""

    alone_low: float | None  # the 95 % interval of this figure alone
    alone_high: float | None
    distance: float  # from the target, in tolerances
    verdict: Verdict


# -- how near matches come to it


def figure_of(
    goal: Goal, histories: Sequence[History], level: float, seed: str, seconds_each: float | None = None
) -> Figure | None:
    """Return a goal's measure over some matches; None if there is nothing to measure.

    ``level``: how probable it may be that the interval does not contain the true value. ``seconds_each``: how long
    people take for a decision.
    """
    seed, z = f"{seed}/{goal.name}", quantile(level)
    match goal.name:
        case "fair":
            return seat_gap(histories, level) if histories else None
        case "length":
            return _stretched(mean([length(each) for each in histories], seed), z)
        case "minutes":
            decisions = _stretched(mean([length(each) for each in histories], seed), z)
            return decisions and _each(decisions, lambda end: end * (seconds_each or 0.0) / 60)
        case "branching":
            return _stretched(mean([branching(each) for each in histories], seed), z)
        case "spread_corrected":
            squared = mean([spread_squared(each) for each in histories], seed)
            return _rooted(_covered(_stretched(squared, z), -1.0, level))
        case name if name in OF_WINNERS:
            parts = [OF_WINNERS[name](each, "shared") for each in histories]
        case name:
            parts = [OF_SEARCH[name](each) for each in histories]
    return _covered(_stretched(mean(parts, seed), z), 0.0, level)


def seat_gap(histories: Sequence[History], level: float = LEVEL) -> Figure:
    """Return how far the rate of wins is from the fair share, 1/n, of the seat where that is most.

    The largest of noisy distances is larger than the true one, so the interval comes from those of all seats, each wide
    enough for all of them together: if all contain the true rates, the largest distance lies between the largest of the
    lower ends and the largest of the upper ends. The rates of two seats are one figure. Raises ValueError without
    matches.
    """
    seats, matches = histories[0].seats, len(histories)
    fair, z = 1 / seats, quantile(level / seats if seats > 2 else level)
    gaps = []
    for seat in range(seats):
        wins = math.fsum(win(each, seat)[0] for each in histories)
        low, high = wilson(wins, matches, z)
        gaps.append((abs(wins / matches - fair), max(0.0, low - fair, fair - high), max(high - fair, fair - low)))
    value, low, high = (max(each) for each in zip(*gaps, strict=True))
    return {"value": value, "low": low, "high": high, "matches": matches}


def _stretched(figure: Figure | None, z: float) -> Figure | None:
    """Return a figure whose 95 % interval was made as wide as ``z`` standard deviations."""
    if figure is None or figure["low"] is None or figure["high"] is None:
        return figure
    value, by = figure["value"], z / Z
    low, high = value - by * (value - figure["low"]), value + by * (figure["high"] - value)
    return {**figure, "low": low, "high": high}


def _covered(figure: Figure | None, lowest: float, level: float) -> Figure | None:
    if figure is None or figure["low"] is None or figure["high"] is None:
        return figure
    low, high = covering(figure["value"], figure["low"], figure["high"], figure["matches"], lowest, level=level)
    return {**figure, "low": max(low, lowest), "high": min(high, 1.0)}


def _rooted(figure: Figure | None) -> Figure | None:
    return figure and _each(figure, spread_corrected)


def _each(figure: Figure, change: Callable[[float], float]) -> Figure:
    low, high = (None if end is None else change(end) for end in (figure["low"], figure["high"]))
    return {"value": change(figure["value"]), "low": low, "high": high, "matches": figure["matches"]}


def judged(goal: Goal, alone: Figure, together: Figure) -> GoalFigure:
    """Return how near a figure comes to a goal. ``together``: with the interval that is wide enough for all figures."""
    low, high = together["low"], together["high"]
    verdict: Verdict = "open"
    if together["matches"] < FEW:
        verdict = "few"
    elif low is not None and high is not None:
        least, most = goal.target - goal.tolerance, goal.target + goal.tolerance
        verdict = "met" if least <= low and high <= most else "missed" if high < least or most < low else "open"
    return {
        "value": together["value"],
        "low": low,
        "high": high,
        "matches": together["matches"],
        "alone_low": alone["low"],
        "alone_high": alone["high"],
        "distance": abs(together["value"] - goal.target) / goal.tolerance,
        "verdict": verdict,
    }
