"""Seeks: people who want the same game and number of players are seated together, and the match starts by itself."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from cardsite.front.forms import SeekForm
from cardsite.front.tables import public_rows
from cardsite.lobby.games import DAY
from cardsite.lobby.models import Seat, Seek, Table
from cardsite.lobby.services import hosting, permissions, seating
from cardsite.lobby.services.seeks import FEWEST, LONG_PAUSE, PAUSE, do_seek
from cardsite.people.models import Person
from cardsite.refusal import Refused
from cardsite.server.table_info import read_table
from cardsite.table.models import Match
from cardsite.table.services.beginnings import do_start_seeks
from cardsite.table.services.matches import do_start_match
from games import catalogue
from games.core import Game
from tests.site.conftest import Actor, block

GAME = "hamsterdam"  # for 2 to 6 players
GAME_FOR_FOUR = "hearts"  # for exactly 4


def seek(person: Person, least: int = 2, most: int = 4, game: str = GAME, **changed: Any) -> Table:
    """Seek as a person, who is then at the table. Return the table."""
    table = do_seek(person, catalogue.find(game), least, most, **{"bots": True, "seconds": 60, **changed})
    set_present(table)
    return Table.objects.get(pk=table.pk)


def set_present(table: Table, *people: Person) -> None:
    """Store that the people with a seat at a table are connected; if ``people`` are given, only these."""
    seats = Seat.objects.filter(table=table).exclude(person=None)
    seats.update(seen=None)
    (seats.filter(person__in=people) if people else seats).update(seen=timezone.now())


def people_at(table: Table) -> list[str]:
    """Return the names of the people at a table, in order of their seats."""
    return [seat.person.name for seat in Seat.objects.filter(table=table).select_related("person") if seat.person]


def seat_kinds(table: Table) -> list[str]:
    return [seat.kind for seat in Seat.objects.filter(table=table)]


def shorten_pause(table: Table, by: timedelta) -> None:
    """Bring the planned start forward by so much time."""
    row = Seek.objects.get(table=table)
    assert row.starts
    Seek.objects.filter(table=table).update(starts=row.starts - by)


@pytest.fixture
def persons(db: None) -> list[Person]:
    return [Person.objects.create(name=name) for name in ("Ann", "Ben", "Cas", "Dee", "Eve")]


def test_people_who_seek_the_same_are_seated_together_and_a_full_table_starts(persons: list[Person]) -> None:
    tables = [seek(person, 4, 4, GAME_FOR_FOUR) for person in persons[:4]]
    assert len({table.pk for table in tables}) == 1
    assert people_at(tables[0]) == ["Ann", "Ben", "Cas", "Dee"]
    do_start_seeks()
    table = Table.objects.get()
    assert (table.status, Match.objects.get().number) == (Table.Status.PLAYING, 1)
    assert not Seek.objects.exists()
    other = seek(persons[4], 4, 4, GAME_FOR_FOUR)  # the next one waits at a table of their own
    assert other != table
    do_start_seeks()
    assert other.status == Table.Status.OPEN


def test_with_free_seats_the_match_starts_after_a_pause_and_bots_take_the_seats(persons: list[Person]) -> None:
    table = seek(persons[0], 2, 4)
    do_start_seeks()
    assert Seek.objects.get().starts is None
    assert seek(persons[1], 2, 4) == table
    do_start_seeks()
    planned = Seek.objects.get().starts
    assert planned
    assert timedelta() < planned - timezone.now() <= PAUSE
    do_start_seeks()
    assert Seek.objects.get().starts == planned  # a further round does not put it off
    shorten_pause(table, PAUSE)
    do_start_seeks()
    assert (people_at(table), seat_kinds(table)) == (["Ann", "Ben"], ["person", "person", "bot", "bot"])
    assert Match.objects.get().table == table


def test_without_bots_free_seats_are_removed(persons: list[Person]) -> None:
    table = seek(persons[0], 2, 4, bots=False)
    assert seek(persons[1], 2, 6, bots=False) == table
    do_start_seeks()
    shorten_pause(table, PAUSE)
    do_start_seeks()
    assert seat_kinds(table) == ["person", "person"]
    assert Match.objects.exists()


def test_a_person_who_leaves_during_the_pause_stops_the_start(persons: list[Person]) -> None:
    table = seek(persons[0])
    seek(persons[1])
    do_start_seeks()
    seating.do_stand(table.code, persons[1])
    do_start_seeks()
    assert Seek.objects.get().starts is None
    assert not Match.objects.exists()


def test_with_a_clock_of_minutes_only_people_at_the_table_count(persons: list[Person]) -> None:
    table = seek(persons[0], 2, 3)
    assert seek(persons[1], 2, 3) == table
    set_present(table, persons[1])  # Ann has closed the page
    do_start_seeks()
    assert Seek.objects.get().starts is None
    assert seek(persons[2], 2, 3) == table
    set_present(table, persons[1], persons[2])
    do_start_seeks()
    assert not Match.objects.exists()
    shorten_pause(table, PAUSE)
    do_start_seeks()
    assert (people_at(table), seat_kinds(table)) == (["Ben", "Cas"], ["bot", "person", "person"])
    assert Table.objects.get(pk=table.pk).host in (persons[1], persons[2])


def test_a_person_who_may_come_back_counts_against_the_most_that_others_want(persons: list[Person]) -> None:
    table = seek(persons[0], 2, 4)
    assert seek(persons[1], 2, 4) == table
    set_present(table, persons[1])  # Ann has closed the page, and keeps her seat until the match starts
    assert seek(persons[2], 2, 2) != table
    assert people_at(table) == ["Ann", "Ben"]


def test_nobody_is_seated_at_a_table_that_everybody_has_left(persons: list[Person]) -> None:
    table = seek(persons[0])
    Seat.objects.filter(table=table).update(seen=None)
    assert seek(persons[1]) != table


def test_with_a_clock_of_days_people_may_be_absent_and_the_pause_is_longer(persons: list[Person]) -> None:
    table = seek(persons[0], seconds=DAY)
    Seat.objects.update(seen=None)
    assert do_seek(persons[1], catalogue.find(GAME), 2, 4, bots=True, seconds=DAY) == table
    do_start_seeks()
    planned = Seek.objects.get().starts
    assert planned
    assert planned - timezone.now() > PAUSE
    shorten_pause(table, LONG_PAUSE)
    do_start_seeks()
    assert people_at(table) == ["Ann", "Ben"]
    assert Match.objects.get().seconds == DAY


@pytest.mark.parametrize(
    "changed",
    [{"game": "enchere"}, {"seconds": 30}, {"bots": False}, {"least": 5, "most": 6}],
    ids=["game", "clock", "bots", "people"],
)
def test_a_person_who_seeks_another_match_waits_at_another_table(
    persons: list[Person], changed: dict[str, Any]
) -> None:
    assert seek(persons[0]) != seek(persons[1], **changed)


def test_the_range_at_a_table_is_that_of_all_its_people(persons: list[Person]) -> None:
    table = seek(persons[0], 2, 6)
    assert seek(persons[1], 3, 5) == table
    assert (Seek.objects.get().people, len(seat_kinds(table))) == (3, 5)
    assert seek(persons[2], 2, 2) != table
    assert seek(persons[3], 3, 3) == table
    assert seat_kinds(table) == ["person"] * 3
    do_start_seeks()
    assert Match.objects.get().table == table


def test_with_bots_a_narrower_range_leaves_as_many_seats_as_the_game_needs(persons: list[Person]) -> None:
    table = seek(persons[0], 2, 4, GAME_FOR_FOUR)
    assert seek(persons[1], 2, 3, GAME_FOR_FOUR) == table
    assert seat_kinds(table) == ["person", "person", "open", "bot"]


def test_a_second_click_finds_the_table_of_the_first(persons: list[Person]) -> None:
    assert seek(persons[0]) == seek(persons[0])
    assert len(people_at(Table.objects.get())) == 1


def test_a_range_is_narrowed_to_that_of_the_game_or_refused(persons: list[Person]) -> None:
    assert len(seat_kinds(seek(persons[0], 2, 9, GAME_FOR_FOUR, bots=False))) == 4
    assert Seek.objects.get().people == 4
    with pytest.raises(Refused, match=r"^Hearts needs 4 people\. Choose that number\.$"):
        seek(persons[1], 2, 3, GAME_FOR_FOUR, bots=False)
    with pytest.raises(Refused, match=r"^Hearts needs 2 to 4 people\. Choose a number in that range\.$"):
        seek(persons[1], 5, 6, GAME_FOR_FOUR)
    with pytest.raises(Refused, match=r"^Card Thief is a game for one player\.$"):
        seek(persons[1], 2, 4, "thief")
    assert Table.objects.count() == 1


@pytest.mark.parametrize(
    "game", [game for game in catalogue.listed() if game.max_seats >= FEWEST], ids=lambda game: game.name
)
def test_every_game_for_several_players_starts_by_itself_with_its_fewest_people(db: None, game: Game) -> None:
    fewest = max(FEWEST, game.min_seats)
    for number in range(fewest):
        table = seek(Person.objects.create(name=f"P{number}"), 2, 20, game.name, bots=False)
    do_start_seeks()
    if table.seats.count() > fewest:
        shorten_pause(table, PAUSE)
        do_start_seeks()
    assert seat_kinds(Table.objects.get()) == ["person"] * fewest
    assert Match.objects.get().game == game.name


def test_a_person_removed_by_the_host_waits_at_another_table(persons: list[Person]) -> None:
    table = seek(persons[0])
    seek(persons[1])
    hosting.do_remove_from_table(table.code, persons[0], 1)
    assert seek(persons[1]) != table


def test_a_blocked_person_cannot_seek(persons: list[Person]) -> None:
    block(persons[0])
    with pytest.raises(Refused, match=r"^An administrator has blocked you"):
        seek(persons[0])


def test_the_host_may_start_earlier_or_choose_another_game_and_then_nothing_starts_by_itself(
    persons: list[Person],
) -> None:
    table = seek(persons[0])
    do_start_match(table.code, persons[0])
    assert read_table(table.code).info.seek is None
    do_start_seeks()
    assert Match.objects.count() == 1
    other = seek(persons[1])
    hosting.do_change_game(other.code, persons[1], catalogue.find("enchere"), {}, 60)
    assert read_table(other.code).info.seek is None
    assert not Seek.objects.filter(table=other).exists()


def test_a_seek_whose_game_is_gone_becomes_an_ordinary_table(persons: list[Person]) -> None:
    table = seek(persons[0])
    seek(persons[1])
    Table.objects.update(game="gone")
    do_start_seeks()
    assert not Seek.objects.exists()
    assert Table.objects.get().status == Table.Status.OPEN
    assert people_at(table) == ["Ann", "Ben"]


def test_the_front_page_lists_seeks_first_with_the_number_of_missing_people(persons: list[Person], host: Actor) -> None:
    seek(persons[0], 3, 4)
    busy = Table.objects.create(game=GAME, host=persons[1])
    Seat.objects.create(table=busy, index=0, person=persons[1], seen=timezone.now())
    Seat.objects.create(table=busy, index=1)
    assert [(row["seek"], row["seats_free"]) for row in public_rows()] == [(2, 3), (0, 1)]
    assert "2 more people needed" in host.client.get("/").content.decode()


def test_everybody_at_the_table_is_sent_when_the_match_starts(persons: list[Person]) -> None:
    table = seek(persons[0])
    info = read_table(table.code).info.seek
    assert info
    assert (info.people, info.bots, info.starts) == (2, True, 0)
    seek(persons[1])
    do_start_seeks()
    info = read_table(table.code).info.seek
    planned = Seek.objects.get().starts
    assert info
    assert planned
    assert info.starts == int(planned.timestamp() * 1000)


def test_a_visitor_seeks_on_the_front_page(host: Actor, guest: Actor) -> None:
    form = {"game": GAME, "least": "4", "most": "2", "seconds": "60", "bots": "on"}
    answer = host.client.post("/seek/", form)
    table = Table.objects.get()
    assert answer.headers["Location"] == f"/t/{table.code}/"
    assert (table.public, table.seconds, seat_kinds(table)) == (True, 60, ["person", "open", "open", "open"])
    set_present(table)
    assert guest.client.post("/seek/", form).headers["Location"] == f"/t/{table.code}/"
    assert people_at(table) == ["Hostess", "Guest"]


@pytest.mark.parametrize("field", ["game", "least", "most", "seconds"])
@pytest.mark.parametrize("value", ["", "x", "-1", "9" * 5000], ids=["empty", "x", "-1", "9s"])
def test_an_invalid_form_is_refused_with_a_message(host: Actor, field: str, value: str) -> None:
    form = {"game": GAME, "least": "2", "most": "4", "seconds": "60", field: value}
    assert host.client.post("/seek/", form).headers["Location"] == "/"
    assert "Choose a game and how many people from the lists." in host.client.get("/").content.decode()
    assert not Table.objects.exists()


def test_a_seek_whose_match_has_just_started_is_not_joined(
    persons: list[Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = seek(persons[0])
    lock = permissions.lock

    def too_late(code: str) -> Table:
        do_start_match(code, persons[0])
        Seek.objects.all().delete()
        return lock(code)

    monkeypatch.setattr("cardsite.lobby.services.seeks.lock", too_late)
    assert seek(persons[1]) != table


def test_without_a_game_for_two_people_no_form_is_valid() -> None:
    assert not SeekForm([], {}).is_valid()
