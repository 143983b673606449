"""The command line of a benchmark: the options that all share, its event loop, and its figures."""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
from collections.abc import Callable, Coroutine
from typing import Any


def arguments_for(description: str | None) -> argparse.ArgumentParser:
    """Return a parser with the options of every benchmark that starts a site."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")
    return parser


def add_arguments(parser: argparse.ArgumentParser, *, seats: int = 4) -> None:
    """Add the options of every benchmark that starts a site: its game, its server and its database."""
    parser.add_argument("--seats", type=int, default=seats)
    parser.add_argument("--game", default="hamsterdam")
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


def show(figures: dict[str, Any], *, as_json: bool) -> None:
    """Print figures, for a program or for people."""
    if as_json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name.replace('_', ' '):40} {value}")
