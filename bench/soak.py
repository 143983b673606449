"""A house left to itself for a long time: what grows while bots play at every table and many watch.

No person plays: bots stand in for all, and somebody presses the button when a match is over. Once a minute the memory
and the open files of the serving process are read, with the size of the database and of the log; the figures are what
each of them grew by a minute, over the second half of the time: in the first one caches fill up.

Prints JSON. ``--sizes FILE`` writes every reading there as it is made, one JSON object a line.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import sqlite3
import time
from pathlib import Path
from typing import Any

from client import Socket, press
from load import CHANGE, HELLO, run
from running import Site, running_site


class Watcher(Socket):
    """Counts what it hears, and knows when a match is over."""

    def __init__(self, port: int, code: str) -> None:
        super().__init__(port, code)
        self.plies = 0
        self.over = asyncio.Event()
        self.gone = False

    def heard(self, text: bytes) -> None:
        if text.startswith(CHANGE):
            self.plies += 1
        if text.startswith((b'{"t":"welcome"', b'{"t":"table"')) and b'"status":"playing"' not in text:
            self.over.set()

    def lost(self, why: str) -> None:
        self.gone = True


async def again(site: Site, table: dict[str, Any], watcher: Watcher) -> None:
    """Press the button whenever a match is over, for ever."""
    while True:
        await watcher.over.wait()
        await asyncio.sleep(0.5)
        watcher.over.clear()
        with contextlib.suppress(ConnectionError):  # it had begun already
            await press(site.port, table["sessions"][0], f"/t/{table['code']}/start/")


def reading(site: Site, watchers: list[Watcher], began: float) -> dict[str, float]:
    """Return what there is to read now, sizes in bytes."""
    var = site.folder / "var"
    proc = Path(f"/proc/{site.pid}")
    bots = site.bots()
    with contextlib.closing(sqlite3.connect(f"file:{var}/hamsterdam.sqlite3?mode=ro", uri=True)) as database:
        [moves, matches] = [
            database.execute(f"SELECT count(*) FROM table_{t}").fetchone()[0] for t in ("move", "match")
        ]
    return {
        "minute": round((time.monotonic() - began) / 60, 2),
        "memory": site.server().rss,
        "memory_bots": bots.rss,
        "descriptors": len(list((proc / "fd").iterdir())),
        "threads": len(list((proc / "task").iterdir())),
        "database": sum(file.stat().st_size for file in var.glob("hamsterdam.sqlite3*")),
        "log": (site.folder / "site.log").stat().st_size,
        "moves": moves,
        "matches": matches,
        "watchers_lost": sum(watcher.gone for watcher in watchers),
        "deliveries": sum(watcher.plies for watcher in watchers),
    }


async def measure(site: Site, wish: argparse.Namespace) -> dict[str, Any]:
    """Set everything up, read once a minute, and return the figures."""
    prepared = await asyncio.to_thread(
        site.prepare, game=wish.game, tables=wish.tables, seats=1, seconds=15, bots=wish.seats - 1, away=True
    )
    tables = prepared["tables"]
    watchers = []
    for number in range(wish.watchers):
        watcher = Watcher(site.port, tables[number % len(tables)]["code"])
        await watcher.connect()
        watcher.say(HELLO)
        watchers.append(watcher)
    pressing = [asyncio.create_task(again(site, t, w)) for t, w in zip(tables, watchers, strict=False)]
    began = time.monotonic()
    readings: list[dict[str, float]] = []
    while not readings or readings[-1]["minute"] < wish.minutes:
        await asyncio.sleep(min(60.0, wish.minutes * 6))
        readings.append(await asyncio.to_thread(reading, site, watchers, began))
        if wish.sizes:
            with wish.sizes.open("a") as file:
                file.write(json.dumps(readings[-1]) + "\n")
    for task in pressing:
        if task.done():
            task.result()
        task.cancel()
    first, last = readings[len(readings) // 2], readings[-1]
    minutes = max(0.01, last["minute"] - first["minute"])
    moves = last["moves"] - first["moves"]
    return {
        "tables": wish.tables,
        "watchers": wish.watchers,
        "minutes": last["minute"],
        "moves": last["moves"],
        "matches": last["matches"],
        "deliveries": last["deliveries"],
        "kib_a_minute": {
            name: round((last[name] - first[name]) / minutes / 1024, 1)
            for name in ("memory", "memory_bots", "database", "log")
        },
        "database_bytes_a_move": round((last["database"] - first["database"]) / max(1, moves)),
        "descriptors_a_minute": round((last["descriptors"] - first["descriptors"]) / minutes, 2),
        "readings": [readings[0], first, last],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--tables", type=int, default=30)
    parser.add_argument("--watchers", type=int, default=300)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--game", default="hamsterdam")
    parser.add_argument("--pace", default="1.0", help="seconds a bot at least takes, as BOT_PACE")
    parser.add_argument("--sizes", type=Path, metavar="FILE", help="write every reading there")
    wish = parser.parse_args()
    if wish.watchers < wish.tables:
        parser.error("Each table needs a watcher: it tells when a match is over.")
    with running_site("daphne", "sqlite", BOT_PACE=wish.pace, LOG_LEVEL="INFO", LOG_JSON="1") as site:
        print(json.dumps(run(measure(site, wish)), indent=2))


if __name__ == "__main__":
    main()
