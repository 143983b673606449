"""Fixtures: a running site for all tests of a module, its database, and the cast for tests of views."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dj_database_url
import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.db.utils import ConnectionHandler
from django.test import Client
from django.utils import translation
from pytest_django.plugin import DjangoDbBlocker

from cardsite import costs, urls
from cardsite.front import tables, views
from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person
from cardsite.people.restrictions import BLOCKED
from cardsite.people.services import SESSION_KEY, do_restrict
from cardsite.table.services.processes import this_process
from games import catalogue
from tests.games.text_game import read
from tests.running_site import ROOT, RunningSite
from tests.site.reasons import note_missing
from tests.site.visitor import Visitor

ADMIN_PASSWORD = "correct horse battery staple"


# -- the running site


@pytest.fixture(scope="package")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningSite, str]]:
    """The site, and what it printed at its opening."""
    site = RunningSite(tmp_path_factory.mktemp("site"))
    with site.running() as printed:
        yield site, printed


@pytest.fixture(scope="package")
def site(opened: tuple[RunningSite, str]) -> RunningSite:
    """The site on SQLite: every test has tables and people of its own, so one is enough for all."""
    return opened[0]


@pytest.fixture
def administrator(opened: tuple[RunningSite, str]) -> Visitor:
    """A visitor who has logged in as the administrator whom ``open_house`` made."""
    site, printed = opened
    password = re.search(r"Password:\s+(\S+)", printed)
    assert password
    visitor = Visitor(site)
    assert visitor.post("/admin/login/", username="admin", password=password[1]).status == 302
    return visitor


DatabaseOf = Callable[[RunningSite], str]


@pytest.fixture
def database_of(django_db_blocker: DjangoDbBlocker) -> Iterator[DatabaseOf]:
    """A function that opens the database of a running site: returns the alias for ``objects.using``."""
    opened: list[str] = []

    def site_db(site: RunningSite) -> str:
        alias = f"site{len(opened)}"
        url = site.environment.get("DATABASE_URL", f"sqlite:///{site.folder / 'var' / 'hamsterdam.sqlite3'}")
        database = {**dj_database_url.parse(url), "OPTIONS": {"timeout": 20}} if "sqlite" in url else None
        handler = ConnectionHandler({"default": {}, alias: database or dj_database_url.parse(url)})
        connections.settings[alias] = handler.settings[alias]
        opened.append(alias)
        return alias

    with django_db_blocker.unblock():
        yield site_db
        for alias in opened:
            connections[alias].close()
            del connections[alias]
            del connections.settings[alias]


@pytest.fixture
def site_db(database_of: DatabaseOf, site: RunningSite) -> str:
    """The database of ``site``."""
    return database_of(site)


# -- who writes


class Writes:
    """Watches what this process writes to the site's own tables, and who did: see ``test_writers.py``."""

    def __init__(self) -> None:
        self.watched = 0
        self.strays: list[str] = []  # what part of the site wrote without being a service

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if WRITING.match(sql):
            self._look(sql)
        return execute(sql, params, many, context)

    def _look(self, sql: str) -> None:
        frame = sys._getframe(2)
        nearest = ""
        while frame and not nearest:
            if frame.f_code.co_filename.startswith(OURS):
                nearest = frame.f_code.co_filename
            else:
                frame = frame.f_back  # type: ignore[assignment]
        if not nearest.startswith(str(ROOT / "cardsite")) or Path(nearest).parent.name == "migrations":
            return  # a test sets its table, or makes its database
        self.watched += 1
        while frame:
            code = frame.f_code
            path = Path(code.co_filename)
            service = code.co_name.startswith("do_") and "services" in (path.stem, path.parent.name)
            if service or (code.co_filename.endswith("ledger.py") and code.co_name == "_write"):
                return
            frame = frame.f_back  # type: ignore[assignment]
        self.strays.append(f"{sql[:200]} ({nearest})")

    def watch(self, connection: BaseDatabaseWrapper, **_: Any) -> None:
        """Watch a connection that has just been made, in whatever thread."""
        if self not in connection.execute_wrappers:
            connection.execute_wrappers.append(self)


WRITING = re.compile(
    r"\s*(INSERT INTO|UPDATE|DELETE FROM|REPLACE INTO) "
    r"\W?(people|lobby|table|lab|workshop|playtests|circles|tournaments)_",
    re.IGNORECASE,
)
OURS = (str(ROOT / "cardsite"), str(ROOT / "tests"))


WATCHING = Writes()  # one for all tests: the threads of the site keep their connections from test to test
connection_created.connect(WATCHING.watch)


