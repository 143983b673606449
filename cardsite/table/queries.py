"""Frequent queries for matches: run at every start and end, and at every change of a table."""

from __future__ import annotations

from typing import Any

from django.db.models import FilteredRelation, OuterRef, Q, QuerySet, Subquery

from cardsite.lobby.models import Table
from cardsite.prepared import NO_CODE, NO_NUMBER, Prepared, PreparedUpdate
from cardsite.table.models import Match, Message, Move, Occupancy, Player

CHAT_KEPT = 100  # chat messages that a new connection is sent


def of_last_match(field: str) -> Subquery:
    """Return a field of the last match at each table of a query, None where there was none."""
    return Subquery(Match.objects.filter(table=OuterRef("pk")).order_by("-number").values(field)[:1])


def _shown(code: str) -> QuerySet[Any]:
    tables: QuerySet[Any] = Table.objects.filter(code=code).annotate(
        last_match=FilteredRelation("matches", condition=Q(matches__pk=of_last_match("pk"))),
        asking=FilteredRelation("seat_requests"),
    )
    return tables.select_related("last_match", "asking__person", "seek").order_by("asking__pk")


# A table with its ``last_match``, one row for each of its ``seat_requests`` as ``asking``, as attributes.
SHOWN_TABLE = Prepared(_shown, NO_CODE)
MATCH = Prepared(lambda match: Match.objects.filter(pk=match).select_related("table"), NO_NUMBER)
LOCKED_TABLE = Prepared(lambda table: Table.objects.select_for_update().filter(pk=table), NO_NUMBER)
LAST_MATCH = Prepared(lambda table: Match.objects.filter(table=table).order_by("-number")[:1], NO_NUMBER)
PLAYERS = Prepared(lambda match: Player.objects.filter(match=match), NO_NUMBER)
OCCUPANCIES = Prepared(lambda match: Occupancy.objects.filter(match=match).order_by("pk"), NO_NUMBER)
MOVES = Prepared(lambda match: Move.objects.filter(match=match).order_by("ply"), NO_NUMBER)


def _last_messages(room: str) -> Prepared[Message]:
    rooms = (room, Message.ChatRoom.ALL)
    return Prepared(
        lambda code: Message.objects.filter(table__code=code, room__in=rooms).order_by("-pk")[:CHAT_KEPT], NO_CODE
    )


# By chat room: the last messages of a table, newest first.
LAST_MESSAGES = {str(room): _last_messages(room) for room in (Message.ChatRoom.PLAYERS, Message.ChatRoom.SPECTATORS)}

# The updates at the end of a match, and of each of its players.
END = PreparedUpdate(
    lambda match: Match.objects.filter(pk=match, status=Match.Status.RUNNING),
    NO_NUMBER,
    *("status", "finished", "process", "outcome", "low_wins", "dropped"),
)
RESULT = PreparedUpdate(
    lambda player: Player.objects.filter(pk=player),
    NO_NUMBER,
    *("score", "share", "place", "decisions", "own_decisions", "person", "bot", "name"),
)
