"""The back room's page "Games": visitors' texts that are played now, were reported, or were stopped or hidden."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from django.contrib import messages
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from cardsite import costs
from cardsite.people.audit import user_of
from cardsite.table.models import Match
from cardsite.workshop.models import Report, Text, parts_of
from cardsite.workshop.services import do_allow, do_hide, do_resolve_reports, do_stop

LISTED = 100
COSTLY = 1000  # people, addresses and tables among which the tables of a text are looked up


class TextShown(NamedTuple):
    """A visitor's text on the page."""

    text: Text
    matches: int  # that are being played
    seconds: float  # of CPU time in about the last hour, at the tables of these matches
    overruns: int  # matches that were stopped because the rules took too much computing time
    reports: list[Report]


@require_safe
def texts(request: HttpRequest) -> HttpResponse:
    """List the texts that an administrator may have to look at: reported ones first, then the costliest."""
    return render(request, "backroom/texts.html", {"texts": _texts(), "here": "texts"})


def _texts() -> list[TextShown]:
    matches: dict[str, int] = defaultdict(int)
    seconds: dict[str, float] = defaultdict(float)
    costly = {subject: sum(kinds.values()) for subject, kinds in costs.most_expensive(COSTLY).items()}
    running = Match.objects.filter(status=Match.Status.RUNNING, game__startswith="w-")
    for game, table in running.values_list("game", "table__code"):
        if parts := parts_of(game):
            matches[parts[0]] += 1
            seconds[parts[0]] += costly.get(f"table {table}", 0.0)
    wanted = Q(reports__isnull=False) | Q(hidden=True) | Q(stopped=True) | Q(versions__overruns__gt=0)
    numbers = Text.objects.filter(wanted | Q(code__in=matches), withdrawn=False).values("pk")
    found = (
        Text.objects.filter(pk__in=numbers)
        .annotate(
            n=Sum("versions__overruns"),
            reported=Exists(Report.objects.filter(text=OuterRef("pk"))),
            played=ExpressionWrapper(Q(code__in=list(matches)), output_field=BooleanField()),
        )
        .order_by("-reported", "-played", "-pk")[:LISTED]
    )
    shown = [
        TextShown(text, matches[text.code], seconds[text.code], text.n or 0, list(text.reports.all()))
        for text in found.select_related("owner").prefetch_related("reports__person")
    ]
    return sorted(shown, key=lambda one: (not one.reports, -one.seconds, -one.matches, -one.text.pk))


@require_POST
def act(request: HttpRequest, number: int) -> HttpResponse:
    """Do something about a text. ``do``: stop, allow, hide, show or resolve."""
    get_object_or_404(Text, pk=number)
    asked, user = request.POST.get("do", ""), user_of(request)
    if asked == "stop":
        n = do_stop([number], user)
        messages.success(request, ngettext("%(n)d match stopped.", "%(n)d matches stopped.", n) % {"n": n})
    elif asked == "allow":
        do_allow([number], user)
        messages.success(request, _("Matches of this game can begin again."))
    elif asked in ("hide", "show"):
        do_hide([number], asked == "hide", user)
        done = _("Hidden: only the author sees it.") if asked == "hide" else _("Everybody with the link sees it again.")
        messages.success(request, done)
    elif asked == "resolve":
        n = do_resolve_reports([number], user)
        messages.success(request, ngettext("%(n)d report removed.", "%(n)d reports removed.", n) % {"n": n})
    else:
        messages.error(request, _("Choose one of the buttons."))
    return redirect("backroom:texts")
