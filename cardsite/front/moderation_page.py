"""The back room's pages about people: remove from a table, mute, block, close a table; what is in force, and undo.

The person concerned reads what was decided, and the reason; nobody else does.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from cardsite.front.backroom import seats_of
from cardsite.lobby.models import SeatRequest, Table
from cardsite.people.audit import log_change, log_fields, user_of
from cardsite.people.models import REASON_LENGTH, Person, Restriction
from cardsite.people.names import plain
from cardsite.people.restrictions import active_restrictions, restrictions_of
from cardsite.people.services import do_lift, do_restrict
from cardsite.refusal import Refused
from cardsite.server.server import match_server
from cardsite.table.models import ChatReport, Match, Message
from cardsite.table.services.chat import do_resolve_report
from cardsite.table.services.moderation import do_close_table, do_readmit, do_remove_from_seat

CHAT = 60  # messages of a table that are listed
REPORTS = 50  # reports that are listed
FOUND = 50  # people that are listed
LOG = 30  # changes that are listed
DURATIONS = {
    "hour": (timedelta(hours=1), gettext_lazy("for an hour")),
    "day": (timedelta(days=1), gettext_lazy("for a day")),
    "week": (timedelta(weeks=1), gettext_lazy("for a week")),
    "month": (timedelta(days=30), gettext_lazy("for thirty days")),
    "": (None, gettext_lazy("until it is lifted")),
}
Kind = Restriction.Kind


class MeasureForm(forms.Form):
    """What is done about a person, for how long, and why."""

    what = forms.ChoiceField(label=gettext_lazy("What?"), widget=forms.RadioSelect)
    how_long = forms.ChoiceField(
        label=gettext_lazy("How long?"),
        required=False,
        choices=[(key, words) for key, (_time, words) in DURATIONS.items()],
        initial="day",
        help_text=gettext_lazy("For a mute or a block."),
    )
    reason = forms.CharField(
        label=gettext_lazy("Why?"),
        max_length=REASON_LENGTH,
        help_text=gettext_lazy("The person can read this, and so can other administrators."),
    )

    def __init__(self, *args: Any, at: Table | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        here = [("remove", _("Remove from this table: a bot takes the seat"))] if at else []
        self.fields["what"].choices = [  # type: ignore[attr-defined]
            *here,
            (Kind.MUTED, _("Mute: may play and watch, but not chat")),
            (Kind.BLOCKED, _("Block: may only watch. Bots take all seats of this person at once")),
        ]


class CloseForm(forms.Form):
    """The notice with which a table is closed."""

    notice = forms.CharField(
        label=gettext_lazy("Why?"),
        max_length=REASON_LENGTH,
        help_text=gettext_lazy("Everybody at the table reads this."),
    )


class PersonHere(NamedTuple):
    """A person at a table, for the list of its people."""

    number: int
    name: str
    role: str
    restriction: Restriction | None


class AuditEntry(NamedTuple):
    """An entry of the audit log."""

    at: datetime
    by: str
    what: str


@require_safe
def people(request: HttpRequest) -> HttpResponse:
    """List the messages that people have reported and who is restricted now, and find people by name."""
    asked = plain(request.GET.get("q", ""))
    active = active_restrictions().select_related("person", "by")
    found = Person.objects.filter(name__icontains=asked).order_by("-seen", "-pk")[:FOUND] if asked else []
    reports = ChatReport.objects.select_related("table", "person").prefetch_related("messages__person").order_by("pk")
    facts = {
        "reports": reports[:REPORTS],
        "active": active,
        "asked": asked,
        "found": found,
        "log": _log(),
        "here": "people",
    }
    return render(request, "backroom/people.html", facts)


def person(request: HttpRequest, number: int) -> HttpResponse:
    """Show what is in force about a person, and restrict them or remove them from a table (``?table=CODE``)."""
    who = get_object_or_404(Person, pk=number)
    table = Table.objects.filter(code=request.GET.get("table", "")).exclude(status=Table.Status.CLOSED).first()
    at = table if table and table.seats.filter(person=who).exists() else None
    form = MeasureForm(request.POST or None, at=at, initial={"what": "remove" if at else Kind.MUTED})
    if request.method == "POST" and form.is_valid():
        try:
            _take(request, who, at, **form.cleaned_data)
        except Refused as refusal:
            messages.error(request, refusal.text)
        return redirect(request.get_full_path())
    facts = {
        "who": who,
        "at": at,
        "table": table,
        "form": form,
        "restrictions": active_restrictions().filter(person=who).select_related("by"),
        "removed": SeatRequest.objects.filter(person=who, removed=True).select_related("table"),
        "log": _log(who),
        "here": "people",
    }
    return render(request, "backroom/person.html", facts, status=400 if form.errors else 200)


def _take(request: HttpRequest, who: Person, at: Table | None, what: str, how_long: str, reason: str) -> None:
    """Do what the form says. Raises Refused."""
    if what == "remove" and at:
        do_remove_from_seat(at.code, who.pk, reason)
        log_change(user_of(request), who, [log_fields(at, _("seated"), _("removed: %(reason)s") % {"reason": reason})])
        messages.success(request, _("Removed. A bot has taken the seat."))
        return
    lasting = DURATIONS[how_long][0]
    made = do_restrict(who, what, reason, timezone.now() + lasting if lasting else None, user_of(request))
    log_change(user_of(request), who, [log_fields(_("in force"), None, described(made))])
    messages.success(request, _("Stored. The person is notified now, or at their next visit to a table."))


@require_POST
def lift(request: HttpRequest, number: int) -> HttpResponse:
    """End a block or mute early."""
    restriction = get_object_or_404(Restriction.objects.select_related("person"), pk=number)
    if do_lift(restriction):
        log_change(user_of(request), restriction.person, [log_fields(_("in force"), described(restriction), None)])
        messages.success(request, _("Lifted. The person is notified."))
    else:
        messages.error(request, _("That was no longer in force."))
    return redirect("backroom:person", restriction.person_id)


@require_POST
def resolve(request: HttpRequest, number: int) -> HttpResponse:
    """Delete a report that was handled; ``remove=yes``: and the messages that it is about."""
    report = get_object_or_404(ChatReport.objects.select_related("table"), pk=number)
    remove = request.POST.get("remove") == "yes"
    done = _("resolved, messages removed") if remove else _("resolved")
    log_change(user_of(request), report.table, [log_fields(_("report of messages"), _("open"), done)])
    do_resolve_report(report, remove=remove)
    messages.success(request, _("The report is resolved."))
    return redirect("backroom:people")


@require_POST
def readmit(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Let a person who was removed from a table sit down there again."""
    who = get_object_or_404(Person, pk=number)
    try:
        do_readmit(code, number)
    except Refused as refusal:
        return refusal.back_to(request, "backroom:people")
    log_change(
        user_of(request), who, [log_fields(_("table %(code)s") % {"code": code}, _("removed"), _("let back in"))]
    )
    messages.success(request, _("This person may sit down there again."))
    return redirect("backroom:person", number)


