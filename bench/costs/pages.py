"""The cost of visitors who open pages: guests who arrive, and authors who write games."""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import time
from typing import Any

from bench.costs.clients import LONGEST, SeatedClient
from bench.harness.client import ClientSocket
from bench.harness.command import percentiles
from bench.harness.load import Load
from bench.harness.running import Site, profiled
from bench.harness.visitor import FORM, JSON, Visitor
from games.recycle.provider import FOLDER

# -- arrivals: people play with pauses to think (``--thinking``), while guests open the front page, open the page of a
# -- table with a free seat, sit down there with a name, and connect. Each guest has an address, behind a proxy.

FREE_SEATS = 3  # at a table where guests sit down
BEFORE = 4.0  # seconds of play before the guests arrive: half to settle, half to measure its CPU share


async def timed(visitor: Visitor, method: str, path: str, body: str = "", content_type: str = "") -> float:
    """Return the seconds that a request takes. Raises ConnectionError unless it succeeds."""
    began = time.perf_counter()
    status, answer = await visitor.ask(method, path, body.encode(), content_type)
    if status != 200:
        raise ConnectionError(f"{path} was answered by {status} {answer[:300]!r}")
    return time.perf_counter() - began


def end(load: asyncio.Task[Any]) -> None:
    """End what ran beside a measurement. Raises what it has failed with: the figures would be those of a quiet site."""
    if load.done():
        load.result()
    load.cancel()


async def arrivals(site: Site, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return how long each step of a guest takes while others play, and the CPU time of the server for a guest."""
    chance = random.Random(arguments.seed)
    playing = Load(site, arguments.game, arguments.seats, arguments.seed, thinking=arguments.thinking)
    if arguments.tables:
        await playing.take_seats(await playing.prepare(arguments.tables))
        await playing.start_all()
    count = math.ceil(arguments.guests / FREE_SEATS) + 2
    prepared = await asyncio.to_thread(site.prepare, game=arguments.game, tables=count, seats=1, open=FREE_SEATS)
    codes = [code for table in prepared["tables"] for code in [table["code"]] * FREE_SEATS]
    await guests(site, codes[: 2 * FREE_SEATS], 1.0, chance, {})  # they warm the site up, and are not measured
    codes = codes[2 * FREE_SEATS :]
    play = asyncio.create_task(playing.play(BEFORE + arguments.seconds + LONGEST)) if arguments.tables else None
    await asyncio.sleep(BEFORE / 2)
    alone = await site.cpu_share(BEFORE / 2)
    playing.tally.clear()
    times: dict[str, list[float]] = {}
    began, before = time.perf_counter(), site.serving_cost().cpu
    with profiled(site, arguments.profile):
        sockets = await guests(site, codes[: arguments.guests], arguments.seconds, chance, times)
    seconds = time.perf_counter() - began
    spent = site.serving_cost().cpu - before
    if play:
        end(play)
    figures = {
        "tables_playing": arguments.tables,
        "guests": arguments.guests,
        "seconds": round(seconds, 2),
        **{f"{name}_ms": percentiles(samples) for name, samples in times.items()},
        "moves_per_second": round(playing.tally.moves / seconds, 1),
        "confirmation_ms": percentiles(playing.tally.confirmations),
        "cpu_share_of_play_alone": alone,
        "server_cpu_share": round(spent / seconds, 3),
        "cpu_ms_a_guest": round((spent - alone * seconds) / arguments.guests * 1000, 1),
    }
    for each in sockets:
        each.close()
    playing.leave()
    return figures


async def guests(
    site: Site, codes: list[str], seconds: float, chance: random.Random, times: dict[str, list[float]]
) -> list[ClientSocket]:
    """Let a guest for each code arrive at a random time within ``seconds``. Return their sockets when all sit."""
    due = sorted(chance.uniform(0, seconds) for _ in codes)
    chance.shuffle(codes)
    come = zip(due, codes, strict=True)
    return await asyncio.gather(*(guest(site.port, n, at, code, times) for n, (at, code) in enumerate(come)))


async def guest(port: int, number: int, wait: float, code: str, times: dict[str, list[float]]) -> ClientSocket:
    """Come to a table as a guest after ``wait`` seconds, and sit down. Adds the seconds of each step to ``times``."""
    await asyncio.sleep(wait)
    visitor = Visitor(port, f"10.1.{number // 250}.{number % 250 + 1}")
    times.setdefault("front_page", []).append(await timed(visitor, "GET", "/"))
    times.setdefault("table_page", []).append(await timed(visitor, "GET", f"/t/{code}/"))
    sitting_down = timed(visitor, "POST", f"/t/{code}/sit/", f"name=Guest+{number}", FORM)
    times.setdefault("sitting_down", []).append(await sitting_down)
    visitor.close()
    began = time.perf_counter()
    player = SeatedClient(port, code, visitor.session)
    await player.enter()
    times.setdefault("connecting", []).append(time.perf_counter() - began)
    return player


# -- checks: authors change their texts, and the editor of each asks for a check and then for the table.

TEXTS = ("agram", "crazy-eights", "go-fish", "hearts", "president", "rummy", "whist")  # of the library
PAUSE = 1.0  # mean seconds between the changes of the author who is measured
UNTIL_CANCELLED = 10**9  # changes


async def checks(site: Site, arguments: argparse.Namespace) -> dict[str, Any]:
    """Return how long an author waits for the verdict on a change, and for the table, while others write games."""
    prepared = await asyncio.to_thread(site.prepare, game=arguments.game, tables=1 + arguments.others, seats=1, bots=1)
    sessions = [table["sessions"][0] for table in prepared["tables"]]
    chance = random.Random(arguments.seed)
    warm: dict[str, list[float]] = {}
    await asyncio.gather(*(author(site.port, session, 3, 0.0, random.Random(0), warm) for session in sessions))
    others = [
        asyncio.create_task(
            author(site.port, session, UNTIL_CANCELLED, arguments.pause, random.Random(chance.random()), {})
        )
        for session in sessions[1:]
    ]
    times: dict[str, list[float]] = {}
    began, before = time.perf_counter(), site.child_cpu()
    await author(site.port, sessions[0], arguments.changes, PAUSE, chance, times)
    seconds = time.perf_counter() - began
    for other in others:
        end(other)
    return {
        "others": arguments.others,
        "pause_of_others": arguments.pause,
        **{f"{name}_ms": percentiles(samples) for name, samples in times.items()},
        "worst_check_ms": round(max(times["check"]) * 1000),
        "sandbox_cpu_share": round((site.child_cpu() - before) / seconds, 2),
    }


async def author(
    port: int, session: str, changes: int, pause: float, chance: random.Random, times: dict[str, list[float]]
) -> None:
    """Change a text of the library ``changes`` times, with a mean ``pause`` in seconds.

    After each change request a check, then the table, as the editor does. Adds the seconds of each to ``times``.
    """
    visitor = Visitor(port, "127.0.0.1", session)
    name = chance.choice(TEXTS)
    source, table = (FOLDER / f"{name}.rcy").read_text(), (FOLDER / f"{name}.toml").read_text()
    for number in range(changes):
        changed = source.replace("(game", f";; {chance.random()} {number}\n(game", 1)
        asked: dict[str, Any] = {"source": changed, "table": table}
        for what, more in (("check", {}), ("look", {"seats": 0, "seat": 0, "plies": 5, "seed": "1"})):
            took = await timed(visitor, "POST", f"/workshop/{what}/", json.dumps(asked | more), JSON)
            times.setdefault(what, []).append(took)
        await asyncio.sleep(pause * chance.uniform(0.5, 1.5))
    visitor.close()
