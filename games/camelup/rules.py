"""Camel Up: bet on a race in which whoever is stepped on carries the other.

Five camels run over sixteen spaces. A leg is one roll of each camel's die, drawn one by one from the pyramid. On your
turn do exactly one of four things:

1. ``roll``: take a pyramid tile (a coin), draw a die, and move its camel by what it shows. Camels on its back ride
   along; a camel arriving where others stand gets on top of them.
2. ``tile + on 7``: put your desert tile on a space, or move it there: an oasis (+) sends a unit that lands on it one
   space on, a mirage (-) one back and under whatever stands there; either pays you a coin. The space must be free of
   camels and tiles, not be next to another player's tile, and not be the first.
3. ``bet blue``: take the top leg tile of a camel: 5, 3 or 2 coins if it leads when the leg ends, 1 if it is second,
   -1 otherwise.
4. ``race blue win`` or ``race blue lose``: put your race card of a camel face down on one of two piles. When the race
   is over the correct cards of each pile earn, in the order placed, 8, 5, 3, 2, 1, 1, ... coins; a wrong one costs 1.

A leg ends with its last die; the race, and with it the last leg, when a camel is past the last space. The further camel
is ahead, in one stack the higher one. Most coins win; a tie is a shared win.

``official``, the rules of the first edition: everybody starts with 3 coins; pyramid tiles pay when the leg ends, desert
tiles go back then; nobody falls below 0, but all that a player gets and pays in one scoring is added up first (a leg is
one scoring, each pile another). Who begins is drawn by lot. ``series``, the rules of a simulation for bots: 2 coins,
which can fall below 0; a roll pays at once; desert tiles stay until moved; a fourth correct race card earns 1; seat 0
begins.

After 100 turns in a row without a roll, desert tiles stay where they are until somebody rolls: so every match ends.

Draws: until all camels stand, ``below(camels not yet on the track)`` for the next one and ``below(faces)`` for its die;
in ``official``, ``below(seats)`` for who begins. A roll: ``below(dice left)`` picks one of them in the order of the
camels, ``below(faces)`` what it shows.

Source: Camel Up, Steffen Bogen, Pegasus Spiele 2014, and "Camel Up - Part 1", on a simulation of it; ``rules.md``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from games.camelup import engine, logs, news, table
from games.camelup.bots import OddsBot, RandomBot, StrongBot
from games.camelup.commands import ODDS
from games.camelup.guests import guest_bot
from games.camelup.position import HIDDEN, Position
from games.camelup.rules_engine import get_valid_moves
from games.camelup.table import Observation
from games.camelup.terms import COLOURS, Terms
from games.core import BadOption, Bot, Chance, Game, Option, State
from games.core.game import LogRow, Options, OptionValue
from games.core.view import View

# -- facts

MAX_SEATS = 8
MOST_LEG_TILES = 6
MOST_RACE_PAYS = 8
AS_RULED = -1  # for an option: what the rule set says


# -- state


class CamelUpState(State[Observation]):
    """A match of Camel Up: the engine's position, and the chance that rolls for it."""

    def __init__(self, position: Position, chance: Chance, *, odds: bool) -> None:
        self.seats = position.seats
        self.lines = []
        self.position = position
        self.chance = chance
        self.odds = odds
        self.lines.extend(news.beginning(position))

    # -- whose turn, and what may be done

    def to_act(self) -> tuple[int, ...]:
        return () if self.position.over else (self.position.mover,)

    def legal_moves(self, seat: int) -> list[str]:
        if self.position.over or seat != self.position.mover:
            return []
        return get_valid_moves(self.position, seat)

    def apply(self, seat: int, move: str) -> None:
        if self.lines is None:
            engine.act(self.position, move, self.chance)
            return
        before = self.position.copy()
        engine.act(self.position, move, self.chance)
        self.lines.extend(news.turn(before, move, self.position))

    def why_not(self, seat: int, move: str) -> str:
        terms = self.position.terms
        verb = (move.split() or [""])[0]
        if move in terms.words.meaning:
            return f"You cannot do {move!r} now. {self._why_closed(seat, move)}"
        if verb == "tile":
            return f"A desert tile is placed as in 'tile + on 7': + or -, and a space up to {terms.spaces}."
        if verb in ("bet", "race"):
            wanted = "'bet blue'" if verb == "bet" else "'race blue win' or 'race blue lose'"
            return f"Write {wanted}. The camels are {', '.join(COLOURS[: terms.camels])}."
        return f"There is no move {move[:80]!r}. You may roll, or place a tile, bet or race as in the list of moves."

    def _why_closed(self, seat: int, move: str) -> str:
        if move.startswith("bet"):
            return "All leg tiles of that camel are taken."
        if move.startswith("race"):
            return "You have played your card of that camel."
        open_spaces = [word.split()[-1] for word in self.legal_moves(seat) if word.startswith("tile +")]
        if not open_spaces:
            return "No space is open for your desert tile until somebody rolls."
        return f"Spaces open for your desert tile: {', '.join(open_spaces)}."

    # -- the end

    def scores(self) -> list[float]:
        return [float(coins) for coins in self.position.money]

    # -- what an audience may know

    def observe(self, seat: int | None, *, face_up: bool = False) -> Observation:
        position = self.position.copy() if face_up else self.position.seen_by(-1 if seat is None else seat)
        return Observation(seat=seat, position=position, bare=face_up or position.over, odds=self.odds)

    def draw(self, observation: Observation) -> View:
        return table.draw(observation)

    # -- copies

    def fork(self, chance: Chance) -> CamelUpState:
        twin = self.twin(chance)
        twin.position = self.position.copy()
        return twin

    def determinize(self, seat: int, chance: Chance) -> CamelUpState:
        """Put other cards under others' race bets: of each player, any that differ from one another."""
        twin = self.fork(chance)
        race = twin.position
        if race.over:
            return twin
        hands = [list(range(race.terms.camels)) for _ in range(race.seats)]
        for hand in hands:
            chance.shuffle(hand)
        seen = race.seen_by(seat)
        race.winner_bets = tuple(
            (hands[whose].pop(), whose) if camel == HIDDEN else (camel, whose) for camel, whose in seen.winner_bets
        )
        race.loser_bets = tuple(
            (hands[whose].pop(), whose) if camel == HIDDEN else (camel, whose) for camel, whose in seen.loser_bets
        )
        race.cards = tuple(
            cards if whose == seat else sum(1 << camel for camel in hands[whose])
            for whose, cards in enumerate(race.cards)
        )
        return twin


