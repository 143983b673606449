"""How many moves and deliveries the site manages over real WebSockets, every move on disk before it is confirmed.

A closed loop: the seat whose turn it is makes a random legal move the moment it sees its turn, or after ``--thinking``
seconds, when what counts is not how much the site manages but how long it lets people wait. When a match ends its
host presses the button for the next one, as people do; what that costs is measured apart and counted in the whole.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from harness.client import ClientSocket
from harness.command import arguments_for, percentiles, run, show
from harness.load import Load
from harness.running import Site, profiled, reference_loop, running_site

LIMIT = 0.9  # share of its core from which on the load, not the server, may be what is measured


async def measure(site: Site, arguments: argparse.Namespace) -> dict[str, Any]:
    """Set up, warm up, measure, and return the figures."""
    load = Load(
        site, arguments.game, arguments.seats, arguments.seed, thinking=arguments.thinking, apart=arguments.apart
    )
    await load.take_seats(await load.prepare(arguments.matches))
    await load.watch(arguments.spectators, load.boards[:1] if arguments.spectators_at == "one" else load.boards)
    rss_idle = site.serving_cost().rss
    start_ms = await load.start_all()
    await load.play(arguments.warm_up)
    tally = load.tally
    tally.clear()
    received, before = ClientSocket.bytes_received, costs(site)
    with profiled(site, arguments.profile):
        began = time.perf_counter()
        await load.play(arguments.seconds, arguments.moves)
        seconds = time.perf_counter() - began
    server, bots, database, redis, own = (now - then for now, then in zip(costs(site), before, strict=True))
    figures = {
        "server": arguments.server,
        "database": arguments.database,
        "processes": arguments.processes,
        "apart": arguments.apart,
        "matches": arguments.matches,
        "spectators": arguments.spectators,
        "seats": arguments.seats,
        "seconds": round(seconds, 2),
        "moves": tally.moves,
        "moves_per_second": round(tally.moves / seconds, 1),
        "moves_per_cpu_second": round(tally.moves / server, 1),
        "deliveries_per_second": round(tally.deliveries / seconds, 1),
        "deliveries_per_cpu_second": round(tally.deliveries / server, 1),
        "bytes_per_delivery": round(tally.delivered_bytes / max(1, tally.deliveries)),
        "bytes_per_second": round((ClientSocket.bytes_received - received) / seconds),
        "confirmation_ms": percentiles(tally.confirmations),
        "last_receiver_ms": percentiles(tally.last),
        "confirmation_first_tenth_of_match_ms": percentiles(tally.first_tenths),
        "confirmation_last_tenth_of_match_ms": percentiles(tally.last_tenths),
        "matches_ended": tally.matches,
        "start_cpu_ms": start_ms,
        "moves_per_cpu_second_without_starts": round(tally.moves / (server - tally.matches * start_ms / 1000), 1),
        "server_cpu_share": round(server / seconds, 3),
        "server_rss_mb": round(site.serving_cost().rss / 2**20, 1),
        "server_rss_idle_mb": round(rss_idle / 2**20, 1),
        "bots_cpu_share": round(bots / seconds, 3),
        "database_cpu_share": round(database / seconds, 3),
        "redis_cpu_share": round(redis / seconds, 3),
        "load_cpu_share": round(own / seconds, 3),
        "reference_loop_ms": reference_loop(),
        "load_is_the_limit": own / seconds > LIMIT,
    }
    load.leave()
    return figures


def costs(site: Site) -> tuple[float, ...]:
    """Return the CPU seconds used so far: the server's, its bots', the database's, Redis', our own."""
    return (
        site.serving_cost().cpu,
        site.child_cost().cpu,
        site.database_cost().cpu,
        site.redis_cost().cpu,
        time.process_time(),
    )


def main() -> None:
    parser = arguments_for(__doc__)
    parser.add_argument("--matches", type=int, default=50, metavar="M", help="tables that play at the same time")
    parser.add_argument("--spectators", type=int, default=0, metavar="S", help="sockets of spectators")
    parser.add_argument(
        "--spectators-at", choices=("all", "one"), default="all", help="spread over all tables, or on one"
    )
    parser.add_argument("--thinking", type=float, default=0.0, metavar="SECONDS", help="over a move, about")
    parser.add_argument("--processes", type=int, default=1, metavar="P", help="of the site, sharing its core")
    parser.add_argument("--apart", action="store_true", help="spread the sockets of each table over all processes")
    parser.add_argument("--seconds", type=float, default=6.0, help="how long to measure")
    parser.add_argument("--moves", type=int, metavar="N", help="measure until N moves are made, however long it takes")
    parser.add_argument("--warm-up", type=float, default=2.0, metavar="SECONDS")
    parser.add_argument("--profile", type=Path, metavar="FILE", help="have py-spy write the server's stacks there")
    arguments = parser.parse_args()
    if min(arguments.matches, arguments.seats) < 1 or arguments.spectators < 0:
        parser.error("There must be at least one match, one seat and no negative number of spectators.")
    if arguments.processes > 1 and arguments.database == "sqlite":
        parser.error("Several processes need --database postgres.")
    with running_site(arguments.server, arguments.database, processes=arguments.processes) as site:
        show(run(measure(site, arguments)), as_json=arguments.json)


if __name__ == "__main__":
    main()
