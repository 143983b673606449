"""The subtle rig: one more dealer, whose shuffles are honest ones, but not always the first that came.

No card is dealt that an honest dealer could not deal, and a trade is a trade. Before each round the decks are shuffled,
and the round is played out a few times: once as the house AI plays, then with slips now and then. If the *favourite*
keeps its certificates each time, that is the shuffle; if not, the decks are shuffled again, until the roll-outs of a
deal are spent: then the one that lasted longest is taken. So nothing that anybody is shown is false, and it is told in
the words of an honest table. What is left for somebody who is attentive is that the favourite gets on too well, and
that a deal takes some milliseconds longer.

To take the *first* shuffle that will do, and not the best of many, is what makes it hard to tell: of all ways to deal
that make something certain, dealing honestly until it holds is the one whose cards differ least from an honest deal's
(in relative entropy).

All that is drawn comes from the chance of the match, so equal seeds and moves give equal deals, as long as the house AI
plays as it does: if it changes, so does the version of the rules.
"""

from __future__ import annotations

from games.core import Chance, FastChance
from games.core.sight import BLIND
from games.hamsterdam.bots import choose
from games.hamsterdam.dealers import HONEST
from games.hamsterdam.rules import HamsterdamState

EACH = 8  # roll-outs that a shuffle has to stand
MOST = 200  # roll-outs for one deal
SLIP = 4  # in all but the first, one decision in so many, of anybody but the favourite, is any legal move
_SEEDS = 1 << 32


class SubtleDealer:
    """Shuffles until a round will probably cost the favourite nothing; then deals as an honest dealer."""

    swaps = True
    stock = staticmethod(HONEST.stock)
    modifier = staticmethod(HONEST.modifier)
    trade = staticmethod(HONEST.trade)

    def __init__(self, favourite: int) -> None:
        self.favourite = favourite

    def shuffle(self, table: HamsterdamState) -> None:
        """Shuffle both decks of a table until they will do: once, where the favourite is out of the match."""
        if not table.certificates[self.favourite]:
            HONEST.shuffle(table)
            return
        printed = table.stock_deck, table.modifier_deck
        thoughts = FastChance(str(table.chance.randbelow(_SEEDS)))
        best, most, spent = printed, -1, 0
        while most < EACH and spent < MOST:
            table.stock_deck, table.modifier_deck = map(list, printed)
            HONEST.shuffle(table)
            stood = self._stands(table, thoughts)
            spent += min(stood + 1, EACH)
            if stood > most:
                best, most = (table.stock_deck, table.modifier_deck), stood
        table.stock_deck, table.modifier_deck = best

    def _stands(self, table: HamsterdamState, thoughts: Chance) -> int:
        """Return how many times the round can be played out before it costs the favourite a certificate."""
        for number in range(EACH):
            if not self._gets_on(table, thoughts, slips=number > 0):
                return number
        return EACH

    def _gets_on(self, table: HamsterdamState, thoughts: Chance, *, slips: bool) -> bool:
        """Play the round out. Return whether the favourite keeps its certificates, or has a share in winning."""
        world = table.fork(thoughts)
        world.sight = BLIND
        world.dealing = HONEST
        world.hand_out()
        while world.round == table.round and not world.over:
            seat = world.mover
            if slips and seat != self.favourite and not thoughts.randbelow(SLIP):
                world.apply(seat, thoughts.choice(world.legal_moves(seat)))
            else:
                # Face up, as nobody notes who has seen what here; the house AI looks at what it may see alone.
                world.apply(seat, choose(world.observe(seat, face_up=True), seat))
        kept = world.certificates[self.favourite] == table.certificates[self.favourite]
        return kept or (world.over and self.favourite in world.winners())
