"""The WebSocket transport under Daphne: messages are written at once, and long ones deflated."""

from __future__ import annotations

import asyncio
import struct
import zlib
from collections.abc import Sequence
from socket import SO_SNDBUF, SOL_SOCKET
from typing import Any

from autobahn.websocket import ConnectionRequest
from autobahn.websocket.compress import PerMessageDeflateOffer, PerMessageDeflateOfferAccept
from daphne.ws_protocol import WebSocketFactory as DaphneFactory
from daphne.ws_protocol import WebSocketProtocol
from isal import isal_zlib

from cardsite.private_api import autobahn, twisted
from cardsite.server.protocol import MAX_FRAME as LONGEST_MESSAGE
from cardsite.server.protocol import TOO_MANY_FRAMES

MAX_FRAME = 64 * 1024  # bytes of a WebSocket frame that Daphne reads before it hangs up, deflated or not
MAX_MESSAGE = 2 * 1024 * 1024  # the same of a whole message; what we send is held to it too, and dropped beyond it
MAX_UNSENT = 256 * 1024  # bytes that may wait, beside the longest message, for a peer that does not read
KERNEL_BUFFER = 128 * 1024  # bytes that the system keeps for it beside that; it would take megabytes
MAX_WAITING = 256  # messages of a peer that wait for the application: more than anybody may send in ten seconds

ONE_PACKET = 1000  # bytes that go to a peer in one packet anyway: to deflate fewer costs time and gains none
LEVEL = 1  # of ISA-L: as short as zlib makes it within five per cent, in a third of the time (bench/README.md)
FINAL_TEXT, DEFLATED = 0x81, 0x40  # first byte of a frame
MASKED = 0x80  # in the second byte, with the size of a short one
SHORT_HEADER = 6  # bytes before what a short frame of a client says, its mask being the last four
TAIL = b"\x00\x00\xff\xff"  # the end of a deflated message, which is not sent
STEP = 256  # bytes: a deflated message is a multiple of that, so that its length reveals next to nothing about cards
DEFLATE = PerMessageDeflateOffer.EXTENSION_NAME
MOST_BITS = str(zlib.MAX_WBITS)  # how much one may refer to, as an offer says it; 15: 32 KiB
WINDOW_BITS = tuple(str(bits) for bits in range(8, zlib.MAX_WBITS + 1))
# What an offer of permessage-deflate may say; True: no value (RFC 7692, 7.1).
PARAMETERS: dict[str, tuple[Any, ...]] = {
    "client_no_context_takeover": (True,),
    "server_no_context_takeover": (True,),
    "client_max_window_bits": (True, *WINDOW_BITS),
    "server_max_window_bits": WINDOW_BITS,
}
STORED, EMPTY = b"\x00", b"\x00"  # first byte of a block that is not deflated; the rest of an empty one is left out


class ReceiveQueue:
    """Received events that the application has not consumed, for one application. An asyncio.Queue takes 3 KB."""

    __slots__ = ("_events", "_waits")

    def __init__(self) -> None:
        self._events: list[dict[str, Any]] = []
        self._waits: asyncio.Future[None] | None = None  # the application, until something comes

    def put_nowait(self, event: dict[str, Any]) -> None:
        """Add an event."""
        self._events.append(event)
        if self._waits and not self._waits.done():
            self._waits.set_result(None)

    def qsize(self) -> int:
        """Return how many events wait."""
        return len(self._events)

    async def get(self) -> dict[str, Any]:
        """Return the next event, as soon as there is one."""
        while not self._events:
            self._waits = asyncio.get_running_loop().create_future()
            await self._waits
        return self._events.pop(0)


class FlowControl:
    """Whether a connection takes more bytes: what Twisted calls a push producer."""

    def __init__(self) -> None:
        self._stopped: asyncio.Future[None] | None = None  # until it takes more

    @property
    def writable(self) -> bool:
        """Whether the connection takes more."""
        return self._stopped is None

    async def drain(self) -> None:
        """Return when the connection takes more, or is lost."""
        if self._stopped:
            await asyncio.wait({self._stopped})

    def pauseProducing(self) -> None:
        """Called by Twisted when too much waits to be written."""
        self._stopped = self._stopped or asyncio.get_running_loop().create_future()

    def resumeProducing(self) -> None:
        """Called by Twisted when all is written."""
        if self._stopped:
            self._stopped.set_result(None)
            self._stopped = None

    stopProducing = resumeProducing  # the connection is lost: nobody waits for it


