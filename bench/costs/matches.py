"""The CPU time of starting and ending a match."""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from bench.costs.clients import SeatedClient
from bench.harness.load import SeenMatch
from bench.harness.running import Site, profiled
from bench.harness.visitor import press

# -- starts: at each table people are connected, and a match has two moves left. They make the last but one, which costs
# -- what any move costs, and then the last one, which ends the match. Then the hosts press the button for the next
# -- match. All tables finish one of these steps before the next one begins; ``--together`` tables are busy at a time.

SETTLED = 1.5  # seconds after which the server has sent everything
WARM_UP = 30  # tables, at most, of a first round that is not counted


class EndingTable:
    """A table where a match has two moves left."""

    def __init__(self, port: int, prepared: dict[str, Any]) -> None:
        self._port = port
        self._code: str = prepared["code"]
        self._match: int = prepared["match"]
        self._moves: list[tuple[int, str]] = prepared["moves"]
        self.players = [SeatedClient(port, self._code, session) for session in prepared["sessions"]]

    async def enter(self) -> None:
        """Connect all players, and return when they have received the match."""
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
        player.send(
            b'{"t":"move","id":1,"match":%d,"decision":%d,"move":"%s"}' % (self._match, decision, move.encode())
        )
        await self._all(lambda seen: seen.version == version)

    async def start(self) -> None:
        """Press the button for the next match; return when everybody has a first view of it."""
        await press(self._port, self.players[0].session, f"/t/{self._code}/start/")
        await self._all(lambda seen: seen.match > self._match)

    async def _all(self, wanted: Callable[[SeenMatch], bool]) -> None:
        """Return when the match that each player sees is as wanted."""
        await asyncio.gather(*(player.until(wanted) for player in self.players))


async def starts(site: Site, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the CPU milliseconds of a start, of a last move and of another move: of each, the least of all rounds."""
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
    site: Site, tables: list[EndingTable], together: int, action: Callable[[EndingTable], Awaitable[None]]
) -> float:
    """Run an action at each table, ``together`` at a time. Return the server's CPU milliseconds for one table.

    They include what the server does within ``SETTLED`` seconds after the last action, without what it does when idle.
    """
    await asyncio.sleep(SETTLED)
    idle_share = await site.cpu_share(SETTLED)
    before = site.serving_cost().cpu
    places = asyncio.Semaphore(together)

    async def run(table: EndingTable) -> None:
        async with places:
            await action(table)

    began = time.perf_counter()
    await asyncio.gather(*map(run, tables))
    await asyncio.sleep(SETTLED)
    spent = site.serving_cost().cpu - before - idle_share * (time.perf_counter() - began)
    return spent / len(tables) * 1000
