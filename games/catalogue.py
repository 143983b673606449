"""The catalogue: finds games and bots by name. The site and the command line know games only through it.

Games come from providers. The first one has the built-in games: every folder beside this file with a ``rules.md`` and a
``game.py`` is a game, so a new game need not be registered. The others make games of texts: a folder with a
``provider.py``, which names the folder of texts and reads one, is such a provider.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from os import listdir
from pathlib import Path
from types import ModuleType
from typing import Protocol

from games.core import BadOption, Bot, Game
from games.core.texts import read_beside, read_text
from games.search import bots as search_bots

GAMES = Path(__file__).parent

log = logging.getLogger(__name__)


class UnknownGame(LookupError):
    """No game has that name; the message lists the games there are."""


class UnreadableGame(Exception):
    """There is a file of that name, but it is not a valid game; the message says why, for its author."""


class Provider(Protocol):
    """A source of games. If two providers have a game of the same name, the first one wins."""

    title: str  # shown in the lobby

    def names(self) -> Sequence[str]:
        """Return the names of its games that may be published, listed or not, in display order."""

    def find(self, name: str) -> Game | None:
        """Return the game of that name; None if this provider does not have it. Raises UnreadableGame."""

    def title_of(self, name: str) -> str | None:
        """Return the title of that game, without reading the whole game if that is slow; else as ``find``."""


class BuiltInGames:
    """The games in the folders beside this file. Each is imported when it is first asked for."""

    title = "House games"

    def names(self) -> Sequence[str]:
        return sorted(_folders(), key=self._place)

    def _place(self, name: str) -> tuple[bool, str]:
        try:
            game = self._load(name)
        except UnreadableGame:
            return True, name
        return not game.featured, game.title

    def find(self, name: str) -> Game | None:
        return self._load(name) if name in _folders() else None

    def title_of(self, name: str) -> str | None:
        game = self.find(name)
        return game.title if game else None

    @staticmethod
    @cache
    def _load(name: str) -> Game:
        try:
            game = import_module(f"games.{name}.game").GAME
        except Exception as error:
            raise UnreadableGame(f"games/{name}/game.py cannot be imported: {error!r}") from error
        if not isinstance(game, Game) or game.name != name:
            raise UnreadableGame(f"games/{name}/game.py must define GAME, a Game whose name is {name!r}.")
        return game


class TextFolder:
    """A folder of texts ``NAME.suffix``, each of which is a game.

    ``read`` takes a name, its text, and the contents of the files with that name and the suffixes ``beside`` ("" for a
    missing file), and returns a game.
    """

    def __init__(
        self, title: str, folder: Path, suffix: str, read: Callable[..., Game], beside: Sequence[str] = ()
    ) -> None:
        self.title = title
        self.suffix = suffix
        self._folder = folder
        self._beside = beside
        self._read = cache(read)
        self._games: dict[Path, tuple[object, Game]] = {}  # each with the stamps of its files when it was read

    def names(self) -> Sequence[str]:
        return sorted(path.stem for path in self._folder.glob(f"*{self.suffix}"))

    def find(self, name: str) -> Game | None:
        if f"{name}{self.suffix}" not in listdir(self._folder):  # not a path: the name may come from a client
            return None
        return self.read(self._folder / f"{name}{self.suffix}")

    def title_of(self, name: str) -> str | None:
        game = self.find(name)
        return game.title if game else None

    def read(self, path: Path) -> Game:
        """Return the game of the text at any path, read again if a file has changed. Raises UnreadableGame."""
        stamps = [_stamp(path), *(_stamp(path.with_suffix(suffix)) for suffix in self._beside)]
        known = self._games.get(path)
        if known and known[0] == stamps:
            return known[1]
        try:
            game = self._read(path.stem, read_text(path), *read_beside(path, self._beside))
        except OSError as error:
            raise UnreadableGame(f"{path} cannot be read: {error.strerror}") from error
        except Exception as error:
            lines = str(error).splitlines()
            reason = "\n".join(["", *lines]) if len(lines) > 1 else f" {error}"
            raise UnreadableGame(f"{path.name} is not a valid game:{reason}") from error
        self._games[path] = stamps, game
        return game


def _stamp(path: Path) -> tuple[int, ...] | None:
    """Return what changes when a file is written or replaced; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _text_folders() -> list[Provider]:
    """Return the built-in folders of texts: those beside this file that have a ``provider.py``."""
    folders: list[Provider] = []
    for path in sorted(GAMES.glob("*/provider.py")):
        provider = import_module(f"games.{path.parent.name}.provider")
        suffix, *beside = provider.SUFFIXES
        folders.append(TextFolder(provider.TITLE, provider.FOLDER, suffix, provider.read, beside))
    return folders


