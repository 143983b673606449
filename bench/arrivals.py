"""Guests who arrive while others play: how long the front page and sitting down take then, and what a guest costs.

At fifty tables people play at the pace of people. Meanwhile guests come, each of whom opens the front page, then the
page of a table where a chair is free, sits down there with a name, and connects. Rate limits are on: every guest comes
from an address of their own, by way of a proxy.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from pathlib import Path
from typing import Any

from client import Socket
from live import arguments_for, percentiles, show
from load import HELLO, Load, run
from running import Site, profiled, reference_loop, running_site

SECRET = "a" * 32  # of the forms: a browser may choose it
CHAIRS = 3  # that are free at a table where guests sit down
BEFORE = 4.0  # seconds of play alone
PATIENCE = 30.0


class Browser:
    """Somebody's line to the pages, kept open from one to the next."""

    def __init__(self, port: int, address: str) -> None:
        self._port = port
        self._address = address
        self.session = ""
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, path: str, form: str | None = None) -> float:
        """Get a page, or send a form. Return the seconds to the end of the answer. Raises ConnectionError."""
        began = time.perf_counter()
        if self._line is None:
            self._line = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._line
        body = (form or "").encode()
        cookies = [f"csrftoken={SECRET}", *([f"sessionid={self.session}"] if self.session else [])]
        head = [
            f"{'GET' if form is None else 'POST'} {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self._port}",
            f"X-Forwarded-For: {self._address}",
            f"Cookie: {'; '.join(cookies)}",
            "Accept-Encoding: gzip",
            "Accept-Language: en",
        ]
        if form is not None:
            head += ["Content-Type: application/x-www-form-urlencoded", f"X-CSRFToken: {SECRET}"]
            head += [f"Content-Length: {len(body)}"]
        writer.write("\r\n".join([*head, "", ""]).encode() + body)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        headers = [line.partition(": ")[::2] for line in answer.split("\r\n")[1:]]
        length = next(int(value) for name, value in headers if name.lower() == "content-length")
        text = await reader.readexactly(length)
        if answer.split(" ", 2)[1] != "200":
            raise ConnectionError(f"{path} was answered by {answer.splitlines()[0]} {text[:300]!r}")
        for name, value in headers:
            if name.lower() == "set-cookie" and value.startswith("sessionid="):
                self.session = value.removeprefix("sessionid=").split(";")[0]
        return time.perf_counter() - began

    def close(self) -> None:
        if self._line:
            self._line[1].close()


class Seated(Socket):
    """A guest's line to the table. ``welcome`` is done when it has been told how that stands."""

    def __init__(self, port: int, code: str, session: str) -> None:
        super().__init__(port, code, session)
        self.welcome: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def heard(self, text: bytes) -> None:
        if text.startswith(b'{"t":"welcome"') and not self.welcome.done():
            self.welcome.set_result(None)


async def measure(site: Site, wish: argparse.Namespace) -> dict[str, Any]:
    """Return the figures."""
    chance = random.Random(wish.seed)
    playing = Load(site, wish.game, wish.seats, wish.seed, thinking=wish.thinking)
    if wish.tables:
        await playing.take_seats(await playing.prepare(wish.tables))
        await playing.start_all()
    codes = [chair for table in await free_tables(site, wish) for chair in [table["code"]] * CHAIRS]
    await guests(site, codes[: 2 * CHAIRS], 1.0, chance, {})  # the first of all find a house that is not warm
    codes = codes[2 * CHAIRS :]
    play = asyncio.create_task(playing.play(BEFORE + wish.seconds + PATIENCE)) if wish.tables else None
    await asyncio.sleep(BEFORE / 2)
    alone = await share(site, BEFORE / 2)
    playing.tally.clear()
    times: dict[str, list[float]] = {}
    began, before = time.perf_counter(), site.server().cpu
    with profiled(site, wish.profile):
        sockets = await guests(site, codes[: wish.guests], wish.seconds, chance, times)
    seconds = time.perf_counter() - began
    spent = site.server().cpu - before
    if play:
        play.cancel()
    figures = {
        "server": wish.server,
        "database": wish.database,
        "tables_playing": wish.tables,
        "guests": wish.guests,
        "seconds": round(seconds, 2),
        **{f"{name}_ms": percentiles(found) for name, found in times.items()},
        "moves_per_second": round(playing.tally.moves / seconds, 1),
        "confirmation_ms": percentiles(playing.tally.confirmations),
        "cpu_share_of_play_alone": round(alone, 3),
        "server_cpu_share": round(spent / seconds, 3),
        "cpu_ms_a_guest": round((spent - alone * seconds) / wish.guests * 1000, 1),
        "reference_loop_ms": reference_loop(),
    }
    for socket in sockets:
        socket.close()
    playing.leave()
    return figures


async def free_tables(site: Site, wish: argparse.Namespace) -> list[dict[str, Any]]:
    """Make tables with free chairs for all guests, and for the few who come before."""
    count = -(-wish.guests // CHAIRS) + 2
    prepared = await asyncio.to_thread(site.prepare, game=wish.game, tables=count, seats=1, open=CHAIRS)
    tables: list[dict[str, Any]] = prepared["tables"]
    return tables


async def share(site: Site, seconds: float) -> float:
    """Return the share of its core that the server uses."""
    before, began = site.server().cpu, time.perf_counter()
    await asyncio.sleep(seconds)
    return (site.server().cpu - before) / (time.perf_counter() - began)


async def guests(
    site: Site, codes: list[str], seconds: float, chance: random.Random, times: dict[str, list[float]]
) -> list[Socket]:
    """Have one guest come to each of these tables within so many seconds. Return their sockets when all sit there."""
    due = sorted(chance.uniform(0, seconds) for _ in codes)
    chance.shuffle(codes)
    come = zip(due, codes, strict=True)
    return await asyncio.gather(*(guest(site.port, n, at, code, times) for n, (at, code) in enumerate(come)))


async def guest(port: int, number: int, wait: float, code: str, times: dict[str, list[float]]) -> Socket:
    await asyncio.sleep(wait)
    browser = Browser(port, f"10.1.{number // 250}.{number % 250 + 1}")
    times.setdefault("front_page", []).append(await browser.ask("/"))
    times.setdefault("table_page", []).append(await browser.ask(f"/t/{code}/"))
    times.setdefault("sitting_down", []).append(await browser.ask(f"/t/{code}/sit/", f"name=Guest+{number}"))
    browser.close()
    began = time.perf_counter()
    socket = Seated(port, code, browser.session)
    await socket.connect()
    socket.say(HELLO)
    await asyncio.wait_for(socket.welcome, PATIENCE)
    times.setdefault("connecting", []).append(time.perf_counter() - began)
    return socket


def main() -> None:
    parser = arguments_for(__doc__)
    parser.add_argument("--guests", type=int, default=200, metavar="N")
    parser.add_argument("--seconds", type=float, default=10.0, help="within which they come")
    parser.add_argument("--tables", type=int, default=50, metavar="N", help="at which people play meanwhile")
    parser.add_argument("--thinking", type=float, default=1.0, metavar="SECONDS", help="over a move, about")
    parser.add_argument("--profile", type=Path, metavar="FILE", help="have py-spy write the server's stacks there")
    wish = parser.parse_args()
    with running_site(wish.server, wish.database, RATE_LIMITS="1", BEHIND_PROXY="1") as site:
        show(run(measure(site, wish)), as_json=wish.json)


if __name__ == "__main__":
    main()
