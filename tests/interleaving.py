"""An event loop that runs one of the many orders that events can come in, chosen by a seed, and waits for nothing.

What is ready runs in a random order. Work for threads runs in the loop itself, after a random time. When nothing is
ready, the clock jumps to the next timer. So the same seed gives the same run, and hundreds of runs take seconds.
asyncio promises that what is ready first runs first; code that passes here does not depend on it.
"""

from __future__ import annotations

import asyncio
import random
import selectors
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import Any, TypeVar

from tests.tiers import is_full, seed

T = TypeVar("T")


class VirtualClock(selectors.DefaultSelector):
    """Moves the time on instead of waiting."""

    now = 0.0  # seconds

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        events = super().select(0)
        if not events:
            assert timeout is not None, "Everybody waits for something that cannot come."
            self.now += max(0.0, timeout)
        return events


class ShuffledLoop(asyncio.SelectorEventLoop):
    """The event loop of the module's docstring."""

    def __init__(self, random_order: random.Random) -> None:
        self._clock = VirtualClock()
        self._random = random_order
        self._ready_to_run: list[tuple[asyncio.Handle, Callable[..., Any], tuple[Any, ...], Context | None]] = []
        super().__init__(self._clock)

    def time(self) -> float:
        return self._clock.now

    def call_soon(  # type: ignore[override]
        self, callback: Any, *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self._ready_to_run.append((handle, callback, args, context))
        super().call_soon(self._run_any)
        return handle

    def _run_any(self) -> None:
        handle, callback, args, context = self._ready_to_run.pop(self._random.randrange(len(self._ready_to_run)))
        if handle.cancelled():
            return
        if context is None:
            callback(*args)
        else:
            context.run(callback, *args)

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = self.create_future()

        def work() -> None:
            try:
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


def run(scenario: Callable[[random.Random], Coroutine[Any, Any, T]], seed_of_run: str) -> T:
    """Run a scenario in the order that a seed gives. It gets the random numbers of the run, for its own use too."""
    random_order = random.Random(seed_of_run)
    loop = ShuffledLoop(random_order)
    try:
        return loop.run_until_complete(scenario(random_order))
    finally:
        loop.close()


def seeds(count: int) -> list[str]:
    """Return the seeds of so many runs, ten times as many and new ones in the full tier."""
    return [f"{seed()}:{number}" for number in range(count * (10 if is_full() else 1))]
