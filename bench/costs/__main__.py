"""What a running site costs besides moves. Each command starts a site with an empty database and prints JSON.

    python -m bench.costs arrivals   guests who come while others play: the time of each step, CPU time of a guest
    python -m bench.costs starts     starting and ending a match: CPU time of the server
    python -m bench.costs idle       memory of an idle match, of its players and of spectators
    python -m bench.costs unread     memory of sockets that never read, until they are closed
    python -m bench.costs checks     how long authors wait for the sandbox while others write games
    python -m bench.costs soak       growth in an hour of bots at tables with spectators
    python -m bench.costs days       memory, start and pages of a site with a thousand matches over days

``COMMAND --help`` describes a command.
"""

from __future__ import annotations

import argparse
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from bench.costs.days import days
from bench.costs.matches import starts
from bench.costs.memory import idle, soak, unread
from bench.costs.pages import arrivals, checks
from bench.harness.command import Commands, add_site_options, run, show
from bench.harness.load import STARTERS
from bench.harness.running import Site, reference_loop, running_site
from games.lab.arguments import positive

MAY_BE_NONE = ("--others", "--spectators")  # options with a count that may be 0

Measure = Callable[[Site, argparse.Namespace], Awaitable[dict[str, Any]]]


def main() -> None:
    commands = Commands("costs", __doc__)

    def command(measure: Measure, *, seats: int = 4, **environment: str) -> argparse.ArgumentParser:
        """Add a command whose site has these settings."""
        own = commands.add(measure)
        own.set_defaults(environment=environment)
        add_site_options(own, seats=seats)
        return own

    def option(parser: argparse.ArgumentParser, name: str, default: Any, meaning: str) -> None:
        kind = positive if isinstance(default, int) and name not in MAY_BE_NONE else type(default)
        parser.add_argument(name, type=kind, default=default, help=f"{meaning} (default: %(default)s)")

    own = command(arrivals, RATE_LIMITS="1", BEHIND_PROXY="1")
    option(own, "--guests", 200, "who come")
    option(own, "--seconds", 10.0, "within which they come")
    option(own, "--tables", 50, "at which people play meanwhile")
    option(own, "--thinking", 1.0, "mean seconds before a move")
    own.add_argument("--profile", type=Path, metavar="FILE", help="let py-spy write the server's stacks to FILE")
    own = command(starts)
    option(own, "--tables", 100, "in a round")
    option(own, "--rounds", 3, "of which the lowest figures count: in that one the site did least besides")
    option(own, "--together", STARTERS, "tables at a time")
    own.add_argument("--profile", type=Path, metavar="FILE", help="let py-spy write to FILE.starts and FILE.ends")
    own = command(idle)
    option(own, "--tables", 1000, "that wait")
    option(own, "--spectators", 1000, "of these tables")
    option(own, "--seconds", 6.0, "for which the busy table plays, each time")
    own = command(unread, seats=2)
    option(own, "--sockets", 40, "that never read")
    option(own, "--spectators", 5, "who do read")
    option(own, "--seconds", 20.0, "of play")
    own = command(checks)
    option(own, "--others", 4, "who write games meanwhile")
    option(own, "--pause", 1.0, "mean seconds between their changes")
    option(own, "--changes", 40, "that are measured")
    own = command(soak, LOG_LEVEL="INFO", LOG_JSON="1")
    option(own, "--minutes", 60.0, "to run")
    option(own, "--tables", 30, "with bots")
    option(own, "--spectators", 300, "at these tables")
    option(own, "--pace", 1.0, "seconds that a bot takes at least, as BOT_PACE")
    own.add_argument("--sizes", type=Path, metavar="FILE", help="append every reading to FILE, a JSON object a line")
    own = commands.add(days)
    own.set_defaults(environment={}, server="daphne", database="sqlite", game="hamsterdam", seats=4)
    option(own, "--matches", 1000, "that are suspended")
    option(own, "--people", 4000, "of whom some sit at these tables")
    option(own, "--circles", 200, "of these people")

    arguments = commands.parse()
    environment = arguments.environment | ({"BOT_PACE": str(arguments.pace)} if arguments.measure is soak else {})
    with running_site(arguments.server, arguments.database, **environment) as site:
        show(run(measured(site, arguments)))


async def measured(site: Site, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the figures of a command, with its settings and the speed of the machine."""
    settings = {name: getattr(arguments, name) for name in ("server", "database", "game", "seats")}
    measure: Measure = arguments.measure
    return settings | await measure(site, arguments) | {"reference_loop_ms": reference_loop()}


if __name__ == "__main__":
    main()
