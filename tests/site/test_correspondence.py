"""Correspondence tables: clocks of hours and days go on while nobody is there and no process runs the match."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from cardsite.lobby.games import DAY, HOUR, NO_CLOCK
from cardsite.lobby.models import Seat
from cardsite.people.models import Person
from cardsite.server.scheduler import IDLE, MISSES
from cardsite.table.models import Match, Move, ServerProcess
from cardsite.table.services.processes import LOST
from tests import interleaving
from tests.site.listener import move
from tests.site.test_scheduler import MOMENT, Play, Process, _several, moment, play

__all__ = ["_several", "play"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _for_days(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run may take days by its own clock. Bots decide at once."""
    monkeypatch.setattr(interleaving, "LONGEST", 30 * DAY)
    settings.BOT_PACE = 0.0


async def wait(process: Process, seconds: float) -> None:
    """Let so much time pass, as if the process had run rounds all the time, and run one."""
    await asyncio.sleep(seconds)
    ServerProcess.objects.filter(name=process.name).update(seen=timezone.now())
    await process.round()


async def comes(process: Process, seat: int, seconds: float) -> None:
    """Let so much time pass until the person of a seat is at the table again."""
    await asyncio.sleep(seconds)
    Seat.objects.filter(index=seat).update(seen=timezone.now())
    await wait(process, 0)


async def begin(seconds: int) -> Process:
    """Let a process run the match, with this clock, until it is suspended."""
    Match.objects.update(seconds=seconds)
    one = Process("one")
    await one.round()
    await wait(one, IDLE / 1000 + 2 * MOMENT)  # a bot may have decided first
    assert (one.scheduler.running, one.referee.lives) == (set(), {})
    return one


def left() -> dict[int, float]:
    """Return how many seconds each person has for whom the match waits, as stored."""
    waited = Seat.objects.filter(to_act=True)
    return {seat.index: (seat.due - timezone.now()).total_seconds() if seat.due else -1.0 for seat in waited}


def test_a_clock_of_a_day_goes_on_while_no_process_runs_the_match(play: Play) -> None:
    async def scenario(match: int) -> None:
        one = await begin(DAY)
        [(first, time)] = left().items()
        assert time == pytest.approx(DAY - IDLE / 1000, abs=3 * MOMENT)
        await wait(one, time - 1)
        assert one.scheduler.running == set()
        await wait(one, 2)
        assert one.scheduler.running == {match}
        await asyncio.sleep(MOMENT)
        assert [(row.seat, row.by) for row in Move.objects.all()] == [(first, "clock")]
        [(_, time)] = left().items()
        assert DAY - 3 < time <= DAY  # the next decision has the whole clock

    play(scenario)


def test_a_player_who_comes_back_decides_in_time(play: Play) -> None:
    async def scenario(match: int) -> None:
        one = await begin(HOUR)
        [(first, _)] = left().items()
        await comes(one, first, HOUR / 2)
        assert one.scheduler.running == {match}
        [due] = (await one.referee.live(match)).deadlines().values()
        assert due / 1000 - timezone.now().timestamp() == moment(left()[first])
        await move(one.referee, match)
        assert [(row.seat, row.by) for row in Move.objects.all()] == [(first, "person")]

    play(scenario)


@pytest.mark.parametrize("suspended", [True, False])
def test_the_time_in_which_the_site_was_down_does_not_count(play: Play, suspended: bool) -> None:
    async def scenario(match: int) -> None:
        one = await begin(HOUR)
        if not suspended:
            await comes(one, 0, 0)
            Seat.objects.update(seen=None)
        before = left()
        one.lose()
        await asyncio.sleep(5 * HOUR)
        two = Process("two")
        await two.round()
        await asyncio.sleep(MOMENT)
        for _ in range(2):  # and also after it has been suspended again
            [(seat, time)] = left().items()
            assert time == pytest.approx(before[seat], abs=IDLE / 1000 + 5)
            await wait(two, IDLE / 1000 + MOMENT)
            assert two.scheduler.running == set()
        assert not Move.objects.exists()

    play(scenario)


