"""A child that may start processes of its own: a supervisor process finds, counts and ends its descendants.

Linux knows the descendants of a process and their CPU time. Other systems have no /proc and no ``prctl``; there nothing
is found, and each function documents what it returns then.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, NoReturn

LINUX = sys.platform.startswith("linux")
_PROC = Path("/proc")
_PR_SET_DUMPABLE = 4
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
LONGEST_END = 10.0  # seconds; what is left then starts processes faster than they can be killed


class _Entry(NamedTuple):
    parent: int
    seconds: float  # CPU time, its own and that of children that have ended


def family(pid: int) -> dict[int, float]:
    """Return a process and all its descendants, each with its CPU time; {} if unknown."""
    if not LINUX:
        return {}
    known = {number: entry for number in _pids() if (entry := _entry(number))}
    children: dict[int, list[int]] = {}
    for number, entry in known.items():
        children.setdefault(entry.parent, []).append(number)
    seconds_by_pid: dict[int, float] = {}
    waiting = [pid] if pid in known else []
    while waiting:
        number = waiting.pop()
        seconds_by_pid[number] = known[number].seconds
        waiting += [child for child in children.get(number, []) if child not in seconds_by_pid]
    return seconds_by_pid


def _pids() -> list[int]:
    with suppress(OSError):
        return [int(name) for name in os.listdir(_PROC) if name.isdecimal()]
    return []


def _entry(pid: int) -> _Entry | None:
    try:
        text = (_PROC / str(pid) / "stat").read_bytes()
    except OSError:
        return None
    # The fields after the name, which may contain anything: see proc(5), fields 4 and 14 to 17.
    fields = text[text.rindex(b")") + 2 :].split()
    return _Entry(int(fields[1]), sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK"))


# -- the supervisor


def fork_supervisor(lifeline: int, *others: int) -> None:
    """Become two processes: a supervisor, and one that returns from here and does the work.

    The supervisor only waits: when the worker ends, or the other end of ``lifeline`` is closed, it ends all processes
    the worker has started, even those that tried to escape. ``others`` are descriptors it closes because it does not
    need them.
    """
    adopt_orphans()
    woken, wake = os.pipe()  # readable when a child has ended
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    worker = os.fork()
    if worker:
        for descriptor in others:
            os.close(descriptor)
        _supervise(worker, lifeline, woken)
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for descriptor in (lifeline, woken, wake):
        os.close(descriptor)
    os.setpgid(0, 0)
    end_with_parent()


def _supervise(worker: int, lifeline: int, woken: int) -> NoReturn:
    """Wait for the worker's end or that of the lifeline, then end all descendants.

    Exits with the worker's exit code, in the way of shells: 128 and more for a signal.
    """
    code = 0
    ready: list[int] = []
    while lifeline not in ready:
        ready = select.select([lifeline, woken], [], [])[0]
        if woken in ready:
            os.read(woken, 512)
            ended = _reap(worker)
            if ended is not None:
                code = os.waitstatus_to_exitcode(ended)
                break
    with suppress(OSError):
        os.killpg(worker, signal.SIGKILL)  # if descendants cannot be found, end at least its process group
    end_descendants()
    os._exit(code if code >= 0 else 128 - code)


def _reap(worker: int) -> int | None:
    """Reap all children that have ended, also orphans of the worker. Returns the worker's status if it has ended."""
    status = None
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == worker:
                status = ended[1]
    return status


# -- asking the kernel for things


def _prctl(option: int, value: int) -> bool:
    if not LINUX:
        return False
    return bool(ctypes.CDLL(None).prctl(option, value, 0, 0, 0) == 0)


def adopt_orphans() -> bool:
    """Become the parent of every descendant whose parent ends. Returns whether the system supports that."""
    return _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def end_with_parent() -> bool:
    """Have this process killed when the one that forked it ends. Returns whether the system supports that."""
    return _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def keep_memory_private() -> bool:
    """Keep other processes of this user from reading the memory and environment of this one. Root still can."""
    return _prctl(_PR_SET_DUMPABLE, 0)


def end_descendants() -> None:
    """Kill all descendants of this process, repeatedly, until none is left. It must have adopted orphans."""
    deadline = time.monotonic() + LONGEST_END
    while time.monotonic() < deadline:
        for pid in family(os.getpid()):
            if pid != os.getpid():
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.001)
