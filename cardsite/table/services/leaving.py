"""Remove a person at their own request."""

from __future__ import annotations

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from cardsite.events import TableChanged, publish
from cardsite.lobby.models import Table
from cardsite.lobby.services import lifecycle, seating
from cardsite.people.models import Person
from cardsite.people.services import do_remove_people
from cardsite.table.models import Match, Message, Occupancy, Player
from cardsite.table.services.matches import do_remove_matches

FORMER_PLAYER = "a former player"  # name of a removed person in matches with other people


@transaction.atomic
def do_leave(person: Person) -> None:
    """Remove a person at their own request. Matches with other people are kept.

    A bot takes their seats; in matches with other people they become FORMER_PLAYER; their chat messages and the matches
    that they played alone are removed.
    """
    number, user = person.pk, person.user
    tables = Table.objects.filter(Q(host=person) | Q(opened_by=person) | Q(seats__person=person))
    tables = tables.exclude(status=Table.Status.CLOSED)
    around = {table.pk: table for table in tables}
    seated = Table.objects.filter(seats__person=person).exclude(status=Table.Status.CLOSED)
    for code in seated.values_list("code", flat=True):
        seating.do_stand(code, person)
    alone = Match.objects.filter(players__person=person).exclude(status=Match.Status.RUNNING)
    do_remove_matches(alone.exclude(_with_another(person)).values_list("pk", flat=True))
    for rows in (Player, Occupancy):
        rows.objects.filter(person=person).update(name=FORMER_PLAYER)
    Message.objects.filter(person=person).delete()
    do_remove_people([number])
    _log_about(Person, number).update(object_repr=FORMER_PLAYER)
    if user:
        _log_about(User, user.pk).update(object_repr=FORMER_PLAYER)
        user.delete()
    empty = Table.objects.filter(pk__in=around).exclude(seats__person__isnull=False)
    lifecycle.do_close_idle(empty.filter(house=False).values_list("pk", flat=True))
    for table in around.values():
        publish(TableChanged(table.code))


def _log_about(kind: type[Model], number: int) -> QuerySet[LogEntry]:
    """Return the entries of the administrators' log about a person or an account, which name them."""
    entries = LogEntry.objects.filter(content_type__app_label=kind._meta.app_label, object_id=str(number))
    return entries.filter(content_type__model=kind._meta.model_name)


def _with_another(person: Person) -> Exists:
    return Exists(Player.objects.filter(match=OuterRef("pk")).exclude(person=None).exclude(person=person))
