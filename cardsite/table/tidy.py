"""Data retention: the settings give the days, this module selects the rows.

Matches between people and all data of accounts are kept. Data that nobody will come back to is removed, and old moves
are packed. Running matches, open tables and connected people are never touched: only closed tables are considered, and
a guest counts as gone after days without a visit. A connected person is looked up periodically
(``MatchServer._check_all_credentials``), which counts as a visit.

Every process checks periodically, but only one at a time cleans up, in batches short enough not to delay a move. The
command ``manage.py tidy`` does the same at once, and may run at the same time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import structlog
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from cardsite.database import in_thread
from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person
from cardsite.table.models import Match, Message, Move, PackedMoves, Player, StoredReplay
from cardsite.table.services.chores import do_begin_chore, do_pack_moves, do_tidy
from cardsite.table.stored_replay import ENDED

BATCH = 100  # rows removed in one transaction, with the rows that depend on them
MATCHES = 10  # packed or removed in one transaction: each may have thousands of moves
PAUSE = 0.2  # seconds between batches while the site runs, so that other writers go first

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Task:
    """One kind of data to clean up: its rows, and a function that handles a batch and returns the number of rows."""

    name: str
    setting: str  # the setting for how many days it is kept; 0: for ever
    rows: Callable[[int], QuerySet[Any]]  # for that number of days
    batch: int = BATCH
    do: Callable[[QuerySet[Any], int], int] = do_tidy


def guests(days: int) -> QuerySet[Person]:
    """Return the guests without a visit for so many days, and without a result, a seat or a table of their own."""
    matches = Player.objects.filter(person=OuterRef("pk")).exclude(match__status=Match.Status.DROPPED)
    seats = Seat.objects.filter(person=OuterRef("pk")).exclude(table__status=Table.Status.CLOSED)
    theirs = Q(host=OuterRef("pk")) | Q(opened_by=OuterRef("pk"))
    tables = Table.objects.filter(theirs).exclude(status=Table.Status.CLOSED)
    gone = Person.objects.filter(user=None, seen__lt=timezone.localdate() - timedelta(days=days))
    return gone.filter(~Exists(matches), ~Exists(seats), ~Exists(tables))


def _ended(days: int) -> QuerySet[Match]:
    ended = Match.objects.alias(ended=Coalesce("finished", "started"))
    return ended.filter(status__in=ENDED, ended__lt=timezone.now() - timedelta(days=days))


def solo_matches(days: int) -> QuerySet[Match]:
    """Return the matches of at most one guest among bots that ended so many days ago.

    Guests who still visit, and people with an account, keep theirs.
    """
    people = Player.objects.filter(match=OuterRef("pk")).exclude(person=None)
    others = Player.objects.filter(match=OuterRef("match"), seat__gt=OuterRef("seat")).exclude(person=None)
    kept = people.filter(
        Q(person__user__isnull=False)
        | Q(person__seen__gte=timezone.localdate() - timedelta(days=days))
        | Q(Exists(others))
    )
    return _ended(days).filter(~Exists(kept), table__status=Table.Status.CLOSED)


def tables(days: int) -> QuerySet[Table]:
    """Return the tables, with their chat, that closed so many days ago and have no matches left."""
    closed = Table.objects.filter(status=Table.Status.CLOSED, touched__lt=timezone.now() - timedelta(days=days))
    return closed.filter(~Exists(Match.objects.filter(table=OuterRef("pk"))))


def chat(days: int) -> QuerySet[Message]:
    """Return the chat messages at closed tables from so many days ago."""
    before = int((timezone.now() - timedelta(days=days)).timestamp() * 1000)
    return Message.objects.filter(at__lt=before, table__status=Table.Status.CLOSED)


def unpacked_matches(days: int) -> QuerySet[Match]:
    """Return the matches that ended so many days ago and whose moves are not packed yet."""
    rows, packs = (model.objects.filter(match=OuterRef("pk")) for model in (Move, PackedMoves))
    return _ended(days).filter(Exists(rows), ~Exists(packs))


def replays(days: int) -> QuerySet[StoredReplay]:
    """Return the replays that were stored so many days ago."""
    return StoredReplay.objects.filter(made__lt=timezone.now() - timedelta(days=days))


def sessions(days: int) -> QuerySet[Session]:
    """Return the expired sessions."""
    return Session.objects.filter(expire_date__lt=timezone.now())


TASKS = [  # apps above this one add theirs in ``ready``
    Task("matches that a guest played alone", "KEEP_SOLO_DAYS", solo_matches, MATCHES),
    Task("guests", "KEEP_GUESTS_DAYS", guests),
    Task("chat", "KEEP_CHAT_DAYS", chat),
    Task("tables", "KEEP_TABLES_DAYS", tables),
    Task("stored replays", "KEEP_REPLAYS_DAYS", replays),
    Task("sessions", "KEEP_SESSIONS_DAYS", sessions),
    Task("matches packed", "PACK_MOVES_DAYS", unpacked_matches, MATCHES, do_pack_moves),
]


def batches() -> Iterator[tuple[str, int]]:
    """Clean up, and yield (what, how many) after each batch, until everything is done."""
    for task in TASKS:
        days: int = getattr(settings, task.setting)
        done = task.batch if days else 0
        while done == task.batch:
            done = task.do(task.rows(days), task.batch)
            yield task.name, done


async def run_periodically() -> None:
    """Clean up every ``TIDY_MINUTES``, in one process at a time. Runs in each process until cancelled."""
    every = timedelta(minutes=settings.TIDY_MINUTES)
    while every:
        try:
            if await in_thread(do_begin_chore)("tidy", every):
                await _tidy()
        except Exception:
            log.exception("cleanup failed")
        await asyncio.sleep(every.total_seconds())


async def _tidy() -> None:
    done: dict[str, int] = {}
    work = batches()
    while step := await in_thread(lambda: next(work, None))():
        what, count = step
        done[what] = done.get(what, 0) + count
        await asyncio.sleep(PAUSE)
    if any(done.values()):
        log.info("cleanup done", **{what.replace(" ", "_"): count for what, count in done.items() if count})
