"""Where games come from: shelves that are asked for a name. The site and the command line know games from here only.

The house's own games stand on the first shelf: every folder beside this file that has a ``rules.md`` and a ``game.py``
is one, so a new game is entered nowhere. Other shelves hold games that are made of texts: a folder that has a
``shelf.py``, which says where the texts are and how they are read, is such a shelf.
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
from games.search import named
from games.search.levels import LEVELS

HOUSE = Path(__file__).parent

log = logging.getLogger(__name__)


class UnknownGame(LookupError):
    """No game has that name; the text lists those there are."""


class UnreadableGame(Exception):
    """There is something of that name, but no game can be made of it; the text says why, for its author."""


class Shelf(Protocol):
    """A place where games stand. Names are unique over all shelves: of two games of a name the first is found."""

    title: str  # as the lobby shows it

    def names(self) -> Sequence[str]:
        """Return the names of the games on it that may be told, listed or not, in the order in which they stand."""

    def find(self, name: str) -> Game | None:
        """Return the game of that name, None when it stands elsewhere. Raises UnreadableGame."""

    def title_of(self, name: str) -> str | None:
        """Return what that game is called, without reading it if that takes long; None and raises as ``find``."""


class HouseShelf:
    """The games that come with the house, a folder each. They are imported when they are asked for."""

    title = "The house's games"

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


class TextShelf:
    """A folder of texts, each of which is a game: ``NAME.suffix``.

    ``read`` makes a game of a name and its text, and of the texts ``beside`` it, files of that name with other suffixes
    ("" where there is none).
    """

    def __init__(
        self, title: str, folder: Path, suffix: str, read: Callable[..., Game], beside: Sequence[str] = ()
    ) -> None:
        self.title = title
        self.suffix = suffix
        self._folder = folder
        self._beside = beside
        self._read = cache(read)

    def names(self) -> Sequence[str]:
        return sorted(path.stem for path in self._folder.glob(f"*{self.suffix}"))

    def find(self, name: str) -> Game | None:
        if f"{name}{self.suffix}" not in listdir(self._folder):  # a name that a stranger sends is no path
            return None
        return self.read(self._folder / f"{name}{self.suffix}")

    def title_of(self, name: str) -> str | None:
        game = self.find(name)
        return game.title if game else None

    def read(self, path: Path) -> Game:
        """Return the game of a text, wherever that lies. Raises UnreadableGame."""
        try:
            return self._read(path.stem, read_text(path), *read_beside(path, self._beside))
        except OSError as error:
            raise UnreadableGame(f"{path} cannot be read: {error.strerror}") from error
        except Exception as error:
            lines = str(error).splitlines()
            told = "\n".join(["", *lines]) if len(lines) > 1 else f" {error}"
            raise UnreadableGame(f"{path.name} is no game:{told}") from error


def _text_shelves() -> list[Shelf]:
    """Return the shelves of texts that come with the house: folders beside this file that have a ``shelf.py``."""
    found: list[Shelf] = []
    for path in sorted(HOUSE.glob("*/shelf.py")):
        shelf = import_module(f"games.{path.parent.name}.shelf")
        suffix, *beside = shelf.SUFFIXES
        found.append(TextShelf(shelf.TITLE, shelf.FOLDER, suffix, shelf.read, beside))
    return found


shelves: list[Shelf] = [HouseShelf(), *_text_shelves()]


def find(name: str) -> Game:
    """Return the game of that name. Raises UnknownGame, UnreadableGame."""
    for shelf in shelves:
        if game := shelf.find(name):
            return game
    known = [found for shelf in shelves for found in shelf.names()]
    raise UnknownGame(f"There is no game {name[:40]!r}. There are: {', '.join(known)}.")


def title_of(name: str) -> str:
    """Return what the game of that name is called. Raises UnknownGame, UnreadableGame."""
    for shelf in shelves:
        if title := shelf.title_of(name):
            return title
    return find(name).title


def find_or_read(asked: str) -> Game:
    """Return the game of that name; or that of the text at this path, which stands on no shelf.

    For whoever may read files here, so not for the site. Raises UnknownGame, UnreadableGame.
    """
    for shelf in shelves:
        if isinstance(shelf, TextShelf) and asked.endswith(shelf.suffix):
            return shelf.read(Path(asked))
    return find(asked)


def listed(shelf: Shelf | None = None) -> list[Game]:
    """Return the games that the lobby shows: of one shelf, or of all. What cannot be read is left out, and logged."""
    return list(_listed(shelves if shelf is None else [shelf]))


def _listed(some: Sequence[Shelf]) -> Iterator[Game]:
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
    """Return the game that stands first: what the house plays by itself."""
    return next(_listed(shelves))  # without reading those that stand after it


def watched() -> list[Game]:
    """Return the games of the house that are good to watch, the featured one first; where there are none, that one."""
    return [game for game in listed(shelves[0]) if game.watched] or [featured()]


def bots(game: Game) -> tuple[type[Bot], ...]:
    """Return the kinds of bots that sit at a game's tables: its own, the house bot first, then those that play any.

    A game that has a bot of its own by the name of one of these keeps its own.
    """
    own = {kind.name for kind in game.bots}
    return (*game.bots, *(kind for kind in LEVELS if kind.name not in own))


def bot(game: Game, name: str, seats: int | None = None) -> Bot:
    """Return a bot that plays a game: one that sits at its tables, or one that is written with numbers, as ``pimc-10``.

    ``seats``: how many there are where it plays, if that is known. Raises BadOption, listing what there is.
    """
    if name not in {kind.name for kind in game.bots} and (found := named.bot(name, seats)):
        return found
    try:
        return game.bot(name)
    except BadOption:
        known = ", ".join([kind.name for kind in bots(game)] + list(named.FORMS))
        raise BadOption(f"{game.title} has no bot {name[:40]!r}. It has: {known}.") from None


def part(name: str, module: str) -> ModuleType | None:
    """Return what else a game of the house brings, ``games/NAME/MODULE.py``; None when it brings no such thing.

    ``guests`` seat bots that were written for another interface than ours.
    """
    if name in _folders() and (HOUSE / name / f"{module}.py").exists():
        return import_module(f"games.{name}.{module}")
    return None


def commands() -> dict[str, ModuleType]:
    """Return what folders beside this file add to the command line, by folder: games, and what games are made by."""
    found = sorted(path.parent.name for path in HOUSE.glob("*/commands.py"))
    return {name: import_module(f"games.{name}.commands") for name in found}


@cache
def _folders() -> frozenset[str]:
    return frozenset(page.parent.name for page in HOUSE.glob("*/rules.md") if page.with_name("game.py").exists())
