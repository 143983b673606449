"""The folder of a job: its state and results, for all processes of the site.

The process that has a job in its queue holds a lock in the folder, which the system releases however the process ends.
A job that is neither locked nor ended was interrupted and can be started again: its handler resumes from the folder.
"""

from __future__ import annotations

import fcntl
import json
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Literal

from django.utils.translation import gettext

from games.lab.saved import write_whole

LOCK, SEEN, UNWATCHED, BEGUN, ENDED, CANCEL = "lock", "seen", "unwatched", "begun", "ended.json", "cancel"
PROGRESS = "progress.json"
TROUBLE = "trouble.txt"  # why it failed

End = Literal["done", "failed", "cancelled", "stopped"]
JobState = Literal["waiting", "running", "done", "failed", "cancelled", "stopped"]
ENDS: tuple[End, ...] = ("done", "failed", "cancelled", "stopped")


class JobFolder:
    """The files of one job. Files that cannot be read count as missing."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def state(self) -> JobState | None:
        """Return the state, None for a job that was never started. "stopped": interrupted, or nobody viewed it."""
        if holder(self.path / LOCK) is not None:
            return "running" if (self.path / BEGUN).exists() else "waiting"
        if (self.path / ENDED).is_file():
            how = read_json(self.path / ENDED).get("how")
            return how if how in ENDS else "stopped"
        return "stopped" if (self.path / LOCK).is_file() else None

    @property
    def why(self) -> str:
        """Return why the job failed, in the language of the request if it is one of our sentences; "" if it did not."""
        try:
            reason = (self.path / TROUBLE).read_text(encoding="utf-8").strip()
            return gettext(reason) if reason else ""
        except (OSError, ValueError):
            return ""

    @property
    def progress(self) -> dict[str, Any]:
        """Return the progress that the handler has written."""
        return read_json(self.path / PROGRESS)

    # -- those who wait for it

    def see(self) -> None:
        """Note that a person views the job now."""
        with suppress(OSError):
            (self.path / SEEN).touch()

    def keep_going(self) -> None:
        """Let the job run on although nobody views it."""
        self.path.mkdir(parents=True, exist_ok=True)
        (self.path / UNWATCHED).touch()

    def is_forgotten(self, seconds: float) -> bool:
        """Return whether nobody has viewed the job for so many seconds."""
        if (self.path / UNWATCHED).exists():
            return False
        try:
            return time.time() - (self.path / SEEN).stat().st_mtime > seconds
        except OSError:
            return True

    def cancel(self) -> None:
        """Ask the process that runs the job to end it. Raises OSError."""
        (self.path / CANCEL).touch()

    @property
    def is_cancelled(self) -> bool:
        """Return whether the job was cancelled."""
        return (self.path / CANCEL).exists()

    # -- for queues

    def take(self) -> IO[str] | None:
        """Return the lock of the job, to be held until it has ended; None while another process has it. Raises OSError.

        The state of an earlier attempt is removed; the files of its handler stay.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        lock = take(self.path / LOCK)
        if lock is not None:
            for name in (ENDED, BEGUN, CANCEL, TROUBLE):
                (self.path / name).unlink(missing_ok=True)
            (self.path / SEEN).touch()
        return lock

    def begin(self) -> None:
        """Note that the job runs now. Raises OSError."""
        (self.path / BEGUN).touch()

    def end(self, how: End, why: str = "") -> None:
        """Note how the job ended. Raises OSError."""
        if why:
            write_whole(self.path / TROUBLE, why)
        write_whole(self.path / ENDED, json.dumps({"how": how}))


def take(path: Path) -> IO[str] | None:
    """Return a lock shared by all processes of the site, held until it is closed; None while another one has it.

    Raises OSError.
    """
    lock = path.open("a+")
    for _again in range(5):  # ``holder`` takes the lock for a moment
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock
        time.sleep(0.02)
    lock.close()
    return None


def holder(path: Path) -> str | None:
    """Return the content of a lock file that a process holds; None if it is free."""
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
    """Return the JSON object in a file, {} if there is none."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
