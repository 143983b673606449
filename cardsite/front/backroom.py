"""The back room: the administrators' pages in the site's own look. Their data is also in Django's administration.

Nothing here may reach a player: the pages are for administrators only, are not cached or compressed, and setting a rig
publishes no event.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from django.contrib import admin
from django.http import HttpResponse
from django.utils.translation import gettext as _

from cardsite.lobby.models import Seat, Table
from cardsite.lobby.services import seating

View = Callable[..., HttpResponse]


class SeatShown(NamedTuple):
    """A seat of a table as its portrait and name show it."""

    number: int
    kind: str
    bot: str
    person: int | None
    name: str


def administrators_only(view: View) -> View:
    """Return a view that sends everybody but administrators to the log-in, and is never cached."""
    only: View = admin.site.admin_view(view)
    return only


def seats_of(table: Table) -> list[SeatShown]:
    """Return the seats of a table for pages of the back room."""
    seats: list[Seat] = list(table.seats.all())
    names = seating.seat_names(seats)
    return [
        SeatShown(seat.index, seat.kind, seat.bot, seat.person_id, names.get(seat.index) or _("(open)"))
        for seat in seats
    ]
