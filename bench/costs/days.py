"""What matches over days cost while nobody is there."""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import random
import signal
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from bench.harness.command import percentiles
from bench.harness.prepare import session_of
from bench.harness.running import Site, cost_of, serving
from tests.site.push_service import Device, push_service

SEATS = 4  # at each table
BUSY, THEIRS = 10, 30  # people with many matches, and how many each has
CIRCLE = 20  # members of a circle
VISITS = 200  # requests of each page
QUIET = 20.0  # seconds for which the CPU time of the site is measured
SUSPENDED_WITHIN = 900.0  # seconds: a match is suspended after a minute
PUSHES = 1000
PAGES = ("/", "/tables.json", "/turn/", "/people/me/")


# -- in a process with Django


def prepare(matches: int, people: int, circles: int) -> dict[str, Any]:
    """Make people, circles and matches that have begun. Return the sessions of those with many matches."""
    from django.db import transaction

    from cardsite.circles import services
    from cardsite.lobby.games import DAY
    from cardsite.lobby.services import lifecycle, seating
    from cardsite.people.models import Person
    from cardsite.people.services import SESSION_KEY
    from cardsite.table.services.matches import do_start_match
    from games import catalogue

    chance = random.Random("days")
    Person.objects.bulk_create(Person(name=f"Person {number}") for number in range(people))
    persons = list(Person.objects.order_by("pk"))
    busy, others = persons[:BUSY], persons[BUSY:]
    game = catalogue.find("hamsterdam")
    for number in range(matches):
        # Each of the busy ones sits at the same share of the tables.
        seated = [person for index, person in enumerate(busy) if (number + index) % (matches // THEIRS or 1) == 0]
        seated = [*seated, *chance.sample(others, SEATS)][:SEATS]
        with transaction.atomic():
            table = lifecycle.do_create_table(None, game, ["open"] * SEATS, public=False, seconds=DAY)
            for person in seated:
                seating.do_sit(table.code, person)
            do_start_match(table.code, None)
    for number in range(circles):
        owner, *members = chance.sample(others, CIRCLE)
        with transaction.atomic():
            circle = services.do_make(owner, f"Circle {number}")
            for person in members:
                services.do_join(person, circle.token)
    return {"sessions": [session_of({SESSION_KEY: person.pk}) for person in busy]}


def push(address: str) -> dict[str, Any]:
    """Send a notification to many devices at once. Return how many a second, and the CPU milliseconds of each."""
    from cardsite.people.models import Person
    from cardsite.push.models import NotificationKind, Subscription
    from cardsite.push.sending import Notification, send, wait_until_sent

    form = Device(address).form
    device = {name: form[name] for name in ("key", "secret", "zone")}
    people = list(Person.objects.values_list("pk", flat=True)[:PUSHES])
    Subscription.objects.bulk_create(
        Subscription(person_id=person, endpoint=f"{address}/{person}", **device) for person in people
    )
    began, before = time.perf_counter(), time.process_time()
    send(people, Notification(NotificationKind.TURN, "It is your turn", "Hamsterdam Exchange", "/t/abcdefghjk/", 0))
    wait_until_sent()
    seconds, cpu = time.perf_counter() - began, time.process_time() - before
    return {"per_second": round(len(people) / seconds), "cpu_ms": round(1000 * cpu / len(people), 2)}


# -- the measurements


def suspended(site: Site) -> int:
    """Return how many matches are suspended."""
    file = Path(site.environment["HAMSTERDAM_VAR"]) / "hamsterdam.sqlite3"
    with closing(sqlite3.connect(file, timeout=30)) as database:
        return int(database.execute("SELECT COUNT(*) FROM table_match WHERE suspended_since IS NOT NULL").fetchone()[0])


def wait_until_suspended(site: Site, matches: int) -> None:
    """Wait until all matches are suspended. Raises RuntimeError after a long time."""
    deadline = time.monotonic() + SUSPENDED_WITHIN
    while suspended(site) < matches:
        if time.monotonic() > deadline:
            raise RuntimeError(f"Only {suspended(site)} of {matches} matches are suspended.")
        time.sleep(1)


def visit(site: Site, path: str, session: str) -> float:
    """Return how many seconds a page takes."""
    began = time.perf_counter()
    with closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=30)) as connection:
        connection.request("GET", path, headers={"Cookie": f"sessionid={session}", "Accept-Language": "en"})
        answer = connection.getresponse()
        answer.read()
    if answer.status not in (200, 302):
        raise RuntimeError(f"{path}: {answer.status}")
    return time.perf_counter() - began


@contextlib.contextmanager
def started(site: Site) -> Iterator[float]:
    """Start the site, which was stopped, and stop it afterwards. Yields how many seconds the start took."""
    began = time.monotonic()
    with serving("daphne", site.port, site.root, site.environment, site.folder / "site.log") as process:
        site.pid = process.pid
        yield round(time.monotonic() - began, 2)


def megabytes(site: Site) -> float:
    """Return the resident memory of the site, in MB."""
    return round(cost_of([site.pid]).rss / 2**20, 1)


async def at_rest(site: Site, start: float) -> dict[str, float]:
    """Return what a site costs that has just started and where nobody is."""
    return {"start_s": start, "rss_mb": megabytes(site), "cpu_share": await site.cpu_share(QUIET)}


def stop(site: Site) -> None:
    """Stop the site."""
    os.kill(site.pid, signal.SIGINT)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(site.pid, 0)


async def days(site: Site, arguments: argparse.Namespace) -> dict[str, Any]:
    """What a site with many matches over days costs while nobody is there.

    People play at tables with a day per decision, and are in circles. The site loads each match once, and suspends it.
    Then the figures are taken: memory and CPU time of the process, its start, pages of people with many turns, pushes.
    """
    matches = arguments.matches
    stop(site)  # the starts are measured
    with started(site) as start:
        empty = await at_rest(site, start)
        before = cost_of([site.pid]).cpu
        settings = {"matches": matches, "people": arguments.people, "circles": arguments.circles}
        made = site.inside("bench.costs.days", "prepare", json.dumps(settings))
        wait_until_suspended(site, matches)
        loading = round(1000 * (cost_of([site.pid]).cpu - before) / matches, 2)
        after = megabytes(site)
    with started(site) as start:
        full = await at_rest(site, start)
        pages = pages_of(site, made["sessions"])
    with push_service() as service:
        pushes = site.inside("bench.costs.days", "push", json.dumps({"address": service.url}))
    return {
        "empty_site": empty,
        "cpu_ms_to_load_and_suspend_a_match": loading,
        "rss_mb_when_all_are_suspended": after,
        "started_with_them": full,
        "pages_ms": pages,
        "pushes": pushes,
    }


def pages_of(site: Site, sessions: list[str]) -> dict[str, dict[str, float]]:
    """Return how long the pages of people with many matches take."""
    for session in sessions:
        visit(site, "/", session)
    return {path: percentiles([visit(site, path, sessions[n % BUSY]) for n in range(VISITS)]) for path in PAGES}


if __name__ == "__main__":
    import django

    django.setup()
    name, settings = sys.argv[1], json.loads(sys.argv[2])
    print(json.dumps(prepare(**settings) if name == "prepare" else push(**settings)))
