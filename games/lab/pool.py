"""Running tasks in processes, on this machine or on a cluster. Results are yielded as they are ready, in no order.

On this machine no process outlives this one, and Ctrl-C ends all of them. They are the standard library's pool rather
than ``games.jobs``, because the work is trusted, needs no limits, and returns Python objects. A cluster is one of
dask.distributed (the optional extra ``dask``): its workers need the same version of this program, so that they compute
the same figures.
"""

from __future__ import annotations

import hashlib
import logging
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Future,
    ProcessPoolExecutor,
    as_completed,
    wait,
)
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from types import FrameType
from typing import Any, TypeVar

from games.core import BadOption
from games.jobs.child import end_with
from games.lab.interrupt import after_finalizers
from games.lab.plugins import ROOT

INTERRUPTED = 130  # the exit code of shells for Ctrl-C
WAITING = 4  # tasks per worker that are handed out in advance
WAITING_AT_CLUSTER = 1000  # tasks in advance for all workers together, whose number may grow
LONGEST_CONNECT = 10  # seconds
LONGEST_WAIT = 60  # seconds, for the first worker of a cluster

Task = TypeVar("Task")
Result = TypeVar("Result")
Workers = int | str  # number of local processes, or the address of a cluster's scheduler


class ClusterFailed(Exception):
    """A cluster cannot do the work; the message says why, and what to do."""


def in_workers(work: Callable[[Task], Result], tasks: Iterable[Task], workers: Workers) -> Iterator[Result]:
    """Yield what ``work`` returns for each task, in no order. With one worker, everything runs in this process.

    Exceptions of ``work`` are raised here. ``work``, tasks and results are pickled. Raises BadOption if there is no
    such cluster, ClusterFailed if it cannot do the work or disappears.
    """
    if workers == 1:
        yield from map(work, tasks)
        return
    with _processes(workers) if isinstance(workers, int) else _cluster(workers) as pool:
        try:
            pending: set[Future[Result]] = set()
            for task in tasks:
                pending.add(pool.submit(work, task))
                if len(pending) >= pool.ahead:
                    done, pending = wait(pending, return_when=FIRST_COMPLETED)
                    yield from map(pool.result, done)
            yield from map(pool.result, as_completed(pending))
        except BaseException:
            pool.end()
            raise


@dataclass(frozen=True)
class _Pool:
    """Something that runs tasks: how to submit one, how to get its result, and how to end all of them at once."""

    submit: Callable[[Callable[[Any], Any], Any], Future[Any]]
    result: Callable[[Future[Any]], Any]
    end: Callable[[], None]
    ahead: int  # number of tasks handed out in advance


# -- processes of this machine


@contextmanager
def _processes(count: int) -> Iterator[_Pool]:
    # Spawned, not forked, because a progress bar runs in a thread of this process.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(count, mp_context=context, initializer=end_with_the_parent) as pool:
        yield _Pool(
            submit=lambda work, task: pool.submit(_work, work, task),
            result=Future.result,
            end=_end_processes,
            ahead=count * WAITING,
        )


def _end_processes() -> None:
    # Kill the workers instead of using the pool's shutdown(wait=False): its thread could still be closing the pipe that
    # the interpreter writes to on exit. Leaving the pool's block waits for that thread, which fails all pending tasks
    # when it finds the workers gone. Cancelled tasks would confuse it.
    for worker in multiprocessing.active_children():
        worker.terminate()


def end_with_the_parent() -> None:
    """End this worker without a traceback when it gets a signal or its parent process is gone."""
    numbers = [signal.SIGTERM]
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # else a script runs this in the background
        numbers.append(signal.SIGINT)
    for number in numbers:
        signal.signal(number, _leave)
    if parent := multiprocessing.parent_process():
        end_with(parent.sentinel, signal.SIGTERM)


_playing = False  # whether this worker has something to clean up before it ends


