"""A queue for replays: each process computes one for guests and one for people with an account at a time.

Several requests for the same replay share one computation. The sender who has used the least CPU time lately is next.
Guests have a queue of their own and count by address, because anybody can be many guests.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import connection
from django.utils.translation import gettext as _

from cardsite import costs, page_queue
from cardsite.limits import WORK
from cardsite.refusal import Refused
from games.jobs import Busy
from games.jobs.pool import FairQueue

EACH = 5  # waiting requests of one address or account
THREADS = 48  # waiting requests, also for a replay that another request computes: each holds a thread
PATIENCE = 15.0  # seconds that a request waits

Found = TypeVar("Found")


class ReplayQueue:
    """The queue of one process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # guards the next two
        self._under_way: dict[Hashable, Future[Any]] = {}
        self._asking = 0
        self._queues = {guest: FairQueue([None], WORK["replay"].waiting, lambda payer: EACH) for guest in (True, False)}

    def do(self, key: Hashable, work: Callable[[], Found], payer: str, *, guest: bool) -> Found:
        """Return the result of ``work``, computed by this request or by another one with the same ``key``.

        ``work`` runs in this thread or in that of the other request. Its CPU time is booked to ``payer``.
        Raises Refused when too many requests are waiting or the wait is too long, and passes on exceptions of ``work``.
        """
        key = key, guest  # people with an account never wait for guests
        mine: Future[Found] = Future()
        with self._lock:
            if self._asking >= THREADS:
                raise busy()
            self._asking += 1
            shared = self._under_way.setdefault(key, mine)
        try:
            if shared is not mine:
                with self._aside():
                    return self._result(shared)  # type: ignore[no-any-return]  # of the same key, so of the same kind
            try:
                with self._aside():
                    result = self._queued(work, payer, guest)
            except BaseException as error:
                self._end(key)
                mine.set_exception(error)
                raise
            self._end(key)
            mine.set_result(result)
            return result
        finally:
            with self._lock:
                self._asking -= 1

    def _end(self, key: Hashable) -> None:
        with self._lock:
            del self._under_way[key]

    @contextmanager
    def _aside(self) -> Iterator[None]:
        if not connection.in_atomic_block:
            connection.close()  # the wait may take seconds, and there are few connections
        with page_queue.aside():
            yield

    def _result(self, shared: Future[Found]) -> Found:
        try:
            return shared.result(2 * PATIENCE)  # the other request may be waiting, too
        except TimeoutError:
            raise busy() from None

    def _queued(self, work: Callable[[], Found], payer: str, guest: bool) -> Found:
        queue = self._queues[guest]
        try:
            with queue.borrow(payer, PATIENCE):
                before = costs.so_far()
                try:
                    return work()
                finally:
                    queue.book(payer, costs.so_far() - before)
        except Busy:
            raise busy() from None


def busy() -> Refused:
    """Return the refusal when too many requests for replays are waiting."""
    return Refused("busy", _("Many replays are being prepared right now. Try again in a few seconds."))


queue = ReplayQueue()
