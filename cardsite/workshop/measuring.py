"""How a text feels, measured in the background while somebody looks on.

A measurement is a folder below ``VAR_DIR``, named after what is measured, so that the same text is measured once. One
process measures at a time, niced; who asks meanwhile waits. Nobody looks any more: it stops, and goes on where it was
when somebody asks again.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import shutil
import threading
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

import structlog
from django.conf import settings
from django.utils.translation import gettext as _

from cardsite.lab import folders
from cardsite.lab.folders import read_json
from cardsite.lab.library import report_in
from cardsite.lab.worker import TROUBLE
from cardsite.refusal import Refused
from cardsite.workshop.feel_worker import CURVE, Asked, measure
from cardsite.workshop.sandbox import LARGEST, SEATS, busy
from games.lab import processes
from games.lab.gallery import BadReport
from games.lab.kept import write_whole
from games.lab.publish import REPORT
from games.lab.reports import Report

WIDEST = 1000  # a range of values
CPU_SECONDS = 60.0  # that a measurement gets
LONGEST = 240.0  # seconds by the clock: CPU time bounds the work, so only a busy machine takes longer
FORGOTTEN = 20.0  # seconds without a look, after which it stops
LOOK = 0.2  # seconds
SLICE = 5.0  # seconds, after which it is the turn of one that waits
WAITING = 6  # that may wait for the one that is measured
KEPT = 300  # folders
LOCK, SEEN, UNWATCHED, ENDED, BEGUN = "lock", "seen", "unwatched", "ended.json", "begun"

State = Literal["waiting", "running", "done", "failed", "stopped"]

log = structlog.get_logger(__name__)
_spawn = multiprocessing.get_context("spawn")
_measurer = ThreadPoolExecutor(1, thread_name_prefix="measure")
_waiting = threading.BoundedSemaphore(WAITING + 1)
_line: deque[Path] = deque()  # those whose turn has not come yet


def folder_of_all() -> Path:
    """Return where measurements lie."""
    return Path(settings.VAR_DIR) / "workshop"


def checked(asked: Asked) -> Asked:
    """Return what was asked if its size is one that can be measured. Raises Refused."""
    if len(asked.source) > LARGEST or len(asked.table) > LARGEST:
        raise Refused("too_long", _("A text may have %(n)d characters.") % {"n": LARGEST})
    if not asked.source.strip():
        raise Refused("empty", _("There is no text yet."))
    if asked.seats is not None and not 1 <= asked.seats <= SEATS:
        raise Refused("seats", _("A text is for 1 to %(n)d players.") % {"n": SEATS})
    if asked.number and not asked.low < asked.high <= asked.low + WIDEST:
        raise Refused("range", _("A range goes from a number to a greater one, at most %(n)d above.") % {"n": WIDEST})
    return asked


def do_measure(asked: Asked, *, watched: bool = True) -> str:
    """Have something measured, or go on with it, unless that is done. Returns its key. Raises Refused.

    ``watched``: it stops when nobody looks on.
    """
    key = _key(checked(asked))
    folder = folder_of_all() / key
    if not watched:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / UNWATCHED).touch()
    if state_of(key) in ("done", "failed", "running", "waiting"):
        (folder / SEEN).touch()
        return key
    if not _waiting.acquire(blocking=False):
        raise Refused("busy", _("Others have asked before you. Try again in a minute."))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = folders.take(folder / LOCK)
        if lock is None:  # another process has been faster
            _waiting.release()
            return key
        for name in (ENDED, BEGUN, TROUBLE):
            (folder / name).unlink(missing_ok=True)
        (folder / SEEN).touch()
        _stand_in_line(lock, asked, folder, Spent())
    except BaseException:
        _waiting.release()
        raise
    return key


def _key(asked: Asked) -> str:
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:24]


def report_of(source: str, table: str) -> Report | None:
    """Return what has been found out about a text with as many players as usual, None where nothing has."""
    return _report_in(folder_of_all() / _key(Asked(source, table, None)))


def _report_in(folder: Path) -> Report | None:
    try:
        return report_in(folder)
    except (OSError, BadReport):
        return None


def state_of(key: str) -> State | None:
    """Return how far a measurement is; None when nobody has asked for it."""
    folder = folder_of_all() / key
    if not (folder / LOCK).is_file():
        return None
    if (folder / ENDED).is_file():
        how = read_json(folder / ENDED).get("how")
        return how if how in ("done", "failed") else "stopped"
    if folders.holder(folder / LOCK) is not None:
        return "running" if (folder / BEGUN).exists() else "waiting"
    return "stopped"


def look(key: str) -> tuple[State, Report | None, dict[str, Any], str] | None:
    """Return how far a measurement is, its report and its curve so far, and what is wrong; None where there is none.

    Whoever looks keeps it going.
    """
    state = state_of(key)
    if state is None:
        return None
    folder = folder_of_all() / key
    if state in ("running", "waiting"):
        with suppress(OSError):
            (folder / SEEN).touch()
    why = ""
    if state == "failed":
        with suppress(OSError):
            why = (folder / TROUBLE).read_text(encoding="utf-8").strip().splitlines()[-1][:400]
    return state, _report_in(folder), read_json(folder / CURVE), why


class Spent(NamedTuple):
    """What a measurement has had, in all its turns."""

    cpu: float = 0.0  # seconds
    clock: float = 0.0  # seconds


def _stand_in_line(lock: IO[str], asked: Asked, folder: Path, spent: Spent) -> None:
    _line.append(folder)
    _measurer.submit(_see_through, lock, asked, folder, spent)


def _see_through(lock: IO[str], asked: Asked, folder: Path, spent: Spent) -> None:
    """Measure for a turn, and note how it ended if it has; the lock is held until then."""
    _line.popleft()
    try:
        how: State | Spent = "stopped"
        if not _forgotten(folder):
            (folder / BEGUN).touch()
            how = _wait(asked, folder, spent)
        if isinstance(how, Spent):
            _stand_in_line(lock, asked, folder, how)
            return
        write_whole(folder / ENDED, json.dumps({"how": how}))
        _remove_oldest()
    except (OSError, RuntimeError) as error:  # a full disk, or the folder is gone; or the site goes down
        log.warning("a measurement cannot be noted", key=folder.name, error=repr(error))
    except Exception:
        log.exception("a measurement failed", key=folder.name)
    lock.close()
    _waiting.release()


def _wait(asked: Asked, folder: Path, spent: Spent) -> State | Spent:
    """Return how a measurement ended; or what it has had, if it is the turn of another."""
    left = max(0.0, CPU_SECONDS - spent.cpu)
    process: BaseProcess = _spawn.Process(target=measure, args=(asked, folder, left), daemon=True, name="feel")
    process.start()
    began, before = time.monotonic(), _played(folder)
    while process.is_alive():
        process.join(LOOK)
        clock = time.monotonic() - began
        late, others = spent.clock + clock > LONGEST, clock > SLICE and len(_line) > 0 and _played(folder) > before
        if process.is_alive() and (late or others or _forgotten(folder)):
            had = Spent(spent.cpu + (processes.seconds_of(process.pid or 0) or clock), spent.clock + clock)
            process.kill()  # what it has played is kept, match by match
            process.join()
            if not late:
                return "stopped" if _forgotten(folder) else had
            if (folder / REPORT).exists() or (folder / CURVE).exists():
                return "done"
            write_whole(folder / TROUBLE, busy().text)
            return "failed"
    if process.exitcode == 0:
        return "done"
    if not (folder / TROUBLE).exists():
        write_whole(folder / TROUBLE, _("It took too much memory, or the site went down."))
    return "failed"


def _played(folder: Path) -> int:
    """Return how much of the matches is kept: a turn lasts until there is more, or it would come to nothing."""
    return sum(lines.stat().st_size for lines in folder.rglob("*.jsonl"))


def _forgotten(folder: Path) -> bool:
    if (folder / UNWATCHED).exists():
        return False
    try:
        return time.time() - (folder / SEEN).stat().st_mtime > FORGOTTEN
    except OSError:
        return True


def _remove_oldest() -> None:
    """Leave the latest measurements, and those that are being made."""
    found = sorted(
        (path for path in folder_of_all().iterdir() if path.is_dir()), key=lambda path: -path.stat().st_mtime
    )
    for path in found[KEPT:]:
        if folders.holder(path / LOCK) is None:
            shutil.rmtree(path, ignore_errors=True)
