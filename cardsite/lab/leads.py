"""The lead history of a match, below the slider of its replay, for people who may see all its hands."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from cardsite.lab.models import LeadHistory
from cardsite.lab.services import do_ask_lead
from cardsite.limits import spend_now
from cardsite.people.admin_site import is_administrator
from cardsite.people.rate_limits import payers, require_cpu
from cardsite.refusal import Refused
from cardsite.table import replay
from cardsite.table.models import Match
from cardsite.table.views import match_for


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def lead(request: HttpRequest, match_id: int) -> JsonResponse:
    """Return the lead history of a match; a POST starts computing it, once. Raises Http404 if there can be none."""
    match, person = match_for(request, match_id)
    _seat, face_up = replay.audience_of(match, person, admin=is_administrator(request.user))
    # A mover's expectation reveals their hand, so only people who may see that hand now may read it.
    if not (match.status == Match.Status.OVER and face_up) or replay.rules_shown(match) != match.rules_version:
        raise Http404("There is no lead history of this match.")
    row = LeadHistory.objects.filter(match=match, rules_version=match.rules_version).first()
    if request.method == "POST":
        try:
            if row is None:
                spend_now("lead", request)
                require_cpu(request)
            row = do_ask_lead(match, payers(request))
        except Refused as refusal:
            return refusal.in_json()
    return JsonResponse(_answer(row))


def _answer(row: LeadHistory | None) -> dict[str, Any]:
    return {"ok": True, "state": row.state if row else "none", "lead": row.found if row else None}


lead.answers_json = True  # type: ignore[attr-defined]  # also when middleware refuses the request
