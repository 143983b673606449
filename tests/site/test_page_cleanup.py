"""What pages leave behind in the serving process: nothing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import psutil

from tests.running_site import RunningSite
from tests.site.visitor import Visitor
from tests.tiers import full

AT_ONCE = 10


@full
def test_pages_leave_no_open_database_behind(site: RunningSite) -> None:
    with ThreadPoolExecutor(AT_ONCE) as visitors:
        assert set(visitors.map(lambda _: Visitor(site).get("/").status, range(200))) == {200}
    files = [file.path for file in psutil.Process(site.pid).open_files() if "sqlite3" in file.path]
    # A connection has three files. SQLite itself closes some of them late, but no page adds to what was open at once.
    assert len(files) <= 3 * (AT_ONCE + 4)
