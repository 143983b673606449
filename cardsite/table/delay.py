"""What spectators may know of a table whose host has chosen a delay for them: what had happened that long ago.

Players and administrators see everything at once, so nobody who looks at a spectator's screen can help a player. The
delay is stored with each match when it starts, so a later choice of the host reveals nothing of that match early.

With ``UNTIL_DEAL_ENDS`` spectators see the moves of a deal when it has been scored, and the last ones when the match is
over. In a game that scores no deals that is all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from datetime import datetime, timedelta
from itertools import takewhile
from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.utils import timezone

from cardsite.lobby.games import DELAYS, UNTIL_DEAL_ENDS
from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person
from cardsite.table.models import Match, Move, Occupancy, Player
from cardsite.table.moves import milliseconds
from cardsite.table.occupants import occupancies_of
from cardsite.table.queries import of_last_match

IN_SECONDS = [delay for delay in DELAYS if 0 < delay < UNTIL_DEAL_ENDS]


class DelayedMatch(NamedTuple):
    """What spectators know of the matches of a table.

    ``match`` is the last one that they know of, as it was then, None if there is none. ``first`` is the first one of
    which they do not know everything, None if they know all. ``wins`` has the wins of each seat that they do not know
    of yet. ``changes`` is when they will know of the beginning or end of ``first``, None if that has not happened.
    """

    match: Match | None
    first: Match | None
    wins: dict[int, float]
    changes: datetime | None


def lag(match: Match) -> timedelta:
    """Return how much later than players spectators know of the beginning and the end of a match."""
    return timedelta(seconds=match.spectator_delay if match.spectator_delay < UNTIL_DEAL_ENDS else 0)


def knows_beginning(match: Match) -> bool:
    """Whether spectators know that a match has begun."""
    return match.started + lag(match) <= timezone.now()


def knows_end(match: Match) -> bool:
    """Whether spectators know the end of a match. Everybody knows at once of one that was dropped."""
    if match.status == Match.Status.OVER:
        return match.finished is None or match.finished + lag(match) <= timezone.now()
    return match.status == Match.Status.DROPPED


def as_known(match: Match) -> Match:
    """Return a match as spectators know it; a copy that is not to be saved if they do not know its end."""
    if match.status != Match.Status.OVER or knows_end(match):
        return match
    then = copy(match)
    then.status, then.finished, then.outcome, then.dropped, then.failure = Match.Status.RUNNING, None, None, "", ""
    return then


def known_moves(match: Match, moves: Sequence[Move], settled: int) -> list[Move]:
    """Return those of the moves of a match that spectators know. ``match``: as returned by ``as_known``.

    ``settled``: the number of moves when a deal was last scored.
    """
    if match.status != Match.Status.RUNNING:
        return list(moves)
    if match.spectator_delay >= UNTIL_DEAL_ENDS:
        return list(moves[:settled])
    until = milliseconds(timezone.now() - lag(match))
    return list(takewhile(lambda move: move.at <= until, moves))


def known_occupancies(match: Match) -> tuple[list[Occupancy], datetime | None]:
    """Return who was in which seat of a match as far as spectators know, and when they will know more (None: never).

    ``match``: as returned by ``as_known``. Of one that has not begun for them, they know who was there at the start.
    """
    rows = occupancies_of(match.pk)
    if match.status != Match.Status.RUNNING or not match.spectator_delay:
        return rows, None
    in_seconds = match.spectator_delay < UNTIL_DEAL_ENDS
    until = timezone.now() - lag(match)
    known: list[Occupancy] = []
    later: list[datetime] = []
    for row in rows:
        first = all(row.seat != one.seat for one in known)
        if first or (in_seconds and row.at <= until):
            known.append(row)
        elif in_seconds:
            later.append(row.at + lag(match))
    return known, min(later, default=None)


def delay_for_next(table: Table, others: Sequence[Match | None]) -> int:
    """Return the delay of a match that starts now at a locked table: what its host has chosen.

    But no less than that of ``others``, the last match here and the one that is continued, as long as spectators do not
    know its end: they would learn of it too early.
    """
    return max([table.spectator_delay, *(one.spectator_delay for one in others if one and not knows_end(one))])


def delayed_match(table: Table) -> DelayedMatch:
    """Return what spectators of a table know of its matches now."""
    matches = Match.objects.filter(table=table).order_by("number")
    recent = timezone.now() - timedelta(seconds=max(IN_SECONDS))
    newest = matches.filter(Q(status=Match.Status.RUNNING) | Q(status=Match.Status.OVER, finished__gt=recent))
    unknown = [match for match in newest if not knows_end(match)]
    if not unknown:
        known = matches.last()
        return DelayedMatch(known if known and _fits(known, table) else None, None, {}, None)
    first = unknown[0]
    wins: dict[int, float] = {}
    for player in Player.objects.filter(match__in=unknown, share__gt=0):
        wins[player.seat] = wins.get(player.seat, 0) + player.share
    if knows_beginning(first):
        return DelayedMatch(as_known(first), first, wins, first.finished + lag(first) if first.finished else None)
    known = matches.filter(number__lt=first.number).last()
    return DelayedMatch(known if known and _fits(known, table) else None, first, wins, first.started + lag(first))


def _fits(match: Match, table: Table) -> bool:
    """Return whether a match has the game and the seats that its table has now."""
    return not table.fresh and match.game == table.game and match.players.count() == table.seats.count()


def is_hidden(match: Match, person: Person | None) -> bool:
    """Whether a match is hidden from a person who views it outside its table, because the delay has not passed.

    Nothing is hidden from those who sit at the table nor, after its end, from those who played it.
    """
    if not match.spectator_delay or knows_end(match):
        return False
    if person is None:
        return True
    played = match.finished is not None and match.players.filter(person=person).exists()
    return not (played or Seat.objects.filter(table=match.table_id, person=person).exists())


def hidden(prefix: str = "") -> Q:
    """Return the condition that spectators do not know all of a match yet. ``prefix``: the path to the match."""
    now = timezone.now()
    # Also while it is being played: a match that is listed then, and no longer after its end, would show that end.
    found = Q(**{f"{prefix}spectator_delay__gt": 0, f"{prefix}status": Match.Status.RUNNING})
    for delay in IN_SECONDS:
        later = {f"{prefix}spectator_delay": delay, f"{prefix}finished__gt": now - timedelta(seconds=delay)}
        found |= Q(**later)
    return found


def with_delay(tables: QuerySet[Table]) -> QuerySet[Table]:
    """Return tables with the delay of their last match: see ``has_delay``."""
    return tables.annotate(match_delay=of_last_match("spectator_delay"))


def has_delay(table: Table) -> bool:
    """Whether spectators may know less of a table than its players. It is one of ``with_delay``."""
    return bool(table.spectator_delay or table.match_delay)  # type: ignore[attr-defined]


def game_shown(table: Table) -> str:
    """Return the game that spectators see at a table: that of the match of which they do not know everything."""
    first = delayed_match(table).first if table.fresh else None
    return first.game if first and first.spectator_delay else table.game
