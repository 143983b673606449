"""Who may have a match played again now: few at once, and what several ask for is done once for all of them.

A replay is computed in a thread of the process that serves tables, and each such thread takes the interpreter away from
the event loop again and again. Visitors without an account, whom anybody can be any number of, leave a place to others.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import connection
from django.utils.translation import gettext as _

from cardsite.limits import WORK
from cardsite.refusal import Refused

AT_ONCE = 2  # replays that a process computes
BY_GUESTS = 1  # of these
WAITING = WORK["replay"].waiting  # requests of guests, and as many of others
PATIENCE = 15.0  # seconds that a request waits

Found = TypeVar("Found")


class ReplayQueue:
    """Places to compute replays in, for the requests of one process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # over the next two
        self._under_way: dict[Hashable, Future[Any]] = {}
        self._asking: Counter[bool] = Counter()
        self._places = threading.BoundedSemaphore(AT_ONCE)
        self._places_of_guests = threading.BoundedSemaphore(BY_GUESTS)

    def do(self, key: Hashable, work: Callable[[], Found], *, guest: bool) -> Found:
        """Return what ``work`` returns, done by this request or by another that has asked for the same ``key``.

        ``work`` runs in this thread or in that of the other request. Raises Refused when too many ask or it takes too
        long until there is a place, and whatever ``work`` raises.
        """
        key = key, guest  # an account never waits for a place of guests
        with self._asked(guest):
            with self._lock:
                shared = self._under_way.get(key)
                mine: Future[Found] = Future()
                if shared is None:
                    self._under_way[key] = mine
            if shared is not None:
                return self._result(shared)  # type: ignore[no-any-return]  # of the same key, so of the same kind
            try:
                with self._place(guest):
                    found = work()
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
    def _asked(self, guest: bool) -> Iterator[None]:
        with self._lock:
            if self._asking[guest] >= WAITING:
                raise _busy()
            self._asking[guest] += 1
        if not connection.in_atomic_block:
            connection.close()  # it may take seconds until there is a place, and connections are few
        try:
            yield
        finally:
            with self._lock:
                self._asking[guest] -= 1

    def _result(self, shared: Future[Found]) -> Found:
        try:
            return shared.result(2 * PATIENCE)  # it may wait as well
        except TimeoutError:
            raise _busy() from None

    @contextmanager
    def _place(self, guest: bool) -> Iterator[None]:
        if guest and not self._places_of_guests.acquire(timeout=PATIENCE):
            raise _busy()
        try:
            if not self._places.acquire(timeout=PATIENCE):
                raise _busy()
            try:
                yield
            finally:
                self._places.release()
        finally:
            if guest:
                self._places_of_guests.release()


def _busy() -> Refused:
    return Refused("busy", _("Many people are asking for replays at this moment. Try again in a few seconds."))


queue = ReplayQueue()
