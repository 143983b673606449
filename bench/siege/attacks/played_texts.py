"""Attacks with tables at which heavy texts are played."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from typing import Any

from bench.harness.visitor import Visitor
from bench.siege.attack import PAUSE, AttackRun, attack
from bench.siege.clients import EndlessPlayer, TableSocket
from bench.siege.texts import DETERMINIZE, HONEST, LOG, MOST_PLACES, OPTIONS, SCORES, SLOW, TOO_MANY_PLACES, AttackText


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


async def _play(run: AttackRun, text: AttackText, number: int) -> EndlessPlayer:
    """Save a text, open a table for it and play there endlessly. Raises TextRefused, ConnectionError, TimeoutError."""
    author = run.visitor()
    code = await _save(author, text, number)
    seats = {f"seat{index}": text.bots if index else "me" for index in range(text.seats)}
    more = {"visibility": "link", "sealed": "no", "seconds": 300, "name": "Author"}
    status, answer = await author.post(f"/new/?game=w-{code}-1", **seats, **more)
    if status != 302:
        raise TextRefused(f"A table was refused with {status}: {answer[:200]!r}")
    table = author.redirected_to.strip("/").split("/")[1]
    seat = EndlessPlayer(author, table, text.play, run.chance, PAUSE)
    await seat.join()
    await author.post(f"/t/{table}/start/")
    await TableSocket(run.port, table, address=run.address()).join()  # a spectator
    return seat


async def _played(run: AttackRun, *texts: AttackText) -> list[EndlessPlayer]:
    """Play texts, each at a table of its own, and note which of them are refused."""
    seats: list[EndlessPlayer] = []
    refused: set[str] = set()
    for number, text in enumerate(texts):  # one after the other: only so many trials may wait
        try:
            seats.append(await _play(run, text, number))
        except TextRefused as refusal:
            refused.add(str(refusal))
        except OSError as error:
            refused.add(repr(error))
    run.notes["tables"] = len(seats)
    if refused:
        run.notes["refused"] = sorted(refused)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(30):
            for seat in seats:
                await seat.played(len(seat.first) + 1)
    run.begun()
    return seats


async def _until_the_end(run: AttackRun, *texts: AttackText) -> None:
    """Play texts until the attack is ended. A text that is refused is saved again and again."""
    seats = await _played(run, *texts)
    if not seats:
        numbers = itertools.count(100)

        async def save(visitor: Visitor) -> None:
            source = texts[0].variant(next(numbers))
            answer = await visitor.send_json("/workshop/save/", code=None, source=source, table="", base=None)
            run.counts["saved" if answer.get("ok") else f"refused: {answer.get('code', '?')}"] += 1

        await run.crowd(1, save, times=8)
    before = sum(seat.moves for seat in seats)
    await run.over.wait()
    run.notes["moves"] = sum(seat.moves for seat in seats) - before
    run.notes["matches"] = sum(seat.matches for seat in seats)
    run.notes["refusals"] = sum(seat.refusals for seat in seats)
    run.notes["lost"] = sorted({seat.gone for seat in seats if seat.gone})


@attack("text-places", "a guest and a text with 20 seats and 1,960 places, that a rare option creates")
async def places(run: AttackRun) -> None:
    await _until_the_end(run, TOO_MANY_PLACES)


@attack("text-most-places", "a guest and a text with 20 seats and as many places as a match may have")
async def most_places(run: AttackRun) -> None:
    await _until_the_end(run, MOST_PLACES)


@attack("text-slow", "a guest and a text whose moves take seconds once a rare option has been taken")
async def slow(run: AttackRun) -> None:
    await _until_the_end(run, SLOW)


@attack("text-honest", "five guests with texts that use all of every limit for texts, and bots")
async def honest(run: AttackRun) -> None:
    await _until_the_end(run, *[HONEST] * 5)


@attack("text-options", "a text whose legal moves take long to compute")
async def options(run: AttackRun) -> None:
    await _until_the_end(run, OPTIONS)


@attack("text-determinize", "a text in which hardly any sampled deal is a determinization for a bot")
async def determinize(run: AttackRun) -> None:
    await _until_the_end(run, DETERMINIZE)


@attack("text-log", "a text that writes hundreds of log entries with each move")
async def log(run: AttackRun) -> None:
    await _until_the_end(run, LOG)


@attack("text-scores", "a text that is slow to count its scores, which every view shows")
async def scores(run: AttackRun) -> None:
    await _until_the_end(run, SCORES)


async def _look_back(run: AttackRun, text: AttackText) -> None:
    """Play a text for a while, then have many ask for the replay again and again."""

    async def look(visitor: Visitor) -> None:
        run.counts["bytes"] += len(await run.get(visitor, path))

    seats = await _played(run, text)
    if not seats:
        await run.over.wait()
        return
    path = f"/replay/{seats[0].seen.match if seats[0].seen else 1}/frames.json?table={seats[0].table}"
    seats[0].stop()  # it is the replays that cost now
    await run.crowd(6, look)


@attack("text-replays", "6 anonymous visitors who ask for the replay of a match with as many places as there may be")
async def text_replays(run: AttackRun) -> None:
    await _look_back(run, MOST_PLACES)


@attack("text-slow-replays", "6 anonymous visitors who ask for the replay of a match whose moves take seconds")
async def slow_replays(run: AttackRun) -> None:
    await _look_back(run, SLOW)
