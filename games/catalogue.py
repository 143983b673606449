"""Where games come from: shelves that are asked for a name. The site and the command line know games from here only.

The house's own games stand on the first shelf: every folder beside this file that has a ``rules.md`` and a ``game.py``
is one, so a new game is entered nowhere. Other shelves hold games that are made of texts.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Protocol

from games.core import Game

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
        """Return the names of all games on it, listed or not, in the order in which they stand."""

    def find(self, name: str) -> Game | None:
        """Return the game of that name, None when it stands elsewhere. Raises UnreadableGame."""


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
    """A folder of texts, each of which is a game: ``NAME.suffix``. ``read`` makes a game of a name and its text."""

    def __init__(self, title: str, folder: Path, suffix: str, read: Callable[[str, str], Game]) -> None:
        self.title = title
        self._folder = folder
        self._suffix = suffix
        self._read = cache(read)

    def names(self) -> Sequence[str]:
        return sorted(path.stem for path in self._folder.glob(f"*{self._suffix}"))

    def find(self, name: str) -> Game | None:
        if name not in self.names():
            return None
        path = self._folder / f"{name}{self._suffix}"
        try:
            return self._read(name, path.read_text(encoding="utf-8"))
        except Exception as error:
            raise UnreadableGame(f"{path.name} is no game: {error}") from error


shelves: list[Shelf] = [HouseShelf()]


def find(name: str) -> Game:
    """Return the game of that name. Raises UnknownGame, UnreadableGame."""
    for shelf in shelves:
        if game := shelf.find(name):
            return game
    known = [found for shelf in shelves for found in shelf.names()]
    raise UnknownGame(f"There is no game {name[:40]!r}. There are: {', '.join(known)}.")


def listed(shelf: Shelf | None = None) -> list[Game]:
    """Return the games that the lobby shows: of one shelf, or of all. What cannot be read is left out, and logged."""
    found = []
    for one in shelves if shelf is None else [shelf]:
        for name in one.names():
            try:
                game = one.find(name)
            except UnreadableGame as error:
                log.warning("%s", error)
                continue
            if game and game.listed:
                found.append(game)
    return found


def featured() -> Game:
    """Return the game that stands first: what the house plays by itself."""
    return listed()[0]


def part(name: str, module: str) -> ModuleType | None:
    """Return what else a game of the house brings, ``games/NAME/MODULE.py``; None when it brings no such thing.

    ``commands`` add to the command line, ``guests`` seat bots that were written for another interface than ours.
    """
    if name in _folders() and (HOUSE / name / f"{module}.py").exists():
        return import_module(f"games.{name}.{module}")
    return None


@cache
def _folders() -> frozenset[str]:
    return frozenset(page.parent.name for page in HOUSE.glob("*/rules.md") if page.with_name("game.py").exists())
