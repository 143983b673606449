"""The worker process that measures how a text plays (length, choices, luck), at low priority. It imports no Django.

The text is untrusted: it is read and played only here, within limits of memory and CPU time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cardsite.jobs import done, failed
from games.core import BadOption, Game
from games.core.messages import as_written, message
from games.lab.analyse import Analysis
from games.lab.growing import grow
from games.lab.report_types import AnalysisReport, Figure
from games.lab.saved import write_whole
from games.recycle.game import RecycleGame
from games.recycle.numbers import named_numbers, with_numbers
from games.recycle.problems import BadText

CURVE = "curve.json"
SEED = "workshop"  # the same for all texts, so that they are compared on equal terms and measured once
EXAMINED = 30  # moves of a decision, at most: a match of Hearts would take a minute or two with all of its 286
MOST_VALUES = 12  # values of the number in a curve
ROUNDS = 7  # in which a curve grows, so that all values have results early


class FeelRequest(NamedTuple):
    """What to measure: a text with a number of players, or how it changes with one of its numbers."""

    source: str
    table: str
    seats: int | None  # None: the usual number
    number: str = ""
    low: int = 0
    high: int = 0


def measure(request: bytes) -> bytes:
    """Measure until the CPU seconds are used up, and write reports into the folder.

    ``request``: {asked, folder, seconds} in JSON.
    """
    wanted = json.loads(request)
    asked, folder, seconds = FeelRequest(*wanted["asked"]), Path(wanted["folder"]), float(wanted["seconds"])
    try:
        if asked.number:
            _curve(asked, folder, seconds)
        else:
            for _report in grow(_analysis(asked.source, asked), folder, seconds):
                pass
    except (BadText, BadOption) as error:
        return failed_by(error)
    return done()


def failed_by(error: BadText | BadOption) -> bytes:
    """Return the answer of a job that failed because of its text or its request, as a message for its author."""
    if isinstance(error, BadOption):
        return failed(as_written(error.args[0]).stored())
    problem = error.problems[0]
    line, column = error.source.line_and_column(problem.at.start)
    text = message("Line {line}, column {column}: {text}", line=line, column=column, text=problem.text)
    return failed(text.stored())


def _analysis(source: str, asked: FeelRequest) -> Analysis:
    game: Game = RecycleGame("draft", source, asked.table)
    seats = asked.seats
    if asked.number and seats is not None and not game.min_seats <= seats <= game.max_seats:
        seats = None  # the number that varies is the number of players
    return Analysis.checked(game, seats, {}, SEED, examined=EXAMINED)


def _curve(asked: FeelRequest, folder: Path, seconds: float) -> None:
    """Measure the text with every value of the number, in rounds that give all values the same time."""
    numbers = named_numbers(asked.source)
    if asked.number not in numbers:
        known = ", ".join(numbers) or message("none")
        raise BadOption(
            message("This text declares no number {name}. It has: {known}.", name=asked.number, known=known)
        )
    values = _values(asked.low, asked.high)
    going_on = (folder / CURVE).exists()  # then the stored results are reported first
    growing: dict[int, Iterator[AnalysisReport]] = {}
    points: dict[int, dict[str, object]] = {}
    for value in values:
        analysis = _analysis(with_numbers(asked.source, {asked.number: value}), asked)
        growing[value] = grow(analysis, folder / str(value), seconds / len(values))
    for _round in range(ROUNDS):
        for value in values:
            made = next(growing[value], None)
            if made:
                points[value] = _point(made)
            if len(points) == len(values) or not going_on:
                data = {"number": asked.number, "now": numbers[asked.number], "points": points}
                write_whole(folder / CURVE, json.dumps(data))


def _values(low: int, high: int) -> list[int]:
    """Return the numbers from ``low`` to ``high``, or ``MOST_VALUES`` of them at equal distances."""
    step = max(1, -(-(high - low + 1) // MOST_VALUES))
    return list(range(low, high + 1, step))


def _point(made: AnalysisReport) -> dict[str, object]:
    measures: dict[str, Figure] = made["measures"]
    broken = sum(sum(run["broken"].values()) for run in made["runs"].values())
    return {"matches": made["matches"], "searched": made["search_matches"], "measures": measures, "broken": broken}
