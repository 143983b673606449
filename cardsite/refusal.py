"""``Refused``, the one exception for a refused request, and its answers over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Literal

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils.translation import get_language

# Codes that programs at a table may receive; docs/protocol.md explains each.
TableCode = Literal[
    "agreed", "ahead", "bad_option", "barred", "blocked", "busy", "daily", "dropped", "empty", "illegal", "muted",
    "no_end", "no_game", "no_host", "no_name", "no_request", "no_seat", "no_table", "not_host", "not_invitable",
    "not_open", "not_seated", "other_match", "other_rules", "over", "playing", "protocol", "removed", "rules_failed",
    "seated", "slow_down", "stale", "stopped", "story", "story_over", "taken", "too_late", "too_long",
    "too_many_tables", "too_much", "tournament", "tried", "wait", "what_if",
]  # fmt: skip
# Codes of the pages of circles, the laboratory and the workshop.
PageCode = Literal[
    "bad_request", "bad_text", "broken", "busy_lab", "done", "full", "gone", "hidden", "no_circle", "no_deal",
    "no_report", "no_text", "no_tournament", "no_version", "not_counted", "not_latest", "not_owner", "not_playable",
    "not_running", "not_yours", "range", "running", "seats", "text", "too_large", "yours",
]  # fmt: skip


class Refused(Exception):
    """A request was refused and nothing was changed. ``code`` is for programs; ``text`` says what a person can do."""

    def __init__(self, code: TableCode | PageCode, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text

    @property
    def status(self) -> int:
        """The HTTP status for this code."""
        return {"bad_request": 400, "too_large": 413, "slow_down": 429, "busy": 503}.get(self.code, 409)

    def in_json(self) -> JsonResponse:
        """Return the answer for a program, or for a page's script."""
        return JsonResponse(as_data(self.code, self.text), status=self.status)

    def on_a_page(self) -> HttpResponse:
        """Return the answer as a page, for a person who has to wait."""
        return HttpResponse(_page(self.text, get_language()), status=self.status)

    def back_to(self, request: HttpRequest, to: str, *args: object) -> HttpResponse:
        """Return the answer to a button: the page ``to``, with the refusal above it; or a page that says to wait."""
        if self.status == 429:
            return self.on_a_page()
        messages.error(request, self.text)
        return redirect(to, *args)


@lru_cache(500)
def _page(text: str, language: str | None) -> bytes:
    """Return the page of a refusal in the active language. It names no visitor, so it is rendered once for all."""
    return render_to_string("429.html", {"text": text}).encode()


@contextmanager
def missing_if_refused(*codes: TableCode | PageCode) -> Iterator[None]:
    """Turn a Refused raised inside the block into Http404: one with one of these codes; without codes, any."""
    try:
        yield
    except Refused as refusal:
        if codes and refusal.code not in codes:
            raise
        raise Http404(refusal.text) from refusal


def form_status(error: Exception) -> int:
    """Return the HTTP status of a form that is shown again with an error: 429 if a limit was reached, else 400."""
    return 429 if isinstance(error, Refused) and error.status == 429 else 400


def as_data(code: str, text: str) -> dict[str, object]:
    """Return the JSON object of a refusal."""
    return {"ok": False, "code": code, "text": text}
