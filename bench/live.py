"""How many moves and deliveries the site manages over real WebSockets, every move on disk before it is confirmed.

A closed loop: the seat whose turn it is makes a random legal move the moment it sees its turn. When a match ends its
host presses the button for the next one, as people do; what that costs is measured apart and counted in the whole.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import random
import resource
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec
from client import Socket, press
from running import Site, profiled, running_site

STALLED = 20.0  # seconds without a move after which the run is given up
STARTERS = 8  # matches that are started at a time
LIMIT = 0.9  # share of its core from which on the load, not the server, may be what is measured


class Deed(msgspec.Struct):
    move: str


class View(msgspec.Struct):
    seat: int | None
    decision: int
    moves: list[Deed]
    over: bool


class Sight(msgspec.Struct):
    """What a seat needs of a ply or a snapshot."""

    match: int
    version: int
    view: View


class Ack(msgspec.Struct):
    match: int
    version: int


see = msgspec.json.Decoder(Sight).decode
read_ack = msgspec.json.Decoder(Ack).decode


class Tally:
    """What was counted since the last ``clear``."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self.moves = 0
        self.matches = 0
        self.deliveries = 0
        self.delivered_bytes = 0
        self.confirmations: list[float] = []
        self.last: list[float] = []
        self.first_tenths: list[float] = []
        self.last_tenths: list[float] = []


class Board:
    """A table as the load sees it: its sockets, and the moves whose news is still on the way."""

    def __init__(self, port: int, code: str, host: str, tally: Tally, fail: Callable[[BaseException], None]) -> None:
        self._port = port
        self.code = code
        self._host = host  # the host's session
        self.tally = tally
        self.fail = fail
        self.started = asyncio.Event()
        self.held = True  # nobody moves yet
        self.sockets = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._on_the_way: dict[int, list[float]] = {}  # by ply: [when sent, sockets that wait for it]
        self._of_this_match: list[float] = []

    def sent(self, ply: int) -> None:
        self._on_the_way[ply] = [time.perf_counter(), self.sockets]

    def confirmed(self, ply: int, seconds: float) -> None:
        self.tally.moves += 1
        self.tally.confirmations.append(seconds)
        self._of_this_match.append(seconds)

    def arrived(self, ply: int, size: int) -> None:
        self.tally.deliveries += 1
        self.tally.delivered_bytes += size
        news = self._on_the_way[ply]
        news[1] -= 1
        if not news[1]:
            self.tally.last.append(time.perf_counter() - news[0])
            del self._on_the_way[ply]

    def over(self) -> None:
        self.tally.matches += 1
        tenth = len(self._of_this_match) // 10
        if tenth:
            self.tally.first_tenths += self._of_this_match[:tenth]
            self.tally.last_tenths += self._of_this_match[-tenth:]
        self._of_this_match.clear()
        self.spawn(self.start())

    async def start(self) -> None:
        """Press the button that starts a match."""
        await press(self._port, self._host, f"/t/{self.code}/start/")

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def leave(self) -> None:
        """Let go of what is not done yet."""
        for task in self._tasks:
            task.cancel()

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            self.fail(error)


class Watcher(Socket):
    """Counts what it hears."""

    def __init__(self, port: int, board: Board, session: str = "") -> None:
        super().__init__(port, board.code, session)
        self.board = board
        board.sockets += 1

    def heard(self, text: bytes) -> None:
        if text.startswith(b'{"t":"ply"'):
            # The type and the two numbers stand first; to read the rest of it is the seats' business.
            self.board.arrived(int(text.split(b",", 3)[2].partition(b":")[2]), len(text))

    def lost(self, why: str) -> None:
        self.board.fail(ConnectionError(why))


