"""A queue for pages: few are computed at a time, in turns by arrival and the CPU time that addresses have used lately.

The event loop of the same process serves the tables, and Python computes in one thread at a time. Every page that is
computed takes a share from the loop, so a flood of pages waits here and slows only itself.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from cardsite.database import IS_SQLITE
from games.jobs.pool import Turns

THREADS = 64  # pages that compute, or wait for child processes
# One with SQLite: two are not faster, and the median of a ping is 1.8 times as long. Pages wait for a database server.
AT_ONCE = 1 if IS_SQLITE else 4
WAITING = 1000  # requests that wait, a few KB each
# Seconds that others may go first for each CPU second used lately: 4 for an address that keeps a core busy, next to
# nothing for a reader. With more a flood from ever new addresses would always go before the people who stay.
HANDICAP = 0.1
EACH = 200  # requests of one address: a class of thirty opens the site at once, with six connections a browser

T = TypeVar("T")

_turns: Turns[None] = Turns([None] * AT_ONCE, WAITING, lambda address: EACH, HANDICAP)
_has_turn: ContextVar[bool] = ContextVar("has_turn", default=False)


async def in_turn(address: str, compute: Callable[[], Awaitable[T]]) -> T:
    """Wait for the turn of ``address``, and return the result of ``compute``. Raises Busy when too many wait."""
    async with _turns.borrow_async(address):
        token = _has_turn.set(True)
        try:
            return await compute()
        finally:
            _has_turn.reset(token)


@contextmanager
def booked(address: str) -> Iterator[None]:
    """Count the CPU time of this thread inside the block for the order of turns."""
    began = time.thread_time()
    try:
        yield
    finally:
        _turns.book(address, time.thread_time() - began)


@contextmanager
def aside() -> Iterator[None]:
    """Let another page be computed while this one waits inside the block for something slow."""
    if not _has_turn.get():
        yield
        return
    with _turns.aside(None):
        yield
