"""Data retention: what is stored is documented, can be downloaded, and is deleted with its owner."""

from __future__ import annotations

import json
import re
from datetime import date
from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group, Permission, User
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model
from django.test import Client
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django.fixtures import Settings

from cardsite.circles.models import CircleReport, Invitation
from cardsite.circles.services import do_join as do_join_circle
from cardsite.circles.services import do_make as do_make_circle
from cardsite.circles.services import do_post_message as do_post_in_circle
from cardsite.lobby.models import PersonInvitation, SeatRequest, Table
from cardsite.people.models import Person, token_hash
from cardsite.people.services import do_mute, do_restrict
from cardsite.playtests.models import Opinion
from cardsite.playtests.services import Given, do_answer
from cardsite.push.models import MailAddress, Subscription
from cardsite.table.models import ChatReport, DailyTry, Match, Message, Move, PackedMoves, Player
from cardsite.table.moves import pack
from cardsite.table.services.leaving import FORMER_PLAYER
from cardsite.table.services.matches import do_start_match
from cardsite.tournaments.services.entering import do_create as do_create_tournament
from cardsite.workshop.models import Like, Report, Text, Version
from games import catalogue
from tests.running_site import RunningSite
from tests.site.conftest import Actor
from tests.site.reasons import NO_CSRF, why_refused
from tests.site.test_stored_replays import play
from tests.site.visitor import Visitor, begin, play_on, program

# Every way in which a row may refer to a person or an account, and where the download has it.
IN_DOWNLOAD = {
    "people.Person.user": "account",
    "people.Restriction.person": "restrictions",
    "people.Restriction.by": "people_restricted",
    "people.Mute.by": "people_muted",
    "auth.User.groups": "groups",
    "auth.User.user_permissions": "permissions",
    "lobby.Table.host": "tables_hosted",
    "lobby.Table.opened_by": "tables_made",
    "lobby.Table.rigged_by": "tables_arranged",
    "lobby.Seat.person": "seats",
    "lobby.Seat.held_for": "seats_to_come_back_to",
    "lobby.SeatRequest.person": "seat_requests",
    "lobby.PersonInvitation.person": "invitations",
    "lobby.PersonInvitation.by": "invitations_made",
    "table.Match.rigged_by": "matches_arranged",
    "table.Player.person": "matches",
    "table.Occupancy.person": "seats_in_matches",
    "table.Message.person": "messages",
    "table.ChatReport.person": "messages_reported",
    "table.DailyTry.person": "deals_of_the_day",
    "workshop.Text.owner": "games_written",
    "workshop.Like.person": "games_liked",
    "workshop.Report.person": "games_reported",
    "playtests.Opinion.person": "opinions",
    "circles.Member.person": "circles",
    "circles.Invitation.by": "circles_invited",
    "circles.CircleMessage.person": "circle_messages",
    "circles.CircleReport.person": "circle_messages_reported",
    "tournaments.Entrant.person": "tournaments",
    "tournaments.Tournament.organizer": "tournaments_organized",
    "push.Subscription.person": "devices_notified",
    "push.MailAddress.person": "e_mails",
    "admin.LogEntry.user": "done_as_administrator",
    "otp_totp.TOTPDevice.user": "second_factors",
    "otp_static.StaticDevice.user": "second_factors",
}
# Those that the person must not learn of: who has muted them.
SECRET = {"people.Mute.person"}


def references() -> dict[str, tuple[type[Model], str]]:
    """Return every field of any model that refers to a person or an account: {its name: (model, field)}."""
    results = {}
    for model in apps.get_models():
        for field in [*model._meta.fields, *model._meta.many_to_many]:
            if field.related_model in (Person, User) or (model is User and field.many_to_many):
                results[f"{model._meta.label}.{field.name}"] = (model, field.name)
    return results


