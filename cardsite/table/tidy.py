"""What the site keeps of what was played and said, and for how long: settings say the days, this says which rows.

Matches between people are kept, and so is all that belongs to an account; what nobody will come back to is removed, and
what only takes room is packed. Nothing here touches a match under way, a table that is open, or a person who is here:
only tables that are closed are looked at, and a guest counts as gone after days without a visit. A person who is
connected is looked up periodically (``MatchServer._prove_all``), and each time counts as a visit.

Each process goes round; one of them at a time tidies, in batches short enough that a move never waits for one. The
command ``manage.py tidy`` does the same at once, and may run beside it.
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
from cardsite.table.services import do_begin_chore, do_pack_moves, do_tidy
from cardsite.table.stored_replay import ENDED

BATCH = 100  # rows removed in one transaction; with them goes what hangs on them
MATCHES = 10  # whose moves are packed or removed in one transaction: they may be thousands each
PAUSE = 0.2  # seconds between batches while the site runs: other writers come first

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Task:
    """One kind of thing that is tidied: which rows, and what is done with a batch of them, which returns how many."""

    name: str
    setting: str  # the days that it is kept; 0: for ever
    rows: Callable[[int], QuerySet[Any]]  # given those days
    batch: int = BATCH
    do: Callable[[QuerySet[Any], int], int] = do_tidy


def guests(days: int) -> QuerySet[Person]:
    """Return the guests who have not been here for so many days, and have no result to come back to.

    Nor a seat, nor a table of their own.
    """
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
    """Return the matches, ended so many days ago, that nobody has saved: one guest at most played among bots.

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
    """Return the tables that closed so many days ago and where no match is left, chat and all."""
    closed = Table.objects.filter(status=Table.Status.CLOSED, touched__lt=timezone.now() - timedelta(days=days))
    return closed.filter(~Exists(Match.objects.filter(table=OuterRef("pk"))))


def chat(days: int) -> QuerySet[Message]:
    """Return what was said so many days ago at tables that are closed."""
    before = int((timezone.now() - timedelta(days=days)).timestamp() * 1000)
    return Message.objects.filter(at__lt=before, table__status=Table.Status.CLOSED)


def loose_matches(days: int) -> QuerySet[Match]:
    """Return the matches, ended so many days ago, whose moves are a row each."""
    rows, packs = (model.objects.filter(match=OuterRef("pk")) for model in (Move, PackedMoves))
    return _ended(days).filter(Exists(rows), ~Exists(packs))


def replays(days: int) -> QuerySet[StoredReplay]:
    """Return the replays that were laid out so many days ago."""
    return StoredReplay.objects.filter(made__lt=timezone.now() - timedelta(days=days))


def sessions(days: int) -> QuerySet[Session]:
    """Return the sessions that have run out."""
    return Session.objects.filter(expire_date__lt=timezone.now())


TASKS = [  # apps that stand on this one add their own
    Task("matches that a guest played alone", "KEEP_SOLO_DAYS", solo_matches, MATCHES),
    Task("guests", "KEEP_GUESTS_DAYS", guests),
    Task("chat", "KEEP_CHAT_DAYS", chat),
    Task("tables", "KEEP_TABLES_DAYS", tables),
    Task("stored replays", "KEEP_REPLAYS_DAYS", replays),
    Task("sessions", "KEEP_SESSIONS_DAYS", sessions),
    Task("matches packed", "PACK_MOVES_DAYS", loose_matches, MATCHES, do_pack_moves),
]


def batches() -> Iterator[tuple[str, int]]:
    """Tidy up, and yield (what, how many) after each batch, until there is no more to do."""
    for task in TASKS:
        days: int = getattr(settings, task.setting)
        done = task.batch if days else 0
        while done == task.batch:
            done = task.do(task.rows(days), task.batch)
            yield task.name, done


async def rounds() -> None:
    """Go round for ever, in each process, and tidy up when it is due and no other process does."""
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
