"""The database from coroutines, and the errors it raises when it cannot be used."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

from channels.db import database_sync_to_async
from django.db import InterfaceError, InternalError, OperationalError, connection

P = ParamSpec("P")
R = TypeVar("R")

IS_SQLITE = connection.vendor == "sqlite"  # else a database server

# The database is unreachable, full, locked or read-only. Nothing was written; callers may retry.
DATABASE_UNAVAILABLE = (OperationalError, InterfaceError, InternalError)


def in_thread(function: Callable[P, R]) -> Callable[P, Awaitable[R]]:
    """Return ``function`` as a coroutine function that runs in a worker thread with a database connection of its own.

    Not in asgiref's thread-sensitive thread: work that a page has started would wait for the page itself. Work in a
    thread cannot be stopped, so a caller that is cancelled waits for its end: otherwise a later write of that caller
    could be overtaken by this one.
    """
    worker: Callable[P, Awaitable[R]] = database_sync_to_async(function, thread_sensitive=False)

    async def run(*args: P.args, **named: P.kwargs) -> R:
        return await finished(worker(*args, **named))

    return run


async def finished(awaitable: Awaitable[R]) -> R:
    """Return the result of work that goes on if the caller is cancelled: CancelledError is raised when it is done."""
    work = asyncio.ensure_future(awaitable)
    cancelled: asyncio.CancelledError | None = None
    while not work.done():
        try:
            await asyncio.wait({work})
        except asyncio.CancelledError as error:  # it may be cancelled again while it waits
            cancelled = error
    if cancelled is None:
        return work.result()
    if not work.cancelled():
        work.exception()  # retrieved, so that asyncio does not report it as never retrieved
    raise cancelled
