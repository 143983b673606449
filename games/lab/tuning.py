"""Tuning: which values of a text's numbers come nearest to several goals at once.

The *candidates* are the combinations of the values that the numbers may have, and the text as it is. In every match of
a candidate all seats play ``pimc-K`` (the run *search* of ``games.lab.analyse``). Match ``i`` of every candidate has
the same seed, so candidates that deal in the same way are compared on the same deals.

Candidates are searched by *successive halving*. In a first round each plays ``TRIAL`` matches, which only shows whose
matches break off. In the next ones those that are left play up to 20, 40, 80, ... matches each; after each of these
rounds, the better half goes on, three or more, and the text as it is. A candidate plays no further matches once each of
its goals is known to be met or missed, and the search ends when this is so for all of them (sequential stopping).

*Better*: a candidate is better than another one if it comes nearer to one goal, and no less near to any other; within
the tolerance, all values are equally near. The first layer is the candidates than which no other one is better (the
Pareto front), the second those than which only candidates of the first are better, and so on. Within a layer they are
sorted by the sum of distances, each in tolerances of its goal.

*How sure.* A search looks at many figures, some of which are near a goal by luck. So each is shown with an interval
that is wide enough for all of them together (Bonferroni): with m figures, candidates times goals times rounds, the
probability that any of them lies outside its interval is about 5 %. A goal is *met* if this interval is within the
tolerance, *missed* if it is outside, else *open*; there is no verdict below 20 matches.

Sources. V. Volz, G. Rudolph and B. Naujoks, "Demonstrating the feasibility of automatic game balancing", GECCO 2016:
balanced decks as a search for several goals at once, by simulated matches. K. Jamieson and A. Talwalkar,
"Non-stochastic best arm identification and hyperparameter optimization", AISTATS 2016: successive halving.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any, Literal, NotRequired, TypedDict
from urllib.parse import quote

from games.core import BadOption, FastChance
from games.core.game import TextNumber
from games.core.messages import NONE, Message, as_written, message, quoted
from games.lab.analyse import Analysis, play
from games.lab.goals import ALONE, GOALS, Goal, GoalFigure, figure_of, judged
from games.lab.histories import of_json
from games.lab.intervals import FEW, LEVEL
from games.lab.pool import Workers, in_workers
from games.lab.reports import subject
from games.lab.saved import PLAYED, MatchFile, as_line, claim

FORMAT = 1  # of the files; increase it when the same settings give other matches
ROLLOUTS = 5  # of each move
MATCHES = 160  # of each candidate in the last round
TRIAL = 5  # matches of the first round
MOST_CANDIDATES, MOST_COMBINATIONS = 60, 20_000  # of more combinations than MOST_CANDIDATES, some are drawn
FEWEST = 3  # candidates that go on after a round
LARGEST_VALUE = 10**6  # of a number that is varied
MOST_VALUES, USUAL_VALUES = 12, 10  # of one number: of a range that is given, and of the usual one

CandidateState = Literal["no text", "broken", "dropped", "left"]
Stopped = Literal["rounds", "clear", "matches", "seconds"]


# -- what is asked


@dataclass(frozen=True)
class Tuning:
    """A search: whose numbers are varied, over which values, and the goals.

    ``seconds_each``: how long people take for a decision, which the goal "minutes" needs. ``matches``: of each
    candidate in the last round. ``budget``: the most matches of all candidates together, None: as many as it takes.
    """

    analysis: Analysis  # of the text as it is
    vary: dict[str, tuple[int, ...]]
    goals: tuple[Goal, ...]
    seconds_each: float | None = None
    matches: int = MATCHES
    budget: int | None = None

    @classmethod
    def checked(
        cls,
        analysis: Analysis,
        vary: Mapping[str, tuple[int, int] | None],
        goals: Sequence[Goal],
        seconds_each: float | None = None,
        matches: int = MATCHES,
        budget: int | None = None,
    ) -> Tuning:
        """Return a search that can be made. Raises BadOption.

        ``vary``: the least and the largest value of each number, or None for a range around its present one. Without
        any, the numbers are varied to which the text gives names.
        """
        known = analysis.game.numbers()
        asked = dict(vary) or {name: None for name, number in known.items() if number.is_declared}
        if not asked:
            named = "; ".join(f"{each.name}: {each.around}" for each in known.values()) or message("none")
            raise BadOption(message("Choose the numbers to vary. This text has: {named}.", named=named))
        if unknown := [name for name in asked if name not in known]:
            text = message(
                "This text has no number {name} that can be varied. It has: {known}.",
                name=quoted(unknown[0]),
                known=", ".join(known) or message("none"),
            )
            raise BadOption(text)
        if not goals:
            raise BadOption(message("Choose a goal: {known}.", known=", ".join(GOALS)))
        if len({goal.name for goal in goals}) < len(goals):
            raise BadOption(message("A goal is given twice."))
        if seconds_each is None and any(goal.name == "minutes" for goal in goals):
            raise BadOption(message("The goal 'minutes' needs the seconds that people take for a decision."))
        if analysis.seats == 1 and (no := [goal.name for goal in goals if goal.name not in ALONE]):
            raise BadOption(
                message("A game for one player has no goal {goal}, which compares players.", goal=quoted(no[0]))
            )
        values = {name: values_of(known[name], ends) for name, ends in asked.items()}
        return cls(analysis, values, tuple(goals), seconds_each, matches, budget)

    def settings(self) -> dict[str, Any]:
        """Return everything that a candidate's matches depend on, except its values."""
        return {**self.analysis.settings(), "format of tuning": FORMAT}


