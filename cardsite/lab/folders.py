"""Folders in which a process computes: who is at it, by a lock that ends with its holder, and what lies there."""

from __future__ import annotations

import fcntl
import json
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Any


def take(path: Path) -> IO[str] | None:
    """Return a lock of all processes of the site, held until it is closed; None while somebody else has it.

    Raises OSError.
    """
    lock = path.open("a+")
    for _again in range(5):  # somebody may be looking whether it is held
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock
        time.sleep(0.02)
    lock.close()
    return None


def holder(path: Path) -> str | None:
    """Return what stands in a lock that somebody holds; None where nobody does."""
    try:
        with path.open() as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError:
                return lock.read()
    except OSError:
        pass
    return None


def read_json(path: Path) -> dict[str, Any]:
    """Return the object in a file, {} where there is none."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
