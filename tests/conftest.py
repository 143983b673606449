"""Fixtures for all tests: the site in processes of its own, a PostgreSQL, and a Redis; all of them real."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import affected, leftovers, signals, tiers
from tests.running_postgres import new_database, running_postgres
from tests.running_redis import running_redis
from tests.running_site import RunningSite, free_port

signals.ignore_in_this_process_only()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tiers")
    group.addoption("--full", action="store_true", help="also run tests marked `full`, and use new seeds")
    group.addoption(
        "--affected-by", metavar="PATHS", help="run only tests that an edit of these files or folders can break"
    )
    group.addoption("--seed", help="the seed of a full run, to repeat it")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        leftovers.watch()
    tiers.choose(config)


def pytest_report_header() -> str:
    return f"full tier, seed {tiers.seed()}" if tiers.is_full() else "quick tier (--full runs everything)"


@pytest.hookimpl(trylast=True)  # pytest-django has its own order
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    tiers.deselect(config, items)
    affected.deselect(config, items)
    # Browser tests share a browser and a site, so one process runs nearly all of them. It begins with them: otherwise
    # it is still busy with them when the other processes have nothing left to do.
    items.sort(key=lambda item: "browser" not in item.path.parts)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    """The site on SQLite, freshly opened and running, one for all tests of a file."""
    yield from _run(RunningSite(tmp_path_factory.mktemp("site")))


@pytest.fixture
def new_site(tmp_path: Path) -> Iterator[Callable[..., RunningSite]]:
    """A function that returns a site of the test's own, not opened yet, with the variables it names."""
    sites: list[RunningSite] = []

    def make(**environment: str) -> RunningSite:
        folder = tmp_path / f"site{len(sites)}"
        folder.mkdir()
        sites.append(RunningSite(folder, **environment))
        return sites[-1]

    yield make
    for made in sites:
        made.close()


@pytest.fixture(scope="session")
def pg_server() -> Iterator[str]:
    """The address of a PostgreSQL that runs for this session. Tests use ``pg_url``, a database of their own."""
    with running_postgres() as url:
        yield url


@pytest.fixture(scope="module")
def pg_url(pg_server: str) -> str:
    """The address of a new, empty PostgreSQL database, for ``DATABASE_URL``."""
    return new_database(pg_server)


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Redis that runs for this session, for ``REDIS_URL``."""
    port = free_port()
    with running_redis(port, tmp_path_factory.mktemp("redis")):
        yield f"redis://127.0.0.1:{port}/0"


@pytest.fixture(scope="module")
def grown_site(
    tmp_path_factory: pytest.TempPathFactory, pg_url: str, redis_url: str
) -> Iterator[tuple[RunningSite, RunningSite]]:
    """One site that runs as two processes, on two ports, with one PostgreSQL and one Redis."""
    shared = {"DATABASE_URL": pg_url, "REDIS_URL": redis_url, "SECRET_KEY": secrets.token_urlsafe(50)}
    first, second = (RunningSite(tmp_path_factory.mktemp(name), **shared) for name in ("first", "second"))
    first.open()
    try:
        first.start()
        second.start()
        yield first, second
    finally:
        first.close()
        second.close()


def _run(site: RunningSite) -> Iterator[RunningSite]:
    with site.running():
        yield site
