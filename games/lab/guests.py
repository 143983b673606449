"""Guests: bots from somebody's own Python file, each in a process of its own.

A guest is written ``FILE.py:CLASS``. Its process is told, for each decision, what its seat knows (``Information``),
and there is nothing else in that to be found out. It answers with a move, as text.
Whatever it does otherwise (crash, think for ever, print, eat memory, start processes) happens to that process alone.

This keeps accidents apart, and bots that would peek. It is no prison: a guest's file is a program that runs with your
rights, so read it before you let a stranger's in.
"""

from __future__ import annotations

import atexit
import json
import math
import os
import pickle
import select
import signal
import struct
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from games.core import BadOption, Bot, Chance, Information, SealedChance
from games.core.bot import NEEDS
from games.core.chance import SEED_BYTES
from games.lab import processes

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60.0  # to import the file, and all that it imports; and to read a request, which imports the rules
DEATH_SECONDS = 1.0  # until a process is known to have ended that has closed its pipes
END_SECONDS = 2 * processes.LONGEST_END
LONGEST_ANSWER = 1 << 16  # bytes
WAITS = 12.0  # times as long as it may think may a guest take by the clock
LOOK_EVERY = 0.5  # seconds, at how much a guest that thinks for long has used
BLANK: Chance = SealedChance(bytes(SEED_BYTES))  # sent in place of a guest's own chance, which is made of a seed there


@dataclass(frozen=True)
class Limits:
    """What a guest may use, and what happens when it fails. Raises BadOption for a time that is none.

    A decision may take ``seconds`` of CPU time, of all that the guest has started, so that nothing else that the
    machine does is counted. By the clock it may take ``WAITS`` times as long: that ends a bot that sleeps.
    """

    seconds: float = 5.0
    megabytes: int = 2048  # of memory, for its whole process
    abort: bool = False  # a failure ends the run; else the first legal move is made
    output: bool = False  # what it prints is shown
    terminal: bool = False  # it reads and writes the terminal, for people who play through it, and has all the time

    def __post_init__(self) -> None:
        if not 0 < self.seconds < math.inf:
            raise BadOption(f"A bot gets some seconds to think, more than 0, not {self.seconds:g}.")


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


class _Slow(Exception):
    """A guest has had all the time that it may have."""


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
        self._process: _Process | None = None
        if not self.file.is_file():
            raise BadOption(f"There is no file {file}.")

    def choose(self, info: Information) -> str:
        """Return what the guest answers, whatever that may be. Raises GuestFailed."""
        process = self.arrive()
        # Nothing of the seed of the run is handed over: from it the dice of the match could be foretold.
        seeds = [str(info.chance.randbelow(1 << 32)) for _ in range(2)]
        seconds = 0.0 if self.limits.terminal else self.limits.seconds
        try:
            answer = process.ask(pickle.dumps((info.with_chance(BLANK), *seeds, seconds)), seconds)
        except GuestFailed:
            self.close()
            raise
        return _move(answer)

    def arrive(self) -> _Process:
        """Return the guest's process. One that is not there yet is started, and says what it needs.

        Raises GuestFailed.
        """
        return self._process or self._start()

    def _start(self) -> _Process:
        """Start the process and wait until it has read its file. Raises GuestFailed."""
        processes.keep_memory_private()
        _running.add(self)
        self._process = _Process(self)
        try:
            needs = _move(self._process.first_answer())
        except GuestFailed:
            self.close()
            raise
        if needs in NEEDS:
            self.needs = needs
        return self._process

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
        if process:
            process.end()


