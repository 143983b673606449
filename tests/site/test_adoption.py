"""A guest who logs in keeps everything; if only one of two rows can be kept, the earlier one is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models import ForeignKey, Model
from django.test import Client

from cardsite.circles.models import Circle, CircleMessage, CircleReport, Invitation, Member
from cardsite.lobby.models import PersonInvitation, Seat, SeatRequest, Table
from cardsite.people.models import Mute, Person, Restriction, token_hash
from cardsite.people.restrictions import is_blocked
from cardsite.people.services import do_adopt
from cardsite.playtests.models import Opinion
from cardsite.push.models import MailAddress, Subscription
from cardsite.table import daily
from cardsite.table.models import ChatReport, DailyTry, Match, Message, Occupancy, Player
from cardsite.tournaments.models import Entrant, Tournament
from cardsite.workshop.models import Like, Report, Text
from games import catalogue
from tests.site.conftest import ADMIN_PASSWORD, Actor, block

THIEF = "/daily/thief/"
LOGIN_PAGES = ("/people/login/", "/admin/login/")
LOGIN = {"username": "boss", "password": ADMIN_PASSWORD}


def a_match() -> Match:
    """Return a match at a table of its own."""
    table = Table.objects.create(game="hamsterdam")
    return Match.objects.create(table=table, number=1, game="hamsterdam", seed="00", seconds=60, sealed=False)


def a_tournament(**fields: Any) -> Tournament:
    """Return a tournament that has not started."""
    return Tournament.objects.create(name="Cup", game="hamsterdam", table_size=2, seconds=60, **fields)


# For each field by which a row of any model names a person: how to make one such row.
ROWS: dict[str, Callable[[Person], Model]] = {
    "lobby.Table.host": lambda person: Table.objects.create(game="hamsterdam", host=person),
    "lobby.Table.opened_by": lambda person: Table.objects.create(game="hamsterdam", opened_by=person),
    "lobby.Seat.person": lambda person: Seat.objects.create(
        table=Table.objects.create(game="hamsterdam"), index=0, person=person
    ),
    "lobby.Seat.held_for": lambda person: Seat.objects.create(
        table=Table.objects.create(game="hamsterdam"), index=0, bot="house", held_for=person
    ),
    "lobby.SeatRequest.person": lambda person: SeatRequest.objects.create(
        table=Table.objects.create(game="hamsterdam"), person=person
    ),
    "lobby.PersonInvitation.person": lambda person: PersonInvitation.objects.create(
        table=Table.objects.create(game="hamsterdam"), by=Person.objects.create(name="Anna"), person=person
    ),
    "lobby.PersonInvitation.by": lambda person: PersonInvitation.objects.create(
        table=Table.objects.create(game="hamsterdam"), by=person, person=Person.objects.create(name="Bram")
    ),
    "table.Player.person": lambda person: Player.objects.create(match=a_match(), seat=0, person=person, name="Guest"),
    "table.Occupancy.person": lambda person: Occupancy.objects.create(
        match=a_match(), ply=0, seat=0, person=person, name="Guest"
    ),
    "table.DailyTry.person": lambda person: DailyTry.objects.create(
        game="thief", day=date(2026, 1, 1), person=person, match=a_match()
    ),
    "table.Message.person": lambda person: Message.objects.create(
        table=Table.objects.create(game="hamsterdam"), room="players", person=person, name="Guest", text="hi", at=0
    ),
    "table.ChatReport.person": lambda person: ChatReport.objects.create(
        table=Table.objects.create(game="hamsterdam"), person=person, why="Rude"
    ),
    "people.Restriction.person": lambda person: Restriction.objects.create(person=person, kind="muted"),
    "people.Mute.by": lambda person: Mute.objects.create(by=person, person=Person.objects.create(name="Bram")),
    "people.Mute.person": lambda person: Mute.objects.create(by=Person.objects.create(name="Anna"), person=person),
    "push.Subscription.person": lambda person: Subscription.objects.create(
        person=person, endpoint=f"https://push.example/{person.pk}", zone="UTC"
    ),
    "push.MailAddress.person": lambda person: MailAddress.objects.create(person=person, address="me@house.example"),
    "circles.Member.person": lambda person: Member.objects.create(
        circle=Circle.objects.create(name="Friends"), person=person
    ),
    "circles.Invitation.by": lambda person: Invitation.objects.create(
        circle=Circle.objects.create(name="Friends"), table=Table.objects.create(game="hamsterdam"), by=person
    ),
    "circles.CircleMessage.person": lambda person: CircleMessage.objects.create(
        circle=Circle.objects.create(name="Friends"), person=person, text="hi"
    ),
    "circles.CircleReport.person": lambda person: CircleReport.objects.create(
        circle=Circle.objects.create(name="Friends"), person=person, why="Rude"
    ),
    "tournaments.Tournament.organizer": lambda person: a_tournament(organizer=person),
    "tournaments.Entrant.person": lambda person: Entrant.objects.create(tournament=a_tournament(), person=person),
    "workshop.Text.owner": lambda person: Text.objects.create(title="A game", owner=person),
    "workshop.Like.person": lambda person: Like.objects.create(text=Text.objects.create(title="A game"), person=person),
    "playtests.Opinion.person": lambda person: Opinion.objects.create(match=a_match(), person=person, seat=0, fun=3),
    "workshop.Report.person": lambda person: Report.objects.create(
        text=Text.objects.create(title="A game"), person=person, number=1, why="no"
    ),
}


def fields() -> dict[str, ForeignKey[Any, Any]]:
    """Return every field of any model that names a person, as the models say it now."""
    results = [relation.field for relation in Person._meta.related_objects]
    return {f"{field.model._meta.label}.{field.name}": field for field in results}  # type: ignore[misc]


@pytest.mark.parametrize("name", fields())
def test_whatever_names_a_guest_names_the_account_after_the_login(name: str, guest: Actor, admin: Actor) -> None:
    field = fields()[name]
    assert name in ROWS, f"Say here how to make a row of {field.model.__name__}, and let both have one if only one can."
    theirs, mine = ROWS[name](guest.person), None
    if name not in ("table.DailyTry.person", "push.MailAddress.person"):  # of which there can be one: see below
        mine = ROWS[name](admin.person)
    do_adopt(guest.person, User.objects.get(username="boss"))
    assert not Person.objects.filter(pk=guest.person.pk).exists()
    for row in filter(None, (theirs, mine)):
        row.refresh_from_db()
        assert getattr(row, field.name) == admin.person


def test_of_two_requests_for_a_seat_at_one_table_one_is_left(table: Table, stranger: Actor, admin: Actor) -> None:
    for person in (stranger.person, admin.person):
        SeatRequest.objects.create(table=table, person=person)
    stranger.client.post("/people/login/", LOGIN)
    assert SeatRequest.objects.get().person == admin.person


@pytest.mark.parametrize("kind", [Like, Report])
def test_of_two_likes_or_reports_on_one_game_one_is_left(
    kind: type[Like] | type[Report], guest: Actor, admin: Actor
) -> None:
    text = Text.objects.create(title="A game", latest=1)
    for person in (guest.person, admin.person):
        kind(text=text, person=person, **({"number": 1} if kind is Report else {})).save()
    guest.client.post("/people/login/", LOGIN)
    assert kind.objects.get().person == admin.person


def test_of_two_opinions_on_one_match_that_of_the_account_is_left(guest: Actor, admin: Actor) -> None:
    match = a_match()
    for seat, actor in enumerate((guest, admin)):
        Opinion.objects.create(match=match, person=actor.person, seat=seat, fun=1 + seat)
    guest.client.post("/people/login/", LOGIN)
    left = Opinion.objects.get()
    assert (left.person, left.fun) == (admin.person, 2)


def test_nobody_likes_a_game_that_turns_out_to_be_their_own(guest: Actor, admin: Actor) -> None:
    theirs, mine = (Text.objects.create(title="A game", owner=actor.person) for actor in (guest, admin))
    Like.objects.create(text=theirs, person=admin.person)
    Like.objects.create(text=mine, person=guest.person)
    guest.client.post("/people/login/", LOGIN)
    assert not Like.objects.exists()
    assert set(Text.objects.values_list("owner", flat=True)) == {admin.person.pk}


def test_a_token_and_a_block_come_along(guest: Actor, admin: Actor) -> None:
    Person.objects.filter(pk=guest.person.pk).update(token_hash=token_hash("x"))
    block(guest.person)
    guest.client.post("/people/login/", LOGIN)
    admin.person.refresh_from_db()
    assert (admin.person.token_hash, is_blocked(admin.person.pk)) == (token_hash("x"), True)


def test_the_account_keeps_its_own_token(guest: Actor, admin: Actor) -> None:
    Person.objects.filter(pk=guest.person.pk).update(token_hash=token_hash("x"))
    Person.objects.filter(pk=admin.person.pk).update(token_hash=token_hash("y"))
    guest.client.post("/people/login/", LOGIN)
    admin.person.refresh_from_db()
    assert admin.person.token_hash == token_hash("y")


def test_in_mid_match_a_bot_takes_the_seat_that_is_one_too_many(table: Table, guest: Actor, admin: Actor) -> None:
    Seat.objects.filter(table=table, index=3).update(person=admin.person)
    Table.objects.update(status=Table.Status.PLAYING)
    guest.client.post("/people/login/", LOGIN)
    seats = list(table.seats.all())
    assert (seats[1].kind, seats[1].bot) == ("bot", "house")
    assert seats[3].person == admin.person


# -- daily tries


def score(match: Match, points: float) -> None:
    """Write down the end of a match."""
    Match.objects.filter(pk=match.pk).update(status=Match.Status.OVER)
    Table.objects.filter(pk=match.table_id).update(status=Table.Status.OVER)
    Player.objects.filter(match=match).update(score=points)


def scores() -> list[tuple[int, float | None]]:
    """Return the board of today."""
    return [(row.person, row.score) for row in daily.leaderboard(catalogue.find("thief"), daily.today())]


@pytest.mark.parametrize("login_page", LOGIN_PAGES)
def test_a_daily_try_is_not_undone_by_logging_in(login_page: str, guest: Actor, admin: Actor) -> None:
    guest.client.post(THIEF)
    score(DailyTry.objects.get().match, 12)
    assert guest.client.post(login_page, LOGIN).status_code == 302
    assert "You have already played today" in guest.client.get(THIEF).content.decode()
    guest.client.post(THIEF)
    assert DailyTry.objects.get().person == admin.person
    assert scores() == [(admin.person.pk, 12)]


@pytest.mark.parametrize("first", ["guest", "account"])
def test_of_two_tries_at_one_deal_the_earlier_counts(first: str, guest: Actor, admin: Actor) -> None:
    for actor in (guest, admin) if first == "guest" else (admin, guest):
        actor.client.post(THIEF)
        score(DailyTry.objects.get(person=actor.person).match, 10 if actor is guest else 20)
    guest.client.post("/people/login/", LOGIN)
    assert scores() == [(admin.person.pk, 10 if first == "guest" else 20)]
    assert Match.objects.count() == 2  # what was played was played


def test_a_try_that_was_dropped_gives_way_to_one_that_was_not(guest: Actor, admin: Actor) -> None:
    for actor in (guest, admin):
        actor.client.post(THIEF)
    Match.objects.filter(dailytry__person=guest.person).update(status=Match.Status.DROPPED)
    score(DailyTry.objects.get(person=admin.person).match, 20)
    guest.client.post("/people/login/", LOGIN)
    assert scores() == [(admin.person.pk, 20)]


def test_tries_at_other_deals_are_both_kept(guest: Actor, admin: Actor) -> None:
    for actor, ago in ((guest, 1), (admin, 2)):
        day = daily.today() - timedelta(days=ago)
        DailyTry.objects.create(game="thief", day=day, person=actor.person, match=a_match())
    guest.client.post("/people/login/", LOGIN)
    assert DailyTry.objects.filter(person=admin.person).count() == 2


def test_a_guest_is_adopted_once(guest: Actor, admin: Actor) -> None:
    guest.client.post("/people/login/", LOGIN)
    guest.client.post("/people/logout/")
    assert "Who are you?" in guest.client.get("/people/me/").content.decode()
    assert Client().post("/people/login/", LOGIN).status_code == 302
    assert Person.objects.count() == 1


def test_of_two_addresses_that_of_the_account_is_left(guest: Actor, admin: Actor) -> None:
    for actor, address in ((guest, "guest@house.example"), (admin, "boss@house.example")):
        MailAddress.objects.create(person=actor.person, address=address)
    do_adopt(guest.person, User.objects.get(username="boss"))
    left = MailAddress.objects.get()
    assert (left.person, left.address) == (admin.person, "boss@house.example")
