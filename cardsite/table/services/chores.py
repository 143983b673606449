"""Work that the site does by itself: the house table, backups, clean-up."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from cardsite.lobby.games import SECONDS
from cardsite.lobby.models import Table
from cardsite.lobby.services import lifecycle
from cardsite.refusal import Refused
from cardsite.table.models import Chore, DropReason, Match, Move, PackedMoves
from cardsite.table.moves import pack
from cardsite.table.services.matches import do_start_match
from games import catalogue
from games.core import Game

RESULT_READ = timedelta(seconds=4)  # time to read a result at the house table, between two matches
LINE_READ = timedelta(seconds=1)  # more for each player
BACKUP = "backup"  # the name of the Chore that has the time of the last backup
BROKEN_PAUSE = timedelta(minutes=10)  # before a game whose rules failed at the house table is played there again
HOUSE_KEPT = 50  # matches of the house table that are kept for replay

log = structlog.get_logger(__name__)


def do_keep_house_table() -> timedelta | None:
    """Keep a match running at the house table: open the table, and start its next match after a pause.

    Its games alternate. Return how long to wait for the next match, None while one is being played.
    """
    games = catalogue.watched()
    table = Table.objects.filter(house=True).exclude(status=Table.Status.CLOSED).first()
    if table is None:
        seats = [games[0].house_bot] * games[0].default_seats
        table = lifecycle.do_create_table(None, games[0], seats, seconds=min(SECONDS), house=True)
    elif table.status == Table.Status.PLAYING:
        return None
    last = Match.objects.filter(table=table).order_by("-number").first()
    rest = table.touched + RESULT_READ + LINE_READ * last.players.count() - timezone.now() if last else timedelta()
    if rest > timedelta():
        return rest
    broken = _broken_lately(table)
    games = [game for game in games if game.name not in broken]
    if not games:
        return RESULT_READ
    old = Match.objects.filter(table=table).order_by("-number").values_list("pk", flat=True)[HOUSE_KEPT:]
    Match.objects.filter(pk__in=list(old)).delete()
    try:
        with transaction.atomic():
            lifecycle.do_set_house_table(table.code, _after(last, games))
            do_start_match(table.code, None)
    except Refused:
        log.debug("another process began the match at the house table")
    return None


def do_begin_chore(name: str, every: timedelta) -> bool:
    """Return whether a chore is due, and store that it has started: only one of several processes gets True."""
    now = timezone.now()
    Chore.objects.get_or_create(name=name, defaults={"begun": now - 2 * every})
    return bool(Chore.objects.filter(name=name, begun__lte=now - every).update(begun=now))


def do_note_backup() -> None:
    """Store that a backup was made now."""
    Chore.objects.update_or_create(name=BACKUP, defaults={"begun": timezone.now()})


def backed_up() -> datetime | None:
    """Return when the last backup was made, None if none was."""
    return Chore.objects.filter(name=BACKUP).values_list("begun", flat=True).first()


@transaction.atomic
def do_tidy(rows: QuerySet[Any], most: int) -> int:
    """Remove at most ``most`` of some rows, with the rows that depend on them. Return how many.

    Rows that another process is removing or changing are left for the next round.
    """
    doomed = rows.select_for_update(of=("self",), skip_locked=True).order_by("pk").values_list("pk", flat=True)[:most]
    numbers = list(doomed)
    rows.model._default_manager.filter(pk__in=numbers).delete()
    return len(numbers)


@transaction.atomic
def do_pack_moves(matches: QuerySet[Match], most: int) -> int:
    """Pack the moves of at most ``most`` ended matches, into one row each. Return how many matches."""
    chosen = matches.select_for_update(of=("self",), skip_locked=True).order_by("pk")[:most]
    numbers = list(chosen.values_list("pk", flat=True))
    for number in numbers:
        rows = list(Move.objects.filter(match=number).order_by("ply"))
        PackedMoves.objects.create(match_id=number, plies=rows[-1].ply if rows else 0, moves=pack(rows))
        Move.objects.filter(match=number, pk__in=[row.pk for row in rows]).delete()
    return len(numbers)


def _broken_lately(table: Table) -> set[str]:
    """Return the games whose rules failed at a table a short time ago: the next match would probably fail, too."""
    broken = Match.objects.filter(
        table=table, dropped__in=(DropReason.RULES_FAILED, DropReason.NO_END, DropReason.TOO_MUCH)
    )
    return set(broken.filter(finished__gt=timezone.now() - BROKEN_PAUSE).values_list("game", flat=True))


def _after(last: Match | None, games: Sequence[Game]) -> Game:
    """Return the next game of the house table."""
    names = [game.name for game in games]
    return games[(names.index(last.game) + 1) % len(games)] if last and last.game in names else games[0]