@pytest.fixture
def regular(admin: Actor, guest: Actor, table: Table) -> Actor:
    """A registered person to whom a row of every kind refers."""
    person, user = admin.person, admin.person.user
    assert user
    user.groups.add(Group.objects.create(name="staff"))
    user.user_permissions.add(Permission.objects.order_by("pk")[0])
    TOTPDevice.objects.create(user=user, name="app", key="5ec2e7" * 5)
    StaticDevice.objects.create(user=user, name="recovery codes").token_set.create(token="s3cr3tc0d3")
    kind = ContentType.objects.get_for_model(Table)
    LogEntry.objects.create(user=user, content_type=kind, object_repr="bundles abc", action_flag=CHANGE)
    person.token_hash = token_hash("a token")
    person.save()
    table.rigged, table.favourite, table.honest_games = True, 1, 0
    table.rigged_by = user
    table.host = table.opened_by = person
    table.save()
    table.seats.filter(index=0).update(person=person)
    table.seats.filter(index=2).update(held_for=person)
    SeatRequest.objects.create(table=Table.objects.create(game="hamsterdam"), person=person)
    PersonInvitation.objects.create(table=table, by=guest.person, person=person)
    PersonInvitation.objects.create(table=table, by=person, person=guest.person)
    mine, other = (Text.objects.create(title="A game", owner=whose, latest=1) for whose in (person, guest.person))
    Version.objects.create(text=mine, number=1, source="(game mine)", size=11, playable=False, title="A game")
    Like.objects.create(text=other, person=person)
    Report.objects.create(text=other, person=person, number=1, why="It is rude.")
    circle = do_make_circle(person, "Thursdays")
    do_join_circle(guest.person, circle.token)
    do_post_in_circle(circle.code, person, "hm")
    do_post_in_circle(circle.code, guest.person, "not mine")
    Invitation.objects.create(circle=circle, table=table, by=person)
    CircleReport.objects.create(circle=circle, person=person, why="It is rude.")
    do_create_tournament(person, "Cup", catalogue.find("hamsterdam"), size=2, system="swiss", seconds=60)
    do_mute(person, [guest.person.pk])
    Subscription.objects.create(person=person, endpoint="https://push.example/1", zone="UTC")
    MailAddress.objects.create(person=person, address="me@house.example")
    ChatReport.objects.create(table=table, person=person, why="It is rude.")
    for index in range(2):
        match = Match.objects.get(pk=do_start_match(table.code, person))
        play(match)
        do_answer(match, person, Given(fun=4, fair=2, note="My own words.", ply=1))
        if index:
            rows = list(match.moves.order_by("ply"))
            PackedMoves.objects.create(match=match, plies=len(rows), moves=pack(rows))
            match.moves.all().delete()
        DailyTry.objects.create(game=f"game{index}", day=date(2026, 1, 1), person=person, match=match)
        Message.objects.create(table=table, room="players", person=person, name="Boss", seat=0, text="hm", at=index)
        Message.objects.create(
            table=table, room="players", person=guest.person, name="Guest", text="not mine", at=index
        )
    do_restrict(person, "muted", "Shouting", None, user)
    return admin


def test_every_way_to_refer_to_a_person_is_known() -> None:
    assert set(references()) == IN_DOWNLOAD.keys() | SECRET


def test_the_download_holds_every_row_that_refers_to_the_person(regular: Actor) -> None:
    answer = regular.client.get("/people/me/data.json")
    assert "attachment" in answer["Content-Disposition"]
    data: dict[str, Any] = answer.json()
    counts: dict[str, int] = {}
    for name, (model, field) in references().items():
        if model is User or name in SECRET:
            continue
        whom = regular.person if model._meta.get_field(field).related_model is Person else regular.person.user
        rows = model._default_manager.filter(**{field: whom}).count()
        assert rows, f"the test has made no {name}"
        counts[IN_DOWNLOAD[name]] = counts.get(IN_DOWNLOAD[name], 0) + rows
    assert {key: 1 if key == "account" else len(data[key]) for key in counts} == counts
    assert data["account"]["user_name"] == "boss"
    assert (len(data["account"]["groups"]), len(data["account"]["permissions"])) == (1, 1)
    assert data["person"]["name"] == "Boss"
    assert data["person"]["has_token"] is True
    assert data["games_written"][0]["versions"][0]["source"] == "(game mine)"


