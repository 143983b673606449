"""The context processor that gives every template its visitor and the version of the site."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from cardsite.people.models import Person
from cardsite.people.services import person_of_request
from cardsite.version import VERSION


def visitor(request: HttpRequest) -> dict[str, Any]:
    """Return ``version``, and ``visitor``: the Person of the request, falsy for a newcomer.

    The person is read lazily, when a template uses it.
    """

    def person() -> Person | None:
        # A request for another host is refused before the middleware that finds its user.
        return person_of_request(request) if hasattr(request, "user") else None

    return {"visitor": SimpleLazyObject(person), "version": VERSION}
