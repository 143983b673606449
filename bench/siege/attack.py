"""An attack, and a run of it.

Every visitor sends an address of its own in X-Forwarded-For, as a proxy would, so that the limits for each address
apply, but not to the attack as a whole.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import zlib
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from bench.harness.visitor import Visitor

PAUSE = 0.27  # seconds between two moves of a person; faster ones are refused
REQUESTS_PER_VISITOR = 20  # after so many a visitor is replaced by one with another address and session
FILES = 20_000  # open files allowed to the process of an attack, and to the site
Work = Callable[["AttackRun"], Awaitable[None]]


@dataclass(frozen=True)
class Attack:
    """An attack, and what it needs in the database beforehand: see ``bench.harness.prepare``."""

    name: str
    about: str
    work: Work
    needs: dict[str, Any] = field(default_factory=dict)


def attack(name: str, about: str, needs: dict[str, Any] | None = None) -> Callable[[Work], Attack]:
    """Make a function an attack. The attack lasts until the siege ends it, even if the function returns."""
    return lambda work: Attack(name, about, work, needs or {})


class AttackRun:
    """One run of an attack: its visitors, and what it has counted and noted so far.

    ``over`` is set when the attack has to end. ``counts`` and ``notes`` are printed as its results.
    """

    def __init__(self, port: int, prepared: dict[str, Any], seed: str) -> None:
        self.port = port
        self.tables: list[dict[str, Any]] = prepared.get("tables", [])
        self.administrator: str = prepared.get("administrator", "")
        self.chance = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.notes: dict[str, Any] = {}
        self.over = asyncio.Event()
        self._numbers = itertools.count(1)
        self._begun = False

    def begun(self) -> None:
        """Print that the attack is under way. Further calls do nothing."""
        if not self._begun:
            self._begun = True
            print(json.dumps("begun"), flush=True)

    def address(self) -> str:
        """Return an address that nobody has had before."""
        number = next(self._numbers)
        return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"

    def visitor(self, session: str = "") -> Visitor:
        """Return a new visitor."""
        return Visitor(self.port, self.address(), session)

    async def crowd(
        self, size: int, work: Callable[[Visitor], Awaitable[None]], times: int = REQUESTS_PER_VISITOR
    ) -> None:
        """Let ``size`` visitors at a time repeat ``work`` until the end. Each is replaced after ``times`` calls."""

        async def keep_visiting() -> None:
            while not self.over.is_set():
                visitor = self.visitor()
                try:
                    for _ in range(times):
                        await work(visitor)
                        if self.over.is_set():
                            return
                except (OSError, zlib.error) as error:
                    self.counts[f"lost: {type(error).__name__}"] += 1
                    await asyncio.sleep(0.05)  # the site may be turning everybody away
                finally:
                    visitor.close()

        self.begun()
        await asyncio.gather(*(keep_visiting() for _ in range(size)))

    async def get(self, visitor: Visitor, path: str) -> bytes:
        """Ask for a page, and count what is answered."""
        status, body = await visitor.get(path)
        self.counts[f"answered {status}"] += 1
        return body

    async def post(self, visitor: Visitor, path: str, **fields: object) -> bytes:
        """Send a form, and count what is answered."""
        status, body = await visitor.post(path, **fields)
        self.counts[f"answered {status}"] += 1
        return body
