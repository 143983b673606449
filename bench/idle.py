"""What waits costs: memory for each idle table and watcher, and what a thousand of them take from a busy table.

An idle table is a match under way whose people are all connected and think. First the matches are loaded, then their
people come, then watchers; in between the server's resident memory is read. One more table plays, before and after.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from itertools import pairwise
from typing import Any

from live import arguments_for, percentiles, show
from load import Load, run
from running import Site, running_site

ROUNDS = 11.0  # seconds: the house goes round twice, and has noted once who is here


async def measure(site: Site, wish: argparse.Namespace) -> dict[str, Any]:
    """Return the figures."""
    busy = Load(site, wish.game, wish.seats, wish.seed)
    await busy.take_seats(await busy.prepare(1))
    await busy.start_all()
    await busy.play(2)
    alone = await play(site, busy, wish.seconds)

    memory = [await settled(site, busy)]
    idle = Load(site, wish.game, wish.seats, wish.seed)
    tables = await idle.prepare(wish.tables, started=True)
    memory.append(await settled(site, busy))
    await idle.take_seats(tables)
    memory.append(await settled(site, busy))
    await idle.watch(wish.watchers, idle.boards)
    memory.append(await settled(site, busy))
    waiting = await share(site, ROUNDS)
    among = await play(site, busy, wish.seconds)

    kib = [(after - before) / 1024 for before, after in pairwise(memory)]
    busy.leave()
    idle.leave()
    return {
        "server": wish.server,
        "database": wish.database,
        "tables": wish.tables,
        "seats": wish.seats,
        "watchers": wish.watchers,
        "kib_per_match": round(kib[0] / wish.tables, 1),
        "kib_per_player": round(kib[1] / (wish.tables * wish.seats), 1),
        "kib_per_watcher": round(kib[2] / wish.watchers, 1) if wish.watchers else None,
        "server_rss_mb": round(site.server().rss / 2**20, 1),
        "idle_cpu_share": waiting,
        "busy_table_alone": alone,
        "busy_table_among_idle": among,
    }


async def play(site: Site, load: Load, seconds: float) -> dict[str, Any]:
    """Play on for a while, and return how fast it went."""
    load.tally.clear()
    before, began = site.server().cpu, time.perf_counter()
    await load.play(seconds)
    cpu, took = site.server().cpu - before, time.perf_counter() - began
    load.hold()
    return {
        "moves_per_second": round(load.tally.moves / took, 1),
        "moves_per_cpu_second": round(load.tally.moves / cpu, 1),
        "confirmation_ms": percentiles(load.tally.confirmations),
    }


async def settled(site: Site, load: Load) -> int:
    """Return the server's resident memory once it has done what there was to do."""
    await share(site, ROUNDS)
    await load.quiet()
    return site.server().rss


async def share(site: Site, seconds: float) -> float:
    """Return the share of a core that the server uses while nothing happens."""
    before, began = site.server().cpu, time.perf_counter()
    await asyncio.sleep(seconds)
    return round((site.server().cpu - before) / (time.perf_counter() - began), 4)


def main() -> None:
    parser = arguments_for(__doc__)
    parser.add_argument("--tables", type=int, default=1000, help="tables that wait")
    parser.add_argument("--watchers", type=int, default=1000, help="sockets that watch them")
    parser.add_argument("--seconds", type=float, default=6.0, help="how long the busy table plays, each time")
    wish = parser.parse_args()
    with running_site(wish.server, wish.database) as site:
        show(run(measure(site, wish)), as_json=wish.json)


if __name__ == "__main__":
    main()
