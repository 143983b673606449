"""The process of one guest: ``python -m games.lab.guest_process GAME FILE.py CLASS``, started by ``guests``.

It reads requests from its standard input and answers on its standard output; what the guest itself prints goes to
standard error.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import pickle
import random
import resource
import signal
import struct
import sys
import traceback
from pathlib import Path
from typing import IO

from games import catalogue
from games.core import BadOption, Bot, FastChance, Game, Information

GRACE = 2.0  # seconds after the limit, when a process whose parent is gone ends itself


def main(game: str, file: str, kind: str) -> None:
    """Answer requests until there are no more."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    _limit_memory()
    found = catalogue.find(game)
    try:
        bot = found.guest(_load(found, Path(file), kind))
    except BaseException as error:
        _answer(answers, _failure(error))
        return
    _answer(answers, {"move": "ready"})
    while request := _next(requests):
        state, seat, seed, seconds = pickle.loads(request)  # noqa: S301 - from the process that started this one
        signal.setitimer(signal.ITIMER_REAL, seconds + GRACE)
        try:
            _seed_everything(seed)
            answer = {"move": str(bot.choose(Information(state, seat, FastChance(seed))))}
        except BaseException as error:
            answer = _failure(error)
        signal.setitimer(signal.ITIMER_REAL, 0)
        _answer(answers, answer)


def _limit_memory() -> None:
    size = int(os.environ.get("HAMSTERDAM_GUEST_MEGABYTES", "2048")) << 20
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _load(game: Game, file: Path, kind: str) -> type:
    """Import the file and return its class. Raises BadOption, and whatever the file raises."""
    sys.path[:0] = [*map(str, game.guest_path), str(file.parent)]  # a bot may lie beside the API it was written for
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
