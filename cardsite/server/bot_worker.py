"""What runs in a process that bots think in. It imports no Django, so that such a process is small and starts fast."""

from __future__ import annotations

import pickle
import secrets
import time
from collections.abc import Callable

from games import catalogue
from games.core import FastChance, Game, Information

# A bot's time limits. The first ends a search, the second a bot that hangs.
DECIDE_SECONDS = 1.0  # of CPU, after which a bot that searches has to decide
STOP_SECONDS = 10.0  # of CPU or of sleep, after which a bot that has not answered is stopped


def question(game: Game, bot: str, info: Information) -> bytes:
    """Return a question as it is sent: which bot of which game is asked, and all that its seat knows."""
    return pickle.dumps((game, bot, info), pickle.HIGHEST_PROTOCOL)


def think(asked: bytes) -> bytes:
    """Return the move that a bot makes, as text. Raises whatever the bot raises."""
    game, bot, info = pickle.loads(asked)  # noqa: S301 - the parent sent it
    # A fast chance is made here: to send one would cost more than all else that is sent.
    chance = FastChance(secrets.token_hex(16))
    move = catalogue.bot(game, bot).choose(info.with_chance(chance, _clock()))
    return str(move).encode(errors="backslashreplace")


def _clock() -> Callable[[], bool]:
    """Return whether a bot has thought long enough; in most games its budget of roll-outs ends its search first."""
    over = time.thread_time() + DECIDE_SECONDS
    return lambda: time.thread_time() > over
