"""The bench: what is asked of a text that nobody knows is answered in a process of its own, or refused.

The functions block, and are for views in threads. Whatever a text does in there, it does it behind everything else
(niced), within bounds of memory and CPU, and costs at most its process; what is asked meanwhile waits, and only so many
may. All of them raise Refused, with a sentence for the author, when a text is too large or takes too much, when it
cannot be read, or when too many ask.
"""

from __future__ import annotations

import json
import multiprocessing
import queue
import signal
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

import structlog
from django.utils.translation import gettext as _

from cardsite.refusal import Refused
from cardsite.workshop.bench_worker import BROKEN, DONE, NO_MEMORY, REFUSED, work

LARGEST = 64 * 1024  # bytes of a text and its table file together
SEATS = 20
MEMORY = 512 * 1024 * 1024  # bytes of address space: a process has 40 MB, and the library's largest game another 10
ANSWER = 8 * 1024 * 1024  # bytes
EACH = 2  # questions of one person at a time
NEWCOMERS = 5  # of all who have no name yet
PATIENCE = 15.0  # seconds that a question waits for others
LONGEST = 45.0  # seconds by the clock for an answer: CPU time bounds the work, so only a busy machine takes longer

log = structlog.get_logger(__name__)
_spawn = multiprocessing.get_context("spawn")


class Lane:
    """A few processes that answer questions one after the other. They start when they are needed."""

    def __init__(self, processes: int, waiting: int, seconds: int, memory: int = MEMORY) -> None:
        """``waiting``: how many questions may wait; ``seconds`` of CPU and bytes of ``memory``: what one may take."""
        self._room = threading.BoundedSemaphore(processes + waiting)
        self._workers = [Worker(seconds, memory) for _ in range(processes)]
        self._idle: queue.LifoQueue[Worker] = queue.LifoQueue()  # so that a quiet house runs few of them
        for worker in self._workers:
            self._idle.put(worker)
        self._asking: Counter[str] = Counter()
        self._lock = threading.Lock()

    def ask(self, job: str, who: str = "", **asked: Any) -> Any:
        """Return the answer to a question of ``bench_worker.JOBS``. ``who``, "" for a newcomer, asks few at a time."""
        with self._place(who):
            try:
                worker = self._idle.get(timeout=PATIENCE)
            except queue.Empty:
                raise busy() from None
            try:
                return worker.ask(job, asked)
            finally:
                self._idle.put(worker)

    @contextmanager
    def _place(self, who: str) -> Iterator[None]:
        with self._lock:
            if who and self._asking[who] >= EACH:
                raise Refused("busy", _("Your last question is still being answered. Try again in a moment."))
            if not who and self._asking[who] >= NEWCOMERS:
                raise busy()
            if not self._room.acquire(blocking=False):
                raise busy()
            self._asking[who] += 1
        try:
            yield
        finally:
            with self._lock:
                self._asking[who] -= 1
                self._asking += Counter()  # forgets whoever does not ask any more
                self._room.release()

    def close(self) -> None:
        """End its processes, whatever they do. The next question starts new ones."""
        for worker in self._workers:
            worker.kill()


