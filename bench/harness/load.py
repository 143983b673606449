"""The load of a benchmark: clients that play at random at the tables of a site, and spectators that count messages.

It is a closed loop: each client moves as soon as it sees its turn, so the site is never idle.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec

from bench.harness.client import ClientSocket
from bench.harness.running import Site
from bench.harness.visitor import press

STALLED = 20.0  # seconds without a move after which the run is given up
STARTERS = 8  # matches that are started at a time
QUIET = 0.03  # share of a core below which the server has nothing left to do


class MoveOnly(msgspec.Struct):
    """The field of a legal move that a client of the load needs."""

    move: str


class PartialView(msgspec.Struct):
    """The fields of a view that a client of the load needs."""

    seat: int | None
    decision: int
    moves: list[MoveOnly]
    over: bool


class SeenMatch(msgspec.Struct):
    """The fields of a snapshot that a client of the load needs."""

    match: int
    version: int
    view: PartialView


class ChangedMove(msgspec.Struct):
    """A change of a legal move; ``move`` is "" if only other fields change."""

    move: str = ""


class Changed(msgspec.Struct):
    """The changes of these fields; ``moves`` by index if the list is not sent whole."""

    decision: int | None = None
    moves: list[MoveOnly] | dict[str, ChangedMove | int] | None = None
    over: bool | None = None


class Change(msgspec.Struct):
    """The fields of a change that a client of the load needs."""

    match: int
    version: int
    change: Changed


_decode_snapshot = msgspec.json.Decoder(SeenMatch).decode
_decode_change = msgspec.json.Decoder(Change).decode
HELLO = b'{"t":"hello","protocol":3}'
CHANGE, SNAPSHOT = b'{"t":"change"', b'{"t":"snapshot"'


def apply_change(view: PartialView, changed: Changed) -> None:
    """Bring a view up to date, as ``cardsite.server.changes`` says."""
    view.decision = view.decision if changed.decision is None else changed.decision
    view.over = view.over if changed.over is None else changed.over
    if isinstance(changed.moves, list):
        view.moves = changed.moves
        return
    for index, move in (changed.moves or {}).items():
        if isinstance(move, int):
            del view.moves[move:]
        elif int(index) == len(view.moves):
            view.moves.append(MoveOnly(move.move))
        elif move.move:
            view.moves[int(index)] = MoveOnly(move.move)


def match_after(text: bytes, before: SeenMatch | None) -> SeenMatch:
    """Return the match after a change or a snapshot. A change also changes the view of ``before``."""
    if not text.startswith(CHANGE):
        return _decode_snapshot(text)
    change = _decode_change(text)
    assert before, "A change without a snapshot."
    apply_change(before.view, change.change)
    return SeenMatch(change.match, change.version, before.view)


class LoadCounts:
    """What was counted since the last ``clear``. Each time is in seconds from the sending of a move."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Start counting from zero."""
        self.moves = 0
        self.matches = 0
        self.deliveries = 0
        self.delivered_bytes = 0
        self.confirmations: list[float] = []  # until the site confirmed it
        self.last_receipts: list[float] = []  # until the last socket of its table had received it
        self.first_tenths: list[float] = []  # confirmations of the first tenth of each match
        self.last_tenths: list[float] = []


