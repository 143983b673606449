"""The scheduler: which matches it runs, and that every process gives people the same time to decide.

By a clock that does not wait (``tests/interleaving.py``). Calls of the database take no time here, and bots think for
none, so times are exact.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from cardsite.lobby.models import Seat, Table
from cardsite.server.events import Events, MovePlayed
from cardsite.server.live import now_ms, occupants_of
from cardsite.server.referee import Referee
from cardsite.server.scheduler import IDLE, Scheduler
from cardsite.server.server import MatchServer
from cardsite.table.models import Match, Move
from cardsite.table.services.matches import do_start_match
from cardsite.table.services.processes import do_claim, do_sign_in
from tests.interleaving import ShuffledLoop, at, run
from tests.site.conftest import Texts
from tests.site.listener import move, two_at_sticks
from tests.site.processes import RandomBots

pytestmark = pytest.mark.django_db(transaction=True)
CODE = "abcdefghjk"
CLOCK = 60.0  # seconds for a decision
PACE = 6.0  # seconds that a bot takes at least
MOMENT = 0.1  # seconds in which everything happens that is due: the steps of the loop
Scenario = Callable[[int], Coroutine[Any, Any, None]]  # with the number of the match
Play = Callable[[Scenario], None]


@pytest.fixture(autouse=True)
def _several(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """There are several processes, and the database is used in the loop."""
    settings.REDIS_URL = "redis://made-up"
    settings.BOT_PACE = PACE
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")


@pytest.fixture
def play(texts: Texts) -> Play:
    """A function that runs a scenario with a match of two people that begins then."""

    def play(scenario: Scenario) -> None:
        async def prepared(chance: random.Random) -> None:
            chance.random = lambda: 0.0  # type: ignore[method-assign]  # how long calls and bots take
            RandomBots.chance = chance
            await scenario(two_at_sticks(texts, CODE, 9))

        run(prepared, "any")

    return play


class Process:
    """What drives matches in a process, and nothing else of it."""

    def __init__(self, name: str) -> None:
        self.name = name
        events = Events()
        self.referee = Referee(events)
        self.scheduler = Scheduler(name, self.referee, events, RandomBots(1), RandomBots(1))  # type: ignore[arg-type]
        events.subscribe(MovePlayed, self.scheduler.on_move_played)

    async def round(self) -> None:
        """Go round once, and load what is taken over."""
        await at(self.name, self.scheduler.round())
        await asyncio.sleep(MOMENT / 100)

    async def drive(self, seconds: float) -> None:
        """Take over what is free, and still drive it after so many seconds."""
        await self.round()
        await asyncio.sleep(seconds)
        await self.round()

    def lose(self) -> None:
        """End the process as ``kill -9`` does."""
        loop = asyncio.get_running_loop()
        assert isinstance(loop, ShuffledLoop)
        loop.kill(self.name)

    async def left(self, match: int) -> float:
        """Return how many seconds there are left for the decision that is open."""
        live = await self.referee.live(match)
        [due] = live.deadlines().values()
        return (due - now_ms()) / 1000


def moment(seconds: float) -> Any:
    """Return what is about so many seconds."""
    return pytest.approx(seconds, abs=MOMENT)


@pytest.mark.parametrize("knows", [True, False])
def test_the_time_without_a_process_is_compensated_again_with_each_process_that_is_lost(
    play: Play, knows: bool
) -> None:
    """Whether the next process has a copy of the match already, for a person who watches there, or loads it now."""

    async def scenario(match: int) -> None:
        processes = [Process(name) for name in ("one", "two", "three")]
        for process in processes if knows else []:
            await process.referee.live(match)
        passed = compensated = 0.0
        for process in processes:
            await process.drive(10)
            passed += 10
            assert Match.objects.get().compensation_ms == pytest.approx(compensated * 1000, abs=1000 * MOMENT)
            assert await process.left(match) == moment(CLOCK - passed)
            await asyncio.sleep(3)  # it is lost before it says again that it is there
            process.lose()
            await asyncio.sleep(20)
            compensated += 23
        last = Process("four")
        await last.round()
        assert await last.left(match) == moment(CLOCK - passed)
        await asyncio.sleep(CLOCK - passed - MOMENT)
        assert not Move.objects.exists()
        await asyncio.sleep(2 * MOMENT)
        assert [row.by for row in Move.objects.all()] == ["clock"]

    play(scenario)


def test_clock_compensation_goes_to_the_decision_that_was_open_and_to_no_other(play: Play) -> None:
    async def scenario(match: int) -> None:
        one, two = Process("one"), Process("two")
        await one.drive(10)
        one.lose()
        await asyncio.sleep(20)
        await two.drive(10)
        assert await two.left(match) == moment(CLOCK - 20)
        await move(two.referee, match)
        for process in (two, Process("three")):
            assert await process.left(match) == moment(CLOCK)
        await asyncio.sleep(5)
        two.lose()
        await asyncio.sleep(20)
        late = Process("late")
        await late.round()
        assert await late.left(match) == moment(CLOCK)  # it was lost before it said that it was there

    play(scenario)


def test_a_process_whose_clock_is_ahead_keeps_no_bot_waiting(play: Play) -> None:
    async def scenario(match: int) -> None:
        Seat.objects.update(away=True)
        one, two = Process("one"), Process("two")
        await one.round()
        one.lose()
        Match.objects.update(compensation_ms=1_000_000)  # more than has passed
        await asyncio.sleep(20)
        await two.round()
        await asyncio.sleep(PACE + MOMENT)
        assert [row.by for row in Move.objects.all()] == ["away"]

    play(scenario)


@pytest.mark.parametrize("knows", [True, False])
def test_a_table_that_is_read_before_its_match_is_taken_over_gets_the_compensation_too(play: Play, knows: bool) -> None:
    async def scenario(match: int) -> None:
        server = MatchServer()
        if knows:
            await server.referee.live(match)
        await asyncio.sleep(20)
        assert do_claim(do_sign_in(server.scheduler.name), alone=False) == [match]
        await server.relay.refresh(CODE)
        await server.scheduler.round()
        await asyncio.sleep(MOMENT / 100)
        assert match in server.scheduler.running
        [due] = (await server.referee.live(match)).deadlines().values()
        assert (due - now_ms()) / 1000 == moment(CLOCK)

    play(scenario)


# -- who comes back


def test_a_bot_that_stands_in_leaves_the_decision_to_the_person_who_is_back(play: Play) -> None:
    """It has decided then, and waits until its move may be shown."""

    async def scenario(match: int) -> None:
        Seat.objects.update(away=True)
        one = Process("one")
        await one.round()
        await asyncio.sleep(PACE / 2)
        Seat.objects.update(away=False)
        live = await one.referee.live(match)
        live.update_occupants(occupants_of(live.table_id, "house"))
        one.scheduler.consider(live)
        assert await one.left(match) == moment(CLOCK)
        await asyncio.sleep(CLOCK - MOMENT)
        assert not Move.objects.exists()
        await asyncio.sleep(2 * MOMENT)
        assert [row.by for row in Move.objects.all()] == ["clock"]

    play(scenario)


def test_a_bot_that_decides_at_the_same_time_takes_nobody_their_time(play: Play) -> None:
    """A bot's decision is due at once, those of people when their clocks have run down."""

    async def scenario(match: int) -> None:
        people = list(Seat.objects.order_by("index").values_list("person", flat=True))
        table = Table.objects.create(code="bidding", game="enchere", seconds=CLOCK)
        for index, person in enumerate([*people, None]):
            Seat.objects.create(table=table, index=index, person_id=person, bot="" if person else "house")
        bids = Move.objects.filter(match=do_start_match(table.code, None))
        one = Process("one")
        await one.round()
        await asyncio.sleep(CLOCK - MOMENT)
        assert [(row.seat, row.by) for row in bids.all()] == [(2, "bot")]
        await asyncio.sleep(2 * MOMENT)
        assert [row.by for row in bids.all()][:3] == ["bot", "clock", "clock"]

    play(scenario)


