"""Guests: bots from somebody's own Python file, each in a process of its own.

A guest is written ``FILE.py:CLASS``. Its process is told, for each decision, what its seat knows: a state in which all
that the seat cannot know has been drawn afresh, so there is nothing in it to find out. It answers with a move, as text.
Whatever it does otherwise (crash, think for ever, print, eat memory, spoil its copy) happens to that process alone.

This keeps accidents apart, and bots that would peek. It is no prison: a guest's file is a program that runs with your
rights, so read it before you let a stranger's in.
"""

from __future__ import annotations

import atexit
import json
import os
import pickle
import select
import signal
import struct
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from games.core import BadOption, Bot, FastChance, Information

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60.0  # to import the file, and all that it imports
LONGEST_ANSWER = 1 << 16  # bytes


@dataclass(frozen=True)
class Limits:
    """What a guest may use, and what happens when it fails."""

    seconds: float = 5.0  # for one decision
    megabytes: int = 2048  # of memory, for its whole process
    abort: bool = False  # a failure ends the run; else the game's move for such cases is made, or a random one
    output: bool = False  # what it prints is shown


USUAL = Limits()


class GuestFailed(Exception):
    """A guest gave no move. Its text tells the bot's author what went wrong, with the traceback if there is one."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(kind, text)  # all of it, or no worker could tell of it
        self.kind = kind  # in a word or two, to be counted: "ValueError", "too slow"
        self.text = text

    def __str__(self) -> str:
        return self.text


def is_guest(name: str) -> bool:
    """Return whether a bot's name is a file and a class."""
    return ".py:" in name


class Guest(Bot):
    """A bot that thinks in another process, which is started when first needed and again after a failure."""

    title = "Guest"

    def __init__(self, name: str, game: str, limits: Limits) -> None:
        """``name`` is FILE.py:CLASS. Raises BadOption when there is no such file."""
        file, _, self.kind = name.rpartition(":")
        self.name = name
        self.file = Path(file).resolve()
        self.game = game
        self.limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        if not self.file.is_file():
            raise BadOption(f"There is no file {file}.")

    def choose(self, info: Information) -> str:
        """Return what the guest answers, whatever that may be. Raises GuestFailed."""
        process = self._process or self._start()
        # Nothing of the seed of the run is handed over: from it the dice of the match could be foretold.
        seed, other = (str(info.chance.below(1 << 32)) for _ in range(2))
        known = info.determinize(FastChance(other))
        request = pickle.dumps((known, info.seat, seed, self.limits.seconds))
        try:
            _send(process, request)
            answer = _receive(process, time.monotonic() + self.limits.seconds)
        except TimeoutError:
            self.close()
            raise GuestFailed("too slow", f"It thought for more than {self.limits.seconds:g} seconds.") from None
        except (OSError, ValueError) as error:
            raise GuestFailed("its process died", f"{_last_words(process)} ({error})") from None
        finally:
            if process.poll() is not None:
                self.close()
        return _move(answer)

    def _start(self) -> subprocess.Popen[bytes]:
        """Start the process and wait until it has read its file. Raises GuestFailed."""
        process = subprocess.Popen(  # noqa: S603 - the interpreter that runs this, and a file the user named
            [sys.executable, "-m", "games.lab.guest_process", self.game, str(self.file), self.kind],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if self.limits.output else subprocess.DEVNULL,
            cwd=self.file.parent,
            env=_environment(self.limits),
            start_new_session=True,
        )
        self._process = process
        _running.add(self)
        try:
            answer = _receive(process, time.monotonic() + START_SECONDS)
        except TimeoutError:
            self.close()
            raise GuestFailed("too slow", f"Its file took more than {START_SECONDS:g} seconds to read.") from None
        except (OSError, ValueError) as error:
            words = _last_words(process)
            self.close()
            raise GuestFailed("its process died", f"{words} ({error})") from None
        try:
            _move(answer)
        except GuestFailed:
            self.close()
            raise
        return process

    def check(self) -> None:
        """Start the process, to see that the file can be read and has the class. Raises BadOption."""
        try:
            self._start()
        except GuestFailed as failed:
            raise BadOption(f"{self.name} cannot play: {failed}") from None
        finally:
            self.close()

    def close(self) -> None:
        """End the process and all it has started."""
        _running.discard(self)
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe:
                with suppress(OSError):
                    pipe.close()


_running: set[Guest] = set()
_seated: dict[tuple[str, str, int, Limits], Guest] = {}


def seated(name: str, game: str, seat: int, limits: Limits) -> Guest:
    """Return the guest that plays a seat. It keeps its process from match to match; no two seats share one."""
    key = (name, game, seat, limits)
    if key not in _seated:
        _seated[key] = Guest(name, game, limits)
    return _seated[key]


@atexit.register
def close_all() -> None:
    """End the processes of all guests."""
    for guest in list(_running):
        guest.close()


def _environment(limits: Limits) -> dict[str, str]:
    """Return the little that a guest needs to know of this machine."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
    return {
        **kept,
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "HAMSTERDAM_GUEST_MEGABYTES": str(limits.megabytes),
    }


# -- messages: their length, then they. What comes from a guest is never anything but JSON.


def _send(process: subprocess.Popen[bytes], message: bytes) -> None:
    pipe: IO[bytes] | None = process.stdin
    if pipe is None:
        raise ValueError("no pipe")
    pipe.write(struct.pack(">I", len(message)) + message)
    pipe.flush()


def _receive(process: subprocess.Popen[bytes], deadline: float) -> Any:
    (length,) = struct.unpack(">I", _read(process, 4, deadline))
    if length > LONGEST_ANSWER:
        raise ValueError("it sent something else than an answer")
    return json.loads(_read(process, length, deadline))


def _read(process: subprocess.Popen[bytes], size: int, deadline: float) -> bytes:
    if process.stdout is None:
        raise ValueError("no pipe")
    pipe = process.stdout.fileno()
    found = b""
    while len(found) < size:
        ready, _, _ = select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            raise TimeoutError
        more = os.read(pipe, size - len(found))
        if not more:
            raise ValueError("it ended")
        found += more
    return found


def _move(answer: Any) -> str:
    """Return the move of an answer. Raises GuestFailed when it tells of an error instead."""
    if isinstance(answer, dict) and isinstance(answer.get("move"), str):
        return str(answer["move"])
    if isinstance(answer, dict) and isinstance(answer.get("error"), str) and isinstance(answer.get("kind"), str):
        raise GuestFailed(answer["kind"][:80], answer["error"])
    raise GuestFailed("nonsense", "It sent something else than an answer.")


def _last_words(process: subprocess.Popen[bytes]) -> str:
    with suppress(subprocess.TimeoutExpired):
        code = process.wait(1)
        return f"Its process ended with {signal.Signals(-code).name if code < 0 else f'exit code {code}'}."
    return "Its process no longer answers."
