"""Parsing of requests: a JSON object in the body and its fields, a whole number in an address."""

from __future__ import annotations

import json
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest
from django.http.request import RawPostDataException
from django.utils.translation import gettext as _

from cardsite.refusal import Refused

JsonObject = dict[str, Any]

KEY_DIGITS = 9  # of the number of a person or a match, at most
MOST = 10**6  # the largest number in a JSON object, unless a page allows fewer


def object_in(request: HttpRequest) -> JsonObject:
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


def text_of(data: JsonObject, name: str, default: str | None = None) -> str:
    """Return the text of a field, or ``default`` where it is missing. Raises Refused if it is no text."""
    found = data.get(name, default)
    if not isinstance(found, str):
        raise Refused("bad_request", _("%(name)s must be text.") % {"name": name})
    return found


def number_of(data: JsonObject, name: str, least: int = 1, most: int = MOST) -> int | None:
    """Return the whole number of a field, None if it is missing or null. Raises Refused if it is none within bounds."""
    found = data.get(name)
    if found is None or (isinstance(found, int) and not isinstance(found, bool) and least <= found <= most):
        return found
    raise Refused(
        "bad_request",
        _("%(name)s must be a whole number from %(least)d to %(most)d.") % {"name": name, "least": least, "most": most},
    )


def whole(raw: str, *, digits: int) -> int | None:
    """Return the number written in ``raw`` with at most so many digits; None if it is no number."""
    return int(raw) if raw.isascii() and raw.isdecimal() and len(raw) <= digits else None
