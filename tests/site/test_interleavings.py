"""Two processes and four windows play one match at once, in many orders of events. See `tests/interleaving.py`."""

from __future__ import annotations

import asyncio
import random
import string
from functools import partial

import pytest

from cardsite.lobby.models import Seat
from cardsite.refusal import Refused
from cardsite.server.live import LiveMatch
from cardsite.server.referee import Referee
from cardsite.table.models import Match, Move
from tests.interleaving import run, seeds
from tests.site.conftest import Texts
from tests.site.listener import two_at_sticks

pytestmark = pytest.mark.django_db(transaction=True)

RUNS = 40
ATTEMPTS = 400  # that may be refused in one run; more would mean that the match hangs
EXPECTED = {"stale", "not_your_turn", "illegal", "over"}


def test_what_is_acknowledged_is_stored_and_nobody_hears_of_more_and_a_match_ends_once(
    texts: Texts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")  # the database is used in the loop, one step at a time
    for number, seed in enumerate(seeds(RUNS)):
        code = "".join(string.ascii_lowercase[number // 26**place % 26] for place in range(10))
        match = two_at_sticks(texts, code, 9)
        refusals = run(partial(play_at_once, match), seed)
        assert set(refusals) <= EXPECTED, seed
        assert Match.objects.get(pk=match).status == "over", seed
        assert sum(Seat.objects.filter(table__matches=match).values_list("wins", flat=True)) == 1, seed


async def play_at_once(match: int, chance: random.Random) -> list[str]:
    """Play a match at two processes, in two windows for each seat. Return why moves were refused."""
    refusals: list[str] = []

    async def announce(live: LiveMatch, made: bool) -> None:
        stored = await Move.objects.filter(match=match).acount()
        assert stored >= live.version, "what is announced is not stored yet"

    async def window(referee: Referee, seat: int) -> None:
        while len(refusals) < ATTEMPTS:
            await asyncio.sleep(chance.random())
            async with referee.held(match) as live:
                if live.over:
                    return
            try:
                decision = live.decisions[seat]
                made = await referee.do_move(match, seat, decision, f"take {chance.randint(1, 3)}")
            except Refused as why:
                refusals.append(why.code)
                continue
            stored = Move.objects.filter(match=match, ply=made.version, seat=seat)
            assert await stored.aexists(), "what is acknowledged is not stored"
        raise AssertionError(f"the match does not end: {refusals}")

    referees = [Referee(announce), Referee(announce)]
    await asyncio.gather(*(window(referee, seat) for referee in referees for seat in (0, 1)))
    return refusals
