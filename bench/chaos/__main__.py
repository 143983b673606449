"""What is lost when processes, databases, disks and clocks fail while people play: the moves that were acknowledged.

Two processes of the site over a PostgreSQL and a Redis of their own; at each table two people, a bot and spectators.
By a seed, as soon as the site has recovered from the last failure, it loses one of

    worker     a process that computes moves of bots, or that plays a game of a visitor (kill -9)
    process    a process of the site, or both (kill -9); started again at once
    frozen     a process of the site, stopped for up to 20 s: longer than others wait before they take its matches over
    redis      Redis (kill -9), started again after up to 6 s; or stopped for a while
    database   PostgreSQL, all of it (kill -9), or one connection's process, after which it throws all others out;
               or stopped for a while, as by a disk that does not answer
    disk       all room on the disk that the tables lie on (a small tmpfs: only root may make one; for others the
               database is read-only instead)
    clock      the right time: one process's wall clock is set up to 30 s ahead or back (clock.c, preloaded; where
               there is no C compiler this is left out, and the figures say so)

The clients keep a journal of the moves that were acknowledged. In the end it is compared with the database: ``lost``
moves were acknowledged and are not stored as that ply and move; ``doubled`` ones are stored as a person's decision that
this person never sent. Every match is replayed by its rules. Prints JSON; exits with 1 if a promise was broken.

Not part of the tests: it takes minutes, or hours. Half of two cores is enough for the defaults.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import psycopg

from bench.chaos.people import Journal, JournalingClient
from bench.chaos.site import Clock, FragileSite, Process, send_signal
from bench.harness.command import parser_of, show

GAMES = ("hamsterdam", "bundles", "text:go-fish", "enchere", "camelup")
SECONDS = (15, 300)  # for a decision, at every other table
RECOVERED = 60.0  # seconds after which the next failure comes even if no move has been made since the last one
CALM = 90.0  # seconds after the last failure within which each table has to continue
KILLS = ("worker", "process", "redis", "database", "backend")


class Chaos:
    """Makes things fail and restores them, in three tasks. Each continues as soon as moves are made again."""

    def __init__(self, site: FragileSite, journal: Journal, seed: str, kills: int | None) -> None:
        self.site = site
        self.recovery: defaultdict[str, list[float]] = defaultdict(list)  # seconds from the repair to the next move
        self._journal = journal
        self.struck: Counter[str] = Counter()
        self.failures: list[tuple[float, str]] = []
        self.memory: list[int] = []
        self._wanted = kills
        self._seed = seed

    @property
    def kills(self) -> int:
        """How many processes have been killed."""
        return sum(self.struck[kind] for kind in KILLS)

    async def run(self, seconds: float) -> None:
        """Make things fail for so long, or until there were as many kills as wanted; then repair everything."""
        tasks = [
            asyncio.create_task(self._task(name, pause, strike))
            for name, pause, strike in (
                ("workers", (0.1, 0.6), self._worker),
                ("processes", (0.1, 1.5), self._process),
                ("services", (0.5, 3.0), self._service),
            )
        ]
        began = reported = time.monotonic()
        ends = began + seconds
        while time.monotonic() < ends and (self._wanted is None or self.kills < self._wanted):
            await asyncio.sleep(0.5)
            self.memory.append(max(process.memory() for process in self.site.processes))
            for task in tasks:
                if task.done():
                    task.result()
            if time.monotonic() > reported + 30:
                reported = time.monotonic()
                kept = self._journal.acknowledged_moves()
                what = f"{self.kills} kills, {kept} moves acknowledged; {dict(self.struck)}"
                print(f"{(reported - began) / 60:.1f} min: {what}", file=sys.stderr)
        self._over = True
        await asyncio.gather(*tasks)

    _over = False

    async def _task(
        self, name: str, pause: tuple[float, float], strike: Callable[[random.Random], Awaitable[str]]
    ) -> None:
        chance = random.Random(f"{self._seed}/{name}")
        while not self._over:
            await asyncio.sleep(chance.uniform(*pause))
            kind = await strike(chance)
            recovered = await self._recovered()
            if kind:
                self.recovery[kind].append(recovered)

    async def _recovered(self) -> float:
        """Return when a move has been acknowledged, or after a while; and how many seconds that took."""
        began, before = time.monotonic(), self._journal.acknowledged_moves()
        while True:
            await asyncio.sleep(0.02)
            waited = time.monotonic() - began
            if self._journal.acknowledged_moves() > before or waited > RECOVERED:
                return waited

    def _note(self, kind: str) -> None:
        self.struck[kind] += 1
        self.failures.append((time.monotonic(), kind))

    # -- what it does

    async def _worker(self, chance: random.Random) -> str:
        workers = [pid for process in self.site.processes for pid in process.workers()]
        if not workers or not send_signal([chance.choice(workers)]):
            return ""
        self._note("worker")
        return "worker"

    async def _process(self, chance: random.Random) -> str:
        process = chance.choice(self.site.processes)
        roll = chance.random()
        if roll < 0.86:
            doomed = self.site.processes if roll < 0.06 else [process]
            for each in doomed:
                each.kill()
                self._note("process")
            for each in doomed:
                each.start()
            for each in doomed:
                await asyncio.to_thread(each.wait)
            return "process" if len(doomed) == 1 else "both processes"
        if roll < 0.94 or not Clock.library:
            send_signal([process.pid], signal.SIGSTOP)
            self._note("frozen")
            await asyncio.sleep(chance.choice((chance.uniform(0.5, 5), chance.uniform(15, 20))))
            send_signal([process.pid], signal.SIGCONT)
            await asyncio.to_thread(process.wait)
            return "frozen"
        process.clock.shift(chance.uniform(-30, 30))
        self._note("clock")
        await asyncio.sleep(chance.uniform(2, 10))
        process.clock.shift(0)
        return "clock"

    async def _service(self, chance: random.Random) -> str:
        redis, database = self.site.redis, self.site.database
        kind = chance.choices(
            ("redis", "redis frozen", "database", "backend", "database frozen", "disk"), (4, 1, 2, 3, 1, 2)
        )[0]
        self._note(kind)
        if kind == "redis":
            await asyncio.to_thread(redis.kill)
            await asyncio.sleep(chance.uniform(0, 6))
            redis.start()
        elif kind == "redis frozen":
            send_signal([redis.pid], signal.SIGSTOP)
            await asyncio.sleep(chance.uniform(0.5, 5))
            send_signal([redis.pid], signal.SIGCONT)
        elif kind == "database":
            await asyncio.to_thread(database.kill)
            await asyncio.sleep(chance.uniform(0, 3))
            await asyncio.to_thread(database.start)
        elif kind == "backend":
            backends = database.backends()
            if not backends or not send_signal([chance.choice(backends)]):
                self.struck[kind] -= 1
            await asyncio.to_thread(database.wait)
        elif kind == "database frozen":
            stopped = database.processes()
            send_signal(stopped, signal.SIGSTOP)
            await asyncio.sleep(chance.uniform(0.5, 5))
            send_signal(stopped, signal.SIGCONT)
        else:
            await asyncio.to_thread(database.refuse_writes, True)
            await asyncio.sleep(chance.uniform(1, 8))
            await asyncio.to_thread(database.refuse_writes, False)
        return kind


async def play(site: FragileSite, arguments: argparse.Namespace) -> dict[str, Any]:
    """Seat the clients, make things fail, let the site recover, and return the figures."""
    journal = Journal()
    chaos = Chaos(site, journal, arguments.seed, arguments.kills)
    clients = await seat(site, journal, arguments)
    attending = [asyncio.create_task(client.stay()) for client in clients]
    if hanging := await hang(clients, attending):
        raise RuntimeError(f"Tables hang before anything has failed: {hanging}")
    for client in clients:
        client.begin()
    began, at_start = time.monotonic(), max(process.memory() for process in site.processes)
    await chaos.run(arguments.minutes * 60)
    ran = time.monotonic() - began
    for process in site.processes:
        await asyncio.to_thread(process.wait)
    hanging = await hang(clients, attending)
    for client in clients:
        client.finish()
    await asyncio.sleep(2)  # for answers that are on their way
    for task in attending:
        task.cancel()
    await asyncio.wait(attending, timeout=10)  # the journal has all answers, so they need not finish
    at_end = max(process.memory() for process in site.processes)
    codes = [await asyncio.to_thread(process.stop) for process in site.processes]
    return {
        "seed": arguments.seed,
        "minutes": round(ran / 60, 2),
        "kills": chaos.kills,
        "struck": dict(sorted(chaos.struck.items())),
        "disk": "a full tmpfs" if site.database.disk.is_real else "a read-only database",
        "clock": "set for one process" if Clock.library else "left out: no C compiler",
        "tables": arguments.tables,
        "players": sum(1 for client in clients if client.plays),
        "spectators": sum(1 for client in clients if not client.plays),
        "acknowledged": journal.acknowledged_moves(),
        "acknowledged_again": sum(one.again for answers in journal.acknowledged.values() for one in answers),
        **await asyncio.to_thread(audit, site, journal),
        "contradictory_answers": journal.contradictions(),
        "refused": dict(journal.refused.most_common()),
        "connections": journal.connections,
        "gaps_filled": journal.gaps,
        "recovery_s": {kind: spread(seconds) for kind, seconds in sorted(chaos.recovery.items())},
        "silence_s": silences(clients, chaos.failures),
        "nobody_moved_for": standstill(journal.at, chaos.failures),
        "tables_that_hang": hanging,
        "memory_mb": {
            "first": megabytes(at_start),
            "highest": megabytes(max(chaos.memory, default=0)),
            "last": megabytes(at_end),
        },
        "exit_codes": codes,
        "logged": logged(site.processes),
    }


async def seat(site: FragileSite, journal: Journal, arguments: argparse.Namespace) -> list[JournalingClient]:
    """Create the tables and their clients."""
    ports = [process.port for process in site.processes]
    clients: list[JournalingClient] = []
    for number in range(arguments.tables):
        options = {"game": GAMES[number % len(GAMES)], "tables": 1, "seats": arguments.players, "bots": arguments.bots}
        seconds = SECONDS[number % 2]
        made = await asyncio.to_thread(site.processes[0].prepare, **options, seconds=seconds)
        [table] = made["tables"]
        # Players who idle make others wait: at some tables only, so that the cause of a silence is known.
        idles = number % 4 == 2
        for session in [*table["sessions"], *[""] * arguments.spectators]:
            chance = random.Random(f"{arguments.seed}/client {len(clients)}")
            clients.append(JournalingClient(ports, table["code"], journal, chance, session, idles=idles))
    return clients


async def hang(clients: list[JournalingClient], attending: list[asyncio.Task[None]]) -> list[str]:
    """Return the tables at which a client receives no moves, although everything works again."""
    before = {client: client.plies for client in clients}
    deadline = time.monotonic() + CALM
    while time.monotonic() < deadline:
        still = [client for client in clients if client.plies == before[client]]
        if not still:
            return []
        for task in attending:
            if task.done():
                task.result()
        await asyncio.sleep(0.5)
    return sorted({f"{client.code}: {client.condition()}" for client in still})


def audit(site: FragileSite, journal: Journal) -> dict[str, Any]:
    """Compare the journal with the database, and replay every match by its rules."""
    lost: list[str] = []
    doubled: list[str] = []
    by: Counter[str] = Counter()
    with psycopg.connect(site.database.url) as connection:
        rows = connection.execute(
            "SELECT match_id, ply, seat, text, by FROM table_move ORDER BY match_id, ply"
        ).fetchall()
        statuses = connection.execute("SELECT status, count(*) FROM table_match GROUP BY status").fetchall()
        twice = connection.execute(
            "SELECT table_id FROM table_match WHERE status = 'running' GROUP BY table_id HAVING count(*) > 1"
        ).fetchall()
        matches = [match for (match,) in connection.execute("SELECT id FROM table_match ORDER BY id").fetchall()]
    stored = {(match, ply): (seat, text) for match, ply, seat, text, _ in rows}
    for (match, seat, decision), answers in journal.acknowledged.items():
        lost += [
            f"match {match} ply {one.ply} seat {seat} decision {decision}: {one.text}"
            for one in answers
            if stored.get((match, one.ply)) != (seat, one.text)
        ]
    decisions: Counter[tuple[int, int]] = Counter()
    for match, ply, seat, text, decider in rows:
        by[decider] += 1
        decision = decisions[match, seat]
        decisions[match, seat] += 1
        if decider == "person" and text not in journal.sent.get((match, seat, decision), ()):
            doubled.append(f"match {match} ply {ply} seat {seat} decision {decision}: {text}")
    return {
        "lost": len(lost),
        "doubled": len(doubled),
        "broken_promises": (lost + doubled)[:20],
        "stored": dict(by),
        "matches": dict(statuses),
        "tables_with_two_matches": len(twice),
        "matches_that_cannot_be_played_again": unplayable(site, matches),
        "database_mb": megabytes(site.database.size()),
    }


def unplayable(site: FragileSite, matches: list[int]) -> list[str]:
    """Return the matches whose stored moves the rules refuse."""
    os.environ.update(site.environment)
    import django

    django.setup()
    from cardsite.refusal import Refused
    from cardsite.server.live import load

    async def played() -> list[str]:
        refused = []
        for match in matches:
            try:
                await load(match)
            except Refused as refusal:
                refused.append(f"match {match}: {refusal}")
        return refused

    return asyncio.run(played())


def silences(clients: list[JournalingClient], failures: list[tuple[float, str]]) -> dict[str, Any]:
    """Return the longest times in which clients received nothing new, and what failed around the worst one."""
    active = sorted((client for client in clients if not client.idles), key=lambda client: client.longest)
    worst = active[-1]
    # What may have caused it, and what happened during it.
    during = Counter(kind for at, kind in failures if worst.longest_at - worst.longest - 5 <= at <= worst.longest_at)
    return {
        "median": round(active[len(active) // 2].longest, 1),
        "p90": round(active[len(active) * 9 // 10].longest, 1),
        "longest": round(worst.longest, 1),
        "around_the_longest": dict(during),
        "where_people_idle": round(max((client.longest for client in clients if client.idles), default=0), 1),
    }


def standstill(moves: list[float], failures: list[tuple[float, str]]) -> list[dict[str, Any]]:
    """Return the longest times in which no move was acknowledged, with what failed and when."""
    gaps = sorted(((after - before, before) for before, after in pairwise(sorted(moves))), reverse=True)
    return [
        {
            "seconds": round(gap, 1),
            "failed": [f"{at - begin:.1f} {kind}" for at, kind in failures if begin - 3 < at < begin + gap],
        }
        for gap, begin in gaps[:3]
    ]


def spread(seconds: list[float]) -> dict[str, float]:
    """Return the median and the longest of some times."""
    ordered = sorted(seconds)
    return {"median": round(ordered[len(ordered) // 2], 2), "longest": round(ordered[-1], 2)}


def logged(processes: list[Process]) -> dict[str, int]:
    """Count what the site wrote to its logs, by level and event; the rarest are left out."""
    counted: Counter[str] = Counter()
    for process in processes:
        for line in process.log.read_text(errors="replace").splitlines():
            with contextlib.suppress(ValueError):
                event = json.loads(line)
                if isinstance(event, dict):
                    what = re.sub(r"<.*?>|'.*?'", "...", str(event.get("event", "")))[:80]
                    error = str(event.get("exception", "")).strip().rsplit("\n", 1)[-1][:100]
                    counted[" / ".join(filter(None, (str(event.get("level")), what, error)))] += 1
    return dict(counted.most_common(25))


def megabytes(size: int) -> float:
    """Return bytes as megabytes."""
    return round(size / 2**20, 1)


def main() -> None:
    parser = parser_of("chaos", __doc__)
    parser.add_argument("--minutes", type=float, default=5, help="for how long things fail, at most")
    parser.add_argument("--kills", type=int, metavar="N", help="stop after so many kills")
    parser.add_argument("--seed", default="chaos", help="for the failures and the moves, not for the cards")
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--players", type=int, default=2, help="people at a table")
    parser.add_argument("--bots", type=int, default=1, help="bots at a table; Enchère has three seats")
    parser.add_argument("--spectators", type=int, default=2, help="at a table")
    parser.add_argument("--logs", type=Path, metavar="FOLDER", help="keep the logs of the site there")
    arguments = parser.parse_args()
    if min(arguments.tables, arguments.players) < 1 or min(arguments.bots, arguments.spectators) < 0:
        parser.error("There must be at least one table with a person.")
    with tempfile.TemporaryDirectory(prefix="chaos-", ignore_cleanup_errors=True) as name:
        site = FragileSite(Path(name), BOT_PACE="0.2", BOT_WORKERS="2", HOUSE_TABLE="1")
        try:
            figures = asyncio.run(play(site, arguments))
        finally:
            if arguments.logs:
                arguments.logs.mkdir(parents=True, exist_ok=True)
                for number, process in enumerate(site.processes):
                    (arguments.logs / f"{number}.log").write_bytes(process.log.read_bytes())
            site.close()
    show(figures)
    broken = ("lost", "doubled", "contradictory_answers", "tables_that_hang", "matches_that_cannot_be_played_again")
    sys.exit(any(figures[name] for name in broken))


if __name__ == "__main__":
    main()