class Player(Watcher):
    """Moves at once, at random."""

    def __init__(self, port: int, board: Board, session: str, chance: random.Random) -> None:
        super().__init__(port, board, session)
        self._chance = chance
        self._sent_at = 0.0
        self._sight: Sight | None = None

    def release(self) -> None:
        """Begin to move."""
        if self._sight:
            self._act(self._sight)

    def heard(self, text: bytes) -> None:
        if text.startswith(b'{"t":"ply"'):
            sight = see(text)
            self.board.arrived(sight.version, len(text))
            self._act(sight)
        elif text.startswith(b'{"t":"ack"'):
            self.board.confirmed(read_ack(text).version, time.perf_counter() - self._sent_at)
        elif text.startswith(b'{"t":"snapshot"'):
            sight = see(text)
            if self.board.held:
                self._sight = sight
                self.board.started.set()
            else:
                self._act(sight)
        elif text.startswith(b'{"t":"refused"'):
            self.board.fail(RuntimeError(f"The site refused a move: {text.decode()}"))

    def _act(self, sight: Sight) -> None:
        view = sight.view
        if view.over:
            if view.seat == 0:
                self.board.over()
        elif view.moves:
            move = self._chance.choice(view.moves).move
            self.board.sent(sight.version + 1)
            self._sent_at = time.perf_counter()
            self.say(
                b'{"t":"move","id":%d,"match":%d,"decision":%d,"move":"%s"}'
                % (sight.version + 1, sight.match, view.decision, move.encode())
            )


class Load:
    """All tables and sockets of a run."""

    def __init__(self, site: Site, arguments: argparse.Namespace) -> None:
        self._site = site
        self._wish = arguments
        self._tally = Tally()
        self._failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sockets: list[Socket] = []
        self._boards: list[Board] = []

    async def run(self) -> dict[str, Any]:
        """Set up, warm up, measure, and return the figures."""
        wish = self._wish
        await self._seat_everybody()
        rss_idle = self._site.server().rss
        start_ms = await self._start_all()
        self._release()
        await self._play(wish.warm_up, None)
        self._tally.clear()
        texts, before = Socket.bytes_heard, self._costs()
        with profiled(self._site, wish.profile):
            began = time.perf_counter()
            await self._play(wish.seconds, wish.moves)
            seconds = time.perf_counter() - began
        server, bots, database, load = (now - then for now, then in zip(self._costs(), before, strict=True))
        tally = self._tally
        figures = {
            "server": wish.server,
            "database": wish.database,
            "matches": wish.matches,
            "watchers": wish.watchers,
            "seats": wish.seats,
            "seconds": round(seconds, 2),
            "moves": tally.moves,
            "moves_per_second": round(tally.moves / seconds, 1),
            "moves_per_cpu_second": round(tally.moves / server, 1) if server else None,
            "deliveries_per_second": round(tally.deliveries / seconds, 1),
            "deliveries_per_cpu_second": round(tally.deliveries / server, 1) if server else None,
            "bytes_per_delivery": round(tally.delivered_bytes / max(1, tally.deliveries)),
            "bytes_per_second": round((Socket.bytes_heard - texts) / seconds),
            "confirmation_ms": percentiles(tally.confirmations),
            "last_receiver_ms": percentiles(tally.last),
            "confirmation_first_tenth_of_match_ms": percentiles(tally.first_tenths),
            "confirmation_last_tenth_of_match_ms": percentiles(tally.last_tenths),
            "matches_ended": tally.matches,
            "start_cpu_ms": start_ms,
            "moves_per_cpu_second_without_starts": round(tally.moves / (server - tally.matches * start_ms / 1000), 1),
            "server_cpu_share": round(server / seconds, 3),
            "server_rss_mb": round(self._site.server().rss / 2**20, 1),
            "server_rss_idle_mb": round(rss_idle / 2**20, 1),
            "bots_cpu_share": round(bots / seconds, 3),
            "database_cpu_share": round(database / seconds, 3),
            "load_cpu_share": round(load / seconds, 3),
            "load_is_the_limit": load / seconds > LIMIT,
        }
        self._leave()
        return figures

    async def _seat_everybody(self) -> None:
        wish = self._wish
        prepared = self._site.prepare(game=wish.game, tables=wish.matches, seats=wish.seats)
        chance = random.Random(wish.seed)
        for table in prepared["tables"]:
            board = Board(self._site.port, table["code"], table["sessions"][0], self._tally, self._fail)
            self._sockets += [Player(self._site.port, board, session, chance) for session in table["sessions"]]
            self._boards.append(board)
        for number in range(wish.watchers):
            board = self._boards[0 if wish.watchers_on == "one" else number % len(self._boards)]
            self._sockets.append(Watcher(self._site.port, board))
        for socket in self._sockets:
            await socket.connect()
            socket.say(b'{"t":"hello","protocol":1}')

    async def _start_all(self) -> float:
        """Start a match at each table. Return the server's CPU milliseconds for one, all its snapshots included."""
        await asyncio.sleep(1)  # until the comings have been told
        before = self._site.server().cpu
        gate = asyncio.Semaphore(STARTERS)

        async def start(board: Board) -> None:
            async with gate:
                await board.start()

        async with asyncio.timeout(STALLED):
            await asyncio.gather(*map(start, self._boards))
            await asyncio.gather(*(board.started.wait() for board in self._boards))
        return round((self._site.server().cpu - before) / len(self._boards) * 1000, 1)

    def _release(self) -> None:
        for board in self._boards:
            board.held = False
        for socket in self._sockets:
            if isinstance(socket, Player):
                socket.release()

    async def _play(self, seconds: float, moves: int | None) -> None:
        """Let it run for so many seconds, or moves."""
        began, seen, seen_at = time.perf_counter(), -1, time.perf_counter()
        while True:
            now = time.perf_counter()
            if self._tally.moves >= moves if moves else now - began >= seconds:
                return
            if self._tally.moves != seen:
                seen, seen_at = self._tally.moves, now
            elif now - seen_at > STALLED:
                raise RuntimeError(f"No move in {STALLED:.0f} s: the tables stand still.")
            pause = 0.02 if moves else min(0.2, began + seconds - now)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(self._failed), max(0.001, pause))

    def _fail(self, error: BaseException) -> None:
        if not self._failed.done():
            self._failed.set_exception(error)

    def _costs(self) -> tuple[float, float, float, float]:
        site = self._site
        return site.server().cpu, site.bots().cpu, site.database().cpu, time.process_time()

    def _leave(self) -> None:
        for socket in self._sockets:
            socket.close()
        for board in self._boards:
            board.leave()


