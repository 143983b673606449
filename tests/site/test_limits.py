"""Rate limits: too many requests are refused with a sentence, for that person or address alone."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator

import pytest
from django.test import Client
from limits.strategies import FixedWindowRateLimiter
from pytest_django.fixtures import Settings
from websockets.exceptions import ConnectionClosed

from cardsite import limits
from cardsite.counts import Counts
from cardsite.limits import LIMITS
from cardsite.lobby.models import Table
from cardsite.people.models import Person
from cardsite.server.protocol import Inbound
from tests.running_site import RunningSite
from tests.site.conftest import Actor
from tests.site.reasons import WAIT, why_refused
from tests.site.test_front import FORM
from tests.site.visitor import Visitor, begin
from tests.tiers import full


@pytest.fixture
def limited(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rate limits on, and nothing spent yet."""
    settings.RATE_LIMITS = True
    monkeypatch.setattr(limits, "_here", FixedWindowRateLimiter(Counts()))


# -- pages


@pytest.mark.usefixtures("limited")
def test_one_address_makes_only_so_many_guests(table: Table) -> None:
    before, most = Person.objects.count(), LIMITS["arrive"].amount
    answers = [Client().post(f"/t/{table.code}/name/", {"name": "Mass"}) for _ in range(most + 5)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert len(refused) == 5
    assert refused[0].json()["code"] == "slow_down"
    assert Person.objects.count() - before == most
    assert Client(REMOTE_ADDR="10.0.0.9").post(f"/t/{table.code}/name/", {"name": "Other"}).status_code == 200


@pytest.mark.usefixtures("limited")
def test_a_visitor_who_sits_down_and_up_without_end_is_slowed(table: Table, stranger: Actor, guest: Actor) -> None:
    answers = []
    for _ in range(70):
        answers.append(stranger.client.post(f"/t/{table.code}/sit/"))
        stranger.client.post(f"/t/{table.code}/stand/")
    assert answers[0].status_code == 200
    assert why_refused(answers[-1]) == WAIT
    assert guest.client.post(f"/t/{table.code}/sit/").json()["code"] == "seated"  # others are not slowed


@pytest.mark.usefixtures("limited")
def test_a_refusal_is_in_the_language_of_the_visitor_and_says_how_long_to_wait(stranger: Actor) -> None:
    sentence = {"en": "Wait .* then try again", "nl": "Wacht .* probeer het", "de": "Warte .* versuche es"}
    for _ in range(LIMITS["press"].amount):
        stranger.client.post("/people/me/name/", {"name": "Stranger"})
    for language in ("nl", "en", "de", "nl"):
        answer = stranger.client.post("/people/me/name/", {"name": "X"}, HTTP_ACCEPT_LANGUAGE=language)
        assert answer.status_code == 429
        page = answer.content.decode()
        assert f'<html lang="{language}"' in page
        assert re.search(sentence[language], page)


@pytest.mark.usefixtures("limited")
def test_one_person_makes_only_so_many_tables(stranger: Actor) -> None:
    answers = [stranger.client.post("/play/hamsterdam/") for _ in range(50)]
    assert 0 < Table.objects.count() <= 40
    assert answers[0].status_code == 302
    for answer in (answers[-1], stranger.client.post("/new/", FORM), stranger.client.post("/daily/thief/")):
        assert why_refused(answer) == WAIT
        assert "Wait" in answer.content.decode()


@pytest.mark.usefixtures("limited")
def test_passwords_cannot_be_guessed_at_speed(db: None) -> None:
    client = Client()
    answers = [client.post("/people/login/", {"username": "boss", "password": str(n)}) for n in range(25)]
    assert answers[0].status_code == 200
    assert why_refused(answers[-1]) == WAIT
    assert "Wait" in answers[-1].content.decode()


@pytest.mark.usefixtures("limited")
def test_looking_is_never_limited(table: Table) -> None:
    client = Client()
    assert {client.get(f"/t/{table.code}/").status_code for _ in range(100)} == {200}


def test_behind_a_proxy_the_address_is_the_one_that_the_proxy_added(settings: Settings) -> None:
    from django.test import RequestFactory

    request = RequestFactory().get("/", headers={"X-Forwarded-For": "1.1.1.1, 2.2.2.2"})
    assert limits.address(request) == "127.0.0.1"  # nobody is believed without a proxy
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    assert limits.address(request) == "2.2.2.2"


# -- sockets


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    """A running site with its limits on."""
    site = RunningSite(tmp_path_factory.mktemp("strict"), RATE_LIMITS="1")
    with site.running():
        yield site


@full
def test_a_visitor_who_talks_too_fast_is_slowed_and_others_are_not(strict: RunningSite) -> None:
    host, guest = Visitor(strict, "Hostess"), Visitor(strict, "Guest")
    code = host.open_table("me", "open")
    guest.must(code, "sit")
    with host.connect(code) as one, guest.connect(code) as two:
        answers = [one.ask("chat", text=f"line {n}") for n in range(20)]
        assert answers[0]["t"] == "ack"
        assert "slow_down" in [answer.get("code") for answer in answers]
        assert two.ask("chat", text="me too")["t"] == "ack"
        received = [line["name"] for line in two.chat]
        assert received.count("Hostess") == sum(answer["t"] == "ack" for answer in answers) <= 16


def test_moves_are_limited_by_person_and_not_by_window(strict: RunningSite) -> None:
    host = Visitor(strict, "Hostess")
    code = host.open_table("me", "house")
    with host.connect(code) as one, host.connect(code) as two:
        begin(code, host, one, two)
        codes = [ws.move("x", decision=99).get("code") for _ in range(50) for ws in (one, two)]
        assert codes[0] == "ahead"
        assert "slow_down" in codes


def test_hello_is_limited(strict: RunningSite) -> None:
    with Visitor(strict).connect(Visitor(strict, "Hostess").open_table("me", "house")) as ws:
        for _ in range(70):
            ws.say("hello", protocol=3)
        ws.wait("refused", code="slow_down")


def test_a_connection_does_not_start_with_the_limits_of_one_that_has_ended(strict: RunningSite) -> None:
    code = Visitor(strict, "Hostess").open_table("me", "house")
    for _ in range(6):
        with Visitor(strict).connect(code) as ws:  # is welcomed
            for _ in range(LIMITS["hello"].amount):
                ws.say("hello", protocol=3)
            ws.wait("refused", code="slow_down")


EACH_TYPE: dict[str, dict[str, object]] = {
    "hello": {"protocol": 3},
    "move": {"id": 1, "match": 1, "decision": 0, "move": "x"},
    "chat": {"id": 1, "text": "x"},
    "back": {},
    "ready": {"id": 1},
    "why": {"id": 1, "match": 1, "touched": "seat:0"},
    "seen": {"match": 1, "version": 0},
    "ping": {},
}


@pytest.mark.parametrize("kind", [message.__struct_config__.tag for message in Inbound.__args__])
def test_every_type_of_message_has_a_limit_of_its_own_that_refuses_and_does_not_hang_up(
    strict: RunningSite, kind: str
) -> None:
    with Visitor(strict).connect(Visitor(strict, "Hostess").open_table("me", "house")) as ws:
        for _ in range(LIMITS[kind].amount + 1):
            ws.say(kind, **EACH_TYPE[kind])
        ws.wait("refused", code="slow_down")
        ws.say("garbage")  # the connection is still open
        ws.wait("refused", code="garbage")


def test_a_flood_of_frames_ends_the_connection(strict: RunningSite) -> None:
    code = Visitor(strict, "Hostess").open_table("me", "house")
    with Visitor(strict).connect(code) as bystander:
        flood = Visitor(strict).connect(code)
        with contextlib.suppress(ConnectionClosed):  # the server may close the connection before all is sent
            for _ in range(450):
                flood.send(json.dumps({"t": "ping"}))
        assert flood.closed() == 4029
        bystander.settle()