@pytest.fixture(autouse=True)
def writes() -> Iterator[Writes]:
    """Whatever a test has the site write in this process, a service must write it."""
    for connection in connections.all(initialized_only=True):
        WATCHING.watch(connection)
    yield WATCHING
    strays, WATCHING.strays = WATCHING.strays, []
    assert not strays


# -- games that are texts


@dataclass
class Texts:
    """A folder of texts, each of which is a game, of a provider of their own: see ``tests/games/text_game.py``."""

    folder: Path

    def put(self, name: str, *lines: str) -> str:
        """Add a game to the folder, or another text in its place. Return its name."""
        (self.folder / f"{name}.txt").write_text("\n".join(lines))
        return name

    def take_away(self, name: str) -> None:
        """Remove a game from the folder."""
        (self.folder / f"{name}.txt").unlink()


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Texts:
    """A provider of texts in this process, besides the built-in games."""
    provider = catalogue.TextFolder("Texts", tmp_path, ".txt", read)
    monkeypatch.setattr(catalogue, "providers", [*catalogue.providers, provider])
    return Texts(tmp_path)


@pytest.fixture(scope="module")
def text_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningSite, Texts]]:
    """A running site with a folder of texts, which may change while it runs."""
    folder = tmp_path_factory.mktemp("texts")
    environment = {"DJANGO_SETTINGS_MODULE": "tests.text_settings", "TEXTS": str(folder)}
    site = RunningSite(tmp_path_factory.mktemp("text_site"), **environment)
    with site.running():
        yield site, Texts(folder)


# -- the cast, for views in this process


@pytest.fixture(autouse=True)
def always_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """The front page reads its tables and games whenever it is asked for."""
    monkeypatch.setattr(tables, "FRESH", -1.0)
    monkeypatch.setattr(views, "SHARED_FRESH", -1.0)


@pytest.fixture(autouse=True)
def no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches that a test begins are kept by no process: one of an earlier test is not in this database."""
    monkeypatch.setattr(this_process, "row", None)


@pytest.fixture(autouse=True)
def no_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is booked when a test begins: those whom earlier tests charged are not in this database."""
    monkeypatch.setattr(costs, "_store", costs.Store(""))


@pytest.fixture(autouse=True)
def in_english() -> None:
    """Each test begins in English: a page that was asked for in another language leaves that one active."""
    translation.activate("en")


@pytest.fixture(autouse=True)
def noted_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Why a page is not there can be asked of its answer: see ``reasons.why_refused``."""
    monkeypatch.setattr(urls, "handler404", note_missing)


@dataclass
class Actor:
    """Somebody with a browser: the person and Django's test client."""

    person: Person
    client: Client


def new_guest(name: str) -> Actor:
    """Make a person without an account, and return them with a browser that knows them."""
    person = Person.objects.create(name=name)
    client = Client()
    session = client.session
    session[SESSION_KEY] = person.pk
    session.save()
    return Actor(person, client)


def block(*people: Person) -> None:
    """Block people as an administrator does, without a reason and an end."""
    for person in people:
        do_restrict(person, BLOCKED, "", None, None)


@pytest.fixture
def host(db: None) -> Actor:
    """Made the table, sits on seat 0."""
    return new_guest("Hostess")


@pytest.fixture
def guest(db: None) -> Actor:
    """Sits on seat 1."""
    return new_guest("Guest")


@pytest.fixture
def stranger(db: None) -> Actor:
    """Has a name, has never been at the table."""
    return new_guest("Stranger")


@pytest.fixture
def newcomer(db: None) -> Client:
    """Has never been here: no cookie, no name."""
    return Client()


def boss() -> User:
    """Return the administrator, who is made at the first call."""
    return User.objects.filter(username="boss").first() or User.objects.create_superuser(
        "boss", password=ADMIN_PASSWORD
    )


@pytest.fixture
def admin(db: None) -> Actor:
    """Staff, logged in."""
    user = boss()
    client = Client()
    client.force_login(user)
    return Actor(Person.objects.create(name="Boss", user=user), client)


@pytest.fixture
def table(host: Actor, guest: Actor) -> Table:
    """A public, unsealed table that waits for players: host, guest, a house bot and an open seat."""
    made = Table.objects.create(game="hamsterdam", host=host.person, opened_by=host.person, sealed=False, seconds=60)
    Seat.objects.create(table=made, index=0, person=host.person)
    Seat.objects.create(table=made, index=1, person=guest.person)
    Seat.objects.create(table=made, index=2, bot="house")
    Seat.objects.create(table=made, index=3)
    return made
