"""The table's socket: parse, authorise, call the referee, answer. An ASGI application of its own."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import msgspec
import structlog
from django.conf import settings
from django.http import parse_cookie
from django.urls.resolvers import RoutePattern
from django.utils import translation
from django.utils.translation import gettext as _

from cardsite import limits, metrics
from cardsite.database import in_thread
from cardsite.lobby.models import Table
from cardsite.lobby.services import presence
from cardsite.origin import is_ours
from cardsite.people.models import Person
from cardsite.people.names import clean_message
from cardsite.people.services import person_of_cookies, person_of_token
from cardsite.refusal import Refused
from cardsite.server.connections import ConnectionCounter, Full, last_address
from cardsite.server.events import ChatPosted
from cardsite.server.live import now_ms
from cardsite.server.protocol import (
    MAX_INBOUND,
    MAX_TOUCHED,
    NO_SUCH_TABLE,
    NO_SUCH_TOKEN,
    PROTOCOL,
    REMOVED,
    SERVER_ERROR,
    TOO_MANY_FRAMES,
    TOO_MANY_SOCKETS,
    InBack,
    Inbound,
    InChat,
    InHello,
    InMove,
    InPing,
    InReady,
    InSeen,
    InWhy,
    OutAck,
    OutBecause,
    OutPong,
    OutRefused,
    OutWelcome,
    encode,
)
from cardsite.server.room import WRITE_NOW, Room, Socket, Write
from cardsite.server.server import match_server
from cardsite.server.table_info import chat_line, read_chat
from cardsite.table.dropped import Dropped
from cardsite.table.models import Match, Message
from cardsite.table.services.chat import do_post_message
from cardsite.table.services.matches import do_agree
from cardsite.translations import language_of

log = structlog.get_logger(__name__)
FLOOD_SECONDS = 5.0  # after which a connection that has sent too many messages is closed
TABLE = RoutePattern("ws/table/<slug:code>/", is_endpoint=True)
Event = dict[str, Any]
_decode: Callable[[bytes], Inbound] = msgspec.json.Decoder(Inbound).decode
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]


def decode(frame: bytes) -> Inbound:
    """Return the message in a frame. Raises msgspec.DecodeError, also for endlessly nested brackets."""
    try:
        return _decode(frame)
    except RecursionError:
        raise msgspec.DecodeError("it is nested too deeply") from None


async def table_socket(scope: Event, receive: Receive, send: Send) -> None:
    """Serve one connection to ``/ws/table/CODE/``, or reject it."""
    await receive()  # websocket.connect
    handshake = _read(scope)
    if handshake is None:
        await send({"type": "websocket.close", "code": NO_SUCH_TABLE})
        return
    translation.activate(language_of(scope["headers"], handshake.cookies))  # for this task only
    counted: list[str] = []
    try:
        async with match_server.arrivals.step(handshake.address):
            admitted = await _admit(handshake, counted)
        await send({"type": "websocket.accept"})
        if isinstance(admitted, int):
            await send({"type": "websocket.close", "code": admitted})
            await _gone(receive)
        else:
            await _serve(handshake, *admitted, receive, send)
    finally:
        for key in counted:
            _inside.leave(key)
            if key.startswith("person ") and key not in _inside.inside:
                last_address.pop(int(key.removeprefix("person ")), None)


def _other_match() -> Refused:
    return Refused("other_match", _("That match is over. Look at the table and continue."))


def _not_seated() -> Refused:
    return Refused("not_seated", _("You are watching. Sit down to play."))


@dataclass(frozen=True, slots=True)
class Handshake:
    """The parts of a handshake that are kept."""

    code: str
    address: str
    token: str = field(repr=False)  # of a program, "" for a browser
    cookies: dict[str, str] = field(repr=False)  # of a browser
    preview: bool  # for the preview on the front page, which does not count as a spectator
    write: Write | None  # see WRITE_NOW


def _read(scope: Event) -> Handshake | None:
    """Return the request of a handshake; None for an unknown path, and for a browser with a page of another site."""
    root, path, headers = scope.get("root_path", ""), scope["path"], scope["headers"]
    match = TABLE.match(path.removeprefix(root).lstrip("/")) if path.startswith(root) else None
    token = _bearer(headers)
    # A browser sends cookies with any handshake, so its Origin must be ours. A token is only sent on purpose.
    if not match or not (token or is_ours(headers)):
        return None
    cookie = b"" if token else next((value for name, value in headers if name == b"cookie"), b"")
    return Handshake(
        code=str(match[2]["code"]),
        address=limits.address_of_socket(scope.get("client"), headers),
        token=token,
        cookies=parse_cookie(cookie.decode("latin-1")),
        preview=scope.get("query_string") == b"preview",
        write=scope.get("extensions", {}).get(WRITE_NOW, {}).get("write"),
    )


async def _admit(handshake: Handshake, counted: list[str]) -> tuple[Person | None, int] | int:
    """Return the person and the counter of changed credentials, or the code to close the connection with.

    ``counted`` receives the keys by which the connection is counted until it ends.
    """
    before = match_server.relay.credentials_changed
    try:
        _count(counted, f"address {handshake.address}", settings.SOCKETS_AN_ADDRESS)
        if handshake.token:  # every token costs a query, also a wrong one
            await limits.spend("token", handshake.address)
        person = None if handshake.preview else await _identify(handshake.token, handshake.cookies)
        if person:
            _count(counted, f"person {person.pk}", settings.SOCKETS_A_PERSON)
            last_address[person.pk] = handshake.address
    except Full:
        return TOO_MANY_SOCKETS
    except Refused:
        return TOO_MANY_FRAMES
    except Exception:
        log.exception("could not identify the visitor of a new connection")
        return SERVER_ERROR
    if person is None and handshake.token:
        return NO_SUCH_TOKEN
    return person, before


async def _serve(handshake: Handshake, person: Person | None, before: int, receive: Receive, send: Send) -> None:
    """Serve a connection until it ends, and remove it from the table in any case."""
    code = handshake.code
    name = person.name if person else ""
    socket = Socket(send, person.pk if person else 0, name, preview=handshake.preview, write=handshake.write)
    try:
        try:
            async with match_server.arrivals.step(handshake.address):
                room = await match_server.relay.enter(code, socket)
            socket.identify = partial(_identify, handshake.token, handshake.cookies)
            if match_server.relay.credentials_changed != before:  # meanwhile: the change may concern this connection
                await match_server.relay.check_credentials(socket)
            client = Client(code, socket, room, person, handshake.address)
            while (event := await receive())["type"] != "websocket.disconnect":
                await client.receive(event.get("text") or "")
            return
        except Table.DoesNotExist:
            socket.close(NO_SUCH_TABLE)
        except Refused as refusal:  # its game is gone, or the host has removed the person
            socket.close(REMOVED if refusal.code == "barred" else NO_SUCH_TABLE)
        except Exception:
            log.exception("socket failed", code=code)
            socket.close(SERVER_ERROR)
        finally:
            await match_server.relay.leave(code, socket)
        await _gone(receive)
    finally:
        socket.drop()


async def _gone(receive: Receive) -> None:
    """Wait until a connection that the server closed is gone."""
    while (await receive())["type"] != "websocket.disconnect":
        pass


_inside = ConnectionCounter()


def _count(counted: list[str], key: str, limit: int) -> None:
    """Count a connection, and add the key to ``counted``. Raises Full."""
    _inside.enter(key, limit if settings.RATE_LIMITS else 0)
    counted.append(key)


async def _identify(token: str, cookies: dict[str, str]) -> Person | None:
    """Return the person of a token or, without one, of the cookies; None if there is none."""
    if token:
        return await in_thread(person_of_token)(token)
    return await in_thread(person_of_cookies)(cookies)


def _bearer(headers: list[tuple[bytes, bytes]]) -> str:
    """Return the token of a program that connects, "" for a browser."""
    for name, value in headers:
        if name == b"authorization" and value.lower().startswith(b"bearer "):
            return str(value[7:].decode("latin-1").strip())
    return ""


class Client:
    """The requests of one connection. Its seat comes from its person, never from its messages."""

    __slots__ = ("_address", "_code", "_connection", "_limited_as", "_person", "_room", "_socket")

    def __init__(self, code: str, socket: Socket, room: Room, person: Person | None, address: str) -> None:
        self._code = code
        self._socket = socket
        self._room = room
        self._person = person
        self._address = address
        self._connection = secrets.token_hex(8)  # an id() would be that of a later connection, too
        # Whose messages are limited together. Without a name it is this connection: a school may share an address.
        self._limited_as = f"person {person.pk}" if person else f"{address} {self._connection}"

    async def receive(self, text: str) -> None:
        """Answer one frame. An invalid frame is refused."""
        number = 0
        if self._socket.closing:
            return
        try:
            await limits.spend("frame", self._connection)
        except Refused:
            # Not at once, because the client would connect again at once. Meanwhile none of its messages is read.
            await asyncio.sleep(FLOOD_SECONDS)
            self._socket.close(TOO_MANY_FRAMES)
            return
        try:
            frame = text.encode()
            if len(frame) > MAX_INBOUND:
                raise Refused("too_long", _("A message has at most %(n)d bytes.") % {"n": MAX_INBOUND})
            message = decode(frame)
            number = getattr(message, "id", 0)
            await self._answer(message)
        except msgspec.DecodeError as error:
            detail = _("That message was not understood: %(detail)s.") % {"detail": error}
            self._send(OutRefused(0, "garbage", detail))
        except Refused as refusal:
            self._send(OutRefused(number, refusal.code, refusal.text))
        except Exception:
            log.exception("message failed", code=self._code)
            self._send(
                OutRefused(number, "failed", _("Something went wrong on our side, and nothing was changed. Try again."))
            )

    async def _answer(self, message: Inbound) -> None:
        if not isinstance(message, InPing | InHello | InSeen):  # a page that skips reveals sends this by itself
            await self._back()
        match message:
            case InMove():
                await self._move(message)
            case InHello():
                async with match_server.arrivals.step(self._address):
                    await self._hello(message)
            case InChat():
                await self._chat(message)
            case InReady():
                await self._ready(message)
            case InWhy():
                await self._why(message)
            case InSeen():
                await self._seen(message)
            case InBack():
                await limits.spend("back", self._limited_as)
            case _:
                await limits.spend("ping", self._connection)
                self._send(OutPong(now_ms()))

    def _send(self, message: msgspec.Struct) -> None:
        if isinstance(message, OutRefused):
            metrics.refusals.labels(message.code).inc()
        self._socket.push(encode(message).decode())

    async def _hello(self, hello: InHello) -> None:
        await limits.spend("hello", self._limited_as)
        if hello.protocol != PROTOCOL:
            raise Refused("protocol", _("This table uses protocol version %(n)d. Reload the page.") % {"n": PROTOCOL})
        room_name = Message.ChatRoom.SPECTATORS if self._socket.seat is None else Message.ChatRoom.PLAYERS
        chat = await in_thread(read_chat)(self._code, room_name)
        await match_server.relay.read_person(self._socket)
        answered = False
        while not answered and (match_id := self._room.match_for(self._socket.seat)):
            try:
                answered = await self._welcome_to_match(match_id, hello, chat)
            except Dropped:
                await match_server.relay.refresh(self._code)
                if self._room.info_for(self._socket.seat).match == match_id:
                    break
        if not answered:
            self._welcome(chat)
        await self._back()
        if self._socket.seat is not None:
            await match_server.scheduler.resume(self._code)

    async def _welcome_to_match(self, match_id: int, hello: InHello, chat: list[Any]) -> bool:
        """Send the match after hello. Return whether it is still the one that this client sees. Raises Dropped."""
        self._room.place(self._socket)  # its seat may have changed since
        audience = self._socket.seat
        if settings.REDIS_URL:  # a process that died may have stored a move without sending a notice
            await match_server.referee.catch_up(match_id)
        # Locked: no move may be made between this message and the next one to this socket.
        async with match_server.relay.held(self._room, audience, match_id) as live:
            version = hello.version if hello.match == match_id else -1
            messages = await live.since_version(audience, version)
            seat = self._room.seat_of.get(self._socket.person)
            if seat != audience or self._room.info_for(audience).match != match_id:
                return False
            self._welcome(chat)
            for text in messages:
                self._socket.push(text)
            return True

    def _welcome(self, chat: list[Any]) -> None:
        socket = self._socket
        self._room.greet(socket)
        self._send(
            OutWelcome(
                protocol=PROTOCOL,
                seat=socket.seat,
                name=socket.name,
                host=socket.host,
                person=socket.person,
                **socket.ruling._asdict(),
                table=self._room.info_for(socket.seat),
                chat=self._room.chat_for(socket.seat, chat),
                spectators=match_server.relay.spectators(self._room),
                kept=socket.kept,
                mutes=socket.mutes,
            )
        )

    async def _move(self, message: InMove) -> None:
        await limits.spend("move", self._limited_as)
        seat = self._socket.seat
        if seat is None:
            raise _not_seated()
        if message.match != self._room.info.match:
            raise _other_match()
        try:
            stored = await match_server.referee.do_move(message.match, seat, message.decision, message.move)
        except Match.DoesNotExist:  # a move is being taken back
            raise _other_match() from None
        self._send(OutAck(message.id, message.match, stored.version, stored.again))

    async def _chat(self, message: InChat) -> None:
        await limits.spend("chat", self._limited_as)
        if self._person is None:
            raise Refused("no_name", _("Choose a name first. Then you can chat."))
        text = clean_message(message.text)
        row = await in_thread(do_post_message)(self._code, self._person.pk, self._socket.seat, text, now_ms())
        await match_server.events.emit(ChatPosted(self._code, chat_line(row)))
        self._send(OutAck(message.id, 0, 0, again=False))

    async def _ready(self, message: InReady) -> None:
        await limits.spend("ready", self._limited_as)
        if self._person is None:
            raise _not_seated()
        begun = await in_thread(do_agree)(self._code, self._person, message.ready)
        self._send(OutAck(message.id, begun, 0, again=False))

    async def _why(self, message: InWhy) -> None:
        await limits.spend("why", self._limited_as)
        seat = self._socket.seat
        if seat is None:
            raise _not_seated()
        if message.match != self._room.match_for(seat):
            raise _other_match()
        if len(message.touched) > MAX_TOUCHED:
            raise Refused("too_long", _("The id of a piece has at most %(n)d characters.") % {"n": MAX_TOUCHED})
        self._send(OutBecause(message.id, await match_server.referee.why_not(message.match, seat, message.touched)))

    async def _seen(self, message: InSeen) -> None:
        await limits.spend("seen", self._limited_as)
        live, seat = match_server.referee.lives.get(message.match), self._socket.seat
        if live is None or seat is None or message.match != self._room.match_for(seat):
            return  # it has ended, or they are no longer there: nobody waits for them
        here = {one.seat for one in self._room.info.seats if one.kind == "person" and one.here and not one.away}
        if live.note_seen(seat, message.version, here):
            match_server.scheduler.consider(live)

    async def _back(self) -> None:
        """Give the seat back to a person who has done something at the table; a bot had it meanwhile."""
        seat = self._socket.seat
        if seat is not None and self._room.info.seats[seat].away:
            await in_thread(presence.do_end_away)(self._code, self._socket.person)
