"""Matches of games by visitors: their rules run in worker processes only.

A text stays in the same process while it is played, so that a slow text delays its own tables first. A process keeps
copies of matches as a cache: one that is missing is rebuilt from the match's record.
"""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import structlog
from django.conf import settings

from cardsite.database import finished
from cardsite.limits import MATCH_CPU, REBUILD_CPU, REQUEST_CPU
from cardsite.server.match_copy import MatchCopy, MatchRecord, StoredMove, TurnState
from cardsite.server.match_worker import NoCopy, WorkerRequest, handle, result
from cardsite.table.dropped import Dropped, too_much
from cardsite.table.models import DropReason
from games.core.messages import message
from games.jobs import Child, ChildDied, JobResult, Limits, OutOfMemory, TooMuchCpu
from games.jobs.pool import Pool

if TYPE_CHECKING:
    from cardsite.server.live import LiveMatch

REST = 60.0  # seconds that a process without matches is kept for the next one
LIMITS = Limits(memory=512 * 1024 * 1024, nice=5, confined=True)  # behind the match server, before bots

OUT_OF_MEMORY, KILLED = 1, 5  # how often a request is tried again after it lost its process

# Names of the methods in messages to the author of the rules.
SHOWING = message("Showing the table")
WORK = {
    MatchCopy.start: message("Dealing and replaying the moves"),
    MatchCopy.advance: message("Making a move"),
    MatchCopy.concede: message("Ending the match"),
    MatchCopy.end: message("Scoring"),
    MatchCopy.prepare: SHOWING,
    MatchCopy.move_messages: SHOWING,
    MatchCopy.snapshot: SHOWING,
    MatchCopy.why_not: message("Explaining why a move is illegal"),
    MatchCopy.question: message("Collecting what a bot may know"),
}

log = structlog.get_logger(__name__)


class Worker:
    """A process, and the texts that it runs."""

    def __init__(self) -> None:
        self.child = Child(handle, LIMITS, name="match")
        self.texts: set[str] = set()
        self._pool = Pool(lambda: self.child, 1)  # the table that has used the least CPU time is next

    async def ask(self, request: bytes, cpu: float, table: str) -> JobResult:
        """Return the answer to a request of a table. Raises JobFailed."""
        # If it were cancelled, the process would end, with the copies of other matches.
        return await finished(self._pool.ask_async(request, cpu, table))


class MatchWorkers:
    """The worker processes of this process. They start when they are needed, and end when they have no matches."""

    def __init__(self, most: int) -> None:
        """``most``: the limit of processes; more texts than that share them."""
        self._most = most
        self._workers: list[Worker] = []
        self._text_of: dict[int, str] = {}  # by LiveMatch.key

    async def begin(self, live: LiveMatch, made: list[StoredMove]) -> list[TurnState]:
        """Deal a match and make the stored moves. Raises as ``MatchCopy.start``, and Dropped."""
        states: list[TurnState] = await self._ask(live, MatchCopy.start, (made,), live.record())
        return states

    async def ask(self, live: LiveMatch, method: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """Return what a method of a match's copy returns. Raises what it raises, and Dropped."""
        return await self._ask(live, method, args, None)

    def evict(self, key: int) -> None:
        """Note that a copy is no longer needed here. A process without matches ends after a while."""
        text = self._text_of.pop(key, None)
        if text is None or text in self._text_of.values():
            return
        for worker in self._workers:
            worker.texts.discard(text)
        asyncio.get_running_loop().call_later(REST, self._end_unused)

    def _end_unused(self) -> None:
        for worker in [worker for worker in self._workers if not worker.texts]:
            self._workers.remove(worker)
            worker.child.kill()

    def close(self) -> None:
        """End all processes."""
        for worker in self._workers:
            worker.child.kill()
        self._workers.clear()
        self._text_of.clear()

    async def _ask(
        self, live: LiveMatch, method: Callable[..., Any], args: tuple[Any, ...], record: MatchRecord | None
    ) -> Any:
        losses = 0
        while True:
            try:
                return result(await self._answer(live, method, args, record), method)
            except NoCopy:
                record = live.record()
            except (ChildDied, OutOfMemory) as failed:
                # Another match may have ended the process or used its memory: try again in a new one.
                losses += 1
                if losses > (OUT_OF_MEMORY if isinstance(failed, OutOfMemory) else KILLED):
                    reason = message(
                        "{work} ended its process {n} times. It may need too much memory.",
                        work=WORK[method],
                        n=losses,
                    )
                    raise Dropped(DropReason.TOO_MUCH, reason, repr(failed)) from None
                record = live.record() if record is None else record
                log.warning("match worker was lost", game=live.game.name, match=live.id, error=repr(failed))

    async def _answer(
        self, live: LiveMatch, method: Callable[..., Any], args: tuple[Any, ...], record: MatchRecord | None
    ) -> bytes:
        version = len(record.moves) if record else live.version
        request = pickle.dumps(WorkerRequest(live.key, version, record, method.__name__, args))
        limit = REQUEST_CPU + (REBUILD_CPU if record else 0.0)
        try:
            answer, cpu = await self._worker(live).ask(request, limit, live.code)
        except TooMuchCpu as failed:
            live.charge(method, failed.cpu)
            work = message("{work} after move {n}", work=WORK[method], n=version)
            raise too_much(work, limit, failed.where) from None
        live.charge(method, cpu)
        if live.cpu > MATCH_CPU:
            raise too_much(message("The match as a whole"), MATCH_CPU)
        return answer

    def _worker(self, live: LiveMatch) -> Worker:
        """Return the worker of a match's text: its own, else a new one, else the one with the fewest texts."""
        text = self._text_of[live.key] = live.game.name
        for worker in self._workers:
            if text in worker.texts:
                return worker
        if len(self._workers) < self._most:
            self._workers.append(Worker())
        worker = min(self._workers, key=lambda worker: len(worker.texts))
        worker.texts.add(text)
        return worker


workers = MatchWorkers(settings.MATCH_WORKERS)
