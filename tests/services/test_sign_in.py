"""The processes of a site that start at the same time, on a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import psycopg

from tests.patience import wait_for
from tests.running_site import RunningSite
from tests.tiers import full

SUSPEND = """
from datetime import timedelta
from django.utils import timezone
from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person
from cardsite.table.models import Match, ServerProcess
from cardsite.table.services.matches import do_start_match
table = Table.objects.create(game="hamsterdam", seconds=86400)
for index in range(2):
    Seat.objects.create(table=table, index=index, person=Person.objects.create(name=f"Person {index}"))
do_start_match(table.code, None)
now = timezone.now()
Match.objects.update(suspended_since=now, resumes=now, process=None)
ServerProcess.objects.create(name="stopped", seen=now - timedelta(hours=1))
"""
SIGN_IN = "from cardsite.table.services.processes import do_sign_in; do_sign_in({name!r})"


@full
def test_two_processes_that_start_at_once_add_the_time_without_any_to_suspended_clocks_once(
    new_site: Callable[..., RunningSite], pg_url: str
) -> None:
    site = new_site(DATABASE_URL=pg_url)
    site.open()
    site.manage("shell", "-c", SUSPEND)
    with psycopg.connect(pg_url) as watching, psycopg.connect(pg_url) as holding, ThreadPoolExecutor(2) as both:
        watching.autocommit = True
        before = watching.execute("SELECT resumes FROM table_match").fetchone()
        holding.execute("SELECT resumes FROM table_match FOR UPDATE")
        started = [both.submit(site.manage, "shell", "-c", SIGN_IN.format(name=name)) for name in ("one", "two")]

        def waiting() -> bool:
            found = watching.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
            ).fetchone()
            return found == (2,)

        wait_for(waiting, "that both processes wait for a lock")
        holding.commit()
        for process in started:
            process.result()
        after = watching.execute("SELECT resumes FROM table_match").fetchone()
    assert before
    assert after
    assert 3600 <= (after[0] - before[0]).total_seconds() < 7200