# -- what is driven no more


def test_a_scheduler_that_closes_while_a_bot_decides_leaves_nothing_behind(play: Play) -> None:
    async def scenario(match: int) -> None:
        Seat.objects.update(away=True)
        one = Process("one")
        await one.round()
        await asyncio.sleep(PACE / 2)  # the bot has decided, and waits until its move may be shown
        assert one.scheduler._tasks
        await one.scheduler.close()
        await asyncio.sleep(2 * PACE)
        assert not one.scheduler._tasks
        assert not one.scheduler._timers
        assert not Move.objects.exists()

    play(scenario)


@pytest.mark.parametrize("elsewhere", [True, False])
def test_a_match_that_has_ended_is_driven_no_more(play: Play, elsewhere: bool) -> None:
    async def scenario(match: int) -> None:
        one, two = Process("one"), Process("two")
        await one.round()
        assert one.scheduler.running == {match}
        while not (await two.referee.live(match)).over:
            await move(two.referee if elsewhere else one.referee, match)
            await one.referee.catch_up(match)
            await two.referee.catch_up(match)
        assert not one.scheduler.running
        assert not one.scheduler._timers

    play(scenario)


def test_a_match_is_suspended_a_minute_after_it_was_resumed_and_left_again_however_often(play: Play) -> None:
    async def scenario(match: int) -> None:
        Match.objects.update(seconds=0)
        host = Seat.objects.filter(index=0)
        one = Process("one")
        await one.round()
        for times in range(4):
            await one.drive(IDLE / 1000 - MOMENT)
            assert one.scheduler.running == {match}
            await asyncio.sleep(2 * MOMENT)
            await one.round()
            assert (one.scheduler.running, one.referee.lives) == (set(), {}), times
            assert (one.scheduler._timers, one.scheduler._idle) == ({}, set())
            await asyncio.sleep(500)
            host.update(seen=timezone.now())
            await at("one", one.scheduler.resume(CODE))
            assert one.scheduler.running == {match}
            host.update(seen=None)

    play(scenario)
