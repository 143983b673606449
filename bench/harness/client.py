"""A minimal WebSocket client, which must use far less CPU time than the server it measures.

It reads unfragmented, unmasked frames and passes each message to ``received``. Each frame is decompressed by itself,
because the server compresses without context takeover (RFC 7692). More of RFC 6455 is not needed here: the server sends
no fragments, and a masking key of zero leaves the client's own frames as they are.
"""

from __future__ import annotations

import asyncio
import base64
import os
import struct
import zlib
from typing import cast

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA  # opcodes
FIN, DEFLATED = 0x80, 0x40  # bits of a frame's first byte, beside the opcode: last frame of its message; compressed


def handshake(port: int, code: str, *headers: str) -> bytes:
    """Return the request that opens a table's WebSocket. ``headers`` are further ones, such as "Cookie: a=b"."""
    lines = [
        f"GET /ws/table/{code}/ HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        f"Origin: http://127.0.0.1:{port}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
    ]
    return "\r\n".join([*lines, *headers, "", ""]).encode()


def frame(first: int, payload: bytes) -> bytes:
    """Return a frame as a client sends it. ``first`` is its first byte; the masking key is zero."""
    size = len(payload)
    if size < 126:
        head = struct.pack(">BB", first, 0x80 | size)
    elif size < 1 << 16:
        head = struct.pack(">BBH", first, 0x80 | 126, size)
    else:
        head = struct.pack(">BBQ", first, 0x80 | 127, size)
    return head + b"\0\0\0\0" + payload


def _close_code(payload: bytes) -> str:
    """Return the code of a close frame, which may have none."""
    return str(int.from_bytes(payload[:2], "big")) if len(payload) >= 2 else "no code"


class ClientSocket(asyncio.Protocol):
    """One connection to a table."""

    bytes_received = 0  # by all connections

    def __init__(self, port: int, code: str, session: str = "", address: str = "") -> None:
        """Prepare a connection. ``address``, if any, is sent in X-Forwarded-For, as by a proxy."""
        self._port = port
        self._code = code
        self._session = session
        self._address = address
        self._buffer = b""
        self._transport: asyncio.Transport
        self._open = False
        self._is_lost = False
        self.closing = False
        self.frame_size = 0  # bytes of the frame whose message ``received`` gets
        loop = asyncio.get_running_loop()
        self.opened: asyncio.Future[None] = loop.create_future()

    async def connect(self) -> None:
        """Connect, and return when the WebSocket is open. Raises ConnectionError."""
        await asyncio.get_running_loop().create_connection(lambda: self, "127.0.0.1", self._port)
        await self.opened

    def received(self, text: bytes) -> None:
        """Handle a message; for subclasses."""

    def lost(self, why: str) -> None:
        """Handle the loss of the connection: called once, unless ``close`` was. Raises ConnectionError by default."""
        raise ConnectionError(why)

    def send(self, text: bytes) -> None:
        """Send one message."""
        self._send(TEXT, text)

    def close(self) -> None:
        """Close the connection."""
        self.closing = True
        self._transport.close()

    # -- asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        headers = ["Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"]  # as browsers offer it
        if self._session:
            headers.append(f"Cookie: sessionid={self._session}")
        if self._address:
            headers.append(f"X-Forwarded-For: {self._address}")
        self._transport.write(handshake(self._port, self._code, *headers))

    def connection_lost(self, error: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("The server closed the connection during the handshake."))
        else:
            self._report_loss(f"A connection was lost: {error}")

    def data_received(self, data: bytes) -> None:
        data = self._buffer + data
        if not self._open:
            head, separator, rest = data.partition(b"\r\n\r\n")
            if not separator:
                self._buffer = data
                return
            data = rest
            if not self._is_accepted(head):
                return
        at, end = 0, len(data)
        while end - at >= 2:
            size, start = data[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(data[start : start + 2], "big"), start + 2
            elif size == 127:
                size, start = int.from_bytes(data[start : start + 8], "big"), start + 8
            if start + size > end:
                break
            opcode = data[at] & 0xF
            if opcode == TEXT:
                self.frame_size = start + size - at
                ClientSocket.bytes_received += self.frame_size
                text = data[start : start + size]
                self.received(zlib.decompressobj(-zlib.MAX_WBITS).decompress(text) if data[at] & DEFLATED else text)
            elif opcode == PING:
                self._send(PONG, data[start : start + size])
            elif opcode == CLOSE:
                self._report_loss(f"The server closed a connection with {_close_code(data[start : start + size])}.")
            at = start + size
        self._buffer = data[at:] if at else data

    def _is_accepted(self, head: bytes) -> bool:
        """Return whether the server accepts the WebSocket. If not, close the connection."""
        self._open = head.split(b" ", 2)[1] == b"101"
        if self._open:
            self.opened.set_result(None)
        else:
            self.opened.set_exception(ConnectionError(head.decode(errors="replace")))
            self.close()
        return self._open

    def _report_loss(self, why: str) -> None:
        # A close frame, and then the end of the TCP connection, are one loss.
        if not self.closing and not self._is_lost:
            self._is_lost = True
            self.lost(why)

    def _send(self, opcode: int, payload: bytes) -> None:
        self._transport.write(frame(FIN | opcode, payload))
