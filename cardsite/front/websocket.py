"""The WebSocket transport under Daphne: messages are written at once, and long ones compressed (deflate)."""

from __future__ import annotations

import asyncio
import struct
import zlib
from collections.abc import Callable, Sequence
from socket import SO_SNDBUF, SOL_SOCKET
from typing import Any

from autobahn.websocket import ConnectionRequest
from autobahn.websocket.compress import PerMessageDeflateOffer, PerMessageDeflateOfferAccept
from daphne.ws_protocol import WebSocketFactory as DaphneFactory
from daphne.ws_protocol import WebSocketProtocol
from isal import isal_zlib

from cardsite.private_api import autobahn, twisted
from cardsite.server.protocol import MAX_INBOUND

# Bytes of a received WebSocket frame, compressed or not; Daphne closes the connection beyond that.
MAX_FRAME = 64 * 1024
MAX_MESSAGE = 2 * 1024 * 1024  # the same for a whole message, received or sent
MAX_UNSENT = 256 * 1024  # bytes that may wait, besides the longest message, for a client that does not read
KERNEL_BUFFER = 128 * 1024  # bytes in the system's send buffer; its default is megabytes
MAX_WAITING = 256  # received messages that wait for the application: with more, nothing is read until they are fewer
MAX_STEPS = 1024  # of Autobahn's parser for one read, each about 0.03 ms; a frame takes two or three
MAX_AFTER_CLOSE = 16 * 1024  # bytes received after the close frame was sent: what was on its way then

ONE_PACKET = 1000  # bytes that fit in one packet: compressing fewer takes time and gains nothing
LEVEL = 1  # of ISA-L: within 5 % of zlib's size, in a third of the time (bench/README.md)
FINAL_TEXT, DEFLATED = 0x81, 0x40  # first byte of a frame
MASKED = 0x80  # in the second byte, with the length of a short frame
SHORT_HEADER = 6  # bytes before the payload of a client's short frame; the last four are the mask
TAIL = b"\x00\x00\xff\xff"  # the end of a compressed message, which is not sent
STEP = 256  # bytes: compressed messages are padded to multiples of this, so that their length reveals hardly anything
DEFLATE = PerMessageDeflateOffer.EXTENSION_NAME
MOST_BITS = str(zlib.MAX_WBITS)  # the window size, as in an offer; 15: 32 KiB
WINDOW_BITS = tuple(str(bits) for bits in range(8, zlib.MAX_WBITS + 1))
# The parameters of permessage-deflate in an offer; True: without a value (RFC 7692, 7.1).
PARAMETERS: dict[str, tuple[Any, ...]] = {
    "client_no_context_takeover": (True,),
    "server_no_context_takeover": (True,),
    "client_max_window_bits": (True, *WINDOW_BITS),
    "server_max_window_bits": WINDOW_BITS,
}
STORED, EMPTY = b"\x00", b"\x00"  # first byte of a stored block; the rest of an empty block is not sent


class ReceiveQueue:
    """Received events that the application has not consumed, for one application. An asyncio.Queue takes 3 KB."""

    __slots__ = ("_events", "_waits", "resume")

    def __init__(self) -> None:
        self.resume: Callable[[], object] | None = None  # called when few events wait again, while reading is paused
        self._events: list[dict[str, Any]] = []
        self._waits: asyncio.Future[None] | None = None  # the application waits for an event

    def put_nowait(self, event: dict[str, Any]) -> None:
        """Add an event."""
        self._events.append(event)
        if self._waits and not self._waits.done():
            self._waits.set_result(None)

    def qsize(self) -> int:
        """Return the number of waiting events."""
        return len(self._events)

    async def get(self) -> dict[str, Any]:
        """Wait for the next event and return it."""
        while not self._events:
            self._waits = asyncio.get_running_loop().create_future()
            await self._waits
        event = self._events.pop(0)
        if self.resume and len(self._events) < MAX_WAITING // 2:
            resume, self.resume = self.resume, None
            resume()
        return event


class FlowControl:
    """Whether a connection accepts more bytes: a push producer in Twisted's terms."""

    def __init__(self) -> None:
        self._stopped: asyncio.Future[None] | None = None  # done when it accepts more

    @property
    def writable(self) -> bool:
        """Whether the connection accepts more."""
        return self._stopped is None

    async def drain(self) -> None:
        """Return when the connection accepts more, or is lost."""
        if self._stopped:
            await asyncio.wait({self._stopped})

    def pauseProducing(self) -> None:
        """Called by Twisted when its buffer is full."""
        self._stopped = self._stopped or asyncio.get_running_loop().create_future()

    def resumeProducing(self) -> None:
        """Called by Twisted when its buffer is empty."""
        if self._stopped:
            self._stopped.set_result(None)
            self._stopped = None

    stopProducing = resumeProducing  # the connection is lost: stop waiting


