"""What every game agrees on: game, state, move, view, chance, match and the bots' interface."""

from games.core.bot import Bot, Information, RandomBot
from games.core.chance import Chance, FastChance, SealedChance, Witness
from games.core.game import Command, Game, Option, RigPolicy, State, winners
from games.core.match import BadRecord, Match, Record
from games.core.moves import BadOption, IllegalMove
from games.core.view import Line, View

__all__ = [
    "BadOption",
    "BadRecord",
    "Bot",
    "Chance",
    "Command",
    "FastChance",
    "Game",
    "IllegalMove",
    "Information",
    "Line",
    "Match",
    "Option",
    "RandomBot",
    "Record",
    "RigPolicy",
    "SealedChance",
    "State",
    "View",
    "Witness",
    "winners",
]
