"""Parsing of requests: a JSON object in the body, a whole number in an address."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest
from django.http.request import RawPostDataException

KEY_DIGITS = 9  # of the number of a person or a match, at most


def object_in(request: HttpRequest) -> dict[str, Any]:
    """Return the JSON object in the body of a request. Raises ValueError for anything else; RequestDataTooBig."""
    try:
        data = json.loads(request.body)
    except (RecursionError, RawPostDataException) as error:  # the second: a multipart form that was parsed already
        raise ValueError("no JSON") from error
    if not isinstance(data, dict):
        raise ValueError("no object")
    return data


def whole(raw: str, *, digits: int) -> int | None:
    """Return the number written in ``raw`` with at most so many digits; None if it is no number."""
    return int(raw) if raw.isascii() and raw.isdecimal() and len(raw) <= digits else None
