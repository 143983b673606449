"""Compressed messages (RFC 7692): negotiated where possible, and safe against attacks."""

from __future__ import annotations

import socket
import struct
import zlib

import pytest

from cardsite.front.websocket import STEP
from tests.patience import PATIENCE
from tests.running_site import RunningSite
from tests.site.visitor import Visitor

AGREED = "permessage-deflate; client_no_context_takeover"
BITS = ("client_max_window_bits", "server_max_window_bits")
PLAIN, DEFLATED = 0x81, 0xC1  # first byte of a text


class Connection:
    """A connection as its bytes, that offers extensions when it shakes hands."""

    def __init__(self, site: RunningSite, code: str, offers: str) -> None:
        self._line = socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE)
        self._line.sendall(site.handshake(code, f"Sec-WebSocket-Extensions: {offers}"))
        self.answer = ""
        while not self.answer.endswith("\r\n\r\n"):
            self.answer += self._take(1).decode()

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self._line.close()

    @property
    def agreed(self) -> str:
        """What the site has agreed to, "" for nothing."""
        fields = dict(field.split(": ", 1) for field in self.answer.split("\r\n")[1:-2])
        return {name.lower(): value for name, value in fields.items()}.get("sec-websocket-extensions", "")

    def say(self, payload: bytes, first: int = DEFLATED) -> None:
        """Send a text that has been deflated, or not."""
        self._line.sendall(framed(payload, first))

    def trickle(self, data: bytes, size: int) -> None:
        """Send bytes so many at a time, each in a packet of its own."""
        self._line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for place in range(0, len(data), size):
            self._line.sendall(data[place : place + size])

    def receive(self) -> tuple[int, bytes, int]:
        """Return a frame: its first byte, the text or what else it holds, and how many bytes were sent for that."""
        first, size = self._take(2)
        if size > 125:
            size = int.from_bytes(self._take(2 if size == 126 else 8), "big")
        payload = self._take(size)
        if first == DEFLATED:
            payload = zlib.decompressobj(-zlib.MAX_WBITS).decompress(payload)
        return first, payload, size

    def ends(self) -> bool:
        """Return whether the other side ends the connection before it says a text."""
        try:
            while True:
                if self.receive()[0] in (PLAIN, DEFLATED):
                    return False
        except (ConnectionResetError, EOFError):
            return True

    def _take(self, size: int) -> bytes:
        result = b""
        while len(result) < size:
            more = self._line.recv(size - len(result))
            if not more:
                raise EOFError
            result += more
        return result


def framed(payload: bytes, first: int) -> bytes:
    """Return a frame as a client sends it, with a mask that masks nothing."""
    size = len(payload)
    head = struct.pack("!BB", first, 0x80 | size) if size < 126 else struct.pack("!BBH", first, 0xFE, size)
    return head + b"\0\0\0\0" + payload


