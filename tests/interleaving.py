"""An event loop that runs one of the many orders that events can come in, chosen by a seed, and waits for nothing.

What is ready runs in a random order. Work for threads runs in the loop itself, in one go, after a random time. When
nothing is ready, the time moves on to the next timer, for the clocks of ``time`` and Django's ``timezone.now`` too. CPU
time grows by chance. So the same seed gives the same run on any machine, and hundreds of runs take seconds. asyncio
promises that what is ready first runs first; code that passes here does not depend on it.

A run may have several processes. Whatever a task with a name in ``PROCESS`` starts belongs to that process too, and a
process that is killed does nothing more, not even tidy up.
"""

from __future__ import annotations

import asyncio
import random
import selectors
import time
from asyncio.events import _set_running_loop
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import Context, ContextVar, copy_context
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeVar
from unittest.mock import patch

from django.utils import timezone

from tests.tiers import is_full, seed

T = TypeVar("T")
BEGIN = 1_800_000_000.0  # when every run begins, in seconds since 1970
LONGEST = 3600.0  # seconds that a run may take, by its own clock
MOST_CPU = 0.01  # seconds of CPU time that pass at most from one look at that clock to the next
STEP = 1e-6  # seconds that pass at least from one thing to the next: who waits until then must not find it is not yet
PROCESS: ContextVar[str] = ContextVar("process", default="")  # "": the test itself, and those who look at the site


class VirtualClock(selectors.DefaultSelector):
    """Moves the time on instead of waiting. Nothing comes from outside."""

    now = 0.0  # seconds

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        assert timeout is not None, "Everybody waits for something that cannot come."
        assert self.now < LONGEST, "This does not come to an end."
        self.now += max(STEP, timeout)
        return []


class Ready(NamedTuple):
    """What could run now."""

    handle: asyncio.Handle
    callback: Callable[..., Any]
    args: tuple[Any, ...]
    context: Context


class ShuffledLoop(asyncio.SelectorEventLoop):
    """The event loop of the module's docstring."""

    def __init__(self, random_order: random.Random) -> None:
        self._clock = VirtualClock()
        self._cpu = 0.0
        self._random = random_order
        self._ready_to_run: list[Ready] = []
        self._dead: set[str] = set()
        self._left: list[Ready] = []  # by processes that are dead
        self.failures: list[dict[str, Any]] = []  # that nobody has looked at
        super().__init__(self._clock)
        self.set_exception_handler(lambda loop, context: self.failures.append(context))

    def time(self) -> float:
        return self._clock.now

    def cpu_time(self) -> float:
        """Return a CPU time in seconds that grows by chance."""
        self._cpu += self._random.random() * MOST_CPU
        return self._cpu

    def kill(self, process: str) -> None:
        """End a process at once: nothing of it runs any more."""
        self._dead.add(process)

    def revive(self) -> None:
        """Resume dead processes, so that they can be ended tidily after a run."""
        self._dead.clear()
        left, self._left = self._left, []
        for ready in left:
            self._add(ready)

    def call_soon(  # type: ignore[override]
        self, callback: Any, *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        own = copy_context() if context is None else context
        if PROCESS not in own and (process := PROCESS.get()):
            own.run(PROCESS.set, process)  # a new context, for work that must not count as part of what set it off
        handle = asyncio.Handle(callback, args, self, own)
        self._add(Ready(handle, callback, args, own))
        return handle

    call_soon_threadsafe = call_soon  # type: ignore[assignment]  # there is one thread

    def call_at(  # type: ignore[override]
        self, when: float, callback: Any, *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        def go() -> None:
            if not timer.cancelled():
                callback(*args)

        own = copy_context() if context is None else context
        timer = super().call_at(when, lambda: self.call_soon(go, context=own), context=own)
        return timer

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = self.create_future()

        def work() -> None:
            try:
                with in_thread():
                    result = func(*args)
            except BaseException as error:
                self.call_later(self._random.random(), settle, future.set_exception, error)
            else:
                self.call_later(self._random.random(), settle, future.set_result, result)

        def settle(how: Callable[[Any], None], what: Any) -> None:
            if not future.done():  # it may have been cancelled
                how(what)

        self.call_later(self._random.random(), work)
        return future

    def _add(self, ready: Ready) -> None:
        self._ready_to_run.append(ready)
        super().call_soon(self._run_any)

    def _run_any(self) -> None:
        ready = self._ready_to_run.pop(self._random.randrange(len(self._ready_to_run)))
        if ready.handle.cancelled():
            return
        if ready.context.get(PROCESS, "") in self._dead:
            self._left.append(ready)
            return
        ready.context.run(ready.callback, *ready.args)


@contextmanager
def in_thread() -> Iterator[None]:
    """Have the block run as if in a thread of its own: Django's connection there is always the same one."""
    loop = asyncio.get_running_loop()
    _set_running_loop(None)
    try:
        yield
    finally:
        _set_running_loop(loop)


def run(scenario: Callable[[random.Random], Coroutine[Any, Any, T]], seed_of_run: str) -> T:
    """Run a scenario in the order that a seed gives. It gets the random numbers of the run, for its own use too.

    Whatever still runs when it ends is cancelled.
    """
    random_order = random.Random(seed_of_run)
    loop = ShuffledLoop(random_order)
    with ExitStack() as until_the_end:
        until_the_end.callback(loop.close)
        until_the_end.enter_context(patch.object(time, "time", lambda: BEGIN + loop.time()))
        until_the_end.enter_context(patch.object(time, "monotonic", loop.time))
        until_the_end.enter_context(patch.object(time, "thread_time", loop.cpu_time))
        now = lambda: datetime.fromtimestamp(BEGIN + loop.time(), UTC)  # noqa: E731
        until_the_end.enter_context(patch.object(timezone, "now", now))
        until_the_end.callback(_cancel_all, loop)
        context = copy_context()
        context.run(PROCESS.set, "")
        result = loop.run_until_complete(loop.create_task(scenario(random_order), context=context))
        assert not loop.failures, loop.failures
    return result


def _cancel_all(loop: ShuffledLoop) -> None:
    loop.revive()
    while tasks := asyncio.all_tasks(loop):
        for task in tasks:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))


def at(process: str, work: Awaitable[T]) -> asyncio.Task[T]:
    """Begin some work in a process."""

    async def do() -> T:
        return await work

    context = copy_context()
    context.run(PROCESS.set, process)
    return asyncio.get_running_loop().create_task(do(), context=context)


def seeds(count: int) -> list[str]:
    """Return the seeds of so many runs, ten times as many and new ones in the full tier."""
    return [f"{seed()}:{number}" for number in range(count * (10 if is_full() else 1))]
