"""What runs in a child process: set it up, confine it, answer requests until the parent is gone.

It is started by ``process.Child`` and communicates through two pipes. Each message has a head (``REQUEST`` or
``ANSWER``) and a payload. The first request is the pickled handler with its limits.
"""

from __future__ import annotations

import fcntl
import gc
import math
import os
import pickle
import resource
import signal
import struct
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from games.jobs.confine import confine
from games.jobs.family import fork_supervisor

REQUEST = struct.Struct("!Qd")  # bytes of the payload, CPU seconds it may take
ANSWER = struct.Struct("!cdQ")  # status, the CPU seconds it took, bytes of the payload

# The status of a request.
READY = b"r"  # the child is set up; the payload is its process
DONE = b"+"
FAILED = b"-"  # the payload is a traceback
NO_MEMORY = b"m"
NO_TIME = b"t"  # the payload is a traceback that ends where the handler was interrupted

AGAIN = 0.05  # CPU seconds until a handler that has stopped one interruption is interrupted again
GRACE = 0.5  # CPU seconds after its deadline that a handler has to stop before it is killed
SMALL = 1 << 16  # bytes
LONGEST_TRACEBACK = 8000  # characters, of the end

Handler = Callable[[bytes], bytes]


@dataclass(frozen=True)
class Limits:
    """What a child may use."""

    nice: int = 10  # 0: like the parent; 19: only otherwise idle CPU time
    memory: int = 0  # bytes of address space; 0: all there is
    confined: bool = False  # no network, no writable files, no other processes: ``confine.py``
    writable: tuple[str, ...] = ()  # folders that a confined child may write to
    idle: float = 60.0  # seconds for which it may neither compute nor wait for a processor
    largest: int = 16 << 20  # bytes of an answer
    helpers: bool = False  # it may start processes of its own: they count towards its limits, and end with it
    environment: tuple[tuple[str, str], ...] = ()  # added to the environment of every child


USUAL = Limits()


class OutOfTime(BaseException):
    """The CPU seconds of this request are used up. Not an Exception, so that handlers for those do not stop it."""


def main() -> None:
    """Serve the parent whose pipes are named on the command line, until it is gone."""
    requests, answers, lifeline, helpers = map(int, sys.argv[1:])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of a terminal: the parent handles it
    if helpers:
        fork_supervisor(lifeline, requests, answers)
    else:
        end_with(lifeline)
    signal.signal(signal.SIGPROF, _interrupt)
    try:
        handler, setup, limits = pickle.loads(_receive(requests)[0])  # noqa: S301 - from the parent
        _apply(limits)
        if setup is not None:
            setup()
        gc.freeze()  # imported modules stay: the garbage collector need not visit them
        if limits.confined:
            confine(limits.writable, _packages())
        _send(answers, READY, str(os.getpid()).encode())
    except BaseException:
        _send(answers, FAILED, _traceback())
        return
    while True:
        try:
            request, seconds = _receive(requests)
        except EOFError:
            return
        except MemoryError:
            _send(answers, NO_MEMORY, b"")
            return
        before = time.process_time()
        status, payload = answer(handler, request, seconds)
        _send(answers, status, payload, time.process_time() - before)
        if status == NO_MEMORY:
            return  # the state of this process is undefined now


def answer(handler: Handler, request: bytes, seconds: float) -> tuple[bytes, bytes]:
    """Return the status of a request that may take so many CPU seconds, and the payload of its answer."""
    if not sys.platform.startswith("linux"):  # there the parent reads the clock of this process, which is more exact
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        last = math.inf if seconds == math.inf else math.ceil(time.process_time() + seconds + GRACE) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (most if last == math.inf else int(last), most))
    try:
        try:
            _arm(seconds)
            return DONE, handler(request)
        finally:
            _disarm()
    except OutOfTime:
        _disarm()  # the interruption may have come before the other call
        return NO_TIME, _traceback()
    except Exception as error:
        return (NO_MEMORY, b"") if is_memory_error(error) else (FAILED, _traceback())


_armed = False


def _arm(seconds: float) -> None:
    """Raise ``OutOfTime`` after so many CPU seconds, and again if something has caught it; ``inf``: never."""
    global _armed
    _armed = True
    if seconds != math.inf:
        signal.setitimer(signal.ITIMER_PROF, max(seconds, 0.001), AGAIN)


def _disarm() -> None:
    global _armed
    _armed = False
    signal.setitimer(signal.ITIMER_PROF, 0.0)


def _interrupt(number: int, frame: FrameType | None) -> None:
    if _armed:
        raise OutOfTime


def is_memory_error(error: BaseException | None) -> bool:
    """Return whether an error is a MemoryError, or was caused by one."""
    while error is not None and not isinstance(error, MemoryError):
        error = error.__cause__ or error.__context__
    return error is not None


def _traceback() -> bytes:
    try:
        return traceback.format_exc()[-LONGEST_TRACEBACK:].encode(errors="backslashreplace")
    except Exception:
        return b"An error that cannot be shown."


def _apply(limits: Limits) -> None:
    """Lower the priority of this process, and set the limits that every child has."""
    with suppress(OSError):
        os.nice(limits.nice)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if limits.memory:
        with suppress(OSError, ValueError):  # macOS accepts the limit but does not enforce it
            resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))


def _packages() -> list[str]:
    """Return the folders of this program's packages, which hold nothing else: they are read later."""
    return [str(package.parent) for package in Path(__file__).parents[2].glob("*/__init__.py")]


def end_with(lifeline: int, number: int = signal.SIGKILL) -> None:
    """End this process when the other end of a pipe is closed, which is when the parent is gone, however it ended.

    On Linux the kernel sends the signal, so that this happens even while C code holds the interpreter. PR_SET_PDEATHSIG
    would not do: it fires when the *thread* that started the child ends. Elsewhere a thread waits.
    """

    def wait() -> None:
        os.read(lifeline, 1)
        os.kill(os.getpid(), number)

    if hasattr(fcntl, "F_SETSIG"):
        fcntl.fcntl(lifeline, fcntl.F_SETSIG, number)
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(lifeline, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
        with suppress(BlockingIOError):
            wait()  # it was closed before the kernel was asked
    else:
        threading.Thread(target=wait, daemon=True).start()


def _receive(requests: int) -> tuple[bytes, float]:
    """Return the next request and its CPU seconds. Raises EOFError when there will be none."""
    size, seconds = REQUEST.unpack(_read(requests, REQUEST.size))
    return _read(requests, size), seconds


def _read(pipe: int, size: int) -> bytes:
    content = bytearray()
    while len(content) < size:
        more = os.read(pipe, min(size - len(content), 1 << 20))
        if not more:
            raise EOFError
        content += more
    return bytes(content)


def _send(answers: int, status: bytes, payload: bytes, seconds: float = 0.0) -> None:
    head = ANSWER.pack(status, seconds, len(payload))
    # A small answer is one write; a large one is not copied, as memory may be short.
    for part in (head + payload,) if len(payload) < SMALL else (head, payload):
        left = memoryview(part)
        while left:
            left = left[os.write(answers, left) :]
