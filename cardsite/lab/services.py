"""Everything that writes in the laboratory: start, cancel and delete reports, compute lead histories.

Only the ``do_...`` functions write rows and files. The computing is done by jobs (``cardsite.jobs``): one report and
one lead history at a time.
"""

from __future__ import annotations

import json
import pickle
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from cardsite.jobs.folder import End, JobFolder, take
from cardsite.jobs.queue import Job, Queue
from cardsite.lab import worker
from cardsite.lab.library import run_folders, runs_folder
from cardsite.lab.models import LeadHistory
from cardsite.limits import WORK
from cardsite.lobby.games import find_game
from cardsite.refusal import Refused
from cardsite.table.models import Match
from cardsite.table.moves import moves_of
from cardsite.translations import said
from games.core import BadOption
from games.jobs import Limits
from games.lab.analyse import Analysis
from games.lab.publish import REPORT
from games.lab.saved import PLAYED, write_whole

ASKED, LOCK = "asked.json", "lock"
MAX_REPORTS = 50  # reports run on this site, finished or not
MEMORY = 4 << 30  # bytes of address space
LOST = timedelta(minutes=10)  # after which an unfinished lead history may be requested again

_limits = Limits(nice=19, memory=MEMORY, confined=True)
_reports = Queue("report", worker.report, _limits, WORK["report"].waiting, cpu=WORK["report"].cpu)
_leads = Queue("lead", worker.lead_history, _limits, WORK["lead"].waiting, cpu=WORK["lead"].cpu)


# -- reports


def do_run(analysis: Analysis, matches: int, searched: int) -> int:
    """Start a report in the background and return its number. Raises Refused if one runs, or too many are stored."""
    runs = runs_folder()
    runs.mkdir(parents=True, exist_ok=True)
    with _one_at_a_time():
        there = [int(path.name) for path in run_folders()]
        if len(there) >= MAX_REPORTS:
            raise Refused(
                "full", _("%(n)d reports are stored here, which is the limit. Remove one first.") % {"n": MAX_REPORTS}
            )
        number = max(there, default=0) + 1
        folder = runs / str(number)
        folder.mkdir()
        searched = min(matches, searched)
        asked = {**analysis.settings(), "matches": matches, "searched": searched, "at": timezone.now().isoformat()}
        write_whole(folder / ASKED, json.dumps(asked, indent=2))
        _begin(analysis, matches, searched, folder)
    return number


def do_resume(number: int) -> None:
    """Resume a report that did not finish. Raises Refused."""
    folder = _folder(number)
    if (folder / REPORT).exists():
        raise Refused("done", _("This report is finished."))
    with _one_at_a_time():
        try:
            asked = json.loads((folder / ASKED).read_text())
            analysis = Analysis.checked(
                find_game(asked["game"]), asked["seats"], asked["options"], asked["seed"], asked["rollouts"]
            )
            _begin(analysis, asked["matches"], asked["searched"], folder)
        except (BadOption, OSError, ValueError, LookupError, TypeError) as error:  # invalid, or another game
            why = said(error.text) if isinstance(error, BadOption) else str(error)
            reason = {"reason": why[:200]}
            raise Refused("gone", _("This report cannot continue: %(reason)s") % reason) from error


def do_cancel(number: int) -> None:
    """Stop a report; its results so far are kept. Raises Refused."""
    folder = _folder(number)
    if running() != number:
        raise Refused("not_running", _("This report is not running."))
    JobFolder(folder).cancel()


def do_remove(number: int) -> None:
    """Delete a report that was run on this site. Raises Refused while it runs."""
    folder = _folder(number)
    if running() == number:
        raise Refused("running", _("This report is running. Cancel it first."))
    shutil.rmtree(folder)


def _folder(number: int) -> Path:
    folder = runs_folder() / str(number)
    if folder not in run_folders() or not (folder / ASKED).is_file():  # a number may be too long for a file name
        raise Refused("no_report", _("There is no such report."))
    return folder


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Lock out other processes while a report is started in the block. Raises Refused if one runs."""
    lock = take(runs_folder() / LOCK)
    try:
        if lock is None or running() is not None:
            raise Refused("busy_lab", _("Another report is already running. Wait until it is done, or cancel it."))
        yield
    finally:
        if lock is not None:
            lock.close()


def running() -> int | None:
    """Return the number of the report that runs now, in any process; None if there is none."""
    return next((int(path.name) for path in run_folders() if JobFolder(path).state in ("waiting", "running")), None)


def _begin(analysis: Analysis, matches: int, searched: int, folder: Path) -> None:
    request = pickle.dumps((analysis, matches, searched, str(folder)))
    job_folder = JobFolder(folder)
    job_folder.keep_going()
    _reports.start(Job(f"report {folder.name}", lambda cpu_left: request, job_folder, ended=partial(_tidy, folder)))


def _tidy(folder: Path, how: End, result: None) -> None:
    """Remove files that only a resumed report would need."""
    if how == "done":
        shutil.rmtree(folder / PLAYED, ignore_errors=True)


# -- lead histories


def do_ask_lead(match: Match, payers: Sequence[str]) -> LeadHistory:
    """Return the lead history of a match; the first request starts computing it. Raises Refused.

    ``payers``: to whom its CPU time is booked.
    """
    game = find_game(match.game)
    reserved = False
    try:
        with transaction.atomic():
            row = LeadHistory.objects.select_for_update().filter(match=match).first()
            if row and row.rules_version == game.rules_version and not is_lost(row):
                return row
            _leads.reserve()
            reserved = True
            working = {
                "rules_version": game.rules_version, "state": LeadHistory.Status.WORKING, "asked": timezone.now(),
                "found": None,
            }  # fmt: skip
            row, _made = LeadHistory.objects.update_or_create(match=match, defaults=working)
        moves = [(move.seat, move.text) for move in moves_of(match.pk)]
        winners = match.winning_seats if match.conceded else None
        request = pickle.dumps((game, match.players.count(), match.options, match.seed, moves, winners))
    except BaseException:
        if reserved:
            _leads.give_up()
        raise
    ended = partial(_store, match.pk, row.asked)
    _leads.begin(Job(f"lead {match.pk}", lambda cpu_left: request, None, payers, match.table.code, ended))
    return row


def is_lost(row: LeadHistory) -> bool:
    """Return whether a lead history is no longer being computed, and can be requested again."""
    return row.state == LeadHistory.Status.WORKING and row.asked < timezone.now() - LOST


def _store(match: int, asked: datetime, how: End, lead: dict[str, Any] | None) -> None:
    if how == "stopped":  # the site was shut down: it can be requested again
        do_remove_lead(match, asked)
        return
    state = LeadHistory.Status.FAILED
    if how == "done":
        state = LeadHistory.Status.DONE if lead else LeadHistory.Status.TOO_LONG
    do_store_lead(match, asked, state, lead)


def do_store_lead(match: int, asked: datetime, state: str, lead: dict[str, Any] | None) -> None:
    """Store a lead history requested at ``asked``, unless it was requested again since, or the match is gone."""
    LeadHistory.objects.filter(match=match, asked=asked).update(state=state, found=lead)


def do_remove_lead(match: int, asked: datetime) -> None:
    """Remove a request for a lead history made at ``asked``, unless it was made again since."""
    LeadHistory.objects.filter(match=match, asked=asked).delete()
