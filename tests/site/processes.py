"""Several processes of the site in one shuffled event loop, with one database and clients that play.

What is real: the match server of each process, from its sockets to the SQL, and the channel layer, in memory. What is
not: bots decide at random instead of in processes of their own; there is no periodic cleanup; and work for a
thread runs without interruption, so statements of two transactions do not mix.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

import pytest
from channels.layers import InMemoryChannelLayer
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections

from cardsite import database
from cardsite.events import after_commit
from cardsite.lobby.models import Seat, Table
from cardsite.lobby.services import lifecycle, presence, seating
from cardsite.people.models import Person, token_hash
from cardsite.refusal import Refused
from cardsite.server import cluster, scheduler, server, transport
from cardsite.server.bots import Look
from cardsite.server.connections import ConnectionCounter
from cardsite.server.protocol import PROTOCOL
from cardsite.server.room import Socket
from cardsite.server.server import MatchServer
from cardsite.table import tidy
from cardsite.table.models import ServerProcess
from cardsite.table.services import matches as match_services
from cardsite.table.services.matches import do_start_match
from cardsite.table.services.processes import LOST
from tests.interleaving import BEGIN, PROCESS, ShuffledLoop, at, in_thread
from tests.site.visitor import put_into

Message = dict[str, Any]
LONG = 200.0  # seconds after which something that has not happened counts as missing
# Codes with which a move may be refused if a person plays in several windows.
EXPECTED = {"stale", "not_your_turn", "illegal", "over", "too_late", "failed", "not_seated"}
ROWS = (
    "table_move",
    "table_player",
    "table_occupancy",
    "table_match",
    "table_serverprocess",
    "lobby_seat",
    "lobby_table",
    "people_person",
)


# -- substitutes


class Process(MatchServer):
    """A process. Events of its own pages and services reach it alone."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def _on_commit(self, sender: object, event: object, **named: object) -> None:
        if PROCESS.get() == self.name:
            super()._on_commit(sender, event, **named)


class Current:
    """Substitute for ``match_server``: that of the process that asks."""

    def __init__(self, processes: dict[str, Process]) -> None:
        self._processes = processes

    def __getattr__(self, name: str) -> Any:
        return getattr(self._processes[PROCESS.get()], name)


class CurrentRow:
    """Substitute for ``this_process``: the row of the process that asks."""

    def __init__(self) -> None:
        self._rows: dict[str, ServerProcess | None] = {}

    @property
    def row(self) -> ServerProcess | None:
        """The row of the process that asks."""
        return self._rows.get(PROCESS.get())

    @row.setter
    def row(self, row: ServerProcess | None) -> None:
        self._rows[PROCESS.get()] = row


class Numbered(Socket):
    """A socket with a number as its hash, so that sets of sockets have the same order in each run."""

    made = 0

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        Numbered.made += 1
        self.number = Numbered.made

    def __hash__(self) -> int:
        return self.number


class BreakableLayer(InMemoryChannelLayer):  # type: ignore[misc]
    """The channel layer between the processes. While it is cut, notices are lost."""

    cut = False

    async def group_send(self, group: str, message: Message) -> None:
        if self.cut:
            raise ConnectionError("The channel layer is cut.")
        await super().group_send(group, message)


class RandomBots:
    """Substitute for the pool of processes in which bots think."""

    chance: random.Random

    def __init__(self, workers: int) -> None:
        pass

    async def choose(self, game: str, bots: Iterable[str], look: Look, *_: Any) -> str | None:
        """Return a legal move, after a while."""
        if await look("") is None:
            return None
        await asyncio.sleep(self.chance.random())
        asked = await look("")
        return self.chance.choice(asked.legal) if asked else None

    def close(self) -> None:
        """Do nothing: there are no processes."""


async def never() -> None:
    """Wait for ever."""
    await asyncio.Event().wait()


def nothing() -> None:
    """Do nothing: no run is long enough for an abandoned table."""


# -- the site


class Row(NamedTuple):
    """A move as it is stored."""

    ply: int
    seat: int
    text: str
    by: str
    at: int


class Away(NamedTuple):
    """A person is away from this time on, or back."""

    at: int
    seat: int
    away: bool


class Span(NamedTuple):
    """From when to when, in milliseconds."""

    begins: int
    ends: int


