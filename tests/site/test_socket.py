"""A slow socket is dropped, never waited for."""

from __future__ import annotations

import asyncio
import json
import random
import sys
import zlib
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from cardsite.front.websocket import (
    MAX_WAITING,
    ONE_PACKET,
    STEP,
    FlowControl,
    FrameCache,
    ReceiveQueue,
    WebSocket,
    short_text,
)
from cardsite.server.protocol import MAX_INBOUND
from cardsite.server.room import BACKLOG, WEIGHT, Socket


async def turns() -> None:
    """Let every task that can run do so."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_messages_are_written_in_order() -> None:
    sent: list[dict[str, Any]] = []

    async def send(event: dict[str, Any]) -> None:
        sent.append(event)

    socket = Socket(send, 0, "")
    for n in range(5):
        socket.push(str(n))
    await turns()
    assert [event["text"] for event in sent] == list("01234")
    socket.close(4004)
    await turns()
    assert sent[-1] == {"type": "websocket.close", "code": 4004}


async def test_what_can_be_written_at_once_never_overtakes_what_waits() -> None:
    written: list[str] = []
    takes, go = True, asyncio.Event()

    async def send(event: dict[str, Any]) -> None:
        await go.wait()
        written.append(f"{event['text']} by the task")

    def write(text: str) -> bool:
        if takes:
            written.append(text)
        return takes

    socket = Socket(send, 0, "", write=write)
    socket.push("1")
    takes = False
    socket.push("2")
    takes = True
    socket.push("3")  # 2 waits for a task, which has not begun yet
    await turns()
    socket.push("4")  # and now the task waits for the connection
    assert written == ["1"]
    go.set()
    await turns()
    socket.push("5")
    assert written == ["1", "2 by the task", "3 by the task", "4 by the task", "5"]
    socket.close(4004)
    socket.push("6")
    assert written[-1] == "5"


@pytest.mark.parametrize("deflated", [False, True])
@pytest.mark.parametrize("size", [1, 125, 126, ONE_PACKET - 1, ONE_PACKET, 65_535, 65_536, 300_000])
def test_a_text_is_a_frame_that_any_client_reads(size: int, deflated: bool) -> None:
    frames = FrameCache()
    for text in ["x" * size, "ü" * size]:
        line = StreamReader()
        sent = frames.of(text, deflated=deflated)
        assert frames.of(text, deflated=deflated) is sent  # made once for all recipients
        line.feed_data(sent)
        extensions = [PerMessageDeflate(True, True, 15, 15)] if deflated else []
        frame = drain(Frame.parse(line.read_exact, mask=False, extensions=extensions))
        assert (frame.opcode, frame.fin, bytes(frame.data).decode().rstrip(" ")) == (Opcode.TEXT, True, text)
        assert (len(sent) < len(text.encode())) == (deflated and len(text.encode()) >= ONE_PACKET)


def test_the_length_of_compressed_data_does_not_reveal_its_content() -> None:
    frames, chance = FrameCache(), random.Random(1)
    cards = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "CDHS"]
    hands = [[chance.choice(cards) for _ in range(13)] for _ in range(200)]
    texts = [json.dumps({"hand": hand, "log": ["{seat} plays {card}."] * 60}) for hand in hands]
    assert len({len(zlib.compress(text.encode())) for text in texts}) > 5  # as it would by itself
    # Two steps, if the lengths are near a border between two.
    assert len({len(frames.of(text, deflated=True)) for text in texts}) <= 2
    assert len(frames.of(texts[0], deflated=True)) % STEP == 4  # the frame's head


@given(st.text(max_size=130), st.booleans(), st.booleans())
def test_a_short_text_of_a_client_is_read_at_once(text: str, deflates: bool, agreed: bool) -> None:
    data = Frame(Opcode.TEXT, text.encode()).serialize(
        mask=True, extensions=[PerMessageDeflate(True, True, 15, 15)] if deflates else []
    )
    short = 6 < len(data) < 6 + 126 and (agreed or not deflates)
    assert short_text(data, deflated=agreed) == (text.encode() if short else None)


@given(st.data())
def test_what_is_no_short_text_is_left_to_who_reads_everything(data: st.DataObject) -> None:
    """Whatever is read at once, a parser that knows all frames reads the same way: whole, masked, a valid text."""
    text = data.draw(st.text(min_size=1, max_size=100))
    extensions = [PerMessageDeflate(True, True, 15, 15)] if data.draw(st.booleans()) else []
    sent = bytearray(Frame(Opcode.TEXT, text.encode()).serialize(mask=True, extensions=extensions))
    for place in data.draw(st.lists(st.integers(0, len(sent) - 1), max_size=3)):
        sent[place] = data.draw(st.integers(0, 255))
    frame = bytes(sent) + data.draw(st.binary(max_size=2))
    result = short_text(frame, deflated=True)
    if result is not None:
        line = StreamReader()
        line.feed_data(frame)
        deflate = [PerMessageDeflate(True, True, 15, 15)]
        read = drain(Frame.parse(line.read_exact, mask=True, extensions=deflate))
        assert (read.opcode, read.fin, bytes(read.data)) == (Opcode.TEXT, True, result)
        assert not line.buffer
        result.decode()


@pytest.mark.parametrize("more", [0, 1, 2, 100, 257, 258, 259, 60_000])
def test_a_short_frame_that_unpacks_to_much_is_not_unpacked_at_once(more: int) -> None:
    sent = Frame(Opcode.TEXT, b" " * (MAX_INBOUND + more)).serialize(
        mask=True, extensions=[PerMessageDeflate(True, True, 15, 15)]
    )
    assert len(sent) < 126
    assert short_text(sent, deflated=True) is None


def drain(parsing: Generator[None, None, Frame]) -> Frame:
    """Return what a parser that lacks nothing returns."""
    try:
        next(parsing)
    except StopIteration as done:
        frame: Frame = done.value
        return frame
    raise AssertionError("The frame is not complete.")


@pytest.mark.parametrize("size", [40, 5_000, 400_000])
async def test_a_socket_whose_writes_never_end_is_closed_and_holds_nothing(size: int) -> None:
    sent: list[dict[str, Any]] = []
    stuck = asyncio.Event()

    async def send(event: dict[str, Any]) -> None:
        sent.append(event)
        if event["type"] == "websocket.send":
            await stuck.wait()

    socket = Socket(send, 0, "")
    for n in range(8 * max(BACKLOG, size) // size):
        socket.push("x" * size)  # returns at once, however far behind the socket is
        if n % 100 == 0:
            await turns()
    await turns()
    assert [event["type"] for event in sent] == ["websocket.send", "websocket.close"]
    assert sent[-1]["code"] == 4008
    assert not socket._backlog


@pytest.mark.parametrize("size", [40, 5_000, 100_000])
async def test_a_socket_that_never_reads_holds_so_many_bytes_and_no_more(size: int) -> None:
    async def send(event: dict[str, Any]) -> None:
        if event["type"] == "websocket.send":
            await asyncio.Event().wait()

    socket = Socket(send, 0, "")
    most = 0
    while not socket.closing:
        socket.push("x" * size)
        most = max(most, sum(map(sys.getsizeof, socket._backlog)))
    assert BACKLOG / 2 < most < BACKLOG + 3 * (size + WEIGHT)
    socket.drop()


async def test_a_socket_that_is_merely_behind_gets_everything() -> None:
    sent: list[str] = []
    go = asyncio.Event()

    async def send(event: dict[str, Any]) -> None:
        await go.wait()
        sent.append(event["text"])

    messages = [str(n) * 1000 for n in range(50)]
    socket = Socket(send, 0, "")
    for message in messages:
        socket.push(message)
    await turns()
    go.set()
    await turns()
    assert sent == messages
    socket.drop()


async def test_a_match_longer_than_all_that_may_wait_reaches_who_reads_slowly() -> None:
    """A welcome, a snapshot and the plies after it come at once; who has only just begun to read is not cut off."""
    sent: list[int] = []
    go = asyncio.Event()

    async def send(event: dict[str, Any]) -> None:
        await go.wait()
        sent.append(len(event["text"]))

    sizes = [50_000, 4 * BACKLOG, *[8_000] * 20]
    socket = Socket(send, 0, "")
    for size in sizes:
        socket.push("x" * size)
    await turns()
    assert not socket.closing
    go.set()
    await turns()
    await turns()
    assert sent == sizes
    # A long message once does not excuse many short ones for ever.
    go.clear()
    for _ in range(40):
        socket.push("x" * 10_000)
        await turns()
    assert socket.closing


async def test_a_socket_whose_peer_is_gone_stops_quietly() -> None:
    async def send(event: dict[str, Any]) -> None:
        raise ConnectionResetError

    socket = Socket(send, 0, "")
    socket.push("x")
    await turns()
    socket.push("y")
    await turns()
    assert socket._writer
    assert socket._writer.done()
    assert socket._writer.exception() is None


# -- between a peer and the application


class Reads:
    """A transport that keeps what it is asked."""

    def __init__(self) -> None:
        self.reads: list[str] = []

    def pauseProducing(self) -> None:
        self.reads.append("paused")

    def resumeProducing(self) -> None:
        self.reads.append("resumed")


class Line(WebSocket):
    """A WebSocket whose peer is this test. It keeps what is sent; ``waits`` bytes have not been written yet."""

    def __init__(self) -> None:
        super().__init__()
        self.application_queue = ReceiveQueue()
        self.state, self.client_addr, self._perMessageCompress = self.STATE_OPEN, None, None
        self._flow = self.flow = FlowControl()
        self.waits = 0
        self.written: list[bytes] = []
        self.transport = Reads()

    def _unsent(self) -> int:
        return self.waits

    def sendData(self, data: bytes, sync: bool = False, chopsize: int | None = None) -> None:
        self.written.append(data)


async def test_a_peer_is_not_read_while_many_of_its_messages_wait_for_the_application() -> None:
    line = Line()
    for n in range(MAX_WAITING - 1):
        line.onMessage(str(n).encode(), False)
    assert line.transport.reads == []
    for _ in range(3):  # the second and third were in the same read
        line.onMessage(b"more", False)
    assert line.transport.reads == ["paused"]
    for n in range(MAX_WAITING // 2 + 2):
        assert (await line.application_queue.get())["text"] == str(n)
    assert line.transport.reads == ["paused"]
    await line.application_queue.get()
    assert line.transport.reads == ["paused", "resumed"]
    await line.application_queue.get()
    assert line.transport.reads == ["paused", "resumed"]


async def test_nothing_is_written_at_once_to_a_peer_that_does_not_read_or_is_gone() -> None:
    line = Line()
    assert line.write_now("first")
    line.flow.pauseProducing()
    assert not line.write_now("it has stopped reading")
    line.flow.resumeProducing()
    line.waits = 1
    assert not line.write_now("something waits before this")
    line.waits = 0
    assert line.write_now("second")
    line.state = line.STATE_CLOSING
    assert not line.write_now("it is gone")
    assert [data[2:] for data in line.written] == [b"first", b"second"]
