"""The facts of Stealing Bundles."""

from __future__ import annotations

from games.bundles.bots import HouseBot
from games.bundles.encoding import BundlesEncoder
from games.bundles.rules import BundlesState, Observation
from games.bundles.story import STORY
from games.bundles.table import render
from games.bundles.teaching import ABOUT, TIPS, why_not
from games.core import Chance, Game, RandomBot
from games.core.options import Options
from games.core.view import Drawing, Sentence


class StealingBundles(Game):
    """Catch cards of your rank, or another player's whole bundle. Source: ``rules.py``."""

    name = "bundles"
    title = "Stealing Bundles"
    summary = "Catch cards of the same rank from the pool, or steal the whole bundle of somebody else."
    rules_version = "1"
    min_seats = 2
    max_seats = 4
    default_seats = 4
    minutes = 8
    bots = (HouseBot, RandomBot)
    tips = TIPS
    about = ABOUT
    story = STORY

    def start(self, seats: int, options: Options, chance: Chance) -> BundlesState:
        return BundlesState(seats, chance)

    def encoder(self, seats: int, options: Options) -> BundlesEncoder:
        return BundlesEncoder(seats)

    def render(self, observation: Observation) -> Drawing:
        return render(observation)

    def why_not(self, observation: Observation, touched: str) -> Sentence | None:
        return why_not(observation, touched) or super().why_not(observation, touched)


GAME = StealingBundles()
