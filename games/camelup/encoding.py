"""Camel Up as numbers: see ``games.core.encoding``."""

from __future__ import annotations

from games.camelup.position import HIDDEN
from games.camelup.rules import CamelUpState
from games.camelup.terms import COLOURS, Terms
from games.core.encoding import Encoder, Numbers


class CamelUpEncoder(Encoder):
    """The track, the dice, all bets as far as the seat sees them, and its own race cards."""

    def __init__(self, seats: int, terms: Terms) -> None:
        spaces = range(1, terms.spaces + 1)
        colours = COLOURS[: terms.camels]
        verbs = ["roll", "tile ", "bet ", "race ", " win", " lose", "+ on ", "- on "]
        super().__init__(seats, [*verbs, *colours, *map(str, spaces)])
        camels = range(terms.camels)
        self.place = [self.each(f"{colour} on", range(terms.spaces + terms.die_high + 2)) for colour in colours]
        self.height = [self.number(f"{colour} rank") for colour in colours]
        self.dice = [self.number(f"{colour} die") for colour in colours]
        self.left = [self.number(f"{colour} die left") for colour in colours]
        self.tiles = self.each_player("tile", [*(-space for space in spaces), *spaces])
        self.leg_bets = self.each_player("leg bets", camels)
        self.leg_left = [self.number(f"{colour} leg tiles left") for colour in colours]
        self.winner_bets = self.each_player("winner bet", [HIDDEN, *camels])
        self.loser_bets = self.each_player("loser bet", [HIDDEN, *camels])
        self.cards = [self.number(f"race card {colour}") for colour in colours]
        self.money = self.players("money")
        self.pyramids = self.players("pyramid tiles")
        self.to_act = self.players("to act")
        self.opener = self.players("opener")
        self.rest = self.each("number", ["leg", "turns since a roll", "over"])

    def write(self, state: CamelUpState, seat: int, out: Numbers) -> None:
        race = state.position.seen_by(seat)
        for height, camel in enumerate(race.order):
            out[self.height[camel]] = height
        for camel, square in enumerate(race.place):
            out[self.place[camel][square]] = 1
            out[self.dice[camel]] = race.dice[camel]
            out[self.leg_left[camel]] = race.leg_tiles_left(camel)
            out[self.cards[camel]] = race.cards[seat] >> camel & 1
        for camel in race.left:
            out[self.left[camel]] = 1
        for away in range(self.seats):
            owner = (seat + away) % self.seats
            if tile := race.tiles[owner]:
                out[self.tiles[away][tile]] = 1
            out[self.money[away]] = race.money[owner]
            out[self.pyramids[away]] = race.pyramids[owner]
        for bets, indices in (
            (race.leg_bets, self.leg_bets),
            (race.winner_bets, self.winner_bets),
            (race.loser_bets, self.loser_bets),
        ):
            for camel, owner in bets:
                out[indices[owner - seat][camel]] += 1
        if not race.over:
            out[self.to_act[race.mover - seat]] = 1
        out[self.opener[race.opener - seat]] = 1
        for index, value in zip(self.rest.values(), (race.leg, race.still, race.over), strict=True):
            out[index] = value
