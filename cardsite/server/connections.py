"""How many sockets are open at once: so many for one address and for one person, and the next one is turned away."""

from __future__ import annotations

from collections import Counter

# By the number of a person who is connected here, the address that they came from last: matches are charged to it, too,
# so that somebody who comes as one guest after the other pays for all of them.
address_of: dict[int, str] = {}


class Full(Exception):
    """There are as many inside as there may be."""


class ConnectionCounter:
    """Counts who is inside, by whatever key. One a process: a limit counts for each process of the site."""

    def __init__(self) -> None:
        self.inside: Counter[str] = Counter()

    def enter(self, key: str, limit: int) -> None:
        """Count one more inside until it leaves; ``limit`` 0 is none. Raises Full, and then it is not inside."""
        if limit and self.inside[key] >= limit:
            raise Full(key)
        self.inside[key] += 1

    def leave(self, key: str) -> None:
        """Count one less inside."""
        self.inside[key] -= 1
        if not self.inside[key]:
            del self.inside[key]
