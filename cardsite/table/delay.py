"""What spectators may know of a table whose host has chosen a delay for them: what had happened that long ago.

Players and administrators see everything at once, so nobody who looks at a spectator's screen can help a player.
"""

from __future__ import annotations

from copy import copy
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Q
from django.utils import timezone

from cardsite.lobby.games import DELAYS
from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person
from cardsite.table.models import Match, Move, Player
from cardsite.table.moves import milliseconds


class DelayedMatch(NamedTuple):
    """What spectators know of the matches of a table.

    ``match`` is the last one that they know of, as it was then, None if there is none. ``wins`` has the wins of each
    seat that they do not know of yet. ``changes`` is when they will know of a beginning or an end, None if none waits.
    """

    match: Match | None
    wins: dict[int, float]
    changes: datetime | None


def as_of(match: Match, moment: datetime) -> Match:
    """Return a match as it was at a moment after its beginning; a copy that is not to be saved if it had not ended.

    A match that was dropped has no result and is not shown any longer, so everybody knows that at once.
    """
    if match.status != Match.Status.OVER or match.finished is None or match.finished <= moment:
        return match
    then = copy(match)
    then.status, then.finished, then.outcome, then.dropped, then.failure = Match.Status.RUNNING, None, None, "", ""
    return then


def known_now(table: Table) -> datetime:
    """Return the moment up to which spectators of a table know what has happened."""
    return timezone.now() - timedelta(seconds=table.spectator_delay)


def delayed_match(table: Table) -> DelayedMatch:
    """Return what spectators of a table know of its matches now."""
    moment, delay = known_now(table), timedelta(seconds=table.spectator_delay)
    matches = Match.objects.filter(table=table)
    known = matches.filter(started__lte=moment).order_by("-number").first()
    newer = matches.filter(Q(started__gt=moment) | Q(finished__gt=moment)).values_list("started", "finished")
    events = [at for both in newer for at in both if at and at > moment]
    wins: dict[int, float] = {}
    for player in Player.objects.filter(match__table=table, match__finished__gt=moment, share__gt=0):
        wins[player.seat] = wins.get(player.seat, 0) + player.share
    fits = known and known.game == table.game and known.players.count() == table.seats.count()
    return DelayedMatch(as_of(known, moment) if known and fits else None, wins, min(events) + delay if events else None)


def plies_known(match: Match, table: Table) -> int:
    """Return how many moves of a running match the spectators of its table know."""
    return Move.objects.filter(match=match, at__lte=milliseconds(known_now(table))).count()


def is_hidden(match: Match, person: Person | None) -> bool:
    """Whether a match is hidden from a person who views it outside its table, because the delay has not passed.

    Nothing is hidden from those who sit at the table, nor, after its end, from those who played it.
    """
    if not match.table.spectator_delay or match.status == Match.Status.DROPPED:
        return False
    if match.finished and match.finished <= known_now(match.table):
        return False
    if person is None:
        return True
    played = match.finished is not None and match.players.filter(person=person).exists()
    return not (played or Seat.objects.filter(table=match.table_id, person=person).exists())


def hidden(prefix: str = "") -> Q:
    """Return the condition that spectators do not know the end of a match yet. ``prefix``: the path to the match."""
    now = timezone.now()
    found = Q(pk=None)
    for delay in DELAYS[1:]:
        later = {f"{prefix}table__spectator_delay": delay, f"{prefix}finished__gt": now - timedelta(seconds=delay)}
        found |= Q(**later)
    return found