def test_the_download_holds_the_persons_moves_packed_or_not_and_nobody_elses(regular: Actor) -> None:
    data = regular.client.get("/people/me/data.json").json()
    assert "not mine" not in json.dumps(data)
    rows, packed = data["matches"]
    assert rows["moves"]
    assert packed["moves"]
    assert len(rows["moves"]) == Move.objects.filter(match=rows["match"], seat=0).count()
    assert Move.objects.filter(match=rows["match"]).exclude(seat=0).exists()


def test_the_download_holds_no_secret(regular: Actor) -> None:
    text = regular.client.get("/people/me/data.json").content.decode()
    user = regular.person.user
    assert user
    secrets = [
        user.password,
        token_hash("a token"),
        "5ec2e7" * 5,
        "s3cr3tc0d3",
        *Match.objects.values_list("seed", flat=True),
    ]
    assert not [secret for secret in secrets if secret in text]
    assert not [word for word in ("favourite", "rig", "honest") if word in text]


def test_the_download_does_not_say_who_has_muted_the_person(regular: Actor, guest: Actor) -> None:
    before = regular.client.get("/people/me/data.json").json()
    do_mute(guest.person, [regular.person.pk])
    assert regular.client.get("/people/me/data.json").json() == before


def test_moves_of_a_bot_that_took_over_are_not_part_of_the_download(table: Table, host: Actor, guest: Actor) -> None:
    match = Match.objects.get(pk=do_start_match(table.code, host.person))
    Move.objects.create(match=match, ply=1, seat=1, text="keep", by="person", at=0)
    Move.objects.create(match=match, ply=2, seat=1, text="a hidden card", by="bot", at=0)
    [data] = guest.client.get("/people/me/data.json").json()["matches"]
    assert [move["move"] for move in data["moves"]] == ["keep"]


@pytest.mark.parametrize("path", ["/people/me/data.json", "/people/me/leave/"])
def test_a_visitor_without_a_name_has_nothing_to_download_or_to_remove(newcomer: Client, db: None, path: str) -> None:
    for answer in (newcomer.get(path), newcomer.post("/people/me/leave/", {"sure": "yes"})):
        assert (answer.status_code, answer["Location"]) == (302, "/people/me/")
    assert not Person.objects.exists()


# -- leaving


def leave(actor: Actor, **fields: str) -> Any:
    """Press the button on the page."""
    return actor.client.post("/people/me/leave/", {"sure": "yes", **fields})


def test_nobody_leaves_by_looking_or_without_having_ticked_the_box(guest: Actor) -> None:
    assert guest.client.get("/people/me/leave/").status_code == 200
    unsure = guest.client.post("/people/me/leave/")
    assert unsure.status_code == 400
    assert "Tick the box to confirm." in unsure.content.decode()
    assert Person.objects.filter(pk=guest.person.pk).exists()


def test_no_page_of_another_site_makes_somebody_leave(guest: Actor) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = guest.client.cookies
    assert why_refused(strict.post("/people/me/leave/", {"sure": "yes"})) == NO_CSRF
    assert Person.objects.filter(pk=guest.person.pk).exists()


@pytest.mark.parametrize("registered", [False, True])
def test_after_leaving_no_row_and_no_page_knows_the_person(
    table: Table, host: Actor, guest: Actor, stranger: Actor, registered: bool
) -> None:
    if registered:
        guest.person.user = User.objects.create_user("guestuser", password="x")
        guest.person.save()
        guest.client.force_login(guest.person.user)
    match = Match.objects.get(pk=do_start_match(table.code, host.person))
    play(match)
    Message.objects.create(table=table, room="players", person=guest.person, name="Guest", seat=1, text="hm", at=0)
    do_answer(match, guest.person, Given(fun=4, note="Guest"))
    kind = ContentType.objects.get_for_model(Person)
    administrator = User.objects.create_user("administrator")
    LogEntry.objects.create(
        user=administrator, content_type=kind, object_id=str(guest.person.pk), object_repr="Guest", action_flag=CHANGE
    )
    assert leave(guest).status_code == 302
    assert not Person.objects.filter(pk=guest.person.pk).exists()
    assert not User.objects.filter(username="guestuser").exists()
    for model in apps.get_models():
        for row in model._default_manager.values():
            assert "Guest" not in [value for value in row.values() if isinstance(value, str)], model
    assert Opinion.objects.values("person", "fun", "note").get() == {"person": None, "fun": 4, "note": ""}
    frames = host.client.get(f"/replay/{match.pk}/frames.json").json()
    assert frames["names"][1]["name"] == FORMER_PLAYER
    assert len(frames["frames"]) == Move.objects.filter(match=match).count() + 1
    assert "Who are you?" in guest.client.get("/people/me/").content.decode()
    assert why_refused(stranger.client.get(f"/people/{guest.person.pk}/")) == "No Person matches the given query."