def values_of(number: TextNumber, ends: tuple[int, int] | None) -> tuple[int, ...]:
    """Return the values that a number may have, its present one among them. Raises BadOption.

    Without ``ends``, half of its value to twice as much.

    >>> values_of(TextNumber("HANDSIZE", 6, 0, 0, ""), None)
    (3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
    >>> values_of(TextNumber("BONUS", 0, 0, 0, ""), None)
    (0, 1, 2, 3, 4)
    >>> values_of(TextNumber("TARGET", 100, 0, 0, ""), (0, 200))
    (0, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200)
    """
    now = number.value
    low, high = ends or (now // 2, max(2 * now, now + 4))
    most = MOST_VALUES if ends else USUAL_VALUES
    if not 0 <= low <= high <= LARGEST_VALUE:
        text = message(
            "The range of {name} must go up, from 0 or more to {most:,} or less.", name=number.name, most=LARGEST_VALUE
        )
        raise BadOption(text)
    rough = (high - low + 1) / most
    step = next(size for size in _STEPS if size >= rough)
    first = low + (now - low) % step if low <= now <= high else low
    return tuple(sorted({*range(first, high + 1, step), now}))


_STEPS = [by * 10**power for power in range(7) for by in (1, 2, 5)]


# -- candidates


@dataclass
class Candidate:
    """Some values of the numbers, and the matches played with them. Number 0 is the text as it is."""

    number: int
    values: dict[str, int]
    analysis: Analysis | None  # None: no game can be made of such a text
    why: Message = NONE  # what is wrong
    state: CandidateState = "left"
    round: int = 0  # the last one that it took part in
    matches: int = 0
    broken: int = 0  # of these, that broke off
    figures: dict[str, GoalFigure] = field(default_factory=dict)  # by goal

    @property
    def name(self) -> str:
        """The values in one word."""
        return ",".join(f"{name}={value}" for name, value in self.values.items())

    @property
    def is_settled(self) -> bool:
        """Whether no further match is needed to know which goals it meets."""
        return bool(self.figures) and all(each["verdict"] in ("met", "missed") for each in self.figures.values())


def candidates_of(tuning: Tuning) -> tuple[list[Candidate], int]:
    """Return the candidates, the text as it is first, and of how many combinations they are.

    If there are too many, some are drawn by the seed. Raises BadOption if there are far too many.
    """
    many = math.prod(map(len, tuning.vary.values()))
    if many > MOST_COMBINATIONS:
        raise BadOption(
            message("There are {many:,} combinations. Vary fewer numbers, or over smaller ranges.", many=many)
        )
    known = tuning.analysis.game.numbers()
    now = {name: known[name].value for name in tuning.vary}
    combinations = (dict(zip(tuning.vary, values, strict=True)) for values in product(*tuning.vary.values()))
    others = [values for values in combinations if values != now]
    if many > MOST_CANDIDATES:
        FastChance(f"{tuning.analysis.seed}/tuning").shuffle(others)
        others = sorted(others[: MOST_CANDIDATES - 1], key=lambda values: list(values.values()))
    return [_candidate(tuning, number, values) for number, values in enumerate([now, *others])], many


def _candidate(tuning: Tuning, number: int, values: dict[str, int]) -> Candidate:
    asked = tuning.analysis
    try:
        game = asked.game.with_numbers(values)
        seats = asked.seats if game.min_seats <= asked.seats <= game.max_seats else None
        return Candidate(number, values, Analysis.checked(game, seats, {}, asked.seed, asked.rollouts))
    except BadOption as error:
        return Candidate(number, values, None, error.text, state="no text")


# -- which candidates are better


def in_layers(some: Sequence[Candidate]) -> list[list[Candidate]]:
    """Return candidates in layers, the best first: see the module. Those without figures are the last layer."""
    rest = [each for each in some if each.figures]
    layers = []
    while rest:
        layer = [each for each in rest if not any(_is_better(other, each) for other in rest)]
        rest = [each for each in rest if each not in layer]
        layers.append(sorted(layer, key=_sort_key))
    without = [each for each in some if not each.figures]
    return [*layers, without] if without else layers


def _outside(candidate: Candidate) -> list[float]:
    """Return by how many tolerances a candidate is outside the tolerance of each goal."""
    return [max(0.0, each["distance"] - 1) for each in candidate.figures.values()]


def _is_better(one: Candidate, other: Candidate) -> bool:
    mine, yours = _outside(one), _outside(other)
    return mine != yours and all(me <= you for me, you in zip(mine, yours, strict=True))


def _sort_key(candidate: Candidate) -> tuple[float, float, int]:
    distances = (each["distance"] for each in candidate.figures.values())
    return math.fsum(_outside(candidate)), math.fsum(distances), candidate.number


# -- the search


class CandidateReport(TypedDict):
    """A candidate. ``state``: "left" until the end, "dropped" for better ones, its matches "broken", or "no text"."""

    values: dict[str, int]
    is_now: bool  # the text as it is
    state: CandidateState
    best: bool  # none of those that were left is better
    round: int  # the last one that it took part in, from 1
    matches: int
    broken: int  # of these, that broke off
    why: str  # what is wrong, "" if nothing
    why_data: NotRequired[dict[str, Any]]  # the same as data of a message (``games.core.messages``)
    figures: dict[str, GoalFigure]


class NumberReport(TypedDict):
    """A number that is varied."""

    now: int
    around: str
    start: int  # where it stands in the text: the offset of its first character
    end: int  # and of the one after its last
    values: list[int]


class RoundReport(TypedDict):
    """A round of the search."""

    candidates: int  # that played in it
    matches: int  # of each candidate, with those of earlier rounds
    more: int  # of each candidate in this round


class TuningReport(TypedDict):
    """``report.json`` of a search. Candidates are sorted, the best first."""

    game: str
    subject: str
    rules: str
    seats: int
    seed: str
    player: str
    seconds_each: float | None
    numbers: dict[str, NumberReport]
    goals: list[dict[str, str | float]]
    combinations: int  # of which the candidates were drawn
    comparisons: int  # figures for which the intervals are wide enough together
    rounds: list[RoundReport]
    stopped: Stopped | None  # None: the search goes on
    candidates: list[CandidateReport]


def round_sizes(matches: int) -> list[int]:
    """Return the matches that a candidate has played after each round.

    >>> round_sizes(160), round_sizes(100), round_sizes(12)
    ([5, 20, 40, 80, 160], [5, 20, 40, 80, 100], [5, 12])
    """
    sizes, size = [TRIAL], FEW
    while size < matches:
        sizes.append(size)
        size *= 2
    return [size for size in sizes if size < matches] + [matches]


def tune(
    tuning: Tuning,
    folder: Path,
    *,
    workers: Workers = 1,
    seconds: float | None = None,
    progress: Callable[[int, int], object] = lambda total, more: None,
    shown: Callable[[TuningReport], object] = lambda made: None,
) -> TuningReport:
    """Search for the values that come nearest to the goals, and return the candidates, the best first.

    ``seconds``: CPU seconds after which the search ends early; without them, equal searches have equal results.
    ``progress`` is called with the number of matches up to the end of the present round, and with that of new ones.
    ``shown`` is called with the report after each round. Matches saved in ``folder`` are not played again; after an
    interruption, finished matches are kept. Raises BadOption if the folder has matches of other settings, or there are
    too many combinations; OSError.
    """
    claim(folder, tuning.settings())
    search = _Search(tuning, folder, workers, seconds, progress)
    for report in search.rounds():
        shown(report)
    return search.report()


class _Search:
    def __init__(
        self,
        tuning: Tuning,
        folder: Path,
        workers: Workers,
        seconds: float | None,
        progress: Callable[[int, int], object],
    ) -> None:
        self.tuning, self.workers, self.progress = tuning, workers, progress
        self.seconds, self.spent, self.began = seconds, 0.0, process_time()
        self.candidates, self.combinations = candidates_of(tuning)
        playable = [each for each in self.candidates if each.analysis]
        self.files = {
            each.number: MatchFile(folder / PLAYED / f"{quote(each.name, safe='=,')}.jsonl") for each in playable
        }
        self.sizes = round_sizes(tuning.matches)
        looks = max(1, sum(size >= FEW for size in self.sizes))
        self.comparisons = max(1, len(playable)) * len(tuning.goals) * looks
        self.played: list[RoundReport] = []  # the rounds so far
        self.stopped: Stopped | None = None

    def rounds(self) -> Iterator[TuningReport]:
        """Play the rounds, and yield the report after each."""
        before = 0
        for number, size in enumerate(self.sizes, 1):
            left = [each for each in self.candidates if each.state == "left"]
            open_still = [each for each in left if not each.is_settled]
            if not open_still:
                self.stopped = "clear"
                return
            if self.tuning.budget is not None:
                spare = self.tuning.budget - sum(each["candidates"] * each["more"] for each in self.played)
                size = min(size, before + spare // len(open_still))
                if size == before:
                    self.stopped = "matches"
                    return
            in_time = self._play(open_still, before, size)
            for each in open_still:
                each.round = number
                self._judge(each, size)
            self.played.append({"candidates": len(open_still), "matches": size, "more": size - before})
            if not in_time:
                self.stopped = "seconds"
            elif size < self.sizes[number - 1]:
                self.stopped = "matches"
            elif number == len(self.sizes):
                self.stopped = "rounds"
            elif size >= FEW:
                self._halve()
            yield self.report()
            if self.stopped:
                return
            before = size

    def _play(self, some: Sequence[Candidate], before: int, size: int) -> bool:
        """Play the matches of a round that are not saved. Return whether there was time for all of them."""
        tasks = [
            (each.number, each.analysis, index)
            for index in range(before, size)
            for each in some
            if each.analysis and index not in self.files[each.number]
        ]
        earlier = sum(each["candidates"] * each["more"] for each in self.played)
        total = earlier + len(some) * (size - before)
        self.progress(total, len(some) * (size - before) - len(tasks))
        begun = 0

        def in_time() -> Iterator[tuple[int, Analysis, int]]:
            nonlocal begun
            for task in tasks:
                if self._is_late():
                    return
                begun += 1
                yield task

        for number, index, line, cpu in in_workers(_play_one, in_time(), self.workers):
            self.files[number].add([index], [line])
            self.spent += cpu
            self.progress(total, 1)
        return begun == len(tasks)

    def _is_late(self) -> bool:
        mine = process_time() - self.began
        # With one worker the matches are played in this process, so its own time includes them.
        spent = mine if self.workers == 1 else mine + self.spent
        return self.seconds is not None and spent >= self.seconds

    def _judge(self, candidate: Candidate, size: int) -> None:
        """Count the matches of a candidate, and measure how near it comes to the goals."""
        rows = list(self.files[candidate.number].first(size))
        candidate.matches = len(rows)
        if broken := [each for each in rows if "broken" in each]:
            candidate.state, candidate.broken, candidate.why = "broken", len(broken), as_written(broken[0]["text"])
            candidate.figures = {}
            return
        histories, seed = [of_json(each["history"]) for each in rows], self.tuning.analysis.seed
        candidate.figures = {}
        for goal in self.tuning.goals:
            alone = figure_of(goal, histories, LEVEL, seed, self.tuning.seconds_each)
            together = figure_of(goal, histories, LEVEL / self.comparisons, seed, self.tuning.seconds_each)
            if alone is None or together is None:
                candidate.figures = {}
                return
            candidate.figures[goal.name] = judged(goal, alone, together)

    def _halve(self) -> None:
        """Let the better half of the candidates go on, and the text as it is."""
        left = [each for each in self.candidates if each.state == "left"]
        ordered = [each for layer in in_layers(left) for each in layer]
        for each in ordered[max(FEWEST, math.ceil(len(left) / 2)) :]:
            if each.number:
                each.state = "dropped"

    def report(self) -> TuningReport:
        """Return the report of the rounds so far."""
        asked, tuning = self.tuning.analysis, self.tuning
        known = asked.game.numbers()
        layers = in_layers([each for each in self.candidates if each.state == "left"])
        best = {each.number for each in layers[0] if each.matches >= FEW} if layers else set()
        dropped = sorted({each.round for each in self.candidates if each.state == "dropped"}, reverse=True)
        for last in dropped:
            layers += in_layers([each for each in self.candidates if each.state == "dropped" and each.round == last])
        layers += [[each for each in self.candidates if each.state == state] for state in ("broken", "no text")]
        return {
            "game": asked.game.name,
            "subject": subject(asked),
            "rules": asked.game.rules_version,
            "seats": asked.seats,
            "seed": asked.seed,
            "player": f"pimc-{asked.rollouts}",
            "seconds_each": tuning.seconds_each,
            "numbers": {
                name: {
                    "now": known[name].value,
                    "around": known[name].around,
                    "start": known[name].start,
                    "end": known[name].end,
                    "values": list(values),
                }
                for name, values in tuning.vary.items()
            },
            "goals": [goal._asdict() for goal in tuning.goals],
            "combinations": self.combinations,
            "comparisons": self.comparisons,
            "rounds": self.played,
            "stopped": self.stopped,
            "candidates": [_reported(each, each.number in best) for layer in layers for each in layer],
        }


def _play_one(task: tuple[int, Analysis, int]) -> tuple[int, int, str, float]:
    """Play a match of a candidate. Return both numbers, the line to be saved, and the CPU seconds."""
    number, analysis, index = task
    began = process_time()
    line = as_line(play(analysis, "search", index))
    return number, index, line, process_time() - began


def _reported(each: Candidate, best: bool) -> CandidateReport:
    return {
        "values": each.values,
        "is_now": each.number == 0,
        "state": each.state,
        "best": best,
        "round": each.round,
        "matches": each.matches,
        "broken": each.broken,
        "why": each.why,
        "why_data": each.why.data(),
        "figures": each.figures,
    }
