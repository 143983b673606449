"""Bots think outside the web process: in a few processes of their own, so a thinking bot never delays a socket.

A decision waits until one of them is idle, and its clock starts when the thinking does: a full pool makes bots slow and
never stupid. A worker that is lost costs the decision it was thinking about, and no other one.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

import structlog

from cardsite import metrics
from cardsite.server.bot_worker import MOVE, READY, THINKING, question, work
from games import catalogue
from games.core import Game, Information, RulesFailed, SealedChance, State
from games.core.chance import SEED_BYTES

THINKING_TIME = 10.0  # seconds after which a worker that thinks about one decision is taken for hanging
STARTING_TIME = 60.0  # seconds that a worker may take to start, or to read a question: on a busy machine, many

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Question:
    """A decision that a bot is to make: the position, the seat, and its legal moves."""

    game: Game
    state: State[Any]
    seat: int
    legal: list[str]


class BotFailed(Exception):
    """A bot gave no answer; the text says why."""


class BotPool:
    """Asks bots for moves. A bot that fails, hangs or takes its process down costs one decision, not the table."""

    def __init__(self, workers: int = 0, thinking_time: float = THINKING_TIME) -> None:
        """Make a pool of so many workers, 0: one for each core but one. They start when they are needed."""
        count = workers if workers > 0 else max(1, (os.cpu_count() or 2) - 1)
        self._workers = [Worker(thinking_time) for _ in range(count)]
        # The last one that became idle is asked first, so that a quiet house runs few of them.
        self._idle: asyncio.LifoQueue[Worker] = asyncio.LifoQueue()
        for worker in self._workers:
            self._idle.put_nowait(worker)
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="bots")  # one waits for each worker

    async def choose(self, bot: str, look: Callable[[], Question | None], budget: int) -> str | None:
        """Return a legal move: from ``bot`` if it can be had, else from the house bot, else any.

        ``look`` is asked for the question when somebody is there to think about it; it returns None, and so does this,
        when the decision has been made meanwhile. ``budget``: how many play-outs a bot that searches may spend; after
        ``bot_worker.LONGEST_THOUGHT`` it is told to decide.
        Raises RulesFailed, by ``look`` or when there is no legal move.
        """
        asked = look()
        if asked is None:
            return None
        if not asked.legal:
            raise RulesFailed("no moves", f"Seat {asked.seat} is to act, and has no legal move.")
        for name in dict.fromkeys((bot, asked.game.bots[0].name)):
            if len(asked.legal) == 1:
                break
            with metrics.bots_waiting.track_inprogress():
                worker = await self._idle.get()
            try:
                still = look()
                if still is None:
                    return None
                asked = still
                with metrics.bots_thinking.track_inprogress():
                    move = await self._ask(worker, name, asked, budget)
                if move in asked.legal:
                    return move
                metrics.bot_failures.inc()
                log.error("bot made an illegal move", game=asked.game.name, bot=name, move=str(move)[:80])
            except BotFailed as failed:
                metrics.bot_failures.inc()
                log.error("bot failed", game=asked.game.name, bot=name, why=str(failed))
            finally:
                self._idle.put_nowait(worker)
        return secrets.choice(asked.legal)

    async def _ask(self, worker: Worker, name: str, asked: Question, budget: int) -> str:
        """Have a worker think. Raises BotFailed."""
        try:
            chance = SealedChance(secrets.token_bytes(SEED_BYTES))  # quickly made and sent
            needs = catalogue.bot(asked.game, name).needs
            info = Information.of(asked.game, asked.state, asked.seat, chance, needs, asked.legal, budget)
            message = question(asked.game, name, info)  # now: the position may change while it is thought about
        except Exception as error:
            raise BotFailed(f"It cannot be told what it knows: {error!r}") from error
        answer: str = await asyncio.get_running_loop().run_in_executor(self._threads, worker.ask, message)
        return answer

    def close(self) -> None:
        """Let the workers go, whatever they think about. The next question starts new ones."""
        for worker in self._workers:
            worker.kill()


class Worker:
    """A process that thinks about one question at a time. It starts with the first, and again after it is lost."""

    def __init__(self, thinking_time: float) -> None:
        self._thinking_time = thinking_time
        self._process: BaseProcess | None = None
        self._line: Connection
        self._asking = threading.Lock()  # somebody who is cancelled no longer waits for the answer that is under way

    def ask(self, message: bytes) -> str:
        """Return what a bot answers to a question: blocks until it does. Raises BotFailed."""
        with self._asking:
            try:
                if self._process is None:
                    self._start()
                self._line.send_bytes(message)
                answer = self._hear(STARTING_TIME, "did not read the question")
                if answer == THINKING:
                    answer = self._hear(self._thinking_time, "did not decide")
            except (EOFError, OSError) as error:
                self.kill()
                raise BotFailed("Its process died.") from error
            except BotFailed:
                self.kill()
                raise
        told = answer[1:].decode()
        if not answer.startswith(MOVE):
            raise BotFailed(told)
        return told

    def kill(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._line, theirs = context.Pipe()
        self._process = context.Process(target=work, args=(theirs,), daemon=True, name="bots")
        self._process.start()
        theirs.close()  # ours, so that we hear when the process is gone
        if self._hear(STARTING_TIME, "did not start") != READY:
            raise BotFailed("It did not start as it should.")

    def _hear(self, seconds: float, otherwise: str) -> bytes:
        if not self._line.poll(seconds):
            raise BotFailed(f"It {otherwise} within {seconds:g} seconds.")
        return self._line.recv_bytes()
