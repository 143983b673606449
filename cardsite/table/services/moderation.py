"""What administrators do at a table: remove a player, close it with a notice, and undo a removal.

What they forbid a person everywhere is in ``people/restrictions.py``.
"""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from cardsite.events import TableChanged, publish
from cardsite.lobby.models import SeatRequest
from cardsite.lobby.services import lifecycle, permissions, presence, seating
from cardsite.people.models import REASON_LENGTH
from cardsite.people.names import one_line
from cardsite.refusal import Refused
from cardsite.table.dropped import Dropped
from cardsite.table.models import DropReason, Match
from cardsite.table.services.matches import do_drop_match


@transaction.atomic
def do_remove_from_seat(code: str, person: int, reason: str) -> None:
    """Remove a person from their seat. The house bot takes over. They may watch, and request a seat. Raises Refused."""
    table = permissions.lock(code)
    seat = table.seats.filter(person=person).select_related("person").first()
    if seat is None:
        raise Refused("bad_option", _("This person no longer sits at the table, so nobody was removed."))
    hosted = table.host_id == person
    seating.do_remove_player(table, seat, by_administrator=True, reason=one_line(reason)[:REASON_LENGTH])
    if hosted:
        presence.do_pass_host(table)


@transaction.atomic
def do_readmit(code: str, person: int) -> None:
    """Let a person who was removed from a table sit down there again. Raises Refused."""
    table = permissions.lock(code)
    if not SeatRequest.objects.filter(table=table, person=person, removed=True).delete()[0]:
        raise Refused("bad_option", _("This person was not removed from the table."))
    publish(TableChanged(code))


@transaction.atomic
def do_close_table(code: str, notice: str) -> None:
    """Stop the match of a table and close the table, with a notice that its visitors read. Raises Refused."""
    table = permissions.lock(code)
    for match in Match.objects.filter(table=table, status=Match.Status.RUNNING):
        do_drop_match(match.pk, Dropped(DropReason.STOPPED))
    table.refresh_from_db()
    table.closed_because = one_line(notice)[:REASON_LENGTH]
    lifecycle.do_close_table(table)
