"""The gate: what a request must be like before anything of the site looks at it, under whatever ASGI server.

A body is read here, in bounds of size and time, and handed on whole. Nothing that is refused is parsed, and nothing
that is too long is read to its end.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any, NamedTuple

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.http import parse_header_parameters
from django.utils.translation import gettext as _

from cardsite.refusal import as_data

Event = dict[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
Application = Callable[[Event, Any, Any], Awaitable[None]]


class Turned(NamedTuple):
    """Why a request does not come in: the HTTP status, and a code for programs."""

    status: int
    code: str


GARBAGE = Turned(400, "garbage")
TOO_SLOW = Turned(408, "too_slow")
TOO_LONG = Turned(413, "too_long")
OTHER_LETTERS = Turned(415, "not_utf8")


class TurnedAway(Exception):
    """Raised with one of the above."""

    def __init__(self, turned: Turned) -> None:
        super().__init__(turned.code)
        self.turned = turned


class Gate:
    """An ASGI application for HTTP that lets through to ``pages`` what is of a decent size, pace and writing."""

    def __init__(self, pages: Application) -> None:
        self._pages = pages

    async def __call__(self, scope: Event, receive: Receive, send: Send) -> None:
        try:
            look_at_head(scope)
            async with asyncio.timeout(settings.BODY_SECONDS):
                body = await read_body(receive)
        except TurnedAway as away:
            await _answer(scope, send, away.turned)
            return
        except TimeoutError:
            await _answer(scope, send, TOO_SLOW)
            return
        if body is None:
            return
        handed: list[bytes] = [body]

        async def read() -> Event:
            if handed:
                return {"type": "http.request", "body": handed.pop(), "more_body": False}
            return await receive()

        await self._pages(scope, read, send)


def look_at_head(scope: Event) -> None:
    """Look at a request before its body is read. Raises TurnedAway.

    No text with a NUL comes in by an address (PostgreSQL stores none), and no body in other letters than UTF-8.
    """
    query = scope["query_string"]
    if "\0" in scope["path"] or b"%00" in query or not query.isascii():
        raise TurnedAway(GARBAGE)
    lengths = _header(scope, b"content-length")
    if lengths:
        # A length of thousands of digits is no number to Python, and too long whatever it is.
        if not (lengths.isascii() and lengths.isdigit()):
            raise TurnedAway(GARBAGE)
        if len(lengths) > 18 or int(lengths) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise TurnedAway(TOO_LONG)
    try:
        _kind, parameters = parse_header_parameters(_header(scope, b"content-type"))
        charset = str(parameters.get("charset", "utf-8"))
    except (LookupError, ValueError):
        raise TurnedAway(GARBAGE) from None
    if charset.lower() != "utf-8":
        raise TurnedAway(OTHER_LETTERS)


async def read_body(receive: Receive) -> bytes | None:
    """Return the body of a request, None when the client has gone. Raises TurnedAway as soon as it is too long."""
    parts: list[bytes] = []
    length = 0
    while True:
        event = await receive()
        if event["type"] == "http.disconnect":
            return None
        part = event.get("body", b"")
        length += len(part)
        if length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise TurnedAway(TOO_LONG)
        parts.append(part)
        if not event.get("more_body", False):
            return b"".join(parts)


def _header(scope: Event, name: bytes) -> str:
    """Return a header as Django reads it, "" for none."""
    return ",".join(value.decode("latin-1") for key, value in scope["headers"] if key == name)


async def _answer(scope: Event, send: Send, turned: Turned) -> None:
    if "application/json" in _header(scope, b"accept"):
        kind = b"application/json"
        body = json.dumps(as_data(turned.code, words(turned))).encode()
    else:
        kind, body = b"text/html; charset=utf-8", _page(turned)
    headers = [
        (b"content-type", kind),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),  # what is still to come of the body is not read
        (b"cache-control", b"no-store"),
        (b"content-security-policy", b"default-src 'self'; frame-ancestors 'none'; base-uri 'none'"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": turned.status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


def words(turned: Turned) -> str:
    """Return what a person is told who is turned away."""
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 1024
    return {
        GARBAGE: _("Your browser sent something that the house does not understand."),
        TOO_SLOW: _("That took too long to arrive. Nothing has been changed: try once more."),
        TOO_LONG: _("At most %(most)d KiB can be sent at once, and no files. Nothing has been changed.")
        % {"most": most},
        OTHER_LETTERS: _("The house reads UTF-8 only. Nothing has been changed."),
    }[turned]


@cache
def _page(turned: Turned) -> bytes:
    """Return the page that says so: made once, since whoever floods the house must not have it drawn each time."""
    return render_to_string("turned_away.html", {"text": words(turned)}).encode()
