"""The back room's pages about people: remove from a table, mute, block, close a table; what is in force, and undo.

The person concerned reads what was decided, and the reason; nobody else does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from cardsite.circles import services as circle_services
from cardsite.circles.models import Circle, CircleReport
from cardsite.front.backroom import seats_of
from cardsite.lobby.models import SeatRequest, Table
from cardsite.people.audit import change_line, log_change, user_of
from cardsite.people.models import REASON_LENGTH, Person, Restriction
from cardsite.people.names import one_line
from cardsite.people.restrictions import active_restrictions, restrictions_of
from cardsite.people.services import do_lift, do_restrict
from cardsite.refusal import Refused
from cardsite.server.server import match_server
from cardsite.table.models import ChatReport, Match, Message
from cardsite.table.rig import rigable
from cardsite.table.services.chat import do_resolve_report
from cardsite.table.services.moderation import do_close_table, do_readmit, do_remove_from_seat
from cardsite.workshop.models import Text

CHAT = 60  # messages of a table that are listed
REPORTS = 50  # reports that are listed
FOUND = 50  # people that are listed
LOG = 30  # changes that are listed
LONGEST = timedelta(days=3650)  # until the last day of a block
DURATIONS = {
    "hour": (timedelta(hours=1), gettext_lazy("for an hour")),
    "day": (timedelta(days=1), gettext_lazy("for a day")),
    "week": (timedelta(weeks=1), gettext_lazy("for a week")),
    "month": (timedelta(days=30), gettext_lazy("for thirty days")),
    "date": (None, gettext_lazy("until the end of a day")),
    "": (None, gettext_lazy("until it is lifted")),
}
Kind = Restriction.Kind
LOGGED: tuple[type[Model], ...] = (Person, Table, Match, Text, Circle)


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
    last_day = forms.DateField(
        label=gettext_lazy("Last day"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=gettext_lazy("Only if it lasts until the end of a day (UTC)."),
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

    def clean_last_day(self) -> date | None:
        """Check that the last day is given if it is needed, and that it is not over."""
        day: date | None = self.cleaned_data["last_day"]
        if self.cleaned_data.get("how_long") != "date":
            return None
        if day is None:
            raise forms.ValidationError(_("Choose a day."))
        if not timezone.localdate() <= day <= timezone.localdate() + LONGEST:
            raise forms.ValidationError(_("Choose a day from today on, within ten years."))
        return day

    def until(self) -> datetime | None:
        """Return when a mute or a block ends, None if only by being lifted."""
        if day := self.cleaned_data["last_day"]:
            return timezone.make_aware(datetime.combine(day + timedelta(days=1), time.min))
        lasting = DURATIONS[self.cleaned_data["how_long"]][0]
        return timezone.now() + lasting if lasting else None


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


class ReportedLine(NamedTuple):
    """A reported message. ``page``: about its author, "" if they have left the site."""

    name: str
    text: str
    page: str


class ReportRow(NamedTuple):
    """A report of messages that is waiting. ``page``: about the table or circle; ``resolve``: resolves the report."""

    why: str
    by: Person | None
    at: datetime
    where: str
    page: str
    lines: list[ReportedLine]
    resolve: str


class AuditEntry(NamedTuple):
    """An entry of the audit log."""

    at: datetime
    by: str
    subject: str
    page: str  # about the subject, "" if it exists no longer
    what: str


@require_safe
def people(request: HttpRequest) -> HttpResponse:
    """List the messages that people have reported and who is restricted now, and find people by name."""
    asked = one_line(request.GET.get("q", ""))
    active = active_restrictions().select_related("person", "by")
    found = Person.objects.filter(name__icontains=asked).order_by("-seen", "-pk")[:FOUND] if asked else []
    facts = {
        "reports": sorted([*_table_reports(), *_circle_reports()], key=lambda one: one.at)[:REPORTS],
        "active": active,
        "asked": asked,
        "found": found,
        "log": _log(),
        "here": "people",
    }
    return render(request, "backroom/people.html", facts)


def _table_reports() -> Iterator[ReportRow]:
    """Yield the oldest reports of messages at tables."""
    found = ChatReport.objects.select_related("table", "person").prefetch_related("messages__person").order_by("pk")
    for one in found[:REPORTS]:
        code = one.table.code
        yield ReportRow(
            why=one.why,
            by=one.person,
            at=one.at,
            where=_("table %(code)s") % {"code": code},
            page=reverse("backroom:table", args=[code]),
            lines=[
                ReportedLine(line.name, line.text, f"{_page_of(line.person)}?table={code}" if line.person else "")
                for line in one.messages.all()
            ],
            resolve=reverse("backroom:resolve", args=[one.pk]),
        )


def _circle_reports() -> Iterator[ReportRow]:
    """Yield the oldest reports of messages in circles."""
    found = CircleReport.objects.select_related("circle", "person").prefetch_related("messages__person").order_by("pk")
    for one in found[:REPORTS]:
        yield ReportRow(
            why=one.why,
            by=one.person,
            at=one.at,
            where=_("circle %(name)s") % {"name": one.circle.name},
            page=reverse("admin:circles_circle_change", args=[one.circle_id]),
            lines=[ReportedLine(line.person.name, line.text, _page_of(line.person)) for line in one.messages.all()],
            resolve=reverse("backroom:resolve_circle", args=[one.pk]),
        )


def _page_of(person: Person) -> str:
    return reverse("backroom:person", args=[person.pk])


def person(request: HttpRequest, number: int) -> HttpResponse:
    """Show what is in force about a person, and restrict them or remove them from a table (``?table=CODE``)."""
    who = get_object_or_404(Person, pk=number)
    table = Table.objects.filter(code=request.GET.get("table", "")).exclude(status=Table.Status.CLOSED).first()
    at = table if table and table.seats.filter(person=who).exists() else None
    form = MeasureForm(request.POST or None, at=at, initial={"what": "remove" if at else Kind.MUTED})
    if request.method == "POST" and form.is_valid():
        try:
            _do_measure(request, who, at, form)
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


def _do_measure(request: HttpRequest, who: Person, at: Table | None, form: MeasureForm) -> None:
    """Do what the form says. Raises Refused."""
    what, reason = form.cleaned_data["what"], form.cleaned_data["reason"]
    if what == "remove" and at:
        do_remove_from_seat(at.code, who.pk, reason)
        log_change(user_of(request), who, [change_line(at, _("seated"), _("removed: %(reason)s") % {"reason": reason})])
        messages.success(request, _("Removed. A bot has taken the seat."))
        return
    made = do_restrict(who, what, reason, form.until(), user_of(request))
    log_change(user_of(request), who, [change_line(_("in force"), None, described(made))])
    messages.success(request, _("Stored. The person is notified now, or at their next visit to a table."))


@require_POST
def lift(request: HttpRequest, number: int) -> HttpResponse:
    """End a block or mute early."""
    restriction = get_object_or_404(Restriction.objects.select_related("person"), pk=number)
    if do_lift(restriction):
        log_change(user_of(request), restriction.person, [change_line(_("in force"), described(restriction), None)])
        messages.success(request, _("Lifted. The person is notified."))
    else:
        messages.error(request, _("That was no longer in force."))
    return redirect("backroom:person", restriction.person_id)


@require_POST
def resolve(request: HttpRequest, number: int) -> HttpResponse:
    """Delete a report that was handled; ``remove=yes``: and the messages that it is about."""
    report = get_object_or_404(ChatReport.objects.select_related("table"), pk=number)
    remove = request.POST.get("remove") == "yes"
    do_resolve_report(report, remove=remove)
    return _resolved(request, report.table, removed=remove)


@require_POST
def resolve_circle(request: HttpRequest, number: int) -> HttpResponse:
    """Do the same with a report of messages in a circle."""
    report = get_object_or_404(CircleReport.objects.select_related("circle"), pk=number)
    remove = request.POST.get("remove") == "yes"
    circle_services.do_resolve_report(report, remove=remove)
    return _resolved(request, report.circle, removed=remove)


def _resolved(request: HttpRequest, where: Table | Circle, *, removed: bool) -> HttpResponse:
    """Log that a report about a table or circle was resolved, and return to the list."""
    done = _("resolved, messages removed") if removed else _("resolved")
    log_change(user_of(request), where, [change_line(_("report of messages"), _("open"), done)])
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
        user_of(request), who, [change_line(_("table %(code)s") % {"code": code}, _("removed"), _("let back in"))]
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
        log_change(user_of(request), found, [change_line(_("status"), before, _("closed: %(why)s") % {"why": notice})])
        messages.success(request, _("Closed. Everybody there reads your notice."))
        return redirect("backroom:floor")
    lines = Message.objects.filter(table=found).select_related("person").order_by("-pk")[:CHAT]
    facts = {
        "table": found,
        "match": Match.objects.filter(table=found, status=Match.Status.RUNNING).first(),
        "seats": seats_of(found),
        "rigable": rigable().filter(pk=found.pk).exists(),
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
    until = f"{date_format(restriction.until, 'DATETIME_FORMAT')} UTC" if restriction.until else ""
    words = [restriction.get_kind_display(), _("until %(time)s") % {"time": until} if until else "", restriction.reason]
    return ", ".join(word for word in words if word)


def _log(who: Person | None = None) -> Sequence[AuditEntry]:
    """Return the last changes of people, tables, matches and texts, or of one person, newest first."""
    types = ContentType.objects.get_for_models(*LOGGED)
    entries = LogEntry.objects.filter(content_type__in=types.values()).select_related("user", "content_type")
    if who:
        entries = entries.filter(content_type=types[Person], object_id=str(who.pk))
    found = list(entries[:LOG])
    pages: dict[tuple[int | None, str | None], str] = {
        (types[model].pk, str(key)): page for model in LOGGED for key, page in _pages(model, types[model], found)
    }
    return [
        AuditEntry(
            entry.action_time,
            entry.user.get_username(),
            entry.object_repr,
            pages.get((entry.content_type_id, entry.object_id), ""),
            entry.get_change_message(),
        )
        for entry in found
    ]


def _pages(model: type[Model], kind: ContentType, entries: Sequence[LogEntry]) -> Iterator[tuple[int, str]]:
    """Yield the keys of the logged objects of a model that still exist, each with the page about it."""
    keys = [entry.object_id for entry in entries if entry.content_type_id == kind.pk]
    for found in model._default_manager.filter(pk__in=keys):
        if isinstance(found, Person):
            page = _page_of(found)
        elif isinstance(found, Table):
            page = reverse("backroom:table", args=[found.code])
        else:
            page = reverse(f"admin:{kind.app_label}_{kind.model}_change", args=[found.pk])
        yield found.pk, page
