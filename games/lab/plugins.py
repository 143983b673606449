"""Plug-in bots: bots from a Python file, each in a process of its own.

A plug-in bot is named ``FILE.py:CLASS``. For each decision its process gets what its seat knows (``Information``),
which contains no secrets, and answers with a move in notation. Anything else it does (crash, loop for ever, print, use
up memory, start processes) only affects that process.

This isolates accidents and prevents peeking. It is not a sandbox: the file runs with your rights, so read it before you
use a stranger's bot.
"""

from __future__ import annotations

import atexit
import json
import math
import os
import pickle
import signal
import sys
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from games import jobs
from games.core import BadOption, Bot, Chance, Information, SealedChance
from games.core.bot import NEEDS
from games.core.chance import SEED_BYTES
from games.jobs.family import keep_memory_private
from games.lab.plugin_process import CHOOSE, READ, serve

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60.0  # for importing the file, and for decoding a request, which imports the rules
LONGEST_ANSWER = 1 << 16  # bytes
WAITS = 12.0  # a bot may sleep so many times as long as it may compute
BLANK: Chance = SealedChance(bytes(SEED_BYTES))  # sent instead of the bot's chance, which its process makes from a seed
# Equal seeds give equal moves, and no files are left beside the bot's.
ENVIRONMENT = (("PYTHONHASHSEED", "0"), ("PYTHONDONTWRITEBYTECODE", "1"))


@dataclass(frozen=True)
class PluginLimits:
    """The limits of a plug-in bot, and what happens if it fails. Raises BadOption for an invalid time.

    A decision may take ``seconds`` of CPU time, over all processes of the bot, so that the load of the machine does not
    count. It may sleep ``WAITS`` times as long.
    """

    seconds: float = 5.0
    megabytes: int = 2048  # of memory, for the whole process
    abort: bool = False  # a failure ends the run; otherwise the first legal move is made
    output: bool = False  # show what it prints
    terminal: bool = False  # it uses the terminal, so that a person can play through it, without a time limit

    def __post_init__(self) -> None:
        if not 0 < self.seconds < math.inf:
            raise BadOption(f"The CPU seconds of a bot must be more than 0, not {self.seconds:g}.")


USUAL = PluginLimits()


class PluginFailed(Exception):
    """A plug-in bot gave no move. The message says why, with the traceback if there is one."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(kind, text)  # pass all arguments, so that it can be pickled
        self.kind = kind  # short, for statistics: "ValueError", "too slow"
        self.text = text

    def __str__(self) -> str:
        return self.text


def is_plugin(name: str) -> bool:
    """Return whether a bot's name is that of a plug-in bot, a file and a class."""
    return ".py:" in name


class PluginBot(Bot):
    """A bot in another process, which is started when first needed and restarted after a failure."""

    title = "Plug-in bot"

    def __init__(self, name: str, game: str, limits: PluginLimits) -> None:
        """``name`` is FILE.py:CLASS. Raises BadOption if there is no such file."""
        file, _, self.kind = name.rpartition(":")
        self.name = name
        self.file = Path(file).resolve()
        self.game = game
        self.limits = limits
        if not self.file.is_file():
            raise BadOption(f"There is no file {file}.")
        self.child = jobs.Child(
            partial(serve, game, str(self.file), self.kind),
            jobs.Limits(
                nice=0,
                memory=limits.megabytes << 20,
                helpers=True,
                largest=LONGEST_ANSWER,
                environment=ENVIRONMENT,
            ),
            name="bot",
            output="terminal" if limits.terminal else "shown" if limits.output else "hidden",
        )

    def choose(self, info: Information) -> str:
        """Return the bot's answer, which may be an illegal move. Raises PluginFailed."""
        self.start()
        # The seed of the run is not passed on, because the chance of the match could be computed from it.
        seeds = [str(info.chance.randbelow(1 << 32)) for _ in range(2)]
        self._ask(READ + pickle.dumps((info.with_chance(BLANK), *seeds)))
        if self.limits.terminal:
            return self._ask(CHOOSE, math.inf, math.inf)
        return self._ask(CHOOSE, self.limits.seconds, self.limits.seconds * WAITS)

    def start(self) -> None:
        """Start the process if necessary, and learn what the bot needs. Raises PluginFailed."""
        if self not in _running or self.child.pid is None:
            keep_memory_private()
            _running.add(self)
            needs = self._ask(b"")
            if needs in NEEDS:
                self.needs = needs

    def _ask(self, request: bytes, seconds: float | None = None, idle: float = START_SECONDS) -> str:
        """Return the answer to a request. A bot that fails is ended. Raises PluginFailed.

        ``seconds`` None: the request loads the file, or the rules.
        """
        try:
            return _move(self.child.ask(request, START_SECONDS if seconds is None else seconds, idle=idle).payload)
        except PluginFailed:
            self.close()
            raise
        except jobs.JobFailed as failed:
            self.close()
            raise _failure(failed, seconds, idle) from None

    def check(self) -> None:
        """Start the process to check that the file can be read and has the class. Raises BadOption."""
        try:
            self.start()
        except PluginFailed as failed:
            raise BadOption(f"{self.name} cannot play: {failed}") from None
        finally:
            self.close()

    def close(self) -> None:
        """End the process and all processes it has started."""
        _running.discard(self)
        self.child.kill()


