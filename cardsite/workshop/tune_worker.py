"""The worker process that searches for the numbers of a text, at low priority. It imports no Django.

The text is untrusted: it is read and played only here, within limits of memory and CPU time.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from cardsite.jobs import done
from cardsite.jobs.folder import PROGRESS
from cardsite.workshop.feel_worker import failed_by
from games.core import BadOption
from games.lab.analyse import Analysis
from games.lab.goals import Goal
from games.lab.saved import write_whole
from games.lab.tuning import ROLLOUTS, Tuning, TuningReport, tune
from games.recycle.game import RecycleGame
from games.recycle.problems import BadText

TUNED = "tuned.json"
SEED = "workshop"  # the same for all texts, so that equal requests are searched once


class TuneRequest(NamedTuple):
    """What to search for: see ``games.lab.tuning.Tuning``."""

    source: str
    table: str
    seats: int | None  # None: the usual number
    vary: list[tuple[str, int, int]]  # name of a number, its least and its largest value
    goals: list[tuple[str, float, float]]  # name of a measure, target, tolerance
    seconds_each: float | None


def search(request: bytes) -> bytes:
    """Search until all rounds are played or the CPU seconds are used up, and write reports into the folder.

    ``request``: {asked, folder, seconds} in JSON.
    """
    wanted = json.loads(request)
    asked, folder = TuneRequest(*wanted["asked"]), Path(wanted["folder"])
    played = 0

    def show(made: TuningReport) -> None:
        write_whole(folder / TUNED, json.dumps(made))

    def progress(total: int, more: int) -> None:
        nonlocal played
        played += more
        write_whole(folder / PROGRESS, json.dumps({"played": played, "total": total}))

    try:
        game = RecycleGame("draft", asked.source, asked.table)
        analysis = Analysis.checked(game, asked.seats, {}, SEED, ROLLOUTS)
        vary = {name: (low, high) for name, low, high in asked.vary}
        goals = [Goal.checked(*goal) for goal in asked.goals]
        tuning = Tuning.checked(analysis, vary, goals, asked.seconds_each)
        show(tune(tuning, folder, seconds=float(wanted["seconds"]), progress=progress, shown=show))
    except (BadText, BadOption) as error:
        return failed_by(error)
    return done()
