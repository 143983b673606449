"""What is read of matches over and over: with every start, every end, and whatever else changes at a table."""

from __future__ import annotations

from cardsite.prepared import NO_NUMBER, Prepared, PreparedUpdate
from cardsite.table.models import Match, Move, Player

MATCH = Prepared(lambda match: Match.objects.filter(pk=match).select_related("table"), NO_NUMBER)
LAST_MATCH = Prepared(lambda table: Match.objects.filter(table=table).order_by("-number")[:1], NO_NUMBER)
PLAYERS = Prepared(lambda match: Player.objects.filter(match=match), NO_NUMBER)
MOVES = Prepared(lambda match: Move.objects.filter(match=match).order_by("ply"), NO_NUMBER)

# What is written at the end of one that is being played, and of each of its players.
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
