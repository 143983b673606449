"""The context processor: what every template knows of its visitor and of the site."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from cardsite.lobby.services.presence import turns_of
from cardsite.people.models import Person
from cardsite.people.services import person_of_request
from cardsite.version import VERSION


def page(request: HttpRequest) -> dict[str, Any]:
    """Return the variables of every page. The database is read only when a template uses one that needs it.

    ``visitor``: the Person of the request, falsy for a newcomer; ``version``: of the site; ``turns_waiting``, a
    function: how many tables wait for the visitor, beside the one of this page; ``table_here``: the code of that table,
    "" on a page that is not about one.
    """
    match = request.resolver_match
    here = match.kwargs.get("code", "") if match and match.route.startswith("t/") else ""

    def person() -> Person | None:
        # A request for another host is refused before the middleware that finds its user.
        return person_of_request(request) if hasattr(request, "user") else None

    @cache
    def turns() -> int:
        visitor = person()
        return turns_of(visitor).exclude(table__code=here).count() if visitor else 0

    return {"visitor": SimpleLazyObject(person), "version": VERSION, "turns_waiting": turns, "table_here": here}
