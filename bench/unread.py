"""What sockets cost that say hello and never read: the site's memory until they are cut off, and when that is.

Two people play as fast as they can at one table while honest watchers listen; then others connect, say hello and read
nothing. Their own side takes as little as it can, so that what waits for them waits at the site.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import select
import socket
import struct
import time
from typing import Any

from client import handshake
from load import HELLO, Load, run
from running import Site, running_site

SAMPLE = 0.05  # seconds between two looks


def never_reads(port: int, code: str) -> socket.socket:
    """Return a connection that has said hello to a table and has read nothing but the handshake."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.connect(("127.0.0.1", port))
    line.sendall(handshake(port, code))
    while not line.recv(4096).endswith(b"\r\n\r\n"):
        pass
    line.sendall(struct.pack("!BBI", 0x81, 0x80 | len(HELLO), 0) + HELLO)
    return line


def cut_off(lines: list[socket.socket]) -> int:
    """Return how many connections the site has ended."""
    poll = select.poll()
    for line in lines:
        poll.register(line, select.POLLHUP | select.POLLERR)
    return len(poll.poll(0))


async def measure(site: Site, wish: argparse.Namespace) -> dict[str, Any]:
    """Return the figures."""
    load = Load(site, wish.game, wish.seats, wish.seed)
    [table] = await load.prepare(1)
    await load.take_seats([table])
    await load.watch(wish.watchers, load.boards)
    await load.start_all()
    await load.play(3)
    before = peak = site.server().rss
    lines = [await asyncio.to_thread(never_reads, site.port, table["code"]) for _ in range(wish.sockets)]
    playing = asyncio.create_task(load.play(wish.seconds))
    began, all_cut = time.perf_counter(), None
    while not playing.done():
        await asyncio.sleep(SAMPLE)
        peak = max(peak, site.server().rss)
        if all_cut is None and cut_off(lines) == len(lines):
            all_cut = round(time.perf_counter() - began, 1)
    await playing
    load.leave()
    return {
        "sockets": wish.sockets,
        "watchers": wish.watchers,
        "mb_per_socket_at_most": round((peak - before) / 2**20 / wish.sockets, 2),
        "mb_per_socket_afterwards": round((site.server().rss - before) / 2**20 / wish.sockets, 2),
        "cut_off": cut_off(lines),
        "all_cut_off_after_seconds": all_cut,
        "moves_per_second": round(load.tally.moves / wish.seconds, 1),
    }


def main() -> None:
    """Measure as told on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", choices=("daphne", "uvicorn"), default="daphne")
    parser.add_argument("--game", default="hamsterdam")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", default="bench")
    parser.add_argument("--sockets", type=int, default=40)
    parser.add_argument("--watchers", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=20)
    wish = parser.parse_args()

    async def work() -> dict[str, Any]:
        with running_site(wish.server, "sqlite") as site:
            return await measure(site, wish)

    print(json.dumps(run(work()), indent=2))


if __name__ == "__main__":
    main()
