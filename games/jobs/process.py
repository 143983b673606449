"""A child process that answers requests, one at a time: how it is started, bounded, asked and ended.

It is started by ``subprocess`` and not by ``multiprocessing``: that would run the parent's ``__main__`` again
(manage.py, Daphne), hand on its whole environment with keys and passwords in it, and keep one more process to track
resources.

What it costs is read from the kernel's CPU clock of the process, so neither the child nor a busy machine can change it.
"""

from __future__ import annotations

import asyncio
import fcntl
import math
import os
import pickle
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from games.jobs.child import ANSWER, DONE, FAILED, NO_MEMORY, NO_TIME, READY, REQUEST, USUAL, Handler, Limits

START_SECONDS = 60.0  # of CPU, to import the handler and run its set-up
LOOK_AT_MOST, LOOK_AT_LEAST = 1.0, 0.01  # seconds between two looks at what a child has used
LOOK_OF_WATCH = 0.2  # seconds
PIPE = 1 << 20  # bytes that wait in a pipe, so that large answers come in few steps
CLOCKS = sys.platform.startswith("linux")  # the CPU clock of another process can be read
# What a confined child gets of the environment. The last lets the tests find processes that are left over.
ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "PYTHONHASHSEED", "HAMSTERDAM_TEST_RUN")


class Answer(NamedTuple):
    """What a handler returned, and the CPU seconds that took."""

    payload: bytes
    cpu: float


class JobFailed(Exception):
    """There is no answer. The text says why, ``cpu`` how many CPU seconds the attempt has cost."""

    cpu = 0.0


class Busy(JobFailed):
    """Nothing was asked: others are before it."""


class TooMuchCpu(JobFailed):
    """The deadline was reached. ``where`` is the traceback to where the handler was, "" if it had to be killed."""

    where = ""


class OutOfMemory(JobFailed):
    """The handler needed more than ``Limits.memory``."""


class HandlerFailed(JobFailed):
    """The handler raised. The text is its traceback."""


class ChildDied(JobFailed):
    """The process ended before it had answered, or sent something else than an answer.

    ``code`` is its exit code, as ``subprocess`` tells it; None if it is not known.
    """

    code: int | None = None


class Stalled(ChildDied):
    """It did nothing for ``Limits.idle`` seconds, and was killed."""


