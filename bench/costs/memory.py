"""What stays in memory: of idle matches, of sockets that never read, and over an hour."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import select
import socket
import sqlite3
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench.costs.clients import WELCOME
from bench.harness.client import FIN, TEXT, ClientSocket, frame, handshake
from bench.harness.command import percentiles
from bench.harness.load import CHANGE, HELLO, Load
from bench.harness.running import Site
from bench.harness.visitor import press

TABLE = b'{"t":"table"'

# -- idle: an idle table is a match under way whose people are connected and think. First the matches are loaded, then
# -- their people come, then spectators; in between the server's resident memory is read. One more table plays, before
# -- and after.

ROUNDS = 11.0  # seconds: two rounds of the scheduler, and one of presence


async def idle(site: Site, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the memory of an idle match, a player and a spectator, and what they take from a busy table."""
    busy = Load(site, arguments.game, arguments.seats, arguments.seed)
    await busy.take_seats(await busy.prepare(1))
    await busy.start_all()
    await busy.play(2)
    alone = await play(site, busy, arguments.seconds)

    memory = [await settled(site, busy)]
    waiting = Load(site, arguments.game, arguments.seats, arguments.seed)
    tables = await waiting.prepare(arguments.tables, started=True)
    memory.append(await settled(site, busy))
    await waiting.take_seats(tables)
    memory.append(await settled(site, busy))
    await waiting.watch(arguments.spectators, waiting.tables)
    memory.append(await settled(site, busy))
    idle_share = await site.cpu_share(ROUNDS)
    among = await play(site, busy, arguments.seconds)

    kib = [(after - before) / 1024 for before, after in pairwise(memory)]
    busy.leave()
    waiting.leave()
    return {
        "tables": arguments.tables,
        "spectators": arguments.spectators,
        "kib_per_match": round(kib[0] / arguments.tables, 1),
        "kib_per_player": round(kib[1] / (arguments.tables * arguments.seats), 1),
        "kib_per_spectator": round(kib[2] / arguments.spectators, 1) if arguments.spectators else None,
        "server_rss_mb": round(site.serving_cost().rss / 2**20, 1),
        "idle_cpu_share": idle_share,
        "busy_table_alone": alone,
        "busy_table_among_idle": among,
    }


async def play(site: Site, load: Load, seconds: float) -> dict[str, Any]:
    """Play on for a while, and return how fast it went."""
    load.tally.clear()
    before, began = site.serving_cost().cpu, time.perf_counter()
    await load.play(seconds)
    cpu, took = site.serving_cost().cpu - before, time.perf_counter() - began
    load.hold()
    return {
        "moves_per_second": round(load.tally.moves / took, 1),
        "moves_per_cpu_second": round(load.tally.moves / cpu, 1),
        "confirmation_ms": percentiles(load.tally.confirmations),
    }


async def settled(site: Site, load: Load) -> int:
    """Return the server's resident memory once it has nothing left to do."""
    await site.cpu_share(ROUNDS)
    await load.quiet()
    return site.serving_cost().rss


# -- unread: two people play as fast as they can at one table while spectators read; then others connect, say hello and
# -- read nothing. Their own side takes as little as it can, so that what waits for them waits at the site.

SAMPLE = 0.05  # seconds between two readings of the memory


def never_reads(port: int, code: str) -> socket.socket:
    """Return a connection that has said hello to a table and reads nothing after the handshake.

    Raises ConnectionError if the site refuses it.
    """
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", port))
    connection.sendall(handshake(port, code))
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        part = connection.recv(4096)
        if not part:
            raise ConnectionError(answer.decode(errors="replace"))
        answer += part
    connection.sendall(frame(FIN | TEXT, HELLO))
    return connection


def closed(connections: list[socket.socket]) -> int:
    """Return how many connections the site has closed."""
    poll = select.poll()
    for connection in connections:
        poll.register(connection, select.POLLHUP | select.POLLERR)
    return len(poll.poll(0))


