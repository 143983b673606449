"""Requests about saved texts: save one, read a version, try one out. JSON over HTTP; and the text as a file.

A refusal is {"ok": false, "code", "text"} with a 4xx or 5xx status.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any, Literal

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from cardsite.limits import may_now, spend_now
from cardsite.people.admin_site import is_administrator
from cardsite.people.models import Person
from cardsite.people.rate_limits import charged, spend_table
from cardsite.people.services import do_arrive, person_of_request
from cardsite.refusal import Refused, as_data, missing_if_refused
from cardsite.request_data import JsonObject, number_of, object_in, text_of
from cardsite.translations import said
from cardsite.workshop.models import Version
from cardsite.workshop.services import do_save, do_try, find_text, find_version


def asked_in_json(
    answer: Callable[[HttpRequest, Person, JsonObject], JsonObject],
) -> Callable[[HttpRequest], HttpResponse]:
    """Make a POST view of a function from JSON object to JSON object. A newcomer becomes a guest."""

    @require_POST
    @wraps(answer)
    def view(request: HttpRequest) -> HttpResponse:
        try:
            asked = object_in(request)
            return JsonResponse({"ok": True, **answer(request, do_arrive(request), asked)})
        except Refused as refusal:
            return refusal.in_json()

    view.answers_json = True  # type: ignore[attr-defined]  # also when middleware refuses the request
    return view


def spend_save(request: HttpRequest, person: Person) -> None:
    """Count one more saved text, by person and by address. Raises Refused."""
    spend_now("save", request, f"person {person.pk}")
    spend_now("saves", request)


@asked_in_json
def save(request: HttpRequest, person: Person, asked: JsonObject) -> JsonObject:
    """{code or null, source, table, base} → {code, number, url, title, playable, why}.

    ``code``: the text of which this is the next version, edited from version ``base``; null for a new text.
    """
    code = None if asked.get("code") is None else text_of(asked, "code")
    return save_text(
        request, person, code, text_of(asked, "source"), text_of(asked, "table", ""), number_of(asked, "base")
    )


def save_text(
    request: HttpRequest, person: Person, code: str | None, source: str, table: str, base: int | None
) -> JsonObject:
    """Save a text and return the answer of ``save``. Raises Refused."""
    who = f"person {person.pk}"
    may_now("heavy", request, who)
    may_now("heavy_there", request)
    spend_save(request, person)
    with charged(request, "trial"):
        version, tried = do_save(person, code, source, table, base)
    if tried and tried.heavy:  # a few of these are a mistake, many are an attack
        with suppress(Refused):
            spend_now("heavy", request, who)
            spend_now("heavy_there", request)
    return {
        "code": version.text.code,
        "number": version.number,
        "url": reverse("workshop:text", args=[version.text.code]),
        "title": version.title,
        "playable": version.playable,
        "why": said(tried.why if tried else version.why),
    }


@asked_in_json
def try_out(request: HttpRequest, person: Person, asked: JsonObject) -> JsonObject:
    """{code, number, seats or null, bots: a level} → {url} of a private table with a new match."""
    spend_table(request, person)
    text = find_text(text_of(asked, "code"), person, staff=is_administrator(request.user))
    version = find_version(text, number_of(asked, "number"))
    table = do_try(person, version, number_of(asked, "seats"), text_of(asked, "bots", "strong"))
    return {"url": reverse("table:page", args=[table.code])}


@never_cache
@require_safe
def as_json(request: HttpRequest, code: str, number: int) -> JsonResponse:
    """Return a version: {source, table, number, latest, title, own, playable, why}."""
    person = person_of_request(request)
    try:
        text = find_text(code, person, staff=is_administrator(request.user))
        version = find_version(text, number)
    except Refused as refusal:
        return JsonResponse(as_data(refusal.code, refusal.text), status=404)
    return JsonResponse(payload(version, person))


@never_cache
@require_safe
def as_file(request: HttpRequest, code: str, number: int, kind: Literal["rcy", "toml"]) -> HttpResponse:
    """Return a version's text, or its table file, to be downloaded."""
    with missing_if_refused():
        text = find_text(code, person_of_request(request), staff=is_administrator(request.user))
        version = find_version(text, number)
    name = f"{slugify(version.title) or code}.{kind}"
    kept = version.source if kind == "rcy" else version.table
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(kept, content_type="text/plain; charset=utf-8", headers=headers)


def payload(version: Version, person: Person | None) -> dict[str, Any]:
    """Return a version as the editor receives it."""
    text = version.text
    return {
        "code": text.code,
        "source": version.source,
        "table": version.table,
        "number": version.number,
        "latest": text.latest,
        "title": version.title,
        "own": person is not None and text.owner_id == person.pk,
        "playable": version.playable,
        "why": said(version.why),
    }
