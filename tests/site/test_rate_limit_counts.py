"""In-memory counts of the rate limits: exact with many threads, and removed when expired."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.test import RequestFactory
from limits import parse
from limits.strategies import FixedWindowRateLimiter
from pytest_django.fixtures import Settings

from cardsite import limits
from cardsite.counts import FIRST_CLEANUP, Counts
from cardsite.refusal import Refused


def test_many_threads_count_each_time_once() -> None:
    counts = Counts()
    with ThreadPoolExecutor(8) as threads:
        result = list(threads.map(lambda _: counts.incr("one", 3600), range(2000)))
    assert sorted(result) == list(range(1, 2001))
    assert counts.get("one") == 2000


def test_expired_counters_start_again_and_are_removed() -> None:
    counts = Counts()
    assert [counts.incr("over at once", 0) for _ in range(3)] == [1, 1, 1]
    counts.incr("lasts", 3600)
    for number in range(20 * FIRST_CLEANUP):
        counts.incr(f"key {number}", 0)
    assert len(counts._counts) <= 2 * FIRST_CLEANUP
    assert counts.get("lasts") == 1
    counts.clear("lasts")
    assert counts.get("lasts") == 0
    assert counts.reset() > 0
    assert counts.reset() == 0


def test_a_limit_is_kept_and_says_when_it_is_over() -> None:
    limiter = FixedWindowRateLimiter(Counts())
    limit = parse("2/hour")
    assert [limiter.hit(limit, "who") for _ in range(3)] == [True, True, False]
    assert not limiter.test(limit, "who")
    assert limiter.test(limit, "somebody else")
    stats = limiter.get_window_stats(limit, "who")
    assert stats.remaining == 0
    assert 3500 < stats.reset_time - time.time() <= 3600


async def test_a_page_is_counted_in_the_thread_of_an_event_loop(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A count that waited for the loop would never return."""
    settings.RATE_LIMITS = True
    monkeypatch.setattr(limits, "_here", FixedWindowRateLimiter(Counts()))
    request = RequestFactory().get("/")
    for _ in range(limits.LIMITS["report"].amount):
        limits.spend_now("report", request)
    with pytest.raises(Refused, match="Wait"):
        limits.may_now("report", request)
    with pytest.raises(Refused, match="Wait"):
        await limits.spend("report", "127.0.0.1")  # sockets and pages share their counts
