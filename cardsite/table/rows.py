"""Frequent queries for matches: run at every start and end, and at every change of a table."""

from __future__ import annotations

from typing import Any

from django.db.models import FilteredRelation, OuterRef, Q, QuerySet, Subquery

from cardsite.lobby.models import Table
from cardsite.prepared import NO_CODE, NO_NUMBER, Prepared, PreparedUpdate
from cardsite.table.models import Match, Move, Player


def _shown(code: str) -> QuerySet[Any]:
    last = Match.objects.filter(table=OuterRef("pk")).order_by("-number").values("pk")[:1]
    tables: QuerySet[Any] = Table.objects.filter(code=code).annotate(
        last_match=FilteredRelation("matches", condition=Q(matches__pk=Subquery(last))),
        asking=FilteredRelation("chair_wishes", condition=~Q(chair_wishes__answer="")),
    )
    return tables.select_related("last_match", "asking__person").order_by("asking__pk")


# A table with its ``last_match``, one row for each person ``asking`` for a seat, as attributes.
SHOWN = Prepared(_shown, NO_CODE)
MATCH = Prepared(lambda match: Match.objects.filter(pk=match).select_related("table"), NO_NUMBER)
LAST_MATCH = Prepared(lambda table: Match.objects.filter(table=table).order_by("-number")[:1], NO_NUMBER)
PLAYERS = Prepared(lambda match: Player.objects.filter(match=match), NO_NUMBER)
MOVES = Prepared(lambda match: Move.objects.filter(match=match).order_by("ply"), NO_NUMBER)

# The updates at the end of a match, and of each of its players.
END = PreparedUpdate(
    lambda match: Match.objects.filter(pk=match, status=Match.Status.RUNNING),
    NO_NUMBER,
    *("status", "finished", "keeper", "outcome", "low_wins"),
)
RESULT = PreparedUpdate(
    lambda player: Player.objects.filter(pk=player),
    NO_NUMBER,
    *("score", "share", "place", "person", "bot", "name"),
)
