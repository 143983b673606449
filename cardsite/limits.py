"""Rate limits: how often one person, one account or one address may do a thing, and how much CPU time that may take.
Also how many circles, members, tournaments and entrants there may be.

One limiter for pages and sockets. Counts are kept in Redis, for all processes together, or in this process's memory
without it; CPU time likewise (``costs.py``).
"""

from __future__ import annotations

import hashlib
import math
import time
import unicodedata
from collections.abc import Iterable
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Literal, NamedTuple

import structlog
from asgiref.sync import async_to_sync
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from limits import parse
from limits.aio.strategies import FixedWindowRateLimiter as SharedLimiter
from limits.errors import StorageError
from limits.storage import storage_from_string
from limits.strategies import FixedWindowRateLimiter

from cardsite import costs
from cardsite.counts import Counts
from cardsite.refusal import Refused

LIMITS = {
    # by address
    "arrive": parse("100/hour"),  # new guests: a whole school may share one address
    "login": parse("10/minute"),  # requests with a password, or with the code of a second factor
    "register": parse("30/hour"),
    "token": parse("120/minute"),  # requests of programs with a token
    "write": parse("900/minute"),  # forms of any kind
    "replay": parse("20/minute"),  # matches played again; those that are stored cost nothing
    "saves": parse("120/10 minutes"),  # games written by all people there
    "lead": parse("6/minute"),  # lead histories computed: half a minute of a core each, one at a time
    "editors": parse("3000/minute"),  # instead of "write", for questions of editors: a whole class may be writing games
    "heavy_there": parse("12/minute"),  # questions to the sandbox that took too much: some 50 seconds of CPU time
    # by account, from all addresses; also for unknown names, so that the answer is the same
    "account": parse("20/10 minutes"),
    # by person
    "press": parse("30/10 seconds"),  # forms of any kind, a table's buttons among them
    "download": parse("6/minute"),  # of their own data
    "rename": parse("10/minute"),  # each is broadcast at every table of that person
    "renew": parse("10/hour"),  # tokens made
    "table": parse("20/10 minutes"),  # tables made
    "circle": parse("10/hour"),  # circles made or joined
    "invite": parse("10/hour"),  # circles invited to a table: each notifies all members
    "invite_person": parse("30/hour"),  # people invited to a table: each may be notified
    "invite_pair": parse("3/hour"),  # of these, invitations of the same person
    "tournament": parse("10/hour"),  # tournaments made or joined
    "save": parse("30/10 minutes"),  # games written: each is tried out, for seconds
    "report": parse("10/hour"),
    "opinion": parse("60/10 minutes"),  # answers after matches: each press of a button is one
    "mail": parse("5/hour"),  # e-mails that confirm an address
    "push": parse("20/hour"),  # devices that are switched on, and test notifications
    "sit": parse("30/minute"),
    "request_seat": parse("6/minute"),  # each is broadcast to the whole table
    "hello": parse("30/minute"),
    "move": parse("40/10 seconds"),
    "chat": parse("8/10 seconds"),
    "why": parse("30/10 seconds"),  # questions why something cannot be used: one for each tap
    "feel": parse("30/10 minutes"),  # texts measured or tuned: up to three minutes of a core each, one at a time
    "back": parse("30/minute"),
    "ready": parse("30/minute"),
    "seen": parse("40/10 seconds"),  # once for each move
    "editor": parse("60/10 seconds"),  # questions of an editor while its author types or moves a slider
    "heavy": parse("6/minute"),  # questions to the sandbox that took too much
    # by socket
    "ping": parse("60/10 seconds"),
    "frame": parse("200/10 seconds"),  # messages of any kind
}

# Circles: more than a person can have friends, and few enough to show on one page.
MAX_CIRCLES = 20  # of one person
MAX_MEMBERS = 50  # of one circle
MAX_TOURNAMENTS = 3  # that one person organizes and that are not over
MAX_ENTRANTS = 64  # of one tournament: up to 32 matches at once


class Allowance(NamedTuple):
    """CPU seconds in about an hour that several kinds of work may take together: see ``costs.py``."""

    kinds: tuple[costs.CostKind, ...]
    person: float
    address: float  # all people there: a whole school may share one


ALLOWANCES = {
    # Work that a person asked for and that can wait. In a class of thirty who write games each takes about 30 seconds;
    # a report takes up to 60, a lead history 30, the replay of a long match half a second.
    "asked": Allowance(("check", "lead", "page", "replay", "report", "trial"), person=900, address=2700),
    # Their matches. No match is stopped for this: a person who has used it up cannot begin another one.
    "match": Allowance(("bot", "move", "view"), person=1800, address=5400),
}


class Work(NamedTuple):
    """Limits of one piece of work that a person asks for, and of how many may wait in each process."""

    cpu: float  # seconds, after which it is ended
    waiting: int  # requests that wait; one more is refused


# CPU seconds of a match of a visitor's game. Over one of these it is stopped. In its trial no decision took over 0.2 s.
REQUEST_CPU = 2.0  # for a move, or for all that is sent of one: players wait for it
REBUILD_CPU = 20.0  # for replaying the match from its beginning, after a worker was lost
MATCH_CPU = 300.0  # for all requests about one match from one process of the site

