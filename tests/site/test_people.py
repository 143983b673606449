"""People: a guest keeps the name, loses nothing by registering, and cannot act as another person."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from cardsite.circles.services import do_make as do_make_circle
from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person, token_hash
from cardsite.people.services import SESSION_KEY
from cardsite.table.models import Match, Message, Player
from cardsite.table.services.matches import do_start_match
from cardsite.tournaments.services.entering import do_create as do_create_tournament
from games import catalogue
from tests.site.conftest import ADMIN_PASSWORD, Actor
from tests.site.reasons import NO_PAGE, why_refused

PASSWORD = "four hamsters at table 9"
REGISTER = {"username": "pepper", "password1": PASSWORD, "password2": PASSWORD}


def me(client: Client) -> str:
    """Return a visitor's own page."""
    return client.get("/people/me/").content.decode()


# -- guests


def test_a_newcomer_takes_a_name_and_keeps_it(newcomer: Client, db: None) -> None:
    assert newcomer.post("/people/me/name/", {"name": "Saffron"}).status_code == 302
    assert "Saffron" in me(newcomer)
    newcomer.post("/people/me/name/", {"name": "Nutmeg"})
    assert [person.name for person in Person.objects.all()] == ["Nutmeg"]


@pytest.mark.parametrize("name", ["", " ", "\0", "x" * 25, "\N{ZERO WIDTH SPACE}", "x" * 100_000])
def test_a_bad_name_changes_nothing(stranger: Actor, name: str) -> None:
    stranger.client.post("/people/me/name/", {"name": name})
    stranger.person.refresh_from_db()
    assert stranger.person.name == "Stranger"


NEW_TABLE = {"game": "hamsterdam", "seat0": "me", "seat1": "house", **{f"seat{n}": "none" for n in range(2, 6)}}
NEW_TABLE |= {"visibility": "link", "sealed": "yes", "seconds": "60"}
NEW_TOURNAMENT = {"title": "Cup", "game": "hamsterdam", "size": "2", "system": "swiss", "seconds": "60", "plays": "on"}


@pytest.mark.parametrize("form", ["table", "tournament", "circle", "join tournament", "join circle"])
def test_a_name_of_spaces_is_refused_with_what_is_wrong_wherever_one_is_entered(
    newcomer: Client, stranger: Actor, form: str
) -> None:
    circle = do_make_circle(stranger.person, "Thursdays")
    cup = do_create_tournament(stranger.person, "Cup", catalogue.find("hamsterdam"), size=2, system="swiss", seconds=60)
    path, fields = {
        "table": ("/new/", NEW_TABLE),
        "tournament": ("/tournaments/", NEW_TOURNAMENT),
        "circle": ("/circles/", {"circle": "Fridays"}),
        "join tournament": (f"/tournaments/{cup.code}/join/", {}),
        "join circle": (f"/circles/join/{circle.token}/", {}),
    }[form]
    page = newcomer.post(path, {**fields, "name": "   "}, follow=True).content.decode()
    assert "A name needs at least one letter or sign, not only spaces." in page
    assert list(Person.objects.all()) == [stranger.person]


def test_a_name_is_text_and_not_markup(newcomer: Client, db: None) -> None:
    newcomer.post("/people/me/name/", {"name": "<i>x</i>&\"'"})
    for path in ("/people/me/", "/", f"/people/{Person.objects.get().pk}/"):
        page = newcomer.get(path).content.decode()
        assert "<i>x</i>" not in page
        assert "&lt;i&gt;x&lt;/i&gt;" in page


def test_looking_at_ones_page_makes_nobody(newcomer: Client, db: None) -> None:
    assert newcomer.get("/people/me/").status_code == 200
    assert not Person.objects.exists()
    assert "sessionid" not in newcomer.cookies


# -- registering and logging in


def test_registering_keeps_name_seat_history_and_host(host: Actor, table: Table) -> None:
    match = Match.objects.get(pk=do_start_match(table.code, host.person))
    assert host.client.post("/people/register/", REGISTER).status_code == 302
    host.person.refresh_from_db()
    assert (host.person.name, host.person.registered) == ("Hostess", True)
    assert Seat.objects.get(table=table, index=0).person == host.person
    assert Player.objects.get(match=match, seat=0).person == host.person
    table.refresh_from_db()
    assert table.host == host.person
    assert f"/t/{table.code}/" in me(host.client)


def test_a_visitor_who_registered_gets_everything_back_on_another_machine(host: Actor, table: Table) -> None:
    do_start_match(table.code, host.person)
    host.client.post("/people/register/", REGISTER)
    elsewhere = Client()
    assert elsewhere.post("/people/login/", {"username": "pepper", "password": PASSWORD}).status_code == 302
    assert f"/t/{table.code}/" in me(elsewhere)
    assert elsewhere.post(f"/t/{table.code}/stand/").json() == {"ok": True}


NOT_A_NAME = "A user name may contain only letters, digits and @ . + - _"


