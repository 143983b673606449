"""Server processes, and which of them runs which match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, Max, OuterRef, Q
from django.utils import timezone

from cardsite.lobby.models import HERE, Seat, Table
from cardsite.lobby.services import presence
from cardsite.table.models import Match, ServerProcess
from cardsite.table.moves import milliseconds

LOST = timedelta(seconds=7)  # a process not seen for so long loses its matches: see ROUND in server/scheduler.py
ABANDONED = timedelta(days=30)  # bots end a match without a clock that was suspended for so long
PROCESS_GONE = timedelta(days=1)  # a process gone for so long will not return under its name


class ThisProcess:
    """The row of this process, which runs the matches that it starts."""

    row: ServerProcess | None = None  # set by the match server when it signs in; None without a match server


this_process = ThisProcess()


@transaction.atomic
def do_sign_in(name: str) -> ServerProcess:
    """Store that a process is alive, and return its row. If no process was, add that time to the suspended clocks."""
    now = timezone.now()
    last = _last_seen()
    if last and now - last > LOST:
        # Of several processes that start at the same time, one adds the time: the others wait here for its commit.
        list(ServerProcess.objects.select_for_update().order_by("pk"))
        last = _last_seen()
    row, _made = ServerProcess.objects.update_or_create(name=name, defaults={"seen": now})
    if last and now - last > LOST:
        suspended = Match.objects.filter(status=Match.Status.RUNNING, resumes__isnull=False)
        presence.do_extend_turns(suspended.values("table"), now - last)
        suspended.update(resumes=F("resumes") + (now - last))
    return row


def _last_seen() -> datetime | None:
    """Return when any process of the site was last alive, None if none ever was."""
    last: datetime | None = ServerProcess.objects.aggregate(last=Max("seen"))["last"]
    return last


def do_sign_out(process: ServerProcess) -> None:
    """Store that a process stops, so that other processes can take over at once."""
    ServerProcess.objects.filter(pk=process.pk).update(seen=timezone.now() - LOST)


@transaction.atomic
def do_claim(process: ServerProcess, *, alone: bool) -> list[int]:
    """Take over matches whose process is gone (if ``alone``: of all others). Return all matches of ``process``.

    Open decisions are compensated for the time in which no process ran the match; not if it was suspended with a clock,
    which goes on meanwhile. A suspended match is not taken over until one of its players is here, its table has
    changed, or the time of a decision is up.
    """
    now = timezone.now()
    gone = Q(process=None) | Q(process__seen__lt=now - LOST)
    if alone:
        gone |= ~Q(process=process)
    running = Match.objects.filter(status=Match.Status.RUNNING)
    ready = (
        Q(suspended_since=None) | Q(resumes__lte=now) | Q(suspended_since__lt=F("table__touched")) | Q(_person_here())
    )
    for match in (
        running.filter(gone).filter(ready).select_related("process").select_for_update(of=("self",), skip_locked=True)
    ):
        if match.resumes is None:
            last = match.moves.order_by("-ply").values_list("ply", "at").first() or (0, milliseconds(match.started))
            seen = milliseconds(match.process.seen) if match.process else last[1]
            away = max(0, milliseconds(now) - max(seen, last[1]))
            # A suspended match has no process, and ``away`` includes the time of earlier suspensions.
            before = match.compensation_ms if match.process and match.compensation_ply == last[0] else 0
            match.compensation_ply, match.compensation_ms = last[0], before + away
        match.process, match.suspended_since, match.resumes = process, None, None
        match.save(update_fields=["compensation_ply", "compensation_ms", "process", "suspended_since", "resumes"])
    ServerProcess.objects.filter(seen__lt=now - PROCESS_GONE).delete()
    return list(running.filter(process=process).values_list("pk", flat=True))


@transaction.atomic
def do_suspend(process: ServerProcess, matches: Mapping[int, datetime | None]) -> list[int]:
    """Suspend those of some matches whose players are all away. Return which.

    ``matches``: by number, when the time of a decision is up; None without a clock. No process runs them until then, or
    until one of their players is back: see ``do_claim``.
    """
    kept = Match.objects.select_for_update().filter(pk__in=list(matches), process=process, status=Match.Status.RUNNING)
    numbers = list(kept.exclude(_person_here()).values_list("pk", flat=True))
    for number in numbers:
        Match.objects.filter(pk=number).update(suspended_since=timezone.now(), resumes=matches[number], process=None)
    return numbers


def do_end_abandoned() -> None:
    """Have bots end the matches without a clock that were suspended for a long time."""
    abandoned = Match.objects.filter(
        status=Match.Status.RUNNING, suspended_since__lt=timezone.now() - ABANDONED, resumes=None
    )
    do_leave_to_bots_in(list(abandoned.values_list("pk", flat=True)[:100]))


@transaction.atomic
def do_leave_to_bots_in(matches: Sequence[int]) -> None:
    """Have bots decide for all people in some suspended matches until they are back."""
    if matches:
        presence.do_leave_to_bots(Table.objects.filter(matches__in=matches).values_list("pk", flat=True))
        Match.objects.filter(pk__in=matches).update(suspended_since=None, resumes=None)


def _person_here() -> Exists:
    """Return whether one of the players of a match is at its table."""
    here = Seat.objects.filter(table=OuterRef("table"), seen__gt=timezone.now() - HERE)
    return Exists(here.exclude(person=None))


def living_processes() -> list[ServerProcess]:
    """Return the processes of the site that run now, by their heartbeats."""
    return list(ServerProcess.objects.filter(seen__gt=timezone.now() - LOST).order_by("name"))
