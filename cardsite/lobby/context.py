"""The context processor that counts the tables where it is the visitor's turn."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import HttpRequest

from cardsite.lobby.services.presence import turns_of
from cardsite.people.services import person_of_request


def turns(request: HttpRequest) -> dict[str, Any]:
    """Return ``turns_waiting``, a function: how many tables wait for the visitor, beside the one of this page.

    And ``table_here``: the code of that table, "" on a page that is not about one.
    """
    match = request.resolver_match
    here = match.kwargs.get("code", "") if match and match.route.startswith("t/") else ""

    @cache
    def count() -> int:
        # A request for another host is refused before the middleware that finds its user.
        person = person_of_request(request) if hasattr(request, "user") else None
        if person is None:
            return 0
        return turns_of(person).exclude(table__code=here).count()

    return {"turns_waiting": count, "table_here": here}
