"""Queues that lend a few resources, such as child processes, to many clients; few may wait.

The next client is chosen by arrival and by the CPU time it has used lately."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Late
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from games.jobs.process import Busy, Child, JobFailed, JobResult, TooMuchCpu

HALF_LIFE = 30.0  # seconds after which CPU use counts half
HANDICAP = 10.0  # seconds by which others may go first for each CPU second that a key has used lately
MOST_KEYS = 10_000  # maximum number of keys whose CPU use is remembered
FORGOTTEN = 0.001  # CPU seconds below which a key is removed


T = TypeVar("T")


@dataclass(eq=False)
class _Waiting(Generic[T]):
    key: str
    since: float  # by the monotonic clock
    thing: Future[T] = field(default_factory=Future)


class TooManyWait(Busy):
    """Too many requests wait already; ``own``: too many of this key."""

    def __init__(self, *, own: bool) -> None:
        super().__init__("Too many requests of yours are waiting." if own else "Too many requests are waiting.")
        self.own = own


class FairQueue(Generic[T]):
    """A few resources for many clients; the one returned last is lent first."""

    def __init__(
        self,
        things: Iterable[T],
        waiting: int = 1_000_000,
        each: Callable[[str], int] = lambda key: 1_000_000,
        handicap: float = HANDICAP,
    ) -> None:
        """``waiting``: how many may wait; ``each(key)``: how many of a key may wait or hold something.

        ``handicap``: seconds by which those who came later go before a key, for each CPU second it has used lately.
        """
        self._idle = list(things)  # a stack, so that a quiet server uses few of them
        self._most_waiting, self._each, self._handicap = waiting, each, handicap
        self._waiting: list[_Waiting[T]] = []
        self._there: Counter[str] = Counter()  # by key: those that wait or hold something
        self._used: dict[str, tuple[float, float]] = {}  # CPU seconds by key, and when they were counted
        self._overdrawn = 0  # things that are lent twice, by ``aside``
        self._lock = threading.Lock()

    # -- lending

    @contextmanager
    def borrow(self, key: str, patience: float | None = None) -> Iterator[T]:
        """Lend a thing. Raises Busy if none is free within ``patience`` seconds (None: for ever), or TooManyWait."""
        waiting = self._arrive(key)
        try:
            try:
                thing = waiting.thing.result(patience)
            except Late:
                thing = self._late(waiting)
            yield thing
        finally:
            self._leave(waiting)

    @asynccontextmanager
    async def borrow_async(self, key: str, patience: float | None = None) -> AsyncIterator[T]:
        """The same on the event loop."""
        waiting = self._arrive(key)
        try:
            if waiting.thing.done():
                thing = waiting.thing.result()
            else:
                try:
                    # Shielded: a thing that is lent at the moment of a cancellation is returned by ``_leave``.
                    thing = await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(waiting.thing)), patience)
                except TimeoutError:
                    thing = self._late(waiting)
            yield thing
        finally:
            self._leave(waiting)

    def _arrive(self, key: str) -> _Waiting[T]:
        with self._lock:
            if self._there[key] >= self._each(key):
                raise TooManyWait(own=True)
            if not self._idle and len(self._waiting) >= self._most_waiting:
                raise TooManyWait(own=False)
            waiting: _Waiting[T] = _Waiting(key, time.monotonic())
            self._there[key] += 1
            if self._idle:
                waiting.thing.set_result(self._idle.pop())
            else:
                self._waiting.append(waiting)
        return waiting

    def _late(self, waiting: _Waiting[T]) -> T:
        """Return a thing that became free at the last moment. Raises Busy."""
        with self._lock:
            if waiting.thing.done():
                return waiting.thing.result()
        raise Busy("No process became free in time.")

    def _leave(self, waiting: _Waiting[T]) -> None:
        with self._lock:
            self._there[waiting.key] -= 1
            if not self._there[waiting.key]:
                del self._there[waiting.key]
            if not waiting.thing.done():
                self._waiting.remove(waiting)
                return
            self._lend(waiting.thing.result())

    def _lend(self, thing: T) -> None:
        """Lend a thing that has become free to the next client. For callers that hold the lock."""
        if self._overdrawn:
            self._overdrawn -= 1
            return
        if not self._waiting:
            self._idle.append(thing)
            return
        now = time.monotonic()
        following = min(self._waiting, key=lambda each: each.since + self._handicap * self._lately(each.key, now))
        self._waiting.remove(following)
        following.thing.set_result(thing)

    @contextmanager
    def aside(self, thing: T) -> Iterator[None]:
        """Lend what the caller has borrowed to another while this context lasts. For things that are all alike.

        Afterwards the caller has it again at once; if all are lent then, the next one that is returned is not lent
        again.
        """
        with self._lock:
            self._lend(thing)
        try:
            yield
        finally:
            with self._lock:
                if self._idle:
                    self._idle.pop()
                else:
                    self._overdrawn += 1

    # -- who has used how much

    def book(self, key: str, cpu: float) -> None:
        """Count CPU seconds used by a key."""
        with self._lock:
            now = time.monotonic()
            self._used[key] = (self._lately(key, now) + cpu, now)
            if len(self._used) > MOST_KEYS:
                self._used = {each: used for each, used in self._used.items() if self._lately(each, now) > FORGOTTEN}

    def used_lately(self) -> dict[str, float]:
        """Return the CPU seconds used by each key; they halve every ``HALF_LIFE`` seconds."""
        with self._lock:
            now = time.monotonic()
            return {key: used for key in self._used if (used := self._lately(key, now)) > FORGOTTEN}

    def _lately(self, key: str, now: float) -> float:
        used, then = self._used.get(key, (0.0, now))
        return used * math.pow(0.5, (now - then) / HALF_LIFE)

    @property
    def waiting(self) -> int:
        """The number of waiting requests."""
        return len(self._waiting)


class Pool(FairQueue[Child]):
    """Up to ``size`` children that are lent, or asked. They start when needed."""

    def __init__(
        self,
        make_child: Callable[[], Child],
        size: int,
        waiting: int = 1_000_000,
        each: Callable[[str], int] = lambda key: 1_000_000,
    ) -> None:
        """``waiting``: how many requests may wait; ``each(key)``: how many of a key may be waiting or running."""
        self.children = [make_child() for _ in range(size)]
        super().__init__(self.children, waiting, each)

    def ask(self, request: bytes, cpu: float = math.inf, key: str = "", patience: float | None = None) -> JobResult:
        """Return the answer of a child, waiting for a free one. Blocks. A child that was interrupted is ended.

        Raises Busy if none is free within ``patience`` seconds, TooManyWait if too many wait; JobFailed.
        """
        with self.borrow(key, patience) as child, self._booked(key, child) as booked:
            return booked(child.ask(request, cpu))

    async def ask_async(
        self, request: bytes, cpu: float = math.inf, key: str = "", patience: float | None = None
    ) -> JobResult:
        """The same on the event loop."""
        async with self.borrow_async(key, patience) as child:
            with self._booked(key, child) as booked:
                return booked(await child.ask_async(request, cpu))

    @contextmanager
    def _booked(self, key: str, child: Child) -> Iterator[Callable[[JobResult], JobResult]]:
        def booked(answer: JobResult) -> JobResult:
            self.book(key, answer.cpu)
            return answer

        try:
            yield booked
        except JobFailed as failed:
            self.book(key, failed.cpu)
            if isinstance(failed, TooMuchCpu):
                child.kill()  # it may have been interrupted halfway
            raise

    def close(self) -> None:
        """End all processes. The next request starts new ones."""
        for child in self.children:
            child.kill()