def test_a_process_that_lives_beside_one_that_was_lost_gives_no_time(play: Play) -> None:
    async def scenario(match: int) -> None:
        one, two = await begin(HOUR), Process("two")
        await two.round()
        [(_, before)] = left().items()
        one.lose()
        for _ in range(10):
            await wait(two, LOST.total_seconds() - 2)
        [(_, after)] = left().items()
        assert before - after == moment(10 * (LOST.total_seconds() - 2))

    play(scenario)


def test_a_person_who_misses_one_decision_of_a_day_keeps_the_next_and_one_who_misses_two_is_away(play: Play) -> None:
    async def scenario(match: int) -> None:
        one = await begin(DAY)
        missed: list[int] = []
        while not Seat.objects.filter(away=True).exists():
            missed = list(Move.objects.filter(by="clock").values_list("seat", flat=True))
            assert all(missed.count(seat) < MISSES for seat in missed)
            await wait(one, DAY / 2)
            await asyncio.sleep(MOMENT)
        away = Seat.objects.get(away=True).index
        assert [*missed, away].count(away) == MISSES

    play(scenario)


def test_a_person_who_takes_the_seat_has_the_whole_clock_also_after_the_match_was_suspended(play: Play) -> None:
    async def scenario(match: int) -> None:
        one = await begin(DAY)
        [(first, _)] = left().items()
        await comes(one, first, DAY - HOUR)
        live = await one.referee.live(match)
        gone = [o if n != first else replace(o, person=0, bot="easy") for n, o in enumerate(live.occupants)]
        back = list(live.occupants)
        newcomer = Person.objects.create(name="Newcomer")
        Seat.objects.filter(index=first).update(person=newcomer)
        live.update_occupants(gone)
        live.update_occupants(back)
        one.scheduler.consider(live)
        await asyncio.sleep(MOMENT)
        assert left() == {first: pytest.approx(DAY, abs=2 * MOMENT)}
        Seat.objects.update(seen=None)
        await wait(one, IDLE / 1000 + MOMENT)
        assert one.scheduler.running == set()
        await wait(one, 2 * HOUR)
        assert not Move.objects.exists()

    play(scenario)


@pytest.mark.parametrize("seconds", [60, NO_CLOCK, HOUR])
def test_whose_turn_it_is_is_stored_of_matches_that_may_wait_for_days(play: Play, seconds: int) -> None:
    async def scenario(match: int) -> None:
        Match.objects.update(seconds=seconds)
        one = Process("one")
        await one.round()
        while not (live := await one.referee.live(match)).over:
            await asyncio.sleep(MOMENT)
            waited = {seat: moment(seconds - MOMENT) if seconds else -1 for seat in live.since}
            assert left() == ({} if seconds == 60 else waited)
            await move(one.referee, match)
        await asyncio.sleep(MOMENT)
        assert left() == {}
        assert not one.scheduler._turns._turns

    play(scenario)


def test_no_turn_is_stored_of_a_person_alone_with_bots(play: Play) -> None:
    async def scenario(match: int) -> None:
        Seat.objects.filter(index__gt=0).update(person=None, bot="easy")
        Match.objects.update(seconds=HOUR)
        one = Process("one")
        await one.round()
        await wait(one, 2 * IDLE / 1000)
        assert one.scheduler.running == set()
        assert left() == {}
        assert Match.objects.get().resumes is None

    play(scenario)


def test_a_match_whose_time_is_nearly_up_is_not_suspended(play: Play) -> None:
    async def scenario(match: int) -> None:
        one = await begin(HOUR)
        [(first, time)] = left().items()
        await comes(one, first, time - 300)
        Seat.objects.update(seen=timezone.now() - timedelta(hours=1))
        for _ in range(4):
            await wait(one, 60)
            assert one.scheduler.running == {match}
        assert not Move.objects.exists()

    play(scenario)
