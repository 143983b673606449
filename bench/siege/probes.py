"""The probes of a siege: people at quiet tables who measure how long everything takes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from bench.harness.load import SeenMatch
from bench.harness.running import Site
from bench.harness.visitor import Visitor
from bench.siege.clients import TableSocket

PROBES = 4
PING = 0.2  # seconds between two pings of a probe: it may send six a second
THINK = 0.3  # seconds a probe takes to decide: it may move four times a second
PAGE = 0.25  # seconds between two requests for the front page, by one more visitor
WARM_UP = 2  # moves of each probe before anything counts: the first bot's process has to start
LATE = 20.0  # seconds to wait for late answers; one still missing then is counted with the time waited
BEGIN = 180.0  # seconds for an attack to get under way


@dataclass
class ProbeTimes:
    """The round trips of what probes sent within some time, in seconds."""

    pings: list[float] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)  # until they are stored for good
    bots: list[float] = field(default_factory=list)  # from there until the bot has moved
    lags: list[float] = field(default_factory=list)  # by which the probe itself was late
    starts: list[float] = field(default_factory=list)  # from the end of a match until the next one has begun
    pages: list[float] = field(default_factory=list)  # until the front page is there
    lost: int = 0  # connections


class Probe(TableSocket):
    """A player at a quiet table who pings by the clock, whatever is answered, and moves when it is their turn."""

    def __init__(self, site: Site, table: dict[str, Any], tally: ProbeTimes) -> None:
        self._host = Visitor(site.port, "", table["sessions"][0])
        super().__init__(site.port, table["code"], self._host.session)
        self.tally = tally
        self._pinged: deque[tuple[float, ProbeTimes]] = deque()
        self._moved: tuple[float, ProbeTimes] | None = None  # when a move was sent that is not answered yet
        self._waits: tuple[float, ProbeTimes] | None = None  # since when the bot is to move
        self._ended: tuple[float, ProbeTimes] | None = None  # when a match was over after which no other one has begun
        self._starting: asyncio.Task[None] | None = None
        self._made = 0
        self._warm = asyncio.Event()

    def _now(self) -> tuple[float, ProbeTimes]:
        return time.perf_counter(), self.tally

    async def warm(self) -> None:
        """Return when some moves have been made."""
        await self._warm.wait()

    async def ping(self) -> None:
        """Ping every ``PING`` seconds until the connection is lost."""
        due = time.perf_counter()
        while not self.gone:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            self._pinged.append(self._now())
            self.tally.lags.append(self._pinged[-1][0] - due)
            self.send(b'{"t":"ping"}')
            due += PING

    def turn(self, seen: SeenMatch) -> None:
        now = time.perf_counter()
        if seen.view.over:
            if self._ended is None:
                self._ended, self._waits = self._now(), None
                self._starting = asyncio.get_running_loop().create_task(self._start())
            return
        if self._ended is not None:
            since, tally = self._ended
            tally.starts.append(now - since)
            self._ended = None
        if seen.view.moves:
            if self._waits is not None:
                since, tally = self._waits
                tally.bots.append(now - since)
                self._waits = None
            asyncio.get_running_loop().call_later(THINK, self._decide, seen)

    def _decide(self, seen: SeenMatch) -> None:
        if not (self.gone or self.closing) and seen is self.seen and self._moved is None:
            self._moved = self._now()
            self.move(seen, seen.view.moves[0].move)

    def acknowledged(self) -> None:
        if self._moved is not None:
            sent, tally = self._moved
            tally.moves.append(time.perf_counter() - sent)
            self._moved = None
            self._made += 1
            if self._made >= WARM_UP:
                self._warm.set()
            seen = self.seen
            self._waits = self._now() if seen and not (seen.view.moves or seen.view.over) else None

    def refused(self, text: bytes) -> None:
        if json.loads(text)["id"] == 0:  # a ping: many of them have waited, and came at once
            self.answered()
        else:
            self._moved = None
            self.gone = f"A probe's move was refused: {text.decode()}"

    def answered(self) -> None:
        if self._pinged:
            sent, tally = self._pinged.popleft()
            tally.pings.append(time.perf_counter() - sent)

    def lost(self, why: str) -> None:
        self.tally.lost += 1
        super().lost(why)

    async def _start(self) -> None:
        while not self.gone and self._ended is not None:
            with contextlib.suppress(OSError):
                await self._host.post(f"/t/{self._code}/start/")
                return
            await asyncio.sleep(0.5)

    def owes(self, tally: ProbeTimes) -> bool:
        """Return whether something of that time is not answered yet."""
        return bool(self._pinged and self._pinged[0][1] is tally) or bool(self._moved and self._moved[1] is tally)

    def write_off(self, tally: ProbeTimes) -> int:
        """Count unanswered pings and moves of that time as if they were answered now. Return how many there are."""
        now, count = time.perf_counter(), 0
        while self._pinged and self._pinged[0][1] is tally:
            tally.pings.append(now - self._pinged.popleft()[0])
            count += 1
        if self._moved and self._moved[1] is tally:
            tally.moves.append(now - self._moved[0])
            self._moved = None
            count += 1
        if self._waits and self._waits[1] is tally:
            tally.bots.append(now - self._waits[0])  # a bot that has not moved yet is counted with the time waited
        return count


class Probes:
    """All probes at one site."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.tally = ProbeTimes()
        self._probes: list[Probe] = []
        self._reader = Visitor(site.port, "")
        self._asked: tuple[float, ProbeTimes] | None = None  # when the front page was asked for that is not there yet
        self._tasks: list[asyncio.Task[None]] = []

    async def sit(self, game: str) -> None:
        """Seat a probe at each table, and return when all of them play."""
        settings = {"game": game, "tables": PROBES, "seats": 1, "bots": 1, "started": True}
        prepared = await asyncio.to_thread(self.site.prepare, **settings)
        for number, table in enumerate(prepared["tables"]):
            probe = Probe(self.site, table, self.tally)
            await probe.join()
            self._probes.append(probe)
            await asyncio.sleep(PING / PROBES * (number > 0))  # so that probes do not ping at the same moment
            self._tasks.append(asyncio.create_task(probe.ping()))
        self._tasks.append(asyncio.create_task(self._read()))
        async with asyncio.timeout(BEGIN):
            for probe in self._probes:
                await probe.warm()

    async def _read(self) -> None:
        """Open the front page every ``PAGE`` seconds."""
        while True:
            await asyncio.sleep(PAGE)
            self._asked = sent, tally = time.perf_counter(), self.tally
            with contextlib.suppress(OSError):
                await self._reader.get("/")
            tally.pages.append(time.perf_counter() - sent)
            self._asked = None

    async def watch(self, seconds: float) -> ProbeTimes:
        """Return the round trips of what is sent in the next ``seconds``; ``wait`` adds late answers to it."""
        tally = self._fresh()
        await asyncio.sleep(seconds)
        self._fresh()
        return tally

    def _fresh(self) -> ProbeTimes:
        self.tally = ProbeTimes()
        for probe in self._probes:
            probe.tally = self.tally
        return self.tally

    async def wait(self, tally: ProbeTimes) -> int:
        """Wait for the answers to what was sent in some time. Return how many never came."""
        deadline = time.perf_counter() + LATE
        while any(probe.owes(tally) for probe in self._probes) or (self._asked and self._asked[1] is tally):
            left = deadline - time.perf_counter()
            if left < 0:
                break
            await asyncio.sleep(min(left, 0.02))
        if self._asked and self._asked[1] is tally:
            tally.pages.append(time.perf_counter() - self._asked[0])  # no matter when it comes now
        return sum(probe.write_off(tally) for probe in self._probes)

    def trouble(self) -> list[str]:
        """Return why probes could not go on."""
        return sorted({probe.gone for probe in self._probes if probe.gone})

    def leave(self) -> None:
        """Close all connections."""
        for task in self._tasks:
            task.cancel()
        self._reader.close()
        for probe in self._probes:
            probe.leave()