async def unread(site: Site, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the memory of sockets that never read, and how soon the site closes them."""
    load = Load(site, arguments.game, arguments.seats, arguments.seed)
    [table] = await load.prepare(1)
    await load.take_seats([table])
    await load.watch(arguments.spectators, load.tables)
    await load.start_all()
    await load.play(3)
    before = peak = site.serving_cost().rss
    connections = [await asyncio.to_thread(never_reads, site.port, table["code"]) for _ in range(arguments.sockets)]
    playing = asyncio.create_task(load.play(arguments.seconds))
    began, all_closed = time.perf_counter(), None
    while not playing.done():
        await asyncio.sleep(SAMPLE)
        peak = max(peak, site.serving_cost().rss)
        if all_closed is None and closed(connections) == len(connections):
            all_closed = round(time.perf_counter() - began, 1)
    await playing
    load.leave()
    return {
        "sockets": arguments.sockets,
        "spectators": arguments.spectators,
        "mb_per_socket_at_most": round((peak - before) / 2**20 / arguments.sockets, 2),
        "mb_per_socket_afterwards": round((site.serving_cost().rss - before) / 2**20 / arguments.sockets, 2),
        "closed": closed(connections),
        "all_closed_after_seconds": all_closed,
        "moves_per_second": round(load.tally.moves / arguments.seconds, 1),
    }


# -- soak: bots play in every seat, and a button is pressed when a match is over. Once a minute the memory and the open
# -- files of the serving process are read, with the size of the database and of the log. The growth is that of the
# -- second half of the time: in the first one caches fill up.


class CountingSpectator(ClientSocket):
    """Counts changes, and knows when a match is over."""

    def __init__(self, port: int, code: str) -> None:
        super().__init__(port, code)
        self.changes = 0
        self.over = asyncio.Event()
        self.gone = False

    def received(self, text: bytes) -> None:
        if text.startswith(CHANGE):
            self.changes += 1
        if text.startswith((WELCOME, TABLE)) and b'"status":"playing"' not in text:
            self.over.set()

    def lost(self, why: str) -> None:
        self.gone = True


async def start_again(site: Site, table: dict[str, Any], spectator: CountingSpectator) -> None:
    """Press the button whenever a match is over, for ever."""
    while True:
        await spectator.over.wait()
        await asyncio.sleep(0.5)
        spectator.over.clear()
        with contextlib.suppress(ConnectionError):  # another match has begun already
            await press(site.port, table["sessions"][0], f"/t/{table['code']}/start/")


def reading(site: Site, spectators: list[CountingSpectator], began: float) -> dict[str, float]:
    """Return what there is to read now, sizes in bytes."""
    var = site.folder / "var"
    proc = Path(f"/proc/{site.pid}")
    bots = site.child_cost()
    with contextlib.closing(sqlite3.connect(f"file:{var}/hamsterdam.sqlite3?mode=ro", uri=True)) as database:
        [moves, matches] = [
            database.execute(f"SELECT count(*) FROM table_{t}").fetchone()[0] for t in ("move", "match")
        ]
    return {
        "minute": round((time.monotonic() - began) / 60, 2),
        "memory": site.serving_cost().rss,
        "memory_bots": bots.rss,
        "descriptors": len(list((proc / "fd").iterdir())),
        "threads": len(list((proc / "task").iterdir())),
        "database": sum(file.stat().st_size for file in var.glob("hamsterdam.sqlite3*")),
        "log": (site.folder / "site.log").stat().st_size,
        "moves": moves,
        "matches": matches,
        "spectators_lost": sum(spectator.gone for spectator in spectators),
        "deliveries": sum(spectator.changes for spectator in spectators),
    }


async def soak(site: Site, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what grows while bots play at every table and many watch."""
    if arguments.database != "sqlite":
        raise SystemExit("The size of the database is read for SQLite only.")
    if arguments.spectators < arguments.tables:
        raise SystemExit("Each table needs a spectator, by which it is known when a match is over.")
    prepared = await asyncio.to_thread(
        site.prepare,
        game=arguments.game,
        tables=arguments.tables,
        seats=1,
        seconds=15,
        bots=arguments.seats - 1,
        away=True,
    )
    tables = prepared["tables"]
    spectators = []
    for number in range(arguments.spectators):
        spectator = CountingSpectator(site.port, tables[number % len(tables)]["code"])
        await spectator.connect()
        spectator.send(HELLO)
        spectators.append(spectator)
    pressing = [asyncio.create_task(start_again(site, t, s)) for t, s in zip(tables, spectators, strict=False)]
    began = time.monotonic()
    readings: list[dict[str, float]] = []
    while not readings or readings[-1]["minute"] < arguments.minutes:
        await asyncio.sleep(min(60.0, arguments.minutes * 60 / 10))  # ten readings at least
        readings.append(await asyncio.to_thread(reading, site, spectators, began))
        if arguments.sizes:
            with arguments.sizes.open("a") as file:
                file.write(json.dumps(readings[-1]) + "\n")
    for task in pressing:
        if task.done():
            task.result()
        task.cancel()
    first, last = readings[len(readings) // 2], readings[-1]
    minutes = max(0.01, last["minute"] - first["minute"])
    moves = last["moves"] - first["moves"]
    return {
        "tables": arguments.tables,
        "spectators": arguments.spectators,
        "minutes": last["minute"],
        "moves": last["moves"],
        "matches": last["matches"],
        "deliveries": last["deliveries"],
        "kib_a_minute": {
            name: round((last[name] - first[name]) / minutes / 1024, 1)
            for name in ("memory", "memory_bots", "database", "log")
        },
        "database_bytes_a_move": round((last["database"] - first["database"]) / max(1, moves)),
        "descriptors_a_minute": round((last["descriptors"] - first["descriptors"]) / minutes, 2),
        "readings": [readings[0], first, last],
    }
