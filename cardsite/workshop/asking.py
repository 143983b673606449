"""What is asked of the workshop: a JSON object in the body of a request, a number in an address."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest
from django.http.request import RawPostDataException


def object_in(request: HttpRequest) -> dict[str, Any]:
    """Return the object that a request brings. Raises ValueError for a body that is none; RequestDataTooBig."""
    try:
        found = json.loads(request.body)
    except (RecursionError, RawPostDataException) as error:  # the second: a form with parts, which was read as one
        raise ValueError("no JSON") from error
    if not isinstance(found, dict):
        raise ValueError("no object")
    return found


def whole(raw: str, *, digits: int) -> int | None:
    """Return the number that stands in an address, of so many digits at most; None where none does."""
    return int(raw) if raw.isascii() and raw.isdecimal() and len(raw) <= digits else None
