"""An upgrade of a site with a match in progress: the rows of the version before are kept, under their new names."""

from __future__ import annotations

import gzip
import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
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
    """Return what a statement finds in the database of a site that is stopped."""
    if url := site.environment.get("DATABASE_URL"):
        with psycopg.connect(url) as postgres:
            return postgres.execute(query.encode()).fetchall()
    with closing(sqlite3.connect(site.folder / "var" / "hamsterdam.sqlite3")) as sqlite:
        found = sqlite.execute(query).fetchall()
        sqlite.commit()
        return found


@full
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
        match, version = one.match, one.version
    opened.stop()
    clocks = "SELECT process_id, compensation_ply, compensation_ms FROM table_match"
    now = [
        rows(opened, query)
        for query in (clocks, "SELECT id, table_id, person_id, answer, removed FROM lobby_seatrequest ORDER BY id")
    ]
    assert now[0][0][0] is not None

    for app, migration in BEFORE:
        opened.manage("migrate", app, migration)
    assert [
        rows(opened, "SELECT keeper_id, credit_ply, credit_ms FROM table_match"),
        rows(opened, "SELECT id, table_id, person_id, answer, shown_out FROM lobby_chairwish ORDER BY id"),
    ] == now
    assert rows(opened, "SELECT shown_out FROM lobby_chairwish ORDER BY id") == [(True,), (False,)]
    assert rows(opened, "SELECT room FROM table_message") == [("watchers",)]

    assert "Applying lobby.0010_seat_requests... OK" in opened.manage("migrate")
    opened.start()
    assert removed.press(code, "sit")["code"] in ("playing", "removed")
    assert removed.press(code, "come-back")["code"] == "removed"
    with host.connect(code) as one, guest.connect(code) as two, asks.connect(code) as three:
        assert (one.match, one.version) == (match, version)
        assert [asking["name"] for asking in one.table["seat_requests"]] == ["Asks"]
        assert [line["text"] for line in three.chat] == ["May I?"]
        play_on([one, two], plies=3)


@full
def test_people_who_were_blocked_stay_so_without_an_end(opened: RunningSite) -> None:
    opened.manage("migrate", "people", "0002_person_seen")
    for name, blocked in (("Rude", "true"), ("Polite", "false")):
        values = f"('{name}', '', '2026-11-27', '2026-11-27', {blocked})"
        inserted = f"INSERT INTO people_person (name, token_hash, created, seen, blocked) VALUES {values} RETURNING id"
        rows(opened, inserted)
    opened.manage("migrate")
    query = "SELECT p.name, r.kind, r.until FROM people_restriction r JOIN people_person p ON p.id = r.person_id"
    assert rows(opened, query) == [("Rude", "blocked", None)]
    opened.manage("migrate", "people", "0002_person_seen")
    found = rows(opened, "SELECT name, blocked FROM people_person WHERE name IN ('Rude', 'Polite') ORDER BY id")
    assert [(name, bool(blocked)) for name, blocked in found] == [("Rude", True), ("Polite", False)]


# -- from version 0.1.0

# The SQL of a site that ran version 0.1.0 (commit a99e6896). Ann, who is registered, and Bob, a guest, played matches
# of five games there: one sealed together, two with a stacked deck, of which one was revealed, and one that goes on.
OLD_SITE = Path(__file__).with_name("site-0.1.0.sql.gz")
LAST = datetime(2026, 11, 27, 0, 39, tzinfo=UTC)  # when it was stopped
OLD_KEY = "of the fixture of version 0.1.0: not secret at all, 0123456789"
BOB = "nxh5wdd3bs6hdg6cwowngwdj0tprchn2"  # his session
SEALED, REVEALED, SECRET, RUNNING = 1, 6, 7, 8  # matches
FINISHED = range(1, 8)


def _make_recent(database: sqlite3.Connection, age: timedelta) -> None:
    """Move all moments by an age: tables left for hours are closed, matches left for a day are dropped."""
    later = f"+{age.total_seconds()} seconds"
    names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for table in names:
        for _, column, kind, *_ in database.execute(f"PRAGMA table_info({table})").fetchall():
            if kind == "datetime":
                database.execute(f"UPDATE {table} SET {column} = strftime('%Y-%m-%d %H:%M:%f', {column}, ?)", [later])
            elif kind == "date":
                database.execute(f"UPDATE {table} SET {column} = date({column}, ?)", [later])
            elif column == "at":  # of moves and messages
                database.execute(f"UPDATE {table} SET at = at + ?", [int(age.total_seconds() * 1000)])
    database.commit()


