"""How coroutines reach the database."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

from channels.db import database_sync_to_async

P = ParamSpec("P")
R = TypeVar("R")


def in_thread(function: Callable[P, R]) -> Callable[P, Awaitable[R]]:
    """Return ``function`` as a coroutine function that runs in a worker thread with a database connection of its own.

    Not in the one thread that asgiref calls sensitive: work that a page set off would wait for the page itself.
    """
    worker: Callable[P, Awaitable[R]] = database_sync_to_async(function, thread_sensitive=False)
    return worker
