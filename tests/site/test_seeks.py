"""Seeks: people who would like to play the same meet at a table, and its first match starts by itself."""

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
FOUR = "hearts"  # for exactly 4


def seek(person: Person, least: int = 2, most: int = 4, game: str = GAME, **changed: Any) -> Table:
    """Seek, as a person who then waits at the table."""
    table = do_seek(person, catalogue.find(game), least, most, **{"bots": True, "seconds": 60, **changed})
    come(table)
    return Table.objects.get(pk=table.pk)


def come(table: Table, *people: Person) -> None:
    """Let the people at a table be there, or only some of them."""
    seats = Seat.objects.filter(table=table).exclude(person=None)
    seats.update(seen=None)
    (seats.filter(person__in=people) if people else seats).update(seen=timezone.now())


def people_at(table: Table) -> list[str]:
    return [seat.person.name for seat in Seat.objects.filter(table=table).select_related("person") if seat.person]


def kinds(table: Table) -> list[str]:
    return [seat.kind for seat in Seat.objects.filter(table=table)]


def later(table: Table, by: timedelta) -> None:
    """Let so much of the pause pass."""
    row = Seek.objects.get(table=table)
    assert row.starts
    Seek.objects.filter(table=table).update(starts=row.starts - by)


@pytest.fixture
def five(db: None) -> list[Person]:
    return [Person.objects.create(name=name) for name in ("Ann", "Ben", "Cas", "Dee", "Eve")]


def test_people_who_seek_the_same_sit_down_together_and_the_full_table_plays(five: list[Person]) -> None:
    tables = [seek(person, 4, 4, FOUR) for person in five[:4]]
    assert len({table.pk for table in tables}) == 1
    assert people_at(tables[0]) == ["Ann", "Ben", "Cas", "Dee"]
    do_start_seeks()
    table = Table.objects.get()
    assert (table.status, Match.objects.get().number) == (Table.Status.PLAYING, 1)
    assert not Seek.objects.exists()
    other = seek(five[4], 4, 4, FOUR)  # the next one waits at a table of their own
    assert other != table
    do_start_seeks()
    assert other.status == Table.Status.OPEN


def test_with_free_seats_the_match_starts_after_a_pause_and_bots_take_them(five: list[Person]) -> None:
    table = seek(five[0], 2, 4)
    do_start_seeks()
    assert Seek.objects.get().starts is None
    assert seek(five[1], 2, 4) == table
    do_start_seeks()
    planned = Seek.objects.get().starts
    assert planned
    assert timedelta() < planned - timezone.now() <= PAUSE
    do_start_seeks()
    assert Seek.objects.get().starts == planned  # a further round does not put it off
    later(table, PAUSE)
    do_start_seeks()
    assert (people_at(table), kinds(table)) == (["Ann", "Ben"], ["person", "person", "bot", "bot"])
    assert Match.objects.get().table == table


def test_without_bots_free_seats_are_removed(five: list[Person]) -> None:
    table = seek(five[0], 2, 4, bots=False)
    assert seek(five[1], 2, 6, bots=False) == table
    do_start_seeks()
    later(table, PAUSE)
    do_start_seeks()
    assert kinds(table) == ["person", "person"]
    assert Match.objects.exists()


def test_who_leaves_during_the_pause_stops_the_start(five: list[Person]) -> None:
    table = seek(five[0])
    seek(five[1])
    do_start_seeks()
    seating.do_stand(table.code, five[1])
    do_start_seeks()
    assert Seek.objects.get().starts is None
    assert not Match.objects.exists()


def test_only_who_is_there_counts_where_the_clock_has_minutes(five: list[Person]) -> None:
    table = seek(five[0], 2, 3)
    assert seek(five[1], 2, 3) == table
    come(table, five[1])  # Ann has closed the page
    do_start_seeks()
    assert Seek.objects.get().starts is None
    assert seek(five[2], 2, 3) == table
    come(table, five[1], five[2])
    do_start_seeks()
    assert not Match.objects.exists()
    later(table, PAUSE)
    do_start_seeks()
    assert (people_at(table), kinds(table)) == (["Ben", "Cas"], ["bot", "person", "person"])
    assert Table.objects.get(pk=table.pk).host in (five[1], five[2])