class WebSocket(WebSocketProtocol):  # type: ignore[misc]
    """Daphne's WebSocket. It writes at once what the connection takes, and has the application wait otherwise.

    Twisted would keep each message for the next turn of its loop, and pay two more system calls for it: a delivery
    costs a third this way. Daphne does not notice that a peer has stopped reading: see ``drain``.
    """

    websocket_extensions: list[tuple[str, dict[str, list[Any]]]]  # that the peer offers
    _deflates = False  # whether that was agreed on
    _longest = 0  # bytes of one write since nothing waited
    send_queue: Sequence[Any] = ()  # of what Autobahn would cut into pieces: nothing

    def onConnect(self, request: ConnectionRequest) -> Any:
        # Autobahn would refuse the whole handshake for an offer that it cannot read, one of 8 bits among them.
        offers = [said for name, said in self.websocket_extensions if name == DEFLATE and acceptable(said)]
        self.websocket_extensions = [
            (DEFLATE, {name: values for name, values in said.items() if name != "client_max_window_bits"})
            for said in offers[:1]
        ]
        return super().onConnect(request)

    def onOpen(self) -> None:
        # The application has read the headers, and a connection lives long.
        autobahn.drop_handshake(self)
        self.clean_headers.clear()
        self.request.headers.clear()
        self._deflates = autobahn.deflates(self)
        self._flow = FlowControl()
        self.transport.unregisterProducer()  # the HTTP connection before the upgrade
        self.transport.registerProducer(self._flow, True)
        self.transport.getHandle().setsockopt(SOL_SOCKET, SO_SNDBUF, KERNEL_BUFFER)
        super().onOpen()

    async def drain(self) -> None:
        """Return when the connection takes more, or is lost."""
        await self._flow.drain()

    def dataReceived(self, data: bytes) -> None:
        """Read a short text in one frame, as nearly every message is, at once; leave all else to Autobahn.

        Its parser is made for frames that come bit by bit, and takes ten times as long.
        """
        text = None
        if self.state == self.STATE_OPEN and autobahn.is_between_frames(self):
            text = short_text(data, deflated=self._deflates)
        if text is None:
            super().dataReceived(data)
            return
        autobahn.note_sign_of_life(self)
        self.onMessage(text, False)

    def onMessage(self, payload: bytes, isBinary: bool) -> None:
        autobahn.drop_decompressor(self)
        if self.application_queue.qsize() >= MAX_WAITING:
            self.sendClose(code=TOO_MANY_FRAMES)
            return
        if len(payload) > 2 * LONGEST_MESSAGE:  # will be refused as too long: the rest is not needed for that
            payload = payload[: 2 * LONGEST_MESSAGE].decode(errors="ignore").encode()
        super().onMessage(payload, isBinary)

    def write_now(self, text: str) -> bool:
        """Write a message, if nothing waits to be written before it. Return whether that was so.

        Beside the writing itself, an ASGI message for each of 500 spectators and a turn of their tasks cost most.
        """
        if self.state != self.STATE_OPEN or self._unsent() or not self._flow.writable:
            return False
        self.sendData(frames.of(text, deflated=self._deflates))
        return True

    def serverSend(self, content: Any, binary: bool = False) -> None:
        if binary or self.state != self.STATE_OPEN:
            super().serverSend(content, binary)
        else:
            self.sendData(frames.of(content, deflated=self._deflates))

    def _unsent(self) -> int:
        """Return how many bytes wait to be written."""
        return twisted.bytes_waiting(self.transport)

    def sendData(self, data: bytes, sync: bool = False, chopsize: int | None = None) -> None:
        unsent = self._unsent()
        if not unsent:
            self._longest = 0
        elif unsent - self._longest > MAX_UNSENT:  # answers to pings, for which no application waits
            self.dropConnection(abort=True)
            return
        self._longest = max(self._longest, len(data))
        if not unsent:
            data = twisted.write_at_once(self.transport, data)
        if data:
            self.transport.write(data)


