"""The attacks of a siege. ``bench.siege`` runs each in a process of its own.

The process runs at low priority. Its command line is JSON and contains the port of the site. On standard output it
writes JSON: "begun" when the attack is under way, and the results after its standard input was closed, which ends the
attack. Every visitor sends an address of its own in X-Forwarded-For, as a proxy would, so that the limits for each
address apply, but not to the attack as a whole.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import random
import resource
import socket
import struct
import sys
import time
import zlib
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from bench.harness.client import handshake
from bench.harness.visitor import Visitor
from bench.siege.clients import EndlessPlayer, TableSocket
from bench.siege.texts import DETERMINIZE, HONEST, LOG, MOST_PLACES, OPTIONS, PLACES, SCORES, SLOW, TEXTS, AttackText

NICE = 10
PAUSE = 0.27  # seconds between two moves of a person; faster ones are refused
REQUESTS_PER_VISITOR = 20  # after so many a visitor is replaced by one with another address and session
FILES = 20_000  # open files allowed to the process
LEVEL = 9  # of compression
Work = Callable[["Assault"], Awaitable[None]]


@dataclass(frozen=True)
class Attack:
    """An attack, and what it needs in the database beforehand: see ``bench.harness.prepare``."""

    name: str
    about: str
    work: Work
    needs: dict[str, Any] = field(default_factory=dict)


ATTACKS: dict[str, Attack] = {}


def attack(name: str, about: str, needs: dict[str, Any] | None = None) -> Callable[[Work], Work]:
    """Register a function as an attack. The attack lasts until the siege ends it, even if the function returns."""

    def enter(work: Work) -> Work:
        ATTACKS[name] = Attack(name, about, work, needs or {})
        return work

    return enter


class Assault:
    """One attack under way: its visitors, and what has come of it so far."""

    def __init__(self, port: int, prepared: dict[str, Any], seed: str) -> None:
        self.port = port
        self.tables: list[dict[str, Any]] = prepared.get("tables", [])
        self.administrator: str = prepared.get("administrator", "")
        self.chance = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.notes: dict[str, Any] = {}
        self.over = asyncio.Event()
        self._numbers = itertools.count(1)
        self._begun = False

    def begun(self) -> None:
        """Say that the attack is under way, the first time."""
        if not self._begun:
            self._begun = True
            print(json.dumps("begun"), flush=True)

    def address(self) -> str:
        """Return an address that nobody has had before."""
        number = next(self._numbers)
        return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"

    def visitor(self, session: str = "") -> Visitor:
        """Return a new visitor."""
        return Visitor(self.port, self.address(), session)

    async def crowd(
        self, size: int, work: Callable[[Visitor], Awaitable[None]], turned: int = REQUESTS_PER_VISITOR
    ) -> None:
        """Let ``size`` visitors at a time repeat ``work`` until the end; each is replaced after ``turned`` times."""

        async def come() -> None:
            while not self.over.is_set():
                visitor = self.visitor()
                try:
                    for _ in range(turned):
                        await work(visitor)
                        if self.over.is_set():
                            return
                except (OSError, TimeoutError, zlib.error) as error:
                    self.counts[f"lost: {type(error).__name__}"] += 1
                    await asyncio.sleep(0.05)  # the site may be turning everybody away
                finally:
                    visitor.close()

        self.begun()
        await asyncio.gather(*(come() for _ in range(size)))

    async def get(self, visitor: Visitor, path: str) -> bytes:
        """Ask for a page, and count what is answered."""
        status, body = await visitor.get(path)
        self.counts[f"answered {status}"] += 1
        return body

    async def post(self, visitor: Visitor, path: str, **fields: object) -> bytes:
        """Send a form, and count what is answered."""
        status, body = await visitor.post(path, **fields)
        self.counts[f"answered {status}"] += 1
        return body


# -- pages and forms


@attack("pages", "16 visitors who open pages as fast as they are answered")
async def pages(assault: Assault) -> None:
    paths = (
        "/", "/games/", "/watch/", "/new/", "/tables.json", "/rules/camelup/", "/rules/hearts/", "/workshop/",
        "/workshop/new/", "/workshop/patterns/", "/lab/", "/people/login/", "/rules/thief/drawer/", "/no-such/",
    )  # fmt: skip

    async def look(visitor: Visitor) -> None:
        await assault.get(visitor, assault.chance.choice(paths))

    await assault.crowd(16, look)


@attack("forms", "16 guests who open tables, sit down, rename themselves and start matches without a pause")
async def forms(assault: Assault) -> None:
    async def fill(visitor: Visitor) -> None:
        dice = assault.chance.randrange(5)
        if dice < 2:
            await assault.post(visitor, f"/play/{assault.chance.choice(('hamsterdam', 'enchere', 'camelup'))}/")
        elif dice == 2:
            seats = {"seat0": "me", "seat1": "house", **{f"seat{n}": "none" for n in range(2, 6)}}
            more = {"visibility": "public", "sealed": "yes", "seconds": 300, "name": "Flood"}
            await assault.post(visitor, "/new/?game=hamsterdam", **seats, **more)
        elif dice == 3:
            await assault.post(visitor, "/people/me/name/", name=f"Flood {assault.chance.randrange(1000)}")
        else:
            await assault.post(visitor, "/language/", language="nl", next="/")

    await assault.crowd(16, fill)


@attack("passwords", "12 visitors who log in and register without a pause: each answer hashes a password")
async def passwords(assault: Assault) -> None:
    async def guess(visitor: Visitor) -> None:
        name = f"flood{assault.chance.randrange(10**9)}"
        if assault.chance.random() < 0.7:
            await assault.post(visitor, "/people/login/", username=name, password="no such password")
        else:
            word = "a long enough password"
            await assault.post(visitor, "/people/register/", username=name, password1=word, password2=word)

    await assault.crowd(12, guess, turned=8)


# -- bombs and garbage


def _masked(first: int, payload: bytes) -> bytes:
    """Return a frame as a client sends it, with a mask that masks nothing."""
    size = len(payload)
    if size < 126:
        head = struct.pack("!BB", first, 0x80 | size)
    elif size < 1 << 16:
        head = struct.pack("!BBH", first, 0xFE, size)
    else:
        head = struct.pack("!BBQ", first, 0xFF, size)
    return head + b"\0\0\0\0" + payload


def _deflated(text: bytes) -> bytes:
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return (packer.compress(text) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]


@attack(
    "bombs",
    "8 sockets and 8 requests at a time that send bombs and garbage",
    {"game": "hamsterdam", "tables": 1, "seats": 1, "bots": 1},
)
async def bombs(assault: Assault) -> None:
    code = assault.tables[0]["code"]
    bomb = _deflated(b" " * 60_000_000)[:65_000]
    nested = b"[" * 100_000
    part = b"--b\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n"
    frames = [
        _masked(0xC1, bomb),
        _masked(0xC1, _deflated(b'{"t":"chat","id":1,"text":"' + b"a" * 2_000_000 + b'"}')),
        _masked(0xC1, b"\xff" * 60_000),
        _masked(0x81, b"[" * 4000),
        _masked(0x81, b'{"t":"move","id":1,"match":1,"decision":' + b"9" * 3900 + b',"move":""}'),
        _masked(0x81, b" " * 65_000),
        _masked(0x82, os.urandom(4000)),
        _masked(0x01, b"x" * 60_000) + _masked(0x00, b"x" * 60_000) * 30,
        _masked(0x89, b"x" * 120) * 2000,
        _masked(0x81, b"{}") * 2000,
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
        reader, writer = await asyncio.open_connection("127.0.0.1", assault.port)
        try:
            offer = "Sec-WebSocket-Extensions: permessage-deflate"
            writer.write(handshake(assault.port, code, f"X-Forwarded-For: {visitor.address}", offer))
            await reader.readuntil(b"\r\n\r\n")
            writer.write(assault.chance.choice(frames))
            assault.counts["frames"] += 1
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(2):
                    await writer.drain()
                    while await reader.read(65536):
                        pass
        except asyncio.IncompleteReadError:
            assault.counts["turned away"] += 1
        finally:
            writer.close()

    async def send(visitor: Visitor) -> None:
        path, body, kind = assault.chance.choice(bodies)
        status, _ = await visitor.ask("POST", path, body, kind)
        assault.counts[f"answered {status}"] += 1

    await asyncio.gather(assault.crowd(8, throw, turned=3), assault.crowd(8, send, turned=3))


# -- connections


BUSY = {"game": "hamsterdam", "tables": 1, "seats": 2, "started": True}


async def _keep_busy(assault: Assault) -> None:
    """Have the people of the first table play as fast as they may."""
    table = assault.tables[0]
    for session in table["sessions"]:
        await EndlessPlayer(assault.visitor(session), table["code"], (), assault.chance, PAUSE).join()


@attack(
    "deaf", "40 sockets at a busy table that say hello, ping and never read; each reconnects when it is cut off", BUSY
)
async def deaf(assault: Assault) -> None:
    code = assault.tables[0]["code"]
    await _keep_busy(assault)
    hello, ping = _masked(0x81, b'{"t":"hello","protocol":3}'), _masked(0x89, b"x" * 120)
    loop = asyncio.get_running_loop()

    async def sit() -> None:
        while not assault.over.is_set():
            connection = socket.socket()
            connection.setblocking(False)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            try:
                await loop.sock_connect(connection, ("127.0.0.1", assault.port))
                await loop.sock_sendall(
                    connection, handshake(assault.port, code, f"X-Forwarded-For: {assault.address()}")
                )
                await loop.sock_recv(connection, 1024)
                await loop.sock_sendall(connection, hello)
                assault.counts["sockets"] += 1
                while not assault.over.is_set():
                    async with asyncio.timeout(5):
                        await loop.sock_sendall(connection, ping * 20)
                    await asyncio.sleep(0.1)
            except (OSError, TimeoutError):
                assault.counts["cut off"] += 1
                await asyncio.sleep(0.05)
            finally:
                connection.close()

    assault.begun()
    await asyncio.gather(*(sit() for _ in range(40)))


@attack(
    "idle",
    "1,400 sockets from two addresses that say hello and then nothing",
    {"game": "hamsterdam", "tables": 1, "seats": 1, "bots": 1},
)
async def idle(assault: Assault) -> None:
    code = assault.tables[0]["code"]
    addresses = [assault.address(), assault.address()]
    connections: list[TableSocket] = []

    async def come(group: int) -> None:
        for number in range(group, 1400, 20):
            if assault.over.is_set():
                return
            connection = TableSocket(assault.port, code, address=addresses[number % 2])
            try:
                await connection.join()
                connections.append(connection)
            except (OSError, TimeoutError) as error:
                assault.counts[f"lost: {type(error).__name__}"] += 1

    assault.begun()
    await asyncio.gather(*map(come, range(20)))
    await assault.over.wait()
    assault.notes["sockets"] = len(connections)
    assault.notes["sockets_left"] = sum(not connection.gone for connection in connections)


@attack("silent", "600 connections that never send a byte; each reconnects when it is closed")
async def silent(assault: Assault) -> None:
    lasted: list[float] = []

    async def wait() -> None:
        while not assault.over.is_set():
            began = time.monotonic()
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", assault.port)
            except OSError:
                assault.counts["turned away"] += 1
                await asyncio.sleep(0.5)
                continue
            assault.counts["connections"] += 1
            with contextlib.suppress(OSError):
                await reader.read(1)
                lasted.append(time.monotonic() - began)
            writer.close()

    assault.begun()
    tasks = [asyncio.create_task(wait()) for _ in range(600)]
    await assault.over.wait()
    for task in tasks:
        task.cancel()
    assault.notes["closed"] = len(lasted)
    assault.notes["closed_after_s"] = round(max(lasted), 1) if lasted else None


@attack("trickle", "300 connections that send one byte of a request per second")
async def trickle(assault: Assault) -> None:
    async def drip(visitor: Visitor) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", assault.port)
        try:
            assault.counts["connections"] += 1
            for byte in b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: " + b"x" * 10_000:
                writer.write(bytes([byte]))
                await writer.drain()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(1):
                        if not await reader.read(1024):
                            return
                if assault.over.is_set():
                    return
        finally:
            writer.close()

    await assault.crowd(300, drip)


# -- messages at tables


@attack(
    "floods",
    "20 people at ten tables who send moves, chat, questions and hellos as fast as they may, and faster",
    {"game": "hamsterdam", "tables": 10, "seats": 2, "started": True},
)
async def floods(assault: Assault) -> None:
    class Flooding(TableSocket):
        def refused(self, text: bytes) -> None:
            assault.counts[f"refused: {json.loads(text)['code']}"] += 1

        def acknowledged(self) -> None:
            assault.counts["stored"] += 1

    def message(seat: TableSocket, number: int) -> bytes:
        seen = seat.seen
        match, decision = (seen.match, seen.view.decision) if seen else (1, 0)
        move = assault.chance.choice([one.move for one in seen.view.moves]) if seen and seen.view.moves else "keep"
        kinds: list[dict[str, Any]] = [
            {"t": "move", "id": number, "match": match, "decision": decision, "move": move},
            {"t": "move", "id": number, "match": match, "decision": decision + 9, "move": "no such move"},
            {"t": "chat", "id": number, "text": "flood " * 80},
            {"t": "why", "id": number, "match": match, "touched": "seat:0"},
            {"t": "hello", "protocol": 3},
            {"t": "ready", "id": number},
            {"t": "back"},
            {"t": "ping"},
        ]
        return json.dumps(assault.chance.choice(kinds)).encode()

    async def flood(code: str, session: str, pause: float) -> None:
        visitor = assault.visitor(session)
        while not assault.over.is_set():
            seat = Flooding(assault.port, code, session, visitor.address)
            try:
                await seat.join()
            except (OSError, TimeoutError):
                assault.counts["turned away"] += 1
                await asyncio.sleep(0.2)
                continue
            for number in itertools.count(1):
                if seat.gone or assault.over.is_set():
                    break
                seat.say(message(seat, number))
                assault.counts["messages"] += 1
                await asyncio.sleep(pause)
            assault.counts["cut off"] += bool(seat.gone)
            seat.leave()

    assault.begun()
    people = [(table["code"], session) for table in assault.tables for session in table["sessions"]]
    # Half of them send as often as a connection may, the others far more often.
    await asyncio.gather(*(flood(*one, 0.052 if number % 2 else 0.002) for number, one in enumerate(people)))


@attack(
    "hellos",
    "8 spectators who come to a long match again and again, and are sent its whole log each time",
    {"game": "camelup", "tables": 1, "seats": 4, "left": 1},
)
async def hellos(assault: Assault) -> None:
    code = assault.tables[0]["code"]

    async def come(visitor: Visitor) -> None:
        arrived = asyncio.get_running_loop().create_future()

        class Watching(TableSocket):
            def turn(self, seen: object) -> None:
                if not arrived.done():
                    arrived.set_result(None)

            def lost(self, why: str) -> None:
                if not arrived.done():
                    arrived.set_exception(ConnectionError(why))

        connection = Watching(assault.port, code, address=visitor.address)
        try:
            await connection.join()
            async with asyncio.timeout(60):
                await arrived
            assault.counts["hellos"] += 1
        finally:
            connection.leave()

    await assault.crowd(8, come)


# -- what costs much by itself


@attack(
    "replays",
    "6 anonymous visitors who ask for the replay of a long match that is being played",
    {"game": "camelup", "tables": 1, "seats": 4, "left": 1},
)
async def replays(assault: Assault) -> None:
    match = assault.tables[0]["match"]

    async def look(visitor: Visitor) -> None:
        assault.counts["bytes"] += len(await assault.get(visitor, f"/replay/{match}/frames.json"))

    await assault.crowd(6, look)


@attack("checks", "12 visitors who ask the editor's questions about heavy texts without a pause")
async def checks(assault: Assault) -> None:
    async def ask(visitor: Visitor) -> None:
        text = assault.chance.choice(list(TEXTS.values()))
        if assault.chance.random() < 0.5:
            answer = await visitor.send_json(
                "/workshop/check/", source=text.variant(assault.chance.randrange(99)), table=""
            )
        else:
            asked = {"source": text.source, "table": "", "seats": 0, "seat": 0, "plies": 50, "seed": "1"}
            answer = await visitor.send_json("/workshop/look/", **asked)
        assault.counts["answered" if answer.get("ok") else f"refused: {answer.get('code', '?')}"] += 1

    await assault.crowd(12, ask)


@attack("saves", "6 guests who save heavy texts without a pause: each is tried out for seconds")
async def saves(assault: Assault) -> None:
    async def keep(visitor: Visitor) -> None:
        text = assault.chance.choice(list(TEXTS.values()))
        source = text.variant(assault.chance.randrange(10**6))
        answer = await visitor.send_json("/workshop/save/", code=None, source=source, table="", base=None)
        assault.counts["saved" if answer.get("ok") else f"refused: {answer.get('code', '?')}"] += 1

    await assault.crowd(6, keep, turned=8)


@attack("feel", "6 guests who have heavy texts measured, and look on")
async def feel(assault: Assault) -> None:
    async def measure(visitor: Visitor) -> None:
        text = assault.chance.choice((HONEST, SCORES, OPTIONS, DETERMINIZE))
        source = text.variant(assault.chance.randrange(99))
        answer = await visitor.send_json("/workshop/feel/", source=source, table="", seats=text.seats)
        assault.counts["begun" if answer.get("ok") else f"refused: {answer.get('code', '?')}"] += 1
        for _ in range(10):
            if assault.over.is_set():
                return
            if "url" in answer:
                await assault.get(visitor, answer["url"])
            await asyncio.sleep(0.5)

    await assault.crowd(6, measure)


@attack(
    "reports",
    "an administrator has a long report made, while others look at the laboratory's pages",
    {"game": "hamsterdam", "tables": 1, "seats": 1, "bots": 1, "administrator": True},
)
async def reports(assault: Assault) -> None:
    staff = assault.visitor(assault.administrator)
    asked = {"game": "camelup", "seats": 4, "at_random": 1000, "searched": 200, "rollouts": 50}
    await assault.post(staff, "/lab/runs/?game=camelup", **asked)

    async def look(visitor: Visitor) -> None:
        await assault.get(visitor, "/lab/")
        await asyncio.sleep(0.5)

    async def follow(_visitor: Visitor) -> None:
        await assault.get(staff, "/lab/runs/status.json")
        await asyncio.sleep(0.5)

    await asyncio.gather(assault.crowd(2, look), assault.crowd(1, follow))


# -- texts


class TextRefused(Exception):
    """The site refused to play a text; the message is its reason."""


async def _save(author: Visitor, text: AttackText, number: int) -> str:
    """Save a text and return its code. Raises TextRefused, ConnectionError, TimeoutError."""
    answer: dict[str, Any] = {}
    for _ in range(10):
        answer = await author.send_json("/workshop/save/", code=None, source=text.variant(number), table="", base=None)
        if answer.get("playable"):
            return str(answer["code"])
        if answer.get("why"):  # the trial run has failed
            break
        await asyncio.sleep(1)
    raise TextRefused(str(answer.get("why") or answer.get("text") or answer)[:300])


async def _play(assault: Assault, text: AttackText, number: int) -> EndlessPlayer:
    """Save a text, open a table for it and play there endlessly. Raises TextRefused, ConnectionError, TimeoutError."""
    author = assault.visitor()
    code = await _save(author, text, number)
    seats = {f"seat{index}": text.bots if index else "me" for index in range(text.seats)}
    more = {"visibility": "link", "sealed": "no", "seconds": 300, "name": "Author"}
    status, answer = await author.post(f"/new/?game=w-{code}-1", **seats, **more)
    if status != 302:
        raise TextRefused(f"A table was refused with {status}: {answer[:200]!r}")
    table = author.redirected_to.strip("/").split("/")[1]
    seat = EndlessPlayer(author, table, text.play, assault.chance, PAUSE)
    await seat.join()
    await author.post(f"/t/{table}/start/")
    await TableSocket(assault.port, table, address=assault.address()).join()  # a spectator
    return seat


async def _played(assault: Assault, *texts: AttackText) -> list[EndlessPlayer]:
    """Play texts, each at a table of its own, and note which of them are refused."""
    seats: list[EndlessPlayer] = []
    refused: set[str] = set()
    for number, text in enumerate(texts):  # one after the other: only so many trials may wait
        try:
            seats.append(await _play(assault, text, number))
        except TextRefused as refusal:
            refused.add(str(refusal))
        except (OSError, TimeoutError) as error:
            refused.add(repr(error))
    assault.notes["tables"] = len(seats)
    if refused:
        assault.notes["refused"] = sorted(refused)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(30):
            for seat in seats:
                await seat.played(len(seat.first) + 1)
    assault.begun()
    return seats


async def _until_the_end(assault: Assault, *texts: AttackText) -> None:
    """Play texts until the attack is ended. A text that is refused is saved again and again."""
    seats = await _played(assault, *texts)
    if not seats:
        numbers = itertools.count(100)

        async def save(visitor: Visitor) -> None:
            source = texts[0].variant(next(numbers))
            answer = await visitor.send_json("/workshop/save/", code=None, source=source, table="", base=None)
            assault.counts["saved" if answer.get("ok") else f"refused: {answer.get('code', '?')}"] += 1

        await assault.crowd(1, save, turned=8)
    before = sum(seat.moves for seat in seats)
    await assault.over.wait()
    assault.notes["moves"] = sum(seat.moves for seat in seats) - before
    assault.notes["matches"] = sum(seat.matches for seat in seats)
    assault.notes["refusals"] = sum(seat.refusals for seat in seats)
    assault.notes["lost"] = sorted({seat.gone for seat in seats if seat.gone})


@attack("text-places", "a guest and a text with 20 seats and 1,960 places, that a rare option creates")
async def places(assault: Assault) -> None:
    await _until_the_end(assault, PLACES)


@attack("text-most-places", "a guest and a text with 20 seats and as many places as a match may have")
async def most_places(assault: Assault) -> None:
    await _until_the_end(assault, MOST_PLACES)


@attack("text-slow", "a guest and a text whose moves take seconds once a rare option has been taken")
async def slow(assault: Assault) -> None:
    await _until_the_end(assault, SLOW)


@attack("text-honest", "five guests with texts that use all of every limit for texts, and bots")
async def honest(assault: Assault) -> None:
    await _until_the_end(assault, *[HONEST] * 5)


@attack("text-options", "a text whose legal moves take long to compute")
async def options(assault: Assault) -> None:
    await _until_the_end(assault, OPTIONS)


@attack("text-determinize", "a text in which hardly any sampled deal is a determinization for a bot")
async def determinize(assault: Assault) -> None:
    await _until_the_end(assault, DETERMINIZE)


@attack("text-log", "a text that writes hundreds of log entries with each move")
async def log(assault: Assault) -> None:
    await _until_the_end(assault, LOG)


@attack("text-scores", "a text that is slow to count its scores, which every view shows")
async def scores(assault: Assault) -> None:
    await _until_the_end(assault, SCORES)


async def _look_back(assault: Assault, text: AttackText) -> None:
    """Play a text for a while, then have many ask for the replay again and again."""

    async def look(visitor: Visitor) -> None:
        assault.counts["bytes"] += len(await assault.get(visitor, path))

    seats = await _played(assault, text)
    if not seats:
        await assault.over.wait()
        return
    path = f"/replay/{seats[0].seen.match if seats[0].seen else 1}/frames.json?table={seats[0].table}"
    seats[0].pause()  # it is the replays that cost now
    await assault.crowd(6, look)


@attack("text-replays", "6 anonymous visitors who ask for the replay of a match with as many places as there may be")
async def text_replays(assault: Assault) -> None:
    await _look_back(assault, MOST_PLACES)


@attack("text-slow-replays", "the same of a match whose moves take seconds")
async def slow_replays(assault: Assault) -> None:
    await _look_back(assault, SLOW)


# -- the process


async def _run(name: str, port: int, prepared: dict[str, Any], seed: str) -> dict[str, Any]:
    assault = Assault(port, prepared, seed)
    loop = asyncio.get_running_loop()
    ended = loop.run_in_executor(None, sys.stdin.read)
    work = asyncio.ensure_future(ATTACKS[name].work(assault))
    trouble = ""
    await asyncio.wait({work, ended}, return_when=asyncio.FIRST_COMPLETED)
    if work.done() and (error := work.exception()):
        trouble = repr(error)
    assault.begun()
    await ended
    assault.over.set()
    _done, late = await asyncio.wait({work}, timeout=2)
    for task in late:
        task.cancel()
    if not late and (error := work.exception()):
        trouble = repr(error)
    return {
        "did": dict(sorted(assault.counts.items())),
        **assault.notes,
        "trouble": trouble,
    }


def main() -> None:
    """Run the attack that the command line names."""
    asked = json.loads(sys.argv[1])
    with contextlib.suppress(OSError):
        os.nice(NICE)
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, FILES), hard))
    print(json.dumps(asyncio.run(_run(**asked))), flush=True)
    sys.stdout.flush()
    os._exit(0)  # without waiting for requests that are still open


if __name__ == "__main__":
    main()
