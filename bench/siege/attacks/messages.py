"""Attacks with messages at tables."""

from __future__ import annotations

import asyncio
import itertools
import json
from typing import Any

from bench.harness.visitor import Visitor
from bench.siege.attack import AttackRun, attack
from bench.siege.clients import TableSocket


@attack(
    "floods",
    "20 people at ten tables who send moves, chat, questions and hellos as fast as they may, and faster",
    {"game": "hamsterdam", "tables": 10, "seats": 2, "started": True},
)
async def floods(run: AttackRun) -> None:
    class Flooding(TableSocket):
        def refused(self, text: bytes) -> None:
            run.counts[f"refused: {json.loads(text)['code']}"] += 1

        def acknowledged(self) -> None:
            run.counts["stored"] += 1

    def message(seat: TableSocket, number: int) -> bytes:
        seen = seat.seen
        match, decision = (seen.match, seen.view.decision) if seen else (1, 0)
        move = run.chance.choice([one.move for one in seen.view.moves]) if seen and seen.view.moves else "keep"
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
        return json.dumps(run.chance.choice(kinds)).encode()

    async def flood(code: str, session: str, pause: float) -> None:
        visitor = run.visitor(session)
        while not run.over.is_set():
            seat = Flooding(run.port, code, session, visitor.address)
            try:
                await seat.join()
            except OSError:
                run.counts["turned away"] += 1
                await asyncio.sleep(0.2)
                continue
            for number in itertools.count(1):
                if seat.gone or run.over.is_set():
                    break
                seat.send(message(seat, number))
                run.counts["messages"] += 1
                await asyncio.sleep(pause)
            run.counts["cut off"] += bool(seat.gone)
            seat.leave()

    run.begun()
    people = [(table["code"], session) for table in run.tables for session in table["sessions"]]
    # Half of them send as often as a connection may, the others far more often.
    await asyncio.gather(*(flood(*one, 0.052 if number % 2 else 0.002) for number, one in enumerate(people)))


@attack(
    "hellos",
    "8 spectators who come to a long match again and again, and are sent its whole log each time",
    {"game": "camelup", "tables": 1, "seats": 4, "left": 1},
)
async def hellos(run: AttackRun) -> None:
    code = run.tables[0]["code"]

    async def enter(visitor: Visitor) -> None:
        arrived = asyncio.get_running_loop().create_future()

        class Watching(TableSocket):
            def turn(self, seen: object) -> None:
                if not arrived.done():
                    arrived.set_result(None)

            def lost(self, why: str) -> None:
                if not arrived.done():
                    arrived.set_exception(ConnectionError(why))

        connection = Watching(run.port, code, address=visitor.address)
        try:
            await connection.join()
            async with asyncio.timeout(60):
                await arrived
            run.counts["hellos"] += 1
        finally:
            connection.leave()

    await run.crowd(8, enter)
