"""A queue for pages: few are computed at a time, and the address that has used the least CPU time lately is next.

The event loop of the same process serves the tables, and Python computes in one thread at a time. Every page that is
computed takes a share from the loop, so a flood of pages waits here and slows only itself. Between two pages there is a
pause for the tables, in proportion to the CPU time of the first one.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

from cardsite.database import IS_SQLITE
from games.jobs.pool import FairQueue

THREADS = 64  # pages that compute, or wait for child processes
# One with SQLite: two are not faster, and the median of a ping is 1.8 times as long. Pages wait for a database server.
AT_ONCE = 1 if IS_SQLITE else 4
WAITING = 1000  # requests that wait, a few KB each
# Seconds that others may go first for each CPU second used lately: 4 for an address that keeps a core busy, next to
# nothing for a reader. With more a flood from ever new addresses would always go before the people who stay.
HANDICAP = 0.1
PAUSE = 0.5  # seconds after a page for each CPU second that it took
LONGEST_PAUSE = 0.1  # seconds
EACH = 200  # requests of one address: a class of thirty opens the site at once, with six connections a browser

T = TypeVar("T")

_queue: FairQueue[None] = FairQueue([None] * AT_ONCE, WAITING, lambda address: EACH, HANDICAP)
_page: ContextVar[_Page | None] = ContextVar("page", default=None)
_pausing: set[asyncio.Task[None]] = set()  # referenced, so that they are not garbage-collected


@dataclass
class _Page:
    cpu: float = 0.0  # seconds


async def queued(address: str, compute: Callable[[], Awaitable[T]]) -> T:
    """Wait until ``address`` is next, and return the result of ``compute``. Raises Busy when too many wait."""
    held = AsyncExitStack()
    await held.enter_async_context(_queue.borrow_async(address))
    page = _Page()
    token = _page.set(page)
    try:
        return await compute()
    finally:
        _page.reset(token)
        pause = asyncio.create_task(_pause(held, min(PAUSE * page.cpu, LONGEST_PAUSE)))
        _pausing.add(pause)
        pause.add_done_callback(_pausing.discard)


async def _pause(held: AsyncExitStack, seconds: float) -> None:
    async with held:
        await asyncio.sleep(seconds)


@contextmanager
def booked(address: str) -> Iterator[None]:
    """Count the CPU time of this thread inside the block for the order of the queue and the pause after this page."""
    began = time.thread_time()
    try:
        yield
    finally:
        used = time.thread_time() - began
        _queue.book(address, used)
        if page := _page.get():
            page.cpu += used


@contextmanager
def aside() -> Iterator[None]:
    """Let another page be computed while this one waits inside the block for something slow."""
    if _page.get() is None:
        yield
        return
    with _queue.aside(None):
        yield
