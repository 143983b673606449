"""What a running site costs besides moves. Each command starts a site with an empty database and prints JSON.

.venv/bin/python bench/costs.py arrivals   guests who come while others play: the time of each step, CPU for a guest
.venv/bin/python bench/costs.py starts     starting and ending a match: CPU of the server
.venv/bin/python bench/costs.py idle       memory of an idle match, of its players and of spectators
.venv/bin/python bench/costs.py unread     memory of sockets that never read, until they are closed
.venv/bin/python bench/costs.py checks     how long authors wait for the sandbox while others write games
.venv/bin/python bench/costs.py soak       growth in an hour of bots at tables with spectators
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import select
import socket
import sqlite3
import struct
import time
from collections.abc import Awaitable, Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from harness.client import ClientSocket, handshake, press
from harness.command import add_arguments, percentiles, run
from harness.load import CHANGE, HELLO, SNAPSHOT, STARTERS, Load, SeenMatch, see
from harness.running import Site, profiled, reference_loop, running_site

WELCOME, TABLE = b'{"t":"welcome"', b'{"t":"table"'
LONGEST = 30.0  # seconds that a person waits for anything


def settings_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the options that belong to the figures."""
    return {
        "server": arguments.server,
        "database": arguments.database,
        "game": arguments.game,
        "seats": arguments.seats,
    }


class SeatedClient(ClientSocket):
    """The connection of a person who sits at a table. ``welcome`` is done once the table has been received."""

    def __init__(self, port: int, code: str, session: str) -> None:
        super().__init__(port, code, session)
        self.session = session
        self.welcome: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.seen: SeenMatch | None = None
        self._waiting: list[tuple[Callable[[SeenMatch], bool], asyncio.Future[None]]] = []

    def received(self, text: bytes) -> None:
        if text.startswith(WELCOME) and not self.welcome.done():
            self.welcome.set_result(None)
        elif text.startswith((CHANGE, SNAPSHOT)):
            self.seen = see(text, self.seen)
            for true, done in self._waiting:
                if true(self.seen) and not done.done():
                    done.set_result(None)

    async def enter(self) -> None:
        """Connect, and return when the table has been received."""
        await self.connect()
        self.say(HELLO)
        await asyncio.wait_for(self.welcome, LONGEST)

    async def until(self, true: Callable[[SeenMatch], bool]) -> None:
        """Return when the match is as wanted."""
        if self.seen is None or not true(self.seen):
            done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append((true, done))
            await asyncio.wait_for(done, LONGEST)
            self._waiting.clear()


# -- arrivals: people play at the pace of people, while guests open the front page, open the page of a table with a free
# -- seat, sit down there with a name, and connect. Each guest has an address of their own, behind a proxy.

SECRET = "a" * 32  # the CSRF token: a browser may choose it
FORM = "application/x-www-form-urlencoded"
FREE_SEATS = 3  # at a table where guests sit down
BEFORE = 4.0  # seconds of play alone


class Browser:
    """A guest's connection to the pages, kept open from one to the next."""

    def __init__(self, port: int, address: str) -> None:
        self._port = port
        self._address = address
        self.session = ""
        self._connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, path: str, form: str | None = None, kind: str = FORM) -> float:
        """Get a page, or send a form. Return the seconds to the end of the answer. Raises ConnectionError."""
        began = time.perf_counter()
        if self._connection is None:
            self._connection = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._connection
        body = (form or "").encode()
        cookies = [f"csrftoken={SECRET}", *([f"sessionid={self.session}"] if self.session else [])]
        head = [
            f"{'GET' if form is None else 'POST'} {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self._port}",
            f"X-Forwarded-For: {self._address}",
            f"Cookie: {'; '.join(cookies)}",
            "Accept-Encoding: gzip",
            "Accept-Language: en",
        ]
        if form is not None:
            head += [f"Content-Type: {kind}", f"X-CSRFToken: {SECRET}"]
            head += [f"Content-Length: {len(body)}"]
        writer.write("\r\n".join([*head, "", ""]).encode() + body)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        headers = [line.partition(": ")[::2] for line in answer.split("\r\n")[1:]]
        length = next(int(value) for name, value in headers if name.lower() == "content-length")
        text = await reader.readexactly(length)
        if answer.split(" ", 2)[1] != "200":
            raise ConnectionError(f"{path} was answered by {answer.splitlines()[0]} {text[:300]!r}")
        for name, value in headers:
            if name.lower() == "set-cookie" and value.startswith("sessionid="):
                self.session = value.removeprefix("sessionid=").split(";")[0]
        return time.perf_counter() - began

    def close(self) -> None:
        if self._connection:
            self._connection[1].close()


