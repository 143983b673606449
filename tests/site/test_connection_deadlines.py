"""How long a connection may take to send its request, with a clock that the test sets."""

from __future__ import annotations

from itertools import repeat

import daphne.server
import pytest
from django.conf import settings
from twisted.internet.address import IPv4Address
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport

from cardsite.front.http import HttpConnection, HttpFactory

HEAD, BODY = settings.HEAD_SECONDS, settings.BODY_SECONDS
TIMED_OUT = b"HTTP/1.1 408 Request Timeout\r\n"
FORM = b"POST /people/me/name/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 90000\r\n\r\n"
SOCKET = b"GET /ws/table/x/ HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"


class Peer(StringTransport):
    """The other end of a connection of the server's, and the clock that it goes by."""

    def __init__(self) -> None:
        super().__init__(peerAddress=IPv4Address("TCP", "192.0.2.1", 50000))  # type: ignore[no-untyped-call]
        self.clock = Clock()
        server = daphne.server.Server(None, endpoints=["tcp:port=0"])
        server.connections = {}
        factory = HttpFactory(server)
        factory.reactor = self.clock
        self._connection: HttpConnection = factory.buildProtocol(None)
        self._connection.makeConnection(self)

    @property
    def answer(self) -> bytes:
        """What the server has sent."""
        return bytes(self.value())  # type: ignore[no-untyped-call]

    def fileno(self) -> int:
        return 3  # the server compares it with its limit of open files

    def send(self, data: bytes) -> None:
        self._connection.dataReceived(data)

    def drip(self, rest: bytes, every: float) -> float:
        """Send a few bytes again and again until the server closes the connection. Return how long that took."""
        began = self.clock.seconds()
        for byte in repeat(rest):
            if self.disconnecting:
                return self.clock.seconds() - began
            self.send(byte)
            self.clock.advance(every)
        raise AssertionError("unreachable")


def test_a_connection_that_sends_nothing_is_closed_within_fifteen_seconds() -> None:
    peer = Peer()
    peer.clock.advance(HEAD - 0.1)
    assert not peer.disconnecting
    peer.clock.advance(0.1)
    assert peer.disconnecting
    assert HEAD <= 15
    assert peer.answer == b""


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\n", SOCKET], ids=["first line", "headers", "handshake"])
@pytest.mark.parametrize("every", [0.5, HEAD / 2, 60])
def test_no_byte_grants_a_head_more_time(begun: bytes, every: float) -> None:
    peer = Peer()
    peer.clock.advance(HEAD - 0.5)  # the latest moment to begin
    if begun:
        peer.send(begun)
    assert HEAD <= peer.drip(b"X-Drip: x\r\n" if begun else b"G", every) < HEAD + every
    assert peer.answer.startswith(TIMED_OUT)


@pytest.mark.parametrize("every", [0.5, BODY / 2, 60])
def test_no_byte_grants_a_body_more_time(every: float) -> None:
    peer = Peer()
    peer.send(FORM[:20])
    peer.clock.advance(HEAD - 0.5)
    peer.send(FORM[20:])
    assert BODY <= peer.drip(b"x", every) < BODY + every
    assert peer.answer.startswith(TIMED_OUT)
