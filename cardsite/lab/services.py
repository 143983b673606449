"""What is done in the laboratory: reports are begun, cancelled and removed, and lead histories worked out.

The ``do_...`` functions are the only writers, of rows and of files. What computes runs in a process of its own, niced,
one for a report and one for a lead history at a time; a thread here waits for each.
"""

from __future__ import annotations

import json
import multiprocessing
import shutil
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import IO, Any, NamedTuple

import structlog
from django.db import DatabaseError, IntegrityError, close_old_connections, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from cardsite import costs
from cardsite.lab import folders, worker
from cardsite.lab.library import run_folders, runs_folder
from cardsite.lab.models import LeadHistory
from cardsite.lobby.games import find_game
from cardsite.refusal import Refused
from cardsite.table.models import Match
from cardsite.table.moves import moves_of
from games.core import BadOption
from games.lab import processes
from games.lab.analyse import Analysis
from games.lab.kept import PLAYED, write_whole
from games.lab.publish import REPORT

ASKED, ENDED, CANCEL, LOCK = "asked.json", "ended.json", "cancel", "lock"
KEPT = 50  # reports made here, finished or not
LOOK = 0.2  # seconds between two looks at whether somebody has cancelled
LONGEST_REPORT = 12 * 3600.0  # seconds
LONGEST_LEAD = 90.0  # seconds: a play-out that never ends, or a busy machine
LEADS_WAITING = 4  # that may wait for the one that is worked out
LOST = timedelta(minutes=10)  # after which a lead history that is being worked out may be asked for again

log = structlog.get_logger(__name__)
_spawn = multiprocessing.get_context("spawn")


# -- reports


def do_run(analysis: Analysis, matches: int, searched: int) -> int:
    """Begin a report in the background and return its number. Raises Refused: one at a time, and not too many kept."""
    runs = runs_folder()
    runs.mkdir(parents=True, exist_ok=True)
    there = [int(path.name) for path in run_folders()]
    if len(there) >= KEPT:
        raise Refused("full", _("%(n)d reports are kept here. Remove one that is not needed any more.") % {"n": KEPT})
    lock = _take_lock()
    try:
        number = max(there, default=0) + 1
        folder = runs / str(number)
        folder.mkdir()
        searched = min(matches, searched)
        asked = {**analysis.settings(), "matches": matches, "searched": searched, "at": timezone.now().isoformat()}
        write_whole(folder / ASKED, json.dumps(asked, indent=2))
        _begin(lock, analysis, matches, searched, number)
    except BaseException:
        lock.close()
        raise
    return number


def do_resume(number: int) -> None:
    """Go on with a report that did not come to its end. Raises Refused."""
    folder = _folder(number)
    if (folder / REPORT).exists():
        raise Refused("done", _("This report is finished."))
    lock = _take_lock()
    try:
        asked = json.loads((folder / ASKED).read_text())
        analysis = Analysis.checked(
            find_game(asked["game"]), asked["seats"], asked["options"], asked["seed"], asked["rollouts"]
        )
        for name in (ENDED, CANCEL, worker.TROUBLE):
            (folder / name).unlink(missing_ok=True)
        _begin(lock, analysis, asked["matches"], asked["searched"], number)
    except Refused:
        lock.close()
        raise
    except (BadOption, OSError, ValueError, LookupError, TypeError) as error:  # the file is spoilt, or the game another
        lock.close()
        raise Refused("gone", _("This report cannot go on: %(why)s") % {"why": str(error)[:200]}) from error


def do_cancel(number: int) -> None:
    """Have a report stop; what is done stays. Raises Refused."""
    folder = _folder(number)
    if running() != number:
        raise Refused("not_running", _("This report is not running."))
    (folder / CANCEL).touch()


def do_remove(number: int) -> None:
    """Remove a report that was made here. Raises Refused while it runs."""
    folder = _folder(number)
    if running() == number:
        raise Refused("running", _("This report is running. Cancel it first."))
    shutil.rmtree(folder)


def _folder(number: int) -> Path:
    folder = runs_folder() / str(number)
    if folder not in run_folders() or not (folder / ASKED).is_file():  # a number may be too long to be a name
        raise Refused("no_report", _("There is no such report."))
    return folder


def _take_lock() -> IO[str]:
    """Return the lock that whoever computes a report holds, among all processes of the site. Raises Refused."""
    if lock := folders.take(runs_folder() / LOCK):
        return lock
    raise Refused("busy_lab", _("A report is being made already. Wait until it is done, or cancel it."))


def running() -> int | None:
    """Return the number of the report that is being made now, by whatever process; None when there is none."""
    told = folders.holder(runs_folder() / LOCK)
    if told is None:
        return None
    return int(told) if told.isdecimal() else 0


