"""Attacks with pages and forms."""

from __future__ import annotations

from bench.harness.visitor import Visitor
from bench.siege.attack import AttackRun, attack


@attack("pages", "16 visitors who open pages as fast as they are answered")
async def pages(run: AttackRun) -> None:
    paths = (
        "/", "/games/", "/watch/", "/new/", "/tables.json", "/rules/camelup/", "/rules/hearts/", "/workshop/",
        "/workshop/new/", "/workshop/patterns/", "/lab/", "/people/login/", "/rules/thief/drawer/", "/no-such/",
    )  # fmt: skip

    async def look(visitor: Visitor) -> None:
        await run.get(visitor, run.chance.choice(paths))

    await run.crowd(16, look)


@attack("forms", "16 guests who open tables, sit down, rename themselves and start matches without a pause")
async def forms(run: AttackRun) -> None:
    async def fill(visitor: Visitor) -> None:
        dice = run.chance.randrange(5)
        if dice < 2:
            await run.post(visitor, f"/play/{run.chance.choice(('hamsterdam', 'enchere', 'camelup'))}/")
        elif dice == 2:
            seats = {"seat0": "me", "seat1": "house", **{f"seat{n}": "none" for n in range(2, 6)}}
            more = {"visibility": "public", "sealed": "yes", "seconds": 300, "name": "Flood"}
            await run.post(visitor, "/new/?game=hamsterdam", **seats, **more)
        elif dice == 3:
            await run.post(visitor, "/people/me/name/", name=f"Flood {run.chance.randrange(1000)}")
        else:
            await run.post(visitor, "/language/", language="nl", next="/")

    await run.crowd(16, fill)


@attack("passwords", "12 visitors who log in and register without a pause: each answer hashes a password")
async def passwords(run: AttackRun) -> None:
    async def guess(visitor: Visitor) -> None:
        name = f"flood{run.chance.randrange(10**9)}"
        if run.chance.random() < 0.7:
            await run.post(visitor, "/people/login/", username=name, password="no such password")
        else:
            word = "a long enough password"
            await run.post(visitor, "/people/register/", username=name, password1=word, password2=word)

    await run.crowd(12, guess, times=8)