class LoadTable:
    """A table of the load: its number of sockets, and the moves that some of them have not received yet.

    ``tally`` is that of the whole load. ``fail`` is called with the error that ends the load.
    """

    def __init__(
        self, port: int, code: str, host: str, tally: LoadCounts, fail: Callable[[BaseException], None]
    ) -> None:
        self._port = port
        self.code = code
        self._host = host  # the host's session
        self.tally = tally
        self.fail = fail
        self.started = asyncio.Event()
        self.held = True  # nobody moves until ``Load.play``
        self.sockets = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._sent: deque[float] = deque()  # when the moves were sent that no socket has received yet
        self._newest = (0, 0)  # the last match and ply that a socket has received
        self._pending: dict[tuple[int, int], list[float]] = {}  # [when sent, sockets that have not received it]
        self._confirmations: list[float] = []  # of this match

    def sent(self) -> None:
        """Note that a move is sent now."""
        self._sent.append(time.perf_counter())

    def confirmed(self, seconds: float) -> None:
        """Count a confirmed move and how long that took."""
        self.tally.moves += 1
        self.tally.confirmations.append(seconds)
        self._confirmations.append(seconds)

    def arrived(self, match: int, ply: int, size: int) -> None:
        """Count a message that brings a socket to a ply of a match, if the ply is a move of the load.

        The first socket that receives a ply decides which move that is: the one that was sent first. Only then is it
        known, because several players may have sent a move after the same ply.
        """
        newest_match, newest_ply = self._newest
        if (match, ply) > self._newest:
            self._newest = match, ply
            if match > newest_match:
                self._sent.clear()
            else:  # plies that are sent together count as one
                for _ in range(min(ply - newest_ply, len(self._sent))):
                    self._pending[match, ply] = [self._sent.popleft(), self.sockets]
        move = self._pending.get((match, ply))
        if move is None:
            return
        self.tally.deliveries += 1
        self.tally.delivered_bytes += size
        move[1] -= 1
        if not move[1]:
            self.tally.last_receipts.append(time.perf_counter() - move[0])
            del self._pending[match, ply]

    def over(self) -> None:
        """Count a match that has ended, and start the next one."""
        self.tally.matches += 1
        tenth = len(self._confirmations) // 10
        if tenth:
            self.tally.first_tenths += self._confirmations[:tenth]
            self.tally.last_tenths += self._confirmations[-tenth:]
        self._confirmations.clear()
        self._spawn(self.start())

    async def start(self) -> None:
        """Press the button that starts a match, as the host. Raises ConnectionError, TimeoutError."""
        await press(self._port, self._host, f"/t/{self.code}/start/")

    def leave(self) -> None:
        """Cancel starts of matches that are under way."""
        for task in self._tasks:
            task.cancel()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            self.fail(error)


class Spectator(ClientSocket):
    """A client that only counts the messages it receives."""

    def __init__(self, port: int, table: LoadTable, session: str = "") -> None:
        super().__init__(port, table.code, session)
        self.table = table
        table.sockets += 1

    def received(self, text: bytes) -> None:
        if text.startswith((CHANGE, SNAPSHOT)):
            # The type, the match and its version come first; only players read the rest.
            _, match, version, _ = text.split(b",", 3)
            self.table.arrived(int(match.partition(b":")[2]), int(version.partition(b":")[2]), self.frame_size)

    def lost(self, why: str) -> None:
        self.table.fail(ConnectionError(why))


class RandomPlayer(Spectator):
    """A client that moves at random: at once, or after about ``thinking`` seconds."""

    def __init__(self, port: int, table: LoadTable, session: str, chance: random.Random, thinking: float) -> None:
        super().__init__(port, table, session)
        self._chance = chance
        self._thinking = thinking
        self._sent_at = 0.0
        self._seen: SeenMatch | None = None
        self._answered = (0, 0, False)  # match, decision, over: what was acted on last

    def act(self) -> None:
        """Decide, or start the next match, as the last change wants it.

        Once only: more changes arrive meanwhile where several players decide at the same time.
        """
        if self._seen is None or self.table.held:
            return
        view = self._seen.view
        asked = (self._seen.match, view.decision, view.over)
        if asked == self._answered or not (view.over or view.moves):
            return
        self._answered = asked
        if view.over:
            if view.seat == 0:
                self.table.over()
        elif self._thinking:
            wait = self._thinking * self._chance.uniform(0.5, 1.5)
            asyncio.get_running_loop().call_later(wait, self._move)
        else:
            self._move()

    def received(self, text: bytes) -> None:
        if text.startswith((CHANGE, SNAPSHOT)):
            self.table.started.set()
            self._seen = match_after(text, self._seen)
            self.table.arrived(self._seen.match, self._seen.version, self.frame_size)
            self.act()
        elif text.startswith(b'{"t":"ack"'):
            self.table.confirmed(time.perf_counter() - self._sent_at)
        elif text.startswith(b'{"t":"refused"'):
            self.table.fail(RuntimeError(f"The site refused a move: {text.decode()}"))

    def _move(self) -> None:
        seen = self._seen
        if self.closing or seen is None:
            return
        move = self._chance.choice(seen.view.moves).move
        self.table.sent()
        self._sent_at = time.perf_counter()
        self.send(
            b'{"t":"move","id":%d,"match":%d,"decision":%d,"move":"%s"}'
            % (seen.version + 1, seen.match, seen.view.decision, move.encode())
        )


