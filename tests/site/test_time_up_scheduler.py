"""The scheduler ends a match of two for a person whose time is up, where the table has chosen that."""

from __future__ import annotations

import asyncio

import pytest

from cardsite.lobby.games import DAY
from cardsite.lobby.models import Seat, Table
from cardsite.table.models import Match, Move, Player
from tests.site.listener import move
from tests.site.test_correspondence import _for_days, begin, wait
from tests.site.test_scheduler import CLOCK, MOMENT, Play, Process, _several, play

__all__ = ["_for_days", "_several", "play"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)
LOSES = Table.TimeUp.LOST


def ended() -> tuple[str, str, int | None]:
    """Return the status of the match, why it has ended, and the seat that has won."""
    match = Match.objects.get()
    winner = Player.objects.filter(share=1).values_list("seat", flat=True).first()
    return match.status, match.dropped, winner


async def to_act(match: int) -> int:
    [seat] = (await Process("other").referee.live(match)).since
    return seat


RUNS = ("running", "", None)


def test_a_person_who_does_not_decide_in_time_has_lost(play: Play) -> None:
    async def scenario(match: int) -> None:
        Match.objects.update(time_up=LOSES)
        one = Process("one")
        await one.round()
        await asyncio.sleep(CLOCK - 1)
        await move(one.referee, match)
        await asyncio.sleep(CLOCK - 1)
        assert ended() == RUNS
        await asyncio.sleep(1 + 2 * MOMENT)
        [made] = Move.objects.all()
        assert ended() == ("over", "late", made.seat)
        assert made.by == "person"
        assert (one.scheduler.running, Table.objects.get().status) == (set(), "over")

    play(scenario)


def test_a_bot_decides_where_the_table_has_chosen_that(play: Play) -> None:
    async def scenario(match: int) -> None:
        one = Process("one")
        await one.round()
        await asyncio.sleep(CLOCK + 2 * MOMENT)
        assert (ended(), Move.objects.get().by) == (RUNS, "clock")

    play(scenario)


def test_the_bot_of_an_absent_person_plays_on(play: Play) -> None:
    async def scenario(match: int) -> None:
        Match.objects.update(time_up=LOSES)
        Seat.objects.filter(index=await to_act(match)).update(away=True)
        one = Process("one")
        await one.round()
        await asyncio.sleep(CLOCK / 2)
        assert (ended(), Move.objects.get().by) == (RUNS, "away")

    play(scenario)


def test_a_move_of_another_process_in_the_last_moment_counts(play: Play) -> None:
    async def scenario(match: int) -> None:
        Match.objects.update(time_up=LOSES)
        one, two = Process("one"), Process("two")
        await one.round()
        await asyncio.sleep(CLOCK - MOMENT)
        await move(two.referee, match)
        await asyncio.sleep(2.0)
        assert ended() == RUNS
        assert one.referee.lives[match].version == 1
        await asyncio.sleep(CLOCK)
        [made] = Move.objects.all()
        assert ended() == ("over", "late", made.seat)

    play(scenario)


def test_a_match_over_days_is_lost_while_nobody_is_there(play: Play) -> None:
    async def scenario(match: int) -> None:
        Match.objects.update(time_up=LOSES)
        one = await begin(DAY)
        winner = 1 - await to_act(match)
        await wait(one, DAY / 2)
        assert ended() == RUNS
        await wait(one, DAY / 2)
        await wait(one, 1)
        assert ended() == ("over", "late", winner)
        assert not Seat.objects.filter(to_act=True).exists()

    play(scenario)