def table(request: HttpRequest, code: str) -> HttpResponse:
    """Show who is at a table and what they write, and close it."""
    found = get_object_or_404(Table, code=code)
    form = CloseForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        notice, before = form.cleaned_data["notice"], found.get_status_display()
        try:
            do_close_table(code, notice)
        except Refused as refusal:
            return refusal.back_to(request, "backroom:floor")
        log_change(user_of(request), found, [log_fields(_("status"), before, _("closed: %(why)s") % {"why": notice})])
        messages.success(request, _("Closed. Everybody there reads your notice."))
        return redirect("backroom:floor")
    lines = Message.objects.filter(table=found).select_related("person").order_by("-pk")[:CHAT]
    facts = {
        "table": found,
        "match": Match.objects.filter(table=found, status=Match.Status.RUNNING).first(),
        "seats": seats_of(found),
        "people": _people_at(found),
        "lines": [(line, datetime.fromtimestamp(line.at / 1000, timezone.get_current_timezone())) for line in lines],
        "form": None if found.status == Table.Status.CLOSED else form,
        "here": "floor",
    }
    return render(request, "backroom/table.html", facts, status=400 if form.errors else 200)


def _people_at(table: Table) -> list[PersonHere]:
    """Return the people at a table: those with a seat, then spectators, as far as this process knows them."""
    roles = {seat.person: _("seat %(n)d") % {"n": seat.number + 1} for seat in seats_of(table) if seat.person}
    room = match_server.relay.rooms.get(table.code)
    watching = match_server.relay.spectators_by_name(room) if room else {}
    roles |= {number: _("spectator") for number in watching if number not in roles}
    names = dict(Person.objects.filter(pk__in=roles).values_list("pk", "name"))
    forbidden = restrictions_of(roles)
    return [
        PersonHere(number, names[number], role, forbidden.get(number))
        for number, role in roles.items()
        if number in names
    ]


def described(restriction: Restriction) -> str:
    """Return a restriction in a few words: what, until when, why."""
    until = date_format(restriction.until, "SHORT_DATETIME_FORMAT") if restriction.until else ""
    words = [restriction.get_kind_display(), _("until %(time)s") % {"time": until} if until else "", restriction.reason]
    return ", ".join(word for word in words if word)


def _log(who: Person | None = None) -> Sequence[AuditEntry]:
    """Return the last changes by administrators of people, or of one person, newest first."""
    entries = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(Person)).select_related("user")
    if who:
        entries = entries.filter(object_id=str(who.pk))
    return [
        AuditEntry(entry.action_time, entry.user.get_username(), f"{entry.object_repr}: {entry.get_change_message()}")
        for entry in entries[:LOG]
    ]
