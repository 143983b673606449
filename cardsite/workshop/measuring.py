"""Measurements of how a text feels, in the background while a person views the results.

A measurement is a job (``cardsite.jobs``) in a folder below ``VAR_DIR``, named after a hash of what is measured, so the
same text is measured once. One runs at a time; the others wait and take turns. A measurement that nobody views stops;
it resumes when it is requested again.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from cardsite.jobs.folder import End, JobFolder, JobState, read_json
from cardsite.jobs.queue import Job, Queue
from cardsite.lab.library import report_in
from cardsite.limits import WORK
from cardsite.refusal import Refused
from cardsite.workshop.feel_worker import CURVE, EXAMINED, FeelRequest, measure
from cardsite.workshop.sandbox import MOST_SEATS, check_size
from games.core.messages import NONE, Message, restored
from games.jobs import Limits
from games.lab.publish import REPORT
from games.lab.report_library import BadReport
from games.lab.report_types import AnalysisReport

WIDEST = 1000  # the largest range of values
MEMORY = 1 << 30  # bytes of address space
OVERTIME = 60.0  # further CPU seconds in which to finish the current step
FORGOTTEN = 20.0  # seconds without a view after which it stops
TIME_SLICE = 5.0  # CPU seconds after which a waiting measurement is next
KEPT = 300  # folders


def played(folder: JobFolder) -> int:
    """Return how many results are stored."""
    return sum(lines.stat().st_size for lines in folder.path.rglob("*.jsonl"))


def _has_result(folder: JobFolder) -> bool:
    return (folder.path / REPORT).exists() or (folder.path / CURVE).exists()


queue = Queue(
    "report",
    measure,
    Limits(nice=19, memory=MEMORY, confined=True),
    WORK["feel"].waiting,
    cpu=WORK["feel"].cpu,
    overtime=OVERTIME,
    enough=_has_result,
    time_slice=TIME_SLICE,
    kept=played,
    forgotten=FORGOTTEN,
)


def folder_of_all() -> Path:
    """Return the folder of all measurements."""
    return Path(settings.VAR_DIR) / "workshop"


def checked(asked: FeelRequest) -> FeelRequest:
    """Return the request if its sizes are within the limits. Raises Refused."""
    check_size(asked.source, asked.table)
    if not asked.source.strip():
        raise Refused("empty", _("There is no text yet."))
    if asked.seats is not None and not 1 <= asked.seats <= MOST_SEATS:
        raise Refused("seats", _("A game can have 1 to %(n)d players.") % {"n": MOST_SEATS})
    if asked.number and not asked.low < asked.high <= asked.low + WIDEST:
        raise Refused("range", _("The end of a range must be larger than its start, by at most %(n)d.") % {"n": WIDEST})
    return asked


def do_measure(asked: FeelRequest, *, watched: bool = True, payers: Sequence[str] = ()) -> str:
    """Start or resume a measurement, unless it is complete. Returns its key. Raises Refused.

    ``watched``: it stops when nobody views it. ``payers``: to whom its CPU time is booked.
    """
    key = key_of(checked(asked))
    folder = JobFolder(folder_of_all() / key)
    if not watched:
        folder.keep_going()
    if folder.state in ("done", "failed", "running", "waiting"):
        folder.see()
    else:
        queue.start(Job(f"feel {key}", partial(request_for, asked, folder), folder, payers, ended=remove_oldest))
    return key


def request_for(asked: tuple[Any, ...], folder: JobFolder, seconds: float) -> bytes:
    """Return the request to a worker, given the CPU seconds that it may take."""
    return json.dumps({"asked": asked, "folder": str(folder.path), "seconds": seconds}).encode()


def key_of(asked: tuple[Any, ...]) -> str:
    """Return the name of a measurement: equal requests, measured in the same way, have equal ones."""
    return hashlib.sha256(json.dumps((EXAMINED, *asked)).encode()).hexdigest()[:24]


def report_of(source: str, table: str) -> AnalysisReport | None:
    """Return the report on a text with the usual number of players, None if there is none."""
    return _report_in(folder_of_all() / key_of(FeelRequest(source, table, None)))


def _report_in(folder: Path) -> AnalysisReport | None:
    try:
        return report_in(folder)
    except (OSError, BadReport):
        return None


def look(key: str) -> tuple[JobState, AnalysisReport | None, dict[str, Any], Message] | None:
    """Return the state of a measurement, its report and curve so far, and its error; None if there is none.

    Counts as a view, which keeps the measurement running.
    """
    folder = JobFolder(folder_of_all() / key)
    state = folder.state
    if state is None:
        return None
    if state in ("running", "waiting"):
        folder.see()
    return state, _report_in(folder.path), read_json(folder.path / CURVE), why_failed(folder)


def why_failed(folder: JobFolder) -> Message:
    """Return why a job with a text failed; empty if it did not."""
    return restored(folder.why.splitlines()[-1]) if folder.state == "failed" and folder.why else NONE


def remove_oldest(how: End, found: None) -> None:
    """Remove all but the latest measurements and those that run."""
    paths = sorted(
        (path for path in folder_of_all().iterdir() if path.is_dir()), key=lambda path: -path.stat().st_mtime
    )
    for path in paths[KEPT:]:
        if JobFolder(path).state not in ("running", "waiting"):
            shutil.rmtree(path, ignore_errors=True)
