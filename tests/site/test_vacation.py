"""A vacation: a person's clocks of hours and days stand still, for a limited time."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.formats import date_format

from cardsite.lobby.games import DAY
from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person
from cardsite.people.services import VACATION_AGAIN, VACATION_LONGEST, do_set_vacation
from cardsite.refusal import Refused
from cardsite.server.scheduler import IDLE
from cardsite.server.table_info import read_table
from cardsite.table.models import Move
from cardsite.table.moves import milliseconds
from tests.site.conftest import Actor
from tests.site.test_correspondence import _for_days, begin, left, wait
from tests.site.test_scheduler import Play, Process, _several, play

__all__ = ["_for_days", "_several", "play"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)


async def away(seconds: int) -> tuple[Process, int, Person]:
    """Suspend a match with a clock of a day, and send the person for whom it waits on vacation for so long."""
    Table.objects.update(seconds=DAY)
    one = await begin(DAY)
    [first] = left()
    person = Seat.objects.get(index=first).person
    assert person
    do_set_vacation(person, timezone.now() + timedelta(seconds=seconds))
    await wait(one, 1)
    return one, first, person


def test_after_a_vacation_a_person_has_the_full_time(play: Play) -> None:
    async def scenario(match: int) -> None:
        one, first, _ = await away(5 * DAY)
        assert left() == {first: pytest.approx(6 * DAY, abs=10)}
        await wait(one, IDLE / 1000 + 5)
        assert one.scheduler.running == set()  # it is suspended again
        await wait(one, 6 * DAY - IDLE / 1000 - 60)
        assert not Move.objects.exists()
        await wait(one, 120)
        await asyncio.sleep(10)
        assert [(row.seat, row.by) for row in Move.objects.all()] == [(first, "clock")]

    play(scenario)


def test_a_person_who_comes_back_early_has_the_full_time_from_then_on(play: Play) -> None:
    async def scenario(match: int) -> None:
        one, first, person = await away(5 * DAY)
        await wait(one, 2 * DAY)
        do_set_vacation(person, None)
        await wait(one, 1)
        assert left() == {first: pytest.approx(DAY, abs=10)}

    play(scenario)


def test_others_read_until_when_somebody_is_away_where_the_clock_has_days(host: Actor) -> None:
    until = timezone.now() + timedelta(days=3)
    do_set_vacation(host.person, until)
    shown = []
    for seconds in (DAY, 60):
        table = Table.objects.create(game="hamsterdam", host=host.person, seconds=seconds)
        Seat.objects.create(table=table, index=0, person=host.person)
        shown.append(read_table(table.code).info.seats[0].vacation_until)
    assert shown == [milliseconds(until), 0]


def test_a_vacation_has_a_longest_time_and_some_time_passes_before_the_next(host: Actor) -> None:
    person, now = host.person, timezone.now()
    for until in (now, now + VACATION_LONGEST + timedelta(minutes=1)):
        with pytest.raises(Refused, match=r"^Choose a date within the next 21 days\.$"):
            do_set_vacation(person, until)
    do_set_vacation(person, now + VACATION_LONGEST)
    with pytest.raises(Refused, match=r"^You are on vacation already\. End it first\.$"):
        do_set_vacation(person, now + timedelta(days=1))
    do_set_vacation(person, None)
    person.refresh_from_db()
    assert not person.on_vacation
    with pytest.raises(Refused, match=r"^Your next vacation can begin on "):
        do_set_vacation(person, now + timedelta(days=1))
    Person.objects.update(vacation_until=now - VACATION_AGAIN)
    do_set_vacation(person, now + timedelta(days=1))


def test_a_person_begins_and_ends_a_vacation_on_their_page(host: Actor) -> None:
    assert "Begin the vacation now" in host.client.get("/people/me/").content.decode()
    last = timezone.localdate() + timedelta(days=20)
    host.client.post("/people/me/vacation/", {"until": last.isoformat()})
    page = host.client.get("/people/me/").content.decode()
    assert f"You are on vacation up to and including {date_format(last)}." in page
    host.client.post("/people/me/vacation/")
    page = host.client.get("/people/me/").content.decode()
    assert "Your next vacation can begin on" in page
    assert "Begin the vacation now" not in page


@pytest.mark.parametrize("until", ["tomorrow", "2026-13-40", "9999-12-31", "0001-01-01", "\0"])
def test_garbage_for_a_date_is_refused(host: Actor, until: str) -> None:
    answer = host.client.post("/people/me/vacation/", {"until": until}, follow=True).content.decode()
    assert "Choose a date" in answer
    assert Person.objects.get(pk=host.person.pk).vacation_until is None
