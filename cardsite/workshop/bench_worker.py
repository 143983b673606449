"""What runs in the bench's processes, on texts of which nothing is known yet. It imports no Django.

A question is JSON, and so is the answer: what a text has come to in here must not be able to do anything out there.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from typing import Any

from cardsite.workshop import lessons, readings, trying

NICE = 19
FAILED, NO_MEMORY = 1, 3  # exit codes

# What a worker says of a question, before what it has come to.
DONE, REFUSED, BROKEN = "done", "refused", "broken"

JOBS: dict[str, Callable[..., Any]] = {
    "check": readings.check,
    "format_text": readings.format_text,
    "explain": readings.explain,
    "look": readings.look,
    "try_out": trying.try_out,
    "goals": lessons.goals,
}


def work(line: Connection, seconds: int, memory: int) -> None:
    """Answer questions until the other side hangs up; each may take so many seconds of CPU, or the process ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of a terminal: it is the parent's
    with suppress(OSError):
        os.nice(NICE)
    with suppress(OSError, ValueError):  # not every system keeps to it
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    threading.Thread(target=_go_with_parent, daemon=True).start()
    try:
        while True:
            asked = json.loads(line.recv_bytes())
            _limit(seconds)
            line.send_bytes(json.dumps(_answer(asked)).encode())
    except (EOFError, OSError):
        return
    except MemoryError:
        os._exit(NO_MEMORY)  # without a word: there is no memory for one


def _answer(asked: dict[str, Any]) -> list[Any]:
    """Return what is said of a question, and what that has come to. Raises MemoryError."""
    try:
        return [DONE, JOBS[asked.pop("job")](**asked)]
    except readings.Unreadable as refusal:
        return [REFUSED, str(refusal)]
    except Exception as error:
        if _is_memory(error):
            raise MemoryError from None
        return [BROKEN, traceback.format_exc()[-4000:]]


def _is_memory(error: BaseException | None) -> bool:
    while error is not None and not isinstance(error, MemoryError):
        error = error.__cause__ or error.__context__
    return error is not None


def _limit(seconds: int) -> None:
    """End this process when it has computed for so many seconds more."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + seconds + 1, hard))


def _go_with_parent() -> None:
    if parent := parent_process():
        parent.join()
    os._exit(FAILED)
