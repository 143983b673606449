"""``manage.py backup`` and ``manage.py restore``: one file with everything that must not be lost.

It contains the database, and the key that signs sessions, without which guests would lose their seats. A backup is
taken while the site runs and contains every move that was confirmed before it began. Reports of the laboratory
(``var/lab``) are in no backup; other files in ``var/`` can be created again.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
import zlib
from contextlib import closing, suppress
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone

from cardsite.database import IS_SQLITE
from cardsite.private import write_whole
from cardsite.table.services.chores import do_note_backup

FORMAT = 1
ABOUT, KEY, DATABASE = "about.json", "secret.key", "database"


class BackupFailed(Exception):
    """A backup or restore failed and can be repeated; the message says why."""


def backup(path: Path) -> int:
    """Write a backup, readable by its owner only. Return its size in bytes. Raises BackupFailed."""
    try:
        if path.exists():
            raise BackupFailed(f"{path} already exists. Choose another name, or remove the file.")
        if not path.parent.is_dir():
            raise BackupFailed(f"The folder {path.parent} does not exist. Create it first.")
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".backup-") as folder:  # 0700
            whole = _pack(Path(folder))
            size = whole.stat().st_size
            _publish(whole, path)
    except (OSError, sqlite3.Error) as error:  # a full disk, a damaged database
        raise BackupFailed(f"No backup was made: {error}. manage.py doctor checks disk and database.") from error
    with suppress(DatabaseError):  # a database that is full or read-only can be backed up, too
        do_note_backup()
    return size


def _pack(folder: Path) -> Path:
    """Write all parts of a backup into one file of a folder, and return it."""
    database, whole = folder / DATABASE, folder / "whole"
    if IS_SQLITE:
        _dump_sqlite(database)
    else:
        _postgres("pg_dump", "--format=custom", f"--file={database}")
    about = {"format": FORMAT, "database": connection.vendor, "made": timezone.now().isoformat()}
    with _created(whole) as file:
        with tarfile.open(fileobj=file, mode="w") as tar:
            _add(tar, ABOUT, json.dumps(about).encode())
            _add(tar, KEY, settings.SECRET_KEY.encode())
            tar.add(database, DATABASE)
        _flush(file)
    return whole


def _publish(whole: Path, path: Path) -> None:
    """Give a complete file its name: atomically where the file system has hard links, and never over another file."""
    with suppress(OSError):  # also if there are no hard links, as on exFAT
        os.link(whole, path)
        return
    with open(whole, "rb") as source, _created(path) as file:
        try:
            shutil.copyfileobj(source, file)
            _flush(file)
        except OSError:
            path.unlink()
            raise


def restore(path: Path) -> str:
    """Put a backup into an empty database and ``var/``. Return a remark for the operator, "" if there is none.

    Raises BackupFailed. The database is then still empty.
    """
    if connection.introspection.table_names():
        raise BackupFailed(
            "This database is not empty. Restore into a new, empty one: restore never overwrites a site."
        )
    connection.close()
    try:
        with tarfile.open(path) as tar:
            about = json.loads(_read(tar, ABOUT).read())
            if not isinstance(about, dict) or (about.get("format"), about.get("database")) != (
                FORMAT,
                connection.vendor,
            ):
                raise BackupFailed(
                    f"{path} is a backup of another kind: {json.dumps(about)}. This site uses {connection.vendor}."
                )
            key = _read(tar, KEY).read().decode()
            return _unpack(_read(tar, DATABASE), key, path)
    except (tarfile.TarError, OSError, EOFError, zlib.error, ValueError) as error:
        raise BackupFailed(f"{path} cannot be read as a backup: {error}") from error


def _unpack(source: IO[bytes], key: str, path: Path) -> str:
    """Put the database and the key of a backup into this site. Return a remark for the operator.

    The key comes first: without the database nothing uses it, and the restore can be repeated.
    """
    folder = Path(settings.DATABASES["default"]["NAME"]).parent if IS_SQLITE else settings.VAR_DIR
    try:
        with tempfile.TemporaryDirectory(dir=folder, prefix=".restore-") as temporary:
            database = Path(temporary, DATABASE)
            with _created(database) as file:
                shutil.copyfileobj(source, file)
                _flush(file)
            remark = _keep_key(key, path)
            if IS_SQLITE:
                _load_sqlite(database)
            else:
                options = "--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction"
                _postgres("pg_restore", *options, str(database))
    except OSError as error:
        raise BackupFailed(f"{path} was not restored: {error}. manage.py doctor checks the disk.") from error
    return remark


def _keep_key(key: str, path: Path) -> str:
    if given := os.environ.get("SECRET_KEY"):
        if given == key:
            return ""
        return (
            f"SECRET_KEY is not the key of the backup. Set it to that key (tar -xOf {path} {KEY}); otherwise people "
            "are logged out and guests lose their seats."
        )
    write_whole(Path(settings.VAR_DIR, KEY), key, over=True)
    return ""


def _created(path: Path) -> IO[bytes]:
    """Open a new file that only its owner may read. Raises FileExistsError."""
    return open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _flush(file: IO[bytes]) -> None:
    """Wait until a file is on disk."""
    file.flush()
    os.fsync(file.fileno())


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(content), 0o600
    tar.addfile(member, io.BytesIO(content))


def _read(tar: tarfile.TarFile, name: str) -> IO[bytes]:
    try:
        file = tar.extractfile(name)
    except KeyError:
        raise BackupFailed(f"{name} is missing from the backup.") from None
    if file is None:
        raise BackupFailed(f"{name} in the backup is not a regular file.")
    return file


# -- SQLite


def _dump_sqlite(path: Path) -> None:
    """Copy a snapshot of the database, without blocking writers."""
    name = settings.DATABASES["default"]["NAME"]
    with closing(sqlite3.connect(name, timeout=20)) as source, closing(sqlite3.connect(path)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # everything in one file
        [verdict] = copy.execute("PRAGMA quick_check").fetchone()
    if verdict != "ok":
        raise BackupFailed(f"The database is damaged: {verdict}")


def _load_sqlite(path: Path) -> None:
    name = Path(settings.DATABASES["default"]["NAME"])
    for suffix in ("-wal", "-shm", "-journal"):  # of the empty database
        name.with_name(name.name + suffix).unlink(missing_ok=True)
    os.replace(path, name)


# -- PostgreSQL, with its own programs


def _postgres(program: str, *arguments: str) -> None:
    from psycopg import conninfo, pq

    executable = shutil.which(program)
    if executable is None:
        raise BackupFailed(f"{program} is not installed or not in PATH. Install the PostgreSQL client programs.")
    known = {option.keyword.decode() for option in pq.Conninfo.get_defaults()}
    given: dict[str, Any] = {key: value for key, value in connection.get_connection_params().items() if key in known}
    password = given.pop("password", None)  # not on the command line, which everybody on the machine can read
    environment = {**os.environ, **({"PGPASSWORD": str(password)} if password else {})}
    done = subprocess.run(  # noqa: S603
        [executable, f"--dbname={conninfo.make_conninfo(**given)}", *arguments],
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode:
        raise BackupFailed(f"{program} failed: {done.stdout.strip()}")