@pytest.fixture
def upgraded(new_site: Callable[..., RunningSite]) -> RunningSite:
    """The site of version 0.1.0 after an upgrade, running."""
    site = new_site(SECRET_KEY=OLD_KEY)
    database = site.folder / "var" / "hamsterdam.sqlite3"
    database.parent.mkdir(mode=0o700)
    with closing(sqlite3.connect(database)) as sqlite:
        sqlite.executescript(gzip.decompress(OLD_SITE.read_bytes()).decode())
        _make_recent(sqlite, datetime.now(UTC) - LAST)
    assert "Password" not in site.manage("open_house")  # it has its administrator
    site.start()
    return site


@full
def test_replays_results_and_rules_versions_survive_an_upgrade_from_0_1_0(upgraded: RunningSite) -> None:
    stored = rows(upgraded, "SELECT id, rules_version, (SELECT count(*) FROM table_move WHERE match_id = m.id) "
                            "FROM table_match m ORDER BY id")  # fmt: skip
    newcomer = Visitor(upgraded)
    for match, version, moves in stored[: len(FINISHED)]:
        replay = newcomer.get(f"/replay/{match}/frames.json").json
        assert replay["rules"]["played"] == version
        if replay["rules"]["shown"] == version:
            assert replay["remark"] == ""
            assert len(replay["frames"]) > moves  # one before the first move, and one after each
            assert replay["frames"][-1]["view"]["over"]
        else:
            assert "rules" in replay["remark"]
        assert sum(bool(result["share"]) for result in replay["result"]) >= 1
    assert {version for _, version, _ in stored} == {"1", "2", "1.54dd2445e219"}
    assert newcomer.get(f"/verify/{SEALED}/").status == 200
    shown = {match: newcomer.get(f"/replay/{match}/frames.json").json["stacked_for"] for match in FINISHED}
    assert shown == {**dict.fromkeys(FINISHED, -1), REVEALED: 1}


@full
def test_people_log_in_and_a_match_continues_after_an_upgrade_from_0_1_0(upgraded: RunningSite) -> None:
    ann, bob = Visitor(upgraded), Visitor(upgraded)
    assert ann.post("/people/login/", username="ann", password="a l0ng 0ne of old!").status == 302
    assert "Ann" in ann.get("/people/me/").text
    bob.cookies["sessionid"] = BOB
    assert "Bob" in bob.get("/people/me/").text
    [(code,)] = rows(
        upgraded, f"SELECT code FROM lobby_table t JOIN table_match m ON m.table_id = t.id WHERE m.id = {RUNNING}"
    )
    with ann.connect(code) as one, bob.connect(code) as two:
        assert (one.seat, two.seat) == (0, 1)
        assert (one.match, one.version) == (RUNNING, 6)
        play_on([one, two])
        assert one.over()
    [(first,)] = rows(upgraded, "SELECT code FROM lobby_table t JOIN table_match m ON m.table_id = t.id WHERE m.id = 1")
    with bob.connect(first) as socket:
        assert {line["text"] for line in socket.chat} == {"Good evening, Bob.", "Good evening!"}
    found = re.findall(r"^(\w+) +(\w[\w ]*?)  ", upgraded.manage("doctor"), re.MULTILINE)
    assert {subject for status, subject in found if status == "error"} == set()


@full
def test_what_was_added_since_works_on_what_0_1_0_left(upgraded: RunningSite) -> None:
    ann, bob = Visitor(upgraded), Visitor(upgraded)
    ann.post("/people/login/", username="ann", password="a l0ng 0ne of old!")
    bob.cookies["sessionid"] = BOB
    assert ann.post("/people/me/preference/", name="suits", value="four").json == {"ok": True}
    [(stored,)] = rows(upgraded, "SELECT preferences FROM people_person WHERE name = 'Ann'")
    assert json.loads(stored) == {"suits": "four"}
    answer = {"fun": "4", "fair": "5", "note": "", "ply": ""}
    assert bob.post(f"/replay/{SEALED}/opinion/", **answer).json == {"ok": True}
    assert bob.get(f"/replay/{SEALED}/opinion/").json["answer"]["fun"] == 4

    code_of = "SELECT code FROM lobby_table t JOIN table_match m ON m.table_id = t.id WHERE m.id = "
    [(code,)] = rows(upgraded, f"{code_of}{RUNNING}")
    with ann.connect(code) as one, Visitor(upgraded).connect(code) as spectator:
        assert (one.table["time_up"], one.table["spectator_delay"], spectator.version) == ("bot", 0, 6)
        bob.must(code, "resign")
        for socket in (one, spectator):
            socket.until(socket.over)
            assert socket.table["dropped"] == "resigned"
    assert [result["share"] for result in ann.get(f"/replay/{RUNNING}/frames.json").json["result"]] == [1, 0]