def test_who_may_still_come_back_counts_for_those_who_want_few_people(five: list[Person]) -> None:
    table = seek(five[0], 2, 4)
    assert seek(five[1], 2, 4) == table
    come(table, five[1])  # Ann has closed the page, and keeps her seat until the match starts
    assert seek(five[2], 2, 2) != table
    assert people_at(table) == ["Ann", "Ben"]


def test_nobody_is_seated_where_nobody_waits(five: list[Person]) -> None:
    table = seek(five[0])
    Seat.objects.filter(table=table).update(seen=None)
    assert seek(five[1]) != table


def test_where_the_clock_has_days_nobody_needs_to_be_there_and_the_pause_is_longer(five: list[Person]) -> None:
    table = seek(five[0], seconds=DAY)
    Seat.objects.update(seen=None)
    assert do_seek(five[1], catalogue.find(GAME), 2, 4, bots=True, seconds=DAY) == table
    do_start_seeks()
    planned = Seek.objects.get().starts
    assert planned
    assert planned - timezone.now() > PAUSE
    later(table, LONG_PAUSE)
    do_start_seeks()
    assert people_at(table) == ["Ann", "Ben"]
    assert Match.objects.get().seconds == DAY


@pytest.mark.parametrize(
    "changed",
    [{"game": "enchere"}, {"seconds": 30}, {"bots": False}, {"least": 5, "most": 6}],
    ids=["game", "clock", "bots", "people"],
)
def test_who_seeks_something_else_waits_elsewhere(five: list[Person], changed: dict[str, Any]) -> None:
    assert seek(five[0]) != seek(five[1], **changed)


def test_the_range_at_a_table_is_that_of_all_its_people(five: list[Person]) -> None:
    table = seek(five[0], 2, 6)
    assert seek(five[1], 3, 5) == table
    assert (Seek.objects.get().people, len(kinds(table))) == (3, 5)
    assert seek(five[2], 2, 2) != table
    assert seek(five[3], 3, 3) == table
    assert kinds(table) == ["person"] * 3
    do_start_seeks()
    assert Match.objects.get().table == table


def test_with_bots_a_narrower_range_leaves_as_many_seats_as_the_game_needs(five: list[Person]) -> None:
    table = seek(five[0], 2, 4, FOUR)
    assert seek(five[1], 2, 3, FOUR) == table
    assert kinds(table) == ["person", "person", "open", "bot"]


def test_a_second_click_finds_the_table_of_the_first(five: list[Person]) -> None:
    assert seek(five[0]) == seek(five[0])
    assert len(people_at(Table.objects.get())) == 1


def test_a_range_is_cut_to_what_the_game_allows_and_else_refused(five: list[Person]) -> None:
    assert len(kinds(seek(five[0], 2, 9, FOUR, bots=False))) == 4
    assert Seek.objects.get().people == 4
    with pytest.raises(Refused, match=r"^Hearts needs 4 people\. Choose that number\.$"):
        seek(five[1], 2, 3, FOUR, bots=False)
    with pytest.raises(Refused, match=r"^Hearts needs 2 to 4 people\. Choose a number in that range\.$"):
        seek(five[1], 5, 6, FOUR)
    with pytest.raises(Refused, match=r"^Card Thief is a game for one player\.$"):
        seek(five[1], 2, 4, "thief")
    assert Table.objects.count() == 1


@pytest.mark.parametrize(
    "game", [game for game in catalogue.listed() if game.max_seats >= FEWEST], ids=lambda game: game.name
)
def test_every_game_for_several_starts_by_itself_with_its_fewest_people(db: None, game: Game) -> None:
    fewest = max(FEWEST, game.min_seats)
    for number in range(fewest):
        table = seek(Person.objects.create(name=f"P{number}"), 2, 20, game.name, bots=False)
    do_start_seeks()
    if table.seats.count() > fewest:
        later(table, PAUSE)
        do_start_seeks()
    assert kinds(Table.objects.get()) == ["person"] * fewest
    assert Match.objects.get().game == game.name


