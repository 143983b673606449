"""A child process that answers requests, one at a time: how it is started, bounded, asked and ended.

It is started by ``subprocess`` and not by ``multiprocessing``: that would run the parent's ``__main__`` again
(manage.py, Daphne), hand on its whole environment with keys and passwords in it, and keep one more process to track
resources.

What it costs is read from the kernel's CPU clock of the process, so neither the child nor a busy machine can change it.
"""

from __future__ import annotations

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
from typing import Literal, NamedTuple

from games.jobs.child import ANSWER, DONE, FAILED, GRACE, NO_MEMORY, NO_TIME, READY, REQUEST, USUAL, Handler, Limits
from games.jobs.family import family

START_SECONDS = 60.0  # of CPU, to import the handler and run its set-up
START_IDLE = 60.0  # seconds that a child may wait meanwhile for a disk
END_SECONDS = 20.0  # after which a process that does not end is abandoned
LOOK_AT_MOST, LOOK_AT_LEAST = 1.0, 0.01  # seconds between two looks at what a child has used
FIRST_LOOK = 0.05  # seconds
LOOK_OF_WATCH = 0.2  # the most seconds between two calls of ``watch``
PIPE = 1 << 20  # bytes that wait in a pipe, so that large answers come in few steps
CLOCKS = sys.platform.startswith("linux")  # the CPU clock of another process can be read
# The environment variables of an untrusted child. With the last one the tests find processes that are left over.
ENVIRONMENT = (
    "PATH",
    "HOME",
    "TERM",
    "TMPDIR",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "PYTHONHASHSEED",
    "HAMSTERDAM_TEST_RUN",
)


Output = Literal["hidden", "shown", "terminal"]


class JobResult(NamedTuple):
    """What a handler returned, and the CPU seconds that took."""

    payload: bytes
    cpu: float


class JobFailed(Exception):
    """There is no answer. The message says why; ``cpu`` is the CPU time the attempt has cost, in seconds."""

    cpu = 0.0


class Busy(JobFailed):
    """The request was not made, because others come first."""


class TooMuchCpu(JobFailed):
    """The deadline was reached. ``where`` is the traceback to where the handler was, "" if it had to be killed."""

    where = ""


class OutOfMemory(JobFailed):
    """The handler needed more than ``Limits.memory``."""


class HandlerFailed(JobFailed):
    """The handler raised. The message is its traceback."""


class ChildDied(JobFailed):
    """The process ended before it had answered, or sent something that is not an answer.

    ``code`` is its exit code, as ``subprocess`` reports it; None if unknown.
    """

    code: int | None = None


class Stalled(ChildDied):
    """It did nothing for ``Limits.idle`` seconds, and was killed."""


