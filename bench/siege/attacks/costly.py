"""Attacks with requests that are expensive for the site."""

from __future__ import annotations

import asyncio

from bench.harness.visitor import Visitor
from bench.siege.attack import AttackRun, attack
from bench.siege.texts import DETERMINIZE, HONEST, OPTIONS, SCORES, TEXTS


@attack(
    "replays",
    "6 anonymous visitors who ask for the replay of a long match that is being played",
    {"game": "camelup", "tables": 1, "seats": 4, "left": 1},
)
async def replays(run: AttackRun) -> None:
    match = run.tables[0]["match"]

    async def look(visitor: Visitor) -> None:
        run.counts["bytes"] += len(await run.get(visitor, f"/replay/{match}/frames.json"))

    await run.crowd(6, look)


@attack("checks", "12 visitors who send the editor's check and preview requests for heavy texts without a pause")
async def checks(run: AttackRun) -> None:
    async def ask(visitor: Visitor) -> None:
        text = run.chance.choice(list(TEXTS.values()))
        if run.chance.random() < 0.5:
            answer = await visitor.send_json(
                "/workshop/check/", source=text.variant(run.chance.randrange(99)), table=""
            )
        else:
            asked = {"source": text.source, "table": "", "seats": 0, "seat": 0, "plies": 50, "seed": "1"}
            answer = await visitor.send_json("/workshop/look/", **asked)
        run.counts["answered" if answer.get("ok") else f"refused: {answer.get('code', '?')}"] += 1

    await run.crowd(12, ask)


@attack("saves", "6 guests who save heavy texts without a pause: each is tried out for seconds")
async def saves(run: AttackRun) -> None:
    async def keep(visitor: Visitor) -> None:
        text = run.chance.choice(list(TEXTS.values()))
        source = text.variant(run.chance.randrange(10**6))
        answer = await visitor.send_json("/workshop/save/", code=None, source=source, table="", base=None)
        run.counts["saved" if answer.get("ok") else f"refused: {answer.get('code', '?')}"] += 1

    await run.crowd(6, keep, times=8)


@attack("feel", "6 guests who have heavy texts measured, and poll the results")
async def feel(run: AttackRun) -> None:
    async def measure(visitor: Visitor) -> None:
        text = run.chance.choice((HONEST, SCORES, OPTIONS, DETERMINIZE))
        source = text.variant(run.chance.randrange(99))
        answer = await visitor.send_json("/workshop/feel/", source=source, table="", seats=text.seats)
        run.counts["begun" if answer.get("ok") else f"refused: {answer.get('code', '?')}"] += 1
        await asyncio.sleep(0.5)
        for _ in range(10 if "url" in answer else 0):
            if run.over.is_set():
                return
            await run.get(visitor, answer["url"])
            await asyncio.sleep(0.5)

    await run.crowd(6, measure)


@attack(
    "reports",
    "an administrator has a long report made, while others look at the laboratory's pages",
    {"game": "hamsterdam", "tables": 1, "seats": 1, "bots": 1, "administrator": True},
)
async def reports(run: AttackRun) -> None:
    staff = run.visitor(run.administrator)
    asked = {"game": "camelup", "seats": 4, "at_random": 1000, "searched": 200, "rollouts": 50}
    await run.post(staff, "/lab/runs/?game=camelup", **asked)

    async def look(visitor: Visitor) -> None:
        await run.get(visitor, "/lab/")
        await asyncio.sleep(0.5)

    # The page of the status is for administrators; the crowd of one only repeats the request.
    async def follow(_visitor: Visitor) -> None:
        await run.get(staff, "/lab/runs/status.json")
        await asyncio.sleep(0.5)

    await asyncio.gather(run.crowd(2, look), run.crowd(1, follow))
