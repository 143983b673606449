"""A slow socket is dropped, never waited for."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest

from cardsite.table.relay import BACKLOG, WEIGHT, Socket


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
    # What was long once gives no credit for ever.
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
    assert socket._writer.done()
    assert socket._writer.exception() is None
