"""Limits on the size, pace and encoding of a request, before any page sees it, under any ASGI server.

A body is read here, within its limits of size and time, and passed on whole. A rejected request is not parsed, and one
that is too long is not read to its end.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any, NamedTuple

from django.conf import settings
from django.http import parse_cookie
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.http import parse_header_parameters
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from cardsite.refusal import as_data
from cardsite.translations import language_of

Event = dict[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
Application = Callable[[Event, Any, Any], Awaitable[None]]


BUSY = 503
# A busy site answers after a pause, because programs that ask again at once would keep it busy with refusals.
PAUSE = 1.0  # seconds
MOST_PAUSING = 500  # a few KB each


class Rejection(NamedTuple):
    """Why a request is rejected: the HTTP status, a code for programs, and a sentence for people."""

    status: int
    code: str
    text: str


GARBAGE = Rejection(
    400,
    "garbage",
    gettext_noop(
        "Your browser sent a request that this site cannot read. Nothing has been changed. Go back, "
        "reload the page and try again."
    ),
)
TOO_SLOW = Rejection(
    408, "too_slow", gettext_noop("Your request took too long to arrive. Nothing has been changed. Try again.")
)
TOO_LONG = Rejection(
    413, "too_long", gettext_noop("A request may have at most %(most)d KiB and no files. Nothing has been changed.")
)
NOT_UTF8 = Rejection(415, "not_utf8", gettext_noop("This site accepts UTF-8 only. Nothing has been changed."))
PAGES_BUSY = Rejection(
    BUSY, "busy", gettext_noop("Many people are opening pages right now. Wait a few seconds, then try again.")
)
PASSWORDS_BUSY = Rejection(
    BUSY, "busy", gettext_noop("Many people are logging in right now. Wait a few seconds, then try again.")
)


class Rejected(Exception):
    """Raised with one of the above."""

    def __init__(self, rejection: Rejection) -> None:
        super().__init__(rejection.code)
        self.rejection = rejection


class RequestLimits:
    """An ASGI application for HTTP that passes requests within the limits on to ``pages``, which may raise Rejected."""

    def __init__(self, pages: Application) -> None:
        self._pages = pages
        self._pausing = 0  # refusals that are delayed now

    async def __call__(self, scope: Event, receive: Receive, send: Send) -> None:
        try:
            check_head(scope)
            body = await read_body(receive)
            if body is not None:
                await self._pages(scope, _again(body, receive), send)
        except Rejected as rejected:
            if rejected.rejection.status == BUSY and self._pausing < MOST_PAUSING:
                self._pausing += 1
                try:
                    await asyncio.sleep(PAUSE)
                finally:
                    self._pausing -= 1
            await _answer(scope, send, rejected.rejection)


def _again(body: bytes, receive: Receive) -> Receive:
    """Return what receives a body that has been read, and then what ``receive`` does."""
    handed = [body]

    async def read() -> Event:
        if handed:
            return {"type": "http.request", "body": handed.pop(), "more_body": False}
        return await receive()

    return read


def check_head(scope: Event) -> None:
    """Check a request before its body is read. Raises Rejected.

    An address may contain no NUL, which PostgreSQL cannot store; a body must be in UTF-8.
    """
    query = scope["query_string"]
    if "\0" in scope["path"] or b"%00" in query or not query.isascii():
        raise Rejected(GARBAGE)
    lengths = _header(scope, b"content-length")
    if lengths:
        # Python does not convert thousands of digits, and such a length is too long in any case.
        if not (lengths.isascii() and lengths.isdigit()):
            raise Rejected(GARBAGE)
        if len(lengths) > 18 or int(lengths) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise Rejected(TOO_LONG)
    try:
        _kind, parameters = parse_header_parameters(_header(scope, b"content-type"))
        charset = str(parameters.get("charset", "utf-8"))
    except (LookupError, ValueError):
        raise Rejected(GARBAGE) from None
    if charset.lower() != "utf-8":
        raise Rejected(NOT_UTF8)


async def read_body(receive: Receive) -> bytes | None:
    """Return the body of a request, None when the client has gone. Raises Rejected for one too slow or too long."""
    try:
        async with asyncio.timeout(settings.BODY_SECONDS):
            return await _read_body(receive)
    except TimeoutError:
        raise Rejected(TOO_SLOW) from None


async def _read_body(receive: Receive) -> bytes | None:
    parts: list[bytes] = []
    length = 0
    while True:
        event = await receive()
        if event["type"] == "http.disconnect":
            return None
        part = event.get("body", b"")
        length += len(part)
        if length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise Rejected(TOO_LONG)
        parts.append(part)
        if not event.get("more_body", False):
            return b"".join(parts)


def _header(scope: Event, name: bytes) -> str:
    """Return a header as Django reads it, "" for none."""
    return ",".join(value.decode("latin-1") for key, value in scope["headers"] if key == name)


async def _answer(scope: Event, send: Send, rejection: Rejection) -> None:
    language = language_of(scope["headers"], parse_cookie(_header(scope, b"cookie")))
    if "application/json" in _header(scope, b"accept"):
        kind = b"application/json"
        body = json.dumps(as_data(rejection.code, message(rejection, language))).encode()
    else:
        kind, body = b"text/html; charset=utf-8", _page(rejection, language)
    headers = [
        (b"content-type", kind),
        (b"content-language", language.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),  # what is still to come of the body is not read
        (b"cache-control", b"no-store"),
        (b"content-security-policy", b"default-src 'self'; frame-ancestors 'none'; base-uri 'none'"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": rejection.status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


def message(rejection: Rejection, language: str) -> str:
    """Return the message for the person whose request is rejected."""
    with translation.override(language):
        return _(rejection.text) % {"most": settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 1024}


@cache
def _page(rejection: Rejection, language: str) -> bytes:
    """Return the page with that message. It is rendered once, so that a flood of requests does not cost much."""
    with translation.override(language):
        return render_to_string("rejected.html", {"text": message(rejection, language)}).encode()