def deflated(text: bytes) -> bytes:
    """Return a message as a client sends it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return (packer.compress(text) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]


@pytest.fixture
def code(site: RunningSite) -> str:
    """A table where a match has begun."""
    host = Visitor(site, "Hostess")
    table = host.open_table("me", "house")
    host.must(table, "start")
    return table


@pytest.mark.parametrize(
    ("offers", "agreed"),
    [
        ("permessage-deflate; client_max_window_bits", AGREED),  # Chromium, Firefox
        ("permessage-deflate", AGREED),  # Safari
        ("permessage-deflate; server_max_window_bits=15", f"{AGREED}; server_max_window_bits=15"),
        ("permessage-deflate; server_max_window_bits=10", ""),  # keeps too little of what it has received
        ("permessage-deflate; server_max_window_bits=10, permessage-deflate", AGREED),
        ("permessage-deflate; server_max_window_bits=8", ""),  # which zlib cannot
        ("permessage-deflate; server_max_window_bits=8, permessage-deflate; client_max_window_bits", AGREED),
        ("permessage-deflate; client_max_window_bits=8", AGREED),
        ('permessage-deflate; client_max_window_bits="15"; client_no_context_takeover', AGREED),
        ("permessage-deflate; server_no_context_takeover", f"{AGREED}; server_no_context_takeover"),
        ("Permessage-Deflate ;Server_Max_Window_Bits = 15", f"{AGREED}; server_max_window_bits=15"),
        ("permessage-deflate, permessage-deflate; server_max_window_bits=15", AGREED),  # the first is wanted most
        ("x-webkit-deflate-frame, permessage-bzip2; x, permessage-brotli=1, permessage-deflate", AGREED),
        ("x-webkit-deflate-frame, permessage-bzip2", ""),
    ],
)
def test_long_messages_are_deflated_for_clients_that_can_read_that(
    site: RunningSite, code: str, offers: str, agreed: str
) -> None:
    with Connection(site, code, offers) as connection:
        assert set(connection.agreed.split("; ")) == set(agreed.split("; "))
        for message in (b'{"t":"hello","protocol":3}', b'{"t":"ping"}'):
            connection.say(deflated(message)) if agreed else connection.say(message, PLAIN)
        sentence: dict[bytes, tuple[int, int, int]] = {}
        while not {b"snapshot", b"pong"} <= sentence.keys():
            first, text, size = connection.receive()
            sentence[text[6:].partition(b'"')[0]] = first, len(text), size
    assert sentence[b"pong"][0] == PLAIN  # it is short
    first, length, size = sentence[b"snapshot"]
    assert (first, size < length / 2) == ((DEFLATED, True) if agreed else (PLAIN, False))
    assert not agreed or size % STEP == 0


@pytest.mark.parametrize(
    "offer",
    [
        *(f"{bits}={value}" for bits in BITS for value in ("7", "16", "99", "015", "1_5", "-15", "15.0", "", "x")),
        "server_max_window_bits",  # which has to say how many
        *(f"{bits}=15; {bits}=15" for bits in BITS),
        "client_no_context_takeover; client_no_context_takeover",
        "client_no_context_takeover=1",
        "server_no_context_takeover=x",
        "no_such_parameter",
        "",
        "=",
        ";;",
        '"',
        "client_max_window_bits; no_such_parameter=15",
    ],
)
def test_an_offer_that_makes_no_sense_is_declined_and_another_one_taken(
    site: RunningSite, code: str, offer: str
) -> None:
    for offers, agreed in (
        (f"permessage-deflate; {offer}", ""),
        (f"permessage-deflate; {offer}, permessage-deflate", AGREED),
    ):
        with Connection(site, code, offers) as connection:
            assert connection.answer.startswith("HTTP/1.1 101 ")
            assert connection.agreed == agreed
            connection.say(b'{"t":"ping"}', PLAIN)
            assert connection.receive()[1].startswith(b'{"t":"pong"')


@pytest.mark.parametrize("offers", ["", ",", ";", "=", '"', ", ,permessage-deflate;", "permessage-deflate=1"])
def test_an_invalid_list_of_extensions_is_not_an_offer(site: RunningSite, code: str, offers: str) -> None:
    with Connection(site, code, offers) as connection:
        assert connection.answer.startswith("HTTP/1.1 101 ")
        assert connection.agreed == ""


@pytest.mark.parametrize(
    "frame",
    [deflated(b" " * 60_000_000)[:65_000], deflated(b" " * 70_000), b"\xff" * 100],
    ids=["as-much-as-memory", "too-long", "garbage"],
)
def test_a_frame_that_is_invalid_when_decompressed_ends_only_that_connection(
    site: RunningSite, code: str, frame: bytes
) -> None:
    with Visitor(site).connect(code) as honest:
        with Connection(site, code, "permessage-deflate") as connection:
            connection.say(frame)
            assert connection.ends()
        honest.settle()


@pytest.mark.parametrize("size", [1, 2, 7, 33, 1000])
def test_frames_are_read_however_the_network_cuts_them(site: RunningSite, code: str, size: int) -> None:
    ping, spaces = b'{"t":"ping"}', b" " * 200
    sent = [
        framed(ping, PLAIN),
        framed(deflated(ping), DEFLATED),
        framed(ping + spaces, PLAIN),
        framed(ping[:5], 0x01) + framed(b"", 0x89) + framed(ping[5:], 0x80),  # in two parts, a WebSocket's ping between
        framed(ping, PLAIN),
        framed(deflated(ping + spaces), DEFLATED),
        framed(ping, PLAIN),
    ]
    with Connection(site, code, "permessage-deflate") as connection:
        connection.trickle(b"".join(sent), size)
        received = [connection.receive()[:2] for _ in range(len(sent) + 1)]
        assert [text.startswith(b'{"t":"pong"') for first, text in received if first == PLAIN] == [True] * len(sent)
        assert [text for first, text in received if first != PLAIN] == [b""]
