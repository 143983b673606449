"""The standard report of the laboratory. It has 100 matches a run and pimc-10; its cost is computed from fewer."""

from __future__ import annotations

import argparse
import math
import resource
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from bench.speed.rates import Figures
from games import catalogue
from games.lab.analyse import Analysis, Run, analyse
from games.lab.publish import publish
from games.lab.saved import QUICK

STANDARD = 100  # matches a run
WORKERS = (1, 2, 4, 8, 16, 32, 64)


def report(arguments: argparse.Namespace) -> Figures:
    """Return the CPU time of a standard report, and with --two how it falls with the number of workers.

    ``--two`` plays the same matches in two processes, too, and measures what is sequential: the start, handing out a
    task and receiving its result, and the report. From that it computes the time for more workers, each with a core of
    its own. On a busy machine the measured time of two processes is worth little.
    """
    analysis = Analysis.checked(catalogue.find(arguments.game), arguments.seats, {}, "bench", arguments.rollouts)
    spent: dict[Run, float] = dict.fromkeys(analysis.runs, 0.0)
    then = time.process_time()

    def note(run: Run, more: int) -> None:
        nonlocal then
        now = time.process_time()
        if more:
            spent[run] += now - then
        then = now

    with tempfile.TemporaryDirectory() as name:
        began = time.perf_counter()
        results = analyse(analysis, arguments.matches, Path(name), progress=note)
        wall = time.perf_counter() - began
        began = time.process_time()
        publish(analysis, arguments.matches, results, Path(name))
        publishing = time.process_time() - began
    each = {run: seconds / arguments.matches for run, seconds in spent.items()}
    figures: Figures = {
        "game": arguments.game,
        "seats": analysis.seats,
        "player": f"pimc-{arguments.rollouts}",
        "cpu_seconds_a_match": each,
        "cpu_seconds_of_the_report": publishing,
        "cpu_seconds_of_a_standard_report": sum(each.values()) * STANDARD + publishing,
    }
    if arguments.two:
        two = in_two(analysis, arguments.matches)
        # A worker's start costs half of what both used on top of what the matches take in one process.
        start = max(0.0, two["cpu_seconds_of_the_workers"] - sum(spent.values())) / 2
        expected = by_workers(analysis, each, start, two["cpu_seconds_here_a_task"], publishing)
        figures["two_processes"] = {**two, "speedup": wall / two["seconds"], "cpu_seconds_a_worker_starts": start}
        figures["computed"] = {
            workers: {"seconds": seconds, "speedup": expected[1] / seconds} for workers, seconds in expected.items()
        }
    return figures


def tasks_of(analysis: Analysis, count: int) -> dict[Run, int]:
    """Return into how many tasks each run of so many matches is split."""
    return {run: math.ceil(count / QUICK) if run == "random" else count for run in analysis.runs}


def in_two(analysis: Analysis, count: int) -> dict[str, float]:
    """Play the matches in two processes: how long it takes, and the CPU time of this process a task and of theirs."""
    with tempfile.TemporaryDirectory() as name:
        began, spent = time.perf_counter(), time.process_time()
        analyse(analysis, count, Path(name), workers=2)
        wall, mine = time.perf_counter() - began, time.process_time() - spent
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "seconds": wall,
        "cpu_seconds_here_a_task": mine / sum(tasks_of(analysis, count).values()),
        "cpu_seconds_of_the_workers": children.ru_utime + children.ru_stime,
    }


def by_workers(
    analysis: Analysis, each: Mapping[Run, float], start: float, a_task: float, publishing: float
) -> dict[int, float]:
    """Return the seconds of a standard report by the number of workers; with one, in the process itself.

    The runs follow one another without a pause: a worker gets its share of all of it, rounded up by one task, the
    longest. Nothing is faster than this process hands out tasks. The start and the report are added.
    """
    tasks = tasks_of(analysis, STANDARD)
    work = sum(each.values()) * STANDARD
    longest = max(each[run] * STANDARD / tasks[run] for run in each)
    seconds = {1: work + publishing}
    for workers in WORKERS[1:]:
        seconds[workers] = start + max(work / workers + longest, sum(tasks.values()) * a_task) + publishing
    return seconds
