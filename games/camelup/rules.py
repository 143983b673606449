"""Camel Up: bet on a race in which camels carry those that land on them.

Five camels run over sixteen spaces. A leg is one roll of each camel's die, drawn one by one from the pyramid. On your
turn do exactly one of four things:

1. ``roll``: take a pyramid tile (a coin), draw a die, and move its camel by what it shows. A camel and those on its
   back move together, as a *unit*; a unit that arrives at other camels goes on top of them.
2. ``tile + on 7``: put your desert tile on a space, or move it there: an oasis (+) sends a unit that lands on it one
   space on, a mirage (-) one back and under any camels there; either pays you a coin. The space must be free of
   camels and tiles, not be next to another player's tile, and not be the first.
3. ``bet blue``: take the top leg tile of a camel: 5, 3 or 2 coins if it leads when the leg ends, 1 if it is second,
   -1 otherwise.
4. ``race blue win`` or ``race blue lose``: put your race card of a camel face down on one of two piles. When the race
   is over the correct cards of each pile earn, in the order placed, 8, 5, 3, 2, 1, 1, ... coins; a wrong one costs 1.

A leg ends with its last die; the race, and with it the last leg, when a camel is past the last space. The further camel
is ahead, in one stack the higher one. Most coins win; a tie is a shared win.

``official``, the rules of the first edition: everybody starts with 3 coins; pyramid tiles pay when the leg ends, desert
tiles go back then. Nobody falls below 0: all that a player gets and pays in one scoring is added up first (a leg is one
scoring, each pile another). Who begins is drawn by lot. ``series``, the rules of a simulation for bots: 2 coins, which
can fall below 0; a roll pays at once; desert tiles stay until moved; a fourth correct race card earns 1; seat 0
begins.

After 100 turns in a row without a roll, no desert tile can be placed or moved until somebody rolls, so that every match
ends.

Draws: until all camels are on the track, ``randbelow(camels not yet on the track)`` for the next one and
``randbelow(faces)`` for its die; in ``official``, ``randbelow(seats)`` for who begins. A roll: ``randbelow(dice left)``
picks one of them in the order of the camels, ``randbelow(faces)`` what it shows.

Source: Camel Up, Steffen Bogen, Pegasus Spiele 2014, and "Camel Up - Part 1", on a simulation of it; ``rules.md``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from games.camelup import audit, engine, log_entries
from games.camelup.position import HIDDEN, Position, bits, plus
from games.camelup.terms import COLOURS
from games.core import Chance, State
from games.core.messages import Message, message, quoted
from games.core.state import LONGEST_ROLLOUT

# -- constants

LEG_END_SHOWN = 3_500  # milliseconds for which the end of a leg is shown


# -- what an audience knows


@dataclass(frozen=True, slots=True)
class Observation:
    """All that a seat (None: a spectator) knows: its own copy of the race, where others' race bets are HIDDEN."""

    seat: int | None
    position: Position
    all_open: bool  # the race is over, or the viewer may see everything
    odds: bool  # chances may be shown at this table


# -- state


