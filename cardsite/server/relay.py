"""The relay: renders each message once for each audience and writes the same message to each socket of this process.

The channel layer carries only notices between processes ("match 7 is at ply 12"); each process brings its own copy up
to date and renders it for the sockets it holds.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from weakref import WeakValueDictionary

import structlog
from django.utils.translation import gettext as _

from cardsite.database import in_thread
from cardsite.events import CredentialsChanged, ModerationChanged, TableChanged
from cardsite.lobby.games import UNTIL_DEAL_ENDS, house_bot
from cardsite.lobby.models import Table
from cardsite.lobby.services import presence
from cardsite.people.names import distinct_names
from cardsite.refusal import Refused
from cardsite.server.events import (
    ChatPosted,
    CopyLost,
    Events,
    MatchEnded,
    MatchUnwatched,
    MovePlayed,
    PresenceChanged,
    SpectatorsChanged,
)
from cardsite.server.live import LiveMatch, SeatDecider, now_ms
from cardsite.server.match_copy import Audience
from cardsite.server.protocol import (
    CREDENTIALS_EXPIRED,
    NO_SUCH_TABLE,
    REMOVED,
    OutChat,
    OutSpectators,
    OutTable,
    OutYou,
    PersonInfo,
    TableInfo,
    encode,
)
from cardsite.server.referee import Referee
from cardsite.server.room import Room, Socket, Spectators
from cardsite.server.table_info import read_person, read_table
from cardsite.server.tasks import Tasks
from cardsite.table.models import Match, Message
from games.core import RulesFailed

PLAYERS: Audience = 0  # any seat, where spectators and players are sent different tables
TABLE_PAUSE = 0.4  # minimum seconds between two broadcasts of a table
AGAIN = 1.0  # seconds after which a table that could not be read is read again
SPECTATORS_PAUSE = 0.7  # seconds over which changes of the number of spectators are gathered

log = structlog.get_logger(__name__)


class Relay:
    """All rooms of this process."""

    def __init__(self, referee: Referee, events: Events) -> None:
        self._referee = referee
        self._events = events
        self.rooms: dict[str, Room] = {}
        self._gone: set[tuple[str, int]] = set()  # (table, person) that has left, not stored yet
        # Number of changes of sessions and tokens: connections accepted meanwhile are checked again.
        self.credentials_changed = 0
        self._moderation_changed = 0  # number of changes of blocks and mutes
        # Readings of one table wait for each other, so that an older one is never sent after a newer one.
        self._readings: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._due: set[str] = set()  # tables whose next reading has not started yet
        self._tasks = Tasks()

    def close(self) -> None:
        """Stop reading tables."""
        self._tasks.cancel()
        self._due.clear()

    # -- sockets and presence

    async def enter(self, code: str, socket: Socket) -> Room:
        """Add a socket to a table's room. Raises Table.DoesNotExist, also for a closed table."""
        async with self._reading(code):
            room = self.rooms.get(code) or Room(await in_thread(read_table)(code))
            if room.info.status == Table.Status.CLOSED.value:
                raise Table.DoesNotExist
            if room.ruling_here(socket).standing == "barred":
                raise Refused("barred", _("The host has removed you from this table. Choose another table."))
            self.rooms[code] = room
            room.sockets.add(socket)
        room.place(socket)
        self._follow_if_delayed(room)
        if (socket.seat is not None or socket.host) and not self._others(room, socket):
            await in_thread(presence.do_note_here)(code, socket.person)
            await self._presence_changed(code)
        self._spectators_changed(code, room)
        return room

    def known_to_spectators(self, code: str) -> TableInfo | None:
        """Return a table as its spectators may know it, for pages; None if its game is gone.

        Reading a table with a delay takes about eight queries, so the reading of its room is used if somebody has it
        open in this process. May be called in any thread.
        """
        if room := self.rooms.get(code):
            return room.for_spectators
        try:
            return read_table(code).for_spectators
        except Refused:
            return None

    async def leave(self, code: str, socket: Socket) -> None:
        """Remove a socket that entered or tried to. A person without another socket is no longer here."""
        room = self.rooms.get(code)
        if room is None or socket not in room.sockets:
            return  # it never entered
        room.remove(socket)
        self._spectators_changed(code, room)
        if not room.sockets:
            del self.rooms[code]
            room.delayed.evict()
            await self._events.emit(MatchUnwatched(room.info.match))
        if socket.seat is not None and not self._others(room, socket):
            self._gone.add((code, socket.person))
            try:
                await self._note_gone()
            except Exception:
                log.exception("could not record that a player left", code=code)

    async def _note_gone(self) -> None:
        """Store who is no longer here. If the database fails, the next round through the rooms does it.

        Each person is stored once, however many people leave at the same time.
        """
        while self._gone:
            code, person = gone = self._gone.pop()
            try:
                if not self._is_in(code, person):
                    await in_thread(presence.do_note_gone)(code, person)
                    if self._is_in(code, person):  # and was stored as here before that
                        await in_thread(presence.do_note_here)(code, person)
                    await self._presence_changed(code)
            except BaseException:
                self._gone.add(gone)
                raise

    async def _presence_changed(self, code: str) -> None:
        await self._events.emit(PresenceChanged(code))
        await self.refresh(code)

    def _is_in(self, code: str, person: int) -> bool:
        room = self.rooms.get(code)
        return room is not None and any(socket.person == person for socket in room.sockets)

    @staticmethod
    def _others(room: Room, socket: Socket) -> bool:
        return any(s.person == socket.person and s is not socket for s in room.sockets)

    async def still_here(self) -> None:
        """Store the presence of all players and hosts with sockets here, and the absence of those who have left."""
        await self._note_gone()
        at = {
            code: {s.person for s in room.sockets if s.seat is not None or s.host} for code, room in self.rooms.items()
        }
        await in_thread(presence.do_note_still_here)({code: persons for code, persons in at.items() if persons})

    async def check_credentials_of(self, person: int) -> None:
        """Close those sockets of a person whose session or token is no longer valid."""
        self.credentials_changed += 1
        for room in list(self.rooms.values()):
            for socket in list(room.sockets):
                if socket.person == person:
                    await self.check_credentials(socket)

    async def on_credentials_changed(self, event: CredentialsChanged) -> None:
        """Close the connections of a person that are no longer valid. If that fails, the rounds do it later."""
        try:
            await self.check_credentials_of(event.person)
        except Exception:
            log.exception("could not look up a person", person=event.person)

    async def check_credentials(self, socket: Socket) -> None:
        """Close a socket if its session or token is no longer valid."""
        if socket.person and socket.identify and not socket.closing:
            person = await socket.identify()
            if person is None or person.pk != socket.person:
                socket.close(CREDENTIALS_EXPIRED)

    async def read_person(self, socket: Socket) -> None:
        """Read what an administrator has forbidden the person of a new connection, and whom the person has muted."""
        changes = -1
        while socket.person and changes != self._moderation_changed:  # a change meanwhile may concern this person
            changes = self._moderation_changed
            socket.restriction, socket.mutes = await in_thread(read_person)(socket.person)

    async def on_moderation_changed(self, event: ModerationChanged) -> None:
        """Send a person what an administrator has forbidden them and whom they have muted, after a change of it."""
        self._moderation_changed += 1
        theirs = [(room, socket) for room in self.rooms.values() for socket in room.sockets]
        theirs = [(room, socket) for room, socket in theirs if socket.person == event.person]
        if not theirs:
            return
        restriction, mutes = await in_thread(read_person)(event.person)
        for room, socket in theirs:
            before = socket.mutes
            socket.restriction, socket.mutes = restriction, mutes
            if socket in room.sockets and (room.place(socket) or mutes != before) and socket.greeted:
                socket.push(encode(_you(socket)).decode())

    # -- broadcasts

    async def on_move_played(self, event: MovePlayed) -> None:
        """Broadcast the last move of a match to its room. If it raises RulesFailed, nothing has been sent.

        A room that has not been sent the match yet will be sent a snapshot, which contains the move.
        """
        live = event.live
        room = self.rooms.get(live.code)
        if room is None:
            return
        if room.is_delayed(None) and live.settled == live.version:
            self._tasks.spawn(self._deal_ended(room))
        audiences = [one for one in room.audiences if not room.is_delayed(one) and room.sent(one) == live.id]
        if not audiences:
            return
        messages = await live.move_messages(audiences)
        # It may have changed while a worker rendered the messages.
        room.broadcast_ply({one: text for one, text in messages.items() if room.sent(one) == live.id})

    def on_match_ended(self, event: MatchEnded) -> None:
        """Broadcast the table of a match that has ended, or evict its copy if nobody here views it."""
        if event.live.code in self.rooms:
            self.refresh_soon(event.live.code)
        else:
            self._referee.evict(event.live.id)

    def on_copy_lost(self, event: CopyLost) -> None:
        """Send the whole match to everybody here who views it, as soon as it can be read again."""
        for code, room in self.rooms.items():
            if room.info.match == event.match:
                room.send_again()
                self.refresh_soon(code)

    def on_chat_posted(self, event: ChatPosted) -> None:
        """Send a chat message to the people in its room."""
        code, line = event
        if room := self.rooms.get(code):
            message = encode(OutChat(line)).decode()
            for audience, sockets in room.audiences.items():
                own = Message.ChatRoom.SPECTATORS if audience is None else Message.ChatRoom.PLAYERS
                if line.room in (own.value, Message.ChatRoom.ALL.value) and room.chat_for(audience, [line]):
                    for socket in sockets:
                        socket.push(message)

    def on_table_changed(self, event: TableChanged) -> None:
        """Broadcast a table to its room."""
        self.refresh_soon(event.code)

    def refresh_soon(self, code: str) -> None:
        """Schedule reading a table again. Further changes before that are covered by the same reading."""
        if code not in self._due:
            self._due.add(code)
            self._tasks.spawn(self._refresh_until_done(code))

    async def _refresh_until_done(self, code: str) -> None:
        """Refresh a table, and retry after an error: a person who has stood up must not be sent a hand any longer."""
        while True:
            try:
                await self.refresh(code)
                return
            except Exception:
                log.exception("could not refresh a table", code=code)
            if code not in self.rooms:
                return  # nobody here views it; the rounds of the scheduler find its match
            await asyncio.sleep(AGAIN)

    async def refresh(self, code: str) -> None:
        """Read a table again, if anybody here views it or its match, and broadcast it to its room."""
        async with self._reading(code):
            self._due.discard(code)  # this reading may miss changes from now on
            if code in self.rooms or any(live.code == code for live in self._referee.lives.values()):
                await self._read_again(code)

    async def _read_again(self, code: str) -> None:
        room = self.rooms.get(code)
        try:
            reading = await in_thread(read_table)(code)
        except (Table.DoesNotExist, Refused):
            if room:
                for socket in list(room.sockets):
                    socket.close(NO_SUCH_TABLE)
            return
        info = reading.info
        if room:
            await self._note_come(room, info)
        live = self._referee.lives.get(info.match)
        stale = bool(info.dropped) and live is not None and not live.over
        if info.notice or stale:  # somebody has resigned, or another process has found that its rules fail
            self._referee.evict(info.match)
        if room and (stale or info.dropped != room.info.dropped):
            room.send_again()  # the end changes the view, but not the version
        stand_in = house_bot(info.game)
        occupants = [
            SeatDecider(seat.person, seat.bot or stand_in, seat.away, seat.vacation_until) for seat in info.seats
        ]
        await self._referee.update_occupants(info.match, occupants)
        if room is not None:
            if info.match != room.info.match:
                await self._events.emit(MatchUnwatched(room.info.match))
            if reading.barred != room.barred:
                self._spectators_changed(code, room)
            before = room.for_spectators.dropped, room.delay.seconds
            room.read(reading)
            if before != (room.for_spectators.dropped, room.delay.seconds):
                room.delayed.evict()  # its end changes the view, but not the version
                room.sent_to_spectators = 0
            self._follow_if_delayed(room)
            if room.delay.seconds >= UNTIL_DEAL_ENDS:
                await self._advance_delayed(room)  # a match that is over is known at once
            await self._broadcast_table(room)

    async def _note_come(self, room: Room, info: TableInfo) -> None:
        """Store the presence, also in ``info``, of people with a seat and a socket here whose presence is not stored.

        They were connected before they had the seat.
        """
        connected = {socket.person for socket in room.sockets}
        come = [seat for seat in info.seats if seat.person in connected and not seat.here]
        for seat in come:
            await in_thread(presence.do_note_here)(info.code, seat.person)
            seat.here = True
            if not self._is_in(info.code, seat.person):  # has left meanwhile
                self._gone.add((info.code, seat.person))
        if come:
            await self._events.emit(PresenceChanged(info.code))

    async def _broadcast_table(self, room: Room) -> None:
        async with AsyncExitStack() as locks:
            delayed = await self._delayed(room, locks)
            room.flush()  # send the last move of a match before the next match begins
            try:
                if match_id := room.match_for(PLAYERS):
                    # Locked: a snapshot must not show an uncommitted move, and the copy must not be evicted meanwhile.
                    async with self._referee.held(match_id) as live:
                        await self._send_table(room, live, delayed)
                else:
                    await self._send_table(room, None, delayed)
            except Refused:  # the match is dropped now, and that will be broadcast
                await self._send_table(room, None, delayed)
        room.sent_match, room.sent_to_spectators = room.info.match, room.info_for(None).match

    # -- spectators with a delay

    @asynccontextmanager
    async def held(self, room: Room, audience: Audience, match_id: int) -> AsyncIterator[LiveMatch]:
        """Lock the copy of a room's match that an audience sees. Raises Match.DoesNotExist, Dropped."""
        if room.is_delayed(audience):
            await self._note_settled(room)
            async with room.delayed.held(match_id) as live:
                yield live
        else:
            async with self._referee.held(match_id) as live:
                yield live

    async def _delayed(self, room: Room, locks: AsyncExitStack) -> LiveMatch | None:
        """Return the copy of a room's match for spectators with a delay, locked; None if none is needed or known."""
        match_id = room.match_for(None)
        wanted = any(socket.person not in room.seat_of for socket in room.sockets)
        if not (room.is_delayed(None) and match_id and wanted):
            return None
        try:
            await self._note_settled(room)
            return await locks.enter_async_context(room.delayed.held(match_id))
        except (Refused, Match.DoesNotExist):  # it is dropped now, or a move is taken back, and that will be broadcast
            return None

    def _follow_if_delayed(self, room: Room) -> None:
        """Start sending spectators with a delay what they may see by now, unless a task does so already."""
        if room.is_delayed(None) and not room.following:
            room.following = True
            self._tasks.spawn(self._follow(room))

    async def _follow(self, room: Room) -> None:
        """Send the spectators of a room, later than its players, the moves, beginnings and ends of its matches."""
        code = room.info.code
        while self.rooms.get(code) is room and (room.is_delayed(None) or room.waiting_chat):
            wait = AGAIN
            try:
                if room.delay.changes and now_ms() >= room.delay.changes:
                    await self.refresh(code)
                wait = await self._advance_delayed(room)
                lines = [line.at + 1000 * room.delay.seconds for line in room.waiting_chat.values()]
                later = [at for at in (room.delay.changes, *lines) if at]
                wait = max(0.0, min([wait, *((at - now_ms()) / 1000 for at in later)]))
            except Exception:
                log.exception("could not send spectators what they may see by now", code=code)
                room.sent_to_spectators = 0
                self.refresh_soon(code)
            await asyncio.sleep(wait)
        room.following = False

    async def _advance_delayed(self, room: Room) -> float:
        """Send the spectators of a room what they may see and read by now. Return the seconds until it may be more."""
        await self._note_settled(room)
        wait = await room.delayed.advance(lambda message: room.broadcast_ply({None: message}))
        for line in room.due_chat():
            message = encode(OutChat(line)).decode()
            for socket in room.audiences.get(None, ()):
                socket.push(message)
        return wait

    async def _deal_ended(self, room: Room) -> None:
        """Send the spectators of a room a deal that has ended. If that fails, ``_follow`` does it later."""
        try:
            await self._advance_delayed(room)
        except Exception:
            log.exception("could not send spectators a deal that has ended", code=room.info.code)

    async def _note_settled(self, room: Room) -> None:
        """Note which moves spectators may see, if they see deals that have ended.

        Raises Match.DoesNotExist, Dropped.
        """
        match_id = room.match_for(None)
        if room.delay.seconds < UNTIL_DEAL_ENDS or not match_id:
            return
        async with self._referee.held(match_id) as live:
            room.delayed.settle(match_id, live.version if live.over else live.settled)
            room.settled_at = live.settled_at

    async def _broadcast_later(self, room: Room) -> None:
        """Broadcast the state of a table when enough time has passed since the last broadcast."""
        loop = asyncio.get_running_loop()
        wait = room.sent_at + TABLE_PAUSE - loop.time()
        while wait > 0:
            await asyncio.sleep(wait)
            wait = room.sent_at + TABLE_PAUSE - loop.time()  # there may have been one meanwhile, because of a new match
        room.table_task = None
        try:
            async with self._reading(room.info.code):
                if self.rooms.get(room.info.code) is room:  # else everybody has left, and the match is not needed
                    await self._broadcast_table(room)
        except Exception:
            log.exception("could not broadcast table information", code=room.info.code)
            room.sent_at = loop.time()
            self._broadcast_soon(room)

    def _broadcast_soon(self, room: Room) -> None:
        if room.table_task is None and room.sockets:
            room.table_task = asyncio.create_task(self._broadcast_later(room))

    async def _send_table(self, room: Room, live: LiveMatch | None, delayed: LiveMatch | None) -> None:
        """Send a room its table, and the match to sockets that do not have it yet. Raises RulesFailed after sending.

        ``delayed``: the copy for spectators with a delay. The table is sent at a limited rate, and its last state
        always. A new match, and a new seat of a socket, are sent at once.
        """
        copies = {None: delayed if room.is_delayed(None) else live, PLAYERS: live}
        of_players = live is not None and room.info.match != room.sent_match
        of_spectators = copies[None] is not None and room.info_for(None).match != room.sent_to_spectators
        new = {None: of_spectators, PLAYERS: of_players}
        now = asyncio.get_running_loop().time()
        due = any(new.values()) or now - room.sent_at >= TABLE_PAUSE
        if due:
            room.sent_at = now
        else:
            self._broadcast_soon(room)
        messages = dict.fromkeys(copies, _table_message(room.info, live))
        if room.is_delayed(None):
            messages[None] = _table_message(room.for_spectators, delayed)
        placed = [(socket, room.place(socket)) for socket in list(room.sockets)]
        if any(moved for _, moved in placed):
            self._spectators_changed(room.info.code, room)
        snapshots: dict[Audience, str] = {}  # rendered once for each audience
        failures: list[RulesFailed] = []
        for socket, moved in placed:
            side = _side(socket)
            copy = copies[side]
            if copy and socket.greeted and (new[side] or moved) and socket.seat not in snapshots:
                try:
                    snapshots[socket.seat] = await copy.snapshot(socket.seat)
                except RulesFailed as failure:
                    snapshots[socket.seat] = ""
                    if copy is live:
                        failures.append(failure)
        for socket, moved in placed:
            if not socket.greeted:
                continue
            if moved:
                socket.push(encode(_you(socket)).decode())
            if due or moved:
                socket.push(messages[_side(socket)])
            if (new[_side(socket)] or moved) and (snapshot := snapshots.get(socket.seat)):
                socket.push(snapshot)
        for socket, _moved in placed:
            if room.ruling_here(socket).standing == "barred":
                socket.close(REMOVED)
        if failures:
            raise failures[0]

    def _reading(self, code: str) -> asyncio.Lock:
        return self._readings.setdefault(code, asyncio.Lock())

    # -- spectators

    def spectators(self, room: Room) -> int:
        """Return the number of spectators of a table in all processes. May be called in any thread."""
        return room.spectators_here.number + sum(elsewhere.number for elsewhere in list(room.elsewhere.values()))

    def spectators_at(self, code: str) -> int:
        """Return the number of spectators of a table, 0 if nobody has it open in this process."""
        room = self.rooms.get(code)
        return self.spectators(room) if room else 0

    def spectators_by_name(self, room: Room) -> dict[int, str]:
        """Return the spectators of a table who have a name, by their number, in all processes."""
        everywhere = (room.spectators_here, *list(room.elsewhere.values()))
        people = {person: name for spectators in everywhere for person, name in spectators.people.items()}
        return {person: name for person, name in people.items() if person not in room.seat_of}

    def spectators_elsewhere(self, code: str, process: str, spectators: Spectators, *, new: bool = False) -> None:
        """Record the spectators of another process. If ``new``, reply with ours."""
        if room := self.rooms.get(code):
            room.elsewhere[process] = spectators
            self._send_spectators(room)
            if new:
                self._spectators_changed(code, room)

    def _send_spectators(self, room: Room) -> None:
        """Send everybody the number of spectators, and the host their names."""
        count = self.spectators(room)
        room.broadcast(encode(OutSpectators(count)).decode())
        hosts = [socket for socket in room.sockets if socket.host and socket.greeted]
        if hosts:
            # Distinct also from the names of the players: the host seats and removes people by them.
            watching = self.spectators_by_name(room)
            names = distinct_names(watching | room.barred, [seat.name for seat in room.info.seats])
            named = [PersonInfo(person, names[person]) for person in watching]
            barred = [PersonInfo(person, names[person]) for person in room.barred]
            message = encode(OutSpectators(count, named, barred)).decode()
            for socket in hosts:
                socket.push(message)

    def _spectators_changed(self, code: str, room: Room) -> None:
        if room.spectators_task is None:
            room.spectators_task = asyncio.create_task(self._broadcast_spectators(code, room))

    async def _broadcast_spectators(self, code: str, room: Room) -> None:
        await asyncio.sleep(SPECTATORS_PAUSE)
        room.spectators_task = None
        self._send_spectators(room)
        event = SpectatorsChanged(code, room.spectators_here, room.new)
        room.new = False
        await self._events.emit(event)


def _table_message(info: TableInfo, live: LiveMatch | None) -> str:
    return encode(OutTable(table=info, now=now_ms(), deadlines=live.deadlines() if live else {})).decode()


def _side(socket: Socket) -> Audience:
    return None if socket.seat is None else PLAYERS


def _you(socket: Socket) -> OutYou:
    return OutYou(
        seat=socket.seat,
        name=socket.name,
        host=socket.host,
        person=socket.person,
        **socket.ruling._asdict(),
        kept=socket.kept,
        mutes=socket.mutes,
    )
