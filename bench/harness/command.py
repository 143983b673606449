"""The command line of a benchmark: how it is described, the options that many share, its event loop and its output."""

from __future__ import annotations

import argparse
import asyncio
import inspect
import json
import resource
from collections.abc import Callable, Coroutine
from typing import Any

from games.lab.arguments import positive


def parser_of(name: str, description: str | None) -> argparse.ArgumentParser:
    """Return the parser of ``python -m bench.NAME``. It prints the description with its own line breaks."""
    return argparse.ArgumentParser(
        prog=f"python -m bench.{name}", description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )


class Commands:
    """The parser of a benchmark with several commands, each of them a function."""

    def __init__(self, name: str, description: str | None) -> None:
        self._parser = parser_of(name, description)
        self._commands = self._parser.add_subparsers(required=True, metavar="COMMAND")

    def add(self, measure: Callable[..., Any]) -> argparse.ArgumentParser:
        """Add a command with the name of a function, described by its docstring. Returns its parser, for options."""
        summary, _, rest = (measure.__doc__ or "").partition("\n")
        own = self._commands.add_parser(
            measure.__name__,
            help=summary,
            description=f"{summary}\n{inspect.cleandoc(rest)}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        own.set_defaults(measure=measure)
        return own

    def parse(self) -> argparse.Namespace:
        """Return the arguments; ``measure`` is the function of the command."""
        return self._parser.parse_args()


def add_site_options(parser: argparse.ArgumentParser, *, seats: int = 4) -> None:
    """Add the options of every benchmark that loads a site: its game, its server and its database."""
    parser.add_argument("--seats", type=positive, default=seats, help="at each table (default: %(default)s)")
    parser.add_argument("--game", default="hamsterdam", help="that is played (default: %(default)s)")
    parser.add_argument("--server", choices=("daphne", "uvicorn"), default="daphne")
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--seed", default="live", help="for the moves, not for the cards")


def run(work: Coroutine[Any, Any, dict[str, Any]]) -> dict[str, Any]:
    """Run a benchmark on the fastest event loop there is, with room for thousands of sockets."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 20_000)), hard))
    with asyncio.Runner(loop_factory=_fast_loop()) as runner:
        return runner.run(work)


def _fast_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        from uvloop import new_event_loop
    except ImportError:
        return None
    return new_event_loop


def percentiles(seconds: list[float]) -> dict[str, float]:
    """Return the median and the 99th percentile in milliseconds, {} where nothing was measured."""
    if not seconds:
        return {}
    ordered = sorted(seconds)
    return {f"p{q}": round(ordered[min(len(ordered) - 1, len(ordered) * q // 100)] * 1000, 2) for q in (50, 99)}


def show(figures: Any) -> None:
    """Print figures as JSON, as every benchmark does."""
    print(json.dumps(figures, indent=2))
