"""An upgrade of a site with a match in progress: the rows of the version before are kept, under their new names."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import psycopg
import pytest

from tests.running_site import RunningSite
from tests.site.visitor import Visitor, begin, play_on, two_at_a_table
from tests.tiers import full

# The migrations that the version before had, in an order in which the later ones can be undone.
BEFORE = (("table", "0009_why_stopped"), ("lobby", "0009_story"))


@pytest.fixture(params=["SQLite", pytest.param("PostgreSQL", marks=full)])
def opened(request: pytest.FixtureRequest, new_site: Callable[..., RunningSite]) -> RunningSite:
    """A site that was opened, on each kind of database."""
    postgres = request.param == "PostgreSQL"
    site = new_site(**({"DATABASE_URL": request.getfixturevalue("pg_url")} if postgres else {}))
    site.open()
    return site


def rows(site: RunningSite, query: str) -> list[tuple[Any, ...]]:
    """Return what a query finds in the database of a site that is stopped."""
    if url := site.environment.get("DATABASE_URL"):
        with psycopg.connect(url) as postgres:
            return postgres.execute(query.encode()).fetchall()
    with closing(sqlite3.connect(site.folder / "var" / "hamsterdam.sqlite3")) as sqlite:
        return sqlite.execute(query).fetchall()


def test_requests_chat_and_a_match_in_progress_survive_the_renaming_of_their_rows(opened: RunningSite) -> None:
    opened.start()
    code, host, guest = two_at_a_table(opened)
    asks, removed = Visitor(opened, "Asks"), Visitor(opened, "Removed")
    host.must(code, "add-seat")
    removed.must(code, "sit", seat=2)
    host.must(code, "remove-person", seat=2)
    asks.must(code, "request-seat")
    with host.connect(code) as one, guest.connect(code) as two, asks.connect(code) as three:
        begin(code, host, one, two, three)
        play_on([one, two], plies=3)
        three.say("chat", id=1, text="May I?")
        three.wait("ack", id=1)
        one.settle()
        match, log = one.match, one.version
    opened.stop()
    clocks = "SELECT process_id, compensation_ply, compensation_ms FROM table_match"
    now = [rows(opened, query) for query in (clocks, "SELECT * FROM lobby_seatrequest ORDER BY id")]
    assert now[0][0][0] is not None

    for app, migration in BEFORE:
        opened.manage("migrate", app, migration)
    assert [
        rows(opened, "SELECT keeper_id, credit_ply, credit_ms FROM table_match"),
        rows(opened, "SELECT * FROM lobby_chairwish ORDER BY id"),
    ] == now
    assert rows(opened, "SELECT shown_out FROM lobby_chairwish ORDER BY id") == [(True,), (False,)]
    assert rows(opened, "SELECT room FROM table_message") == [("watchers",)]

    assert "Applying lobby.0010_seat_requests... OK" in opened.manage("migrate")
    opened.start()
    assert removed.press(code, "sit")["code"] in ("playing", "removed")
    assert removed.press(code, "come-back")["code"] == "removed"
    with host.connect(code) as one, guest.connect(code) as two, asks.connect(code) as three:
        assert (one.match, one.version) == (match, log)
        assert [asking["name"] for asking in one.table["seat_requests"]] == ["Asks"]
        assert [line["text"] for line in three.chat] == ["May I?"]
        play_on([one, two], plies=3)
