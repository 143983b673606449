"""Counters in this process's memory: the storage of the rate limits where there is no Redis.

The two in-memory storages of ``limits`` scan all counters at every count, one in a task of the event loop and one in a
thread, and pages would wait for that loop. Here a count costs the same however many counters there are, in any thread.
"""

from __future__ import annotations

import time
from threading import Lock

from limits.storage import Storage

FIRST_CLEANUP = 1000  # counters that are held before expired ones are first removed


class Counts(Storage):
    """Counters by key. Each expires at a time that is set by its first count."""

    STORAGE_SCHEME = ["counts"]
    base_exceptions = ()

    def __init__(self, uri: str | None = None, wrap_exceptions: bool = False) -> None:
        super().__init__(uri, wrap_exceptions=wrap_exceptions)
        self._lock = Lock()
        self._counts: dict[str, tuple[int, float]] = {}  # by key: the count, and when it expires
        self._next_cleanup = FIRST_CLEANUP

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Count ``amount`` more; the counter expires ``expiry`` seconds after its first count. Return the new count."""
        now = time.time()
        with self._lock:
            count, until = self._counts.get(key, (0, 0.0))
            if until <= now:
                count, until = 0, now + expiry
                self._remove_expired(now)
            self._counts[key] = count + amount, until
        return count + amount

    def _remove_expired(self, now: float) -> None:
        """Remove expired counters once there are twice as many as the last clean-up left: rarely, at any size."""
        if len(self._counts) >= self._next_cleanup:
            self._counts = {key: held for key, held in self._counts.items() if held[1] > now}
            self._next_cleanup = max(FIRST_CLEANUP, 2 * len(self._counts))

    def get(self, key: str) -> int:
        """Return the count."""
        count, until = self._counts.get(key, (0, 0.0))
        return count if until > time.time() else 0

    def get_expiry(self, key: str) -> float:
        """Return when a counter expires; now for one that has expired."""
        return max(time.time(), self._counts.get(key, (0, 0.0))[1])

    def check(self) -> bool:
        """Return whether the storage works: always."""
        return True

    def reset(self) -> int:
        """Remove all counters. Return how many there were."""
        with self._lock:
            held, self._counts = len(self._counts), {}
        return held

    def clear(self, key: str) -> None:
        """Remove one counter."""
        with self._lock:
            self._counts.pop(key, None)