def _failure(failed: jobs.JobFailed, seconds: float | None, idle: float) -> PluginFailed:
    """Return the failure of a bot that gave no answer."""
    match failed:
        case jobs.TooMuchCpu() if seconds is None:
            return PluginFailed("too slow", f"Its file took more than {START_SECONDS:g} CPU seconds to load.")
        case jobs.TooMuchCpu():
            return PluginFailed("too slow", f"It used more than {seconds:g} CPU seconds.")
        case jobs.Stalled():
            return PluginFailed("too slow", f"It did not answer in {idle:g} seconds, although it used little CPU time.")
        case jobs.OutOfMemory():
            return PluginFailed("MemoryError", str(failed))
        case jobs.ChildDied(code=int(code)):
            return PluginFailed("its process died", f"Its process ended with {_end_of_process(code)}.")
        case _:
            return PluginFailed("its process died", str(failed))


def _end_of_process(code: int) -> str:
    """Return an exit code in words. As for shells, 128 and more is a signal, if there is one of that number."""
    try:
        return signal.Signals(code - 128).name
    except ValueError:
        return f"exit code {code}"


_running: set[PluginBot] = set()
_seated: dict[tuple[str, str, int, PluginLimits], PluginBot] = {}


def seated(name: str, game: str, seat: int, limits: PluginLimits) -> PluginBot:
    """Return the plug-in bot of a seat. It keeps its process from match to match; seats do not share one."""
    key = (name, game, seat, limits)
    if key not in _seated:
        _seated[key] = PluginBot(name, game, limits)
    return _seated[key]


@atexit.register
def close_all() -> None:
    """End the processes of all plug-in bots."""
    for bot in list(_running):
        bot.close()


def _move(payload: bytes) -> str:
    """Return the move of an answer. Raises PluginFailed if it is an error instead."""
    try:
        answer: Any = json.loads(payload)
    except ValueError:
        answer = None
    if isinstance(answer, dict) and isinstance(answer.get("move"), str):
        return str(answer["move"])
    if isinstance(answer, dict) and isinstance(answer.get("error"), str) and isinstance(answer.get("kind"), str):
        raise PluginFailed(answer["kind"][:80], answer["error"])
    raise PluginFailed("invalid answer", "Its process sent something that is not an answer.")


# -- every process of the machine can read a command line, plug-in bots too


HANDED_OVER = "--arguments-in"


def hidden_arguments() -> list[str]:
    """Return the command-line arguments, hidden from plug-in bots.

    With plug-in bots among them, this process first restarts itself with a command line that does not contain them.
    Otherwise a plug-in bot could read the seed there and predict the chance of the match.
    """
    given = sys.argv[1:]
    if given[:1] == [HANDED_OVER]:
        with os.fdopen(int(given[1]), encoding="utf-8") as file:
            handed_over: list[str] = json.load(file)
        return handed_over
    if any(map(is_plugin, given)):
        with tempfile.TemporaryFile("w", encoding="utf-8") as file:
            json.dump(given, file)
            file.flush()
            os.lseek(file.fileno(), 0, os.SEEK_SET)
            os.set_inheritable(file.fileno(), True)
            python = sys.orig_argv[: len(sys.orig_argv) - len(given)]
            os.execv(sys.executable, [*python, HANDED_OVER, str(file.fileno())])  # noqa: S606 - this program
    return given
