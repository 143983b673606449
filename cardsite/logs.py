"""Logging: refused requests take one line each, and repeated records are written a few times a minute, then counted.

Otherwise a full disk, or a visitor who sends garbage, would cause hundreds of lines a second on the same disk.
"""

from __future__ import annotations

import copy
import logging
import sys
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TextIO

WINDOW = 60.0  # seconds over which records of one kind are counted
FIRST = 3  # records of a kind that are written in each window; the others are counted
MAX_KINDS = 500  # kinds that are counted separately: errors of visitors' games could have any number
OTHER = "other"  # the kind of all further ones
LONGEST_ERROR = 300  # characters of an error that is logged instead of its traceback


class OneLine(logging.Filter):
    """Log a refused request as one line, at most as a warning.

    Django logs a wrong host or too many fields as an error with a traceback, though anybody may send them. Answers with
    status 503 are logged by ``front/server_errors.py``.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log a record; shorten it if it is about a request that was refused."""
        status = getattr(record, "status_code", None)
        if not record.name.startswith("django.") or not isinstance(status, int):
            return True
        if status == 503:
            return False
        if status < 500:
            record.exc_info = record.exc_text = None
            if record.levelno > logging.WARNING:
                record.levelno, record.levelname = logging.WARNING, "WARNING"
        return True


@dataclass(slots=True)
class _Count:
    """How many records of a kind came in the current window, and the last one that was only counted."""

    until: float
    seen: int = 0
    last: logging.LogRecord | None = None


class RateLimitedHandler(logging.StreamHandler[TextIO]):
    """Writes the first few warnings and errors of a kind in each window, then how many more there were.

    Records below a warning are all written. A traceback is written with the first record of its kind; it is written
    again only after a window without any. The counts are written at the end of their window, at the latest when the
    process ends, as a record with the same event and the fields ``and_more`` and ``in_seconds``.
    """

    def __init__(self, stream: TextIO | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(stream)
        self._clock = clock
        self._counts: dict[Hashable, _Count] = {}
        self._timer: threading.Timer | None = None  # runs while something has been counted and not written

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, or count it."""
        if record.levelno < logging.WARNING:
            super().emit(record)
            return
        now = self._clock()
        self._end_windows(now)
        error = _error(record)
        kind = _kind(record, error)
        if kind not in self._counts and len(self._counts) >= MAX_KINDS:
            kind = OTHER
        new = kind not in self._counts
        count = self._counts.setdefault(kind, _Count(now + WINDOW))
        count.seen += 1
        if count.seen <= FIRST:
            super().emit(record if new or error is None else _without_traceback(record, error))
            return
        count.last = record
        if self._timer is None:
            self._start_timer(count.until - now)

    def write_counts(self) -> None:
        """Write how many records have been counted and not written so far."""
        with self._locked():
            for count in self._counts.values():
                self._write(count)

    def close(self) -> None:
        """Write the counts, then close."""
        if self._timer:
            self._timer.cancel()
        if not self.stream.closed:
            self.write_counts()
        super().close()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the handler's lock, as logging does around ``emit``."""
        self.acquire()
        try:
            yield
        finally:
            self.release()

    def _end_windows(self, now: float) -> None:
        for kind, count in list(self._counts.items()):
            if count.until <= now:
                self._write(count)
                if count.seen and now < count.until + WINDOW:
                    count.seen, count.until = 0, now + WINDOW
                else:  # a whole window without any
                    del self._counts[kind]

    def _write(self, count: _Count) -> None:
        if count.last is not None:
            super().emit(_summary(count.last, count.seen - FIRST))
            count.seen, count.last = FIRST, None

    def _start_timer(self, seconds: float) -> None:
        self._timer = threading.Timer(seconds, self.write_what_is_due)
        self._timer.daemon = True
        self._timer.start()

    def write_what_is_due(self) -> None:
        """Write the counts of windows that have ended. Called by the timer."""
        with self._locked():
            if self._timer:
                self._timer.cancel()
                self._timer = None
            now = self._clock()
            self._end_windows(now)
            if waiting := [count.until for count in self._counts.values() if count.last]:
                self._start_timer(max(0.0, min(waiting) - now))


def _kind(record: logging.LogRecord, error: BaseException | None) -> Hashable:
    """Return a key that records of the same message share. No part of it is chosen by visitors.

    Our own records have a constant event name; for those of libraries the line that logs them is constant.
    """
    what = record.msg["event"] if isinstance(record.msg, dict) else (record.pathname, record.lineno)
    return record.name, record.levelno, what, getattr(record, "status_code", None), type(error), _place(error)


def _error(record: logging.LogRecord) -> BaseException | None:
    """Return the exception whose traceback a record of structlog or of a library would show."""
    raised = record.msg.get("exc_info") if isinstance(record.msg, dict) else record.exc_info
    if raised is True:
        raised = sys.exc_info()
    if isinstance(raised, tuple):
        raised = raised[1]
    return raised if isinstance(raised, BaseException) else None


def _place(error: BaseException | None) -> tuple[str, int] | None:
    """Return the file and line that raised an error."""
    step = error.__traceback__ if error else None
    while step and step.tb_next:
        step = step.tb_next
    return (step.tb_frame.f_code.co_filename, step.tb_lineno) if step else None


def _without_traceback(record: logging.LogRecord, error: BaseException) -> logging.LogRecord:
    short = copy.copy(record)
    text = repr(error)[:LONGEST_ERROR]
    if isinstance(record.msg, dict):
        short.msg = {"error": text} | {name: fact for name, fact in record.msg.items() if name != "exc_info"}
    else:
        short.msg, short.args = "%s: %s", (record.getMessage(), text)
        short.exc_info = short.exc_text = None
    return short


def _summary(last: logging.LogRecord, more: int) -> logging.LogRecord:
    message = last.msg["event"] if isinstance(last.msg, dict) else last.getMessage()
    return logging.makeLogRecord(
        {
            "name": last.name,
            "levelno": last.levelno,
            "levelname": last.levelname,
            "msg": "%s",
            "args": (message,),
            "and_more": more,
            "in_seconds": round(WINDOW),
        }
    )