class Child:
    """A process that runs a handler. It starts with the first request, and again after it was lost."""

    def __init__(
        self, handler: Handler, limits: Limits = USUAL, setup: Callable[[], object] | None = None, name: str = "job"
    ) -> None:
        """Prepare it, and start nothing. ``name`` is for messages."""
        if handler.__module__ == "__main__":
            raise ValueError("A handler must stand in a module that the child can import, not in __main__.")
        self.limits = limits
        self.name = name
        self._spec = pickle.dumps((handler, setup, limits))
        self._turn = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._requests = self._answers = self._lifeline = -1

    @property
    def pid(self) -> int | None:
        """The process, None if there is none."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    # -- asking

    def ask(self, request: bytes, cpu: float = math.inf, watch: Callable[[float], None] | None = None) -> Answer:
        """Return what the handler makes of a request within so many CPU seconds. Blocks. Raises JobFailed.

        ``watch`` is told now and then how many CPU seconds have been used; whatever it raises ends the process.
        """
        with self._mine():
            if self.pid is None:
                with self._whole():
                    self._start()
                    self._exchange(self._spec, START_SECONDS).block()
            return self._exchange(request, cpu).block(watch)

    async def ask_async(self, request: bytes, cpu: float = math.inf) -> Answer:
        """Do the same on the event loop. Raises JobFailed. A caller that is cancelled ends the process."""
        with self._mine():
            if self.pid is None:
                with self._whole():
                    starting = asyncio.get_running_loop().run_in_executor(None, self._start)
                    try:
                        await asyncio.shield(starting)
                    except asyncio.CancelledError:
                        await asyncio.wait([starting])  # else it would start after we have tidied up
                        raise
                    await self._exchange(self._spec, START_SECONDS).follow()
            return await self._exchange(request, cpu).follow()

    @contextmanager
    def _mine(self) -> Iterator[None]:
        """Have the child for one request. Unless that leaves it ready for the next, the process is ended."""
        if not self._turn.acquire(blocking=False):
            raise Busy(f"The {self.name} process is answering another request.")
        try:
            yield
        except BaseException as error:
            interrupted = isinstance(error, TooMuchCpu) and error.where
            if not interrupted and not isinstance(error, HandlerFailed):
                self._end()
            raise
        finally:
            self._turn.release()

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """End the process if it did not start as it should."""
        try:
            yield
        except BaseException:
            self._end()
            raise

    def _exchange(self, request: bytes, cpu: float) -> _Exchange:
        if self._process is None:  # killed meanwhile
            raise ChildDied(f"The {self.name} process was ended.")
        return _Exchange(self, self._process, self._requests, self._answers, request, cpu)

    # -- starting and ending

    def _start(self) -> None:
        self._end()
        read_requests, self._requests = os.pipe()
        self._answers, write_answers = os.pipe()
        read_lifeline, self._lifeline = os.pipe()
        theirs = (read_requests, write_answers, read_lifeline)
        if hasattr(fcntl, "F_SETPIPE_SZ"):
            with suppress(OSError):  # more than this user may have
                fcntl.fcntl(write_answers, fcntl.F_SETPIPE_SZ, PIPE)
        os.set_blocking(self._requests, False)
        os.set_blocking(self._answers, False)
        confined = self.limits.confined
        try:
            # In the parent's session: each session may get an equal share of the processors, however nice it is.
            self._process = subprocess.Popen(  # noqa: S603 - the interpreter that runs this
                [sys.executable, "-P", "-c", "from games.jobs.child import main; main()", *map(str, theirs)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL if confined else None,
                stderr=subprocess.DEVNULL if confined else None,
                env=_environment(confined=confined),
                pass_fds=theirs,
            )
        finally:
            for descriptor in theirs:
                os.close(descriptor)

    def kill(self) -> None:
        """End the process, whatever it does. The next request starts another one."""
        process = self._process
        if process is not None:
            process.kill()
        if self._turn.acquire(blocking=False):  # else whoever asks hears of it, and tidies up
            try:
                self._end()
            finally:
                self._turn.release()

    def _end(self) -> None:
        process, self._process = self._process, None
        pipes = (self._requests, self._answers, self._lifeline)
        self._requests = self._answers = self._lifeline = -1
        for descriptor in pipes:
            if descriptor >= 0:
                os.close(descriptor)
        if process is not None:
            process.kill()
            _ended.append(process)
        _bury()


class _Exchange:
    """One request and its answer: what is still to be written and read, and how long that may go on."""

    def __init__(
        self, child: Child, process: subprocess.Popen[bytes], requests: int, answers: int, request: bytes, cpu: float
    ) -> None:
        self._limits, self._name = child.limits, child.name
        self._process, self._requests, self._answers = process, requests, answers
        self._left = memoryview(REQUEST.pack(len(request), cpu) + request)
        self._found = bytearray()
        self._size: int | None = None  # of the whole answer, once its head is there
        self._seconds = cpu
        self._before = _cpu_of(process.pid)
        self._began = time.monotonic()
        self._waited = _waited_of(process.pid)
        self._blocking = False
        self.cpu = 0.0

    # -- by blocking, or on an event loop

    def block(self, watch: Callable[[float], None] | None = None) -> Answer:
        """Return the answer when it is there. Raises JobFailed."""
        self._blocking = True
        ready = select.poll()  # not select(): a server has descriptors above its 1,024
        ready.register(self._answers, select.POLLIN)
        if self._write():
            ready.register(self._requests, select.POLLOUT)
        while True:
            wait = self.look()
            if watch is not None:
                watch(self.cpu)
                wait = min(wait, LOOK_OF_WATCH)
            found = ready.poll(wait * 1000)
            for descriptor, _ in found:
                if descriptor == self._requests and not self._write():
                    ready.unregister(self._requests)
                if descriptor == self._answers and self._read():
                    return self._answer()

    async def follow(self) -> Answer:
        """Do the same, and let the event loop go on meanwhile."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Answer] = loop.create_future()
        timer: asyncio.TimerHandle | None = None

        def guarded(step: Callable[[], None]) -> Callable[[], None]:
            def run() -> None:
                if not done.done():
                    try:
                        step()
                    except Exception as error:
                        done.set_exception(error)

            return run

        @guarded
        def written() -> None:
            if not self._write():
                loop.remove_writer(self._requests)

        @guarded
        def read() -> None:
            if self._read():
                done.set_result(self._answer())

        @guarded
        def look() -> None:
            nonlocal timer
            timer = loop.call_later(self.look(), look)

        loop.add_reader(self._answers, read)
        try:
            if self._write():
                loop.add_writer(self._requests, written)
            look()
            return await done
        finally:
            loop.remove_reader(self._answers)
            loop.remove_writer(self._requests)
            if timer is not None:
                timer.cancel()

    # -- steps

    def _write(self) -> bool:
        """Write what the pipe takes, and return whether there is more. A child that is gone is noticed by reading."""
        try:
            while self._left:
                self._left = self._left[os.write(self._requests, self._left) :]
        except BlockingIOError:
            return True
        except OSError:
            self._left = memoryview(b"")
        return False

    def _read(self) -> bool:
        """Read what is there, and return whether the answer is whole. Raises ChildDied."""
        try:
            while self._size is None or len(self._found) < self._size:
                more = os.read(self._answers, max(1 << 16, (self._size or 0) - len(self._found)))
                if not more:
                    raise self._died()
                self._found += more
                if self._size is None and len(self._found) >= ANSWER.size:
                    self._size = ANSWER.size + self._length()
        except BlockingIOError:
            return False
        return True

    def _length(self) -> int:
        length: int = ANSWER.unpack_from(self._found)[2]
        if length > self._limits.largest:
            raise self._failed(ChildDied(f"The {self._name} process sent {length:,} bytes, which is too much."))
        return length

    def _answer(self) -> Answer:
        """Return the answer that has come. Raises JobFailed if it is none."""
        status, told, _ = ANSWER.unpack_from(self._found)
        payload = bytes(memoryview(self._found)[ANSWER.size :])
        self._measure()
        if not CLOCKS:
            self.cpu = told
        if status in (DONE, READY):
            return Answer(payload, self.cpu)
        text = payload.decode(errors="replace")
        if status == FAILED:
            raise self._failed(HandlerFailed(text))
        if status == NO_TIME:
            raise self._failed(self._slow(text))
        if status == NO_MEMORY:
            raise self._failed(OutOfMemory(f"The {self._name} process needed more than {self._limits.memory:,} bytes."))
        raise self._failed(ChildDied(f"The {self._name} process sent something else than an answer."))

    # -- limits

    def look(self) -> float:
        """Return in how many seconds to look again. Raises TooMuchCpu or Stalled; then the process has to be ended."""
        self._measure()
        limit = self._seconds + self._limits.grace
        if self.cpu > limit:
            raise self._failed(self._slow(""))
        idle = time.monotonic() - self._began - self.cpu - (_waited_of(self._process.pid) - self._waited)
        patience = self._limits.idle if CLOCKS else self._limits.idle + 10 * min(self._seconds, 3600.0)
        if idle > patience and not _is_ready(self._process.pid):
            raise self._failed(Stalled(f"The {self._name} process did nothing for {self._limits.idle:g} seconds."))
        return max(LOOK_AT_LEAST, min(LOOK_AT_MOST, limit - self.cpu, max(patience - idle, LOOK_AT_MOST / 10)))

    def _measure(self) -> None:
        with suppress(OSError):  # it is gone, and what it used at the last look is all that is known
            self.cpu = _cpu_of(self._process.pid) - self._before

    def _slow(self, where: str) -> TooMuchCpu:
        slow = TooMuchCpu(f"The {self._name} process used more than {self._seconds:g} seconds of CPU.")
        slow.where = where
        return slow

    def _died(self) -> JobFailed:
        self._measure()
        if self._blocking:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(1)  # its pipes are closed, so it is about to end
        code = self._process.poll()
        if code == -signal.SIGXCPU:  # where the parent cannot read its clock
            return self._failed(self._slow(""))
        how = "ended" if code is None else f"ended with exit code {code}"
        died = ChildDied(f"The {self._name} process {how} before it had answered.")
        died.code = code
        return self._failed(died)

    def _failed(self, failed: JobFailed) -> JobFailed:
        failed.cpu = self.cpu
        return failed


_ended: list[subprocess.Popen[bytes]] = []


def _bury() -> None:
    """Let the system forget children that have ended. None is waited for: a nice one may take long to end."""
    for process in list(_ended):
        if process.poll() is not None:
            with suppress(ValueError):  # another thread did it
                _ended.remove(process)


def _cpu_of(pid: int) -> float:
    """Return the CPU seconds that a process has used, 0 where that cannot be read. Raises OSError when it is gone."""
    return time.clock_gettime(~pid << 3 | 2) if CLOCKS else 0.0  # as clock_getcpuclockid(3) makes it


def _waited_of(pid: int) -> float:
    """Return for how many seconds a process has waited for a processor, 0 where that is not known."""
    try:
        with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def _is_ready(pid: int) -> bool:
    """Return whether a process would compute now if it had a processor. A wait is only counted when it is over."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] == "R"
    except (OSError, IndexError):
        return False


def _environment(*, confined: bool) -> dict[str, str]:
    """Return the environment of a child: one that is confined gets no keys and no passwords."""
    kept = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ} if confined else dict(os.environ)
    path = os.pathsep.join(os.path.abspath(folder) for folder in sys.path)
    return {**kept, "PYTHONPATH": path, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
