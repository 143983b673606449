"""The games of the site.

A table may be older than its game, and a game may be a text that cannot be read. Neither may break a page: such games
are left out of lists, and refused by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import structlog
from django.utils.translation import gettext as _

from cardsite.refusal import Refused
from cardsite.translations import language
from games import catalogue
from games.core import Game
from games.core.chance import FastChance

LENGTHS = (5, 10, 20)  # minutes, for filters by length

log = structlog.get_logger(__name__)


class GameSection(NamedTuple):
    """The games that the lobby shows under one heading; at least one."""

    title: str
    games: list[Game]


def sections() -> list[GameSection]:
    """Return the sections that have games, with those games, in the catalogue's order."""
    found = [GameSection(section.title, catalogue.listed(section)) for section in catalogue.providers]
    return [section for section in found if section.games]


def find_game(name: str) -> Game:
    """Return the game of that name, listed or not. Raises Refused when there is none, or it cannot be read."""
    try:
        return catalogue.find(name)
    except catalogue.UnknownGame:
        pass
    except catalogue.UnreadableGame as error:
        log.error("could not read a game", game=name, why=str(error))
    raise Refused("no_game", _("This game is no longer available. Choose another one on the front page."))


@lru_cache(maxsize=1000)  # names: games of the workshop are added and removed
def has_board(name: str) -> bool:
    """Return whether one of the site's own games has a board, from its first position; False for others."""
    game = next((game for game in catalogue.listed(catalogue.providers[0]) if game.name == name), None)
    if game is None:
        return False
    view = game.view(game.new(game.default_seats, {}, FastChance("any")), None)
    return any(view.get(what) for what in ("tracks", "grids", "odds"))


def words_of(name: str) -> Mapping[str, str]:
    """Return the sentences of a game in this request's language; none if it is gone."""
    try:
        return catalogue.find(name).words(language())
    except (catalogue.UnknownGame, catalogue.UnreadableGame):
        return {}


def title_of(name: str) -> str:
    """Return the title of a game, or its name if it is gone."""
    try:
        return catalogue.title_of(name)
    except (catalogue.UnknownGame, catalogue.UnreadableGame):
        return name.replace("-", " ").capitalize()
