"""How many sockets are open at once: so many for one address and for one person, and the next one is turned away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


class Full(Exception):
    """There are as many inside as there may be."""


class Turnstile:
    """Counts who is inside, by whatever key. One a process: a limit counts for each process of the site."""

    def __init__(self) -> None:
        self.inside: Counter[str] = Counter()

    @contextmanager
    def count(self, key: str, limit: int) -> Iterator[None]:
        """Count one more inside while the block lasts; ``limit`` 0 is none. Raises Full."""
        if limit and self.inside[key] >= limit:
            raise Full(key)
        self.inside[key] += 1
        try:
            yield
        finally:
            self.inside[key] -= 1
            if not self.inside[key]:
                del self.inside[key]
