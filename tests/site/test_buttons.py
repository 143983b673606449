"""The buttons of a table: their effect, and that a refusal changes nothing. Permissions: ``test_permissions.py``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.test import Client

from cardsite.lobby.models import Seat, Table
from cardsite.lobby.services.lifecycle import MAX_TABLES
from cardsite.people.models import Person
from cardsite.table.models import Match
from cardsite.table.views import BUTTONS
from tests.site.conftest import Actor, block
from tests.site.reasons import why_refused

# ``name`` does nothing at the table: it takes the name that comes with any button.
ACTIONS = [action.replace("_", "-") for action in BUTTONS if action != "name"]
Press = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture(name="press")
def press_at_table(request: pytest.FixtureRequest, table: Table) -> Press:
    """A function that has an actor press a button at ``table``: returns the status and the answer."""

    def press(role: str, action: str, **fields: object) -> tuple[int, dict[str, Any]]:
        actor = request.getfixturevalue(role)
        client = actor if isinstance(actor, Client) else actor.client
        answer = client.post(f"/t/{table.code}/{action}/", fields)
        return answer.status_code, answer.json()

    return press


def stored(table: Table) -> list[object]:
    """Return all that a button could change about a table."""
    return [
        Table.objects.filter(pk=table.pk).values().get(),
        list(Seat.objects.filter(table=table).values()),
        list(Match.objects.filter(table=table).values()),
    ]


@pytest.mark.parametrize("action", ACTIONS)
def test_a_table_that_is_closed_refuses_every_button(press: Press, table: Table, action: str) -> None:
    Table.objects.update(status=Table.Status.CLOSED)
    before = stored(table)
    for role in ("host", "guest", "stranger", "newcomer", "admin"):
        status, answer = press(role, action, seat=3)
        assert (status, answer["code"]) == (409, "no_table")
        assert answer["text"]
    assert stored(table) == before


# -- what the buttons do


def test_a_newcomer_sits_down_under_the_name_on_the_form(press: Press, table: Table) -> None:
    assert press("newcomer", "sit", name="  Aunt\tAgatha ", seat="3")[0] == 200
    seat = Seat.objects.get(table=table, index=3)
    assert seat.person
    assert seat.person.name == "Aunt Agatha"


def test_a_newcomer_without_a_name_gets_one(press: Press, table: Table) -> None:
    assert press("newcomer", "sit")[0] == 200
    person = Seat.objects.get(table=table, index=3).person
    assert person
    assert person.name


@pytest.mark.parametrize("name", ["x" * 25, " \t ", "\N{ZERO WIDTH SPACE}", "\0", "\N{RIGHT-TO-LEFT OVERRIDE}"])
def test_a_name_that_cannot_be_used_is_refused_and_nobody_sits(press: Press, table: Table, name: str) -> None:
    people = Person.objects.count()
    before = stored(table)
    status, answer = press("stranger", "sit", name=name)
    assert (status, answer["code"]) == (400, "bad_name")
    assert stored(table) == before
    assert Person.objects.count() == people + 1  # the stranger


@pytest.mark.parametrize(
    ("seat", "code"),
    [
        *((seat, "taken") for seat in ("0", "1", "2", "4", "99", "-1", "9" * 30)),
        *((seat, "bad_option") for seat in ("9" * 5000, "x", "1.5", "\0", "³", "[]")),
    ],
)
def test_a_seat_that_is_not_free_cannot_be_taken(press: Press, table: Table, seat: str, code: str) -> None:
    before = stored(table)
    status, answer = press("stranger", "sit", seat=seat)
    assert (status, answer["ok"], answer["code"]) == (409, False, code)
    assert stored(table) == before


@pytest.mark.parametrize(
    ("seat", "kind", "code"),
    [
        ("0", "open", "taken"),
        ("1", "house", "taken"),
        ("9", "house", "no_seat"),
        ("-1", "house", "no_seat"),
        ("9" * 40, "house", "no_seat"),
        ("x", "house", "bad_option"),
        ("3", "", "bad_option"),
        ("3", "nosuch", "bad_option"),
        ("3", "me", "bad_option"),
        ("3", "\0", "bad_option"),
        ("3", "x" * 10000, "bad_option"),
        ("3", "ismcts-1000000", "bad_option"),
        ("3", "helper-0", "bad_option"),
    ],
)
def test_a_host_cannot_set_a_seat_to_what_it_cannot_be(
    press: Press, table: Table, seat: str, kind: str, code: str
) -> None:
    before = stored(table)
    status, answer = press("host", "set-seat", seat=seat, kind=kind)
    assert (status, answer["code"]) == (409, code)
    assert len(answer["text"]) < 300
    assert stored(table) == before


@pytest.mark.parametrize("kind", ["easy", "medium", "strong", "house", "random"])
def test_a_host_gives_a_seat_to_any_bot_that_sits_at_tables(press: Press, table: Table, kind: str) -> None:
    status, _ = press("host", "set-seat", seat=3, kind=kind)
    assert status < 400
    assert table.seats.get(index=3).bot == kind


def test_a_host_opens_a_seat_and_fills_it_again(press: Press, table: Table) -> None:
    press("host", "set-seat", seat=2, kind="open")
    assert [s.kind for s in table.seats.all()] == ["person", "person", "open", "open"]
    press("host", "fill")
    assert [s.kind for s in table.seats.all()] == ["person", "person", "bot", "bot"]


def test_starting_fills_open_seats_and_deals(press: Press, table: Table) -> None:
    press("host", "start")
    match = Match.objects.get(table=table)
    assert [(p.name != "", p.bot) for p in match.players.all()] == [
        (True, ""),
        (True, ""),
        (True, "house"),
        (True, "house"),
    ]
    assert (match.number, match.status, match.seconds) == (1, "running", 60)
    assert len(match.seed) == 64


def test_every_match_has_a_seed_of_its_own(press: Press, table: Table) -> None:
    for _ in range(3):
        press("host", "start")
        Table.objects.filter(pk=table.pk).update(status="over")
        Match.objects.update(status="over")
    assert len(set(Match.objects.values_list("seed", flat=True))) == 3


def test_a_leaving_host_hands_the_table_on(press: Press, table: Table, guest: Actor) -> None:
    press("host", "stand")
    table.refresh_from_db()
    assert table.host == guest.person
    press("guest", "stand")
    table.refresh_from_db()
    assert table.host is None
    press("stranger", "sit")
    table.refresh_from_db()
    assert table.host
    assert table.host.name == "Stranger"


def test_wins_belong_to_the_person_who_won_them(press: Press, table: Table) -> None:
    Seat.objects.filter(table=table).update(wins=2)
    press("guest", "stand")
    press("stranger", "sit", seat=1)
    assert [seat.wins for seat in table.seats.all()] == [2, 0, 2, 2]


def test_a_blocked_person_cannot_sit_or_make_tables(press: Press, table: Table, stranger: Actor) -> None:
    block(stranger.person)
    assert press("stranger", "sit")[1]["code"] == "blocked"
    refused = stranger.client.post("/play/hamsterdam/")
    assert "you may watch, but not sit down" in next(map(str, get_messages(refused.wsgi_request)))
    assert Table.objects.count() == 1


def test_nobody_opens_more_tables_than_the_limit(host: Actor, table: Table) -> None:
    form = {"seat0": "open", "seat1": "house", **{f"seat{n}": "none" for n in range(2, 6)}}
    form |= {"visibility": "link", "sealed": "yes", "seconds": "60"}
    answers = [host.client.post("/new/", form) for _ in range(MAX_TABLES + 1)]  # there is one table already
    assert [answer.status_code for answer in answers] == [302] * (MAX_TABLES - 1) + [400] * 2
    assert f"You already have {MAX_TABLES} open tables" in answers[-1].content.decode()
    assert Table.objects.count() == MAX_TABLES


@pytest.mark.parametrize("action", [*ACTIONS, "name"])
def test_buttons_are_not_links(host: Actor, table: Table, action: str) -> None:
    before = stored(table)
    assert why_refused(host.client.get(f"/t/{table.code}/{action}/")) == "only POST"
    assert stored(table) == before


def test_a_table_that_never_was_is_refused(host: Actor) -> None:
    for action in ACTIONS:
        answer = host.client.post(f"/t/nosuchtable/{action}/", {"seat": 1})
        assert (answer.status_code, answer.json()["code"]) == (409, "no_table")
    assert why_refused(host.client.post("/t/nosuchtable/name/")) == "No Table matches the given query."
