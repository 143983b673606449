"""The match server in the test's own process: sockets of a table without a web server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person
from cardsite.server import transport
from cardsite.server.events import Events
from cardsite.server.live import LiveMatch
from cardsite.server.protocol import PROTOCOL
from cardsite.server.referee import Referee
from cardsite.server.room import Room, Socket
from cardsite.server.server import MatchServer
from cardsite.table.services.matches import do_start_match
from tests.patience import PATIENCE
from tests.site.conftest import Texts
from tests.site.copies import rules_of
from tests.site.visitor import put_into


async def ignore(*_: Any) -> None:
    """Ignore whatever is sent."""


def two_at_sticks(texts: Texts, code: str, sticks: int) -> int:
    """Begin a match of two people at a game that is a text. Return its number."""
    host = Person.objects.create(name="Hostess")
    table = Table.objects.create(
        code=code, game=texts.put("sticks", "rules 1", f"sticks {sticks}", "take 1 2 3"), host=host
    )
    Seat.objects.create(table=table, index=0, person=host)
    Seat.objects.create(table=table, index=1, person=Person.objects.create(name="Guest"))
    return do_start_match(code, None)


def alone_at_hamsterdam(code: str) -> Person:
    """Open a table with one person at it and a free seat. Return the person."""
    person = Person.objects.create(name="Hostess")
    table = Table.objects.create(code=code, game="hamsterdam", host=person)
    Seat.objects.create(table=table, index=0, person=person)
    Seat.objects.create(table=table, index=1)
    return person


class SignallingReferee(Referee):
    """A referee whose event ``asked`` is set when somebody asks for the lock of a match."""

    def __init__(self) -> None:
        super().__init__(Events())
        self.asked = asyncio.Event()

    @asynccontextmanager
    async def held(self, match_id: int) -> AsyncIterator[LiveMatch]:
        self.asked.set()
        async with super().held(match_id) as live:
            yield live


class Listener:
    """A socket at a table that keeps what it receives, each change with its view: see ``put_into``.

    Its match server must be the one that ``transport`` has.
    """

    def __init__(self, match_server: MatchServer, code: str, person: Person | None = None) -> None:
        self.match_server = match_server
        self.code = code
        self.person = person
        self.received: list[dict[str, Any]] = []
        self.closed_with = 0
        self._view: dict[str, Any] = {}
        self.socket = Socket(self._receive, person.pk if person else 0, person.name if person else "")
        self.client: transport.Client
        self._news = asyncio.Event()

    async def _receive(self, event: dict[str, Any]) -> None:
        if "text" in event:
            message = json.loads(event["text"])
            if message["t"] == "change":
                message = put_into(self._view, message)
            self._view = message.get("view", self._view)
            self.received.append(message)
        else:
            self.closed_with = event["code"]
        self._news.set()

    async def hello(self) -> Room:
        """Enter the room and send hello."""
        room = await self.match_server.relay.enter(self.code, self.socket)
        self.client = transport.Client(self.code, self.socket, room, self.person, "")
        await self.say(t="hello", protocol=PROTOCOL)
        return room

    async def say(self, **message: Any) -> None:
        """Send a message, and return when it has been handled."""
        await self.client.receive(json.dumps(message))

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until what was received makes a condition true."""
        async with asyncio.timeout(PATIENCE):
            while not condition():
                self._news.clear()
                await self._news.wait()

    async def settle(self) -> None:
        """Wait until all is received that had been sent when this was called."""
        mark = {"t": "mark", "n": len(self.received)}
        self.socket.push(json.dumps(mark))
        await self.until(lambda: mark in self.received)
        self.received.remove(mark)

    def all(self, *kinds: str) -> list[dict[str, Any]]:
        """Return the messages of some types."""
        return [message for message in self.received if message["t"] in kinds]

    @property
    def table(self) -> dict[str, Any]:
        """The table as it was last received."""
        tables: list[dict[str, Any]] = [message["table"] for message in self.received if "table" in message]
        return tables[-1]

    @property
    def version(self) -> int:
        """The ply that was last received, -1 before any."""
        return max((message["version"] for message in self.all("snapshot", "change")), default=-1)


async def move(referee: Referee, match: int, text: str = "") -> int:
    """Make a move, the first legal one unless given, for the player whose turn it is. Return the ply."""
    live = await referee.live(match)
    seat = next(iter(live.since))
    stored = await referee.do_move(match, seat, live.decisions[seat], text or rules_of(live).legal_moves(seat)[0])
    return stored.version
