"""Every address that writes has a rate limit, and checking passwords delays no other page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RoutePattern
from limits import parse
from limits.strategies import FixedWindowRateLimiter
from pytest_django.fixtures import Settings

from cardsite import limits
from cardsite.asgi import MAX_PASSWORDS_PENDING
from cardsite.counts import Counts
from cardsite.lobby.models import Table
from cardsite.people.models import Person
from cardsite.people.rate_limits import PASSWORD_PAGES
from cardsite.server import transport
from cardsite.server.protocol import Inbound
from cardsite.server.room import Socket
from tests.running_site import RunningSite
from tests.site.conftest import ADMIN_PASSWORD, Actor
from tests.site.reasons import WAIT, why_refused
from tests.site.visitor import Visitor
from tests.tiers import full

SAMPLE = {"slug": "hamsterdam", "int": "1", "str": "1", "path": "1", "day": "2026-01-31"}
LOGIN = {"username": "boss", "password": "wrong"}


@pytest.fixture
def limited(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rate limits on, and nothing spent yet."""
    settings.RATE_LIMITS = True
    monkeypatch.setattr(limits, "_here", FixedWindowRateLimiter(Counts()))


@pytest.fixture
def twice(limited: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is limited at all may be done twice."""
    monkeypatch.setattr(limits, "LIMITS", dict.fromkeys(limits.LIMITS, parse("2/day")))


# -- every page, as it stands in the site's own list


def pages(resolver: URLResolver | None = None, route: str = "/", space: str = "") -> Iterator[tuple[str, str]]:
    """Yield (name, path) of every page of the site, with something in the place of what varies."""
    for one in (resolver or get_resolver()).url_patterns:
        if not isinstance(one.pattern, RoutePattern):
            continue  # two of Django's own, for what the administrators' pages cannot find
        here = route + re.sub(r"<(?:(\w+):)?\w+>", lambda match: SAMPLE[match[1] or "str"], str(one.pattern))
        if isinstance(one, URLPattern):
            yield f"{space}{one.name}", here
        else:
            yield from pages(one, here, f"{one.namespace}:" if one.namespace else space)


EVERY = dict(pages())


@pytest.mark.usefixtures("twice")
@pytest.mark.parametrize("page", EVERY)
def test_no_page_can_be_posted_to_without_end(page: str, stranger: Actor) -> None:
    stranger.client.raise_request_exception = False
    answers = [stranger.client.post(EVERY[page], {"username": f"u{n}"}) for n in range(3)]
    assert answers[0].status_code != 429
    assert why_refused(answers[2]) == WAIT
    assert "Wait" in answers[2].content.decode()


@pytest.mark.usefixtures("twice")
def test_newcomers_without_a_name_are_limited_by_address(db: None) -> None:
    answers = [Client().post("/people/me/token/") for _ in range(3)]
    assert [answer.status_code for answer in answers[:2]] == [302, 302]
    assert why_refused(answers[2]) == WAIT
    assert Client(REMOTE_ADDR="10.0.0.9").post("/people/me/token/").status_code == 302


@pytest.mark.usefixtures("limited")
def test_one_person_presses_buttons_so_often_from_wherever(host: Actor, guest: Actor, table: Table) -> None:
    def press(actor: Actor, number: int) -> str:
        answer = actor.client.post(f"/t/{table.code}/fill/", REMOTE_ADDR=f"10.0.0.{number}").json()
        return "ok" if answer["ok"] else str(answer["code"])

    codes = [press(host, number) for number in range(70)]
    assert codes[:20] == ["ok"] * 20
    assert codes[-1] == "slow_down"
    assert press(guest, 1) == "not_host"


@pytest.mark.usefixtures("twice")
def test_a_button_that_is_refused_says_so_as_buttons_do(host: Actor, table: Table) -> None:
    answers = [host.client.post(f"/t/{table.code}/fill/") for _ in range(3)]
    assert answers[2].json()["code"] == "slow_down"


def test_every_page_that_asks_for_a_password_or_a_code_is_known_as_such(admin: Actor, newcomer: Client) -> None:
    asking = set()
    for page, path in EVERY.items():
        for client in (admin.client, newcomer):
            body = client.get(path.replace("/1/", f"/{admin.person.user_id}/")).content
            if re.search(rb'type="password"|one-time-code', body):
                asking.add(page)
    assert asking == PASSWORD_PAGES


@pytest.mark.usefixtures("limited")
def test_the_names_of_a_person_are_limited_by_whatever_button_they_come(host: Actor, table: Table) -> None:
    most = limits.LIMITS["rename"].amount
    answers = [host.client.post(f"/t/{table.code}/name/", {"name": f"Name {n}"}) for n in range(most + 5)]
    assert [answer.status_code for answer in answers[:most]] == [200] * most
    assert {why_refused(answer) for answer in answers[most:]} == {"slow_down"}
    own = {"name": f"Name {most - 1}"}
    assert host.client.post(f"/t/{table.code}/fill/", own).status_code == 200
    assert why_refused(host.client.post(f"/t/{table.code}/fill/", {"name": "Name 99"})) == "slow_down"


# -- every message of the socket


def sample(kind: Any) -> dict[str, object]:
    """Return a message of that type, with something in each field."""
    values: dict[Any, object] = {int: 1, str: "x", bool: True}
    return {"t": kind.__struct_config__.tag} | {f.name: values[f.type] for f in msgspec.structs.fields(kind)}


@pytest.mark.usefixtures("twice")
@pytest.mark.parametrize("kind", get_args(Inbound))
async def test_no_message_can_be_sent_without_end(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def send(event: object) -> None: ...

    async def answer(self: transport.Client, message: Inbound) -> None:
        received.append(message)

    received: list[Inbound] = []
    monkeypatch.setattr(transport.Client, "_answer", answer)
    monkeypatch.setattr(transport, "FLOOD_SECONDS", 0.0)
    socket, room = Socket(send, 7, "Pepper"), None
    client = transport.Client("table", socket, room, Person(pk=7), {})  # type: ignore[arg-type]
    for _ in range(3):
        await client.receive(msgspec.json.encode(sample(kind)).decode())
    assert [type(message) for message in received] == [kind, kind]
    assert socket.closing


# -- passwords


@pytest.mark.usefixtures("limited")
@pytest.mark.parametrize("path", ["/people/login/", "/admin/login/"])
def test_no_password_can_be_guessed_from_one_address_at_speed(path: str, admin: Actor) -> None:
    most = limits.LIMITS["login"].amount
    answers = [Client().post(path, {"username": f"boss{n}", "password": "x"}) for n in range(most + 5)]
    assert [answer.status_code for answer in answers[:most]] == [200] * most
    assert {why_refused(answer) for answer in answers[most:]} == {WAIT}
    good = Client(REMOTE_ADDR="10.0.0.9").post(path, {"username": "boss", "password": ADMIN_PASSWORD})
    assert good.status_code == 302


@pytest.mark.usefixtures("limited")
def test_no_password_can_be_guessed_from_many_addresses_at_speed(admin: Actor) -> None:
    spelt = ("boss", "BOSS", " boss", "\N{FULLWIDTH LATIN SMALL LETTER B}oss")  # all are taken for one name
    paths = ("/people/login/", "/admin/login/")
    most = limits.LIMITS["account"].amount
    answers = [
        Client(REMOTE_ADDR=f"10.0.0.{n}").post(paths[n % 2], {**LOGIN, "username": spelt[n % 4]})
        for n in range(most + 5)
    ]
    assert [answer.status_code for answer in answers[:most]] == [200] * most
    assert {why_refused(answer) for answer in answers[most:]} == {WAIT}
    assert Client(REMOTE_ADDR="10.0.1.1").post("/people/login/", {**LOGIN, "username": "other"}).status_code == 200


@pytest.mark.usefixtures("limited")
def test_the_old_password_cannot_be_guessed_by_who_found_a_browser_logged_in(admin: Actor) -> None:
    form = {"old_password": "x", "new_password1": "four more words 1", "new_password2": "four more words 1"}
    answers = [admin.client.post("/admin/password_change/", form) for _ in range(12)]
    assert answers[0].status_code == 200
    assert "Your old password was entered incorrectly" in answers[0].content.decode()
    assert why_refused(answers[-1]) == WAIT


def test_a_household_of_addresses_counts_as_one() -> None:
    first, second, other = ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1")
    seen = [limits.address_of_socket((address, 1), []) for address in (first, second, other)]
    assert seen[0] == seen[1] != seen[2]


@pytest.mark.parametrize("path", ["/people/login/", "/admin/login/"])
def test_a_visitor_who_guesses_does_not_learn_which_accounts_there_are(
    path: str, admin: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    User.objects.create_user("closed", password=ADMIN_PASSWORD, is_active=False)
    hashed = []

    def count(self: object, password: str, salt: str) -> str:
        hashed.append(password)
        return str(original(self, password, salt))

    original = hasher().encode
    monkeypatch.setattr(hasher(), "encode", count)
    answers = set()
    for name, password in (("boss", "wrong"), ("nobody", "wrong"), ("closed", "wrong"), ("closed", ADMIN_PASSWORD)):
        answer = Client().post(path, {"username": name, "password": password})
        page = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", answer.content.decode()).replace(name, "")
        answers.add((answer.status_code, page, len(hashed)))
        hashed.clear()
    assert len(answers) == 1
    assert next(iter(answers))[2] == 1  # the time it takes is the time of a hash


def hasher() -> Any:
    """Return the class that hashes passwords in these tests."""
    from django.contrib.auth.hashers import get_hasher

    return type(get_hasher())


def test_whether_a_user_name_is_taken_is_said_only_to_a_person_who_would_register_it(
    newcomer: Client, db: None
) -> None:
    User.objects.create_user("taken", password="x")
    good = {"username": "taken", "password1": "four hamsters at 9", "password2": "four hamsters at 9"}
    answers = []
    for change in ({}, {"password2": "other"}, {"password1": "short", "password2": "short"}, {"password1": ""}):
        for name in ("taken", "Taken", "free"):
            if change or name != "free":
                answer = newcomer.post("/people/register/", {**good, **change, "username": name})
                answers.append((bool(change), "This user name is taken" in answer.content.decode()))
    assert answers == [(False, True)] * 2 + [(True, False)] * 9
    assert User.objects.count() == 1


def test_the_name_at_the_table_is_not_the_one_that_logs_in(newcomer: Client, db: None) -> None:
    form = {"username": "mysecretlogin", "password1": "four hamsters at 9", "password2": "four hamsters at 9"}
    assert newcomer.post("/people/register/", form).status_code == 302
    User.objects.create_superuser("boss", password=ADMIN_PASSWORD)
    newcomer.post("/people/logout/")
    newcomer.post("/people/login/", {"username": "boss", "password": ADMIN_PASSWORD})
    newcomer.get("/people/me/")
    assert {"mysecretlogin", "boss"}.isdisjoint(Person.objects.values_list("name", flat=True))
    assert Person.objects.count() == 2


# -- passwords on the running site


@pytest.fixture
def held(new_site: Callable[..., RunningSite], tmp_path: Path) -> tuple[RunningSite, Path]:
    """A site that checks no password while a file is there, and that file."""
    file = tmp_path / "hold"
    site = new_site(DJANGO_SETTINGS_MODULE="tests.slow_password_settings", HOLD_PASSWORDS=str(file))
    site.open()
    site.start()
    file.touch()
    return site, file


@full
def test_pages_are_served_while_passwords_are_checked_and_a_login_too_many_is_refused(
    held: tuple[RunningSite, Path],
) -> None:
    site, file = held
    paths = ("/people/login/", "/admin/login/")
    with ThreadPoolExecutor(3 * MAX_PASSWORDS_PENDING) as guessers:
        guesses = [guessers.submit(Visitor(site).post, paths[n % 2], **LOGIN) for n in range(3 * MAX_PASSWORDS_PENDING)]
        try:
            while sum(guess.done() for guess in guesses) < 2 * MAX_PASSWORDS_PENDING:
                assert Visitor(site).get("/").status == 200
        finally:
            file.unlink()
        answers = [guess.result() for guess in guesses]
    statuses = [answer.status for answer in answers]
    assert sorted(statuses) == [200] * MAX_PASSWORDS_PENDING + [503] * 2 * MAX_PASSWORDS_PENDING
    busy = answers[statuses.index(503)]
    assert "Many people are logging in" in busy.text
    assert busy.headers["Content-Security-Policy"]
    assert Visitor(site).post("/people/login/", **LOGIN).status == 200


@full
def test_others_write_while_the_password_of_a_new_account_is_hashed(held: tuple[RunningSite, Path]) -> None:
    site, file = held
    words = "four hamsters at 9"
    with ThreadPoolExecutor(1) as registering:
        newcomer = registering.submit(
            Visitor(site).post, "/people/register/", username="clove", password1=words, password2=words
        )
        try:
            while not file.with_suffix(".waits").exists():
                assert not newcomer.done(), newcomer.result().text
            Visitor(site, "Hostess").open_table("me", "house")
            assert not newcomer.done()
        finally:
            file.unlink()
        assert newcomer.result().status == 302
