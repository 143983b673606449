"""The reasons of refusals, which tests assert besides the status, from responses of Django's test client."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import Resolver404

from cardsite.front import not_found

NO_PAGE = "no page has this address"
NO_CSRF = "the form is of another site"
WAIT = "slow_down"
BY_LINK = "People without the link to this table may not look at its matches."
NO_MATCH = "No Match matches the given query."
NOT_FINISHED = "Only a finished match of a sealed table is open."
NOT_A_MEMBER = "There is no such circle, or you are not a member of it."
NO_GAME = "This game is no longer available. Choose another one on the front page."


def note_missing(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer like the site's own 404 handler, and keep the exception in the response."""
    answer = not_found.missing(request, exception)
    answer.missing = exception  # type: ignore[attr-defined]
    return answer


def why_refused(answer: Any) -> str:
    """Return why a request was refused: a code, or for a 404 the message of its view. Fails if it was not refused."""
    status, body = answer.status_code, answer.content.decode(errors="replace")  # it may be compressed
    assert status >= 400, f"{status} is not a refusal"
    exception = getattr(answer, "missing", None)
    if isinstance(exception, Resolver404):
        return NO_PAGE
    if isinstance(exception, Http404):
        return str(exception)
    if status == 405:
        return f"only {answer['Allow']}"
    if "This page has expired" in body:
        assert status == 403
        return NO_CSRF
    if "json" in answer["Content-Type"]:
        return str(answer.json()["code"])
    if "Please slow down" in body:
        assert status == 429
        return WAIT
    raise AssertionError(f"{status} without a reason: {body[:500]}")