def test_matches_played_alone_are_removed_and_matches_with_others_stay(table: Table, host: Actor, guest: Actor) -> None:
    together = Match.objects.get(pk=do_start_match(table.code, host.person))
    play(together)
    host.client.post("/play/bundles/")
    [alone] = Match.objects.exclude(pk=together.pk)
    play(alone)
    leave(host)
    assert list(Match.objects.all()) == [together]
    table.refresh_from_db()
    assert table.host == guest.person  # the table goes on
    assert Table.objects.exclude(pk=table.pk).get().status == Table.Status.CLOSED
    assert Player.objects.filter(name=FORMER_PLAYER).count() == 1
    leave(guest)
    assert not Match.objects.exists()  # the last of its people has gone
    table.refresh_from_db()
    assert table.status == Table.Status.CLOSED


def test_an_administrator_cannot_remove_their_own_account(admin: Actor) -> None:
    assert "Another administrator" in admin.client.get("/people/me/leave/").content.decode()
    refused = leave(admin)
    assert refused.status_code == 400
    assert "Another administrator can remove it" in refused.content.decode()
    assert User.objects.filter(username="boss").exists()


def test_a_player_who_leaves_in_mid_match_is_cut_off_everywhere_and_the_others_play_on(site: RunningSite) -> None:
    host, goer = Visitor(site, "Hostess"), Visitor(site, "Goer")
    code = host.open_table("me", "open", sealed=True)
    goer.must(code, "sit")
    goer.post("/people/me/token/")
    token = re.search(r'id="token-text">([^<]+)<', goer.get("/people/me/").text)
    assert token
    with host.connect(code) as stays, goer.connect(code) as first, program(site, code, token[1]) as second:
        match = begin(code, host, stays, first)
        play_on([stays, first], plies=4)
        assert goer.post("/people/me/leave/", sure="yes").status == 302
        for ws in (first, second):
            ws.closed()
        play_on([stays])
        assert stays.view["over"]
        assert [row["name"] for row in host.get(f"/replay/{match}/frames.json").json["names"]][1] == FORMER_PLAYER
    with program(site, code, token[1]) as again:
        assert again.closed() == 4001


# -- said


def test_the_page_about_privacy_says_the_days_that_are_configured(
    newcomer: Client, db: None, settings: Settings
) -> None:
    settings.KEEP_GUESTS_DAYS, settings.KEEP_SOLO_DAYS, settings.KEEP_CHAT_DAYS = 41, 42, 1
    page = newcomer.get("/privacy/").content.decode()
    for words in ("41 days", "42 days", "1 day later", FORMER_PLAYER, "365 days"):
        assert words in page
    settings.KEEP_GUESTS_DAYS = settings.KEEP_SOLO_DAYS = settings.KEEP_CHAT_DAYS = 0
    page = newcomer.get("/privacy/").content.decode()
    assert "0 day" not in page
    assert page.count("until you remove it") >= 3


@pytest.mark.parametrize("path", ["/", "/games/", "/people/me/", "/new/"])
def test_every_page_leads_to_the_one_about_privacy(newcomer: Client, db: None, path: str) -> None:
    assert 'href="/privacy/"' in newcomer.get(path).content.decode()
