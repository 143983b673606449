"""Enchère as numbers: see ``games.core.encoding``."""

from __future__ import annotations

from games.core.cards import JOKER, SUITS
from games.core.encoding import Encoder, Numbers
from games.enchere.auction import CASH, COURT, SEATS
from games.enchere.rules import EnchereState


class EnchereEncoder(Encoder):
    """Own hand, the bids and prizes that all have seen, and the suits that players have shown not to hold."""

    def __init__(self) -> None:
        super().__init__(SEATS, ["bid ", *CASH])
        prizes = (*COURT, JOKER)
        self.hand = self.each("hand", CASH)
        self.prize = self.each("prize", prizes)
        self.spare = self.each("spare", CASH)
        self.spent = self.each("spent", CASH)
        self.bids = self.each_player("bid", CASH)
        self.shown = self.each_player("bid before", CASH)
        self.won = self.each_player("won", prizes)
        self.void = self.each_player("void", SUITS)
        self.has_bid = self.players("has bid")
        self.hand_sizes = self.players("cards in hand")
        self.points = self.players("points")
        self.last = self.players("won the prize before")
        self.to_act = self.players("to act")
        self.rest = self.each("number", ["round", "target", "pile", "aside"])

    def write(self, state: EnchereState, seat: int, out: Numbers) -> None:
        seen = state.observe(seat)
        for face in seen.hands[seat]:
            out[self.hand[face]] = 1
        for face in seen.spent:
            out[self.spent[face]] = 1
        if seen.prize:
            out[self.prize[seen.prize]] = 1
        if seen.spare:
            out[self.spare[seen.spare]] = 1
        for away in range(SEATS):
            owner = (seat + away) % SEATS
            if bid := seen.bids[owner]:
                out[self.bids[away][bid]] = 1
            if shown := seen.shown[owner]:
                out[self.shown[away][shown]] = 1
            for face in seen.won[owner]:
                out[self.won[away][face]] = 1
            for suit in seen.void[owner]:
                out[self.void[away][suit]] = 1
            out[self.has_bid[away]] = seen.has_bid[owner]
            out[self.hand_sizes[away]] = seen.hand_sizes[owner]
            out[self.points[away]] = seen.points[owner]
        if seen.awarded:
            out[self.last[seen.awarded.seat - seat]] = 1
        for mover in state.to_act():
            out[self.to_act[mover - seat]] = 1
        for index, value in zip(self.rest.values(), (seen.round, seen.target, seen.pile, seen.aside), strict=True):
            out[index] = value
