"""The replay's *what if* button: play on from one of its steps."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from cardsite import metrics
from cardsite.people.rate_limits import spend_table
from cardsite.people.services import BadName, do_arrive
from cardsite.refusal import Refused, as_data
from cardsite.request_data import whole
from cardsite.table.services.beginnings import do_play_on
from cardsite.table.views import match_for
from cardsite.table.what_if import step_of
from cardsite.workshop.services import require_open

LONGEST_NUMBER = 6  # digits of a move's number, or a seat's


@require_POST
def play_on(request: HttpRequest, match_id: int) -> HttpResponse:
    """Open a private table that plays on from ``move`` of a match, with the visitor on ``seat``: {"ok", "url"}."""
    match, _person = match_for(request, match_id)
    ply, seat = (whole(request.POST.get(name, ""), digits=LONGEST_NUMBER) for name in ("move", "seat"))
    try:
        person = do_arrive(request)
        spend_table(request, person)
        require_open(match.game)
        step = step_of(match, person, -1 if ply is None else ply)
        table = do_play_on(person, step, -1 if seat is None else seat)
    except BadName as bad:
        return JsonResponse(as_data("bad_name", str(bad)), status=400)
    except Refused as refusal:
        metrics.refusals.labels(refusal.code).inc()
        return refusal.in_json()
    return JsonResponse({"ok": True, "url": reverse("table:page", args=[table.code])})


play_on.answers_json = True  # type: ignore[attr-defined]  # also when middleware refuses the request