class Load:
    """All clients at all tables of a run. ``thinking``: as of ``RandomPlayer``.

    ``spread``: the clients of a table connect to different processes of the site, otherwise to the same one.
    """

    def __init__(
        self,
        site: Site,
        game: str,
        seats: int,
        seed: str,
        *,
        thinking: float = 0.0,
        spread: bool = False,
    ) -> None:
        self.site = site
        self._thinking = thinking
        self._spread = spread
        self.tally = LoadCounts()
        self.tables: list[LoadTable] = []
        self._game = game
        self._seats = seats
        self._chance = random.Random(seed)
        self._players: list[RandomPlayer] = []
        self._sockets: list[ClientSocket] = []
        self._failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def prepare(self, count: int, *, started: bool = False) -> list[dict[str, Any]]:
        """Make tables in the database, with a person on every seat, and a match if ``started``. Return them."""
        # In a thread, because open sockets have to answer pings meanwhile.
        settings = {"game": self._game, "tables": count, "seats": self._seats, "started": started}
        prepared = await asyncio.to_thread(self.site.prepare, **settings)
        tables: list[dict[str, Any]] = prepared["tables"]
        return tables

    async def take_seats(self, prepared: list[dict[str, Any]]) -> None:
        """Connect the people of prepared tables."""
        for number, row in enumerate(prepared):
            port = self._port(number)
            table = LoadTable(port, row["code"], row["sessions"][0], self.tally, self._fail)
            self.tables.append(table)
            players = [
                RandomPlayer(self._port(number, seat), table, session, self._chance, self._thinking)
                for seat, session in enumerate(row["sessions"])
            ]
            self._players += players
            await self._connect(*players)

    async def watch(self, count: int, tables: list[LoadTable]) -> None:
        """Connect spectators, spread evenly over some tables."""
        for number in range(count):
            index = number % len(tables)
            await self._connect(Spectator(self._port(index, number), tables[index]))

    def _port(self, table: int, offset: int = 0) -> int:
        """Return the port for a client of a table: the same process for a whole table, or another for each client."""
        ports = self.site.ports
        return ports[(table + (offset if self._spread else 0)) % len(ports)]

    async def start_all(self) -> float:
        """Start a match at each table. Return the server's CPU milliseconds for one, all its snapshots included."""
        await self.quiet()
        before = self.site.serving_cost().cpu
        few = asyncio.Semaphore(STARTERS)

        async def start(table: LoadTable) -> None:
            async with few:
                await table.start()
            await table.started.wait()

        async def start_tables() -> None:
            await asyncio.gather(*map(start, self.tables))

        async with asyncio.timeout(STALLED + len(self.tables)):
            await self._unless_failed(start_tables())
        return round((self.site.serving_cost().cpu - before) / len(self.tables) * 1000, 1)

    async def quiet(self) -> None:
        """Return when the server has nothing left to do."""
        async with asyncio.timeout(120):
            before = self.site.serving_cost().cpu
            while True:
                await asyncio.sleep(1)
                now = self.site.serving_cost().cpu
                if now - before <= QUIET:
                    return
                before = now

    def hold(self) -> None:
        """Stop all moves."""
        for table in self.tables:
            table.held = True

    async def play(self, seconds: float, moves: int | None = None) -> None:
        """Let everybody move for so many seconds, or, if given, until so many moves are confirmed.

        Raises RuntimeError if no move is confirmed for a long time, and the error of a connection that fails.
        """
        for table in self.tables:
            table.held = False
        for player in self._players:
            player.act()
        began, seen, seen_at = time.perf_counter(), -1, time.perf_counter()
        while True:
            now = time.perf_counter()
            enough = self.tally.moves >= moves if moves else now - began >= seconds
            if enough:
                return
            if self.tally.moves != seen:
                seen, seen_at = self.tally.moves, now
            elif now - seen_at > STALLED:
                raise RuntimeError(f"No move in {STALLED:.0f} s.")
            pause = 0.02 if moves else min(0.2, began + seconds - now)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(self._failed), max(0.001, pause))

    def leave(self) -> None:
        """Close all connections."""
        for socket in self._sockets:
            socket.close()
        for table in self.tables:
            table.leave()

    async def _connect(self, *sockets: ClientSocket) -> None:
        self._sockets += sockets
        for socket in sockets:
            await socket.connect()
            socket.send(HELLO)

    async def _unless_failed(self, work: Coroutine[Any, Any, None]) -> None:
        """Do ``work``. Cancels it and raises the error if a connection fails first."""
        task = asyncio.get_running_loop().create_task(work)
        try:
            await asyncio.wait({task, self._failed}, return_when=asyncio.FIRST_COMPLETED)
            await (self._failed if self._failed.done() else task)
        finally:
            task.cancel()

    def _fail(self, error: BaseException) -> None:
        if not self._failed.done():
            self._failed.set_exception(error)