@after_finalizers
def _leave(number: int, frame: FrameType | None) -> None:
    """End this worker: by an exception while it plays, since elsewhere the pool would report the exception."""
    if _playing:
        # A second signal, as from Ctrl-C and the pool, would interrupt the handling of the first exception: the pool
        # would then report the second, and deadlock if another worker has died while holding the result lock.
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_IGN)
        sys.exit(INTERRUPTED)
    os._exit(INTERRUPTED)


def _work(work: Callable[[Task], Result], task: Task) -> Result:
    """Run one task in a worker."""
    global _playing
    try:
        try:
            _playing = True
            return work(task)
        finally:
            _playing = False
    except SystemExit:
        # Files being written have been cleaned up. Exit here, because the pool would go on to the next task.
        os._exit(INTERRUPTED)


# -- a cluster


@contextmanager
def _cluster(address: str) -> Iterator[_Pool]:
    try:
        from distributed import Client, KilledWorker
    except ImportError:
        raise BadOption("--dask needs dask.distributed, which is not installed: pip install distributed") from None
    for name in ("asyncio", "distributed", "distributed.client", "tornado", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # failures are reported here, once
    try:
        client = Client(  # type: ignore[no-untyped-call]
            address, timeout=LONGEST_CONNECT, set_as_default=False
        )
    except (OSError, ValueError) as error:
        raise BadOption(f"There is no dask scheduler at {address[:80]}: {error}") from None
    executor = client.get_executor()  # type: ignore[no-untyped-call]
    function, mine = _worker_function(), program()

    def submit(work: Callable[[Any], Any], task: Any) -> Future[Any]:
        future: Future[Any] = executor.submit(function, pickle.dumps((work, task)), mine)
        return future

    def result(future: Future[Any]) -> Any:
        try:
            return future.result()
        except CancelledError:
            raise ClusterFailed(f"The cluster at {address} is gone.") from None
        except KilledWorker as error:
            raise ClusterFailed(f"The same task has ended several workers of the cluster: {error}") from None
        except ImportError as error:
            raise ClusterFailed(
                f"A worker of the cluster cannot import what it needs: {error}. "
                "Start the workers in the folder of this project, or with it in PYTHONPATH, and with its packages."
            ) from error

    try:
        try:
            client.wait_for_workers(1, timeout=LONGEST_WAIT)
        except TimeoutError:
            raise ClusterFailed(f"The cluster at {address} has had no worker for {LONGEST_WAIT} seconds.") from None
        # Closing the client ends everything: a scheduler drops tasks nobody waits for.
        yield _Pool(submit, result, end=lambda: None, ahead=WAITING_AT_CLUSTER)
    finally:
        with suppress(Exception):  # if the scheduler is gone, which was reported, closing fails as well
            client.close()  # type: ignore[no-untyped-call]


def _worker_function() -> Callable[[bytes, str], Any]:
    """Return the function a worker calls. It is pickled by value, so the scheduler does not need this program."""

    def function(packed: bytes, sent_by: str) -> Any:
        from games.lab.pool import run_packed

        return run_packed(packed, sent_by)

    return function


_one_at_a_time = threading.Lock()  # a worker may have several threads, but games and bots are not thread-safe


def run_packed(packed: bytes, sent_by: str) -> Any:
    """Run a task sent from another machine and return its result. Raises ClusterFailed."""
    if sent_by != program():
        raise ClusterFailed(
            f"A worker of the cluster has another version of this program ({program()}, not {sent_by}), so its "
            "figures could differ. Give all workers the same files."
        )
    work, task = pickle.loads(packed)  # noqa: S301  # from the scheduler, whom a worker trusts anyway
    with _one_at_a_time:
        return work(task)


@cache
def program() -> str:
    """Return a hash of the source of rules, bots and laboratory: figures are only comparable for equal hashes."""
    digest = hashlib.sha256()
    for path in sorted((ROOT / "games").rglob("*.py")):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