providers: list[Provider] = [BuiltInGames(), *_text_folders()]


def find(name: str) -> Game:
    """Return the game of that name. Raises UnknownGame, UnreadableGame."""
    for provider in providers:
        if game := provider.find(name):
            return game
    known = [other for provider in providers for other in provider.names()]
    raise UnknownGame(f"There is no game {name[:40]!r}. There are: {', '.join(known)}.")


def title_of(name: str) -> str:
    """Return the title of the game of that name. Raises UnknownGame, UnreadableGame."""
    for provider in providers:
        if title := provider.title_of(name):
            return title
    return find(name).title


def find_or_read(asked: str) -> Game:
    """Return the game of that name, or of the text at that path.

    Only for the command line: the site must not read arbitrary paths. Raises UnknownGame, UnreadableGame.
    """
    for provider in providers:
        if isinstance(provider, TextFolder) and asked.endswith(provider.suffix):
            return provider.read(Path(asked))
    return find(asked)


def listed(provider: Provider | None = None) -> list[Game]:
    """Return the games the lobby shows, of one provider or of all. Unreadable games are skipped and logged."""
    return list(_listed(providers if provider is None else [provider]))


def _listed(some: Sequence[Provider]) -> Iterator[Game]:
    for one in some:
        for name in one.names():
            try:
                game = one.find(name)
            except UnreadableGame as error:
                log.warning("%s", error)
                continue
            if game and game.listed:
                yield game


def featured() -> Game:
    """Return the first game of the lobby. The site's own bots play it when nobody else plays."""
    return next(_listed(providers))  # without reading the games after it


def watched() -> list[Game]:
    """Return the built-in games worth watching, the featured one first; only that one if there are none."""
    return [game for game in listed(providers[0]) if game.watched] or [featured()]


def bots(game: Game) -> tuple[type[Bot], ...]:
    """Return the bots people can play against: the game's own, the house bot first, then those that play any game.

    A bot of the game replaces a general one of the same name.
    """
    own = {kind.name for kind in game.bots}
    return (*game.bots, *(kind for kind in search_bots.LEVELS if kind.name not in own))


def bot(game: Game, name: str, seats: int | None = None) -> Bot:
    """Return a bot by name: one of ``bots(game)``, or one with parameters such as ``pimc-10``.

    ``seats`` is the number of seats at its table, if known. Raises BadOption, listing the bots there are.
    """
    if name not in {kind.name for kind in game.bots} and (search_bot := search_bots.bot_named(name, seats)):
        return search_bot
    try:
        return game.bot(name)
    except BadOption:
        known = ", ".join([kind.name for kind in bots(game)] + list(search_bots.EXAMPLES))
        raise BadOption(f"{game.title} has no bot {name[:40]!r}. It has: {known}.") from None


def part(name: str, module: str) -> ModuleType | None:
    """Return the optional module ``games/NAME/MODULE.py`` of a built-in game; None if there is none.

    ``plugins`` adapts plug-in bots that were written for another interface.
    """
    if name in _folders() and (GAMES / name / f"{module}.py").exists():
        return import_module(f"games.{name}.{module}")
    return None


def commands() -> dict[str, ModuleType]:
    """Return the ``commands`` modules of the folders beside this file, by folder: each adds to the command line."""
    names = sorted(path.parent.name for path in GAMES.glob("*/commands.py"))
    return {name: import_module(f"games.{name}.commands") for name in names}


@cache
def _folders() -> frozenset[str]:
    return frozenset(page.parent.name for page in GAMES.glob("*/rules.md") if page.with_name("game.py").exists())
