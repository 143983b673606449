"""Stealing Bundles as numbers: see ``games.core.encoding``."""

from __future__ import annotations

from games.bundles.rules import CARDS, RANK, BundlesState
from games.core.encoding import Encoder, Numbers


class BundlesEncoder(Encoder):
    """Own hand, pool, the cards in each bundle and the rank on top of it, sizes, and whose turn it is."""

    def __init__(self, seats: int) -> None:
        super().__init__(seats, ["play ", *CARDS])
        self.hand = self.each("hand", CARDS)
        self.pool = self.each("pool", CARDS)
        self.bundles = self.each_player("bundle", CARDS)
        self.tops = self.each_player("top of bundle", sorted(set(RANK.values())))
        self.hand_sizes = self.players("cards in hand")
        self.to_act = self.players("to act")
        self.first = self.players("first")
        self.stock = self.number("stock")

    def write(self, state: BundlesState, seat: int, out: Numbers) -> None:
        for face in state.hands[seat]:
            out[self.hand[face]] = 1
        for face in state.pool:
            out[self.pool[face]] = 1
        for away in range(self.seats):
            owner = (seat + away) % self.seats
            out[self.hand_sizes[away]] = len(state.hands[owner])
            if bundle := state.bundles[owner]:
                here = self.bundles[away]
                for face in bundle:
                    out[here[face]] = 1
                out[self.tops[away][RANK[bundle[-1]]]] = 1
        if state.mover >= 0:
            out[self.to_act[state.mover - seat]] = 1
        out[self.first[state.first - seat]] = 1
        out[self.stock] = len(state.stock)
