"""The players of a siege at a table."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections.abc import Sequence

from bench.harness.client import ClientSocket
from bench.harness.load import CHANGE, HELLO, SNAPSHOT, SeenMatch, match_after
from bench.harness.visitor import PATIENCE, Visitor


class TableSocket(ClientSocket):
    """A connection to a table, which knows the legal moves there."""

    def __init__(self, port: int, code: str, session: str = "", address: str = "") -> None:
        super().__init__(port, code, session, address)
        self.seen: SeenMatch | None = None
        self.gone = ""  # why it was lost

    async def join(self) -> None:
        """Connect and send hello. Raises ConnectionError."""
        async with asyncio.timeout(PATIENCE):
            await self.connect()
        self.send(HELLO)

    def received(self, text: bytes) -> None:
        if text.startswith((CHANGE, SNAPSHOT)):
            self.seen = match_after(text, self.seen)
            self.turn(self.seen)
        elif text.startswith(b'{"t":"ack"'):
            self.acknowledged()
        elif text.startswith(b'{"t":"pong"'):
            self.answered()
        elif text.startswith(b'{"t":"refused"'):
            self.refused(text)

    def lost(self, why: str) -> None:
        self.gone = self.gone or why

    def leave(self) -> None:
        """Close the connection, if there is one."""
        self.closing = True
        if hasattr(self, "_transport"):
            self._transport.abort()

    def move(self, seen: SeenMatch, move: str) -> None:
        """Send a decision."""
        self.send(
            b'{"t":"move","id":%d,"match":%d,"decision":%d,"move":%s}'
            % (seen.version + 1, seen.match, seen.view.decision, json.dumps(move).encode())
        )

    def turn(self, seen: SeenMatch) -> None:
        """Handle a new position."""

    def acknowledged(self) -> None:
        """Handle the acknowledgement of a move or a chat line."""

    def answered(self) -> None:
        """Handle the answer to a ping."""

    def refused(self, text: bytes) -> None:
        """Handle a refusal."""


class EndlessPlayer(TableSocket):
    """Plays one match after another: first some given moves, then random ones, at most so many a second."""

    def __init__(
        self,
        host: Visitor,
        code: str,
        first: Sequence[str],
        chance: random.Random,
        pause: float,
    ) -> None:
        super().__init__(host.port, code, host.session, host.address)
        self._host = host
        self.table = code
        self.first = list(first)
        self._remaining = list(first)
        self._chance = chance
        self._pause = pause  # seconds between two moves
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopped = False
        self._acknowledged = asyncio.Event()
        self.moves = 0
        self.matches = 0
        self.refusals = 0

    def turn(self, seen: SeenMatch) -> None:
        loop = asyncio.get_running_loop()
        if seen.view.over:
            self.matches += 1
            self._remaining = list(self.first)
            task = loop.create_task(self._start_next_match())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        elif seen.view.moves:
            loop.call_later(self._pause, self._decide, seen.version)

    def acknowledged(self) -> None:
        self.moves += 1
        del self._remaining[:1]
        self._acknowledged.set()

    def refused(self, text: bytes) -> None:
        self.refusals += 1
        if self.seen and self.seen.view.moves:  # too often, or too soon: once more, later
            asyncio.get_running_loop().call_later(4 * self._pause, self._decide, self.seen.version)

    async def played(self, moves: int) -> None:
        """Return when so many moves have been played."""
        while self.moves < moves:
            self._acknowledged.clear()
            await self._acknowledged.wait()

    def stop(self) -> None:
        """Play no further."""
        self._stopped = True

    def _decide(self, version: int) -> None:
        seen = self.seen
        if self._stopped or self.closing or self.gone or seen is None or seen.version != version or not seen.view.moves:
            return
        legal = [one.move for one in seen.view.moves]
        wanted = self._remaining[0] if self._remaining else ""
        self.move(seen, wanted if wanted in legal else self._chance.choice(legal))

    async def _start_next_match(self) -> None:
        with contextlib.suppress(OSError):
            await self._host.post(f"/t/{self.table}/start/")
