"""What every page knows about its visitor."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from cardsite.people.models import Person
from cardsite.people.services import person_of_request


def visitor(request: HttpRequest) -> dict[str, Any]:
    """Return ``visitor``: the Person who asks, falsy for a newcomer. Reads nothing until a template does."""

    def who() -> Person | None:
        # A request for another host is refused before anything is known of who sent it.
        return person_of_request(request) if hasattr(request, "user") else None

    return {"visitor": SimpleLazyObject(who)}
