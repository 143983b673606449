"""The ledger: every move is on disk before it is sent to anybody.

Moves of many matches that arrive together are committed together, so a busy site pays one flush for all of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from django.db import (
    IntegrityError,
    InterfaceError,
    OperationalError,
    close_old_connections,
    connection,
    transaction,
)

from cardsite import metrics
from cardsite.table.models import Move
from cardsite.table.moves import PlyTaken


class NewMove(NamedTuple):
    """A row of Move, by the names of its columns. A Move object would cost more to make and to save than to play."""

    match_id: int
    ply: int
    seat: int
    text: str
    by: str
    at: int


# The database is unreachable or full: a second attempt would only wait again.
GONE = (InterfaceError, OperationalError)
Also = Callable[[], None]  # writes to be made in the same transaction, such as the end of the match


class Ledger:
    """Appends moves. Each process has one writer thread; a constraint of the database excludes other processes."""

    def __init__(self) -> None:
        self._pending: list[tuple[NewMove, Also | None, asyncio.Future[None]]] = []
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="ledger")
        self._task: asyncio.Task[None] | None = None

    async def append(self, move: NewMove, also: Also | None = None) -> None:
        """Return when ``move`` (and what ``also`` writes) is committed. Raises PlyTaken, and errors of the database."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pending.append((move, also, done))
        if self._task is None:
            self._task = asyncio.create_task(self._drain())
        await done

    async def _drain(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._pending:
                batch, self._pending = self._pending, []
                try:
                    with metrics.flushes.time():
                        failures = await loop.run_in_executor(self._writer, _commit, [(m, a) for m, a, _ in batch])
                    metrics.batches.observe(len(batch))
                except Exception as error:
                    metrics.flush_failures.inc()
                    failures = [error] * len(batch)
                for (move, _, done), failure in zip(batch, failures, strict=True):
                    if failure is None:
                        metrics.moves.labels(move.by).inc()
                    if done.cancelled():
                        continue
                    if failure is None:
                        done.set_result(None)
                    else:
                        done.set_exception(failure)
        finally:
            self._task = None


def _commit(batch: list[tuple[NewMove, Also | None]]) -> list[Exception | None]:
    """Commit a batch in one transaction, or one by one if that fails. Return the error of each move, or None."""
    close_old_connections()
    try:
        _write(batch)
    except GONE:  # one by one is no better
        raise
    except Exception:
        outcomes: list[Exception | None] = []
        gone: Exception | None = None
        for move, also in batch:
            outcomes.append(gone or _commit_one(move, also))
            if isinstance(outcomes[-1], GONE):
                gone = outcomes[-1]
        return outcomes
    return [None] * len(batch)


def _commit_one(move: NewMove, also: Also | None) -> Exception | None:
    try:
        _write([(move, also)])
    except IntegrityError:
        return PlyTaken(f"ply {move.ply} of match {move.match_id}")
    except Exception as error:
        return error
    return None


def _write(batch: list[tuple[NewMove, Also | None]]) -> None:
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.executemany(_insert(), [move for move, _ in batch])
        for _, also in batch:
            if also:
                also()


def _insert() -> str:
    quote = connection.ops.quote_name
    columns = ", ".join(map(quote, NewMove._fields))
    return f"INSERT INTO {quote(Move._meta.db_table)} ({columns}) VALUES ({', '.join(['%s'] * len(NewMove._fields))})"  # noqa: S608