def percentiles(seconds: list[float]) -> dict[str, float]:
    """Return the median and the 99th percentile in milliseconds, {} where nothing was measured."""
    if not seconds:
        return {}
    ordered = sorted(seconds)
    return {f"p{q}": round(ordered[min(len(ordered) - 1, len(ordered) * q // 100)] * 1000, 2) for q in (50, 99)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=50, metavar="M", help="tables that play at the same time")
    parser.add_argument("--watchers", type=int, default=0, metavar="S", help="sockets that watch")
    parser.add_argument(
        "--watchers-on", choices=("all", "one"), default="all", help="spread over all tables, or on one"
    )
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--game", default="hamsterdam")
    parser.add_argument("--server", choices=("daphne", "uvicorn"), default="daphne")
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--seconds", type=float, default=6.0, help="how long to measure")
    parser.add_argument("--moves", type=int, metavar="N", help="measure until N moves are made, however long it takes")
    parser.add_argument("--warm-up", type=float, default=2.0, metavar="SECONDS")
    parser.add_argument("--seed", default="live", help="for the moves, not for the cards")
    parser.add_argument("--profile", type=Path, metavar="FILE", help="have py-spy write the server's stacks there")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")
    arguments = parser.parse_args()
    if min(arguments.matches, arguments.seats) < 1 or arguments.watchers < 0:
        parser.error("There must be at least one match, one seat and no negative number of watchers.")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 20_000)), hard))
    gc.freeze()
    with running_site(arguments.server, arguments.database) as site, asyncio.Runner(loop_factory=fast_loop()) as runner:
        show(runner.run(measure(site, arguments)), as_json=arguments.json)


async def measure(site: Site, arguments: argparse.Namespace) -> dict[str, Any]:
    return await Load(site, arguments).run()


def fast_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return what makes uvloop's event loops, None (the standard ones) where it is not installed."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def show(figures: dict[str, Any], *, as_json: bool) -> None:
    """Print figures, for a program or for people."""
    if as_json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name.replace('_', ' '):40} {value}")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
