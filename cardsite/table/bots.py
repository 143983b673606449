"""Bots think outside the web process: a pool of worker processes, so a thinking bot never delays a socket."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import secrets
import signal
import threading
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from typing import Any

import structlog

from games import catalogue
from games.core import FastChance, Information, State

THINKING_TIME = 10.0  # seconds after which a decision is made at random instead

log = structlog.get_logger(__name__)


class BotPool:
    """Asks bots for moves. A bot that fails, hangs or takes its process down costs one decision, not the table."""

    def __init__(self) -> None:
        self._workers = max(1, (os.cpu_count() or 2) - 1)
        self._pool: ProcessPoolExecutor | None = None

    async def choose(self, game: str, bot: str, state: State[Any], seat: int) -> str:
        """Return a legal move for ``seat``, from the bot if it can be had, else at random."""
        legal = state.legal_moves(seat)
        if len(legal) == 1:
            return legal[0]
        entropy = secrets.token_hex(16)
        try:
            future = self._running().submit(_choose, game, bot, state.clone(), seat, entropy)
            move = await asyncio.wait_for(asyncio.wrap_future(future), THINKING_TIME)
            if move in legal:
                return move
            log.error("bot made an illegal move", game=game, bot=bot, move=move[:80])
        except TimeoutError:
            log.error("bot thought too long", game=game, bot=bot, seconds=THINKING_TIME)
            self.close(kill=True)  # a worker that hangs is lost: start afresh
        except BrokenExecutor:
            log.error("bot process died", game=game, bot=bot)
            self.close()
        except Exception:
            log.exception("bot failed", game=game, bot=bot)
        return secrets.choice(legal)

    def _running(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._workers, mp_context=multiprocessing.get_context("spawn"), initializer=_live_with_parent
            )
        return self._pool

    def close(self, *, kill: bool = False) -> None:
        """Let the workers go; ``kill`` those that may hang. The next question starts new ones."""
        pool, self._pool = self._pool, None
        if pool is None:
            return
        workers = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        if kill:
            for worker in workers:
                worker.kill()


def _live_with_parent() -> None:
    """Leave Ctrl-C, which reaches every process of a terminal, to the parent; and go when the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_go_with_parent, daemon=True).start()


def _go_with_parent() -> None:
    if parent := multiprocessing.parent_process():
        parent.join()
    os._exit(1)


def _choose(game: str, bot: str, state: State[Any], seat: int, entropy: str) -> str:
    """In a worker: let the bot look at what the seat knows."""
    return catalogue.find(game).bot(bot).choose(Information(state, seat, FastChance(entropy)))
