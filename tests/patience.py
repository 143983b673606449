"""How long tests wait, and how much CPU time what they test may take."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 300.0  # seconds in which anything comes that comes at all, on a machine that is busy with other things
PAUSE = 0.05  # seconds between two checks


def wait_for(condition: Callable[[], T | None], what: str = "What the test waits for") -> T:
    """Return what ``condition`` returns as soon as that is true. Raises AssertionError if it never is."""
    until = time.monotonic() + PATIENCE
    while not (result := condition()):
        assert time.monotonic() < until, f"{what} has not come."
        time.sleep(PAUSE)
    return result


@contextmanager
def cpu_time_below(seconds: float) -> Iterator[None]:
    """Fail if the block takes that much CPU time of this process, however long the machine makes it wait."""
    before = time.process_time()
    yield
    took = time.process_time() - before
    assert took < seconds, f"{took:.1f} s of CPU time; at most {seconds:.1f} s are allowed."
