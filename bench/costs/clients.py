"""A player at a table, who can wait for what a benchmark is about."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bench.harness.client import ClientSocket
from bench.harness.load import CHANGE, HELLO, SNAPSHOT, SeenMatch, match_after

WELCOME = b'{"t":"welcome"'
LONGEST = 30.0  # seconds that a person waits for anything


class SeatedClient(ClientSocket):
    """The connection of a person who sits at a table. ``welcome`` is done once the table has been received."""

    def __init__(self, port: int, code: str, session: str) -> None:
        super().__init__(port, code, session)
        self.session = session
        self.welcome: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.seen: SeenMatch | None = None
        self._waiting: list[tuple[Callable[[SeenMatch], bool], asyncio.Future[None]]] = []

    def received(self, text: bytes) -> None:
        if text.startswith(WELCOME) and not self.welcome.done():
            self.welcome.set_result(None)
        elif text.startswith((CHANGE, SNAPSHOT)):
            self.seen = match_after(text, self.seen)
            for wanted, done in self._waiting:
                if wanted(self.seen) and not done.done():
                    done.set_result(None)

    async def enter(self) -> None:
        """Connect, and return when the table has been received."""
        await self.connect()
        self.send(HELLO)
        await asyncio.wait_for(self.welcome, LONGEST)

    async def until(self, wanted: Callable[[SeenMatch], bool]) -> None:
        """Return when the match is as wanted."""
        if self.seen is None or not wanted(self.seen):
            done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append((wanted, done))
            await asyncio.wait_for(done, LONGEST)
            self._waiting.remove((wanted, done))
