"""What runs in a process that bots think in. It imports no Django, so that such a process is small and starts fast."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import secrets
import signal
import threading
import time
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection

from games import catalogue
from games.core import FastChance, Game, Information

LONGEST_THOUGHT = 1.0  # seconds of CPU after which a bot that searches is to decide

# What a worker says. No pickles: what a bot has come to must not be able to do anything here.
READY = b"ready"  # once, when questions can be put
THINKING = b"thinking"  # before each answer: the question has been read, and the clock starts
MOVE = b"+"  # begins an answer: the move
FAILED = b"-"  # begins an answer: what went wrong


def question(game: Game, bot: str, info: Information) -> bytes:
    """Return a question as it is sent: which bot of which game is asked, and all that its seat knows."""
    return pickle.dumps((game, bot, info), pickle.HIGHEST_PROTOCOL)


def work(line: Connection) -> None:
    """Answer questions until the other side hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of a terminal: it is the parent's
    threading.Thread(target=_go_with_parent, daemon=True).start()
    line.send_bytes(READY)
    while True:
        try:
            asked = line.recv_bytes()
        except (EOFError, OSError):
            return
        try:
            game, bot, info = pickle.loads(asked)  # noqa: S301 - the parent sent it
            line.send_bytes(THINKING)
            # A fast chance is made here: to send one would cost more than all else that is sent.
            chance = FastChance(secrets.token_hex(16))
            answer = MOVE + _encoded(catalogue.bot(game, bot).choose(info.with_chance(chance, _clock())))
        except Exception:
            answer = FAILED + _encoded(traceback.format_exc())
        line.send_bytes(answer)


def _clock() -> Callable[[], bool]:
    """Return what tells a bot that it has thought long enough: its budget of play-outs does, in most games."""
    over = time.thread_time() + LONGEST_THOUGHT
    return lambda: time.thread_time() > over


def _encoded(text: object) -> bytes:
    return str(text).encode(errors="backslashreplace")


def _go_with_parent() -> None:
    """Leave when the parent does, even in the middle of a thought."""
    if parent := multiprocessing.parent_process():
        parent.join()
    os._exit(1)