def test_password_requirements_are_in_the_language_of_the_page(newcomer: Client, db: None) -> None:
    for language, words in (("en", "At least 8 characters."), ("nl", "Minstens 8 tekens."), ("en", "At least 8 char")):
        page = newcomer.get("/people/register/", headers={"Accept-Language": language}).content.decode()
        assert words in page


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"username": ""}, {"username": "Please enter a user name."}),
        ({"username": "x" * 151}, {"username": "That user name is too long. Choose a shorter one."}),
        ({"username": "a b"}, {"username": NOT_A_NAME}),
        ({"username": "a\0b"}, {"username": NOT_A_NAME}),
        ({"username": "taken"}, {"username": "This user name is taken."}),
        ({"username": "TAKEN"}, {"username": "This user name is taken."}),
        ({"password2": "other"}, {"password2": "The two passwords do not match."}),
        ({"password1": "short", "password2": "short"}, {"password1": "That password is too short"}),
        ({"password1": "password123", "password2": "password123"}, {"password1": "That password is very common"}),
        ({"password1": "", "password2": ""}, dict.fromkeys(("password1", "password2"), "Please enter a password.")),
    ],
)
def test_a_bad_registration_leaves_the_guest_as_it_was(
    stranger: Actor, changes: dict[str, str], wrong: dict[str, str]
) -> None:
    User.objects.create_user("taken", password=PASSWORD)
    answer = stranger.client.post("/people/register/", {**REGISTER, **changes})
    assert answer.status_code == 400
    errors = answer.context["form"].errors
    assert set(errors) == set(wrong)
    assert all(errors[name][0].startswith(wrong[name]) for name in wrong)
    assert User.objects.count() == 1
    assert "Stranger" in me(stranger.client)


def test_a_registered_person_cannot_register_again(admin: Actor) -> None:
    admin.client.post("/people/register/", REGISTER)
    assert list(User.objects.values_list("username", flat=True)) == ["boss"]


def test_logging_in_brings_the_guests_history_along(host: Actor, table: Table, admin: Actor) -> None:
    match = Match.objects.get(pk=do_start_match(table.code, host.person))
    Message.objects.create(table=table, room="players", person=host.person, name="Hostess", text="hi", at=0)
    assert host.client.post("/people/login/", {"username": "boss", "password": ADMIN_PASSWORD}).status_code == 302
    assert not Person.objects.filter(pk=host.person.pk).exists()
    assert Player.objects.get(match=match, seat=0).person == admin.person
    assert Seat.objects.get(table=table, index=0).person == admin.person
    assert Message.objects.get().person == admin.person
    table.refresh_from_db()
    assert table.host == admin.person


def test_logging_in_where_one_sits_already_leaves_one_seat_and_no_ghost(
    table: Table, admin: Actor, guest: Actor
) -> None:
    Seat.objects.filter(table=table, index=3).update(person=admin.person)
    guest.client.post("/people/login/", {"username": "boss", "password": ADMIN_PASSWORD})
    assert [(s.kind, s.person_id) for s in table.seats.all()][1::2] == [("open", None), ("person", admin.person.pk)]


def test_a_failed_login_adopts_nothing(host: Actor, admin: Actor) -> None:
    answer = host.client.post("/people/login/", {"username": "boss", "password": "wrong"})
    assert answer.status_code == 200
    assert Person.objects.filter(pk=host.person.pk).exists()
    assert "Hostess" in me(host.client)


def test_after_logging_out_one_is_a_newcomer(admin: Actor) -> None:
    admin.client.post("/people/logout/")
    assert "Who are you?" in me(admin.client)


def test_logging_out_is_a_button(admin: Actor) -> None:
    assert why_refused(admin.client.get("/people/logout/")) == "only POST, OPTIONS"
    assert "Boss" in me(admin.client)


# -- nobody is somebody else


def test_a_session_from_before_registering_is_not_the_registered_person(host: Actor) -> None:
    other = Client()
    session = other.session
    session[SESSION_KEY] = host.person.pk  # the same guest in another window, say on a shared machine
    session.save()
    assert "Hostess" in me(other)
    host.client.post("/people/register/", REGISTER)
    assert "Hostess" in me(host.client)
    assert "Who are you?" in me(other)


def test_no_form_field_determines_the_person(stranger: Actor, host: Actor, table: Table) -> None:
    for field in ("person", "person_id", "user", SESSION_KEY, "seat"):
        answer = stranger.client.post(f"/t/{table.code}/stand/", {field: str(host.person.pk)})
        assert answer.json()["code"] == "not_seated"
    stranger.client.post("/people/me/name/", {"name": "Impostor", "person": str(host.person.pk)})
    host.person.refresh_from_db()
    assert host.person.name == "Hostess"