# Of those who wait, the person who has used the least CPU time lately is next, so few have to wait. The limits of the
# language itself stand in games/recycle/machine.py.
WORK = {
    "check": Work(4, waiting=6),  # an author types, and reads the result within a second or two
    "trial": Work(20, waiting=6),  # a text is read, explained and played at random, for all numbers of players
    "feel": Work(60, waiting=6),  # enough for figures that distinguish one text from another
    "tune": Work(180, waiting=4),  # a dozen candidates of a short game, with 160 matches of the best ones
    "lead": Work(90, waiting=4),  # it takes 30: more is a roll-out that never ends
    "report": Work(12 * 3600, waiting=0),  # by administrators only, one at a time
    "replay": Work(20, waiting=20),  # a long match takes half a second; each request that waits holds a thread
}
CHECKS_AT_ONCE = {"person": 2, "newcomers": 5}  # "newcomers": all visitors without a name together
_here = FixedWindowRateLimiter(Counts())
_shared = (
    SharedLimiter(
        storage_from_string(
            f"async+{settings.REDIS_URL}",
            wrap_exceptions=True,
            # The client that the channel layer uses too, and no long wait for it.
            implementation="redispy",
            socket_timeout=1,
            socket_connect_timeout=1,
        )
    )
    if settings.REDIS_URL
    else None
)
log = structlog.get_logger(__name__)


async def spend(kind: str, client: str) -> None:
    """Count one more ``kind`` by ``client``. Raises Refused when there have been too many; it says how long to wait.

    While Redis is unreachable nobody is limited: playing matters more than the limits.
    """
    if _shared:
        await _see_shared(_shared, kind, client, count=True)
    else:
        _see_here(kind, client, count=True)


def spend_now(kind: str, request: HttpRequest, client: str = "") -> None:
    """The same from a page: ``client`` is the address unless given. Raises Refused."""
    _see_now(kind, client or address(request), count=True)


def may_now(kind: str, request: HttpRequest, client: str = "") -> None:
    """Raise Refused if ``client`` has reached a limit. Counts nothing."""
    _see_now(kind, client or address(request), count=False)


def _see_now(kind: str, client: str, *, count: bool) -> None:
    if _shared:
        async_to_sync(_see_shared)(_shared, kind, client, count=count)
    else:
        _see_here(kind, client, count=count)  # and no page waits for the event loop


def _see_here(kind: str, client: str, *, count: bool) -> None:
    if settings.RATE_LIMITS and not (_here.hit if count else _here.test)(LIMITS[kind], kind, client):
        raise _slow_down(_here.get_window_stats(LIMITS[kind], kind, client).reset_time)


async def _see_shared(limiter: SharedLimiter, kind: str, client: str, *, count: bool) -> None:
    if not settings.RATE_LIMITS:
        return
    try:
        if await (limiter.hit if count else limiter.test)(LIMITS[kind], kind, client):
            return
        again = (await limiter.get_window_stats(LIMITS[kind], kind, client)).reset_time
    except StorageError as error:
        log.warning("could not store rate limits", error=repr(error))
        return
    raise _slow_down(again)


def require_allowance(name: Literal["asked", "match"], payers: Iterable[str]) -> None:
    """Raise Refused if one of ``payers`` (see ``costs.payers``) has used up its CPU time, with the time to retry.

    Work is measured after it is done, so the last piece of work may exceed the allowance.
    """
    if not settings.RATE_LIMITS:
        return
    allowance = ALLOWANCES[name]
    for one in payers:
        spent = costs.spent(one)
        seconds = sum(spent.get(kind, 0.0) for kind in allowance.kinds)
        person = one.startswith("person ")
        most = allowance.person if person else allowance.address
        if seconds >= most:
            raise Refused("slow_down", f"{_used_up(name, person=person)} {_later(costs.until(seconds, most))}")


def _used_up(name: str, *, person: bool) -> str:
    match name, person:
        case "match", True:
            return _("Your matches have used up your computing time.")
        case "match", False:
            return _("The matches from your network address have used up its computing time.")
        case _, True:
            return _("Your replays, checks and reports have used up your computing time.")
        case _:
            return _(
                "The replays, checks and reports requested from your network address have used up its computing time."
            )


def _later(seconds: float) -> str:
    minutes = math.floor(seconds / 60) + 1  # never too early
    return ngettext("Try again in %(n)d minute.", "Try again in %(n)d minutes.", minutes) % {"n": minutes}


def _slow_down(again: float) -> Refused:
    return Refused("slow_down", _wait(again - time.time()))


def address(request: HttpRequest) -> str:
    """Return the address of a request's client: behind a proxy, the last address that the proxy added."""
    return _address(request.META.get("HTTP_X_FORWARDED_FOR", ""), str(request.META.get("REMOTE_ADDR", "")))


def address_of_socket(client: tuple[str, int] | None, headers: list[tuple[bytes, bytes]]) -> str:
    """Return the address of a socket's client, from its ASGI scope: see ``address``."""
    forwarded = b",".join(value for name, value in headers if name == b"x-forwarded-for").decode("latin-1")
    return _address(forwarded, client[0] if client else "?")


def _address(forwarded: str, peer: str) -> str:
    believed = forwarded.rsplit(",", 1)[-1].strip() if settings.SECURE_PROXY_SSL_HEADER else ""
    text = believed or peer
    try:
        address = ip_address(text)
    except ValueError:
        return text
    if isinstance(address, IPv6Address) and not address.ipv4_mapped:
        return str(ip_network((address, 64), strict=False))  # one household has 2**64 addresses
    return str(address)


def account(username: str) -> str:
    """Return the key by which log-ins to an account are counted: the same for all spellings, and short for any name."""
    plain = unicodedata.normalize("NFKC", username).strip().casefold()
    return hashlib.sha256(plain.encode(errors="replace")).hexdigest()[:32]


def _wait(seconds: float) -> str:
    whole = max(1, math.ceil(seconds))
    if whole > 90:
        return _("You sent too many requests. Wait %(n)d minutes, then try again.") % {"n": math.ceil(whole / 60)}
    if whole == 1:
        return _("You sent too many requests. Wait a second, then try again.")
    return _("You sent too many requests. Wait %(n)d seconds, then try again.") % {"n": whole}
