"""How many moves and deliveries the site manages over real WebSockets. Each move is stored before it is confirmed.

The load is a closed loop: every seat is a client that makes a random legal move as soon as it sees its turn. So the
server is always busy, and the throughput counts. With ``--thinking`` clients wait before they move, as people do: then
the time until a move is confirmed counts. When a match is over, its host presses the button for the next one. The cost
of these starts is in the figures; ``start_cpu_ms`` is one of them, measured before the run.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from bench.harness.client import ClientSocket
from bench.harness.command import add_site_options, parser_of, percentiles, run, show
from bench.harness.load import Load
from bench.harness.running import Site, profiled, reference_loop, running_site
from games.lab.arguments import positive

LIMIT = 0.9  # share of its core above which the load itself may be the bottleneck, not the server


async def measure(site: Site, arguments: argparse.Namespace) -> dict[str, Any]:
    """Set up, warm up, measure, and return the figures."""
    load = Load(
        site,
        arguments.game,
        arguments.seats,
        arguments.seed,
        thinking=arguments.thinking,
        spread=arguments.spread_tables,
    )
    await load.take_seats(await load.prepare(arguments.matches))
    await load.watch(arguments.spectators, load.tables[:1] if arguments.spectators_at == "one" else load.tables)
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
    server, children, database, redis, own = (now - then for now, then in zip(costs(site), before, strict=True))
    figures = {
        "server": arguments.server,
        "database": arguments.database,
        "processes": arguments.processes,
        "spread_tables": arguments.spread_tables,
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
        "last_receiver_ms": percentiles(tally.last_receipts),
        "confirmation_first_tenth_of_match_ms": percentiles(tally.first_tenths),
        "confirmation_last_tenth_of_match_ms": percentiles(tally.last_tenths),
        "matches_ended": tally.matches,
        "start_cpu_ms": start_ms,
        "moves_per_cpu_second_without_starts": round(tally.moves / (server - tally.matches * start_ms / 1000), 1),
        "server_cpu_share": round(server / seconds, 3),
        "server_rss_mb": round(site.serving_cost().rss / 2**20, 1),
        "server_rss_idle_mb": round(rss_idle / 2**20, 1),
        "children_cpu_share": round(children / seconds, 3),
        "database_cpu_share": round(database / seconds, 3),
        "redis_cpu_share": round(redis / seconds, 3),
        "load_cpu_share": round(own / seconds, 3),
        "reference_loop_ms": reference_loop(),
        "load_is_the_limit": own / seconds > LIMIT,
    }
    load.leave()
    return figures


def costs(site: Site) -> tuple[float, ...]:
    """Return the CPU seconds used so far: the server's, its children's, the database's, Redis', our own."""
    return (
        site.serving_cost().cpu,
        site.child_cpu(),
        site.database_cost().cpu,
        site.redis_cost().cpu,
        time.process_time(),
    )


def main() -> None:
    parser = parser_of("live", __doc__)
    add_site_options(parser)
    parser.add_argument(
        "--matches", type=positive, default=50, metavar="M", help="tables that play at once (default: %(default)s)"
    )
    parser.add_argument("--spectators", type=int, default=0, metavar="S", help="sockets of spectators (default: none)")
    parser.add_argument(
        "--spectators-at",
        choices=("all", "one"),
        default="all",
        help="where spectators are: spread over all tables (default), or at one",
    )
    parser.add_argument(
        "--thinking",
        type=float,
        default=0.0,
        metavar="SECONDS",
        help="mean wait of a client before it moves (default: 0)",
    )
    parser.add_argument(
        "--processes", type=int, default=1, metavar="P", help="processes of the site, all on one core (default: 1)"
    )
    parser.add_argument(
        "--spread-tables",
        action="store_true",
        help="connect the clients of each table to all processes; otherwise a whole table connects to one",
    )
    parser.add_argument("--seconds", type=float, default=6.0, help="how long to measure (default: %(default)s)")
    parser.add_argument("--moves", type=int, metavar="N", help="instead of --seconds: until N moves are made")
    parser.add_argument(
        "--warm-up",
        type=float,
        default=2.0,
        metavar="SECONDS",
        help="of play that is not counted (default: %(default)s)",
    )
    parser.add_argument("--profile", type=Path, metavar="FILE", help="let py-spy write the server's stacks to FILE")
    arguments = parser.parse_args()
    if arguments.spectators < 0:
        parser.error("--spectators must be at least 0.")
    if arguments.processes > 1 and arguments.database == "sqlite":
        parser.error("--processes needs --database postgres: two processes cannot share an SQLite database.")
    with running_site(arguments.server, arguments.database, processes=arguments.processes) as site:
        show(run(measure(site, arguments)))


if __name__ == "__main__":
    main()