async def arrivals(site: Site, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return how long each step of a guest takes while others play, and the CPU time of the server for a guest."""
    chance = random.Random(arguments.seed)
    playing = Load(site, arguments.game, arguments.seats, arguments.seed, thinking=arguments.thinking)
    if arguments.tables:
        await playing.take_seats(await playing.prepare(arguments.tables))
        await playing.start_all()
    count = -(-arguments.guests // FREE_SEATS) + 2
    prepared = await asyncio.to_thread(site.prepare, game=arguments.game, tables=count, seats=1, open=FREE_SEATS)
    codes = [code for table in prepared["tables"] for code in [table["code"]] * FREE_SEATS]
    await guests(site, codes[: 2 * FREE_SEATS], 1.0, chance, {})  # the first of all warm the site up
    codes = codes[2 * FREE_SEATS :]
    play = asyncio.create_task(playing.play(BEFORE + arguments.seconds + LONGEST)) if arguments.tables else None
    await asyncio.sleep(BEFORE / 2)
    alone = await site.cpu_share(BEFORE / 2)
    playing.tally.clear()
    times: dict[str, list[float]] = {}
    began, before = time.perf_counter(), site.serving_cost().cpu
    with profiled(site, arguments.profile):
        sockets = await guests(site, codes[: arguments.guests], arguments.seconds, chance, times)
    seconds = time.perf_counter() - began
    spent = site.serving_cost().cpu - before
    if play:
        play.cancel()
    figures = {
        "tables_playing": arguments.tables,
        "guests": arguments.guests,
        "seconds": round(seconds, 2),
        **{f"{name}_ms": percentiles(samples) for name, samples in times.items()},
        "moves_per_second": round(playing.tally.moves / seconds, 1),
        "confirmation_ms": percentiles(playing.tally.confirmations),
        "cpu_share_of_play_alone": alone,
        "server_cpu_share": round(spent / seconds, 3),
        "cpu_ms_a_guest": round((spent - alone * seconds) / arguments.guests * 1000, 1),
    }
    for each in sockets:
        each.close()
    playing.leave()
    return figures


async def guests(
    site: Site, codes: list[str], seconds: float, chance: random.Random, times: dict[str, list[float]]
) -> list[ClientSocket]:
    """Have one guest come to each of these tables within so many seconds. Return their sockets when all sit there."""
    due = sorted(chance.uniform(0, seconds) for _ in codes)
    chance.shuffle(codes)
    come = zip(due, codes, strict=True)
    return await asyncio.gather(*(guest(site.port, n, at, code, times) for n, (at, code) in enumerate(come)))


async def guest(port: int, number: int, wait: float, code: str, times: dict[str, list[float]]) -> ClientSocket:
    await asyncio.sleep(wait)
    browser = Browser(port, f"10.1.{number // 250}.{number % 250 + 1}")
    times.setdefault("front_page", []).append(await browser.ask("/"))
    times.setdefault("table_page", []).append(await browser.ask(f"/t/{code}/"))
    times.setdefault("sitting_down", []).append(await browser.ask(f"/t/{code}/sit/", f"name=Guest+{number}"))
    browser.close()
    began = time.perf_counter()
    player = SeatedClient(port, code, browser.session)
    await player.enter()
    times.setdefault("connecting", []).append(time.perf_counter() - began)
    return player


# -- starts: at each table four people are connected, and a match has two moves left. They make the last but one, which
# -- costs what any move costs; the last one, with which the match ends; then the hosts press the button for the next
# -- match. All tables do the same at a time, a few of them together.

SETTLED = 1.5  # seconds after which everything has been sent
WARM_UP = 30  # tables of a first round, which is not counted


class EndingTable:
    """A table where a match has two moves left."""

    def __init__(self, port: int, prepared: dict[str, Any]) -> None:
        self._port = port
        self._code: str = prepared["code"]
        self._match: int = prepared["match"]
        self._moves: list[tuple[int, str]] = prepared["moves"]
        self.players = [SeatedClient(port, self._code, session) for session in prepared["sessions"]]

    async def enter(self) -> None:
        """Have everybody connect."""
        for player in self.players:
            await player.enter()
        await self._all(lambda seen: seen.match == self._match)

    async def move(self) -> None:
        """Make one move; return when everybody has received it."""
        seat, move = self._moves.pop(0)
        player = self.players[seat]
        assert player.seen
        version = player.seen.version + 1
        decision = player.seen.view.decision
        player.say(b'{"t":"move","id":1,"match":%d,"decision":%d,"move":"%s"}' % (self._match, decision, move.encode()))
        await self._all(lambda seen: seen.version == version)

    async def start(self) -> None:
        """Press the button for the next match; return when everybody has a first view of it."""
        await press(self._port, self.players[0].session, f"/t/{self._code}/start/")
        await self._all(lambda seen: seen.match > self._match)

    async def _all(self, true: Callable[[SeenMatch], bool]) -> None:
        await asyncio.gather(*(player.until(true) for player in self.players))


async def starts(site: Site, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the CPU milliseconds of a start, of a last move and of another move: the least of some rounds."""
    await one_round(site, arguments, min(arguments.tables, WARM_UP), None)
    rounds = [
        await one_round(site, arguments, arguments.tables, arguments.profile if not n else None)
        for n in range(arguments.rounds)
    ]
    return {
        "tables": arguments.tables,
        "at_a_time": arguments.together,
        **{f"{part}_cpu_ms": round(min(found[part] for found in rounds), 2) for part in rounds[0]},
        "rounds": [{part: round(ms, 2) for part, ms in found.items()} for found in rounds],
    }


async def one_round(site: Site, arguments: argparse.Namespace, count: int, profile: Path | None) -> dict[str, float]:
    """Take new tables from two moves before the end to the next match. Return the CPU milliseconds of each part."""
    prepared = await asyncio.to_thread(site.prepare, game=arguments.game, tables=count, seats=arguments.seats, left=2)
    tables = [EndingTable(site.port, one) for one in prepared["tables"]]
    for table in tables:
        await table.enter()
    move = await cost(site, tables, arguments.together, EndingTable.move)
    with profiled(site, profile and profile.with_suffix(".ends")):
        last = await cost(site, tables, arguments.together, EndingTable.move)
    with profiled(site, profile and profile.with_suffix(".starts")):
        start = await cost(site, tables, arguments.together, EndingTable.start)
    for player in (player for table in tables for player in table.players):
        player.close()
    return {"start": start, "last_move": last, "move": move}


async def cost(
    site: Site, tables: list[EndingTable], together: int, do: Callable[[EndingTable], Awaitable[None]]
) -> float:
    """Do a thing at each of some tables. Return the server's CPU milliseconds for one, and all that comes after it."""
    await asyncio.sleep(SETTLED)
    idle_share = await site.cpu_share(SETTLED)
    before = site.serving_cost().cpu
    several = asyncio.Semaphore(together)

    async def one(table: EndingTable) -> None:
        async with several:
            await do(table)

    began = time.perf_counter()
    await asyncio.gather(*map(one, tables))
    await asyncio.sleep(SETTLED)
    spent = site.serving_cost().cpu - before - idle_share * (time.perf_counter() - began)
    return spent / len(tables) * 1000


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
    await waiting.watch(arguments.spectators, waiting.boards)
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
    """Return a connection that has said hello to a table and has read nothing but the handshake."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", port))
    connection.sendall(handshake(port, code))
    while not connection.recv(4096).endswith(b"\r\n\r\n"):
        pass
    connection.sendall(struct.pack("!BBI", 0x81, 0x80 | len(HELLO), 0) + HELLO)
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
    await load.watch(arguments.spectators, load.boards)
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


# -- checks: authors change their texts, and the editor of each asks for a check and then for the table.

TEXTS = ("agram", "crazy-eights", "go-fish", "hearts", "president", "rummy", "whist")  # of the library


async def checks(site: Site, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return how long an author waits for the verdict on a change, and for the table, while others write games."""
    prepared = await asyncio.to_thread(site.prepare, game=arguments.game, tables=1 + arguments.others, seats=1, bots=1)
    sessions = [table["sessions"][0] for table in prepared["tables"]]
    chance = random.Random(arguments.seed)
    warm: dict[str, list[float]] = {}
    await asyncio.gather(*(author(site.port, session, 3, 0.0, random.Random(0), warm) for session in sessions))
    others = [
        asyncio.create_task(author(site.port, session, 10**9, arguments.pause, random.Random(chance.random()), {}))
        for session in sessions[1:]
    ]
    times: dict[str, list[float]] = {}
    began, before = time.perf_counter(), site.child_cpu()
    await author(site.port, sessions[0], arguments.changes, 1.0, chance, times)
    seconds = time.perf_counter() - began
    for other in others:
        if other.done():
            other.result()
        other.cancel()
    return {
        "others": arguments.others,
        "pause": arguments.pause,
        **{f"{name}_ms": percentiles(samples) for name, samples in times.items()},
        "worst_check_ms": round(max(times["check"]) * 1000),
        "sandbox_cpu_share": round((site.child_cpu() - before) / seconds, 2),
    }


async def author(
    port: int, session: str, changes: int, pause: float, chance: random.Random, times: dict[str, list[float]]
) -> None:
    """Change a text so many times, and wait for what the editor asks of it, with about so many seconds in between."""
    browser = Browser(port, "127.0.0.1")
    browser.session = session
    name = chance.choice(TEXTS)
    library = Path(__file__).parents[1] / "games" / "recycle" / "library"
    source, table = (library / f"{name}.rcy").read_text(), (library / f"{name}.toml").read_text()
    for number in range(changes):
        changed = source.replace("(game", f";; {chance.random()} {number}\n(game", 1)
        asked: dict[str, Any] = {"source": changed, "table": table}
        for what, more in (("check", {}), ("look", {"seats": 0, "seat": 0, "plies": 5, "seed": "1"})):
            took = await browser.ask(f"/workshop/{what}/", json.dumps(asked | more), "application/json")
            times.setdefault(what, []).append(took)
        await asyncio.sleep(pause * chance.uniform(0.5, 1.5))
    browser.close()


# -- soak: bots play in every seat, and a button is pressed when a match is over. Once a minute the memory and the open
# -- files of the serving process are read, with the size of the database and of the log. The growth is that of the
# -- second half of the time: in the first one caches fill up.


class CountingSpectator(ClientSocket):
    """Counts changes, and knows when a match is over."""

    def __init__(self, port: int, code: str) -> None:
        super().__init__(port, code)
        self.plies = 0
        self.over = asyncio.Event()
        self.gone = False

    def received(self, text: bytes) -> None:
        if text.startswith(CHANGE):
            self.plies += 1
        if text.startswith((WELCOME, TABLE)) and b'"status":"playing"' not in text:
            self.over.set()

    def lost(self, why: str) -> None:
        self.gone = True


async def again(site: Site, table: dict[str, Any], spectator: CountingSpectator) -> None:
    """Press the button whenever a match is over, for ever."""
    while True:
        await spectator.over.wait()
        await asyncio.sleep(0.5)
        spectator.over.clear()
        with contextlib.suppress(ConnectionError):  # it had begun already
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
        "deliveries": sum(spectator.plies for spectator in spectators),
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
        spectator.say(HELLO)
        spectators.append(spectator)
    pressing = [asyncio.create_task(again(site, t, s)) for t, s in zip(tables, spectators, strict=False)]
    began = time.monotonic()
    readings: list[dict[str, float]] = []
    while not readings or readings[-1]["minute"] < arguments.minutes:
        await asyncio.sleep(min(60.0, arguments.minutes * 6))
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


# -- the command line


class Command(NamedTuple):
    """What a command measures, its own options with (default, help), the usual number of seats, its site's settings."""

    measure: Callable[[Site, argparse.Namespace], Awaitable[dict[str, Any]]]
    options: dict[str, tuple[Any, str]]
    seats: int = 4
    environment: dict[str, str] = {}


PROFILE = (Path(), "have py-spy write the server's stacks there")
COMMANDS = {
    "arrivals": Command(
        arrivals,
        {
            "guests": (200, "who come"),
            "seconds": (10.0, "within which they come"),
            "tables": (50, "at which people play meanwhile"),
            "thinking": (1.0, "seconds over a move, about"),
            "profile": PROFILE,
        },
        environment={"RATE_LIMITS": "1", "BEHIND_PROXY": "1"},
    ),
    "starts": Command(
        starts,
        {
            "tables": (100, "in a round"),
            "rounds": (3, "of which the least counts: there the site did least besides"),
            "together": (STARTERS, "tables that do it at a time"),
            "profile": (Path(), "have py-spy write stacks to FILE.starts and FILE.ends"),
        },
    ),
    "idle": Command(
        idle,
        {
            "tables": (1000, "that wait"),
            "spectators": (1000, "of these tables"),
            "seconds": (6.0, "for which the busy table plays, each time"),
        },
    ),
    "unread": Command(
        unread,
        {
            "sockets": (40, "that never read"),
            "spectators": (5, "who do"),
            "seconds": (20.0, "of play"),
        },
        seats=2,
    ),
    "checks": Command(
        checks,
        {
            "others": (4, "who write games meanwhile"),
            "pause": (1.0, "seconds between their changes, about"),
            "changes": (40, "that are measured"),
        },
    ),
    "soak": Command(
        soak,
        {
            "minutes": (60.0, "to run"),
            "tables": (30, "with bots"),
            "spectators": (300, "at these tables"),
            "pace": ("1.0", "seconds a bot takes at least, as BOT_PACE"),
            "sizes": (Path(), "file to which every reading is written, one JSON object on each line"),
        },
        environment={"LOG_LEVEL": "INFO", "LOG_JSON": "1"},
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, command in COMMANDS.items():
        own = commands.add_parser(name, help=command.measure.__doc__, description=command.measure.__doc__)
        add_arguments(own, seats=command.seats)
        for option, (default, meaning) in command.options.items():
            if isinstance(default, Path):
                own.add_argument(f"--{option}", type=Path, metavar="FILE", help=meaning)
            else:
                own.add_argument(f"--{option}", type=type(default), default=default, help=f"{meaning} ({default})")
    arguments = parser.parse_args()
    command = COMMANDS[arguments.command]
    environment = command.environment | ({"BOT_PACE": arguments.pace} if arguments.command == "soak" else {})
    with running_site(arguments.server, arguments.database, **environment) as site:
        figures = run(measured(command, site, arguments))
    print(json.dumps(figures, indent=2))


async def measured(command: Command, site: Site, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the figures of a command, with the settings and the speed of the machine."""
    return settings_of(arguments) | await command.measure(site, arguments) | {"reference_loop_ms": reference_loop()}


if __name__ == "__main__":
    main()
