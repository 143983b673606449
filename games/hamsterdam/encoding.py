"""Hamsterdam Exchange as numbers: see ``games.core.encoding``."""

from __future__ import annotations

from games.core.encoding import Encoder, Numbers
from games.hamsterdam.rules import MODIFIERS, STOCKS, HamsterdamState


class HamsterdamEncoder(Encoder):
    """Own hand, the stocks that the seat sees or remembers, the modifiers on each, and what all see."""

    def __init__(self, seats: int) -> None:
        numbers = [str(seat) for seat in range(seats)]
        super().__init__(seats, ["keep", "trade", "pass", "play ", " on ", *MODIFIERS, *numbers])
        self.hand = self.each("hand", MODIFIERS)
        self.known = self.each_player("stock", STOCKS)
        self.aside = self.each("laid aside", STOCKS)
        self.played = self.each_player("played on", MODIFIERS)
        self.decided = self.each_player("decided", ["keep", "trade"])
        self.holds = self.players("holds a stock")
        self.certificates = self.players("certificates")
        self.hand_sizes = self.players("cards in hand")
        self.dealer = self.players("dealer")
        self.to_act = self.players("to act")
        self.phase = self.each("phase", ["market", "adjustment", "over"])
        self.rest = self.each("number", ["round", "passes", "stock deck", "modifier deck", "discarded"])

    def write(self, state: HamsterdamState, seat: int, out: Numbers) -> None:
        seen = state.observe(seat)
        for face in seen.hands[seat]:
            out[self.hand[face]] = 1
        for away in range(self.seats):
            owner = (seat + away) % self.seats
            if face := seen.stock[owner] or seen.remembers[owner]:
                out[self.known[away][face]] = 1
            for face in seen.played[owner]:
                out[self.played[away][face]] = 1
            if said := seen.decided[owner]:
                out[self.decided[away][said]] = 1
            out[self.holds[away]] = seen.holds[owner]
            out[self.certificates[away]] = seen.certificates[owner]
            out[self.hand_sizes[away]] = seen.hand_sizes[owner]
        if seen.laid_aside:
            out[self.aside[seen.laid_aside]] = 1
        out[self.dealer[seen.dealer - seat]] = 1
        if seen.mover >= 0:
            out[self.to_act[seen.mover - seat]] = 1
        out[self.phase[seen.phase]] = 1
        rest = seen.round, seen.passes, seen.stock_deck, seen.modifier_deck, seen.discarded
        for index, value in zip(self.rest.values(), rest, strict=True):
            out[index] = value
