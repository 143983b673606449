"""Attacks with messages and forms that are far too large, or make no sense."""

from __future__ import annotations

import asyncio
import contextlib
import os
import zlib

from bench.harness.client import BINARY, CONTINUATION, DEFLATED, FIN, PING, TEXT, frame, handshake
from bench.harness.visitor import Visitor
from bench.siege.attack import AttackRun, attack


def _deflated(text: bytes) -> bytes:
    """Return a text compressed as RFC 7692 says."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return (packer.compress(text) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]


@attack(
    "bombs",
    "8 sockets and 8 requests at a time that send bombs and garbage",
    {"game": "hamsterdam", "tables": 1, "seats": 1, "bots": 1},
)
async def bombs(run: AttackRun) -> None:
    code = run.tables[0]["code"]
    bomb = _deflated(b" " * 60_000_000)[:65_000]
    nested = b"[" * 100_000
    part = b"--b\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n"
    frames = [
        frame(FIN | DEFLATED | TEXT, bomb),
        frame(FIN | DEFLATED | TEXT, _deflated(b'{"t":"chat","id":1,"text":"' + b"a" * 2_000_000 + b'"}')),
        frame(FIN | DEFLATED | TEXT, b"\xff" * 60_000),
        frame(FIN | TEXT, b"[" * 4000),
        frame(FIN | TEXT, b'{"t":"move","id":1,"match":1,"decision":' + b"9" * 3900 + b',"move":""}'),
        frame(FIN | TEXT, b" " * 65_000),
        frame(FIN | BINARY, os.urandom(4000)),
        frame(TEXT, b"x" * 60_000) + frame(CONTINUATION, b"x" * 60_000) * 30,
        frame(FIN | PING, b"x" * 120) * 2000,
        frame(FIN | TEXT, b"{}") * 2000,
        os.urandom(20_000),
    ]
    bodies = [
        ("/workshop/check/", nested, "application/json"),
        ("/workshop/check/", b'{"source":"' + b"(" * 60_000 + b'","table":""}', "application/json"),
        ("/workshop/save/", b'{"a":' * 40_000, "application/json"),
        ("/new/?game=hamsterdam", b"&".join(b"a%d=b" % n for n in range(20_000)), "application/x-www-form-urlencoded"),
        ("/new/?game=hamsterdam", part * 4000 + b"--b--", "multipart/form-data; boundary=b"),
        ("/people/login/", b"username=" + b"%F0%9F%90%B9" * 20_000, "application/x-www-form-urlencoded"),
    ]  # fmt: skip

    async def throw(visitor: Visitor) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", run.port)
        try:
            offer = "Sec-WebSocket-Extensions: permessage-deflate"
            writer.write(handshake(run.port, code, f"X-Forwarded-For: {visitor.address}", offer))
            await reader.readuntil(b"\r\n\r\n")
            writer.write(run.chance.choice(frames))
            run.counts["frames"] += 1
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(2):
                    await writer.drain()
                    while await reader.read(65536):
                        pass
        except asyncio.IncompleteReadError:
            run.counts["turned away"] += 1
        finally:
            writer.close()

    async def send(visitor: Visitor) -> None:
        path, body, kind = run.chance.choice(bodies)
        status, _ = await visitor.ask("POST", path, body, kind)
        run.counts[f"answered {status}"] += 1

    await asyncio.gather(run.crowd(8, throw, times=3), run.crowd(8, send, times=3))