def test_who_was_removed_by_the_host_waits_elsewhere(five: list[Person]) -> None:
    table = seek(five[0])
    seek(five[1])
    hosting.do_remove_from_table(table.code, five[0], 1)
    assert seek(five[1]) != table


def test_who_is_blocked_cannot_seek(five: list[Person]) -> None:
    block(five[0])
    with pytest.raises(Refused, match=r"^An administrator has blocked you"):
        seek(five[0])


def test_the_host_may_start_earlier_or_choose_another_game_and_then_nothing_starts_by_itself(
    five: list[Person],
) -> None:
    table = seek(five[0])
    do_start_match(table.code, five[0])
    assert read_table(table.code).info.seek is None
    do_start_seeks()
    assert Match.objects.count() == 1
    other = seek(five[1])
    hosting.do_change_game(other.code, five[1], catalogue.find("enchere"), {}, 60)
    assert read_table(other.code).info.seek is None
    assert not Seek.objects.filter(table=other).exists()


def test_a_seek_whose_game_is_gone_is_left_to_its_host(five: list[Person]) -> None:
    table = seek(five[0])
    seek(five[1])
    Table.objects.update(game="gone")
    do_start_seeks()
    assert not Seek.objects.exists()
    assert Table.objects.get().status == Table.Status.OPEN
    assert people_at(table) == ["Ann", "Ben"]


def test_the_front_page_lists_seeks_first_with_how_many_are_missing(five: list[Person], host: Actor) -> None:
    seek(five[0], 3, 4)
    busy = Table.objects.create(game=GAME, host=five[1])
    Seat.objects.create(table=busy, index=0, person=five[1], seen=timezone.now())
    Seat.objects.create(table=busy, index=1)
    assert [(row["seek"], row["seats_free"]) for row in public_rows()] == [(2, 3), (0, 1)]
    assert "2 more people needed" in host.client.get("/").content.decode()


def test_everybody_at_the_table_reads_when_it_starts(five: list[Person]) -> None:
    table = seek(five[0])
    info = read_table(table.code).info.seek
    assert info
    assert (info.people, info.bots, info.starts) == (2, True, 0)
    seek(five[1])
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
    assert (table.public, table.seconds, kinds(table)) == (True, 60, ["person", "open", "open", "open"])
    come(table)
    assert guest.client.post("/seek/", form).headers["Location"] == f"/t/{table.code}/"
    assert people_at(table) == ["Hostess", "Guest"]


@pytest.mark.parametrize("field", ["game", "least", "most", "seconds"])
@pytest.mark.parametrize("value", ["", "x", "-1", "9" * 5000], ids=["empty", "x", "-1", "9s"])
def test_a_form_of_garbage_is_refused_with_a_sentence(host: Actor, field: str, value: str) -> None:
    form = {"game": GAME, "least": "2", "most": "4", "seconds": "60", field: value}
    assert host.client.post("/seek/", form).headers["Location"] == "/"
    assert "Choose a game and how many people from the lists." in host.client.get("/").content.decode()
    assert not Table.objects.exists()


def test_a_match_that_has_begun_meanwhile_is_not_joined(five: list[Person], monkeypatch: pytest.MonkeyPatch) -> None:
    table = seek(five[0])
    lock = permissions.lock

    def too_late(code: str) -> Table:
        do_start_match(code, five[0])
        Seek.objects.all().delete()
        return lock(code)

    monkeypatch.setattr("cardsite.lobby.services.seeks.lock", too_late)
    assert seek(five[1]) != table


def test_a_site_without_a_game_for_two_shows_a_form_that_offers_none() -> None:
    assert not SeekForm([], {}).is_valid()
