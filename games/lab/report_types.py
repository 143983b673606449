"""A report as plain data: what ``report.json`` has."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from games.core.options import OptionValue
from games.lab.analyse import Run
from games.lab.evidence import Evidence

# Kinds of findings: ``findings`` says when each is found.
Fault = Literal[
    "no decisions",
    "no stakes",
    "seat",
    "runaway leader",
    "decided early",
    "no skill",
    "dead option",
    "dominant option",
    "dead seat",
    "dead place",
    "endless",
    "long",
    "long tail",
    "useless faculty",
    "faculty",
]
# What a restricted player lacks: it does not see its hand, ignores the others' scores, does not think ahead, never
# makes moves of a kind, or always makes one of a kind where it can.
FacultyName = Literal["hand", "others", "ahead", "without", "always"]


class Figure(TypedDict):
    """A figure with its 95 % interval (None for a single match) and the number of matches."""

    value: float
    low: float | None
    high: float | None
    matches: int


class RunReport(TypedDict):
    """The matches of a run. Broken ones are not part of any figure."""

    matches: int
    broken: dict[str, int]  # by kind
    samples: dict[str, dict[str, Any]]  # by kind: the first such match, and its details
    rollouts: int
    rollouts_lost: int  # that did not end


class SeatFigures(TypedDict):
    """A seat's rates of wins, with ties shared and in full, and its scores."""

    wins: Figure
    wins_full: Figure
    mean_score: Figure
    score_quantiles: list[float]


class Curve(TypedDict):
    """The number of options by move number: mean, quartiles, and how many matches were that long."""

    mean: list[float]
    low: list[float]
    high: list[float]
    matches: list[int]


class Basics(TypedDict):
    """Basic statistics of the matches of a run."""

    ties: Figure  # matches with a shared win
    seats: list[SeatFigures]
    branching: Curve


class Spreads(TypedDict):
    """The distribution of spreads in the search run: the share of forced decisions, and of others in bins of .05."""

    decisions: int
    forced: float
    bins: list[float]


class Trend(TypedDict):
    """The trend graph: a mean curve for each final rank; the last point is the true scaled rank."""

    threshold: float
    places: list[list[float]]
    low: NotRequired[list[list[float]]]  # the 95 % interval of each point; of ``intervals.FEW`` matches or more
    high: NotRequired[list[list[float]]]
    matches: int


class Finding(TypedDict):
    """What is remarkable: a template with its arguments, and what it rests on."""

    kind: Fault
    template: str
    arguments: dict[str, int | str]
    text: str  # in English
    confidence: float  # from 0 to 1: 1 minus the p-value of the test
    effect: float  # from 0 to 1: how large it is; the largest come first
    matches: int
    figure: NotRequired[str]  # the name of what was measured, for ``usual``
    value: NotRequired[float]
    low: NotRequired[float]  # its 95 % interval
    high: NotRequired[float]
    line: NotRequired[int]  # of the text
    usual: NotRequired[tuple[float, float]]  # its quartiles in the library


class Faculty(TypedDict):
    """What a faculty is worth: the share of wins of a full player minus that of one who lacks it."""

    name: FacultyName
    worth: Figure
    wins: Figure  # of the player who lacks it
    kind: NotRequired[str]  # of moves: see ``State.move_kinds``
    move: NotRequired[str]  # an example
    line: NotRequired[int]  # of the text
    offered: NotRequired[int]  # decisions of full players that offered moves of this kind and of others


class _Report(TypedDict):
    """What every report has. ``measures`` share ties; ``measures_full_ties`` has those that differ, ties in full."""

    game: str
    subject: str  # what was analysed: the title, the number of players, and non-default options
    options: dict[str, OptionValue]
    seats: int
    matches: int
    search_matches: int  # in the runs with search
    rollouts: int
    seed: str
    rules: str
    player: str
    interval: str
    ties: str
    measures: dict[str, Figure]
    measures_full_ties: dict[str, Figure]
    left_out: dict[str, str]  # measures that make no sense here, and why
    notes: list[str]
    runs: dict[Run, RunReport]
    basics: dict[Run, Basics]
    trend: Trend | None
    spreads: Spreads | None


class AnalysisReport(_Report, total=False):
    """``report.json``. Older reports lack some of these, and others make no sense for every game."""

    strong_matches: int  # in the runs with strong bots
    duel: Figure  # the wins of one strong bot against easy ones
    tension: Figure  # of a game for one player
    evidence: Evidence
    faculties: list[Faculty]
    findings: list[Finding]
