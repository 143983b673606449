"""Attacks with requests that are expensive for the site."""

from __future__ import annotations

import asyncio

from bench.harness.visitor import Visitor
from bench.siege.assault import Assault, attack
from bench.siege.texts import DETERMINIZE, HONEST, OPTIONS, SCORES, TEXTS


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


@attack("checks", "12 visitors who send the editor's check and preview requests for heavy texts without a pause")
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


@attack("feel", "6 guests who have heavy texts measured, and poll the results")
async def feel(assault: Assault) -> None:
    async def measure(visitor: Visitor) -> None:
        text = assault.chance.choice((HONEST, SCORES, OPTIONS, DETERMINIZE))
        source = text.variant(assault.chance.randrange(99))
        answer = await visitor.send_json("/workshop/feel/", source=source, table="", seats=text.seats)
        assault.counts["begun" if answer.get("ok") else f"refused: {answer.get('code', '?')}"] += 1
        await asyncio.sleep(0.5)
        for _ in range(10 if "url" in answer else 0):
            if assault.over.is_set():
                return
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

    # The page of the status is for administrators; the crowd of one only repeats the request.
    async def follow(_visitor: Visitor) -> None:
        await assault.get(staff, "/lab/runs/status.json")
        await asyncio.sleep(0.5)

    await asyncio.gather(assault.crowd(2, look), assault.crowd(1, follow))