class Worker:
    """A process that answers a question at a time. It is started with the first, and again after it is lost."""

    def __init__(self, seconds: int, memory: int) -> None:
        self._limits = seconds, memory
        self._process: BaseProcess | None = None
        self._line: Connection

    def ask(self, job: str, asked: dict[str, Any]) -> Any:
        """Return what it answers. Raises Refused."""
        try:
            if self._process is None or not self._process.is_alive():
                self._start()
            self._line.send_bytes(json.dumps({"job": job, **asked}).encode())
            if not self._line.poll(LONGEST):
                raise busy()
            how, what = json.loads(self._line.recv_bytes(ANSWER))
        except (EOFError, OSError) as error:
            raise self._lost(job) from error
        except BaseException:
            self.kill()
            raise
        if how == DONE:
            return what
        if how == REFUSED:
            raise Refused("text", str(what))
        if how == BROKEN:
            log.error("the bench broke down", job=job, why=str(what))
        raise Refused("broken", _("The bench broke down over this text. That is our fault; please report the text."))

    def _lost(self, job: str) -> Refused:
        """Return why a process has ended in the middle of an answer, or sent one that is too long."""
        process = self._process
        if process is not None:
            process.join(1)
        code = process.exitcode if process is not None else None
        self.kill()
        if code in (-signal.SIGXCPU, -signal.SIGKILL):
            return _too_slow()
        if code == NO_MEMORY:
            return Refused("too_much", _("This text needs too much memory. Use fewer cards, places or groups."))
        log.warning("a process of the bench is lost", job=job, code=code)
        return Refused("broken", _("The bench broke down over this text. Try it once more, or make it simpler."))

    def kill(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.join()
            self._line.close()

    def _start(self) -> None:
        self.kill()
        self._line, theirs = _spawn.Pipe()
        self._process = _spawn.Process(target=work, args=(theirs, *self._limits), daemon=True, name="bench")
        self._process.start()
        theirs.close()  # ours, so that we hear when the process is gone


def busy() -> Refused:
    """Return what is said when nothing is wrong with a text, but it could not be looked at now."""
    return Refused("busy", _("Many people are at the bench at this moment. Try again in a few seconds."))


def _too_slow() -> Refused:
    return Refused("too_much", _("This takes too long to work out. Make the text shorter, or what it goes through."))


quick = Lane(processes=2, waiting=6, seconds=4)  # what the editor asks


# -- what is asked


def check(source: str, table: str = "", who: str = "") -> dict[str, Any]:
    """Return what is wrong with a text, and what there is to know of it: see ``readings.check``."""
    answer: dict[str, Any] = quick.ask("check", who, **_of_size(source, table))
    return answer


def format_text(source: str, who: str = "") -> str:
    """Return a text in the house's layout."""
    return str(quick.ask("format_text", who, source=_of_size(source, "")["source"]))


def explain(source: str, table: str = "", who: str = "") -> str:
    """Return the rules of a text as a page in Markdown."""
    return str(quick.ask("explain", who, **_of_size(source, table)))


def look(
    source: str,
    table: str = "",
    seats: int = 0,
    seat: int | None = None,
    plies: int = 0,
    seed: str = "1",
    *,
    face_up: bool = False,
    who: str = "",
    deal: str = "",
    opening: Sequence[tuple[int, str]] = (),
) -> dict[str, Any]:
    """Return the table after so many random moves, as ``seat`` (None: a watcher) sees it: see ``readings.look``.

    ``seats`` 0: as many as usually play.
    """
    if not 0 <= seats <= SEATS:
        raise Refused("seats", _("At most %(n)d can sit at a table.") % {"n": SEATS})
    asked: dict[str, Any] = {"seats": seats, "seat": seat, "plies": plies, "seed": seed[:40], "face_up": face_up}
    asked |= {"deal": deal, "opening": list(opening)}
    answer: dict[str, Any] = quick.ask("look", who, **_of_size(source, table), **asked)
    return answer


def goals(number: int, source: str, *, saved: bool, who: str = "") -> list[dict[str, Any]]:
    """Return which goals of a lesson a text reaches: see ``lessons.goals``."""
    source = _of_size(source, "")["source"]
    answer: list[dict[str, Any]] = quick.ask("goals", who, number=number, source=source, saved=saved)
    return answer


def _of_size(source: str, table: str) -> dict[str, str]:
    """Return a text and its table file, if they are not too large. Raises Refused."""
    size = len(source.encode("utf-8", "replace")) + len(table.encode("utf-8", "replace"))
    if size > LARGEST:
        told = {"most": LARGEST // 1024, "size": size // 1024}
        raise Refused("too_large", _("This text has %(size)d kilobytes; %(most)d are the most.") % told)
    return {"source": source, "table": table}