class _Process:
    """A guest's processes, and the pipes to them. What comes from there is never anything but JSON."""

    def __init__(self, guest: Guest) -> None:
        limits = guest.limits
        read_requests, self._requests = os.pipe()
        self._answers, write_answers = os.pipe()
        read_lifeline, self._lifeline = os.pipe()
        theirs = (read_requests, write_answers, read_lifeline)
        quiet = subprocess.DEVNULL
        asked = [guest.game, str(guest.file), guest.kind, str(limits.megabytes), "terminal" if limits.terminal else ""]
        self._warden = subprocess.Popen(  # noqa: S603 - the interpreter that runs this, and a file the user named
            [sys.executable, "-P", "-m", "games.lab.guest_process", *asked, *map(str, theirs)],
            stdin=None if limits.terminal else quiet,
            stdout=None if limits.terminal else quiet,
            stderr=None if limits.terminal or limits.output else quiet,
            cwd=guest.file.parent,
            env=_environment(),
            pass_fds=theirs,
            start_new_session=True,
        )
        for descriptor in theirs:
            os.close(descriptor)
        os.set_blocking(self._requests, False)
        self.pid = 0  # of the guest itself
        self._seconds = 0.0  # that it has for what it was asked
        self._before = 0.0  # CPU time that it had used when it was asked
        self._helpers = 0.0  # the same of all that it has started, when they were last looked at

    def first_answer(self) -> Any:
        """Return what the guest says when it has read its file. Raises GuestFailed."""
        deadline = time.monotonic() + START_SECONDS
        try:
            self.pid = int(_move(self._receive(0.0, deadline)))
            answer = self._receive(0.0, deadline)
        except _Slow:
            raise GuestFailed("too slow", f"Its file took more than {START_SECONDS:g} seconds to read.") from None
        except (OSError, ValueError) as error:
            raise self._death(error) from None
        self._used()
        return answer

    def ask(self, request: bytes, seconds: float) -> Any:
        """Return the answer to a request, for which the guest has so much CPU time (0: all it wants).

        Raises GuestFailed.
        """
        self._seconds = seconds
        reading = time.monotonic() + (START_SECONDS if seconds else math.inf)
        try:
            # To read the first request imports the game's rules, or compiles its text: that is none of the bot's time.
            self._send(struct.pack(">I", len(request)) + request, reading)
            _move(self._receive(0.0, reading))
            self._before = (processes.seconds_of(self.pid) or 0.0) + self._helpers
            return self._receive(seconds, time.monotonic() + (seconds * WAITS or math.inf))
        except _Slow as slow:
            raise GuestFailed("too slow", str(slow)) from None
        except (OSError, ValueError) as error:
            raise self._death(error) from None

    def _send(self, message: bytes, deadline: float) -> None:
        left = memoryview(message)
        while left:
            _, ready, _ = select.select([], [self._requests], [], _until(deadline))
            if not ready:
                raise _Slow(f"It did not read what it was asked in {START_SECONDS:g} seconds.")
            left = left[os.write(self._requests, left) :]

    def _receive(self, seconds: float, deadline: float) -> Any:
        (length,) = struct.unpack(">I", self._read(4, seconds, deadline))
        if length > LONGEST_ANSWER:
            raise ValueError("it sent something else than an answer")
        return json.loads(self._read(length, seconds, deadline))

    def _read(self, size: int, seconds: float, deadline: float) -> bytes:
        found = b""
        look_every = min(seconds / 2, LOOK_EVERY) or math.inf
        while len(found) < size:
            wait = _until(min(deadline, time.monotonic() + look_every))
            ready, _, _ = select.select([self._answers], [], [], wait)
            if ready:
                more = os.read(self._answers, size - len(found))
                if not more:
                    raise ValueError("it ended")
                found += more
            elif seconds and self._used() > seconds:
                raise _Slow(f"It thought for more than {seconds:g} seconds.")
            elif time.monotonic() >= deadline:
                if not seconds:
                    raise _Slow(f"It did not answer in {START_SECONDS:g} seconds.")
                raise _Slow(f"It did not answer in {seconds * WAITS:g} seconds, though it hardly thought.")
        return found

    def _used(self) -> float:
        """Return the CPU time used since the guest was asked, by all it has started; 0 where that is not known."""
        used = processes.family(self._warden.pid)
        own = used.get(self.pid, 0.0)
        self._helpers = sum(used.values()) - own
        return own + self._helpers - self._before if used else 0.0

    def _death(self, error: Exception) -> GuestFailed:
        """Return how the guest has failed, now that nothing more comes from it."""
        with suppress(subprocess.TimeoutExpired):
            code = self._warden.wait(DEATH_SECONDS)
            if code == 128 + signal.SIGPROF:
                return GuestFailed("too slow", f"It thought for more than {self._seconds:g} seconds.")
            ended = f"exit code {code}" if code < 128 else signal.Signals(code - 128).name
            return GuestFailed("its process died", f"Its process ended with {ended}. ({error})")
        return GuestFailed("its process died", f"Its process no longer answers. ({error})")

    def end(self) -> None:
        """End the guest and all it has started."""
        for descriptor in (self._lifeline, self._requests, self._answers):
            os.close(descriptor)
        try:
            self._warden.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._warden.kill()
            self._warden.wait()


def _until(deadline: float) -> float | None:
    """Return how many seconds there are until then, None for ever."""
    return None if deadline == math.inf else max(0.0, deadline - time.monotonic())


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


def _environment() -> dict[str, str]:
    """Return the little that a guest needs to know of this machine."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TERM", "TMPDIR") if name in os.environ}
    return {
        **kept,
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }


def _move(answer: Any) -> str:
    """Return the move of an answer. Raises GuestFailed when it tells of an error instead."""
    if isinstance(answer, dict) and isinstance(answer.get("move"), str):
        return str(answer["move"])
    if isinstance(answer, dict) and isinstance(answer.get("error"), str) and isinstance(answer.get("kind"), str):
        raise GuestFailed(answer["kind"][:80], answer["error"])
    raise GuestFailed("nonsense", "It sent something else than an answer.")


# -- what stands in a command line can be read by every process of the machine, guests too


HANDED_OVER = "--arguments-in"


def arguments() -> list[str]:
    """Return the arguments of the command line.

    Where there are guests among them, this process begins anew first, with a command line that does not tell them: else
    a guest could read the seed there, and foretell the dice.
    """
    given = sys.argv[1:]
    if given[:1] == [HANDED_OVER]:
        with os.fdopen(int(given[1]), encoding="utf-8") as file:
            handed_over: list[str] = json.load(file)
        return handed_over
    if any(map(is_guest, given)):
        with tempfile.TemporaryFile("w", encoding="utf-8") as file:
            json.dump(given, file)
            file.flush()
            os.lseek(file.fileno(), 0, os.SEEK_SET)
            os.set_inheritable(file.fileno(), True)
            python = sys.orig_argv[: len(sys.orig_argv) - len(given)]
            os.execv(sys.executable, [*python, HANDED_OVER, str(file.fileno())])  # noqa: S606 - what runs already
    return given
