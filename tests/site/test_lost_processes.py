"""How long a match stops when processes are lost, with a virtual clock (``tests/interleaving.py``)."""

from __future__ import annotations

import asyncio
import random
from functools import partial
from itertools import pairwise

import pytest
from django.db import OperationalError
from pytest_django.fixtures import Settings

from cardsite.server import scheduler
from cardsite.server.bots import BotPool
from cardsite.server.events import Events
from cardsite.server.referee import Referee
from cardsite.server.scheduler import RETRY, ROUND, Scheduler
from tests.interleaving import run, seeds
from tests.site.conftest import Texts
from tests.site.listener import two_at_sticks
from tests.tiers import full

pytestmark = pytest.mark.django_db(transaction=True)

MAX_STALL = 10.0  # seconds for each process that is lost, as docs/deployment.md says
CALL = 0.2  # seconds that a call of the database takes, at most
RUNS = 8


@pytest.fixture(autouse=True)
def several(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """There are several processes, and the database is used in the loop, one step at a time."""
    settings.REDIS_URL = "redis://made-up"
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")


def slow_database(chance: random.Random) -> None:
    """Let each database call take up to CALL seconds: the loop draws one delay before it and one before its result."""
    drawn = random.Random(chance.getrandbits(64))
    chance.random = lambda: drawn.random() * CALL / 2  # type: ignore[method-assign]


def process(number: int) -> Scheduler:
    """Return what drives matches in a process."""
    pool = BotPool(1)
    return Scheduler(f"process {number}", Referee(Events()), Events(), pool, pool)


@full
def test_a_match_goes_on_ten_seconds_after_each_process_that_is_lost(texts: Texts) -> None:
    for number, seed in enumerate(seeds(RUNS)):
        match = two_at_sticks(texts, f"{number:010}", 20)
        stalls = run(partial(lose_two_processes, match), seed)
        assert max(stalls) <= MAX_STALL, (seed, stalls)


async def lose_two_processes(match: int, chance: random.Random) -> list[float]:
    """Run three processes, of which two are lost while they keep the match. Return how long nobody kept it then."""
    now = asyncio.get_running_loop().time
    phases = [chance.uniform(0, ROUND) for _ in range(3)]
    uptimes = [chance.uniform(0, 12), chance.choice([0, 0, chance.uniform(0, 12)])]  # the second at once, mostly
    slow_database(chance)
    running: dict[Scheduler, asyncio.Task[None]] = {}

    async def next_scheduler() -> Scheduler:
        while not (result := [scheduler for scheduler in running if match in scheduler.running]):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        return result[0]

    stalls: list[float] = []
    for number, phase in enumerate(phases):
        await asyncio.sleep(phase)
        scheduler = process(number)
        running[scheduler] = asyncio.create_task(scheduler.run())
    scheduler = await next_scheduler()
    for uptime in uptimes:
        await asyncio.sleep(uptime)
        running.pop(scheduler).cancel()
        lost = now()
        scheduler = await next_scheduler()
        stalls.append(now() - lost)
    for task in running.values():
        task.cancel()
    return stalls


@pytest.mark.parametrize(
    ("takes", "failing", "between"),
    [(0.0, False, ROUND), (1.0, False, ROUND), (3 * ROUND, False, 3 * ROUND + scheduler.BREATH), (0.0, True, RETRY)],
)
def test_rounds_begin_at_an_even_pace_however_long_they_take_and_a_failed_one_is_tried_again_soon(
    takes: float, failing: bool, between: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[float] = []

    async def round_(scheduler: Scheduler) -> None:
        scheduler._next_round = ROUND
        begun.append(asyncio.get_running_loop().time())
        await asyncio.sleep(takes)
        if failing:
            raise OperationalError("made up: the connection is gone")

    async def scenario(chance: random.Random) -> None:
        going = asyncio.create_task(process(1).run())
        await asyncio.sleep(10 * between)
        going.cancel()

    monkeypatch.setattr(Scheduler, "round", round_)
    run(scenario, "any")
    assert {round(later - earlier, 3) for earlier, later in pairwise(begun)} == {between}
