"""``handler500`` of the site: the response when a view raises an exception."""

from __future__ import annotations

import sys

import structlog
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from cardsite import metrics
from cardsite.database import DATABASE_UNAVAILABLE
from cardsite.refusal import as_data

log = structlog.get_logger(__name__)


def failed(request: HttpRequest) -> HttpResponse:
    """Return the response for a view that raised: 503 if the database is unavailable, else 500; as JSON if requested.

    The pages are rendered without the request: its context processors would query the database for the visitor.
    """
    error = sys.exc_info()[1]
    if isinstance(error, DATABASE_UNAVAILABLE):
        log.error("database unavailable", path=request.path, error=str(error).strip())
        status, code = 503, "unavailable"
        text = _("The site cannot save anything right now. Nothing was changed. Try again in a minute.")
    else:
        metrics.server_errors.inc()
        status, code = 500, "failed"
        text = _("Something went wrong on our side, and nothing was changed. Try again.")
    if wants_json(request):
        answer: HttpResponse = JsonResponse(as_data(code, text), status=status)
    else:
        answer = HttpResponse(render_to_string(f"{status}.html"), status=status)
    if status == 503:
        answer["Retry-After"] = "60"
    answer["Cache-Control"] = "no-store"
    return answer


def wants_json(request: HttpRequest) -> bool:
    """Return whether to answer in JSON: the view always does, or the ``Accept`` header asks for it."""
    page = request.resolver_match.func if request.resolver_match else None
    return getattr(page, "answers_json", False) or "application/json" in request.headers.get("Accept", "")