class WebSocket(WebSocketProtocol):  # type: ignore[misc]
    """Daphne's WebSocket. It writes messages at once if the connection accepts them; otherwise the application waits.

    Twisted would write each message in the next iteration of its loop, with two more system calls: this takes a third
    of the time. Daphne does not notice that a client has stopped reading: see ``drain``.
    """

    websocket_extensions: list[tuple[str, dict[str, list[Any]]]]  # offered by the client
    _deflates = False  # whether compression was negotiated
    _longest = 0  # bytes of the longest write since the buffer was empty
    _after_close = 0  # bytes received since the close frame was sent
    send_queue: Sequence[Any] = ()  # always empty: Autobahn uses it for fragmented messages

    def onConnect(self, request: ConnectionRequest) -> Any:
        # Autobahn would reject the whole handshake because of an offer that it cannot parse, such as one of 8 bits.
        offers = [
            parameters for name, parameters in self.websocket_extensions if name == DEFLATE and acceptable(parameters)
        ]
        self.websocket_extensions = [
            (DEFLATE, {name: values for name, values in parameters.items() if name != "client_max_window_bits"})
            for parameters in offers[:1]
        ]
        return super().onConnect(request)

    def onOpen(self) -> None:
        # The application has read the headers, and the connection may be open for hours.
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
        """Return when the connection accepts more, or is lost."""
        await self._flow.drain()

    def dataReceived(self, data: bytes) -> None:
        """Parse a short message in one frame, as most messages are; leave everything else to Autobahn.

        Its parser handles frames that arrive in pieces, and takes ten times as long.
        """
        text = None
        if self.state == self.STATE_CLOSING:
            self._after_close += len(data)
            if self._after_close > MAX_AFTER_CLOSE:
                self.dropConnection(abort=True)
                return
        if self.state == self.STATE_OPEN and autobahn.is_between_frames(self):
            text = short_text(data, deflated=self._deflates)
        if text is None:
            super().dataReceived(data)
            return
        autobahn.note_answer_to_ping(self)
        self.onMessage(text, False)

    def consumeData(self) -> None:
        """Parse what was read. A connection that sends thousands of frames in one read is aborted.

        Autobahn would parse them all at once, and meanwhile the event loop would serve nobody else.
        """
        if self.state not in (self.STATE_OPEN, self.STATE_CLOSING):
            super().consumeData()
            return
        for _ in range(MAX_STEPS):
            if not self.processData() or self.state == self.STATE_CLOSED:
                return
        self.dropConnection(abort=True)

    def onMessage(self, payload: bytes, isBinary: bool) -> None:
        autobahn.drop_decompressor(self)
        if len(payload) > 2 * MAX_INBOUND:  # too long, so it will be refused: its beginning is enough
            payload = payload[: 2 * MAX_INBOUND].decode(errors="ignore").encode()
        super().onMessage(payload, isBinary)
        waiting = self.application_queue
        if waiting.qsize() >= MAX_WAITING and not waiting.resume:
            waiting.resume = self.transport.resumeProducing
            self.transport.pauseProducing()

    def write_now(self, text: str) -> bool:
        """Write a message if the buffer is empty. Return whether it was.

        For 500 spectators, ASGI messages and task switches would cost more than anything but the writing itself.
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
        """Return the number of bytes in the buffer."""
        return twisted.bytes_waiting(self.transport)

    def sendData(self, data: bytes, sync: bool = False, chopsize: int | None = None) -> None:
        unsent = self._unsent()
        if not unsent:
            self._longest = 0
        elif unsent - self._longest > MAX_UNSENT:  # answers to pings, for which the application does not wait
            self.dropConnection(abort=True)
            return
        self._longest = max(self._longest, len(data))
        if not unsent:
            data = twisted.write_at_once(self.transport, data)
        if data:
            self.transport.write(data)


def short_text(data: bytes, *, deflated: bool) -> bytes | None:
    """Return the message in ``data`` if it is one short, valid frame; None otherwise.

    ``deflated``: compression was negotiated.
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
            text = unpacker.decompress(text + TAIL, MAX_INBOUND)
            if len(text) == MAX_INBOUND or unpacker.unconsumed_tail or unpacker.eof:
                return None
        text.decode()
    except (zlib.error, UnicodeDecodeError):
        return None
    return text


class FrameCache:
    """Encodes messages as frames (RFC 6455, 5.2). Caches the last one, because many clients are sent the same."""

    def __init__(self) -> None:
        self._text: str | None = None
        self._made: dict[bool, bytes] = {}

    def of(self, text: str, *, deflated: bool) -> bytes:
        """Return the frame of a message. ``deflated``: compression was negotiated (RFC 7692); short ones stay plain."""
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
    """Return a message compressed and padded with spaces, which have no meaning at the end of JSON.

    Each message is compressed separately: context would take 300 KB for each client, and lengths would reveal whether
    a client's own words resemble a player's cards.
    """
    packer = isal_zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(text) + packer.flush(isal_zlib.Z_SYNC_FLUSH)
    spaces = -(len(packed) + 6) % STEP
    return packed + STORED + struct.pack("<HH", spaces, spaces ^ 0xFFFF) + b" " * spaces + EMPTY


frames = FrameCache()


class WebSocketFactory(DaphneFactory):  # type: ignore[misc]
    """Creates the WebSockets of a process."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.setProtocolOptions(perMessageCompressionAccept=_accept)

    def setProtocolOptions(self, **options: Any) -> None:
        super().setProtocolOptions(**options)
        self.protocol: Any = autobahn.with_options_of(self, WebSocket)


def _accept(offers: list[PerMessageDeflateOffer]) -> PerMessageDeflateOfferAccept:
    """Accept an offer of compression, without context in both directions: see ``onConnect``."""
    return PerMessageDeflateOfferAccept(  # type: ignore[no-untyped-call]
        offers[0], request_no_context_takeover=True, no_context_takeover=True, max_message_size=MAX_FRAME
    )


def acceptable(parameters: dict[str, list[Any]]) -> bool:
    """Return whether to accept an offer of permessage-deflate with these parameters (RFC 7692, 5.1).

    An offer is declined if a parameter is unknown, repeated or has an invalid value (7.1). Our window is 32 KiB, so a
    client that wants a smaller one gets uncompressed messages. Its own window (``client_max_window_bits``) does not
    matter.
    """
    for name, values in parameters.items():
        allowed = PARAMETERS.get(name, ())
        if len(values) != 1 or values[0] not in allowed:
            return False
    return parameters.get("server_max_window_bits", [MOST_BITS]) == [MOST_BITS]
