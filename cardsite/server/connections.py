"""Limits on new sockets: how many one address and one person may have open, and how fast they are let in."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from cardsite.database import IS_SQLITE
from games.jobs.pool import FairQueue

# How many steps of arrivals run at the same time. With a database server, a step mostly waits for it.
AT_ONCE = 2 if IS_SQLITE else 8
LONGEST_PAUSE = 0.02  # after a step, in seconds

# By the person's primary key, the IP address of their last connection here. Matches are charged to it, too, so that
# becoming a new guest again and again gains nothing.
last_address: dict[int, str] = {}


class Full(Exception):
    """The limit is reached."""


class ConnectionCounter:
    """Counts connections by key. Each process counts for itself, so a limit holds for each process of the site."""

    def __init__(self) -> None:
        self.inside: Counter[str] = Counter()

    def enter(self, key: str, limit: int) -> None:
        """Count one more connection, until ``leave``.

        Raises Full, and counts nothing, if there are ``limit`` already; 0: no limit.
        """
        if limit and self.inside[key] >= limit:
            raise Full(key)
        self.inside[key] += 1

    def leave(self, key: str) -> None:
        """Count one connection less."""
        self.inside[key] -= 1
        if not self.inside[key]:
            del self.inside[key]


class Arrivals:
    """Lets a few new connections in at a time, because the event loop that does so also serves the open ones."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        # A connection waits behind later ones by a second for each CPU second that the event loop has lately used
        # during steps of its address; that includes other work of the loop.
        self.queue: FairQueue[None] = FairQueue([None] * at_once, handicap=1.0)

    @asynccontextmanager
    async def step(self, address: str) -> AsyncIterator[None]:
        """Wait until ``address`` is next, and let the caller do one step of an arrival.

        After the step comes a pause as long as the CPU time that the event loop used meanwhile, within a limit. So a
        message of an open connection waits for a few steps, not for hundreds.
        """
        async with self.queue.borrow_async(address):
            began = time.thread_time()
            try:
                yield
            finally:
                used = time.thread_time() - began
                self.queue.book(address, used)
                await asyncio.sleep(min(used, LONGEST_PAUSE))
