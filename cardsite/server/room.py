"""The sockets of one table in this process, and how messages are written to them.

Nothing waits for a socket: one with too large a backlog is dropped.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, NamedTuple

import structlog

from cardsite import metrics
from cardsite.lobby.games import UNTIL_DEAL_ENDS
from cardsite.people.models import Person
from cardsite.server.delayed import DelayedCopy
from cardsite.server.live import now_ms
from cardsite.server.match_copy import Audience
from cardsite.server.protocol import TOO_SLOW, ChatLine, TableInfo
from cardsite.server.table_info import NO_RULING, Reading, Ruling

BACKLOG = 256 * 1024  # characters that may wait for a socket, besides its longest message, before it is dropped
WEIGHT = 100  # characters added for each message: very short ones cost time, too
SLICE = 250  # spectators who are sent a move at a time: other tables wait at most two milliseconds for them
MOST_NAMED = 50  # spectators of one process whom the host is shown by name
MOVES_BEHIND = 4  # moves that may wait for the last spectator; after that, players wait, too

log = structlog.get_logger(__name__)
Send = Callable[[dict[str, Any]], Awaitable[None]]
# An extension of ASGI: the server writes a message at once, or returns that earlier ones are still waiting.
WRITE_NOW = "hamsterdam.write_now"
Write = Callable[[str], bool]


class Spectators(NamedTuple):
    """Spectators of a table: how many, and the names of those who have one, by their number."""

    number: int
    people: dict[int, str]


class Socket:
    """One connection: its person and seat, and its backlog. Nothing waits for it."""

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
        "identify",
        "kept",
        "mutes",
        "name",
        "person",
        "preview",
        "restriction",
        "ruling",
        "seat",
    )

    def __init__(
        self, send: Send, person: int, name: str, *, preview: bool = False, write: Write | None = None
    ) -> None:
        self.preview = preview  # from another page that shows the table: not a spectator
        self.person = person  # Person's number, 0 for none
        self.name = name
        self.seat: Audience = None
        self.host = False
        self.kept = False  # its person stood up during the match and may take the seat back
        self.ruling = NO_RULING
        self.restriction: Ruling | None = None  # of its person, at all tables
        self.mutes: list[int] = []  # the people whom its person has muted
        self.greeted = False  # it has sent hello, so it is sent messages
        # Looks up the person of the session or token; None once that is no longer valid.
        self.identify: Callable[[], Awaitable[Person | None]] | None = None
        self._send = send
        self._write_now = write
        self._backlog: list[str] = []  # usually empty: an empty list takes a tenth of the memory of a deque
        self._behind = 0  # characters in it
        self._longest = 0  # message in it, since it was last empty
        self._closing = False
        self._writer: asyncio.Task[None] | None = None  # while the backlog is not empty, or the client is gone

    def push(self, message: str) -> None:
        """Write a message as soon as the socket accepts it; a socket with too large a backlog is closed."""
        if self._closing:
            return
        if self._writer is None and self._write_now and self._write_now(message):
            return
        # One message may be longer than the limit: a whole match, for a person with a slow connection.
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
        """Close the connection now, even while a message is being written; the backlog is discarded."""
        if not self._closing:
            self.drop()
            self._writer = asyncio.create_task(self._hang_up(code))

    @property
    def closing(self) -> bool:
        """Whether the server has closed the connection: its further messages are ignored."""
        return self._closing

    def drop(self) -> None:
        """Stop writing to a connection that is gone."""
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
        except Exception as error:  # ASGI servers raise different exceptions for a client that is gone
            log.debug("socket is gone", error=repr(error))

    async def _hang_up(self, code: int) -> None:
        try:
            await self._send({"type": "websocket.close", "code": code})
        except Exception as error:
            log.debug("socket is gone", error=repr(error))


class Room:
    """The sockets of one table in this process."""

    def __init__(self, reading: Reading) -> None:
        self.read(reading)
        self.delayed = DelayedCopy()  # of the match that spectators see, if they have a delay
        self.sockets: set[Socket] = set()
        self.audiences: dict[Audience, set[Socket]] = {}  # of sockets that have sent hello
        self.elsewhere: dict[str, Spectators] = {}  # in other processes, by process
        self.spectators_task: asyncio.Task[None] | None = None
        self.new = True  # our number of spectators was not sent to other processes yet
        self._spreading: deque[tuple[str, deque[Socket]]] = deque()  # moves, and who still waits for each
        self._spreader: asyncio.Task[None] | None = None  # the task that sends them
        # The last match that all players, and all spectators, were sent a snapshot of, so that its moves can follow; 0:
        # send one again.
        self.sent_match = self.info.match
        self.sent_to_spectators = self.for_spectators.match
        self.following = False  # a task advances the delayed copy
        self.settled_at = 0  # when the last deal ended of which spectators know, if they see deals that have ended
        self.waiting_chat: dict[int, ChatLine] = {}  # messages of players that spectators may not read yet, by number
        self.sent_at = float("-inf")  # time of the last broadcast of the table, by the clock of the event loop
        self.table_task: asyncio.Task[None] | None = None  # the task that will broadcast the table

    def read(self, reading: Reading) -> None:
        """Take over a reading of the table."""
        self.info, self.for_spectators, self.delay = reading.info, reading.for_spectators, reading.delay
        self.seat_of, self.host, self.kept = reading.persons, reading.host, reading.kept
        self.rulings, self.barred = reading.rulings, reading.barred

    def is_delayed(self, audience: Audience) -> bool:
        """Whether an audience sees the table with a delay."""
        return audience is None and self.delay.seconds > 0

    def chat_for(self, audience: Audience, lines: Iterable[ChatLine]) -> list[ChatLine]:
        """Return those of some messages that an audience may read by now. The others wait for spectators.

        What players write to spectators could say what these do not know yet. Spectators know no more than others.
        """
        if not self.is_delayed(audience) or not self.delay.since:
            return list(lines)
        if self.delay.seconds >= UNTIL_DEAL_ENDS:
            until = max(self.delay.since, self.settled_at)
        else:
            until = now_ms() - 1000 * self.delay.seconds
        shown = []
        for line in lines:
            if line.seat < 0 or line.at <= until:
                shown.append(line)
            else:
                self.waiting_chat[line.n] = line
        return shown

    def due_chat(self) -> list[ChatLine]:
        """Return the waiting messages that spectators may read by now."""
        due = self.chat_for(None, list(self.waiting_chat.values()))
        for line in due:
            del self.waiting_chat[line.n]
        return due

    def sent(self, audience: Audience) -> int:
        """Return the last match that an audience was sent a snapshot of; 0: it is sent one again."""
        return self.sent_to_spectators if audience is None else self.sent_match

    def send_again(self) -> None:
        """Have everybody sent a snapshot with the next broadcast of the table."""
        self.sent_match = self.sent_to_spectators = 0

    def info_for(self, audience: Audience) -> TableInfo:
        """Return the table as an audience may know it."""
        return self.for_spectators if self.is_delayed(audience) else self.info

    def ruling_here(self, socket: Socket) -> Ruling:
        """Return what was decided at this table about the person of a socket."""
        return self.rulings.get(socket.person, NO_RULING)

    def place(self, socket: Socket) -> bool:
        """Add a socket to the audience of its seat. Return whether its audience or its role has changed."""
        ruling, here = socket.restriction or NO_RULING, self.ruling_here(socket)
        if here.standing and (ruling.muted or not ruling.standing):  # a block allows less than any ruling here
            ruling = here._replace(muted=ruling.muted)
        is_host, kept = bool(socket.person) and socket.person == self.host, socket.person in self.kept
        role = (self.seat_of.get(socket.person), is_host, ruling, kept)
        changed = role != (socket.seat, socket.host, socket.ruling, socket.kept)
        self._leave_audience(socket)
        socket.seat, socket.host, socket.ruling, socket.kept = role
        if socket.greeted:
            self.audiences.setdefault(socket.seat, set()).add(socket)
        return changed

    def greet(self, socket: Socket) -> None:
        """Start sending messages to a socket."""
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
        """Send the same message to everybody."""
        for sockets in self.audiences.values():
            for socket in sockets:
                socket.push(message)

    def broadcast_ply(self, messages: dict[Audience, str]) -> None:
        """Send everybody a move: players at once, and very many spectators in slices."""
        for audience, sockets in self.audiences.items():
            if audience not in messages:
                continue  # it came while they were being rendered, and is sent a snapshot
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
        """Send all waiting moves to the spectators now."""
        while self._spreading:
            self._send_next(len(self._spreading[0][1]))

    async def _spread(self) -> None:
        """Send the waiting moves to the spectators in slices, and let other work run in between."""
        while self._spreading:
            self._send_next(SLICE)
            await asyncio.sleep(0)

    def _send_next(self, most: int) -> None:
        """Send the oldest waiting move to the next slice of spectators."""
        message, sockets = self._spreading[0]
        for _ in range(min(most, len(sockets))):
            socket = sockets.popleft()
            if socket.seat is None:  # not a player meanwhile, who is sent a snapshot
                socket.push(message)
        if not sockets:
            self._spreading.popleft()

    def match_for(self, audience: Audience) -> int:
        """Return the match that an audience sees, the current or last one; 0: there is none, or it cannot be shown."""
        info = self.info_for(audience)
        return 0 if info.notice else info.match

    @property
    def spectators_here(self) -> Spectators:
        """The spectators in this process. May be read in any thread, so the set is copied first."""
        here = [socket for socket in list(self.sockets) if socket.seat is None and not socket.preview]
        people = {socket.person: socket.name for socket in here if socket.person and not socket.host}
        return Spectators(len(here), dict(list(people.items())[:MOST_NAMED]))