def test_a_made_up_session_is_nobody(newcomer: Client, host: Actor) -> None:
    for cookie in ("x", "a" * 32, str(host.person.pk), "../../etc/passwd", "\x7f"):
        # The header itself: some releases of Python refuse to write such a cookie, and anybody can send it.
        page = newcomer.get("/people/me/", headers={"cookie": f"sessionid={cookie}"})
        assert "Who are you?" in page.content.decode()


def test_a_login_gives_the_session_another_key(stranger: Actor, admin: Actor) -> None:
    before = stranger.client.cookies["sessionid"].value
    stranger.client.post("/people/login/", {"username": "boss", "password": ADMIN_PASSWORD})
    assert stranger.client.cookies["sessionid"].value != before


# -- tokens


def test_a_token_is_shown_once_and_kept_as_a_hash(stranger: Actor) -> None:
    stranger.client.post("/people/me/token/")
    stranger.person.refresh_from_db()
    [token] = [
        word for word in re.findall(r"[\w-]{43}", me(stranger.client)) if token_hash(word) == stranger.person.token_hash
    ]
    assert token not in me(stranger.client)
    stranger.client.post("/people/me/token/")
    renewed = stranger.person.token_hash
    stranger.person.refresh_from_db()
    assert stranger.person.token_hash != renewed


def test_a_newcomer_has_no_token(newcomer: Client, db: None) -> None:
    assert newcomer.post("/people/me/token/").status_code == 302
    assert not Person.objects.exists()


def test_a_token_opens_no_page(stranger: Actor, newcomer: Client) -> None:
    stranger.client.post("/people/me/token/")
    [token] = set(re.findall(r'id="token-text">([\w-]+)<', me(stranger.client)))
    assert "Who are you?" in newcomer.get("/people/me/", headers={"Authorization": f"Bearer {token}"}).content.decode()


# -- the public page


def test_the_public_page_shows_matches_at_public_tables_only(
    table: Table, host: Actor, stranger: Actor, newcomer: Client
) -> None:
    do_start_match(table.code, host.person)
    page = f"/people/{host.person.pk}/"
    for public in (True, False):
        Table.objects.update(public=public)
        for client in (newcomer, stranger.client, host.client):
            assert (f"/t/{table.code}/" in client.get(page).content.decode()) is public
        assert f"/t/{table.code}/" in me(host.client)


def test_the_public_page_shows_neither_user_name_nor_token(host: Actor, newcomer: Client) -> None:
    host.client.post("/people/register/", {**REGISTER, "username": "mysecretlogin"})
    host.client.post("/people/me/token/")
    host.person.refresh_from_db()
    page = newcomer.get(f"/people/{host.person.pk}/").content.decode()
    assert "mysecretlogin" not in page
    assert host.person.token_hash not in page


@pytest.mark.parametrize("query", ["?page=2", "?page=x", "?page=-1", "?page=" + "9" * 400])
def test_any_page_number_shows_a_page(host: Actor, query: str) -> None:
    for path in (f"/people/{host.person.pk}/", "/people/me/"):
        assert host.client.get(path + query).status_code == 200


@pytest.mark.parametrize("number", ["0", "99999999", "9" * 30])
def test_nobodys_page_is_not_found(newcomer: Client, db: None, number: str) -> None:
    assert why_refused(newcomer.get(f"/people/{number}/")) == "No Person matches the given query."


def test_a_number_that_is_too_long_for_python_is_no_address(newcomer: Client, db: None) -> None:
    assert why_refused(newcomer.get(f"/people/{'9' * 5000}/")) == NO_PAGE


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"username": ""}, "Please enter a user name."),
        ({"username": "x" * 151}, "That user name is too long. Choose a shorter one."),
        ({"username": "a b"}, "A user name may contain only"),
        ({"username": "a\0b"}, "A user name may contain only"),
        ({"password1": ""}, "Please enter a password."),
        ({"password2": "other"}, "The two passwords do not match."),
        ({"password1": "short", "password2": "short"}, "Use at least 8 characters"),
        ({"password1": "password123", "password2": "password123"}, "That password is very common"),
        ({"password1": "peppers!", "password2": "peppers!"}, "too similar to your name"),
    ],
)
def test_the_forms_of_the_site_use_its_own_words(
    newcomer: Client, db: None, changes: dict[str, str], words: str
) -> None:
    """One mistake, one sentence of ours, and nothing else is complained of."""
    page = newcomer.post("/people/register/", {**REGISTER, **changes}).content.decode()
    mistakes = re.findall(r'<ul class="errorlist"[^>]*>(.*?)</ul>', page, re.DOTALL)
    assert len(mistakes) == 1
    assert words in mistakes[0]
    assert page.count("characters. A few words in a row") == 1
    assert not re.search("verification|[Uu]sername<|confirmation|[Rr]equired\\.", page)


def test_a_wrong_login_is_answered_in_words_of_the_site(newcomer: Client, db: None) -> None:
    page = newcomer.post("/people/login/", {"username": "nobody", "password": "wrong"}).content.decode()
    assert "Both are case-sensitive" in page
    assert ">User name</label>" in page
