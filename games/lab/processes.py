"""What Linux knows of processes: who descends from whom, and how much of a processor they have used.

Elsewhere there is no /proc and no ``prctl``: then nothing is found, and what each function says it returns without.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

LINUX = sys.platform.startswith("linux")
_PROC = Path("/proc")
_PR_SET_DUMPABLE = 4
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
LONGEST_END = 10.0  # seconds: what is still there then breeds faster than it can be killed


class _Entry(NamedTuple):
    parent: int
    seconds: float  # of CPU time, its own and that of its children that have ended


def seconds_of(pid: int) -> float | None:
    """Return the CPU time of a process and of its children that have ended; None where that is not known."""
    entry = _entry(pid)
    return entry.seconds if entry else None


def family(pid: int) -> dict[int, float]:
    """Return a process and all that descend from it, each with its CPU time; {} where that is not known."""
    if not LINUX:
        return {}
    known = {number: entry for number in _pids() if (entry := _entry(number))}
    children: dict[int, list[int]] = {}
    for number, entry in known.items():
        children.setdefault(entry.parent, []).append(number)
    found: dict[int, float] = {}
    waiting = [pid] if pid in known else []
    while waiting:
        number = waiting.pop()
        found[number] = known[number].seconds
        waiting += [child for child in children.get(number, []) if child not in found]
    return found


def _pids() -> list[int]:
    with suppress(OSError):
        return [int(name) for name in os.listdir(_PROC) if name.isdecimal()]
    return []


def _entry(pid: int) -> _Entry | None:
    try:
        text = (_PROC / str(pid) / "stat").read_bytes()
    except OSError:
        return None
    # After the name, which may hold anything: see proc(5). Its fields 4 and 14 to 17 are meant.
    fields = text[text.rindex(b")") + 2 :].split()
    return _Entry(int(fields[1]), sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK"))


# -- asking the kernel for things


def _prctl(option: int, value: int) -> bool:
    if not LINUX:
        return False
    return bool(ctypes.CDLL(None).prctl(option, value, 0, 0, 0) == 0)


def adopt_orphans() -> bool:
    """Become the parent of every descendant whose own parent ends. Returns whether that can be had."""
    return _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def end_with_parent() -> bool:
    """Have this process killed when the one that forked it ends. Returns whether that can be had."""
    return _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def keep_memory_private() -> bool:
    """Let no other process of this user look into the memory of this one, or its environment. Root's still can."""
    return _prctl(_PR_SET_DUMPABLE, 0)


def end_descendants() -> None:
    """Kill all that descends from this process, again and again until nothing is left. Orphans must be its own."""
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
