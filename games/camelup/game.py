"""The facts of Camel Up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.camelup import audit, engine, logs
from games.camelup.bots import OddsBot, RandomBot, StrongBot
from games.camelup.encoding import CamelUpEncoder
from games.camelup.master import MasterBot
from games.camelup.options import OPTIONS, terms_of
from games.camelup.rules import CamelUpState, Observation
from games.camelup.table import render
from games.camelup.teaching import ABOUT, TIPS, why_not
from games.camelup.terms import MAX_SEATS
from games.core import BadOption, Bot, Chance, Game
from games.core.game import LogRow
from games.core.handicap import Handicap, handicaps
from games.core.messages import message
from games.core.options import Options, whole
from games.core.view import Drawing, Sentence, word

MOST_ROLLOUTS = 1_000_000  # a decision of the master


class CamelUp(Game):
    """Bet on a race in which camels that are landed on carry others. Source: ``rules.py``."""

    name = "camelup"
    title = "Camel Up"
    summary = (
        "Five camels race and climb on each other's backs. Bet on the leg and on the race, and place tiles in the sand."
    )
    rules_version = "1"
    min_seats = 2
    max_seats = MAX_SEATS
    default_seats = 4
    minutes = 25
    options = OPTIONS
    handicap = Handicap(word("Coins"), low=-2, high=10)
    bots: tuple[type[Bot], ...] = (OddsBot, RandomBot, StrongBot, MasterBot)
    tips = TIPS
    about = ABOUT

    def check_seats(self, seats: int) -> int:
        """Return ``seats`` if the game takes so many; one is for the rules of the series: see ``start``."""
        return seats if seats == 1 else super().check_seats(seats)

    def bot(self, name: str) -> Bot:
        """Return a bot of that kind. "master-9000" makes so many roll-outs a decision. Raises BadOption.

        "odds" is another name of the house bot, and "RandomBot", from the series, one of the random bot.
        """
        kind, dash, number = name.partition("-")
        if dash and kind == MasterBot.name:
            rollouts = whole(number)
            if rollouts is None or not 1 <= rollouts <= MOST_ROLLOUTS:
                raise BadOption(f"{kind} takes a number from 1 to {MOST_ROLLOUTS:,}, not {number[:40]!r}.")
            return MasterBot(rollouts)
        return super().bot({"RandomBot": "random", "odds": "house"}.get(name, name))

    def start(self, seats: int, options: Options, chance: Chance) -> CamelUpState:
        """Put the camels on the track. Raises BadOption for options that contradict each other."""
        terms = terms_of(tuple(options.items()))
        official = options["rules"] == "official"
        if seats == 1 and official:
            text = message(
                "{game} takes {seats}; with rules=series, one person may play alone.",
                game=self.title,
                seats=self.seats_in_words,
            )
            raise BadOption(text)
        position = engine.start(terms, seats, chance)
        if official:
            position.mover = position.opener = chance.randbelow(seats)
        parts = audit.check_start(position)
        if any(more := handicaps(options, seats)):
            position.money = tuple([coins + extra for coins, extra in zip(position.money, more, strict=True)])
            parts = audit.parts(position)
        return CamelUpState(position, chance, odds=options["odds"] == "allowed", parts=parts)

    def encoder(self, seats: int, options: Options) -> CamelUpEncoder:
        return CamelUpEncoder(seats, terms_of(tuple(options.items())))

    def render(self, observation: Observation) -> Drawing:
        return render(observation)

    def why_not(self, observation: Observation, touched: str) -> Sentence | None:
        return why_not(observation, touched) or super().why_not(observation, touched)

    def log_rows(
        self, seats: int, options: Options, chance: Chance, moves: Sequence[tuple[int, str]]
    ) -> Iterator[LogRow]:
        """Yield the rows of a match as the game logs of the series have them."""
        return logs.rows(self.start(seats, options, chance).position, chance, moves)


GAME = CamelUp()
