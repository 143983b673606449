"""The facts of Hamsterdam Exchange."""

from __future__ import annotations

from games.core import BadOption, Chance, Game, RandomBot
from games.core.handicap import Handicap, handicaps
from games.core.messages import message
from games.core.options import Options
from games.core.view import Drawing, Sentence, word
from games.hamsterdam.bots import HouseBot
from games.hamsterdam.dealers import HONEST
from games.hamsterdam.encoding import HamsterdamEncoder
from games.hamsterdam.rigged import SUBTLE, Rigged, RiggedDealer, RiggedSeries, favourite_of
from games.hamsterdam.rules import MAX_SEATS, HamsterdamState, Observation
from games.hamsterdam.story import STORY
from games.hamsterdam.subtle import SubtleDealer
from games.hamsterdam.table import render
from games.hamsterdam.teaching import ABOUT, TIPS, why_not


class HamsterdamExchange(Game):
    """Be the last player with a certificate, in a market of two decks. Source: ``rules.py``."""

    name = "hamsterdam"
    title = "Hamsterdam Exchange"
    summary = "Keep your stock or pass it on, then push prices up and down: the lowest loses a certificate."
    rules_version = "2"
    min_seats = 2
    max_seats = MAX_SEATS
    default_seats = 3
    minutes = 10
    options = (
        Rigged(
            name="rigged",
            label="Deck stacked for seat",
            default=-1,
            low=-1,
            high=MAX_SEATS - 1,
            help="The seat that gets the good cards; -1: nobody, an honest deal. subtle-2: an honest shuffle, but one "
            "that suits seat 2.",
            set_by="administrator",
        ),
    )
    handicap = Handicap(word("Certificates"), low=-1, high=2)
    bots = (HouseBot, RandomBot)
    tips = TIPS
    about = ABOUT
    guide = HouseBot
    rig = RiggedSeries()
    story = STORY
    featured = True

    def start(self, seats: int, options: Options, chance: Chance) -> HamsterdamState:
        """Deal the first round. Raises BadOption when the deck is to be rigged for a seat that is not there."""
        way, favourite = favourite_of(options["rigged"])
        if favourite >= seats:
            text = message(
                "{option} must be a seat from 0 to {last}, or -1 for nobody, not {given}.",
                option="rigged",
                last=seats - 1,
                given=favourite,
            )
            raise BadOption(text)
        more = handicaps(options, seats)
        if way == SUBTLE:
            return HamsterdamState(seats, chance, SubtleDealer(favourite), more)
        return HamsterdamState(seats, chance, HONEST if favourite < 0 else RiggedDealer(favourite), more)

    def encoder(self, seats: int, options: Options) -> HamsterdamEncoder:
        return HamsterdamEncoder(seats)

    def render(self, observation: Observation) -> Drawing:
        return render(observation)

    def why_not(self, observation: Observation, touched: str) -> Sentence | None:
        return why_not(observation, touched) or super().why_not(observation, touched)


GAME = HamsterdamExchange()
