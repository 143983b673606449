"""Repeated records are logged a few times and then counted; all others are logged."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from django.conf import settings

from cardsite import logs
from cardsite.logs import FIRST, MAX_KINDS, WINDOW, OneLine, RateLimitedHandler
from tests.patience import wait_for
from tests.running_site import RunningSite
from tests.site.visitor import Visitor
from tests.tiers import full

log = structlog.get_logger("tests.ours")
library = logging.getLogger("tests.library")
FLOOD = 100


class Log:
    """The site's handler and formatter, with a clock of the test's and lines that it can read."""

    def __init__(self) -> None:
        self.now = 1000.0
        self._stream = io.StringIO()
        self.handler = RateLimitedHandler(self._stream, clock=lambda: self.now)
        set_up: Any = settings.LOGGING
        line = dict(set_up["formatters"]["line"])
        make = line.pop("()")
        self.handler.setFormatter(make(**line | {"processors": [*line["processors"][:-1], JSON]}))
        self.handler.addFilter(OneLine())

    def pass_time(self, seconds: float) -> None:
        """Let time pass, and the handler's timer run out."""
        self.now += seconds
        self.handler.write_what_is_due()

    def lines(self) -> list[dict[str, Any]]:
        """Return what has been written since the last look."""
        read = [json.loads(line) for line in self._stream.getvalue().splitlines()]
        self._stream.seek(0)
        self._stream.truncate()
        return read


JSON = structlog.processors.JSONRenderer()


@pytest.fixture
def logged() -> Iterator[Log]:
    logged = Log()
    loggers = [logging.getLogger(name) for name in ("tests.ours", "tests.library", "django.request", "django.security")]
    for logger in loggers:
        logger.addHandler(logged.handler)
        logger.propagate = False
    yield logged
    for logger in loggers:
        logger.removeHandler(logged.handler)
        logger.propagate = True
    logged.handler.close()


def fail() -> None:
    raise OSError("No space left on device")


def by_structlog(number: int) -> None:
    log.error("database unavailable", path=f"/t/{number}/")


def by_structlog_with_a_traceback(number: int) -> None:
    try:
        fail()
    except OSError:
        log.exception("maintenance round failed", number=number)


def by_a_library(number: int) -> None:
    library.warning("cannot connect: %s", number)


def by_a_library_with_a_traceback(number: int) -> None:
    try:
        fail()
    except OSError:
        library.exception("Exception inside application %s", number)


def by_django(number: int, status: int = 404) -> None:
    logging.getLogger("django.request").warning("%s: %s", "Refused", f"/{number}", extra={"status_code": status})


def by_django_in_words_of_a_visitor(number: int) -> None:
    text = f"Invalid HTTP_HOST header: '{number}.example'."
    error = ValueError(text)
    logging.getLogger("django.security.DisallowedHost").error(text, extra={"status_code": 400}, exc_info=error)


SOURCES = [
    by_structlog,
    by_structlog_with_a_traceback,
    by_a_library,
    by_a_library_with_a_traceback,
    by_django,
    by_django_in_words_of_a_visitor,
]


@pytest.mark.parametrize("source", SOURCES)
def test_a_flood_of_one_kind_is_a_few_lines_and_a_count(logged: Log, source: Callable[[int], None]) -> None:
    for number in range(FLOOD):
        source(number)
    first = logged.lines()
    assert len(first) == FIRST
    logged.pass_time(WINDOW)
    [rest] = logged.lines()
    assert (rest["and_more"], rest["in_seconds"]) == (FLOOD - FIRST, WINDOW)
    assert rest["level"] == first[0]["level"]
    assert rest["logger"] == first[0]["logger"]
    assert rest["event"].split(":")[0].rstrip("0123456789 ") == first[0]["event"].split(":")[0].rstrip("0123456789 ")


