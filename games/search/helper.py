"""A bot that plays for another seat's win.

It is the search that all play with, and only the question is another: after which of my moves does *that* seat win?
It takes the others for players who go for their own results. So it needs nothing of a game.

What it goes for is the win, not the rank: by the rank a helper that drops out has helped already, for its favourite is
then no longer last.
"""

from __future__ import annotations

from games.core import Bot, Information
from games.core.bot import Needs
from games.search.ismcts import PLAYOUTS, decide


class Helper(Bot):
    """Searches for the move after which seat ``favourite`` wins most; in that seat it plays for its own result."""

    name = "helper"
    title = "Helper"
    needs: Needs = "worlds"

    def __init__(self, favourite: int = 0, playouts: int = PLAYOUTS) -> None:
        self.favourite = favourite
        self.playouts = playouts

    def choose(self, info: Information) -> str:
        return decide(info, self.playouts, self.favourite)
