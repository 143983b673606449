"""What the site asks of PostgreSQL."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import psycopg

from tests.running_site import RunningSite
from tests.site.visitor import Visitor

POOL = 20  # connections that docs/deployment.md allows a process


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
