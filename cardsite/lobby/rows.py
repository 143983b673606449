"""Frequent queries for tables: run at every start and end of a match, and at every change of a table."""

from __future__ import annotations

from cardsite.lobby.models import Seat, SeatRequest, Table
from cardsite.prepared import NO_CODE, NO_NUMBER, Prepared, PreparedUpdate

LOCKED_TABLE = Prepared(lambda code: Table.objects.select_for_update().filter(code=code), NO_CODE)
SEATS = Prepared(lambda table: Seat.objects.filter(table=table).select_related("person"), NO_NUMBER)
REQUESTS = Prepared(lambda table: SeatRequest.objects.filter(table=table), NO_NUMBER)
ASKING = Prepared(  # of people who wait for an answer, or have a seat from the next match on
    lambda table: SeatRequest.objects.filter(table=table).exclude(answer="").select_related("person"), NO_NUMBER
)
PLAYING = PreparedUpdate(lambda table: Table.objects.filter(pk=table), NO_NUMBER, "status", "fresh", "touched")
BETWEEN = PreparedUpdate(lambda table: Table.objects.filter(pk=table), NO_NUMBER, "status", "touched")
