"""Costs in Redis: all processes share them, and each continues alone while Redis is unreachable."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from cardsite import costs
from cardsite.costs import KINDS, MOST, PERIOD, Store
from tests.running_redis import running_redis
from tests.running_site import free_port

ANN = "person 1"


def seconds(store: Store, monkeypatch: pytest.MonkeyPatch, payer: str = ANN) -> float:
    """Return what somebody has cost, as the process with this store sees it."""
    monkeypatch.setattr(costs, "_store", store)
    return sum(costs.spent(payer).values())


@pytest.fixture
def empty(redis_url: str) -> Iterator[str]:
    """A Redis in which nothing is booked."""
    with redis.Redis.from_url(redis_url) as client:
        client.delete(*client.keys("costs *") or ["none"])
        yield redis_url


def test_processes_share_what_is_booked(empty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = Store(empty), Store(empty)
    for store in (first, second, first):
        monkeypatch.setattr(costs, "_store", store)
        costs.book("replay", ANN, "abcd", 2.0)
        costs.book("check", ANN, "", 1.0)
        costs.spent(ANN)  # or a second goes by
    for store in (first, second):
        assert seconds(store, monkeypatch) == pytest.approx(9.0, rel=0.01)
        assert list(costs.most_expensive(2)) == [ANN, "table abcd"]


def test_costs_are_sent_to_redis_within_seconds_even_if_nobody_reads_them(
    empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = Store(empty), Store(empty)
    monkeypatch.setattr(costs, "_store", first)
    costs.book("move", ANN, "", 2.0)
    timer = first._timer
    assert timer
    timer.join()
    assert seconds(second, monkeypatch) == pytest.approx(2.0, rel=0.01)


def test_redis_forgets_it_and_keeps_no_more_than_there_is_room_for(empty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(empty)
    monkeypatch.setattr(costs, "_store", store)
    costs.book("replay", ANN, "", 5.0)
    for number in range(MOST + 100):
        costs.book("page", f"address {number}", "", 0.01)
    assert seconds(store, monkeypatch) == pytest.approx(5.0, rel=0.01)
    with redis.Redis.from_url(empty, decode_responses=True) as client:
        [key] = client.keys("costs *")
        assert client.zcard(key) == MOST
        assert 0 < client.ttl(key) <= 2 * PERIOD
        assert {member.partition(" ")[0] for member in client.zrange(key, 0, -1)} <= set(KINDS)


def test_while_redis_is_gone_each_process_counts_alone_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    url = f"redis://127.0.0.1:{port}/0"
    first, second = Store(url), Store(url)
    for store in (first, second):
        monkeypatch.setattr(costs, "_store", store)
        costs.book("replay", ANN, "", 2.0)
        assert seconds(store, monkeypatch) == pytest.approx(2.0, rel=0.01)
        assert list(costs.most_expensive(1)) == [ANN]
    with running_redis(port, tmp_path):
        for store in (first, second, first):
            result = seconds(store, monkeypatch)
        assert result == pytest.approx(4.0, rel=0.01)
