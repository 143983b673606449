"""Bots run in a few child processes, so that their computation never delays a socket.

A decision waits until a process is free, and only CPU time counts: a full pool or a busy machine makes bots slower, not
weaker. The table whose bots have used the least CPU time is next. If a process is lost, only the decision that it was
computing is lost.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AsyncExitStack

import structlog

from cardsite import metrics
from cardsite.server.bot_worker import STOP_SECONDS, think
from cardsite.server.match_copy import Question
from games.jobs import Child, JobFailed, Limits, TooMuchCpu
from games.jobs.pool import Pool

MEMORY = 2 << 30  # bytes of address space
NICE = 5  # sockets go first

log = structlog.get_logger(__name__)


# Takes a kind of bot, or "" for the legal moves alone. Returns the current question, None once it is decided.
Look = Callable[[str], Awaitable[Question | None]]


class BotFailed(Exception):
    """A bot gave no valid answer; the message says why."""


class BotPool:
    """Asks bots for moves. A bot that fails, hangs or ends its process costs one decision, not the match."""

    def __init__(self, workers: int = 0, thinking_time: float = STOP_SECONDS) -> None:
        """Make a pool of processes, which start when they are needed. 0: one for each core but one."""
        count = workers if workers > 0 else max(1, (os.cpu_count() or 2) - 1)
        # Confined: the bots are ours, but the rules of their roll-outs may be a visitor's text.
        limits = Limits(nice=NICE, memory=MEMORY, confined=True, idle=thinking_time)
        self._thinking_time = thinking_time
        self.pool = Pool(lambda: Child(think, limits, name="bot"), count)

    async def choose(
        self,
        game: str,
        bots: Iterable[str],
        look: Look,
        table: str = "",
        charge: Callable[[float], object] = lambda seconds: None,
    ) -> str | None:
        """Return a legal move: of the first of ``bots`` that gives one, else any; None if it was decided meanwhile.

        ``look`` is asked when a process is free, so that a bot sees the position as it is then. A bot that searches is
        made to decide after ``bot_worker.DECIDE_SECONDS``. ``charge`` is called with the CPU seconds of each answer.
        Raises what ``look`` raises.
        """
        asked = await look("")
        if asked is None:
            return None
        for name in dict.fromkeys(bots):
            if len(asked.legal) == 1:
                break
            async with AsyncExitStack() as stack:
                with metrics.bots_waiting.track_inprogress():
                    child = await stack.enter_async_context(self.pool.borrow_async(table))
                asked = await look(name)
                if asked is None:
                    return None
                if not asked.message:
                    continue
                try:
                    with metrics.bots_thinking.track_inprogress():
                        move = await self._ask(child, asked.message, table, charge)
                except BotFailed as failed:
                    metrics.bot_failures.inc()
                    log.error("bot failed", game=game, bot=name, why=str(failed))
                    continue
                if move in asked.legal:
                    return move
                metrics.bot_failures.inc()
                log.error("bot made an illegal move", game=game, bot=name, move=move[:80])
        return secrets.choice(asked.legal)

    async def _ask(self, child: Child, message: bytes, table: str, charge: Callable[[float], object]) -> str:
        """Ask a bot for a move. Raises BotFailed."""
        seconds = 0.0
        try:
            answer = await child.ask_async(message, self._thinking_time)
            seconds = answer.cpu
        except JobFailed as failed:
            seconds = failed.cpu
            if isinstance(failed, TooMuchCpu):
                child.kill()  # it was interrupted in the middle of something
            raise BotFailed(str(failed)) from failed
        finally:
            self.pool.book(table, seconds)
            charge(seconds)
        return answer.payload.decode()

    def close(self) -> None:
        """End the processes, even while they compute. The next question starts new ones."""
        self.pool.close()
