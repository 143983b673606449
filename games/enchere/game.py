"""The facts of Enchère."""

from __future__ import annotations

from games.core import Bot, Chance, Game, Option, RandomBot
from games.core.handicap import Handicap, handicaps
from games.core.options import Options
from games.core.view import Drawing, Sentence, word
from games.enchere.auction import SEATS, VERSIONS
from games.enchere.bots import HouseBot, RuleOfThumb
from games.enchere.encoding import EnchereEncoder
from games.enchere.rules import DEFAULT_TARGET, MAX_TARGET, ONE_ROUND, EnchereState, Observation
from games.enchere.table import render
from games.enchere.teaching import ABOUT, TIPS, why_not


class Enchere(Game):
    """Bid blind for prizes, in three versions. Source: ``rules.py``."""

    name = "enchere"
    title = "Enchère"
    summary = "Three bidders, one card each, all at once: win the prizes, and mind how ties are broken."
    rules_version = "1"
    min_seats = max_seats = default_seats = SEATS
    minutes = 15
    options = (
        Option(
            name="version",
            label="Version",
            default="enchere",
            choices=tuple(VERSIONS),
            names={version.name: version.title for version in VERSIONS.values()},
            help="Enchère: bid any card; aces 4, kings 2, queens 1. Avancée: follow suit, a spare, a Joker that costs "
            "10. Originale: follow suit, a spare, and only the best hand of prizes scores.",
        ),
        Option(
            name="target",
            label="Points to win",
            default=DEFAULT_TARGET,
            low=DEFAULT_TARGET,
            high=MAX_TARGET,
            names={DEFAULT_TARGET: "default: 50, 42, 42", ONE_ROUND: "a single round"},
            help="Rounds are played until somebody has this many points. 0: a single round.",
        ),
    )
    handicap = Handicap(word("Points"), low=-20, high=20)
    bots: tuple[type[Bot], ...] = (HouseBot, RandomBot)
    tips = TIPS
    about = ABOUT
    guide = RuleOfThumb  # random bids waste high cards on queens, so that keeping them would seem worthless
    guided = SEATS * max(version.hand for version in VERSIONS.values())  # one round of plies: random play is fair later

    def start(self, seats: int, options: Options, chance: Chance) -> EnchereState:
        version = VERSIONS[str(options["version"])]
        target = int(options["target"])
        target = version.target if target == DEFAULT_TARGET else target
        return EnchereState(version, target, chance, handicaps(options, seats))

    def encoder(self, seats: int, options: Options) -> EnchereEncoder:
        return EnchereEncoder()

    def render(self, observation: Observation) -> Drawing:
        return render(observation)

    def why_not(self, observation: Observation, touched: str) -> Sentence | None:
        return why_not(observation, touched) or super().why_not(observation, touched)


GAME = Enchere()
