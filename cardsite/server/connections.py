"""Limits on the number of open sockets of one address and of one person."""

from __future__ import annotations

from collections import Counter

# By person, the address of their last connection here. Matches are charged to it, too, so that becoming a new guest
# again and again gains nothing.
address_of: dict[int, str] = {}


class Full(Exception):
    """The limit is reached."""


class ConnectionCounter:
    """Counts connections by key. Each process counts for itself, so a limit holds for each process of the site."""

    def __init__(self) -> None:
        self.inside: Counter[str] = Counter()

    def enter(self, key: str, limit: int) -> None:
        """Count one more connection, until ``leave``; ``limit`` 0: no limit. If it raises Full, it counts nothing."""
        if limit and self.inside[key] >= limit:
            raise Full(key)
        self.inside[key] += 1

    def leave(self, key: str) -> None:
        """Count one connection less."""
        self.inside[key] -= 1
        if not self.inside[key]:
            del self.inside[key]
