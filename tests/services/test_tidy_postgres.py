"""Clean-ups on PostgreSQL: two at once, while two processes of the site run."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import psycopg

from tests.running_site import RunningSite
from tests.site.visitor import Visitor, begin, play_on, two_at_a_table
from tests.tiers import full

Row = tuple[object, ...]


@full
def test_two_that_tidy_at_once_do_each_thing_once_and_replays_stay_whole(
    grown_site: tuple[RunningSite, RunningSite], pg_url: str
) -> None:
    first, second = grown_site
    code, host, guest = two_at_a_table(first, "house")
    alone, running = Visitor(second, "Alone"), Visitor(second, "Running")
    with host.connect(code) as one, guest.connect(code) as two:
        together = begin(code, host, one, two)
        play_on([one, two])
        plies = one.version
    solo_code, running_code = alone.open_table("me", "house"), running.open_table("me", "house")
    with alone.connect(solo_code) as ws:
        solo = begin(solo_code, alone, ws)
        play_on([ws])
    with running.connect(running_code) as ws, psycopg.connect(pg_url, autocommit=True) as site_db:
        under_way = begin(running_code, running, ws)
        play_on([ws], plies=2)
        before = host.get(f"/replay/{together}/frames.json").json["frames"]
        gone = site_db.execute(
            "INSERT INTO people_person (name, token_hash, created, seen, preferences) "
            "SELECT 'Gone', '', now(), now(), '{}' FROM generate_series(1, 250) RETURNING id"
        ).fetchall()
        site_db.execute("UPDATE people_person SET seen = '2020-01-01'")
        site_db.execute("UPDATE table_match SET started = '2020-01-01'")
        site_db.execute("UPDATE table_match SET finished = '2020-01-01' WHERE finished IS NOT NULL")
        site_db.execute("UPDATE lobby_table SET status = 'closed' WHERE code = ANY(%s)", [[code, solo_code]])
        site_db.execute("UPDATE lobby_table SET touched = '2020-01-01'")
        with ThreadPoolExecutor() as both:
            printed = list(both.map(lambda site: site.manage("tidy"), (first, second)))
        done = [dict(reversed(line.split(None, 1)) for line in text.splitlines()) for text in printed]

        def ids(query: str) -> set[Row]:
            return set(site_db.execute(query.encode()).fetchall())

        assert sum(int(each["guests"]) for each in done) >= len(gone)
        assert sum(int(each["matches packed"]) for each in done) == 1
        assert not ids("SELECT id FROM people_person WHERE name = 'Gone'")
        assert ids("SELECT id FROM table_match") >= {(together,), (under_way,)}
        assert (solo,) not in ids("SELECT id FROM table_match")
        assert ids("SELECT match_id, plies FROM table_packedmoves") == {(together, plies)}
        assert not ids(f"SELECT id FROM table_move WHERE match_id = {together}")
        guest.site = second
        assert host.get(f"/replay/{together}/frames.json").json["frames"] == before
        assert len(guest.get(f"/replay/{together}/record.json").json["moves"]) == plies
        play_on([ws])  # who is at a table plays on
        assert ws.over()
