"""The levels at which people can play against a bot that knows no game: budgets of one search, in play-outs.

They are the same for every game, and take from some hundredths of a second to several, as dear as its play-outs are. At
a table a clock has the last word (``Information.enough``): there a slow game gets fewer of them.
"""

from __future__ import annotations

from games.core import Bot, Information
from games.core.bot import Needs
from games.search.ismcts import decide


class _Level(Bot):
    """Tree search for ``playouts`` play-outs, or what the budget allows for."""

    needs: Needs = "worlds"
    playouts: int

    def choose(self, info: Information) -> str:
        return decide(info, min(self.playouts, info.budget))


class Easy(_Level):
    """Thinks a little."""

    name = "easy"
    title = "Easy"
    playouts = 40


class Medium(_Level):
    """Thinks more."""

    name = "medium"
    title = "Medium"
    playouts = 200


class Strong(_Level):
    """Thinks as much as it may, at most."""

    name = "strong"
    title = "Strong"
    playouts = 1000


LEVELS: tuple[type[Bot], ...] = (Easy, Medium, Strong)
