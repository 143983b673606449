"""Files that only their owner may read: the folder of the database, its files, and the key that signs sessions."""

from __future__ import annotations

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

OTHERS = 0o007


def private_folder(path: Path) -> Path:
    """Create a folder that only its owner may read, and return it. An existing one loses its permissions for others."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        path.mkdir(mode=0o700)
    _restrict(path, 0o700)
    return path


def private_database(path: Path) -> None:
    """Make an SQLite database readable by its owner only, before its first byte is written.

    SQLite creates its other files with the permissions of the database.
    """
    with suppress(FileExistsError, FileNotFoundError):  # for a missing folder Django has its own message
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    for suffix in ("", "-wal", "-shm", "-journal"):
        _restrict(path.with_name(path.name + suffix), 0o600)


def _restrict(path: Path, mode: int) -> None:
    """Remove the permissions of others, if the file is ours. Those that an operator gave to a group stay."""
    with suppress(OSError):
        now = path.stat().st_mode
        if now & OTHERS:
            path.chmod(mode)


def secret_key(given: str, path: Path) -> str:
    """Return the key that signs sessions: ``given``, else the one in the file ``path``, which is created if missing.

    Raises ImproperlyConfigured for an empty file: nothing may be signed with an empty key.
    """
    if given:
        return _checked(given, "SECRET_KEY")
    if not path.exists():
        write_whole(path, secrets.token_urlsafe(50), over=False)
    _restrict(path, 0o600)
    return _checked(path.read_text(), str(path))


def _checked(key: str, source: str) -> str:
    if not key.strip():
        raise ImproperlyConfigured(
            f"{source} contains no key. Restore the old one from a backup, or remove it to have a new one created: "
            "then people are logged out, and guests lose their seats."
        )
    return key


def write_whole(path: Path, text: str, *, over: bool) -> None:
    """Write a private file atomically. ``over``: replace an existing one; otherwise one that exists is kept."""
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # 0600
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if over:
            os.replace(temporary, path)
        else:
            with suppress(FileExistsError):
                os.link(temporary, path)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
