"""Attacks with connections that are slow, idle or many."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time

from bench.harness.client import FIN, PING, TEXT, frame, handshake
from bench.harness.load import HELLO
from bench.harness.visitor import Visitor
from bench.siege.attack import PAUSE, AttackRun, attack
from bench.siege.clients import EndlessPlayer, TableSocket

BUSY = {"game": "hamsterdam", "tables": 1, "seats": 2, "started": True}


async def _keep_busy(run: AttackRun) -> None:
    """Connect the people of the first table, who then play without end, as fast as they may."""
    table = run.tables[0]
    for session in table["sessions"]:
        await EndlessPlayer(run.visitor(session), table["code"], (), run.chance, PAUSE).join()


@attack(
    "deaf", "40 sockets at a busy table that say hello, ping and never read; each reconnects when it is cut off", BUSY
)
async def deaf(run: AttackRun) -> None:
    code = run.tables[0]["code"]
    await _keep_busy(run)
    hello, ping = frame(FIN | TEXT, HELLO), frame(FIN | PING, b"x" * 120)
    loop = asyncio.get_running_loop()

    async def send_pings() -> None:
        while not run.over.is_set():
            connection = socket.socket()
            connection.setblocking(False)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            try:
                await loop.sock_connect(connection, ("127.0.0.1", run.port))
                await loop.sock_sendall(connection, handshake(run.port, code, f"X-Forwarded-For: {run.address()}"))
                await loop.sock_recv(connection, 1024)
                await loop.sock_sendall(connection, hello)
                run.counts["sockets"] += 1
                while not run.over.is_set():
                    async with asyncio.timeout(5):
                        await loop.sock_sendall(connection, ping * 20)
                    await asyncio.sleep(0.1)
            except OSError as error:  # of which TimeoutError is one: the site no longer reads
                run.counts["stalled" if isinstance(error, TimeoutError) else "cut off"] += 1
                await asyncio.sleep(0.05)
            finally:
                connection.close()

    run.begun()
    await asyncio.gather(*(send_pings() for _ in range(40)))


@attack(
    "idle",
    "1,400 sockets from two addresses that say hello and then nothing",
    {"game": "hamsterdam", "tables": 1, "seats": 1, "bots": 1},
)
async def idle(run: AttackRun) -> None:
    code = run.tables[0]["code"]
    addresses = [run.address(), run.address()]
    connections: list[TableSocket] = []

    async def connect(group: int) -> None:
        for number in range(group, 1400, 20):
            if run.over.is_set():
                return
            connection = TableSocket(run.port, code, address=addresses[number % 2])
            try:
                await connection.join()
                connections.append(connection)
            except OSError as error:
                run.counts[f"lost: {type(error).__name__}"] += 1

    run.begun()
    await asyncio.gather(*map(connect, range(20)))
    await run.over.wait()
    run.notes["sockets"] = len(connections)
    run.notes["sockets_left"] = sum(not connection.gone for connection in connections)


@attack("silent", "600 connections that never send a byte; each reconnects when it is closed")
async def silent(run: AttackRun) -> None:
    lasted: list[float] = []

    async def say_nothing() -> None:
        while not run.over.is_set():
            began = time.monotonic()
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", run.port)
            except OSError:
                run.counts["turned away"] += 1
                await asyncio.sleep(0.5)
                continue
            run.counts["connections"] += 1
            with contextlib.suppress(OSError):
                await reader.read(1)
                lasted.append(time.monotonic() - began)
            writer.close()

    run.begun()
    tasks = [asyncio.create_task(say_nothing()) for _ in range(600)]
    await run.over.wait()
    for task in tasks:
        task.cancel()
    run.notes["closed"] = len(lasted)
    run.notes["closed_after_s"] = round(max(lasted), 1) if lasted else None


@attack("trickle", "300 connections that send one byte of a request per second")
async def trickle(run: AttackRun) -> None:
    async def drip(visitor: Visitor) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", run.port)
        try:
            run.counts["connections"] += 1
            for byte in b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: " + b"x" * 10_000:
                writer.write(bytes([byte]))
                await writer.drain()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(1):
                        if not await reader.read(1024):
                            return
                if run.over.is_set():
                    return
        finally:
            writer.close()

    await run.crowd(300, drip)
