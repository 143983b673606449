"""Sockets that never read, and very many sockets: cut off or refused early, at nobody else's cost."""

from __future__ import annotations

import json
import random
import select
import socket
import struct
from collections.abc import Callable
from contextlib import ExitStack
from itertools import pairwise

import pytest
from websockets.exceptions import ConnectionClosed

from cardsite.server.protocol import TOO_MANY_SOCKETS
from tests.patience import wait_for
from tests.running_site import RunningSite
from tests.site.visitor import Visitor, begin, play_on
from tests.tiers import full

# Bytes that may wait for one socket: 256 KiB in the relay, 64 KiB in Twisted, 256 KiB in the system, and in each of
# them one message more.
MAY_WAIT = 750_000


class NeverReads:
    """A socket that has shaken hands and reads nothing any more; its own side takes as little as it can."""

    def __init__(self, site: RunningSite, code: str) -> None:
        self._line = socket.socket()
        self._line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self._line.connect(("127.0.0.1", site.port))
        self._line.sendall(site.handshake(code))
        while not self._line.recv(4096).endswith(b"\r\n\r\n"):
            pass

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._line.sendall(data)

    def say(self, opcode: int, text: bytes) -> None:
        """Send a short frame."""
        assert len(text) < 126
        self._line.sendall(struct.pack("!BBI", 0x80 | opcode, 0x80 | len(text), 0) + text)

    def cut_off(self) -> bool:
        """Whether the other side has ended the connection."""
        poll = select.poll()
        poll.register(self._line, select.POLLHUP | select.POLLERR | select.POLLRDHUP)
        return bool(poll.poll(0))

    def close(self) -> None:
        self._line.close()


@full
def test_a_socket_that_never_reads_is_closed_before_a_megabyte_waits_and_others_receive_everything(
    site: RunningSite,
) -> None:
    host, guest = Visitor(site, "Hostess"), Visitor(site, "Guest")
    code = host.open_table("me", "open")
    guest.must(code, "sit")
    dice = random.Random(5)
    with ExitStack() as stack:
        one, two, spectator = (stack.enter_context(actor.connect(code)) for actor in (host, guest, Visitor(site)))
        begin(code, host, one, two, spectator)
        stuck = NeverReads(site, code)
        stack.callback(stuck.close)
        stuck.say(0x1, b'{"t":"hello","protocol":3}')
        sent = 0
        while not stuck.cut_off():
            if one.over():
                one.until(lambda: one.table["status"] == "over")
                begin(code, host, one, two, spectator)
            received = len(spectator.frames)
            play_on([one, two, spectator], dice.choice, plies=5)
            sent += sum(map(len, spectator.frames[received:]))
            assert sent < MAY_WAIT
        plies = [(m["match"], m["version"]) for m in spectator.messages if m["t"] in ("snapshot", "change")]
        assert plies == sorted(set(plies))
        assert all(b == (match, ply + 1) or b[1] == 0 for (match, ply), b in pairwise(plies))


def test_a_socket_that_pings_and_never_reads_is_closed_too(site: RunningSite) -> None:
    """Pings of the WebSocket's own level are answered by the server, and no application holds that back."""
    code = Visitor(site, "Hostess").open_table("me", "house")
    with Visitor(site).connect(code) as honest:
        stuck = NeverReads(site, code)
        answers = 0
        try:
            while not stuck.cut_off():
                for _ in range(200):
                    stuck.say(0x9, b"x" * 120)
                    answers += 122
                honest.settle()
                assert answers < 2 * MAY_WAIT
        except (ConnectionResetError, BrokenPipeError):
            pass
        stuck.close()


def test_what_is_said_faster_than_it_can_be_received_is_not_kept_without_end(site: RunningSite) -> None:
    code = Visitor(site, "Hostess").open_table("me", "house")
    with Visitor(site).connect(code) as honest, Visitor(site).connect(code) as talker:
        long = json.dumps({"t": "ping"}) + " " * 60_000
        talker.send(long)
        assert talker.wait("refused")["code"] == "too_long"
        talker.send(long[:14] + "é" * 30_000)
        assert talker.wait("refused")["code"] == "too_long"
        honest.settle()


@pytest.mark.parametrize("opcode", [0x1, 0x9, 0xA], ids=["texts", "pings", "pongs"])
def test_thousands_of_frames_in_one_read_end_the_connection(site: RunningSite, opcode: int) -> None:
    code = Visitor(site, "Hostess").open_table("me", "house")
    with Visitor(site).connect(code) as honest:
        flood = NeverReads(site, code)
        flood.send(struct.pack("!BBI", 0x80 | opcode, 0x80, 0) * 10_000)
        wait_for(flood.cut_off, "the end of the connection")
        flood.close()
        honest.settle()


def test_a_connection_that_goes_on_sending_after_it_was_asked_to_close_is_cut_off(site: RunningSite) -> None:
    code = Visitor(site, "Hostess").open_table("me", "house")
    stuck = NeverReads(site, code)
    try:
        for _ in range(1_000):  # a close frame of the server follows the first, because it is too long
            stuck.send(struct.pack("!BBQI", 0x81, 0xFF, 8 * 2**20, 0) + b" " * 64_000)
            if stuck.cut_off():
                break
    except (ConnectionResetError, BrokenPipeError):
        pass
    assert stuck.cut_off()
    stuck.close()


@full
def test_one_socket_too_many_is_turned_away_with_a_code_of_its_own(new_site: Callable[..., RunningSite]) -> None:
    site = new_site(RATE_LIMITS="1", SOCKETS_AN_ADDRESS="3")
    site.open()
    site.start()
    code = Visitor(site, "Hostess").open_table("me", "house")

    def admitted() -> bool:
        """Return whether the site accepts one more connection."""
        with Visitor(site).connect(code, hello=False) as ws:
            try:
                ws.settle()
            except ConnectionClosed:
                return False
            return True

    with Visitor(site).connect(code), Visitor(site).connect(code):
        with Visitor(site).connect(code):
            assert Visitor(site).connect(code, hello=False).closed() == TOO_MANY_SOCKETS
        wait_for(admitted, "that the server notices the end of the third connection")
