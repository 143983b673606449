"""All games by name. The site and the command line know games from here only."""

from __future__ import annotations

from games.bundles.rules import BUNDLES
from games.camelup.rules import CAMEL_UP
from games.core import Game
from games.enchere.rules import ENCHERE
from games.hamsterdam.rules import HAMSTERDAM
from games.thief.rules import HEIST

GAMES: dict[str, Game] = {game.name: game for game in (HAMSTERDAM, BUNDLES, ENCHERE, CAMEL_UP, HEIST)}


class UnknownGame(LookupError):
    """No game has that name; the text lists those there are."""


def find(name: str) -> Game:
    """Return the game of that name. Raises UnknownGame."""
    try:
        return GAMES[name]
    except KeyError:
        raise UnknownGame(f"There is no game {name!r}. There are: {', '.join(GAMES)}.") from None
