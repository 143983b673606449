"""The sockets that are connected to one table by way of this process, and how messages are written to them.

Nothing waits for a socket: one that falls too far behind is dropped.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

import structlog

from cardsite import metrics
from cardsite.people.models import Person
from cardsite.server.match_copy import Audience
from cardsite.server.protocol import TOO_SLOW
from cardsite.server.table_info import Reading

BACKLOG = 256 * 1024  # characters a socket may be behind, beside its longest message, before it is dropped
WEIGHT = 100  # what a message counts beside its characters: very short ones cost too
SLICE = 250  # spectators who are sent a move at a time: other tables wait two milliseconds for them, no more
MOVES_BEHIND = 4  # moves that may wait for the last spectator; faster players wait, too

log = structlog.get_logger(__name__)
Send = Callable[[dict[str, Any]], Awaitable[None]]
# An extension of ASGI: a server that can writes a text at once and says so, or that something waits before it.
WRITE_NOW = "hamsterdam.write_now"
Write = Callable[[str], bool]


class Socket:
    """One connection: who it is, and what is still to be written to it. Never waited for."""

    __slots__ = (
        "_backlog",
        "_behind",
        "_closing",
        "_longest",
        "_send",
        "_write_now",
        "_writer",
        "greeted",
        "host",
        "name",
        "person",
        "preview",
        "prove",
        "seat",
    )

    def __init__(
        self, send: Send, person: int, name: str, *, preview: bool = False, write: Write | None = None
    ) -> None:
        self.preview = preview  # from another page that shows the table: no spectator
        self.person = person  # Person's number, 0 for none
        self.name = name
        self.seat: Audience = None
        self.host = False
        self.greeted = False  # has said hello, so may be sent messages
        # Who the connection is by what it showed when it came; None once that is good no more.
        self.prove: Callable[[], Awaitable[Person | None]] | None = None
        self._send = send
        self._write_now = write
        self._backlog: list[str] = []  # mostly empty, and then a list takes a tenth of a deque
        self._behind = 0  # characters in it
        self._longest = 0  # message in it, since it was last empty
        self._closing = False
        self._writer: asyncio.Task[None] | None = None  # while something waits, or the peer is gone

    def push(self, message: str) -> None:
        """Have a message written as soon as the socket takes it; a socket that is far behind is closed."""
        if self._closing:
            return
        if self._writer is None and self._write_now and self._write_now(message):
            return
        # One message may be longer than all that may wait: a whole match, for a person with a slow connection.
        if self._behind - self._longest > BACKLOG:
            self.close(TOO_SLOW)
            return
        self._backlog.append(message)
        weight = len(message) + WEIGHT
        self._behind += weight
        self._longest = max(self._longest, weight)
        if self._writer is None:
            self._writer = asyncio.create_task(self._write())

    def close(self, code: int) -> None:
        """Close the connection now, even if a message is stuck on its way; what waits behind it is not written."""
        if not self._closing:
            self.drop()
            self._writer = asyncio.create_task(self._hang_up(code))

    @property
    def closing(self) -> bool:
        """Whether the connection has been closed from here: what still comes from it counts for nothing."""
        return self._closing

    def drop(self) -> None:
        """Write nothing more to a connection that is gone."""
        self._closing = True
        self._backlog.clear()
        if self._writer:
            self._writer.cancel()

    async def _write(self) -> None:
        try:
            while self._backlog:
                message = self._backlog.pop(0)
                self._behind -= len(message) + WEIGHT
                await self._send({"type": "websocket.send", "text": message})
            self._longest = 0
            self._writer = None
        except Exception as error:  # whatever the server raises for a peer that is gone
            log.debug("socket is gone", error=repr(error))

    async def _hang_up(self, code: int) -> None:
        try:
            await self._send({"type": "websocket.close", "code": code})
        except Exception as error:
            log.debug("socket is gone", error=repr(error))


class Room:
    """The sockets of one table in this process."""

    def __init__(self, reading: Reading) -> None:
        self.info, self.seat_of, self.host = reading
        self.sockets: set[Socket] = set()
        self.audiences: dict[Audience, set[Socket]] = {}  # of those who have said hello
        self.elsewhere: dict[str, int] = {}  # spectators in other processes, by process
        self.spectators_task: asyncio.Task[None] | None = None
        self.new = True  # no other process has been sent our number of spectators
        self._spreading: deque[tuple[str, deque[Socket]]] = deque()  # moves, with the spectators to be sent each
        self._spreader: asyncio.Task[None] | None = None  # the task that sends them
        self.sent_match = self.info.match  # the last one whose start was sent to everybody here
        self.sent_at = float("-inf")  # when the table was last broadcast, by the clock of the event loop
        self.table_task: asyncio.Task[None] | None = None  # that will broadcast what was not sent yet

    def place(self, socket: Socket) -> bool:
        """Put a socket with the audience it belongs to now. Return whether that has changed."""
        seat = self.seat_of.get(socket.person)
        host = bool(socket.person) and socket.person == self.host
        changed = (seat, host) != (socket.seat, socket.host)
        self._leave_audience(socket)
        socket.seat, socket.host = seat, host
        if socket.greeted:
            self.audiences.setdefault(socket.seat, set()).add(socket)
        return changed

    def greet(self, socket: Socket) -> None:
        """From now on a socket is sent what happens."""
        socket.greeted = True
        self.place(socket)

    def remove(self, socket: Socket) -> None:
        """Remove a socket."""
        self.sockets.discard(socket)
        self._leave_audience(socket)

    def _leave_audience(self, socket: Socket) -> None:
        others = self.audiences.get(socket.seat, set())
        others.discard(socket)
        if not others:
            self.audiences.pop(socket.seat, None)

    def broadcast(self, message: str) -> None:
        """Give the same text to everybody."""
        for sockets in self.audiences.values():
            for socket in sockets:
                socket.push(message)

    def broadcast_ply(self, messages: dict[Audience, str]) -> None:
        """Send everybody a move: players at once, and spectators, if there are very many, a few at a time."""
        for audience, sockets in self.audiences.items():
            if audience not in messages:
                continue  # it has come while they were rendered, and gets a snapshot
            metrics.deliveries.inc(len(sockets))
            if audience is not None or not (self._spreading or len(sockets) > SLICE):
                for socket in sockets:
                    socket.push(messages[audience])
            else:
                self._spreading.append((messages[audience], deque(sockets)))
        while len(self._spreading) > MOVES_BEHIND:
            self._send_next(len(self._spreading[0][1]))
        if self._spreading and (self._spreader is None or self._spreader.done()):
            self._spreader = asyncio.create_task(self._spread())

    def flush(self) -> None:
        """Send all spectators now the moves that they have not been sent yet."""
        while self._spreading:
            self._send_next(len(self._spreading[0][1]))

    async def _spread(self) -> None:
        """Send spectators what waits, with a turn for all other work between the slices."""
        while self._spreading:
            self._send_next(SLICE)
            await asyncio.sleep(0)

    def _send_next(self, most: int) -> None:
        """Send some spectators the oldest move that waits for them."""
        message, sockets = self._spreading[0]
        for _ in range(min(most, len(sockets))):
            socket = sockets.popleft()
            if socket.seat is None:  # still: who has sat down since gets a snapshot
                socket.push(message)
        if not sockets:
            self._spreading.popleft()

    @property
    def match_to_show(self) -> int:
        """The current or last match, 0 where there is none or it cannot be shown."""
        return 0 if self.info.notice else self.info.match

    @property
    def spectators_here(self) -> int:
        """How many spectators there are in this process."""
        return sum(1 for socket in self.sockets if socket.seat is None and not socket.preview)