def _begin(lock: IO[str], analysis: Analysis, matches: int, searched: int, number: int) -> None:
    lock.seek(0)
    lock.truncate()
    lock.write(str(number))
    lock.flush()
    folder = runs_folder() / str(number)
    process = _spawn.Process(
        target=worker.report, args=(analysis, matches, searched, folder), daemon=True, name="laboratory"
    )
    process.start()
    threading.Thread(target=_see_through, args=(lock, process, folder), daemon=True, name=f"report {number}").start()


def _see_through(lock: IO[str], process: BaseProcess, folder: Path) -> None:
    """Wait for a report to end, or end it; the lock is held until then."""
    try:
        how = _wait(process, folder)
        if how:
            shutil.rmtree(folder / PLAYED, ignore_errors=True) if how == "done" else None
            write_whole(folder / ENDED, json.dumps({"how": how}))
        log.info("a report has ended", report=folder.name, how=how or "interrupted")
    except OSError as error:  # a full disk, or the folder is gone
        log.warning("the end of a report cannot be noted", report=folder.name, error=repr(error))
    finally:
        lock.close()


def _wait(process: BaseProcess, folder: Path) -> str:
    """Return how a report ended: done, cancelled, failed; "" when the site itself goes down."""
    deadline = time.monotonic() + LONGEST_REPORT
    while process.is_alive():
        process.join(LOOK)
        if (folder / CANCEL).exists() or time.monotonic() > deadline:
            process.kill()
            process.join()
            return "cancelled" if (folder / CANCEL).exists() else "failed"
    if process.exitcode == 0:
        return "done"
    return "failed" if process.exitcode and process.exitcode > 0 and (folder / worker.TROUBLE).exists() else ""


# -- lead histories

_leads = ThreadPoolExecutor(1, thread_name_prefix="lead")
_waiting = threading.BoundedSemaphore(LEADS_WAITING + 1)


def do_ask_lead(match: Match, payers: Sequence[str] = ()) -> LeadHistory:
    """Return the lead history of a match, and have it worked out if nobody has asked before. Raises Refused.

    ``payers``: to whom its CPU time is booked.
    """
    game = find_game(match.game)
    with transaction.atomic():
        row = LeadHistory.objects.select_for_update().filter(match=match).first()
        if row and row.rules_version == game.rules_version and not _is_lost(row):
            return row
        if not _waiting.acquire(blocking=False):
            raise Refused("busy", _("Others have asked before you. Try again in a minute."))
        try:
            working = {
                "rules_version": game.rules_version, "state": LeadHistory.State.WORKING, "asked": timezone.now(),
                "found": None,
            }  # fmt: skip
            row, _made = LeadHistory.objects.update_or_create(match=match, defaults=working)
        except BaseException:
            _waiting.release()
            raise
    seats = match.players.count()
    moves = [(move.seat, move.text) for move in moves_of(match.pk)]
    charge = Charge(payers, match.table.code)
    _leads.submit(_work_out, match.pk, row.asked, (game, seats, match.options, match.seed, moves), charge)
    return row


def _is_lost(row: LeadHistory) -> bool:
    return row.state == LeadHistory.State.WORKING and row.asked < timezone.now() - LOST


class Charge(NamedTuple):
    """To whom and to which table work is booked."""

    payers: Sequence[str]
    table: str


def _work_out(match: int, asked: datetime, what: tuple[Any, ...], charge: Charge) -> None:
    try:
        with _ended(what, charge) as found:
            state = LeadHistory.State.FAILED
            if found is not None:
                state = LeadHistory.State.DONE if found else LeadHistory.State.TOO_LONG
            do_store_lead(match, asked, state, json.loads(found) if found else None)
    except DatabaseError as error:
        log.warning("a lead history cannot be stored", match=match, error=repr(error))
    except Exception:
        log.exception("a lead history cannot be worked out", match=match)
    finally:
        _waiting.release()
        close_old_connections()


@contextmanager
def _ended(what: tuple[Any, ...], charge: Charge) -> Iterator[bytes | None]:
    """Work out a lead history in a process, and yield what it sent: None when it failed or took too long."""
    began = time.monotonic()
    ours, theirs = _spawn.Pipe(duplex=False)
    process = _spawn.Process(target=worker.lead_history, args=(theirs, *what), daemon=True, name="lead")
    process.start()
    theirs.close()
    try:
        found = None
        with suppress(EOFError, OSError):
            found = ours.recv_bytes() if ours.poll(LONGEST_LEAD) else None
        yield found
    finally:
        seconds = processes.seconds_of(process.pid or 0)  # also of one that has ended, until it is joined
        costs.book("lead", charge.payers, charge.table, time.monotonic() - began if seconds is None else seconds)
        process.kill()
        process.join()
        ours.close()


def do_store_lead(match: int, asked: datetime, state: str, found: dict[str, Any] | None) -> None:
    """Store a lead history that was asked for then, unless it has been asked for again, or the match is gone."""
    with suppress(IntegrityError):
        LeadHistory.objects.filter(match=match, asked=asked).update(state=state, found=found)