class Child:
    """A process that runs a handler. It starts with the first request, and again after it was lost."""

    def __init__(
        self,
        handler: Handler,
        limits: Limits = USUAL,
        setup: Callable[[], object] | None = None,
        name: str = "job",
        output: Output | None = None,
    ) -> None:
        """Prepare the child without starting it. ``name`` is for messages.

        ``output``: what it prints is hidden (the default for an untrusted child), or shown on our standard error, or
        it reads and writes the terminal.
        """
        if getattr(handler, "func", handler).__module__ == "__main__":  # ``func``: of a partial
            raise ValueError("A handler must be defined in a module that the child can import, not in __main__.")
        self._output = output or ("hidden" if limits.confined or limits.helpers else "shown")
        self.limits = limits
        self.name = name
        self._spec = pickle.dumps((handler, setup, limits))
        self._request_lock = threading.Lock()
        self._closing = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._last: subprocess.Popen[bytes] | None = None  # the process that was ended last
        self._meter = _Meter(0, 0)
        self._requests = self._answers = self._lifeline = -1

    @property
    def pid(self) -> int | None:
        """The process, None if there is none."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    # -- asking

    def ask(
        self,
        request: bytes,
        cpu: float = math.inf,
        watch: Callable[[float], None] | None = None,
        idle: float | None = None,
    ) -> JobResult:
        """Return what the handler makes of a request within so many CPU seconds. Blocks. Raises JobFailed.

        ``watch`` is called now and then with the CPU seconds used so far; an exception from it ends the process.
        ``idle``: as ``Limits.idle``, for this request.
        """
        with self._reserved():
            if self.pid is None:
                with self._started_or_ended():
                    self._start()
                    self._meter.pid = int(self._exchange(self._spec, START_SECONDS, START_IDLE).block().payload)
            return self._exchange(request, cpu, idle).block(watch)

    async def ask_async(self, request: bytes, cpu: float = math.inf) -> JobResult:
        """Do the same on the event loop. Raises JobFailed. A caller that is cancelled ends the process."""
        import asyncio  # here, because it would take a third of a child's time to import

        with self._reserved():
            if self.pid is None:
                with self._started_or_ended():
                    starting = asyncio.get_running_loop().run_in_executor(None, self._start)
                    try:
                        await asyncio.shield(starting)
                    except asyncio.CancelledError:
                        await asyncio.wait([starting])  # otherwise it would start after the clean-up
                        raise
                    started = await self._exchange(self._spec, START_SECONDS, START_IDLE).follow()
                    self._meter.pid = int(started.payload)
            return await self._exchange(request, cpu).follow()

    @contextmanager
    def _reserved(self) -> Iterator[None]:
        """Reserve the child for one request. Unless that leaves it ready for the next, the process is ended."""
        if not self._request_lock.acquire(blocking=False):
            raise Busy(f"The {self.name} process is answering another request.")
        try:
            yield
        except BaseException as error:
            interrupted = isinstance(error, TooMuchCpu) and error.where
            if not interrupted and not isinstance(error, HandlerFailed):
                self._end()
            raise
        finally:
            self._request_lock.release()

    @contextmanager
    def _started_or_ended(self) -> Iterator[None]:
        """End the process if it did not start as it should."""
        try:
            yield
        except BaseException:
            self._end()
            raise

    def _exchange(self, request: bytes, cpu: float, idle: float | None = None) -> _Exchange:
        if self._process is None:  # killed meanwhile
            raise ChildDied(f"The {self.name} process was ended.")
        idle = self.limits.idle if idle is None else idle
        return _Exchange(self, self._process, self._meter, (self._requests, self._answers), request, cpu, idle)

    # -- starting and ending

    def _start(self) -> None:
        """Start the process. Raises Busy if the system has no more processes or descriptors."""
        self._end()
        theirs: list[int] = []
        try:
            read_requests, self._requests = os.pipe()
            theirs.append(read_requests)
            self._answers, write_answers = os.pipe()
            theirs.append(write_answers)
            read_lifeline, self._lifeline = os.pipe()
            theirs.append(read_lifeline)
            if hasattr(fcntl, "F_SETPIPE_SZ"):
                with suppress(OSError):  # this user may not have such large pipes
                    fcntl.fcntl(write_answers, fcntl.F_SETPIPE_SZ, PIPE)
            os.set_blocking(self._requests, False)
            os.set_blocking(self._answers, False)
            self._process = self._popen(theirs)
        except OSError as error:
            raise Busy(f"No {self.name} process can be started: {error}") from error
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        self._meter = _Meter(self._process.pid, self._process.pid if self.limits.helpers else 0)

    def _popen(self, pipes: list[int]) -> subprocess.Popen[bytes]:
        helpers, nothing = self.limits.helpers, subprocess.DEVNULL
        numbers = map(str, (*pipes, int(helpers)))
        return subprocess.Popen(  # noqa: S603 - the interpreter that runs this
            [sys.executable, "-P", "-c", "from games.jobs.child import main; main()", *numbers],
            stdin=None if self._output == "terminal" else nothing,
            stdout={"terminal": None, "shown": 2, "hidden": nothing}[self._output],
            stderr=nothing if self._output == "hidden" else None,
            env=_environment(self.limits),
            pass_fds=pipes,
            # Otherwise in the parent's session: the kernel may give each session an equal share of the processors,
            # whatever its nice value.
            start_new_session=helpers,
        )

    def kill(self) -> None:
        """End the process at once. The next request starts another one."""
        process = self._process
        if self.limits.helpers:
            self._close("_lifeline")  # a supervisor has work to do before it ends
        elif process is not None:
            process.kill()
        if self._request_lock.acquire(blocking=False):  # otherwise the thread with the request notices and cleans up
            try:
                self._end()
            finally:
                self._request_lock.release()

    def end(self) -> None:
        """Kill the process, and wait until it is gone. Blocks: with a high nice value this may take a while."""
        self.kill()
        if self._last is not None:
            with suppress(subprocess.TimeoutExpired):
                self._last.wait(END_SECONDS)

    def _end(self) -> None:
        process, self._process = self._process, None
        for name in ("_requests", "_answers", "_lifeline"):
            self._close(name)
        if process is not None:
            if self.limits.helpers:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(END_SECONDS)
            process.kill()
            self._last = process
            _ended.append(process)
        _reap_ended()

    def _close(self, name: str) -> None:
        """Close one of our ends of the pipes, unless that has been done."""
        with self._closing:
            descriptor: int = getattr(self, name)
            setattr(self, name, -1)
        if descriptor >= 0:
            os.close(descriptor)


class _Exchange:
    """One request and its answer: what is still to be written and read, and how long that may go on."""

    def __init__(
        self,
        child: Child,
        process: subprocess.Popen[bytes],
        meter: _Meter,
        pipes: tuple[int, int],
        request: bytes,
        cpu: float,
        idle: float,
    ) -> None:
        self._limits, self._name = child.limits, child.name
        self._process, self._meter = process, meter
        self._requests, self._answers = pipes
        self._left = memoryview(REQUEST.pack(len(request), cpu) + request)
        self._found = bytearray()
        self._size: int | None = None  # of the whole answer, once its head is there
        self._allowed, self._idle = cpu, idle  # seconds: of CPU, and without any progress
        self._before = 0.0
        with suppress(OSError):  # it has just ended; reading will show that
            self._before = meter.seconds()
        # When progress began to be watched, and the CPU seconds and seconds of waiting until then. The first look sets
        # this, because most answers arrive before it.
        self._watched: tuple[float, float, float] | None = None
        self._blocking = False
        self.cpu = 0.0
        with suppress(BlockingIOError):
            if os.read(self._answers, 1):
                raise self._failed(ChildDied(f"The {self._name} process sent an answer without a request."))

    # -- by blocking, or on an event loop

    def block(self, watch: Callable[[float], None] | None = None) -> JobResult:
        """Return the answer when it is there. Raises JobFailed."""
        self._blocking = True
        ready = select.poll()  # not select(): a server has descriptors above its 1,024
        ready.register(self._answers, select.POLLIN)
        if self._write():
            ready.register(self._requests, select.POLLOUT)
        look_at = time.monotonic() + FIRST_LOOK
        while True:
            events = ready.poll(max(0.0, look_at - time.monotonic()) * 1000)
            for descriptor, _ in events:
                if descriptor == self._requests and not self._write():
                    ready.unregister(self._requests)
                if descriptor == self._answers and self._read():
                    return self._answer()
            if time.monotonic() >= look_at:
                wait = self.look()
                if watch is not None:
                    watch(self.cpu)
                    wait = min(wait, LOOK_OF_WATCH)
                look_at = time.monotonic() + wait

    async def follow(self) -> JobResult:
        """Do the same without blocking the event loop."""
        import asyncio

        loop = asyncio.get_running_loop()
        done: asyncio.Future[JobResult] = loop.create_future()
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
            timer = loop.call_later(FIRST_LOOK, look)
            return await done
        finally:
            loop.remove_reader(self._answers)
            loop.remove_writer(self._requests)
            if timer is not None:
                timer.cancel()

    # -- steps

    def _write(self) -> bool:
        """Write what the pipe takes, and return whether there is more. Reading notices a child that is gone."""
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

    def _answer(self) -> JobResult:
        """Return the answer that was read. Raises JobFailed if it is a failure."""
        status, cpu, length = ANSWER.unpack_from(self._found)
        payload = bytes(memoryview(self._found)[ANSWER.size :])
        self._measure()
        if not CLOCKS:
            self.cpu = cpu
        if len(payload) != length:
            status = b""
        if status in (DONE, READY):
            return JobResult(payload, self.cpu)
        text = payload.decode(errors="replace")
        if status == FAILED:
            raise self._failed(HandlerFailed(text))
        if status == NO_TIME:
            raise self._failed(self._slow(text))
        if status == NO_MEMORY:
            raise self._failed(OutOfMemory(f"The {self._name} process needed more than {self._limits.memory:,} bytes."))
        raise self._failed(ChildDied(f"The {self._name} process sent something that is not an answer."))

    # -- limits

    def look(self) -> float:
        """Return in how many seconds to look again. Raises TooMuchCpu or Stalled; then the process has to be ended."""
        self._measure(thoroughly=True)
        limit = self._allowed + GRACE
        if self.cpu > limit:
            raise self._failed(self._slow(""))
        now = time.monotonic()
        if self._watched is None:
            self._watched = now, self.cpu, self._meter.waited()
        began, used, waited = self._watched
        idle = now - began - (self.cpu - used) - (self._meter.waited() - waited)
        # Where its clock cannot be read, a child that computes looks idle: so it may take ten times its CPU seconds.
        patience = self._idle if CLOCKS else self._idle + 10 * min(self._allowed, 3600.0)
        if idle > patience and not self._meter.is_ready():
            raise self._failed(Stalled(f"The {self._name} process did nothing for {self._idle:g} seconds."))
        return max(LOOK_AT_LEAST, min(LOOK_AT_MOST, limit - self.cpu, max(patience - idle, LOOK_AT_MOST / 10)))

    def _measure(self, *, thoroughly: bool = False) -> None:
        with suppress(OSError):  # it is gone: what it had used at the last look is all we know
            self.cpu = max(self.cpu, self._meter.seconds(thoroughly=thoroughly) - self._before)

    def _slow(self, where: str) -> TooMuchCpu:
        slow = TooMuchCpu(f"The {self._name} process used more than {self._allowed:g} seconds of CPU.")
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


def _reap_ended() -> None:
    """Reap children that have ended, without waiting for any: one with a high nice value may take long to end."""
    for process in list(_ended):
        if process.poll() is not None:
            with suppress(ValueError):  # another thread did it
                _ended.remove(process)


class _Meter:
    """How much CPU time a child has used, and whether it is running now."""

    def __init__(self, pid: int, supervisor: int) -> None:
        """``supervisor``: the process whose descendants count too, 0 for none."""
        self.pid = pid
        self._supervisor = supervisor
        self._helpers = 0.0  # CPU seconds of descendants, when they were last looked at
        self._others: set[int] = set()  # the descendants

    def seconds(self, *, thoroughly: bool = False) -> float:
        """Return its CPU seconds, 0 where they cannot be read; its helpers are looked at if ``thoroughly``.

        Raises OSError when it is gone.
        """
        if not CLOCKS:
            return 0.0
        own = time.clock_gettime(~self.pid << 3 | 2)  # as clock_getcpuclockid(3) makes it
        if thoroughly and self._supervisor:
            seconds_by_pid = family(self._supervisor)
            self._others = seconds_by_pid.keys() - {self.pid, self._supervisor}
            self._helpers = max(0.0, sum(seconds_by_pid.values()) - own)
        return own + self._helpers

    def waited(self) -> float:
        """Return for how many seconds it has waited for a processor; 0 if unknown."""
        return sum(_waited_of(pid) for pid in (self.pid, *self._others))

    def is_ready(self) -> bool:
        """Return whether it would compute now if it had a processor. A wait is only counted when it is over."""
        return any(_is_ready(pid) for pid in (self.pid, *self._others))


def _waited_of(pid: int) -> float:
    try:
        with open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def _is_ready(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] == "R"
    except (OSError, IndexError):
        return False


def _environment(limits: Limits) -> dict[str, str]:
    """Return the environment of a child: one that is not trusted gets no keys and no passwords."""
    trusted = not limits.confined and not limits.helpers
    kept = dict(os.environ) if trusted else {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
    path = os.pathsep.join(os.path.abspath(folder) for folder in sys.path)
    return {**kept, "PYTHONPATH": path, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", **dict(limits.environment)}
