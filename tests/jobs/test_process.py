"""Child processes: what they answer, what ends them, and what that costs."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from games.jobs import Busy, Child, ChildDied, HandlerFailed, JobFailed, Limits, OutOfMemory, Stalled, TooMuchCpu
from tests.jobs.handlers import fail, handle, remember
from tests.patience import PATIENCE, cpu_time_below, wait_for
from tests.tiers import full

ROOT = Path(__file__).parents[2]
Make = Callable[..., Child]


def request(name: str, argument: Any = None) -> bytes:
    return json.dumps([name, argument]).encode()


@pytest.fixture
def make() -> Iterator[Make]:
    """A function that returns a child with limits, and a set-up if it is given one."""
    made: list[Child] = []

    def new(setup: Callable[[], object] | None = None, **limits: Any) -> Child:
        made.append(Child(handle, Limits(**limits), setup))
        return made[-1]

    yield new
    for child in made:
        child.kill()


def until_gone(pid: int | None) -> None:
    """Wait until a process has ended, even if its parent has not waited for it."""

    def is_gone() -> bool:
        try:
            return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return True

    assert pid
    wait_for(is_gone)


# -- answers


def test_a_child_answers_one_request_after_another_in_the_same_process(make: Make) -> None:
    child = make(remember)
    first = child.ask(request("pid")).payload
    assert first == str(child.pid).encode() == child.ask(request("kept", "set up")).payload
    assert first != str(os.getpid()).encode()


async def test_the_event_loop_goes_on_while_a_child_computes(make: Make) -> None:
    child = make()
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.001)

    ticking = asyncio.create_task(tick())
    assert (await child.ask_async(request("sleep", 0.2))).payload == b"slept"
    ticking.cancel()
    assert ticks > 10
    assert child.ask(request("echo", "by blocking too")).payload == b"by blocking too"


@pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 5_000_000])
async def test_requests_and_answers_of_any_size_pass_the_pipes(make: Make, size: int) -> None:
    child = make()
    assert child.ask(request("large", size)).payload == b"x" * size
    assert (await child.ask_async(request("large", size))).payload == b"x" * size
    assert child.ask(request("echo", "y" * size)).payload == b"y" * size
    assert (await child.ask_async(request("echo", "y" * size))).payload == b"y" * size


def test_what_a_request_costs_is_the_cpu_time_of_the_child(make: Make) -> None:
    child = make()
    assert child.ask(request("burn", 0.2)).cpu == pytest.approx(0.2, abs=0.05)
    assert child.ask(request("sleep", 0.2)).cpu < 0.05


def test_an_error_in_the_handler_is_reported_with_its_traceback_and_the_child_stays(make: Make) -> None:
    child = make()
    child.ask(request("echo"))
    before = child.pid
    with pytest.raises(HandlerFailed, match=r"(?s)Traceback.*ValueError: not like this"):
        child.ask(request("fail", "not like this"))
    assert child.ask(request("pid")).payload == str(before).encode()


def test_a_set_up_that_fails_is_reported_and_tried_again_with_the_next_request(make: Make) -> None:
    child = make(fail)
    for _ in range(2):
        with pytest.raises(HandlerFailed, match="nothing is ready"):
            child.ask(request("echo"))
        assert child.pid is None


def test_a_handler_of_a_script_is_refused() -> None:
    def handler(given: bytes) -> bytes:
        return given

    handler.__module__ = "__main__"
    with pytest.raises(ValueError, match="module that the child can import"):
        Child(handler)


async def test_a_child_answers_one_request_at_a_time(make: Make) -> None:
    child = make()
    first = asyncio.create_task(child.ask_async(request("sleep", 0.3)))
    await asyncio.sleep(0)
    with pytest.raises(Busy, match="answering another request"):
        child.ask(request("echo"))
    assert (await first).payload == b"slept"


def test_a_quick_answer_of_a_child_with_helpers_does_not_list_all_processes(make: Make) -> None:
    child = make(helpers=True)
    child.ask(request("echo"))
    with cpu_time_below(0.5):
        for _ in range(500):
            child.ask(request("echo"))


# -- bounds


@pytest.mark.parametrize("how", ["burn", "swallow", "stop once"])
def test_a_deadline_interrupts_the_handler_and_the_child_stays(make: Make, how: str) -> None:
    """Also a handler that catches every Exception, and one that has stopped the first interruption."""
    child = make()
    child.ask(request("echo"))
    before = child.pid
    with pytest.raises(TooMuchCpu, match=r"more than 0\.1 seconds of CPU") as slow:
        child.ask(request(how, 60.0), 0.1)
    assert "OutOfTime" in slow.value.where
    assert 0.05 <= slow.value.cpu < 0.5
    assert child.ask(request("burn", 0.2), 1.0).payload == b"burnt"
    assert child.pid == before


@full
@pytest.mark.parametrize(("how", "much"), [("ignore", 60.0), ("hold", 10**12)])
async def test_what_cannot_be_interrupted_is_killed(make: Make, how: str, much: float) -> None:
    child = make()
    for by_blocking in (True, False):
        await child.ask_async(request("echo"))
        pid = child.pid
        asked = request(how, much), 0.1
        with pytest.raises(TooMuchCpu) as slow:
            await (asyncio.to_thread(child.ask, *asked) if by_blocking else child.ask_async(*asked))
        assert slow.value.where == ""
        assert 0.6 <= slow.value.cpu < 1.5
        assert child.pid is None
        until_gone(pid)


@full
def test_a_deadline_counts_cpu_time_and_not_the_time_that_others_take(make: Make) -> None:
    """Four processes for each processor, all before this one."""
    count = 4 * (os.cpu_count() or 1)
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        child = make(nice=5, idle=0.2)
        began = time.monotonic()
        assert child.ask(request("burn", 0.1), 0.5).payload == b"burnt"
        assert time.monotonic() - began > 0.2, "else the machine was not busy, and this shows nothing"
    finally:
        for other in others:
            other.kill()
            other.wait()


async def test_a_child_that_sleeps_for_too_long_is_killed(make: Make) -> None:
    child = make(idle=0.3)
    for ask in (child.ask_async, lambda *asked: asyncio.to_thread(child.ask, *asked)):
        with pytest.raises(Stalled, match=r"did nothing for 0\.3 seconds"):
            await ask(request("sleep", 1000))
        assert child.pid is None


@pytest.mark.parametrize("how", ["eat", "eat wrapped"])
def test_a_handler_that_needs_too_much_memory_is_distinguished(make: Make, how: str) -> None:
    child = make(memory=256 << 20)
    with pytest.raises(OutOfMemory, match="more than 268,435,456 bytes"):
        child.ask(request(how, 1 << 30))
    assert child.ask(request("echo", "again")).payload == b"again"


@full
def test_a_request_that_is_too_large_for_the_memory_is_reported_too(make: Make) -> None:
    child = make(memory=256 << 20)
    with pytest.raises(OutOfMemory):
        child.ask(request("echo", "x" * (250 << 20)))
    assert child.ask(request("echo", "again")).payload == b"again"


@pytest.mark.parametrize(("how", "what"), [("die", 0), ("die", 3), ("crash", int(signal.SIGSEGV))])
async def test_a_child_that_ends_is_reported_and_replaced(make: Make, how: str, what: int) -> None:
    child = make()
    with pytest.raises(ChildDied, match="ended"):
        child.ask(request(how, what))
    with pytest.raises(ChildDied, match="ended"):
        await child.ask_async(request(how, what))
    assert child.ask(request("echo", "again")).payload == b"again"


def test_a_child_that_is_lost_between_two_requests_is_replaced(make: Make) -> None:
    child = make()
    child.ask(request("echo"))
    assert child.pid
    os.kill(child.pid, signal.SIGKILL)
    wait_for(lambda: child.pid is None)
    assert child.ask(request("echo", "again")).payload == b"again"


def test_an_invalid_answer_is_not_unpickled_and_ends_the_child(make: Make) -> None:
    child = make()
    child.ask(request("echo"))
    with pytest.raises(ChildDied, match=r"something else|too much"):
        child.ask(request("flood", 100))
    assert child.ask(request("echo", "again")).payload == b"again"


def test_an_answer_without_a_request_is_not_used_for_the_next_one(make: Make) -> None:
    """Two in one, and one that comes later."""
    child = make()
    child.ask(request("echo"))
    with pytest.raises(ChildDied, match=r"something that is not an answer|an answer without a request"):
        child.ask(request("two answers"))
    child.ask(request("one more answer"))
    wait_for(lambda: select.select([child._answers], [], [], 0)[0])
    with pytest.raises(ChildDied, match="an answer without a request"):
        child.ask(request("echo"))
    assert child.ask(request("echo", "mine")).payload == b"mine"


def test_where_no_process_can_be_started_the_answer_is_that_all_are_busy(make: Make) -> None:
    child = make()
    descriptors = len(os.listdir("/proc/self/fd"))
    old = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors + 2, old[1]))  # not even enough for the pipes
    try:
        with pytest.raises(Busy, match=r"No job process can be started: .*Too many open files"):
            child.ask(request("echo"))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, old)
    assert len(os.listdir("/proc/self/fd")) == descriptors
    assert child.ask(request("echo", "again")).payload == b"again"


def test_an_answer_may_have_only_so_many_bytes(make: Make) -> None:
    child = make(largest=1000)
    assert len(child.ask(request("large", 1000)).payload) == 1000
    with pytest.raises(ChildDied, match="sent 1,001 bytes"):
        child.ask(request("large", 1001))


async def test_a_cancelled_request_ends_the_child_and_the_next_one_is_answered(make: Make) -> None:
    child = make()
    await child.ask_async(request("echo"))
    pid = child.pid
    asking = asyncio.create_task(child.ask_async(request("sleep", 1000)))
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    until_gone(pid)
    assert (await child.ask_async(request("echo", "next"))).payload == b"next"


@pytest.mark.parametrize("helpers", [False, True])
def test_a_child_can_be_killed_while_it_is_asked(make: Make, helpers: bool) -> None:
    child = make(helpers=helpers)
    failed: list[JobFailed] = []
    waiting = threading.Event()

    def ask() -> None:
        try:
            child.ask(request("sleep", 1000), watch=lambda cpu: waiting.set())
        except JobFailed as error:
            failed.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    assert waiting.wait(PATIENCE)
    child.kill()
    thread.join()
    assert isinstance(failed[0], ChildDied)


# -- what it is


def test_a_child_has_a_low_priority_and_leaves_no_core_file(make: Make) -> None:
    child = make(nice=19)
    assert child.ask(request("nice")).payload == b"19"
    assert child.pid
    assert psutil.Process(child.pid).rlimit(psutil.RLIMIT_CORE) == (0, 0)


def test_ctrl_c_is_for_the_parent(make: Make) -> None:
    child = make()
    pid = int(child.ask(request("pid")).payload)
    os.kill(pid, signal.SIGINT)
    assert child.ask(request("pid")).payload == str(pid).encode()


def test_a_child_outlives_the_thread_that_started_it(make: Make) -> None:
    child = make()
    thread = threading.Thread(target=child.ask, args=(request("echo"),))
    thread.start()
    thread.join()
    pid = child.pid
    assert child.ask(request("pid")).payload == str(pid).encode()


PARENT = """
import os, sys, threading, time
from games.jobs import Child
from tests.jobs.handlers import handle
children = [Child(handle) for _ in range(3)]
print(*[int(child.ask(b'["pid", 0]').payload) for child in children], flush=True)
for child, request in zip(children[1:], (b'["hold", 1000000000000]', b'["sleep", 1000]')):
    threading.Thread(target=child.ask, args=(request,), daemon=True).start()
time.sleep(1000)
"""


def test_children_end_with_their_parent_even_if_that_is_killed() -> None:
    """The one that waits, one that never lets go of the interpreter, and one that sleeps."""
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": ""},
    )
    assert parent.stdout
    pids = [int(pid) for pid in parent.stdout.readline().split()]
    wait_for(lambda: psutil.Process(pids[1]).cpu_times().user > 0.5)  # it computes
    parent.kill()
    parent.wait()
    for pid in pids:
        until_gone(pid)


def test_the_cpu_time_of_a_child_that_died_is_counted(make: Make) -> None:
    child = make()
    child.ask(request("echo"))
    with pytest.raises(ChildDied) as died:
        child.ask(request("burn and die", 0.3))
    assert died.value.cpu == pytest.approx(0.3, abs=0.1)
