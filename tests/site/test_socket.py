"""A slow socket is dropped, never waited for."""

from __future__ import annotations

import asyncio
from typing import Any

from cardsite.table.relay import BACKLOG, Socket


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


async def test_a_socket_whose_writes_never_end_is_closed_and_holds_nothing() -> None:
    sent: list[dict[str, Any]] = []
    stuck = asyncio.Event()

    async def send(event: dict[str, Any]) -> None:
        sent.append(event)
        if event["type"] == "websocket.send":
            await stuck.wait()

    socket = Socket(send, 0, "")
    for n in range(BACKLOG * 4):
        socket.push(str(n))  # returns at once, however far behind the socket is
        if n % 100 == 0:
            await turns()
    await turns()
    assert [event["type"] for event in sent] == ["websocket.send", "websocket.close"]
    assert sent[-1]["code"] == 4008
    assert not socket._backlog


async def test_a_socket_that_is_merely_behind_gets_everything() -> None:
    sent: list[str] = []
    go = asyncio.Event()

    async def send(event: dict[str, Any]) -> None:
        await go.wait()
        sent.append(event["text"])

    socket = Socket(send, 0, "")
    for n in range(BACKLOG - 1):
        socket.push(str(n))
    await turns()
    go.set()
    await turns()
    assert sent == [str(n) for n in range(BACKLOG - 1)]
    socket.drop()


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
