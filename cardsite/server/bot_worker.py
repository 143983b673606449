"""The code that runs in a bot process. It imports no Django, so that the process is small and starts fast."""

from __future__ import annotations

import pickle
import secrets
import time
from collections.abc import Callable

from games import catalogue
from games.core import FastChance, Game, Information

# A bot's time limits. The first ends a search, the second a bot that hangs.
DECIDE_SECONDS = 1.0  # of CPU time, after which a bot that searches must decide
STOP_SECONDS = 10.0  # of CPU time or of sleep, after which a bot without an answer is stopped


def question(game: Game, bot: str, info: Information) -> bytes:
    """Return a question for a bot, encoded: the game, the kind of bot, and all that its seat knows."""
    return pickle.dumps((game, bot, info), pickle.HIGHEST_PROTOCOL)


def think(asked: bytes) -> bytes:
    """Return the move that a bot makes, encoded. Passes on any exception of the bot."""
    game, bot, info = pickle.loads(asked)  # noqa: S301 - the parent sent it
    # A FastChance is made here: sending one would cost more than everything else that is sent.
    chance = FastChance(secrets.token_hex(16))
    move = catalogue.bot(game, bot).choose(info.with_chance(chance, _clock()))
    return str(move).encode(errors="backslashreplace")


def _clock() -> Callable[[], bool]:
    """Return a function: whether a bot has reached its time limit. In most games its budget of roll-outs ends first."""
    over = time.thread_time() + DECIDE_SECONDS
    return lambda: time.thread_time() > over
