"""A database that is full, locked or read-only: nothing is lost, and every request is answered with the reason."""

from __future__ import annotations

import json
import resource
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from cardsite.front.server_errors import failed
from cardsite.lobby.models import Seat, Table
from cardsite.logs import FIRST
from cardsite.people.models import Person
from cardsite.table import views
from tests.running_site import RunningSite
from tests.site.conftest import Actor, DatabaseOf
from tests.site.visitor import Visitor, begin, two_at_a_table
from tests.tiers import full, sampled, tiered

pytestmark = pytest.mark.django_db(transaction=True)  # as on the site, where no test has begun a transaction before
BUTTONS = tuple(button.replace("_", "-") for button in views.BUTTONS)
FORMS = ("/play/hamsterdam/", "/daily/thief/", "/new/", "/people/me/name/", "/people/me/token/", "/people/register/")
PRESSED = {"seat": "3", "kind": "house", "name": "Another", "game": "hamsterdam"}
NEW = {**{f"seat{n}": "none" for n in range(6)}, "seat0": "me", "seat1": "house", "visibility": "link", "sealed": "no"}
REGISTER = {"username": "somebody", "password1": "a long one 4711", "password2": "a long one 4711"}


def stored() -> list[Any]:
    return [list(model.objects.order_by("pk").values()) for model in (Table, Seat, Person)]


