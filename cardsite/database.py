"""How coroutines reach the database, and how it says that it cannot be used."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

from channels.db import database_sync_to_async
from django.db import InterfaceError, InternalError, OperationalError

P = ParamSpec("P")
R = TypeVar("R")

# Gone, full, locked, read-only: no fault of ours, and of nobody who asks. What was asked has not been done.
OUT_OF_ORDER = (OperationalError, InterfaceError, InternalError)


def in_thread(function: Callable[P, R]) -> Callable[P, Awaitable[R]]:
    """Return ``function`` as a coroutine function that runs in a worker thread with a database connection of its own.

    Not in the one thread that asgiref calls sensitive: work that a page set off would wait for the page itself. What
    has begun in a thread cannot be stopped, so whoever is cancelled meanwhile waits for its end: else it could be
    written after what they write next, as "here" after "gone".
    """
    worker: Callable[P, Awaitable[R]] = database_sync_to_async(function, thread_sensitive=False)

    async def run(*args: P.args, **named: P.kwargs) -> R:
        work = asyncio.ensure_future(worker(*args, **named))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            await asyncio.wait({work})
            if not work.cancelled():
                work.exception()  # looked at: nobody else will
            raise

    return run
