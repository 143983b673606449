"""Whose turn it is at tables that may wait for days: on the front page, in every page's header, and at one address."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from cardsite.front.tables import public_rows
from cardsite.lobby.games import CORRESPONDENCE, DAY, HOUR
from cardsite.lobby.models import Seat, Table
from cardsite.lobby.services.lifecycle import ABANDONED, ABANDONED_LATER, do_close_abandoned
from cardsite.lobby.services.presence import do_note_turns
from cardsite.table.models import Match
from cardsite.table.services.matches import do_start_match
from tests.site.conftest import Actor


def playing(host: Actor, guest: Actor, hours: int | None = 5) -> Table:
    """Return a table with a match that waits for the guest, for so many hours; None: without a clock."""
    made = Table.objects.create(game="hamsterdam", host=host.person, opened_by=host.person, seconds=DAY)
    for index, person in enumerate((host.person, guest.person)):
        Seat.objects.create(table=made, index=index, person=person)
    do_start_match(made.code, host.person)
    do_note_turns(made.pk, {1: timezone.now() + timedelta(hours=hours) if hours else None})
    return made


def test_the_number_of_ones_turns_is_in_the_header_and_title_of_every_page(host: Actor, guest: Actor) -> None:
    first, second = playing(host, guest), playing(host, guest, None)
    for path, number in (
        ("/", 2),
        ("/games/", 2),
        ("/people/me/", 2),
        (f"/t/{first.code}/", 1),
        (f"/t/{second.code}/", 1),
    ):
        shown = guest.client.get(path).content.decode()
        assert f"<title>({number}) " in shown, path
        assert f"<span data-turns-number>{number}</span>" in shown
    assert "<title>(" not in host.client.get("/").content.decode()
    assert guest.client.get("/tables.json").json()["turns"] == 2


def test_the_most_urgent_turn_is_one_click_away_and_then_the_next(host: Actor, guest: Actor) -> None:
    untimed, later, sooner = (playing(host, guest, hours) for hours in (None, 5, 2))

    def next_after(code: str) -> str:
        return guest.client.get(f"/turn/?after={code}").headers["Location"]

    assert next_after("") == f"/t/{sooner.code}/"
    assert next_after(sooner.code) == f"/t/{later.code}/"
    do_note_turns(later.pk, {})
    assert next_after(sooner.code) == f"/t/{untimed.code}/"
    do_note_turns(untimed.pk, {0: None})
    assert next_after(sooner.code) == "/"
    assert "No other table is waiting for you." in guest.client.get("/").content.decode()


def test_a_turn_does_not_count_while_one_is_away_or_nothing_is_played(host: Actor, guest: Actor) -> None:
    table = playing(host, guest)
    Seat.objects.update(away=True)
    assert guest.client.get("/tables.json").json()["turns"] == 0
    Seat.objects.update(away=False)
    Table.objects.filter(pk=table.pk).update(status=Table.Status.OVER)
    assert guest.client.get("/tables.json").json()["turns"] == 0


def test_ones_tables_say_whose_turn_it_is_and_until_when_and_ones_own_come_first(host: Actor, guest: Actor) -> None:
    mine, theirs = playing(host, guest), playing(guest, host, 3)
    due = Seat.objects.get(table=mine, to_act=True).due
    assert due
    rows = guest.client.get("/tables.json").json()["mine"]
    assert [row["code"] for row in rows] == [mine.code, theirs.code]
    assert "Your turn" in rows[0]["html"]
    assert due.isoformat() in rows[0]["html"]
    assert "Hostess\N{RIGHT SINGLE QUOTATION MARK}s turn" in rows[1]["html"]
    assert "1 day per decision" in rows[1]["html"]


def test_tables_for_days_are_listed_while_they_wait_for_players_and_not_while_their_match_is_suspended(
    host: Actor, guest: Actor
) -> None:
    waiting = Table.objects.create(game="hamsterdam", host=host.person, seconds=DAY)
    Seat.objects.create(table=waiting, index=0, person=host.person)
    Seat.objects.create(table=waiting, index=1)
    table = playing(host, guest)
    assert {row["code"] for row in public_rows()} == {waiting.code, table.code}
    Match.objects.update(suspended_since=timezone.now())
    assert {row["code"] for row in public_rows()} == {waiting.code}
    Table.objects.filter(pk=waiting.pk).update(seconds=60)
    assert public_rows() == []


@pytest.mark.parametrize("seconds", [60, *CORRESPONDENCE])
def test_a_table_for_days_waits_for_players_for_two_weeks(host: Actor, seconds: int) -> None:
    table = Table.objects.create(game="hamsterdam", host=host.person, seconds=seconds)

    def open_after(time: timedelta) -> bool:
        Table.objects.update(touched=timezone.now() - time)
        do_close_abandoned()
        return Table.objects.get(pk=table.pk).status == Table.Status.OPEN

    assert open_after(ABANDONED - timedelta(minutes=1))
    assert open_after(ABANDONED + timedelta(minutes=1)) == (seconds >= HOUR)
    assert not open_after(ABANDONED_LATER + timedelta(minutes=1))


@pytest.mark.parametrize("seconds", CORRESPONDENCE)
def test_the_form_opens_tables_with_clocks_of_hours_and_days(host: Actor, seconds: int) -> None:
    seats = {f"seat{index}": kind for index, kind in enumerate(("me", "open", "none", "none", "none", "none"))}
    form = {"game": "hamsterdam", "name": "Hostess", "seconds": seconds, "visibility": "link", **seats}
    assert host.client.post("/new/", form).status_code == 302
    assert Table.objects.get().seconds == seconds
