"""The bots of Camel Up. They see only their copy of the race, where others' race bets are hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.camelup.rules_engine import get_valid_kinds
from games.core import Bot, Information

if TYPE_CHECKING:
    from games.camelup.table import Observation


class RandomBot(Bot):
    """Any kind of move that is open, each equally likely, and any move of that kind."""

    name = "random"
    title = "Random"

    def choose(self, info: Information) -> str:
        seen: Observation = info.observation
        kinds = [moves for moves in get_valid_kinds(seen.position, info.seat) if moves]
        return info.chance.choice(info.chance.choice(kinds))


class OddsBot(RandomBot):
    name = "house"
    title = "House AI"


class StrongBot(RandomBot):
    name = "strong"
    title = "Strong"
