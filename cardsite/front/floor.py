"""The back room's page "Now": who is here, what is played, what it costs, and what waits for an administrator.

Figures of tables and people are those of all processes, from the database. Figures of bots and sockets are those of the
process that answers.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import Count, Q, QuerySet
from django.db.models.functions import TruncDay, TruncHour
from django.db.models.functions.datetime import TruncBase
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from prometheus_client import Counter, Gauge

from cardsite import metrics
from cardsite.circles.models import CircleReport
from cardsite.front.backroom import SeatShown, seats_of
from cardsite.front.doctor import LITTLE, OLD_BACKUP
from cardsite.front.setup_steps import steps
from cardsite.lobby.models import HERE, Seat, Table
from cardsite.people.audit import user_of
from cardsite.people.cost_page import CostSection, who_costs_most
from cardsite.people.models import Person
from cardsite.server.server import match_server
from cardsite.table.models import ChatReport, Match, Message
from cardsite.table.rig import rigable
from cardsite.table.services.chores import backed_up
from cardsite.table.services.processes import living_processes
from cardsite.workshop.models import Report

TABLES = 60  # that are listed
COSTLY = 5  # people, networks and tables that are listed
DROPPED = 10  # abandoned matches that are listed
MANY_WAITING = 10  # decisions of bots for which no process is free
DAYS = 7
HOURS = 24


class Fact(NamedTuple):
    """A figure at the top of the page. ``bad``: an administrator should do something; ``page`` says where."""

    label: str
    value: object
    bad: bool = False
    page: str = ""


class TableNow(NamedTuple):
    """A table where somebody is or a match runs."""

    table: Table
    seats: list[SeatShown]
    match: Match | None
    spectators: int  # of all processes, as far as this one knows
    rigable: bool


class Bar(NamedTuple):
    """What happened in an hour or on a day, counted; ``share``: in percent of the highest number."""

    at: datetime
    number: int
    share: int


@require_safe
def floor(request: HttpRequest) -> HttpResponse:
    """Show what happens now."""
    this_hour = timezone.now().replace(minute=0, second=0, microsecond=0)
    days = [this_hour.replace(hour=0) - timedelta(days=ago) for ago in range(DAYS)]
    ended = Match.objects.filter(status=Match.Status.OVER, table__house=False)
    context = {
        "steps": steps(user_of(request)),
        "facts": [*_people(), *_machine(), *_waiting()],
        "tables": _tables(),
        "costs": [_shortened(group) for group in who_costs_most()],
        "dropped": list(_dropped()[:DROPPED]),
        "hours": _bars(ended, "finished", TruncHour, [this_hour - timedelta(hours=ago) for ago in range(HOURS)]),
        "days": _bars(ended, "finished", TruncDay, days),
        "newcomers": _bars(Person.objects.all(), "created", TruncDay, days),
        "processes": living_processes(),
        "here": "floor",
    }
    return render(request, "backroom/floor.html", context)


def _people() -> Iterable[Fact]:
    now, today = timezone.now(), timezone.localdate()
    seen = Seat.objects.filter(seen__gt=now - HERE).exclude(person=None)
    yield Fact(_("People at tables"), seen.values("person").distinct().count())
    rooms = list(match_server.relay.rooms.values())
    yield Fact(_("Spectators, this process"), sum(room.spectators_here.number for room in rooms))
    yield Fact(
        _("Matches being played"), Match.objects.filter(status=Match.Status.RUNNING, suspended_since=None).count()
    )
    yield Fact(_("Visitors today"), Person.objects.filter(seen=today).count())
    yield Fact(_("Visitors this week"), Person.objects.filter(seen__gt=today - timedelta(days=DAYS)).count())


def _machine() -> Iterable[Fact]:
    thinking, waiting = _value(metrics.bots_thinking), _value(metrics.bots_waiting)
    words = _("%(thinking)d, %(waiting)d waiting") % {"thinking": thinking, "waiting": waiting}
    yield Fact(_("Bots thinking, this process"), words, waiting > MANY_WAITING)
    failures = _value(metrics.bot_failures) + _value(metrics.flush_failures)
    yield Fact(_("Failed bots and commits, this process"), int(failures), failures > 0)
    errors = int(_value(metrics.server_errors))
    yield Fact(_("Server errors, this process"), errors, errors > 0)
    abandoned = _dropped().count()
    yield Fact(_("Abandoned matches, last 24 hours"), abandoned, abandoned > 0)
    usage = shutil.disk_usage(settings.VAR_DIR)
    yield Fact(_("Free disk space"), _("%(n).1f GB") % {"n": usage.free / 1e9}, usage.free < LITTLE)
    made = backed_up()
    old = made is None or timezone.now() - made > OLD_BACKUP
    yield Fact(_("Last backup"), made or _("none"), old)


def _waiting() -> Iterable[Fact]:
    reports = Report.objects.values("text").distinct().count()
    yield Fact(_("Reported games"), reports, reports > 0, reverse("backroom:texts"))
    chats = ChatReport.objects.count() + CircleReport.objects.count()
    yield Fact(_("Reported messages"), chats, chats > 0, reverse("backroom:people"))
    since = (timezone.now() - timedelta(days=1)).timestamp() * 1000
    said = Message.objects.filter(at__gt=since).count()
    yield Fact(_("Chat messages, last 24 hours"), said, page=reverse("admin:table_message_changelist"))


def _value(metric: Counter | Gauge) -> float:
    """Return the value of a metric of this process."""
    return next(sample.value for family in metric.collect() for sample in family.samples)


def _tables() -> list[TableNow]:
    alive = Q(matches__status=Match.Status.RUNNING, matches__suspended_since=None) | Q(
        seats__seen__gt=timezone.now() - HERE
    )
    tables = Table.objects.filter(alive).exclude(status=Table.Status.CLOSED).distinct().order_by("house", "-touched")
    found = list(tables.prefetch_related("seats__person")[:TABLES])
    running = {match.table_id: match for match in Match.objects.filter(table__in=found, status=Match.Status.RUNNING)}
    can_be_rigged = set(rigable().filter(pk__in=[table.pk for table in found]).values_list("pk", flat=True))
    return [
        TableNow(
            table,
            seats_of(table),
            running.get(table.pk),
            match_server.relay.spectators_at(table.code),
            table.pk in can_be_rigged,
        )
        for table in found
    ]


def _shortened(group: CostSection) -> CostSection:
    return group._replace(rows=group.rows[:COSTLY])


def _dropped() -> QuerySet[Match]:
    """Return the matches that were dropped in the last 24 hours, the newest first."""
    since = timezone.now() - timedelta(days=1)
    return Match.objects.filter(status=Match.Status.DROPPED, finished__gt=since).select_related("table").order_by("-pk")


def _bars(rows: QuerySet[Any], field: str, truncate: type[TruncBase], times: list[datetime]) -> list[Bar]:
    """Count rows by the hour or day of a field. ``times``: when these begin, the newest first."""
    recent = rows.filter(**{f"{field}__gte": times[-1]}).order_by().annotate(begin=truncate(field))
    counted = dict(recent.values("begin").annotate(n=Count("pk")).values_list("begin", "n"))
    most = max(counted.values(), default=0)
    return [Bar(at, counted.get(at, 0), 100 * counted[at] // most if at in counted else 0) for at in times]
