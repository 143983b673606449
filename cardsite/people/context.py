"""The context processor that gives every template its visitor."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from cardsite.people.models import Person
from cardsite.people.services import person_of_request


def visitor(request: HttpRequest) -> dict[str, Any]:
    """Return ``visitor``: the Person of the request, falsy for a newcomer. Read lazily, when a template uses it."""

    def person() -> Person | None:
        # A request for another host is refused before the middleware that finds its user.
        return person_of_request(request) if hasattr(request, "user") else None

    return {"visitor": SimpleLazyObject(person)}
