"""Requests of the editor to the sandbox: JSON objects over HTTP.

Nothing is stored. A refusal is {"ok": false, "code", "text"} with a 4xx or 5xx status.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from cardsite.limits import address, may_now, spend_now
from cardsite.people.rate_limits import charged
from cardsite.people.services import person_of_request
from cardsite.refusal import Refused
from cardsite.request_data import JsonObject, number_of, object_in, text_of
from cardsite.table.views import match_for
from cardsite.table.what_if import opening
from cardsite.workshop import lessons, sandbox

MOST = 10_000  # the largest number in a request

Answer = Callable[[JsonObject, str], dict[str, Any]]


def question(answer: Answer) -> Callable[[HttpRequest], HttpResponse]:
    """Make a POST view of a function that answers a JSON object, given who asks."""

    @require_POST
    @wraps(answer)
    def view(request: HttpRequest) -> HttpResponse:
        person = person_of_request(request)
        who = f"person {person.pk}" if person else address(request)
        try:
            asked = object_in(request)
            if not person:
                spend_now("editor", request)
            may_now("heavy", request, who)
            may_now("heavy_there", request)
            with charged(request, "check"):
                if not connection.in_atomic_block:
                    connection.close()  # an answer may take seconds, and there are few connections
                found = answer(asked, who if person else "")
        except Refused as refusal:
            return _refused(request, refusal, who)
        return JsonResponse({"ok": True, **found})

    view.answers_json = True  # type: ignore[attr-defined]  # also when middleware refuses the request
    view.pressed_as = "editor"  # type: ignore[attr-defined]
    return view


def _refused(request: HttpRequest, refusal: Refused, who: str) -> HttpResponse:
    if refusal.code == "too_much":  # it has cost CPU seconds: a few of these are a mistake, many are an attack
        try:
            spend_now("heavy", request, who)
            spend_now("heavy_there", request)
        except Refused as too_often:
            return too_often.in_json()
    return refusal.in_json()


def _number(asked: JsonObject, name: str, least: int = 0) -> int:
    """Return a number of a request, the least one if it is missing. Raises Refused."""
    found = number_of(asked, name, least, MOST)
    return least if found is None else found


@question
def check(asked: JsonObject, who: str) -> dict[str, Any]:
    """{source, table} → the problems of a text, its rules and its names: see ``text_analysis.check``."""
    found = sandbox.check(text_of(asked, "source", ""), text_of(asked, "table", ""), who)
    return {"good": found.pop("ok"), **found}


@question
def format_text(asked: JsonObject, who: str) -> dict[str, Any]:
    """{source} → {source}, formatted."""
    return {"source": sandbox.format_text(text_of(asked, "source", ""), who)}


@question
def picture(asked: JsonObject, who: str) -> dict[str, Any]:
    """{markup} → {markup, picture} of a picture in SVG: see ``text_analysis.picture``."""
    return sandbox.picture(text_of(asked, "markup", ""), who)


@question
def look(asked: JsonObject, who: str) -> dict[str, Any]:
    """{source, table, seats, seat, plies, seed, face_up} → the table: ``text_analysis.look``. -1: a spectator."""
    return _look(asked, who)


@require_POST
def look_from(request: HttpRequest, match_id: int, ply: int) -> HttpResponse:
    """As ``look``, for a match that starts with the deal and the first plies of a match played at a table."""
    match, person = match_for(request, match_id)
    found = opening(match, person, ply)
    if found is None:
        return Refused("no_deal", _("The deal of this match is secret, so nobody can play on from it.")).in_json()

    def answer(asked: JsonObject, who: str) -> dict[str, Any]:
        return _look({**asked, "seats": found.seats}, who, deal=found.deal, opening=found.moves)

    return question(answer)(request)


look_from.answers_json = True  # type: ignore[attr-defined]
look_from.pressed_as = "editor"  # type: ignore[attr-defined]


def _look(asked: JsonObject, who: str, **more: Any) -> dict[str, Any]:
    seat = _number(asked, "seat", -1)
    return sandbox.look(
        text_of(asked, "source", ""),
        text_of(asked, "table", ""),
        _number(asked, "seats"),
        seat if seat >= 0 else None,
        _number(asked, "plies"),
        text_of(asked, "seed", ""),
        face_up=asked.get("face_up") is True,
        who=who,
        **more,
    )


@question
def step(asked: JsonObject, who: str) -> dict[str, Any]:
    """{step, source, saved} → {goals} of a lesson: see ``lessons.goals``."""
    number = _number(asked, "step", 1)
    if number > lessons.COUNT:
        raise Refused("bad_request", _("There are %(n)d lessons.") % {"n": lessons.COUNT})
    goals = sandbox.goals(number, text_of(asked, "source", ""), saved=asked.get("saved") is True, who=who)
    return {"goals": [{**goal, "text": _(goal["text"])} for goal in goals]}