def short_text(data: bytes, *, deflated: bool) -> bytes | None:
    """Return the text that ``data`` is, if it is one short frame and nothing is wrong with it; None for all else.

    ``deflated``: that was agreed on, so it may be.
    """
    size = len(data) - SHORT_HEADER
    if not 0 < size < 126 or data[1] != MASKED | size:
        return None
    first = data[0]
    if first != FINAL_TEXT and not (deflated and first == FINAL_TEXT | DEFLATED):
        return None
    mask = int.from_bytes((data[2:SHORT_HEADER] * 32)[:size])
    text = (int.from_bytes(data[SHORT_HEADER:]) ^ mask).to_bytes(size)
    try:
        if first != FINAL_TEXT:
            unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
            text = unpacker.decompress(text + TAIL, LONGEST_MESSAGE)
            if len(text) == LONGEST_MESSAGE or unpacker.unconsumed_tail or unpacker.eof:
                return None
        text.decode()
    except (zlib.error, UnicodeDecodeError):
        return None
    return text


class Frames:
    """Makes a frame of each text (RFC 6455, 5.2), and keeps the last one: the same text goes to many in a row."""

    def __init__(self) -> None:
        self._text: str | None = None
        self._made: dict[bool, bytes] = {}

    def of(self, text: str, *, deflated: bool) -> bytes:
        """Return the frame of a text. ``deflated``: that was agreed on (RFC 7692); short texts are not deflated."""
        if text is not self._text:
            self._text, self._made = text, {}
        if deflated not in self._made:
            self._made[deflated] = _frame(text.encode(), deflated)
        return self._made[deflated]


def _frame(payload: bytes, deflated: bool) -> bytes:
    first = FINAL_TEXT
    if deflated and len(payload) >= ONE_PACKET:
        payload = _pack(payload)
        first |= DEFLATED
    size = len(payload)
    if size < 126:
        return struct.pack(">BB", first, size) + payload
    if size < 1 << 16:
        return struct.pack(">BBH", first, 126, size) + payload
    return struct.pack(">BBQ", first, 127, size) + payload


def _pack(text: bytes) -> bytes:
    """Return a text deflated and padded with spaces, which mean nothing at the end of JSON.

    Each on its own: to keep what was sent before would take 300 KB a peer, and lengths would reveal whether what a peer
    had written is like another's cards.
    """
    packer = isal_zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(text) + packer.flush(isal_zlib.Z_SYNC_FLUSH)
    spaces = -(len(packed) + 6) % STEP
    return packed + STORED + struct.pack("<HH", spaces, spaces ^ 0xFFFF) + b" " * spaces + EMPTY


frames = Frames()


class WebSocketFactory(DaphneFactory):  # type: ignore[misc]
    """Makes the WebSockets of a process."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.setProtocolOptions(perMessageCompressionAccept=_accept)

    def setProtocolOptions(self, **options: Any) -> None:
        super().setProtocolOptions(**options)
        self.protocol: Any = autobahn.with_options_of(self, WebSocket)


def _accept(offers: list[PerMessageDeflateOffer]) -> PerMessageDeflateOfferAccept:
    """Agree to deflate messages, each on its own in both directions, as the peer has offered: see ``onConnect``."""
    return PerMessageDeflateOfferAccept(  # type: ignore[no-untyped-call]
        offers[0], request_no_context_takeover=True, no_context_takeover=True, max_message_size=MAX_FRAME
    )


def acceptable(parameters: dict[str, list[Any]]) -> bool:
    """Whether to agree to an offer of permessage-deflate with these parameters; else it is declined (RFC 7692, 5.1).

    That is so if a parameter is unknown, said twice or has a value it may not have (7.1). What we send may refer to all
    of the 32 KiB before it, so a peer that keeps fewer for us gets nothing deflated; of how many it uses itself
    (``client_max_window_bits``) we need not know.
    """
    for name, values in parameters.items():
        allowed = PARAMETERS.get(name, ())
        if len(values) != 1 or values[0] not in allowed:
            return False
    return parameters.get("server_max_window_bits", [MOST_BITS]) == [MOST_BITS]
