"""Whom a person may invite to a table: the people with whom they have played, but no strangers."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils.translation import gettext as _

from cardsite.lobby.models import PersonInvitation, Seat, SeatRequest, Table
from cardsite.lobby.services.invitations import do_invite_people, not_shown, notification_of
from cardsite.lobby.services.permissions import lock, require_may_invite
from cardsite.people.models import Person
from cardsite.people.mutes import muting
from cardsite.people.names import distinct_names
from cardsite.people.restrictions import active_restrictions, require_may_chat
from cardsite.push.sending import send
from cardsite.refusal import Refused
from cardsite.table.delay import hidden
from cardsite.table.models import Match, Player

LISTED = 12  # people whom a person may invite


class Invitable(NamedTuple):
    """A person who may be invited to a table. ``invited``: they already are."""

    person: int
    name: str
    invited: bool


def people_to_invite(table: Table, person: Person) -> list[Invitable]:
    """Return the people whom a person may invite to a table, those first with whom they played last.

    They have finished a match with the person at a table that was found by its link: people who met at a public table
    or in a tournament are strangers. Left out are those who sit at this table or have asked for a seat there or been
    removed, those who are blocked or muted, those who have muted the person, and everybody whom the person has removed
    from a table that is still open, or who has removed the person. The list does not say why somebody is not on it.
    Raises Refused.
    """
    require_may_chat(person)
    require_may_invite(table, person)
    by_link = Q(table__public=False, table__tournament=False, status=Match.Status.OVER)
    matches = Match.objects.filter(by_link, players__person=person).exclude(hidden())
    played = Player.objects.filter(match__in=matches).exclude(person=None).exclude(person=person)
    for others in _left_out(table, person):
        played = played.exclude(person__in=others)
    last = played.values("person").annotate(last=Max("match__finished")).order_by("-last", "-person")
    numbers = [row["person"] for row in last[:LISTED]]
    names = distinct_names(dict(Person.objects.filter(pk__in=numbers).values_list("pk", "name")))
    shown = PersonInvitation.objects.filter(table=table).exclude(not_shown())
    invited = set(shown.values_list("person", flat=True))
    return [Invitable(number, names[number], number in invited) for number in numbers]


def _left_out(table: Table, person: Person) -> list[QuerySet[Any, Any]]:
    """Return the numbers of people who are left out of the list, as queries."""
    here = Seat.objects.filter(table=table).exclude(person=None)
    requests = SeatRequest.objects.filter(table=table)
    removed = SeatRequest.objects.filter(removed=True, by_administrator=False)
    by_them = removed.filter(person=person).exclude(table__host=None)
    return [
        Table.objects.filter(pk=table.pk).exclude(host=None).values("host"),
        here.values("person"),
        requests.values("person"),
        active_restrictions().values("person"),
        muting(person.pk),
        removed.filter(table__host=person).values("person"),
        by_them.values("table__host"),
    ]


@transaction.atomic
def do_invite_person(code: str, person: Person, number: int) -> None:
    """Invite the person with this number, who is on the list of ``people_to_invite``, and notify them once.

    Nothing changes if they are invited already. Raises Refused.
    """
    table = lock(code)
    chosen = next((one for one in people_to_invite(table, person) if one.person == number), None)
    if chosen is None:
        raise Refused("not_invitable", _("You cannot invite this person now. Reload the page to see whom you can."))
    if chosen.invited:
        return
    do_invite_people(table, person, [number])
    transaction.on_commit(partial(send, [number], notification_of(table, person)), robust=True)
