"""Presence: who is at a table now, whose turn it is, for whom a bot stands in, and who replaces an absent host."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.dispatch import receiver
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy

from cardsite.events import (
    SeatsChanged,
    TableChanged,
    VacationChanged,
    publish,
    publish_now,
    within_transaction,
)
from cardsite.lobby.games import CORRESPONDENCE, title_of
from cardsite.lobby.models import HERE, Seat, Table
from cardsite.people.models import Person
from cardsite.push.models import NotificationKind
from cardsite.push.sending import Notification, send, send_to
from cardsite.push.services import do_take_held

HOST_ABSENT = timedelta(minutes=2)  # an absence after which a host is replaced by a person who is at the table
REMINDER = 1 / 6  # share of the time for a decision that is left when people are reminded
TITLES = {
    NotificationKind.TURN: gettext_lazy("It is your turn"),
    NotificationKind.REMINDER: gettext_lazy("Your time is nearly up"),
}
TABLES_AT_ONCE = 200  # in one write of who is still here
HOSTS_AT_ONCE = 100  # that are replaced in one call; the next call replaces more


def seats_changed(table: Table) -> None:
    """Publish that the occupants of a table have changed."""
    if table.status == Table.Status.PLAYING:
        publish_now(SeatsChanged(table.pk))
    publish(TableChanged(table.code))


def do_note_here(code: str, person: int) -> None:
    """Store that a player or the host of a table is connected."""
    now = timezone.now()
    Seat.objects.filter(table__code=code, person=person).update(seen=now)
    Table.objects.filter(code=code, host=person).update(host_seen=now)


def do_note_gone(code: str, person: int) -> None:
    """Store that a player of a table has left."""
    Seat.objects.filter(table__code=code, person=person).update(seen=None)


def do_note_still_here(persons: Mapping[str, set[int]]) -> None:
    """Store who is still at which table: ``persons`` has the ids of people by the code of the table.

    Many tables are stored at once, because each write is flushed to disk.
    """
    codes = list(persons)
    for first in range(0, len(codes), TABLES_AT_ONCE):
        some = codes[first : first + TABLES_AT_ONCE]
        taken = Seat.objects.filter(table__code__in=some).exclude(person=None)
        rows = taken.values_list("pk", "table__code", "person")
        here = [pk for pk, code, person in rows if person in persons[code]]
        Seat.objects.filter(pk__in=here).update(seen=timezone.now())
        hosted = Table.objects.filter(code__in=some).exclude(host=None)
        hosts = [pk for pk, code, host in hosted.values_list("pk", "code", "host") if host in persons[code]]
        Table.objects.filter(pk__in=hosts).update(host_seen=timezone.now())


@transaction.atomic
def do_set_away(code: str, index: int, away: bool) -> None:
    """Store that a bot stands in for the person in seat ``index``, or that the person is back."""
    table = Table.objects.select_for_update().get(code=code)
    if Seat.objects.filter(table=table, index=index, away=not away).exclude(person=None).update(away=away):
        seats_changed(table)


def do_end_away(code: str, person: int) -> None:
    """Store that a person who has done something at a table is back, if a bot stands in for them there."""
    for index in Seat.objects.filter(table__code=code, person=person, away=True).values_list("index", flat=True):
        do_set_away(code, index, False)


@transaction.atomic
def do_note_turns(table: int, turns: Mapping[int, datetime | None]) -> None:
    """Store which seats of a table are to act, and notify the people whose turn begins.

    ``turns`` has these seats, with the time when a bot decides instead of the person (None: never).
    """
    acting = Seat.objects.filter(table=table, to_act=True)
    before = set(acting.values_list("index", flat=True))
    acting.exclude(index__in=turns).update(to_act=False, due=None)
    for index, due in turns.items():
        changed = Seat.objects.filter(table=table, index=index).exclude(to_act=True, due=due)
        changed.update(to_act=True, due=due, reminded=False)
    if beginning := sorted(turns.keys() - before):
        _notify(table, beginning, NotificationKind.TURN)


@transaction.atomic
def do_remind() -> None:
    """Remind people whose time is nearly up in correspondence matches, once for each decision."""
    now, nearly_due = timezone.now(), Q()
    for seconds in CORRESPONDENCE:
        nearly_due |= Q(table__seconds=seconds, due__lt=now + timedelta(seconds=seconds * REMINDER))
    to_remind = seats_to_act().filter(nearly_due, reminded=False)
    seats: dict[int, list[int]] = {}
    for seat in to_remind.select_for_update(of=("self",), skip_locked=True):
        seats.setdefault(seat.table_id, []).append(seat.index)
        Seat.objects.filter(pk=seat.pk).update(reminded=True)
    for table, indexes in seats.items():
        _notify(table, indexes, NotificationKind.REMINDER)


def do_notify_after_quiet_hours() -> None:
    """Notify devices whose quiet hours are over of the turns that began in these hours and are not taken yet."""
    for device in do_take_held():
        for seat in _to_notify(person=device.person_id):
            remind = seat.reminded and NotificationKind.REMINDER not in device.off
            notification = _notification(seat, NotificationKind.REMINDER if remind else NotificationKind.TURN)
            if notification.path in device.held:
                send_to(device, notification)


def _notify(table: int, indexes: Sequence[int], kind: NotificationKind) -> None:
    """After the commit, notify those people in some seats who are not at the table."""

    def send_all() -> None:
        for seat in _to_notify(table=table, index__in=indexes):
            send([seat.person_id or 0], _notification(seat, kind))

    transaction.on_commit(send_all, robust=True)


def _to_notify(**which: Any) -> QuerySet[Seat]:
    """Return the seats in ``which`` whose person is to act, but is not at the table."""
    return seats_to_act().filter(**which).exclude(seen__gt=timezone.now() - HERE).select_related("table")


def _notification(seat: Seat, kind: NotificationKind) -> Notification:
    path = reverse("table:page", args=[seat.table.code])
    return Notification(kind, TITLES[kind], title_of(seat.table.game), path, by=0)


def seats_to_act() -> QuerySet[Seat]:
    """Return the seats whose person is to act. ``to_act`` is stored only for matches that may wait for days."""
    acting = Seat.objects.filter(to_act=True, away=False, table__status=Table.Status.PLAYING)
    return acting.exclude(person=None)


def turns_of(person: Person) -> QuerySet[Seat]:
    """Return the seats in which a person is to act, the most urgent first."""
    return seats_to_act().filter(person=person).order_by(F("due").asc(nulls_last=True), "pk")


def do_extend_turns(tables: QuerySet[Any], time: timedelta) -> None:
    """Extend the time of all decisions that are due at some tables."""
    Seat.objects.filter(table__in=tables, due__isnull=False).update(due=F("due") + time)


@receiver(within_transaction, sender=VacationChanged)
def do_renew_turns(sender: object, event: VacationChanged, **_: object) -> None:
    """Remove the deadlines of a person whose vacation has changed, so that they are computed again.

    The process that runs a match does that when its table changes. A suspended match is resumed because its table was
    touched.
    """
    seats = Seat.objects.filter(person=event.person, table__seconds__in=CORRESPONDENCE)
    playing = seats.filter(table__status=Table.Status.PLAYING)
    tables = dict(playing.values_list("table", "table__code"))
    Seat.objects.filter(table__in=tables, person=event.person).update(due=None, reminded=False)
    Table.objects.filter(pk__in=tables).update(touched=timezone.now())
    for code in tables.values():
        publish(TableChanged(code))


def do_leave_to_bots(tables: Iterable[int]) -> None:
    """Have bots stand in for all people at some tables."""
    rows = list(Table.objects.filter(pk__in=list(tables)))
    Seat.objects.filter(table__in=rows).exclude(person=None).update(away=True)
    for table in rows:
        seats_changed(table)


def do_pass_host(table: Table) -> None:
    """Make another person at a table its host, preferably one who is there; nobody if there is no other person.

    The row of the table must be locked.
    """
    others = Seat.objects.filter(table=table).exclude(person=None).exclude(person=table.host_id)
    here = others.filter(seen__gt=timezone.now() - HERE).first()
    next_host = here or others.first()
    table.host = next_host.person if next_host else None
    table.host_seen = timezone.now()
    table.save(update_fields=["host", "host_seen"])
    publish(TableChanged(table.code))


def do_pass_hosts() -> None:
    """Replace hosts who have been absent for ``HOST_ABSENT`` by a player who is at the table."""
    now = timezone.now()
    here = Seat.objects.filter(table=OuterRef("pk"), seen__gt=now - HERE).exclude(person=None)
    hosted = Table.objects.exclude(host=None).exclude(status=Table.Status.CLOSED)
    absent = hosted.filter(Exists(here.exclude(person=OuterRef("host"))), host_seen__lt=now - HOST_ABSENT)
    for pk in list(absent.values_list("pk", flat=True)[:HOSTS_AT_ONCE]):
        with transaction.atomic():
            for table in absent.select_for_update().filter(pk=pk):  # none if the host has come back meanwhile
                do_pass_host(table)
