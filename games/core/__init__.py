"""What all games share: game, state, moves, views, chance, matches and the bots' interface."""

from games.core.bot import Bot, Information, RandomBot
from games.core.chance import Chance, FastChance, SealedChance, Witness
from games.core.game import Game, RigPolicy
from games.core.match import BadRecord, Match, OtherRules, Record
from games.core.moves import BadOption, IllegalMove, RulesFailed
from games.core.options import Option
from games.core.sight import Sight
from games.core.state import State
from games.core.view import LogEntry, View

__all__ = [
    "BadOption",
    "BadRecord",
    "Bot",
    "Chance",
    "FastChance",
    "Game",
    "IllegalMove",
    "Information",
    "LogEntry",
    "Match",
    "Option",
    "OtherRules",
    "RandomBot",
    "Record",
    "RigPolicy",
    "RulesFailed",
    "SealedChance",
    "Sight",
    "State",
    "View",
    "Witness",
]
