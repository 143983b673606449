"""One running site for all tests of this room, its books, and the cast that its pages meet."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import dj_database_url
import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.db.utils import ConnectionHandler
from django.test import Client
from pytest_django.plugin import DjangoDbBlocker

from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person
from cardsite.people.services import SESSION_KEY
from tests.running_site import RunningSite
from tests.site.visitor import Visitor

ADMIN_PASSWORD = "correct horse battery staple"


# -- the running site


@pytest.fixture(scope="package")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningSite, str]]:
    """The site, and what it printed at its opening."""
    site = RunningSite(tmp_path_factory.mktemp("site"))
    printed = site.open()
    try:
        site.start()
        yield site, printed
    finally:
        site.close()


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


Books = Callable[[RunningSite], str]


@pytest.fixture
def books_of(django_db_blocker: DjangoDbBlocker) -> Iterator[Books]:
    """A function that opens a running site's database beside it: returns the alias for ``objects.using``."""
    opened: list[str] = []

    def books(site: RunningSite) -> str:
        alias = f"books{len(opened)}"
        url = site.environment.get("DATABASE_URL", f"sqlite:///{site.folder / 'var' / 'hamsterdam.sqlite3'}")
        database = {**dj_database_url.parse(url), "OPTIONS": {"timeout": 20}} if "sqlite" in url else None
        handler = ConnectionHandler({"default": {}, alias: database or dj_database_url.parse(url)})
        connections.settings[alias] = handler.settings[alias]
        opened.append(alias)
        return alias

    with django_db_blocker.unblock():
        yield books
        for alias in opened:
            connections[alias].close()
            del connections[alias]
            del connections.settings[alias]


@pytest.fixture
def books(books_of: Books, site: RunningSite) -> str:
    """The database of ``site``."""
    return books_of(site)


# -- the cast, for views in this process


@dataclass
class Actor:
    """Somebody with a browser: the person and Django's test client."""

    person: Person
    client: Client


def _guest(name: str) -> Actor:
    person = Person.objects.create(name=name)
    client = Client()
    session = client.session
    session[SESSION_KEY] = person.pk
    session.save()
    return Actor(person, client)


@pytest.fixture
def host(db: None) -> Actor:
    """Made the table, sits on seat 0."""
    return _guest("Hostess")


@pytest.fixture
def guest(db: None) -> Actor:
    """Sits on seat 1."""
    return _guest("Guest")


@pytest.fixture
def stranger(db: None) -> Actor:
    """Has a name, has never been at the table."""
    return _guest("Stranger")


@pytest.fixture
def newcomer(db: None) -> Client:
    """Has never been here: no cookie, no name."""
    return Client()


@pytest.fixture
def admin(db: None) -> Actor:
    """Staff, logged in."""
    user = User.objects.create_superuser("boss", password=ADMIN_PASSWORD)
    client = Client()
    client.force_login(user)
    return Actor(Person.objects.create(name="Boss", user=user), client)


@pytest.fixture
def table(host: Actor, guest: Actor) -> Table:
    """A public, unsealed table that waits for players: host, guest, a house bot and an open seat."""
    made = Table.objects.create(game="hamsterdam", host=host.person, sealed=False, seconds=60)
    Seat.objects.create(table=made, index=0, person=host.person)
    Seat.objects.create(table=made, index=1, person=guest.person)
    Seat.objects.create(table=made, index=2, bot="house")
    Seat.objects.create(table=made, index=3)
    return made
