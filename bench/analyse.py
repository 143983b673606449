"""What a standard report costs: ``python -m bench.analyse [GAME] [--matches N] [--rollouts K]``. Prints JSON.

CPU seconds a match of each run, in this process alone, and of the report and its charts. The standard report has 100
matches a run and pimc-10; what it costs in all is told from fewer.

``--two`` plays the same matches in two processes, too, and measures what must be done one after the other: to begin, to
hand out a task and note what comes of it, and the report. With that it tells on paper how the time of a standard
report falls with the number of workers, each with a core of its own. On a machine that does other things the measured
time of two is worth little.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import resource
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from games import catalogue
from games.lab.analyse import Analysis, Run, analyse
from games.lab.publish import publish
from games.lab.saved import QUICK

STANDARD = 100  # matches a run
WORKERS = (1, 2, 4, 8, 16, 32, 64)


def tasks_of(analysis: Analysis, matches: int) -> dict[Run, int]:
    """Return how many tasks each run of so many matches is cut into."""
    return {run: math.ceil(matches / QUICK) if run == "random" else matches for run in analysis.runs}


def in_two(analysis: Analysis, matches: int) -> dict[str, float]:
    """Play the matches in two processes: how long it takes, and the CPU time of this process a task and of theirs."""
    with tempfile.TemporaryDirectory() as name:
        wall, mine = time.perf_counter(), time.process_time()
        analyse(analysis, matches, Path(name), workers=2)
        mine, wall = time.process_time() - mine, time.perf_counter() - wall
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "seconds": wall,
        "cpu_seconds_here_a_task": mine / sum(tasks_of(analysis, matches).values()),
        "cpu_seconds_of_the_workers": children.ru_utime + children.ru_stime,
    }


def on_paper(
    analysis: Analysis, each: Mapping[Run, float], start: float, a_task: float, report: float
) -> dict[int, float]:
    """Return the seconds of a standard report by the number of workers; with one, in the process itself.

    The runs come one after the other without a pause: a worker gets its share of all of it, rounded up by one task, the
    longest. Nothing is faster than this process hands out tasks. The start and the report are to be added.
    """
    tasks = tasks_of(analysis, STANDARD)
    work = sum(each.values()) * STANDARD
    longest = max(each[run] * STANDARD / tasks[run] for run in each)
    found = {1: work + report}
    for workers in WORKERS[1:]:
        found[workers] = start + max(work / workers + longest, sum(tasks.values()) * a_task) + report
    return found


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="agram")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--rollouts", type=int, default=Analysis.rollouts)
    parser.add_argument("--two", action="store_true", help="in two processes, too, and on paper in more")
    asked = parser.parse_args()
    analysis = Analysis.checked(catalogue.find(asked.game), asked.seats, {}, "bench", asked.rollouts)
    spent: dict[Run, float] = dict.fromkeys(analysis.runs, 0.0)
    then = time.process_time()

    def note(run: Run, more: int) -> None:
        nonlocal then
        now = time.process_time()
        if more:
            spent[run] += now - then
        then = now

    with tempfile.TemporaryDirectory() as name:
        wall = time.perf_counter()
        played = analyse(analysis, asked.matches, Path(name), progress=note)
        wall = time.perf_counter() - wall
        began = time.process_time()
        publish(analysis, asked.matches, played, Path(name))
        report = time.process_time() - began
    each = {run: seconds / asked.matches for run, seconds in spent.items()}
    figures: dict[str, Any] = {
        "game": asked.game,
        "seats": analysis.seats,
        "player": f"pimc-{asked.rollouts}",
        "cpu_seconds_a_match": each,
        "cpu_seconds_of_the_report": report,
        "cpu_seconds_of_a_standard_report": sum(each.values()) * STANDARD + report,
    }
    if asked.two:
        two = in_two(analysis, asked.matches)
        # What a worker's start takes is what both spent on top of what the matches take in one process, by half.
        start = max(0.0, two["cpu_seconds_of_the_workers"] - sum(spent.values())) / 2
        paper = on_paper(analysis, each, start, two["cpu_seconds_here_a_task"], report)
        figures["two_processes"] = {
            **two,
            "times_as_fast": wall / two["seconds"],
            "cpu_seconds_a_worker_starts": start,
        }
        figures["on_paper"] = {
            workers: {"seconds": seconds, "times_as_fast": paper[1] / seconds} for workers, seconds in paper.items()
        }
    print(json.dumps({"python": platform.python_version(), **figures}, indent=2))


if __name__ == "__main__":
    main()
