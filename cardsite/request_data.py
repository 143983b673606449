"""Parsing of requests: a JSON object in the body, a whole number in an address."""

from __future__ import annotations

import json
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest
from django.http.request import RawPostDataException
from django.utils.translation import gettext as _

from cardsite.refusal import Refused

KEY_DIGITS = 9  # of the number of a person or a match, at most


def object_in(request: HttpRequest) -> dict[str, Any]:
    """Return the JSON object in the body of a request. Raises Refused."""
    try:
        data = json.loads(request.body)
    except RequestDataTooBig:
        raise Refused("too_large", _("That is far too large for a game. Shorten the text.")) from None
    except (ValueError, RecursionError, RawPostDataException):  # the last: a multipart form that was parsed already
        data = None
    if not isinstance(data, dict):
        raise Refused("bad_request", _("The request must be a JSON object."))
    return data


def whole(raw: str, *, digits: int) -> int | None:
    """Return the number written in ``raw`` with at most so many digits; None if it is no number."""
    return int(raw) if raw.isascii() and raw.isdecimal() and len(raw) <= digits else None
