"""The folder of a job: its state and what it has come to, for all processes of the site.

Whoever has a job in a queue holds a lock in its folder, which the system gives back however that process ends. So a job
that is neither held nor ended was interrupted, and can be started again: its handler goes on with what is there.
"""

from __future__ import annotations

import fcntl
import json
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Literal

from games.lab.saved import write_whole

LOCK, SEEN, UNWATCHED, BEGUN, ENDED, CANCEL = "lock", "seen", "unwatched", "begun", "ended.json", "cancel"
PROGRESS = "progress.json"
TROUBLE = "trouble.txt"  # why it failed

End = Literal["done", "failed", "cancelled", "stopped"]
State = Literal["waiting", "running", "done", "failed", "cancelled", "stopped"]
ENDS: tuple[End, ...] = ("done", "failed", "cancelled", "stopped")


class JobFolder:
    """What is kept of one job. Files that cannot be read tell nothing."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def state(self) -> State | None:
        """How far it is, None when nobody has started it. "stopped": it was interrupted, or nobody looked on."""
        if holder(self.path / LOCK) is not None:
            return "running" if (self.path / BEGUN).exists() else "waiting"
        if (self.path / ENDED).is_file():
            how = read_json(self.path / ENDED).get("how")
            return how if how in ENDS else "stopped"
        return "stopped" if (self.path / LOCK).is_file() else None

    @property
    def why(self) -> str:
        """Why it failed, "" if it did not."""
        try:
            return (self.path / TROUBLE).read_text(encoding="utf-8").strip()
        except (OSError, ValueError):
            return ""

    @property
    def progress(self) -> dict[str, Any]:
        """What the handler has written of how far it is."""
        return read_json(self.path / PROGRESS)

    # -- those who wait for it

    def see(self) -> None:
        """Note that somebody looks on."""
        with suppress(OSError):
            (self.path / SEEN).touch()

    def keep_going(self) -> None:
        """Have it go on though nobody looks."""
        self.path.mkdir(parents=True, exist_ok=True)
        (self.path / UNWATCHED).touch()

    def is_forgotten(self, seconds: float) -> bool:
        """Return whether nobody has looked for so long."""
        if (self.path / UNWATCHED).exists():
            return False
        try:
            return time.time() - (self.path / SEEN).stat().st_mtime > seconds
        except OSError:
            return True

    def cancel(self) -> None:
        """Have it ended, by whichever process runs it. Raises OSError."""
        (self.path / CANCEL).touch()

    @property
    def is_cancelled(self) -> bool:
        """Whether somebody has cancelled it."""
        return (self.path / CANCEL).exists()

    # -- for queues

    def take(self) -> IO[str] | None:
        """Return the lock of the job, to be held until it has ended; None while another has it. Raises OSError.

        What is left of an earlier attempt is removed, but for what its handler has kept.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        lock = take(self.path / LOCK)
        if lock is not None:
            for name in (ENDED, BEGUN, CANCEL, TROUBLE):
                (self.path / name).unlink(missing_ok=True)
            (self.path / SEEN).touch()
        return lock

    def begin(self) -> None:
        """Note that its turn has come. Raises OSError."""
        (self.path / BEGUN).touch()

    def end(self, how: End, why: str = "") -> None:
        """Note how it has ended. Raises OSError."""
        if why:
            write_whole(self.path / TROUBLE, why)
        write_whole(self.path / ENDED, json.dumps({"how": how}))


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
