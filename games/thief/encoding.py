"""Card Thief as numbers: see ``games.core.encoding``."""

from __future__ import annotations

from games.core.encoding import Encoder, Numbers
from games.thief.board import CELLS
from games.thief.cards import KINDS
from games.thief.rules import HeistState

FACES = ("value", "purse", "alert", "drawn")


class HeistEncoder(Encoder):
    """The board card by card, the thief, and what kinds of cards are left in the deck."""

    def __init__(self) -> None:
        super().__init__(1, ["path", "slip", *(f" {cell}" for cell in CELLS)])  # "path 3 4" is "path", " 3", " 4"
        self.kinds = [self.each(f"cell {cell} kind", KINDS) for cell in CELLS]
        self.faces = [self.each(f"cell {cell}", FACES) for cell in CELLS]
        self.facing = [self.each(f"cell {cell} faces", range(-1, 4)) for cell in CELLS]
        self.thief = self.each("thief on", CELLS)
        self.left = self.each("left", KINDS)
        self.rest = self.each("number", ["stealth", "slips", "turn", "gems", "box", "level", "directed"])
        self.ending = self.each("ending", ["", "won", "failed", "caught", "cornered"])

    def write(self, state: HeistState, seat: int, out: Numbers) -> None:
        for cell, card in enumerate(state.board):
            if card is not None:
                out[self.kinds[cell][card.kind]] = 1
                out[self.facing[cell][card.facing]] = 1
                values = card.value, card.purse, card.alert, card.drawn
                for index, value in zip(self.faces[cell].values(), values, strict=True):
                    out[index] = value
        out[self.thief[state.thief]] = 1
        for card in state.deck:
            out[self.left[card.kind]] += 1
        rest = state.stealth, state.slips, state.turn, state.gems, state.box, state.level, state.directed
        for index, number in zip(self.rest.values(), rest, strict=True):
            out[index] = number
        out[self.ending[state.ending]] = 1
