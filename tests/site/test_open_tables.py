"""The limit of open tables a person, even if others host them now."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from cardsite.lobby.models import Seat, Table
from cardsite.lobby.services.lifecycle import MAX_TABLES
from tests.site.conftest import ADMIN_PASSWORD, Actor

FORM = {"visibility": "link", "sealed": "yes", "seconds": "60", **{f"seat{n}": "none" for n in range(2, 6)}}


def open_table(client: Client, *seats: str) -> str:
    """Make a table as the page does. Return its code, "" if it was refused."""
    answer = client.post("/new/", {**FORM, **{f"seat{n}": kind for n, kind in enumerate(seats)}})
    return answer.headers["Location"].split("/")[2] if answer.status_code == 302 else ""


@pytest.mark.parametrize("status", [Table.Status.OPEN, Table.Status.PLAYING, Table.Status.OVER])
@pytest.mark.parametrize("has_next_host", [False, True])
def test_a_player_who_stands_up_has_opened_the_table_all_the_same(
    stranger: Actor, guest: Actor, status: Table.Status, has_next_host: bool
) -> None:
    for _ in range(MAX_TABLES):
        code = open_table(stranger.client, "me", "open")
        if has_next_host:
            guest.client.post(f"/t/{code}/sit/")
        Table.objects.update(status=status)
        assert stranger.client.post(f"/t/{code}/stand/").json() == {"ok": True}
    assert not Table.objects.filter(host=stranger.person).exists()
    assert not open_table(stranger.client, "me", "open")
    assert Table.objects.count() == MAX_TABLES
    if has_next_host:
        assert open_table(guest.client, "me", "open")  # what was left to somebody counts for who opened it


def test_a_new_host_may_open_as_many_of_their_own(stranger: Actor, guest: Actor) -> None:
    for _ in range(3):
        code = open_table(guest.client, "me", "open")
        guest.client.post(f"/t/{code}/stand/")
        assert stranger.client.post(f"/t/{code}/sit/").json() == {"ok": True}
    assert Table.objects.filter(host=stranger.person).count() == 3
    opened = [bool(open_table(stranger.client, "me", "open")) for _ in range(MAX_TABLES + 1)]
    assert opened == [True] * MAX_TABLES + [False]


def test_a_visitor_who_opened_a_table_can_close_it_when_it_has_no_host(stranger: Actor, guest: Actor) -> None:
    code = open_table(stranger.client, "me", "open")
    stranger.client.post(f"/t/{code}/stand/")
    assert guest.client.post(f"/t/{code}/close/").json()["code"] == "not_host"
    assert stranger.client.post(f"/t/{code}/close/").json() == {"ok": True}


def test_a_visitor_who_opened_a_table_has_no_say_beside_its_new_host(stranger: Actor, guest: Actor) -> None:
    code = open_table(stranger.client, "me", "open")
    guest.client.post(f"/t/{code}/sit/")
    stranger.client.post(f"/t/{code}/stand/")
    assert stranger.client.post(f"/t/{code}/close/").json()["code"] == "not_host"
    assert guest.client.post(f"/t/{code}/close/").json() == {"ok": True}


def test_nobody_plays_alone_at_more_tables_than_the_limit_by_standing_up_in_mid_match(stranger: Actor) -> None:
    for _ in range(MAX_TABLES + 2):
        stranger.client.post("/play/hamsterdam/")
        for seat in Seat.objects.filter(person=stranger.person):
            stranger.client.post(f"/t/{seat.table.code}/stand/")
    assert Table.objects.count() == MAX_TABLES


def test_a_player_who_plays_alone_and_leaves_between_matches_is_never_refused(stranger: Actor) -> None:
    for _ in range(MAX_TABLES + 2):
        assert stranger.client.post("/play/hamsterdam/").headers["Location"].startswith("/t/")
        Table.objects.exclude(status=Table.Status.CLOSED).update(status=Table.Status.OVER)
        for seat in Seat.objects.filter(person=stranger.person):
            stranger.client.post(f"/t/{seat.table.code}/stand/")
    assert Table.objects.exclude(status=Table.Status.CLOSED).count() == 1


def test_logging_in_makes_no_room_for_more_tables(stranger: Actor, admin: Actor) -> None:
    assert User.objects.get().username == "boss"
    for _ in range(MAX_TABLES):
        open_table(stranger.client, "me", "open")
    stranger.client.post("/people/login/", {"username": "boss", "password": ADMIN_PASSWORD})
    assert not open_table(stranger.client, "me", "open")
