"""What runs in a process that measures how a text feels, behind everything else. It imports no Django.

The text is a stranger's: nothing of it is read or played anywhere but here, within limits of memory and time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cardsite.jobs.worker import done, failed
from games.core import BadOption, Game
from games.lab.analyse import Analysis
from games.lab.growing import grow
from games.lab.reports import AnalysisReport, Figure
from games.lab.saved import write_whole
from games.recycle.game import RecycleGame
from games.recycle.numbers import named_numbers, with_number
from games.recycle.problems import BadText

CURVE = "curve.json"
SEED = "workshop"  # the same for all: two texts are compared on equal terms, and a text is measured once
MOST_VALUES = 12  # of a number, in a curve
ROUNDS = 7  # of growing that a curve has, so that no value waits for long


class Asked(NamedTuple):
    """What is to be measured: a text, and for how many players; or how it changes with one of its numbers."""

    source: str
    table: str
    seats: int | None  # None: as many as usually play
    number: str = ""
    low: int = 0
    high: int = 0


def measure(request: bytes) -> bytes:
    """Measure until so many CPU seconds are spent; the folder gets the reports.

    ``request``: {asked, folder, seconds} in JSON.
    """
    wanted = json.loads(request)
    asked, folder, seconds = Asked(*wanted["asked"]), Path(wanted["folder"]), float(wanted["seconds"])
    try:
        if asked.number:
            _curve(asked, folder, seconds)
        else:
            for _report in grow(_analysis(asked.source, asked), folder, seconds):
                pass
    except BadText as bad:
        problem = bad.problems[0]
        line, column = bad.source.line_and_column(problem.at.start)
        return failed(f"Line {line}, column {column}: {problem.text}")
    except BadOption as error:
        return failed(str(error))
    return done()


def _analysis(source: str, asked: Asked) -> Analysis:
    game: Game = RecycleGame("draft", source, asked.table)
    seats = asked.seats
    if asked.number and seats is not None and not game.min_seats <= seats <= game.max_seats:
        seats = None  # the number that is varied is how many play
    return Analysis.checked(game, seats, {}, SEED)


def _curve(asked: Asked, folder: Path, seconds: float) -> None:
    """Measure the text with every value of the number, all a little before any of them more."""
    numbers = named_numbers(asked.source)
    if asked.number not in numbers:
        known = ", ".join(numbers) or "none"
        raise BadOption(f"This text declares no number {asked.number}. It has: {known}.")
    values = _values(asked.low, asked.high)
    going_on = (folder / CURVE).exists()  # then all that it tells is told again, before there is more
    growing: dict[int, Iterator[AnalysisReport]] = {}
    points: dict[int, dict[str, object]] = {}
    for value in values:
        analysis = _analysis(with_number(asked.source, asked.number, value), asked)
        growing[value] = grow(analysis, folder / str(value), seconds / len(values))
    for _round in range(ROUNDS):
        for value in values:
            made = next(growing[value], None)
            if made:
                points[value] = _point(made)
            if len(points) == len(values) or not going_on:
                told = {"number": asked.number, "now": numbers[asked.number], "points": points}
                write_whole(folder / CURVE, json.dumps(told))


def _values(low: int, high: int) -> list[int]:
    """Return the numbers from ``low`` to ``high``, or some of them at equal distances."""
    step = max(1, -(-(high - low + 1) // MOST_VALUES))
    return list(range(low, high + 1, step))


def _point(made: AnalysisReport) -> dict[str, object]:
    measures: dict[str, Figure] = made["measures"]
    broken = sum(sum(run["broken"].values()) for run in made["runs"].values())
    return {"matches": made["matches"], "searched": made["search_matches"], "measures": measures, "broken": broken}