@pytest.fixture
def read_only(table: Table) -> Iterator[None]:
    """The database of this process takes no writes, as a standby's or that of a full disk."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only=1")
    yield
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only=0")


@pytest.mark.parametrize("button", sampled(BUTTONS, 3))
@pytest.mark.parametrize("actor", tiered(["host", "guest", "stranger", "newcomer"], lambda actor: actor == "host"))
def test_a_button_answers_in_words_that_its_page_understands(
    table: Table, host: Actor, guest: Actor, stranger: Actor, read_only: None, button: str, actor: str
) -> None:
    cast = {"host": host.client, "guest": guest.client, "stranger": stranger.client, "newcomer": Client()}
    client, before = cast[actor], stored()
    client.raise_request_exception = False
    answer = client.post(f"/t/{table.code}/{button}/", PRESSED)
    assert answer.status_code == 503
    assert answer.headers["Content-Type"] == "application/json"
    bodyd = answer.json()
    assert (bodyd["ok"], bodyd["code"]) == (False, "unavailable")
    assert "Nothing was changed" in bodyd["text"]
    assert stored() == before


@pytest.mark.parametrize("path", FORMS)
def test_a_form_answers_by_a_page_of_the_site(host: Actor, read_only: None, path: str) -> None:
    client, before = host.client, stored()
    client.raise_request_exception = False
    fields = {"/new/": {**NEW, "game": "hamsterdam", "seconds": "60"}, "/people/register/": REGISTER}.get(path, PRESSED)
    answer = client.post(path, fields)
    assert answer.status_code == 503
    assert "Temporarily unavailable" in answer.content.decode()
    assert answer.headers["Retry-After"]
    assert stored() == before
    assert client.post(path, fields, headers={"Accept": "application/json"}).json()["code"] == "unavailable"


@pytest.mark.parametrize("path", ["/", "/games/", "/new/", "/people/me/", "/t/{code}/", "/health"])
def test_pages_that_only_read_are_there_all_the_same(table: Table, host: Actor, read_only: None, path: str) -> None:
    assert host.client.get(path.format(code=table.code)).status_code == 200


def test_the_log_has_one_line_about_it(
    table: Table, host: Actor, read_only: None, caplog: pytest.LogCaptureFixture
) -> None:
    host.client.raise_request_exception = False
    host.client.post(f"/t/{table.code}/name/", PRESSED)
    results = [record for record in caplog.records if record.name == "cardsite.front.server_errors"]
    assert len(results) == 1
    assert "database unavailable" in str(results[0].msg)


def test_a_full_database_refuses_what_does_not_fit_and_keeps_what_it_has(table: Table, host: Actor) -> None:
    host.client.raise_request_exception = False
    statuses: list[int] = []
    with connection.cursor() as cursor:
        [pages] = cursor.execute("PRAGMA page_count").fetchone()
        cursor.execute(f"PRAGMA max_page_count={pages + 1}")
        try:
            before = Table.objects.count()
            while 503 not in statuses:
                assert len(statuses) < 500
                Table.objects.filter(host=host.person).update(status="closed")
                statuses.append(host.client.post("/new/", {**NEW, "game": "hamsterdam", "seconds": "60"}).status_code)
        finally:
            cursor.execute("PRAGMA max_page_count=1073741823")
    assert set(statuses) <= {302, 503}
    assert Table.objects.count() == before + statuses.count(302)
    assert Seat.objects.count() == 4 + 2 * statuses.count(302)


def test_any_other_failure_is_ours_and_says_so_to_scripts_too(rf: RequestFactory) -> None:
    def answer(error: Exception, **headers: str) -> HttpResponse:
        request: HttpRequest = rf.get("/", headers=headers)
        request.resolver_match = None
        try:
            raise error
        except Exception:
            return failed(request)

    page, datad = answer(ValueError("secret")), answer(ValueError("secret"), accept="application/json")
    assert (page.status_code, datad.status_code) == (500, 500)
    assert "Something went wrong" in page.content.decode()
    assert json.loads(datad.content)["code"] == "failed"
    assert b"secret" not in page.content + datad.content


# -- the running site


@pytest.fixture
def short_timeouts(new_site: Callable[..., RunningSite]) -> RunningSite:
    """A site that waits a second for its database."""
    site = new_site(DJANGO_SETTINGS_MODULE="tests.short_timeout_settings", LOG_JSON="1")
    site.open()
    site.start()
    return site


def fields_of(button: str) -> dict[str, object]:
    return {"seat": 2, "kind": "open"} if button == "seat" else {}


@full
def test_on_a_full_disk_play_stops_and_goes_on_when_there_is_room_again(
    short_timeouts: RunningSite, database_of: DatabaseOf
) -> None:
    """No file of the site's may grow: the limit that any user may set has the effect of a disk that is full."""
    code, host, guest = two_at_a_table(short_timeouts)
    waiting, *_ = two_at_a_table(short_timeouts, "house")
    with host.connect(code) as one, guest.connect(code) as two:
        begin(code, host, one, two)
        mover, other = (one, two) if one.my_turn() else (two, one)
        version = mover.version
        full = Path(short_timeouts.folder, "var", "hamsterdam.sqlite3-wal").stat().st_size
        assert full > 2 * short_timeouts.log_path.stat().st_size
        limits = resource.prlimit(short_timeouts.pid, resource.RLIMIT_FSIZE, (full, resource.RLIM_INFINITY))
        try:
            stranger = Visitor(short_timeouts, "Stranger")
            for button in BUTTONS:
                for visitor, where in ((host, waiting), (stranger, waiting)):
                    result = visitor.post(f"/t/{where}/{button}/", **fields_of(button), name="Renamed")
                    assert result.status == 503, (button, result.text)
                    assert result.json["code"] == "unavailable"
            page = stranger.post("/play/hamsterdam/")
            assert page.status == 503
            assert "Temporarily unavailable" in page.text
            refused = mover.move(mover.view["moves"][0]["move"])
            assert refused["t"] == "refused"
            assert mover.version == version
        finally:
            resource.prlimit(short_timeouts.pid, resource.RLIMIT_FSIZE, limits)
        ack = mover.move(mover.view["moves"][0]["move"])
        assert (ack["t"], ack["version"]) == ("ack", version + 1)
        other.until(lambda: other.version >= version + 1)
    assert Visitor(short_timeouts, "Late").press(waiting, "name")["ok"]
    assert "Internal Server Error" not in short_timeouts.log
    short_timeouts.stop()
    entries = [json.loads(line) for line in short_timeouts.log.splitlines() if line.startswith("{")]
    logged = [one for one in entries if one["event"] == "database unavailable"]
    assert FIRST < len(logged) < 4 * FIRST  # of 2 * len(BUTTONS) and more
    assert sum(one.get("and_more", 1) for one in logged) > 2 * len(BUTTONS)
    tracebacks = [(one["event"], one["exception"]) for one in entries if "exception" in one]
    assert len(tracebacks) == len(set(tracebacks))


@full
def test_while_somebody_else_has_the_database_locked_buttons_say_so(short_timeouts: RunningSite) -> None:
    host = Visitor(short_timeouts, "Hostess")
    code = host.open_table("me", "open")
    other = sqlite3.connect(Path(short_timeouts.folder, "var", "hamsterdam.sqlite3"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        assert host.press(code, "fill")["code"] == "unavailable"
        assert host.get("/").status == 200
    finally:
        other.execute("ROLLBACK")
        other.close()
    assert host.press(code, "fill")["ok"]
    assert "Internal Server Error" not in short_timeouts.log
