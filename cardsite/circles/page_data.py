"""What the page of a circle shows: its members, who is here now, and its tables."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import NamedTuple

from django.db.models import Q
from django.utils import timezone

from cardsite.circles.models import Circle, Member
from cardsite.lobby.models import HERE, Seat, Table
from cardsite.lobby.services.seating import seat_names
from cardsite.people.names import distinct_names
from cardsite.people.restrictions import active_restrictions
from cardsite.server.server import match_server
from cardsite.table.delay import has_delay, with_delay


class MemberRow(NamedTuple):
    """A member as the page shows them. ``here`` says where they are now: "table", "page", or "" for neither."""

    person: int
    name: str
    role: str
    guest: bool
    here: str


class CircleTable(NamedTuple):
    """A table of a circle that is not closed. ``evening`` is the number of its evening, 0 if the circle is invited."""

    code: str
    game: str
    status: str
    names: list[str]
    bots: int
    free: int
    evening: int


class MessageRow(NamedTuple):
    """A message of a circle's chat. ``removable``: the reader may remove it; ``own``: the reader has written it."""

    number: int
    name: str
    text: str
    at: datetime
    removable: bool
    own: bool


def members(circle: Circle) -> list[MemberRow]:
    """Return the members of a circle, the owner first, then in the order in which they joined."""
    rows = sorted(circle.members.select_related("person"), key=lambda member: (not member.is_owner, member.pk))
    names = distinct_names({member.person_id: member.person.name for member in rows})
    at_tables = _at_tables(member.person_id for member in rows)
    since = timezone.now() - HERE
    return [
        MemberRow(
            person=member.person_id,
            name=names[member.person_id],
            role=member.role,
            guest=not member.person.registered,
            here="table" if member.person_id in at_tables else "page" if member.seen and member.seen > since else "",
        )
        for member in rows
    ]


def messages(me: Member, muted: Collection[int] = ()) -> list[MessageRow]:
    """Return the chat of a circle as a member reads it, the newest message last. Authors may have left the circle.

    ``muted``: the numbers of the people whose messages are left out.
    """
    rows = list(me.circle.messages.filter(removed=False).exclude(person__in=muted).select_related("person"))
    people = {one.person_id: one.person.name for one in me.circle.members.select_related("person")}
    names = distinct_names(people)
    names |= distinct_names(
        {row.person_id: row.person.name for row in rows if row.person_id not in people}, names.values()
    )
    return [
        MessageRow(
            number=row.pk,
            name=names[row.person_id],
            text=row.text,
            at=row.at,
            removable=me.is_owner or row.person_id == me.person_id,
            own=row.person_id == me.person_id,
        )
        for row in rows
    ]


def _at_tables(people: Iterable[int]) -> set[int]:
    """Return which of some people are connected to a table where they sit or that they host."""
    since, numbers = timezone.now() - HERE, list(people)
    seated = Seat.objects.filter(person__in=numbers, seen__gt=since).values_list("person", flat=True)
    hosting = Table.objects.filter(host__in=numbers, host_seen__gt=since).exclude(status=Table.Status.CLOSED)
    return {*seated, *hosting.values_list("host", flat=True)} - {None}


def tables(circle: Circle, muted: Collection[int] = ()) -> list[CircleTable]:
    """Return the tables of a circle, and those to which it is invited, unless they are closed; the newest first.

    Invitations of people whom an administrator has blocked or muted are left out, and those of the people with the
    numbers ``muted``. Evenings are listed whoever has started them.
    """
    restricted = active_restrictions().values("person")
    invited = circle.invitations.exclude(by__in=muted).exclude(by__in=restricted).values("table")
    ours = Q(evening__circle=circle) | Q(pk__in=invited)
    found = with_delay(Table.objects.filter(ours).exclude(status=Table.Status.CLOSED).order_by("-pk"))
    evenings = dict(circle.evenings.filter(table__in=found).values_list("table", "pk"))
    return [_table_row(table, evenings.get(table.pk, 0)) for table in found.prefetch_related("seats__person")]


def _table_row(table: Table, evening: int) -> CircleTable:
    if has_delay(table):
        known = match_server.relay.known_to_spectators(table.code)
        if known:
            return CircleTable(
                code=table.code,
                game=known.game,
                status=known.status,
                names=[seat.name for seat in known.seats if seat.kind == "person"],
                bots=sum(seat.kind == "bot" for seat in known.seats),
                free=sum(seat.kind == "open" for seat in known.seats),
                evening=evening,
            )
    seats = list(table.seats.all())
    names = seat_names(seats)
    return CircleTable(
        code=table.code,
        game=table.game,
        status=table.status,
        names=[names[seat.index] for seat in seats if seat.person_id],
        bots=sum(seat.kind == "bot" for seat in seats),
        free=sum(seat.kind == "open" for seat in seats),
        evening=evening,
    )
