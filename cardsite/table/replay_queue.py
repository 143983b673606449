"""Who may have a match played again now: one guest and one person with an account at a time, in each process.

What several ask for at once is done once for all of them. Those who wait take turns by the CPU time that they have used
lately. Guests, whom anybody can be any number of, wait for their own place, each address as one.
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
from games.jobs.pool import Turns

EACH = 5  # replays that one address, or one account, waits for
THREADS = 48  # requests that wait here, also for what another has asked for: each holds a thread
PATIENCE = 15.0  # seconds that a request waits

Found = TypeVar("Found")


class ReplayQueue:
    """Places to compute replays in, for the requests of one process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # over the next two
        self._under_way: dict[Hashable, Future[Any]] = {}
        self._asking = 0
        self._turns = {guest: Turns([None], WORK["replay"].waiting, lambda payer: EACH) for guest in (True, False)}

    def do(self, key: Hashable, work: Callable[[], Found], payer: str, *, guest: bool) -> Found:
        """Return what ``work`` returns, done by this request or by another that has asked for the same ``key``.

        ``work`` runs in this thread or in that of the other request. What it adds to the charge there (``costs.py``)
        counts for ``payer``. Raises Refused when too many ask or it takes too long until there is a place, and whatever
        ``work`` raises.
        """
        key = key, guest  # nobody with an account waits for the place of guests
        with self._asked():
            with self._lock:
                shared = self._under_way.get(key)
                mine: Future[Found] = Future()
                if shared is None:
                    self._under_way[key] = mine
            if shared is not None:
                return self._result(shared)  # type: ignore[no-any-return]  # of the same key, so of the same kind
            try:
                found = self._in_turn(work, payer, guest)
            except BaseException as error:
                self._end(key)
                mine.set_exception(error)
                raise
            self._end(key)
            mine.set_result(found)
            return found

    def _end(self, key: Hashable) -> None:
        with self._lock:
            del self._under_way[key]

    @contextmanager
    def _asked(self) -> Iterator[None]:
        with self._lock:
            if self._asking >= THREADS:
                raise busy()
            self._asking += 1
        if not connection.in_atomic_block:
            connection.close()  # it may take seconds until there is a place, and connections are few
        try:
            with page_queue.aside():
                yield
        finally:
            with self._lock:
                self._asking -= 1

    def _result(self, shared: Future[Found]) -> Found:
        try:
            return shared.result(2 * PATIENCE)  # it may wait as well
        except TimeoutError:
            raise busy() from None

    def _in_turn(self, work: Callable[[], Found], payer: str, guest: bool) -> Found:
        turns = self._turns[guest]
        try:
            with turns.borrow(payer, PATIENCE):
                before = costs.so_far()
                try:
                    return work()
                finally:
                    turns.book(payer, costs.so_far() - before)
        except Busy:
            raise busy() from None


def busy() -> Refused:
    """Return what is said when too many ask for replays."""
    return Refused("busy", _("Many replays are being prepared right now. Try again in a few seconds."))


queue = ReplayQueue()
