"""How often what has been done lately, counted in this process's memory: for the rate limits where there is no Redis.

The two storages of this kind that come with ``limits`` look through all they hold at every count, one in a task of the
event loop and one in a thread, and the first makes pages wait for that loop. A count costs the same here however many
there are, and may be made in any thread.
"""

from __future__ import annotations

import time
from threading import Lock

from limits.storage import Storage

ROOM = 1000  # counts that are held before the old ones are first looked for


class Counts(Storage):
    """Numbers by key, each of which is forgotten at a time that is set when it is begun."""

    STORAGE_SCHEME = ["counts"]
    base_exceptions = ()

    def __init__(self, uri: str | None = None, wrap_exceptions: bool = False) -> None:
        super().__init__(uri, wrap_exceptions=wrap_exceptions)
        self._lock = Lock()
        self._counts: dict[str, tuple[int, float]] = {}  # by key: how many, and until when
        self._room = ROOM

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Count ``amount`` more, to be forgotten ``expiry`` seconds after the first. Return how many there are."""
        now = time.time()
        with self._lock:
            count, until = self._counts.get(key, (0, 0.0))
            if until <= now:
                count, until = 0, now + expiry
                self._make_room(now)
            self._counts[key] = count + amount, until
        return count + amount

    def _make_room(self, now: float) -> None:
        """Forget what is over when twice as much is held as was left the last time: seldom, however much there is."""
        if len(self._counts) >= self._room:
            self._counts = {key: held for key, held in self._counts.items() if held[1] > now}
            self._room = max(ROOM, 2 * len(self._counts))

    def get(self, key: str) -> int:
        """Return how many there are."""
        count, until = self._counts.get(key, (0, 0.0))
        return count if until > time.time() else 0

    def get_expiry(self, key: str) -> float:
        """Return when they will be forgotten; now for those that are."""
        return max(time.time(), self._counts.get(key, (0, 0.0))[1])

    def check(self) -> bool:
        """Return whether one can count here: always."""
        return True

    def reset(self) -> int:
        """Forget everything. Return how much that was."""
        with self._lock:
            held, self._counts = len(self._counts), {}
        return held

    def clear(self, key: str) -> None:
        """Forget one count."""
        with self._lock:
            self._counts.pop(key, None)
