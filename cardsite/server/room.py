"""Who is connected to one table by way of this process: their sockets, and how these are told things.

Nobody is waited for: a socket that does not take what it is told is dropped.
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
SLICE = 250  # watchers who are told of a move at a time: other tables wait two milliseconds for them, no more
MOVES_BEHIND = 4  # moves that may wait for the last watcher; who plays faster waits, too

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
        "glances",
        "greeted",
        "host",
        "name",
        "person",
        "prove",
        "seat",
    )

    def __init__(
        self, send: Send, person: int, name: str, *, glances: bool = False, write: Write | None = None
    ) -> None:
        self.glances = glances  # from another page, where the table is shown in passing: nobody who watches
        self.person = person  # Person's number, 0 for somebody without one
        self.name = name
        self.seat: Audience = None
        self.host = False
        self.greeted = False  # has said hello, so may be told things
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
        # One message may be longer than all that may wait: a match as it stands, for somebody with a slow line.
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
        """Forget a connection that is gone."""
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
        self.crowds: dict[str, int] = {}  # watchers by process
        self.crowd_task: asyncio.Task[None] | None = None
        self.new = True  # no other process has been told how many watch here
        self._news: deque[tuple[str, deque[Socket]]] = deque()  # moves, with the watchers to be told of each
        self._newsman: asyncio.Task[None] | None = None  # who does that
        self.sent_match = self.info.match  # whose beginning everybody here has been told of
        self.sent_at = float("-inf")  # when everybody was told of the table, by the clock of the event loop
        self.table_task: asyncio.Task[None] | None = None  # that will tell them what they have not been told yet

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
        """From now on a socket is told what happens."""
        socket.greeted = True
        self.place(socket)

    def remove(self, socket: Socket) -> None:
        """Forget a socket."""
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
        """Tell everybody of a move: who sits here at once, and watchers, if there are very many, a few at a time."""
        for audience, sockets in self.audiences.items():
            if audience not in messages:
                continue  # it has come while they were rendered, and gets a snapshot
            metrics.deliveries.inc(len(sockets))
            if audience is not None or not (self._news or len(sockets) > SLICE):
                for socket in sockets:
                    socket.push(messages[audience])
            else:
                self._news.append((messages[audience], deque(sockets)))
        while len(self._news) > MOVES_BEHIND:
            self._tell_next(len(self._news[0][1]))
        if self._news and (self._newsman is None or self._newsman.done()):
            self._newsman = asyncio.create_task(self._spread())

    def flush(self) -> None:
        """Tell all watchers now of the moves that they have not been told of yet."""
        while self._news:
            self._tell_next(len(self._news[0][1]))

    async def _spread(self) -> None:
        """Tell watchers of what waits, with a turn for everybody else between the slices."""
        while self._news:
            self._tell_next(SLICE)
            await asyncio.sleep(0)

    def _tell_next(self, most: int) -> None:
        """Tell some watchers of the oldest move that waits for them."""
        message, sockets = self._news[0]
        for _ in range(min(most, len(sockets))):
            socket = sockets.popleft()
            if socket.seat is None:  # still: who has sat down since gets a snapshot
                socket.push(message)
        if not sockets:
            self._news.popleft()

    @property
    def match_to_show(self) -> int:
        """The current or last match, 0 where there is none or it cannot be shown."""
        return 0 if self.info.notice else self.info.match

    @property
    def watchers_here(self) -> int:
        """How many watch by way of this process."""
        return sum(1 for socket in self.sockets if socket.seat is None and not socket.glances)
