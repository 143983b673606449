"""Queues of jobs: a few of a kind run at a time, each in a confined child process.

The person who has used the least CPU time is next. Every process of the site has its own queues. A job that waits holds
a thread, so only a few may wait.
"""

from __future__ import annotations

import json
import math
import signal
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import IO, Any, NamedTuple

import structlog
from django.db import DatabaseError, close_old_connections
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from cardsite import costs
from cardsite.jobs.folder import End, JobFolder
from cardsite.refusal import Refused
from games.core.messages import message
from games.jobs import Busy, Child, ChildDied, HandlerFailed, JobFailed, Limits, OutOfMemory, Stalled, TooMuchCpu
from games.jobs.child import Handler
from games.jobs.pool import FairQueue

log = structlog.get_logger(__name__)


# To the author of a text that takes too much CPU time, and of one that may be fine but could not be checked now.
TOO_LONG = message("This takes too long to compute. Shorten the text, or reduce what it loops over.")
BUSY = message("The sandbox is busy. Try again in a few seconds.")
# Other reasons of failures. The thread of a job has no language, so all are stored in English: see ``JobFolder.why``.
NO_ANSWER = gettext_noop("The work ended without a valid result. Start it again.")
TOO_MUCH_MEMORY = gettext_noop("It needs more memory than it may have.")
LOST = gettext_noop("It needed too much memory, or the server stopped.")


@dataclass(frozen=True)
class Job:
    """One piece of work."""

    key: str  # for the log
    request: Callable[[float], bytes]  # makes the request to the handler, given the CPU seconds that are left
    folder: JobFolder | None = None  # None: the job has an answer and keeps nothing
    payers: Sequence[str] = ()  # to whom its CPU time is booked, as in ``costs.payers``
    table: str = ""
    # Called when the job has ended, with its handler's result or None.
    ended: Callable[[End, Any], None] = field(default=lambda how, result: None)


class _Outcome(NamedTuple):
    how: End | None  # None: it continues in its next time slice
    why: str = ""
    result: Any = None


def _outcome(payload: bytes) -> _Outcome:
    """Return the outcome that a handler's answer says: see ``cardsite.jobs``."""
    try:
        answer = json.loads(payload)
        why, result = str(answer["why"]), answer["result"]
    except (ValueError, LookupError, TypeError):
        return _Outcome("failed", NO_ANSWER)
    return _Outcome("failed" if why else "done", why, result)


class _Stop(Exception):
    """Raised to end the child; ``outcome`` says why."""

    def __init__(self, outcome: _Outcome) -> None:
        super().__init__(outcome)
        self.outcome = outcome


