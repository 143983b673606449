"""The facts of Card Thief, and its deal of the day."""

from __future__ import annotations

import hmac
from datetime import date

from games.core import Chance, Game, Option, RandomBot
from games.core.options import Options, OptionValue
from games.core.view import Drawing, Sentence
from games.thief.bots import GreedyBot, HouseBot
from games.thief.cards import LEVELS
from games.thief.encoding import HeistEncoder
from games.thief.rules import HeistState, Observation
from games.thief.table import render
from games.thief.teaching import ABOUT, TIPS, why_not


class HeistOfTheDay:
    """The deal of the day; implements ``games.core.game.DealOfTheDay``.

    The level follows the weekday: Monday 1, Thursday 4, Friday 1, Sunday 3.
    """

    def options(self, day: date) -> dict[str, OptionValue]:
        """Return the options of that day's heist."""
        return {"level": str(LEVELS[day.weekday() % len(LEVELS)]), "director": "on"}

    def seed(self, day: date, secret: bytes) -> bytes:
        """Return the seed of that day's heist."""
        return hmac.digest(secret, f"thief/daily/{day.isoformat()}".encode(), "sha256")


class CardThief(Game):
    """Draw a path past guards and torches, and get away with the Strongbox. Source: ``rules.py``."""

    name = "thief"
    title = "Card Thief"
    summary = "Alone in the dark: draw a path past guards and torches, and get away with the Strongbox."
    rules_version = "2"
    min_seats = max_seats = default_seats = 1
    minutes = 10
    watched = False  # one bot against the cards: not interesting to spectators
    options = (
        Option(
            name="level",
            label="Level",
            default="1",
            choices=tuple(map(str, LEVELS)),
            help="1: guards. 2: also wardens and wolves. 3: also owls. 4: also overseers.",
        ),
        Option(
            name="director",
            label="Dealing director",
            default="on",
            choices=("on", "off"),
            help="On: the deal keeps every board tense and helps a thief in trouble. Off: a plain shuffle.",
        ),
    )
    bots = (HouseBot, GreedyBot, RandomBot)
    tips = TIPS
    about = ABOUT
    guide = HouseBot  # random paths get caught, so random roll-outs say almost nothing
    daily = HeistOfTheDay()

    def start(self, seats: int, options: Options, chance: Chance) -> HeistState:
        """Shuffle and deal the first eight cards."""
        return HeistState(int(options["level"]), options["director"] == "on", chance)

    def encoder(self, seats: int, options: Options) -> HeistEncoder:
        return HeistEncoder()

    def render(self, observation: Observation) -> Drawing:
        return render(observation)

    def why_not(self, observation: Observation, touched: str) -> Sentence | None:
        return why_not(observation, touched) or super().why_not(observation, touched)


GAME = CardThief()
