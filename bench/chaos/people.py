"""People at tables of a site whose parts fail, who record what was acknowledged to them.

They behave as a browser does: they reconnect to any process that answers, say hello, and resend the decision whose
answer they missed. The journal holds what they sent and what was acknowledged. The site does not write it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from bench.harness.visitor import press
from cardsite.server.changes import apply_change
from games.core.view import path_moves

PATIENCE = 4.0  # seconds without a message after which a client pings, and then goes to another process
THINKING = (0.05, 0.4)  # seconds over a decision
LONG = 25.0  # seconds over a decision that an idle player leaves to the clock
IDLE_SHARE = 0.02  # share of those
TWICE = 0.05  # share of decisions that are sent twice: a double click

Decision = tuple[int, int, int]  # match, seat, and its number


@dataclass
class Acknowledged:
    """A promise: this decision is stored as that ply."""

    ply: int
    text: str
    again: bool


@dataclass
class Journal:
    """What everybody sent, received and waited for."""

    sent: defaultdict[Decision, set[str]] = field(default_factory=lambda: defaultdict(set))
    acknowledged: defaultdict[Decision, list[Acknowledged]] = field(default_factory=lambda: defaultdict(list))
    refused: Counter[str] = field(default_factory=Counter)
    at: list[float] = field(default_factory=list)  # when each answer of that kind came
    connections: int = 0
    gaps: int = 0

    def acknowledged_moves(self) -> int:
        """Return how many decisions were acknowledged."""
        return len(self.acknowledged)

    def contradictions(self) -> int:
        """Return how many decisions were acknowledged as two different plies or moves."""
        return sum(len({(one.ply, one.text) for one in answers}) > 1 for answers in self.acknowledged.values())


class JournalingClient:
    """A client at a table: a spectator, unless ``session`` is that of a person with a seat."""

    def __init__(
        self,
        ports: list[int],
        code: str,
        journal: Journal,
        chance: random.Random,
        session: str,
        *,
        idles: bool,
    ) -> None:
        self.code = code
        self.idles = idles
        self.longest = 0.0  # seconds in which nothing new was received
        self.longest_at = 0.0
        self.plies = 0
        self.match, self.version = 0, -1
        self._ports = ports
        self._journal = journal
        self._chance = chance
        self._session = session
        self._received_at = time.monotonic()
        self._view: dict[str, Any] = {}
        self._table: dict[str, Any] = {}
        self._seat: int | None = None
        self._unanswered: tuple[int, int, str] | None = None  # match, decision, move
        self._unanswered_since = 0.0
        self._asked: dict[int, tuple[int, int, str]] = {}  # the same by number of message, for this connection
        self._connection: ClientConnection | None = None
        self._thinking: asyncio.Task[None] | None = None
        self._number = 0

    async def stay(self) -> None:
        """Stay connected until cancelled."""
        while True:
            port = self._chance.choice(self._ports)
            headers = {"Cookie": f"sessionid={self._session}"} if self._session else {}
            try:
                async with connect(
                    f"ws://127.0.0.1:{port}/ws/table/{self.code}/",
                    origin=f"http://127.0.0.1:{port}",  # type: ignore[arg-type]
                    additional_headers=headers,
                    compression=None,
                    max_size=None,
                    max_queue=None,  # otherwise a connection with unread messages may never close
                    open_timeout=PATIENCE,
                    close_timeout=0.2,
                    ping_interval=None,
                ) as connection:
                    self._journal.connections += 1
                    self._connection = connection
                    self._asked.clear()
                    await self._attend(connection)
            except (OSError, WebSocketException, EOFError):
                pass
            finally:
                self._connection = None
                if self._thinking:
                    self._thinking.cancel()
            await asyncio.sleep(self._chance.uniform(0.1, 0.6))

    @property
    def plays(self) -> bool:
        """Whether it is a person with a seat."""
        return bool(self._session)

    def condition(self) -> str:
        """Describe the state of this client, to find out why a table hangs."""
        view = self._view
        turn = f"seats {view['to_act']} to act" if view else "no view"
        connection = "connected" if self._connection else "not connected"
        waits = f", waits for an answer to {self._unanswered}" if self._unanswered else ""
        return (
            f"match {self.match} ply {self.version} {self._table.get('status')}, {turn}; "
            f"{'seat ' + str(self._seat) if self.plays else 'spectator'} {connection}{waits}"
        )

    def begin(self) -> None:
        """Measure silence from now on."""
        self._received_at, self.longest = time.monotonic(), 0.0

    def finish(self) -> None:
        """Count the silence that has not ended yet."""
        self._something_new()

    # -- receiving

    async def _attend(self, connection: ClientConnection) -> None:
        await self._hello()
        asked = False
        while True:
            try:
                frame = await asyncio.wait_for(connection.recv(), PATIENCE)
            except TimeoutError:
                if asked:
                    return  # it does not even answer a ping
                asked = True
                await self._say(t="ping")
                continue
            asked = False
            await self._receive(json.loads(frame))
            if self._unanswered and time.monotonic() - self._unanswered_since > 2 * PATIENCE:
                return

    async def _receive(self, message: dict[str, Any]) -> None:
        match message["t"]:
            case "welcome" | "you":
                self._seat = message["seat"]
                self._table = message.get("table", self._table)
                if message["t"] == "welcome":  # a snapshot follows only if ours is out of date
                    await self._resend()
                self._act()
            case "table":
                self._table = message["table"]
                self._act()
            case "snapshot":
                self._something_new()
                self._take(message, message["view"])
                await self._resend()
                self._act()
            case "change" if message["match"] == self.match and message["version"] == self.version + 1:
                self._something_new()
                self.plies += 1
                self._take(message, self._changed(message))
                self._act()
            case "change":
                self._journal.gaps += 1
                await self._hello()
            case "ack" | "refused":
                await self._answered(message)

    def _something_new(self) -> None:
        now = time.monotonic()
        if now - self._received_at > self.longest:
            self.longest, self.longest_at = now - self._received_at, now
        self._received_at = now

    def _changed(self, message: dict[str, Any]) -> dict[str, Any]:
        view = self._view
        for part in [*message.get("reveals", []), message]:
            view = apply_change(view, part["change"])
        return view

    def _take(self, message: dict[str, Any], view: dict[str, Any]) -> None:
        self.match, self.version, self._view = message["match"], message["version"], view

    async def _answered(self, message: dict[str, Any]) -> None:
        asked = self._asked.pop(message["id"], None)
        if message["t"] == "refused":
            self._journal.refused[message["code"]] += 1
            if message["code"] in ("failed", "slow_down"):  # the site asks for the same message again
                self._wait(self._chance.uniform(0.5, 1.5), self._resend if asked else self._hello)
            elif asked == self._unanswered:
                self._unanswered = None
                await self._hello()
        elif asked is not None and self._seat is not None:
            match, decision, move = asked
            answer = Acknowledged(message["version"], move, message["again"])
            self._journal.acknowledged[match, self._seat, decision].append(answer)
            self._journal.at.append(time.monotonic())
            if asked == self._unanswered:
                self._unanswered = None
            if not message["again"] and self._chance.random() < TWICE:
                await self._send(match, decision, move)
            self._act()

    # -- deciding

    def _act(self) -> None:
        """Decide what to do now, after some thinking time."""
        if self._seat is None or (self._thinking and not self._thinking.done()):
            return
        if self._table.get("status") in ("open", "over") and self._table["seats"][self._seat]["host"]:
            self._wait(self._chance.uniform(0.2, 1.0), self._start)
        elif self._moves() and self._unanswered is None:
            idle = self.idles and self._chance.random() < IDLE_SHARE
            self._wait(LONG if idle else self._chance.uniform(*THINKING), self._decide)

    def _moves(self) -> list[str]:
        if not self._view or self._view["over"]:
            return []
        paths = self._view.get("paths")
        return [legal["move"] for legal in self._view["moves"]] + (list(path_moves(paths)) if paths else [])

    async def _decide(self) -> None:
        moves = self._moves()
        if moves and self._unanswered is None:
            await self._send(self.match, self._view["decision"], self._chance.choice(moves))

    async def _start(self) -> None:
        """Press the button for the next match until there is one."""
        while self._table["status"] in ("open", "over"):
            with contextlib.suppress(OSError, EOFError):
                port = self._chance.choice(self._ports)
                await asyncio.wait_for(press(port, self._session, f"/t/{self.code}/start/"), PATIENCE)
            await asyncio.sleep(self._chance.uniform(1.0, 2.0))

    async def _resend(self) -> None:
        """Send the unanswered decision again, if its match is still the current one."""
        if self._unanswered is None:
            return
        if self._unanswered[0] != self.match:
            self._unanswered = None
            return
        await self._send(*self._unanswered)

    def _wait(self, seconds: float, then: Callable[[], Awaitable[None]]) -> None:
        if self._thinking:
            self._thinking.cancel()

        async def later() -> None:
            await asyncio.sleep(seconds)
            with contextlib.suppress(WebSocketException, OSError):  # lost: the next connection sends everything again
                await then()
            self._thinking = None
            self._act()  # what came meanwhile

        self._thinking = asyncio.create_task(later())

    # -- sending

    async def _hello(self) -> None:
        await self._say(t="hello", protocol=3, match=self.match, version=self.version)

    async def _send(self, match: int, decision: int, move: str) -> None:
        assert self._seat is not None
        self._number += 1
        self._asked[self._number] = (match, decision, move)
        self._unanswered, self._unanswered_since = (match, decision, move), time.monotonic()
        self._journal.sent[match, self._seat, decision].add(move)
        await self._say(t="move", id=self._number, match=match, decision=decision, move=move)

    async def _say(self, **message: object) -> None:
        if self._connection is not None:
            await self._connection.send(json.dumps(message))
