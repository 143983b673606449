"""The processes of one guest: ``python -m games.lab.guest_process``, started by ``guests``.

There are two. The first is a warden, which does nothing but wait: when the guest ends, or whoever has started them
closes the lifeline or is gone, it ends all that the guest has started, whatever that has done to get away. The second
is the guest's own. It reads requests from one pipe and answers on another; what the bot prints goes elsewhere.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import os
import pickle
import random
import resource
import select
import signal
import struct
import sys
import traceback
from pathlib import Path
from typing import IO, NoReturn, cast

from games import catalogue
from games.core import BadOption, Bot, FastChance
from games.core.bot import NEEDS
from games.lab import processes


def main(game: str, file: str, kind: str, megabytes: str, terminal: str, *pipes: str) -> None:
    """Part into warden and guest. ``pipes`` are descriptors: of requests, of answers, and the lifeline."""
    requests, answers, lifeline = map(int, pipes)
    processes.adopt_orphans()
    woken = _wake_when_children_end()
    guest = os.fork()
    if guest:
        os.close(requests)
        os.close(answers)
        _watch_over(guest, lifeline, woken)
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for descriptor in (lifeline, woken):
        os.close(descriptor)
    os.setpgid(0, 0)
    processes.end_with_parent()
    if not terminal:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
    _limit_memory(int(megabytes))
    with os.fdopen(requests, "rb") as asked, os.fdopen(answers, "wb") as told:
        _serve(game, Path(file), kind, asked, told)


# -- the warden


def _wake_when_children_end() -> int:
    """Return a descriptor that can be read when a child has ended."""
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return woken


def _watch_over(guest: int, lifeline: int, woken: int) -> NoReturn:
    """Wait for the guest's end or that of the lifeline, then end all there is.

    Ends itself with the exit code of the guest, as a shell tells it: 128 and more for a signal.
    """
    code = 0
    ready: list[int] = []
    while lifeline not in ready:
        ready = select.select([lifeline, woken], [], [])[0]
        if woken in ready:
            os.read(woken, 512)
            ended = _reap(guest)
            if ended is not None:
                code = os.waitstatus_to_exitcode(ended)
                break
    with contextlib.suppress(OSError):
        os.killpg(guest, signal.SIGKILL)  # where descendants cannot be found, it is at least those in its group
    processes.end_descendants()
    os._exit(code if code >= 0 else 128 - code)


def _reap(guest: int) -> int | None:
    """Bury all children that have ended, orphans of the guest too. Returns the status of the guest if it has."""
    found = None
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == guest:
                found = ended[1]
    return found


# -- the guest


def _serve(game: str, file: Path, kind: str, requests: IO[bytes], answers: IO[bytes]) -> None:
    """Say which process this is and what the bot needs, then answer requests until there are no more.

    Each is answered twice: when it has been read, from when on the bot's time counts, and with the move.
    """
    _answer(answers, {"move": str(os.getpid())})
    try:
        bot = _seat(_load(game, file, kind), game)
        needs = bot.needs if bot.needs in NEEDS else "worlds"
    except BaseException as error:
        _answer(answers, _failure(error))
        return
    _answer(answers, {"move": needs})
    while request := _next(requests):
        info, seed, other, seconds = pickle.loads(request)  # noqa: S301 - from the process that started this one
        _answer(answers, {"move": ""})
        # Beyond its time it is ended by the kernel. Who disarms this is found by ``guests``, where there is a /proc.
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            _seed_everything(other)
            answer = {"move": str(bot.choose(info.with_chance(FastChance(seed))))}
        except BaseException as error:
            answer = _failure(error)
        signal.setitimer(signal.ITIMER_PROF, 0)
        _answer(answers, answer)


def _limit_memory(megabytes: int) -> None:
    size = megabytes << 20
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _seat(kind: type, game: str) -> Bot:
    """Return a bot of that class: one of ours, or one that the game knows how to seat. Raises BadOption."""
    if issubclass(kind, Bot):
        return kind()
    if guests := catalogue.part(game, "guests"):
        return cast(Bot, guests.seat(kind))
    raise BadOption(f"{kind.__name__} is no bot for {game}: a bot extends games.core.Bot.")


def _load(game: str, file: Path, kind: str) -> type:
    """Import the file and return its class. Raises BadOption, and whatever the file raises.

    What lies beside a bot can be imported. Where the game has an interface of its own for bots (``guests.API``), its
    modules named in ``guests.OURS`` are the game's even if there are others of these names beside the bot.
    """
    folders = [str(file.parent)]
    if guests := catalogue.part(game, "guests"):
        sys.path.insert(0, str(guests.API))
        for name in guests.OURS:
            importlib.import_module(name)
        folders.append(str(sys.path.pop(0)))
        if file.stem in guests.OURS:
            raise BadOption(f"A bot's file cannot be called {file.name}: that is a module it may import.")
    sys.path[:0] = folders
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise BadOption(f"{file.name} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    found = getattr(module, kind, None)
    if not isinstance(found, type):
        kinds = [name for name, value in vars(module).items() if isinstance(value, type) and name != Bot.__name__]
        raise BadOption(f"{file.name} has no class {kind}. It has: {', '.join(kinds) or 'none'}.")
    return found


def _seed_everything(seed: str) -> None:
    """Make the draws of a bot that uses the usual generators the same in every run."""
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(int(seed) % (1 << 32))


def _failure(error: BaseException) -> dict[str, str]:
    if isinstance(error, BadOption):
        return {"kind": "BadOption", "error": str(error)}
    with contextlib.suppress(Exception):
        text = "".join(traceback.format_exception(error))
        return {"kind": type(error).__name__, "error": text[-8000:]}
    return {"kind": "error", "error": "An error that cannot be shown."}


def _next(requests: IO[bytes]) -> bytes:
    """Return the next request; nothing when there are no more."""
    head = requests.read(4)
    return requests.read(struct.unpack(">I", head)[0]) if len(head) == 4 else b""


def _answer(answers: IO[bytes], answer: dict[str, str]) -> None:
    message = json.dumps(answer).encode()
    answers.write(struct.pack(">I", len(message)) + message)
    answers.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
