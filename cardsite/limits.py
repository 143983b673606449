"""Rate limits: how often one person or one address may do a thing."""

from __future__ import annotations

import structlog
from asgiref.sync import async_to_sync
from django.conf import settings
from django.http import HttpRequest
from limits import parse
from limits.aio.strategies import FixedWindowRateLimiter
from limits.errors import StorageError
from limits.storage import storage_from_string

from cardsite.refusal import Refused

LIMITS = {
    "arrive": parse("100/hour"),  # new guests from one address, which may be a school's
    "login": parse("10/minute"),
    "table": parse("20/10 minutes"),  # tables made by one person
    "sit": parse("30/minute"),
    "hello": parse("30/minute"),
    "move": parse("40/10 seconds"),
    "chat": parse("8/10 seconds"),
    "frame": parse("200/10 seconds"),  # anything at all from one socket
}
_limiter = FixedWindowRateLimiter(
    storage_from_string(
        settings.RATE_LIMIT_STORAGE,
        wrap_exceptions=True,
        # For Redis (memory takes no notice): the client that the channel layer uses too, and no long wait for it.
        implementation="redispy",
        socket_timeout=1,
        socket_connect_timeout=1,
    )
)
log = structlog.get_logger(__name__)


async def spend(kind: str, who: str) -> None:
    """Count one more ``kind`` by ``who``. Raises Refused when there have been too many.

    While Redis is gone nobody is limited: play goes before order.
    """
    try:
        allowed = not settings.RATE_LIMITS or await _limiter.hit(LIMITS[kind], kind, who)
    except StorageError as error:
        log.warning("rate limits cannot be kept", error=repr(error))
        return
    if not allowed:
        raise Refused("slow_down", "That was a lot at once. Wait a few seconds, then try again.")


def spend_now(kind: str, request: HttpRequest, who: str = "") -> None:
    """The same from a page: ``who`` is the address unless given. Raises Refused."""
    async_to_sync(spend)(kind, who or address(request))


def address(request: HttpRequest) -> str:
    """Return where a request comes from: behind a proxy, the last address the proxy added."""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "") if settings.SECURE_PROXY_SSL_HEADER else ""
    return forwarded.rsplit(",", 1)[-1].strip() or str(request.META.get("REMOTE_ADDR", ""))
