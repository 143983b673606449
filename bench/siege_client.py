"""The clients of a siege: a visitor with a browser, and players at a table."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from harness.client import ClientSocket
from harness.load import CHANGE, HELLO, SNAPSHOT, SeenMatch, see

SECRET = "a" * 32  # of the forms: a browser may choose it
PATIENCE = 120.0  # seconds for an answer; after that the visitor gives up
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"


class Visitor:
    """A browser at an address of its own, as a proxy would report it. It keeps its session and its connection."""

    def __init__(self, port: int, address: str, session: str = "") -> None:
        self.port = port
        self.address = address
        self.session = session
        self._connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str) -> tuple[int, bytes]:
        """Return the status and the body of a page. Raises ConnectionError, TimeoutError."""
        return await self.ask("GET", path)

    async def post(self, path: str, **fields: object) -> tuple[int, bytes]:
        """Send a form."""
        return await self.ask("POST", path, urlencode(fields).encode(), FORM)

    async def send_json(self, path: str, **asked: object) -> Any:
        """Send a JSON object and return the answer; {} if it is not JSON."""
        _status, body = await self.ask("POST", path, json.dumps(asked).encode(), JSON)
        with contextlib.suppress(ValueError):
            return json.loads(body)
        return {}

    async def ask(self, method: str, path: str, body: bytes = b"", kind: str = "") -> tuple[int, bytes]:
        """Send any request. Returns the status and the body of the answer. Raises ConnectionError, TimeoutError."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._ask(method, path, body, kind)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError) as error:
            self.close()
            raise error if isinstance(error, (OSError, TimeoutError)) else ConnectionError(repr(error)) from error
        except asyncio.CancelledError:
            self.close()
            raise

    async def _ask(self, method: str, path: str, body: bytes, kind: str) -> tuple[int, bytes]:
        if self._connection is None:
            self._connection = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._connection
        cookies = [f"csrftoken={SECRET}", *([f"sessionid={self.session}"] if self.session else [])]
        head = [
            f"{method} {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            f"X-Forwarded-For: {self.address}",
            f"Cookie: {'; '.join(cookies)}",
            "Accept-Encoding: gzip",
            f"X-CSRFToken: {SECRET}",
            f"Content-Length: {len(body)}",
        ]
        if kind:
            head += [f"Content-Type: {kind}", f"Accept: {JSON if kind == JSON else 'text/html'}"]
        writer.write("\r\n".join([*head, "", ""]).encode() + body)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        status = int(answer.split(" ", 2)[1])
        headers = [(name.lower(), value) for name, _, value in (row.partition(": ") for row in answer.split("\r\n"))]
        for name, value in headers:
            if name == "set-cookie" and value.startswith("sessionid="):
                self.session = value.removeprefix("sessionid=").split(";")[0]
            elif name == "location":
                self.redirected_to = value
        fields = dict(headers)
        length = fields.get("content-length", "")
        text = await reader.readexactly(int(length)) if length else await reader.read()
        if not length or fields.get("connection", "") == "close":
            self.close()
        return status, text

    redirected_to = ""  # where the last redirect went

    def close(self) -> None:
        """Close the connection. The next request opens another."""
        if self._connection:
            self._connection[1].close()
            self._connection = None


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
        self.say(HELLO)

    def received(self, text: bytes) -> None:
        if text.startswith((CHANGE, SNAPSHOT)):
            self.seen = see(text, self.seen)
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
        self.say(
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
        self._between = pause
        self._tasks: set[asyncio.Task[None]] = set()
        self._paused = False
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
            loop.call_later(self._between, self._decide, seen.version)

    def acknowledged(self) -> None:
        self.moves += 1
        del self._remaining[:1]
        self._acknowledged.set()

    def refused(self, text: bytes) -> None:
        self.refusals += 1
        if self.seen and self.seen.view.moves:  # too often, or too soon: once more, later
            asyncio.get_running_loop().call_later(4 * self._between, self._decide, self.seen.version)

    async def played(self, moves: int) -> None:
        """Return when so many moves have been played."""
        while self.moves < moves:
            self._acknowledged.clear()
            await self._acknowledged.wait()

    def pause(self) -> None:
        """Play no further."""
        self._paused = True

    def _decide(self, version: int) -> None:
        seen = self.seen
        if self._paused or self.closing or self.gone or seen is None or seen.version != version or not seen.view.moves:
            return
        legal = [one.move for one in seen.view.moves]
        wanted = self._remaining[0] if self._remaining else ""
        self.move(seen, wanted if wanted in legal else self._chance.choice(legal))

    async def _start_next_match(self) -> None:
        with contextlib.suppress(OSError, TimeoutError):
            await self._host.post(f"/t/{self.table}/start/")