# -- game


def _coins(name: str, label: str, default: OptionValue, earns: str, *, most: int = 0) -> Option:
    """Return an option that says what something earns: a number of coins, or ``most`` of them."""
    return Option(name=name, label=label, default=default, low=-99, high=99, most=most, study=True, help=earns)


class CamelUp(Game):
    """The facts of Camel Up."""

    name = "camelup"
    title = "Camel Up"
    summary = (
        "Five camels race and climb on each other's backs: bet on the leg, bet on the race, and set tiles in the sand."
    )
    min_seats = 2
    max_seats = MAX_SEATS
    default_seats = 4
    minutes = 25
    options = (
        Option(
            name="rules",
            label="Rules",
            default="official",
            choices=("official", "series"),
            help="official: the first edition. series: those of a simulation for bots; coins may fall below 0.",
        ),
        Option(
            name="odds",
            label="Odds for learners",
            default="allowed",
            choices=("allowed", "forbidden"),
            help="Whether players may look up each camel's chances in this leg.",
        ),
        Option(
            name="camels", label="Camels", default=5, low=2, high=len(COLOURS), study=True, help="How many camels run."
        ),
        Option(name="spaces", label="Spaces", default=16, low=8, high=60, study=True, help="How long the track is."),
        Option(name="die_low", label="Lowest face", default=1, low=1, high=9, study=True, help="Of each die."),
        Option(name="die_high", label="Highest face", default=3, low=1, high=9, study=True, help="Of each die."),
        _coins(
            "leg_first",
            "Leg tiles, first",
            "5,3,2",
            "What a camel's leg tiles earn if it leads; as many tiles as numbers.",
            most=MOST_LEG_TILES,
        ),
        _coins(
            "leg_second",
            "Leg tiles, second",
            "1,1,1",
            "What they earn if it is second; as many numbers as leg_first has.",
            most=MOST_LEG_TILES,
        ),
        _coins("leg_other", "Leg tiles, otherwise", -1, "What a leg tile of any other camel earns."),
        _coins(
            "race",
            "Race cards",
            "",
            "What correct race cards earn in the order placed, later ones 1; empty: 8,5,3,2 or series' 8,5,3.",
            most=MOST_RACE_PAYS,
        ),
        _coins("race_wrong", "Wrong race card", -1, "What a wrong race card earns."),
        Option(
            name="money",
            label="Coins at the start",
            default=AS_RULED,
            low=AS_RULED,
            high=99,
            study=True,
            help="Coins at the start; -1: 3, or series' 2.",
        ),
        _coins("roll_pay", "Roll", 1, "What a roll earns."),
        _coins("tile_pay", "Desert tile", 1, "What a landing earns."),
    )
    bots = (OddsBot, RandomBot, StrongBot)
    instead = "roll"
    commands = (ODDS,)
    guest_path = (Path(__file__).with_name("series_api"),)
    rules_page = Path(__file__).with_name("rules.md")

    def bot(self, name: str) -> Bot:
        """Return a bot of that kind; the seed of the series calls the random one RandomBot."""
        return super().bot({"RandomBot": "random", "odds": "house"}.get(name, name))

    def start(self, seats: int, options: Options, chance: Chance) -> CamelUpState:
        """Put the camels on the track. Raises BadOption for options that contradict each other."""
        terms = terms_of(tuple(options.items()))
        position = engine.start(terms, seats, chance)
        if options["rules"] == "official":
            position.mover = position.opener = chance.below(seats)
        return CamelUpState(position, chance, odds=options["odds"] == "allowed")

    def log_rows(
        self, seats: int, options: Options, chance: Chance, moves: Sequence[tuple[int, str]]
    ) -> Iterator[LogRow]:
        """Yield the rows of a match as the game logs of the series have them."""
        return logs.rows(self.start(seats, options, chance).position, chance, moves)

    def guest(self, kind: type) -> Bot:
        """Return a bot made of a class for this house's own interface or for that of the series. Raises BadOption."""
        return super().guest(kind) if issubclass(kind, Bot) else guest_bot(kind)


