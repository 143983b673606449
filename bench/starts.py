"""What it costs to start a match and to end one, in CPU milliseconds of the server, by the doors that people use.

At each table four people are connected and a match is all but over. They make the last move but one, which costs what
any move costs; then the last one, with which the match ends; then each host presses the button for the next match, and
everybody gets a first view of it. All tables do the same at a time, a few of them together, and a first round on other
tables, which warms the server up, is not counted.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from client import Socket, press
from live import arguments_for, show
from load import CHANGE, HELLO, SNAPSHOT, STARTERS, Seen, run, see
from running import Site, profiled, reference_loop, running_site

PATIENCE = 20.0  # seconds that a table may take over anything
SETTLED = 1.5  # seconds after which all that was to be told has been told


class Player(Socket):
    """Somebody who sits at a table and hears what is told there."""

    def __init__(self, port: int, code: str, session: str) -> None:
        super().__init__(port, code, session)
        self.session = session
        self.seen: Seen | None = None
        self._waiting: list[tuple[Callable[[Seen], bool], asyncio.Future[None]]] = []

    def heard(self, text: bytes) -> None:
        if text.startswith((CHANGE, SNAPSHOT)):
            self.seen = see(text, self.seen)
            for true, done in self._waiting:
                if true(self.seen) and not done.done():
                    done.set_result(None)

    async def until(self, true: Callable[[Seen], bool]) -> None:
        """Return when the match here is as wanted."""
        if self.seen is None or not true(self.seen):
            done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append((true, done))
            await asyncio.wait_for(done, PATIENCE)
            self._waiting.clear()


class Table:
    """A table where everything but the last two moves of a match has been played."""

    def __init__(self, port: int, prepared: dict[str, Any]) -> None:
        self._port = port
        self._code: str = prepared["code"]
        self._match: int = prepared["match"]
        self._moves: list[tuple[int, str]] = prepared["moves"]
        self.players = [Player(port, self._code, session) for session in prepared["sessions"]]

    async def enter(self) -> None:
        """Have everybody connect."""
        for player in self.players:
            await player.connect()
            player.say(HELLO)
        await self._all(lambda seen: seen.match == self._match)

    async def move(self) -> None:
        """Make one move; return when everybody knows."""
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

    async def _all(self, true: Callable[[Seen], bool]) -> None:
        await asyncio.gather(*(player.until(true) for player in self.players))


async def measure(site: Site, wish: argparse.Namespace) -> dict[str, Any]:
    """Return the figures."""
    await one_round(site, wish, min(wish.tables, 30), None)
    rounds = [await one_round(site, wish, wish.tables, wish.profile if not n else None) for n in range(wish.rounds)]
    figures: dict[str, Any] = {
        f"{part}_cpu_ms": round(min(found[part] for found in rounds), 2) for part in ("start", "last_move", "move")
    }
    return {
        "server": wish.server,
        "database": wish.database,
        "game": wish.game,
        "seats": wish.seats,
        "tables": wish.tables,
        "at_a_time": wish.together,
        **figures,
        "rounds": [{part: round(ms, 2) for part, ms in found.items()} for found in rounds],
        "reference_loop_ms": reference_loop(),
    }


async def one_round(site: Site, wish: argparse.Namespace, count: int, profile: Path | None) -> dict[str, float]:
    """Take new tables from two moves before the end to the next match. Return the CPU milliseconds of each part."""
    prepared = await asyncio.to_thread(site.prepare, game=wish.game, tables=count, seats=wish.seats, left=2)
    tables = [Table(site.port, one) for one in prepared["tables"]]
    for table in tables:
        await table.enter()
    move = await cost(site, tables, wish.together, Table.move)
    with profiled(site, profile and profile.with_suffix(".ends")):
        last = await cost(site, tables, wish.together, Table.move)
    with profiled(site, profile and profile.with_suffix(".starts")):
        start = await cost(site, tables, wish.together, Table.start)
    for player in (player for table in tables for player in table.players):
        player.close()
    return {"start": start, "last_move": last, "move": move}


async def cost(site: Site, tables: list[Table], together: int, do: Callable[[Table], Awaitable[None]]) -> float:
    """Do a thing at each of some tables. Return the server's CPU milliseconds for one, and all that comes after it."""
    await asyncio.sleep(SETTLED)
    idle = site.server().cpu
    await asyncio.sleep(SETTLED)
    before = site.server().cpu
    idle = (before - idle) / SETTLED
    gate = asyncio.Semaphore(together)

    async def one(table: Table) -> None:
        async with gate:
            await do(table)

    clock = asyncio.get_running_loop().time
    began = clock()
    await asyncio.gather(*map(one, tables))
    await asyncio.sleep(SETTLED)
    spent = site.server().cpu - before - idle * (clock() - began)
    return spent / len(tables) * 1000


def main() -> None:
    parser = arguments_for(__doc__)
    parser.add_argument("--tables", type=int, default=100, metavar="N")
    parser.add_argument(
        "--rounds",
        type=int,
        default=3,
        metavar="N",
        help="the least of them is told, in which the house did least beside",
    )
    parser.add_argument("--together", type=int, default=STARTERS, metavar="N", help="tables that do it at a time")
    parser.add_argument(
        "--profile", type=Path, metavar="FILE", help="have py-spy write stacks to FILE.starts and .ends"
    )
    wish = parser.parse_args()
    with running_site(wish.server, wish.database) as site:
        show(run(measure(site, wish)), as_json=wish.json)


if __name__ == "__main__":
    main()
