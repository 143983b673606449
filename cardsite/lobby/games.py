"""Which games there are, as the site asks for them.

A table may be older than its game, and a game may be a text that cannot be read: neither may break a page. What cannot
be had is left out of lists, and refused by name.
"""

from __future__ import annotations

from typing import NamedTuple

import structlog

from cardsite.refusal import Refused
from games import catalogue
from games.core import Game

log = structlog.get_logger(__name__)


class Shelf(NamedTuple):
    """The games that the lobby shows under one heading; never none."""

    title: str
    games: list[Game]


def shelves() -> list[Shelf]:
    """Return the shelves that have games to show, and those games, in the catalogue's order."""
    found = [Shelf(shelf.title, catalogue.listed(shelf)) for shelf in catalogue.shelves]
    return [shelf for shelf in found if shelf.games]


def find_game(name: str) -> Game:
    """Return the game of that name, listed or not. Raises Refused when there is none, or it cannot be read."""
    try:
        return catalogue.find(name)
    except catalogue.UnknownGame:
        pass
    except catalogue.UnreadableGame as error:
        log.error("a game cannot be read", game=name, why=str(error))
    raise Refused("no_game", "This game is not in the house any more. Choose another one on the front page.")


def title_of(name: str) -> str:
    """Return what to call a game of that name, even if it is gone."""
    try:
        return find_game(name).title
    except Refused:
        return name.replace("-", " ").capitalize()
