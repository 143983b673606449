"""The seat from which somebody sees a replay: during a match, only the one they sit on now."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from cardsite.lobby.models import Seat, Table
from cardsite.people.services import do_adopt
from cardsite.table.models import Match
from cardsite.table.services.matches import do_start_match
from tests.site.conftest import Actor


def look(client: Client, match: int) -> dict[str, Any]:
    """Return a match as somebody sees it step by step."""
    frames: dict[str, Any] = client.get(f"/replay/{match}/frames.json").json()
    return frames


def end(match: int) -> None:
    """End a match at a table."""
    Match.objects.filter(pk=match).update(status=Match.Status.OVER)
    Table.objects.filter(matches=match).update(status=Table.Status.OVER)


@pytest.fixture
def match(table: Table, host: Actor) -> int:
    """A match that is being played: the host on seat 0, the guest on seat 1, bots on the others."""
    return do_start_match(table.code, host.person)


def test_a_player_sees_their_own_seat_and_a_spectator_none(match: int, guest: Actor, newcomer: Client) -> None:
    mine, watched = look(guest.client, match), look(newcomer, match)
    assert (mine["seat"], watched["seat"]) == (1, None)
    assert mine["frames"] != watched["frames"]


def test_a_player_who_stands_up_in_mid_match_sees_what_a_spectator_sees(
    match: int, table: Table, guest: Actor, newcomer: Client
) -> None:
    before = look(guest.client, match)
    assert guest.client.post(f"/t/{table.code}/stand/").json() == {"ok": True}
    assert look(guest.client, match) == look(newcomer, match) != before


def test_a_player_whose_seat_is_taken_away_sees_what_a_spectator_sees(
    match: int, table: Table, guest: Actor, newcomer: Client
) -> None:
    Seat.objects.filter(table=table, index=1).update(person=None, bot="house")  # as for a seat that is one too many
    assert look(guest.client, match) == look(newcomer, match)


def test_a_player_who_sat_in_an_earlier_match_only_watches_this_one(
    match: int, table: Table, host: Actor, guest: Actor, stranger: Actor, newcomer: Client
) -> None:
    end(match)
    guest.client.post(f"/t/{table.code}/stand/")
    stranger.client.post(f"/t/{table.code}/sit/", {"seat": "1"})
    second = do_start_match(table.code, host.person)
    assert look(guest.client, second) == look(newcomer, second)
    assert look(stranger.client, second)["seat"] == 1
    assert look(stranger.client, match)["seat"] is None
    assert look(guest.client, match)["seat"] == 1


def test_a_visitor_who_comes_back_to_the_table_does_not_come_back_to_the_match(
    match: int, table: Table, guest: Actor, newcomer: Client
) -> None:
    guest.client.post(f"/t/{table.code}/stand/")
    Seat.objects.filter(table=table, index=3).update(person=guest.person, bot="")
    assert look(guest.client, match) == look(newcomer, match)


def test_a_guest_who_logs_in_goes_on_seeing_the_seat(match: int, guest: Actor, admin: Actor) -> None:
    User.objects.update(is_staff=False)
    do_adopt(guest.person, User.objects.get())
    assert look(admin.client, match)["seat"] == 1


def test_a_player_who_left_sees_the_seat_again_when_all_is_over(match: int, table: Table, guest: Actor) -> None:
    guest.client.post(f"/t/{table.code}/stand/")
    end(match)
    assert look(guest.client, match)["seat"] == 1