@lru_cache(64)
def terms_of(chosen: tuple[tuple[str, int | str], ...]) -> Terms:
    """Return the constants that a value for every option makes. Raises BadOption when they contradict each other."""
    options = dict(chosen)
    series = options["rules"] == "series"
    low, high = int(options["die_low"]), int(options["die_high"])
    if low > high:
        raise BadOption(f"die_low must not be above die_high: {low} is above {high}.")
    first, second = _numbers(options["leg_first"]), _numbers(options["leg_second"])
    if len(first) != len(second):
        raise BadOption("leg_first and leg_second must have as many numbers as each other: one for each leg tile.")
    money = int(options["money"])
    return Terms(
        camels=int(options["camels"]),
        spaces=int(options["spaces"]),
        die_low=low,
        die_high=high,
        leg_first=first,
        leg_second=second,
        leg_other=int(options["leg_other"]),
        race=_numbers(options["race"]) or ((8, 5, 3) if series else (8, 5, 3, 2)),
        race_wrong=int(options["race_wrong"]),
        money=money if money != AS_RULED else 2 if series else 3,
        roll_pay=int(options["roll_pay"]),
        tile_pay=int(options["tile_pay"]),
        pay_at_once=series,
        floor=not series,
        tiles_stay=series,
    )


def _numbers(text: int | str) -> tuple[int, ...]:
    return tuple(int(number) for number in str(text).split(",") if number)


CAMEL_UP = CamelUp()