@pytest.mark.parametrize("source", [by_structlog_with_a_traceback, by_a_library_with_a_traceback])
def test_a_traceback_is_written_once_until_the_trouble_has_been_away_for_a_window(
    logged: Log, source: Callable[[int], None]
) -> None:
    for _ in range(3):
        for number in range(FLOOD):
            source(number)
        logged.pass_time(WINDOW)
    records = logged.lines()
    assert len(records) == 3 * (FIRST + 1)
    assert [number for number, line in enumerate(records) if "exception" in line] == [0]
    assert all("No space left on device" in json.dumps(line) for line in records if "and_more" not in line)
    source(0)
    assert "exception" not in logged.lines()[-1]
    logged.now += 2 * WINDOW
    source(0)
    [again] = logged.lines()
    assert "fail()" in again["exception"]


def test_records_that_differ_in_event_error_or_status_are_counted_separately(logged: Log) -> None:
    def other_failure() -> None:
        raise KeyError("hidden")

    for _ in range(FLOOD):
        for source in SOURCES:
            source(1)
    logged.lines()
    log.error("match abandoned", match=7)
    library.warning("something else of the same library")
    by_django(1, status=403)
    try:
        other_failure()
    except KeyError:
        log.exception("maintenance round failed")  # the same event for another reason, which nobody has seen yet
    records = logged.lines()
    assert [line["event"] for line in records] == [
        "match abandoned",
        "something else of the same library",
        "Refused: /1",
        "maintenance round failed",
    ]
    assert "other_failure()" in records[-1]["exception"]


def test_records_below_a_warning_are_never_left_out(logged: Log) -> None:
    library.setLevel(logging.INFO)
    for number in range(FLOOD):
        library.info("report %d has ended", number)
    assert [line["event"] for line in logged.lines()] == [f"report {number} has ended" for number in range(FLOOD)]


def test_nothing_is_counted_for_ever_and_a_few_in_each_minute_are_all_written(logged: Log) -> None:
    for _ in range(5):
        for number in range(FIRST):
            by_structlog(number)
        logged.pass_time(WINDOW)
    assert len(logged.lines()) == 5 * FIRST


def test_the_counts_are_written_when_the_process_ends(logged: Log) -> None:
    for number in range(FLOOD):
        by_structlog(number)
    logged.lines()
    logged.handler.write_counts()
    assert [line["and_more"] for line in logged.lines()] == [FLOOD - FIRST]
    by_structlog(FLOOD)
    logged.pass_time(WINDOW)
    assert [line["and_more"] for line in logged.lines()] == [1]  # what came after that, and nothing twice


def test_a_count_is_written_at_the_end_of_its_window_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "WINDOW", 0.01)
    stream = io.StringIO()
    handler = RateLimitedHandler(stream)
    handler.setFormatter(logging.Formatter("%(and_more)d", defaults={"and_more": 0}))

    def records() -> int:
        """Return how many records the lines stand for."""
        return sum(max(1, int(line)) for line in stream.getvalue().splitlines())

    for _ in range(FLOOD):
        handler.handle(logging.makeLogRecord({"levelno": logging.ERROR}))
    wait_for(lambda: records() == FLOOD, "The count")
    handler.close()
    assert records() == FLOOD


def test_kinds_without_end_are_counted_together(logged: Log) -> None:
    """As the errors of rules that visitors have written: each may be raised at another line."""
    for number in range(3 * MAX_KINDS):
        log.error(f"event {number}")
    records = logged.lines()
    assert len(records) == MAX_KINDS + FIRST
    logged.pass_time(WINDOW)
    assert sum(line["and_more"] for line in logged.lines()) == 2 * MAX_KINDS - FIRST


@full
def test_a_site_that_is_asked_for_nonsense_logs_it_a_few_times_and_says_at_its_end_how_often(tmp_path: Path) -> None:
    site = RunningSite(tmp_path)
    with site.running():
        visitor = Visitor(site)
        for number in range(FLOOD):
            assert visitor.get(f"/nosuchpage/{number}").status == 404
        lines = [line for line in site.log.splitlines() if "nosuchpage" in line]
        assert len(lines) == FIRST
        site.stop()
    [counted] = [line for line in site.log.splitlines() if "and_more" in line]
    assert f"and_more={FLOOD - FIRST}" in counted