@dataclass
class Match:
    """A match, and the events in it that are not moves."""

    number: int
    code: str
    sticks: int
    seconds: int
    people: list[Person]
    aways: list[Away] = field(default_factory=list)
    # Of the process that runs it: when it was killed, and until when it still counts as running.
    kills: list[tuple[int, int]] = field(default_factory=list)

    def aways_of(self, seat: int) -> list[Span]:
        """Return when the person of a seat was away."""
        spans: list[Span] = []
        for when, whose, away in self.aways:
            if whose != seat:
                continue
            if away:
                spans.append(Span(when, sys.maxsize))
            elif spans and spans[-1].ends == sys.maxsize:
                spans[-1] = Span(spans[-1].begins, when)
        return spans


class Site:
    """The processes, tables and windows of one run."""

    def __init__(self, chance: random.Random, put: Callable[[int], str]) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, ShuffledLoop)
        self.loop = loop
        self.chance = chance
        with in_thread():
            self.connection: Any = connections[DEFAULT_DB_ALIAS]
            with self.connection.cursor() as cursor:
                for table in ROWS:
                    cursor.execute(f"DELETE FROM {table}")
        self._put = put  # adds a game with so many sticks to the catalogue and returns its name
        self.layer = BreakableLayer()
        self.connection_counter = ConnectionCounter()  # for all processes: those of one that is killed stay counted
        self.processes: dict[str, Process] = {}
        self.begun: list[Process] = []
        self.matches: dict[str, Match] = {}
        self.windows: list[Window] = []
        self.trouble = 0.0  # the probability that a statement or a commit fails
        self.troubled = False  # whether one has failed
        self.made_by: dict[tuple[int, int], str] = {}  # (match, ply): the process that stored it
        self.faults: list[str] = []

    def check(self, right: bool, otherwise: str) -> None:
        """Record a fault unless ``right``."""
        if not right:
            self.faults.append(f"{self.loop.time():.2f} s: {otherwise}")

    async def until(self, condition: Callable[[], bool], what: str) -> None:
        """Wait for a condition. If it takes too long, record a fault."""
        end = self.loop.time() + LONG
        while not condition():
            await asyncio.sleep(0.1)
            if self.loop.time() > end:
                self.check(False, f"not within {LONG:g} s: {what}")
                return

    def now(self) -> int:
        """Return the time in milliseconds."""
        return int((BEGIN + self.loop.time()) * 1000)

    async def begin(self, name: str) -> None:
        """Start a process."""

        async def opening() -> None:
            self.processes[name] = Process(name)
            self.begun.append(self.processes[name])
            self.processes[name].open()

        await at(name, opening())

    def kill(self, name: str) -> None:
        """End a process as if by ``kill -9``, and with it the connections to it."""
        seen = dict(
            self.ask(
                "SELECT m.id, p.seen FROM table_match m JOIN table_serverprocess p ON p.id = m.process_id "
                "WHERE p.name = ?",
                name,
            )
        )
        for match in self.matches.values():
            if match.number in seen:
                lost = self.milliseconds(seen[match.number]) + int(LOST.total_seconds() * 1000)
                match.kills.append((self.now(), lost))
        self.loop.kill(name)
        del self.processes[name]
        for window in self.windows:
            if window.process == name:
                window.cut()

    def open_table(self, code: str, sticks: int, people: int, seconds: int, bots: int = 0) -> Match:
        """Open a table with people and bots, and start a match."""
        with in_thread():
            self.matches[code] = self._open_table(code, sticks, people, seconds, bots)
        return self.matches[code]

    def _open_table(self, code: str, sticks: int, people: int, seconds: int, bots: int) -> Match:
        persons = [
            Person.objects.create(name=f"{code} {number}", token_hash=token_hash(f"{code} {number}"))
            for number in range(people)
        ]
        table = Table.objects.create(code=code, game=self._put(sticks), host=persons[0], seconds=seconds)
        for index, person in enumerate(persons):
            Seat.objects.create(table=table, index=index, person=person)
        for index in range(people, people + bots):
            Seat.objects.create(table=table, index=index, bot="house")
        number = do_start_match(code, None, seed=self.chance.randbytes(32))
        return Match(number, code, sticks, seconds, persons)

    # -- the database at this moment

    def moves(self, match: int) -> list[Row]:
        """Return the moves that are stored."""
        return [
            Row(*row)
            for row in self.ask(
                'SELECT ply, seat, text, "by", at FROM table_move WHERE match_id = ? ORDER BY ply', match
            )
        ]

    @staticmethod
    def milliseconds(stored: str) -> int:
        """Return a time as SQLite has it in milliseconds since 1970."""
        return int(datetime.fromisoformat(f"{stored}+00:00").timestamp() * 1000)

    def check_decision(self, match: Match, seat: int | None, decision: int, move: str, ply: int) -> None:
        """Check that a decision is stored as it is acknowledged."""
        made = [row for row in self.moves(match.number) if row.seat == seat]
        right = len(made) > decision and (made[decision].ply, made[decision].text) == (ply, move)
        self.check(right, f"decision {decision} of seat {seat}, {move}, is acknowledged as ply {ply}: {made}")

    def is_over(self, match: Match) -> bool:
        """Whether a match has ended."""
        return self.ask("SELECT status FROM table_match WHERE id = ?", match.number) == [("over",)]

    def ask(self, sql: str, *values: Any) -> list[Any]:
        """Ask the database without Django, so that no failure is simulated."""
        return list(self.connection.connection.execute(sql, values))

    # -- simulated failures

    def statement(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        """Execute a statement, or simulate a failure."""
        if PROCESS.get() and self.chance.random() < self.trouble:
            self.troubled = True
            raise OperationalError("simulated: the database is gone")
        result = execute(sql, params, many, context)
        if many and "table_move" in sql:
            self.made_by.update({(move[0], move[1]): PROCESS.get() for move in params})
        return result

    def commit(self, commit: Callable[[], None]) -> None:
        """Commit, or simulate a failure that leaves it open whether the commit was stored."""
        if PROCESS.get() and self.chance.random() < self.trouble:
            if self.chance.random() < 0.5:
                commit()
            self.troubled = True
            raise OperationalError("simulated: the database is gone while it commits")
        commit()


@contextmanager
def site_of(chance: random.Random, put: Callable[[int], str]) -> Iterator[Site]:
    """Replace the site of this process inside the block. The database is empty at first."""
    site = Site(chance, put)
    set_away, commit = presence.do_set_away, site.connection._commit

    def note_away(code: str, seat: int, away: bool) -> None:
        set_away(code, seat, away)
        site.matches[code].aways.append(Away(site.now(), seat, away))

    with pytest.MonkeyPatch.context() as patch, site.connection.execute_wrapper(site.statement):
        patch.setattr(site.connection, "_commit", lambda: site.commit(commit))
        patch.setattr(presence, "do_set_away", note_away)
        patch.setattr(cluster, "get_channel_layer", lambda: site.layer)
        patch.setattr(server, "BotPool", RandomBots)
        patch.setattr(tidy, "run_periodically", never)
        patch.setattr(lifecycle, "do_close_abandoned", nothing)
        patch.setattr(scheduler, "do_end_abandoned", nothing)
        patch.setattr(transport, "match_server", Current(site.processes))
        row = CurrentRow()
        patch.setattr(match_services, "this_process", row)
        patch.setattr(scheduler, "this_process", row)
        patch.setattr(transport, "Socket", Numbered)
        patch.setattr(transport, "_inside", site.connection_counter)
        RandomBots.chance, Numbered.made = chance, 0
        try:
            yield site
        finally:
            for process in site.begun:
                for kind in server.FROM_APPS:
                    after_commit.disconnect(process._on_commit, sender=kind)


# -- clients


class Window:
    """A browser window of a player or a spectator at a table. It checks all messages that it receives."""

    def __init__(self, site: Site, match: Match, seat: int | None) -> None:
        self.site = site
        self.at = match
        self.seat = seat
        self.process = ""  # "": not connected
        self.version = -1
        self.view: Message = {}
        self.table: Message = {}
        self.left = 0  # when it last disconnected, in milliseconds
        self.greeted = False
        self.sent: list[tuple[int, str]] = []  # decisions
        self._incoming: asyncio.Queue[Message] = asyncio.Queue()
        self._answers: dict[int, asyncio.Future[Message | None]] = {}
        self._number = 0
        site.windows.append(self)

    # -- connections

    def connect(self, process: str) -> None:
        """Connect to a process and say hello."""
        incoming: asyncio.Queue[Message] = asyncio.Queue()
        self.process, self.greeted, self._incoming = process, False, incoming

        async def send(event: Message) -> None:
            await asyncio.sleep(0)
            try:
                if self._incoming is incoming:
                    self._receive(event)
            except Exception as error:  # otherwise the server takes it for a lost connection
                self.site.faults.append(repr(error))
                raise

        headers = []
        if self.seat is not None:
            headers.append((b"authorization", f"Bearer {self.at.code} {self.seat}".encode()))
        else:
            headers.append((b"origin", b"http://localhost"))
            headers.append((b"host", b"localhost"))
        scope = {"path": f"/ws/table/{self.at.code}/", "headers": headers, "client": ("127.0.0.1", 1)}
        incoming.put_nowait({"type": "websocket.connect"})
        at(process, transport.table_socket(scope, incoming.get, send))
        self._hello()

    def _hello(self) -> None:
        self.send(t="hello", protocol=PROTOCOL, match=self.at.number if self.view else 0, version=self.version)

    def leave(self) -> None:
        """Disconnect."""
        self._incoming.put_nowait({"type": "websocket.disconnect"})
        self.cut()

    def cut(self) -> None:
        """The connection is gone."""
        self.left = self.site.now()
        self.process, self._incoming = "", asyncio.Queue()
        for answer in self._answers.values():
            if not answer.done():
                answer.set_result(None)

    def send(self, **message: Any) -> None:
        """Send a message."""
        self._incoming.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    # -- messages received

    def _receive(self, event: Message) -> None:
        if event["type"] == "websocket.close":
            self.leave()
        if "text" not in event:
            return
        message = json.loads(event["text"])
        match message["t"]:
            case "welcome":
                self.greeted = True
                self._check_seat(message["seat"])
                self.table = message["table"]
            case "table":
                self.table = message["table"]
            case "you":
                self._check_seat(message["seat"])
            case "snapshot" | "change":
                self._see(message)
            case "ack" | "refused":
                if message["id"] in self._answers and not self._answers[message["id"]].done():
                    self._answers[message["id"]].set_result(message)
                elif message["t"] == "refused" and message["code"] == "failed" and not self.greeted:
                    self.leave()  # hello was not answered

    def _see(self, message: Message) -> None:
        check, version = self.site.check, message["version"]
        stored = self.site.moves(self.at.number)
        check(version >= self.version, f"seat {self.seat} is shown ply {version} after {self.version}")
        if message["t"] == "change" and version != self.version + 1:
            self._miss(range(self.version + 1, version))
            return
        view = (message if message["t"] == "snapshot" else put_into(self.view, message))["view"]
        self._check_seat(view["seat"])
        check(version <= len(stored), f"seat {self.seat} is shown ply {version}, and {len(stored)} are stored")
        left = self.at.sticks - sum(int(row.text.split()[1]) for row in stored[:version])
        check(view["zones"][0]["size"] == left, f"ply {version} is shown with other sticks")
        self.version, self.view = version, view

    def _check_seat(self, seat: int | None) -> None:
        """A person who stands up is a spectator."""
        self.site.check(seat in (self.seat, None), f"seat {self.seat} is sent messages as if it was {seat}")

    def _miss(self, plies: range) -> None:
        """A process that was too slow with a move of its own, or whose database failed, sends only the outcome."""
        makers = {self.site.made_by.get((self.at.number, ply)) for ply in plies}
        lost = bool(plies) and (self.site.troubled or self.process not in makers)
        self.site.check(lost, f"seat {self.seat} was not sent plies {plies}")
        self._hello()  # as a browser does

    # -- actions

    async def play(self, pace: float) -> None:
        """Act at random until the match is over."""
        chance = self.site.chance
        while not self.site.is_over(self.at):
            await asyncio.sleep(chance.random() * pace)
            if not self.process:
                if self.site.processes:
                    self.connect(chance.choice(list(self.site.processes)))
                continue
            act = chance.random()
            if act < 0.03:
                self.leave()
            elif self.seat is None or not self.greeted:
                continue
            elif act < 0.06:
                self.send(t="back")
            elif act < 0.09:
                person = self.at.people[self.seat]
                await self._press(*chance.choice([(seating.do_stand, person), (seating.do_return, person)]))
            elif act < 0.12:
                await self._press(presence.do_set_away, self.seat, True)
            elif act < 0.18 and self.sent:
                await self._decide(*chance.choice(self.sent))
            elif self.view.get("moves"):
                await self._decide(self.view["decision"], chance.choice(self.view["moves"])["move"])

    async def _press(self, service: Callable[..., None], *args: Any) -> None:
        """Change something at the table, as a page or the scheduler does."""
        work = at(self.process, database.in_thread(service)(self.at.code, *args))
        await asyncio.wait({work}, timeout=LONG)  # the process may be killed meanwhile
        if work.done():
            with suppress(Refused, OperationalError):
                work.result()

    async def _decide(self, decision: int, move: str) -> None:
        """Send a decision and check the answer."""
        self._number += 1
        answer = self._answers[self._number] = self.site.loop.create_future()
        self.sent.append((decision, move))
        self.send(t="move", id=self._number, match=self.at.number, decision=decision, move=move)
        async with asyncio.timeout(LONG):
            message = await answer
        if message is None:
            return
        if message["t"] == "refused":
            self.site.check(message["code"] in EXPECTED, f"a move is refused: {message}")
            return
        self.site.check_decision(self.at, self.seat, decision, move, message["version"])
