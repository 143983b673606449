"""Attacks with connections that are slow, idle or many."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time

from bench.harness.client import frame, handshake
from bench.harness.visitor import Visitor
from bench.siege.assault import PAUSE, Assault, attack
from bench.siege.clients import EndlessPlayer, TableSocket

BUSY = {"game": "hamsterdam", "tables": 1, "seats": 2, "started": True}


async def _keep_busy(assault: Assault) -> None:
    """Have the people of the first table play as fast as they may."""
    table = assault.tables[0]
    for session in table["sessions"]:
        await EndlessPlayer(assault.visitor(session), table["code"], (), assault.chance, PAUSE).join()


@attack(
    "deaf", "40 sockets at a busy table that say hello, ping and never read; each reconnects when it is cut off", BUSY
)
async def deaf(assault: Assault) -> None:
    code = assault.tables[0]["code"]
    await _keep_busy(assault)
    hello, ping = frame(0x81, b'{"t":"hello","protocol":3}'), frame(0x89, b"x" * 120)
    loop = asyncio.get_running_loop()

    async def sit() -> None:
        while not assault.over.is_set():
            connection = socket.socket()
            connection.setblocking(False)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            try:
                await loop.sock_connect(connection, ("127.0.0.1", assault.port))
                await loop.sock_sendall(
                    connection, handshake(assault.port, code, f"X-Forwarded-For: {assault.address()}")
                )
                await loop.sock_recv(connection, 1024)
                await loop.sock_sendall(connection, hello)
                assault.counts["sockets"] += 1
                while not assault.over.is_set():
                    async with asyncio.timeout(5):
                        await loop.sock_sendall(connection, ping * 20)
                    await asyncio.sleep(0.1)
            except OSError:
                assault.counts["cut off"] += 1
                await asyncio.sleep(0.05)
            finally:
                connection.close()

    assault.begun()
    await asyncio.gather(*(sit() for _ in range(40)))


@attack(
    "idle",
    "1,400 sockets from two addresses that say hello and then nothing",
    {"game": "hamsterdam", "tables": 1, "seats": 1, "bots": 1},
)
async def idle(assault: Assault) -> None:
    code = assault.tables[0]["code"]
    addresses = [assault.address(), assault.address()]
    connections: list[TableSocket] = []

    async def come(group: int) -> None:
        for number in range(group, 1400, 20):
            if assault.over.is_set():
                return
            connection = TableSocket(assault.port, code, address=addresses[number % 2])
            try:
                await connection.join()
                connections.append(connection)
            except OSError as error:
                assault.counts[f"lost: {type(error).__name__}"] += 1

    assault.begun()
    await asyncio.gather(*map(come, range(20)))
    await assault.over.wait()
    assault.notes["sockets"] = len(connections)
    assault.notes["sockets_left"] = sum(not connection.gone for connection in connections)


@attack("silent", "600 connections that never send a byte; each reconnects when it is closed")
async def silent(assault: Assault) -> None:
    lasted: list[float] = []

    async def wait() -> None:
        while not assault.over.is_set():
            began = time.monotonic()
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", assault.port)
            except OSError:
                assault.counts["turned away"] += 1
                await asyncio.sleep(0.5)
                continue
            assault.counts["connections"] += 1
            with contextlib.suppress(OSError):
                await reader.read(1)
                lasted.append(time.monotonic() - began)
            writer.close()

    assault.begun()
    tasks = [asyncio.create_task(wait()) for _ in range(600)]
    await assault.over.wait()
    for task in tasks:
        task.cancel()
    assault.notes["closed"] = len(lasted)
    assault.notes["closed_after_s"] = round(max(lasted), 1) if lasted else None


@attack("trickle", "300 connections that send one byte of a request per second")
async def trickle(assault: Assault) -> None:
    async def drip(visitor: Visitor) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", assault.port)
        try:
            assault.counts["connections"] += 1
            for byte in b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: " + b"x" * 10_000:
                writer.write(bytes([byte]))
                await writer.drain()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(1):
                        if not await reader.read(1024):
                            return
                if assault.over.is_set():
                    return
        finally:
            writer.close()

    await assault.crowd(300, drip)
