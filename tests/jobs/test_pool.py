"""The pool of children: which request goes first, which waits, and which is refused."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from games.jobs import Busy, Child, HandlerFailed, JobResult, Limits
from games.jobs.pool import FairQueue, Pool, TooManyWait
from tests.jobs.handlers import handle
from tests.patience import wait_for

Make = Callable[..., Pool]


def request(name: str, argument: Any = None) -> bytes:
    return json.dumps([name, argument]).encode()


@pytest.fixture
def make() -> Iterator[Make]:
    """A function that returns a pool of so many children."""
    made: list[Pool] = []

    def new(size: int, **settings: Any) -> Pool:
        made.append(Pool(lambda: Child(handle, Limits()), size, **settings))
        return made[-1]

    yield new
    for pool in made:
        pool.close()


def running(pool: Pool) -> list[int]:
    return [child.pid for child in pool.children if child.pid]


def test_a_quiet_pool_runs_one_child(make: Make) -> None:
    pool = make(4)
    assert len({pool.ask(request("pid")).payload for _ in range(6)}) == 1
    assert len(running(pool)) == 1


async def test_a_pool_computes_in_as_many_children_as_it_has_and_no_more(make: Make) -> None:
    pool = make(2)
    answers = await asyncio.gather(*(pool.ask_async(request("sleep", 0.05)) for _ in range(10)))
    assert [answer.payload for answer in answers] == [b"slept"] * 10
    assert len(running(pool)) == 2


async def test_the_key_with_the_least_cpu_used_goes_first_and_otherwise_the_first_to_arrive(make: Make) -> None:
    pool = make(1)
    pool.book("heavy", 5.0)
    pool.book("light", 1.0)
    served: list[str] = []

    async def ask(key: str) -> None:
        async with pool.borrow_async(key):
            served.append(key)

    with pool.borrow("someone"):
        asking = [asyncio.create_task(ask(key)) for key in ("heavy", "heavy", "light", "new", "newer")]
        await asyncio.sleep(0)
    await asyncio.gather(*asking)
    assert served == ["new", "newer", "light", "heavy", "heavy"]


async def test_a_heavy_table_only_slows_itself(make: Make) -> None:
    """Thirty requests of one table are there before the first of another, which waits for no more than one of them."""
    pool = make(1)
    pool._handicap = 1e9  # however long a busy machine lets the others wait
    done: list[str] = []

    async def ask(key: str, seconds: float) -> None:
        await pool.ask_async(request("burn", seconds), key=key)
        done.append(key)

    asking = [asyncio.create_task(ask("heavy", 0.02)) for _ in range(30)]
    await asyncio.sleep(0)
    for _ in range(3):
        await ask("light", 0.0)
    assert done.count("heavy") <= 5
    await asyncio.gather(*asking)


def test_cpu_time_is_recorded_for_its_key_also_after_failures_and_fades(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.jobs.pool.HALF_LIFE", 1e9)  # nothing is forgotten while the machine is busy
    pool = make(1)
    pool.ask(request("burn", 0.2), key="ann")
    with pytest.raises(HandlerFailed):
        pool.ask(request("burn and fail", 0.3), key="bob")
    used = pool.used_lately()
    assert used["ann"] == pytest.approx(0.2, abs=0.1)
    assert used["bob"] == pytest.approx(0.3, abs=0.1)
    monkeypatch.setattr("games.jobs.pool.HALF_LIFE", 1e-9)
    assert pool.used_lately() == {}


def test_only_so_many_wait_and_only_so_many_of_one_key(make: Make) -> None:
    pool = make(1, waiting=2, each=lambda key: 2 if key else 100)
    answers: list[JobResult] = []

    def ask(key: str) -> None:
        answers.append(pool.ask(request("echo"), key=key))

    with pool.borrow("a"):
        threads = [threading.Thread(target=ask, args=(key,)) for key in ("a", "b")]
        for thread in threads:
            thread.start()
        wait_for(lambda: pool.waiting == 2)
        with pytest.raises(TooManyWait, match="of yours") as refused:
            pool.ask(request("echo"), key="a")
        assert refused.value.own
        with pytest.raises(TooManyWait, match="Too many requests are waiting") as refused:
            pool.ask(request("echo"), key="c")
        assert not refused.value.own
    for thread in threads:
        thread.join()
    assert len(answers) == 2
    pool.ask(request("echo"), key="a")


async def test_waiting_has_a_limit_and_an_abandoned_request_leaves_nothing_behind(make: Make) -> None:
    pool = make(1)
    with pool.borrow("a"):
        with pytest.raises(Busy, match="No process became free"):
            pool.ask(request("echo"), key="b", patience=0.01)
        with pytest.raises(Busy, match="No process became free"):
            await pool.ask_async(request("echo"), key="b", patience=0.01)
        waiting = asyncio.create_task(pool.ask_async(request("echo"), key="b"))
        await asyncio.sleep(0)
        assert pool.waiting == 1
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert pool.waiting == 0
    assert pool.ask(request("echo", "free"), key="b").payload == b"free"


async def test_a_child_that_is_lent_to_an_abandoned_request_is_not_lost(make: Make) -> None:
    pool = make(1)

    async def borrow() -> None:
        async with pool.borrow_async("b"):
            pass

    with pool.borrow("a"):
        waiting = asyncio.create_task(borrow())
        await asyncio.sleep(0)
        assert pool.waiting == 1
    waiting.cancel()  # the child is already lent to it, but it has not run since
    await asyncio.gather(waiting, return_exceptions=True)
    assert (await asyncio.wait_for(pool.ask_async(request("echo", "free")), 60)).payload == b"free"


async def test_an_unused_child_is_lent_to_another_meanwhile_and_never_twice_afterwards() -> None:
    queue: FairQueue[None] = FairQueue([None])
    done = asyncio.Event()
    begun: list[str] = []

    async def compute(name: str) -> None:
        async with queue.borrow_async(name):
            begun.append(name)
            await done.wait()

    with queue.borrow("first"), queue.aside(None):
        others = [asyncio.create_task(compute(name)) for name in ("second", "third")]
        await asyncio.sleep(0)
        assert begun == ["second"]
    await asyncio.sleep(0)  # the first has continued beside the second; what it gave back is not lent a second time
    assert begun == ["second"]
    done.set()
    await asyncio.gather(*others)
    assert begun == ["second", "third"]
    for _ in range(2):
        with queue.borrow("alone", patience=0), queue.aside(None):
            pass
    with queue.borrow("one"), pytest.raises(Busy), queue.borrow("one more", patience=0):
        pass


def test_a_closed_pool_leaves_no_child_behind_and_can_be_used_again(make: Make) -> None:
    pool = make(2)
    pool.ask(request("echo"))
    pool.close()
    assert running(pool) == []
    assert pool.ask(request("echo", "again")).payload == b"again"
