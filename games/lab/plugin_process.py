"""The process of a plug-in bot: it loads the bot's file and answers requests for moves."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import os
import pickle
import random
import sys
import traceback
from pathlib import Path
from typing import Any, cast

from games import catalogue
from games.core import BadOption, Bot, FastChance
from games.core.bot import NEEDS
from games.jobs.child import OutOfTime

READ, CHOOSE = b"read", b"choose"  # requests; READ is followed by the information to decode
_here: dict[str, Any] = {}  # the bot, and the decoded information


def serve(game: str, file: str, kind: str, request: bytes) -> bytes:
    """Answer a request with {"move"}, or with {"kind", "error"} if the bot or its file fails.

    The first request, b"", loads the bot; the answer is what it needs. Each decision then takes two requests: one with
    the information, and one for the move. So importing the rules or compiling a text does not count as the bot's time.
    """
    try:
        if request == b"":
            os.chdir(Path(file).parent)
            bot = _here["bot"] = _seat(_load(game, Path(file), kind), game)
            return _answer(bot.needs if bot.needs in NEEDS else "determinizations")
        if request.startswith(READ):
            _here["asked"] = pickle.loads(request[len(READ) :])  # noqa: S301 - from the parent process
            return _answer("")
        info, seed, other = _here.pop("asked")
        _seed_everything(other)
        return _answer(str(_here["bot"].choose(info.with_chance(FastChance(seed)))))
    except OutOfTime:
        raise
    except BaseException as error:
        return json.dumps(_failure(error)).encode()


def _answer(move: str) -> bytes:
    return json.dumps({"move": move}).encode()


def _seat(kind: type, game: str) -> Bot:
    """Return an instance of the class: a Bot, or one that the game can adapt. Raises BadOption."""
    if issubclass(kind, Bot):
        return kind()
    if plugins := catalogue.part(game, "plugins"):
        return cast(Bot, plugins.adapted(kind))
    raise BadOption(f"{kind.__name__} is not a bot for {game}: it must extend games.core.Bot.")


def _load(game: str, file: Path, kind: str) -> type:
    """Import the file and return its class. Raises BadOption, and anything the file raises.

    A bot can import modules beside its file. If the game has its own interface for bots (``plugins.API``), the modules
    in ``plugins.OURS`` are the game's, even if the folder has others of the same name.
    """
    folders = [str(file.parent)]
    if plugins := catalogue.part(game, "plugins"):
        sys.path.insert(0, str(plugins.API))
        for name in plugins.OURS:
            importlib.import_module(name)
        folders.append(str(sys.path.pop(0)))
        if file.stem in plugins.OURS:
            raise BadOption(
                f"A bot's file cannot be called {file.name}: that is the name of a module bots import. Rename the file."
            )
    sys.path[:0] = folders
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise BadOption(f"{file.name} is not a Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    bot = getattr(module, kind, None)
    if not isinstance(bot, type):
        kinds = [name for name, value in vars(module).items() if isinstance(value, type) and name != Bot.__name__]
        raise BadOption(f"{file.name} has no class {kind}. It has: {', '.join(kinds) or 'none'}.")
    return bot


def _seed_everything(seed: str) -> None:
    """Make the draws of a bot that uses the usual generators reproducible."""
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