class Queue:
    """Jobs of one kind."""

    def __init__(
        self,
        kind: costs.CostKind,
        handler: Handler,
        limits: Limits,
        waiting: int,
        *,
        cpu: float = math.inf,
        overtime: float = 0.0,
        enough: Callable[[JobFolder], bool] = lambda folder: False,
        time_slice: float = math.inf,
        kept: Callable[[JobFolder], int] = lambda folder: 0,
        forgotten: float = math.inf,
        at_once: int = 1,
    ) -> None:
        """``waiting``: how many may wait. ``cpu``: CPU seconds that a job may take in all, of which ``Job.request``
        tells its handler; ``overtime``: further seconds in which it has to end. A job that takes longer has failed,
        unless ``enough`` of its results are stored.

        ``time_slice``: CPU seconds after which another waiting job is next, as soon as there is a new result to keep
        (``kept`` says how much is stored). ``forgotten``: seconds after which a job stops that nobody looks at.
        """
        self.kind, self.cpu, self.time_slice, self.forgotten = kind, cpu, time_slice, forgotten
        self._overtime, self._enough = overtime, enough
        self._handler, self._limits, self._kept = handler, limits, kept
        self._slots = FairQueue(range(at_once))
        self._capacity = threading.BoundedSemaphore(waiting + at_once)

    def start(self, job: Job) -> bool:
        """Queue a job. Returns False if a process has it already. Raises Refused when too many jobs wait."""
        self.reserve()
        return self.begin(job)

    def reserve(self) -> None:
        """Reserve a slot for a job, for ``begin`` or ``give_up``. Raises Refused when too many jobs wait."""
        if not self._capacity.acquire(blocking=False):
            raise Refused("busy", _("Too many requests are waiting. Try again in a minute."))

    def give_up(self) -> None:
        """Release a reserved slot."""
        self._capacity.release()

    def begin(self, job: Job) -> bool:
        """Queue a job in its reserved slot. Returns False if a process has it already."""
        lock: IO[str] | None = None
        begun = False
        try:
            if job.folder is None or (lock := job.folder.take()) is not None:
                thread = threading.Thread(target=self._run, args=(job, lock), daemon=True, name=f"job {job.key}")
                thread.start()
                begun = True
        finally:
            if not begun:
                if lock is not None:
                    lock.close()
                self.give_up()
        return begun

    # -- in the thread of a job

    def _run(self, job: Job, lock: IO[str] | None) -> None:
        """Run a job in time slices and note how it ended. Its lock is held until then."""
        outcome, spent = _Outcome(None), 0.0
        payer = job.payers[0] if job.payers else ""
        try:
            while outcome.how is None:
                with self._slots.borrow(payer):
                    outcome, cpu = self._run_slice(job, spent)
                    self._slots.book(payer, cpu)
                    costs.book(self.kind, job.payers, job.table, cpu)
                    spent += cpu
            if job.folder is not None:
                job.folder.end(outcome.how, outcome.why)
            job.ended(outcome.how, outcome.result)
            log.info("job ended", job=job.key, kind=self.kind, how=outcome.how, cpu=round(spent, 1))
        except (OSError, DatabaseError) as error:  # a full disk, or the folder is gone
            log.warning("could not record the end of a job", job=job.key, kind=self.kind, error=repr(error))
        except Exception:
            log.exception("job failed", job=job.key, kind=self.kind)
        finally:
            if lock is not None:
                lock.close()
            self.give_up()
            close_old_connections()

    def _run_slice(self, job: Job, spent: float) -> tuple[_Outcome, float]:
        """Run a child for one time slice. Return the outcome and the CPU seconds it took."""
        folder, limits, used = job.folder, self._limits, 0.0
        kept = 0
        if folder is not None:
            if stop := self._stopped(folder):
                return stop, used
            folder.begin()
            kept = self._kept(folder)
            limits = replace(limits, writable=(str(folder.path),))

        def watch(cpu: float) -> None:
            nonlocal used
            used = cpu
            if folder is not None:
                if stop := self._stopped(folder):
                    raise _Stop(stop)
                if cpu > self.time_slice and self._slots.waiting and self._kept(folder) > kept:
                    raise _Stop(_Outcome(None))

        child = Child(self._handler, limits, name=self.kind)
        left = max(0.0, self.cpu - spent)
        try:
            answer = child.ask(job.request(left), left + self._overtime, watch)
        except _Stop as stopped:
            return stopped.outcome, used
        except JobFailed as failed:
            return self._failed(failed, job), failed.cpu
        finally:
            child.end()  # before anybody learns the outcome
        return _outcome(answer.payload), answer.cpu

    def _stopped(self, folder: JobFolder) -> _Outcome | None:
        if folder.is_cancelled:
            return _Outcome("cancelled")
        return _Outcome("stopped") if folder.is_forgotten(self.forgotten) else None

    def _failed(self, failed: JobFailed, job: Job) -> _Outcome:
        match failed:
            case TooMuchCpu():
                if job.folder is not None and self._enough(job.folder):
                    return _Outcome("done")
                why = str(TOO_LONG)
            case OutOfMemory():
                why = TOO_MUCH_MEMORY
            case Busy() | Stalled():
                why = str(BUSY)
            case HandlerFailed():
                why = str(failed)
            case ChildDied(code=code) if code in (-signal.SIGTERM, -signal.SIGHUP, -signal.SIGKILL):
                return _Outcome("stopped")  # killed from outside, as when the site shuts down
            case _:
                why = LOST
                log.warning("process of a job was lost", job=job.key, kind=self.kind, why=str(failed))
        return _Outcome("failed", why)
