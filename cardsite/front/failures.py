"""What is answered when a page fails: ``handler500`` of the site."""

from __future__ import annotations

import sys

import structlog
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from cardsite.database import OUT_OF_ORDER
from cardsite.refusal import as_data

log = structlog.get_logger(__name__)


def failed(request: HttpRequest) -> HttpResponse:
    """Answer in place of a page that raised: 503 when it was the database, else 500, and as JSON to who wants that.

    The pages are made without the request: to know their visitor they would ask the database.
    """
    error = sys.exc_info()[1]
    if isinstance(error, OUT_OF_ORDER):
        log.error("the database cannot be used", path=request.path, error=str(error).strip())
        status, code = 503, "unavailable"
        text = _("The house cannot write that down just now. Nothing is lost: try again in a minute.")
    else:
        status, code = 500, "failed"
        text = _("Something broke on our side, and nothing was changed. Try again.")
    if wants_json(request):
        answer: HttpResponse = JsonResponse(as_data(code, text), status=status)
    else:
        answer = HttpResponse(render_to_string(f"{status}.html"), status=status)
    if status == 503:
        answer["Retry-After"] = "60"
    answer["Cache-Control"] = "no-store"
    return answer


def wants_json(request: HttpRequest) -> bool:
    """Whether a program or a page's script asks: the page answers in JSON always, or the request says so."""
    page = request.resolver_match.func if request.resolver_match else None
    return getattr(page, "answers_json", False) or "application/json" in request.headers.get("Accept", "")