class CamelUpState(State[Observation]):
    """A match of Camel Up: the engine's position, and the chance that rolls for it."""

    def __init__(self, position: Position, chance: Chance, *, odds: bool, parts: audit.Parts | None = None) -> None:
        """Set up a match. ``parts``: the fields that are audited (``audit.parts``), at the start of the race."""
        self.seats = position.seats
        self.log = []
        self.position = position
        self.chance = chance
        self.odds = odds
        self.parts = parts  # after the last move, as the audit computed them; None: each is audited alone
        self.log.extend(log_entries.start(position))

    # -- whose turn, and what may be done

    def to_act(self) -> tuple[int, ...]:
        return () if self.position.over else (self.position.mover,)

    def legal_moves(self, seat: int) -> list[str]:
        """Return the legal moves. Raises RulesFailed if the engine and the rules engine compute different ones."""
        if self.position.over or seat != self.position.mover:
            return []
        return engine.agreed_moves(self.position, seat)

    def apply(self, seat: int, move: str) -> None:
        """Make a legal move. Raises RulesFailed if the state is audited and the audit computes another result."""
        if self.log is None:
            self._act(move)
            return
        before = self.position.copy()
        self._act(move)
        self.log.extend(log_entries.turn(before, move, self.position))
        last_score = self.position.last_score
        if last_score and last_score is not before.last_score:
            entries = list(log_entries.leg_end(before, self.position, last_score))
            # Show the end of the leg before bets, tiles and dice go back.
            self.pause(entries[0]["text"], LEG_END_SHOWN, self._end_of_leg(before))
            self.log.extend(entries)

    def _act(self, move: str) -> None:
        if not self.audited:
            engine.act(self.position, move, self.chance)
            self.parts = None
            return
        before = self.parts or audit.parts(self.position)
        engine.act(self.position, move, self.chance)
        parts = audit.check_turn(before, move, self.position)
        if self.parts:
            self.parts = parts

    def _end_of_leg(self, before: Position) -> Self:
        """Return a state that shows the end of a leg: the scores of now, with the bets and tiles of ``before``.

        ``before`` is the position before the last move of the leg.
        """
        seen = self.clone()
        seen.odds = False  # the leg is over: there are no chances to show
        now = self.position
        camel, pips = now.last_die
        seen.position = race = before.copy()
        race.order, race.place, race.occupied, race.last_die = now.order, now.place, now.occupied, now.last_die
        race.dice = plus(before.dice, camel, pips)
        race.left = tuple([other for other in before.left if other != camel])
        race.money, race.last_score = now.money, now.last_score
        race.mover = -1
        return seen

    def why_not(self, seat: int, move: str) -> Message:
        terms = self.position.terms
        verb = (move.split() or [""])[0]
        camels = ", ".join(COLOURS[: terms.camels])
        if move in terms.notation.meaning:
            return message("You cannot do {move} now. {why}", move=quoted(move), why=self._why_closed(seat, move))
        if verb == "tile":
            return message(
                "A desert tile is placed as in 'tile + on 7': + or -, and a space up to {spaces}.", spaces=terms.spaces
            )
        if verb == "bet":
            return message("Write 'bet blue'. The camels are {camels}.", camels=camels)
        if verb == "race":
            return message("Write 'race blue win' or 'race blue lose'. The camels are {camels}.", camels=camels)
        return message(
            "There is no move {move}. You may roll, or place a tile, bet or race as in the list of moves.",
            move=quoted(move),
        )

    def _why_closed(self, seat: int, move: str) -> Message:
        if move.startswith("bet"):
            return message("All leg tiles of that camel are taken.")
        if move.startswith("race"):
            return message("You have played your card of that camel.")
        open_spaces = [word.split()[-1] for word in self.legal_moves(seat) if word.startswith("tile +")]
        if not open_spaces:
            return message("No space is open for your desert tile until somebody rolls.")
        return message("Spaces open for your desert tile: {spaces}.", spaces=", ".join(open_spaces))

    # -- the end

    def scores(self) -> list[float]:
        return [float(coins) for coins in self.position.money]

    # -- what an audience may know

    def observe(self, seat: int | None, *, face_up: bool = False) -> Observation:
        position = self.position.copy() if face_up else self.position.seen_by(seat)
        return Observation(seat=seat, position=position, all_open=face_up or position.over, odds=self.odds)

    # -- copies

    def fork(self, chance: Chance) -> Self:
        copy = self.shallow_copy(chance)
        copy.position = self.position.copy()
        copy.audited, copy.parts = False, None
        return copy

    def determinize(self, seat: int, chance: Chance) -> Self:
        """Return a copy in which the hidden race cards of each other player are drawn at random, all different."""
        sample = self.fork(chance)
        race = sample.position
        if race.over:
            return sample
        hands = [list(range(race.terms.camels)) for _ in range(race.seats)]
        for hand in hands:
            chance.shuffle(hand)
        seen = race.seen_by(seat)
        race.winner_bets = tuple(
            [(hands[whose].pop(), whose) if camel == HIDDEN else (camel, whose) for camel, whose in seen.winner_bets]
        )
        race.loser_bets = tuple(
            [(hands[whose].pop(), whose) if camel == HIDDEN else (camel, whose) for camel, whose in seen.loser_bets]
        )
        race.cards = tuple([cards if whose == seat else bits(hands[whose]) for whose, cards in enumerate(seen.cards)])
        return sample

    def rollout(self, chance: Chance, cap: int = LONGEST_ROLLOUT) -> list[float]:
        self.log = None
        engine.roll_out(self.position, chance, self.chance, cap)
        return self.scores()
