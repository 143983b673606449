"""The subtle rig: a dealer whose shuffles are honest, but not always the first ones.

Every deal could be an honest dealer's, and trades are real. Before each round the decks are shuffled, and a few
roll-outs of the round are made: one as the house bot plays, the others with occasional mistakes. If the *favourite*
keeps its certificates in all of them, that shuffle is used; otherwise the decks are shuffled again, until the budget of
roll-outs is spent, and then the shuffle that lasted longest is used. So nothing that players are shown is false, and
the log is that of an honest table. An attentive player can only notice that the favourite is too lucky, and that a deal
takes some milliseconds longer.

Using the *first* suitable shuffle, and not the best of many, makes it hard to detect: of all ways to deal that
guarantee something, dealing honestly until it holds differs least from an honest deal (in relative entropy).

All draws come from the chance of the match, so equal seeds and moves give equal deals as long as the house bot plays
the same way: when it changes, so does the version of the rules.
"""

from __future__ import annotations

from games.core import Chance, FastChance
from games.core.sight import BLIND
from games.hamsterdam.bots import choose
from games.hamsterdam.dealers import HONEST
from games.hamsterdam.rules import HamsterdamState

EACH = 8  # roll-outs that a shuffle has to pass
MOST = 200  # roll-outs for one deal
MISTAKE = 4  # in all but the first, one decision in so many of the other players is a random move
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
        """Shuffle both decks of a table until a shuffle passes; only once if the favourite is out of the match."""
        if not table.certificates[self.favourite]:
            HONEST.shuffle(table)
            return
        printed = table.stock_deck, table.modifier_deck
        trial_chance = FastChance(str(table.chance.randbelow(_SEEDS)))
        best, most, spent = printed, -1, 0
        while most < EACH and spent < MOST:
            table.stock_deck, table.modifier_deck = map(list, printed)
            HONEST.shuffle(table)
            passed = self.passed(table, trial_chance)
            spent += min(passed + 1, EACH)
            if passed > most:
                best, most = (table.stock_deck, table.modifier_deck), passed
        table.stock_deck, table.modifier_deck = best

    def passed(self, table: HamsterdamState, trial_chance: Chance) -> int:
        """Return how many roll-outs of the round pass before one costs the favourite a certificate."""
        for number in range(EACH):
            if not self.keeps_certificates(table, trial_chance, mistakes=number > 0):
                return number
        return EACH

    def keeps_certificates(self, table: HamsterdamState, trial_chance: Chance, *, mistakes: bool) -> bool:
        """Roll the round out. Return whether the favourite keeps its certificates, or wins or shares the win."""
        trial = table.fork(trial_chance)
        trial.sight = BLIND
        trial.dealing = HONEST
        trial.hand_out()
        while trial.round == table.round and not trial.over:
            seat = trial.mover
            if mistakes and seat != self.favourite and not trial_chance.randbelow(MISTAKE):
                trial.apply(seat, trial_chance.choice(trial.legal_moves(seat)))
            else:
                # Face up, because no sight is recorded here; the house bot only uses what its seat may see.
                trial.apply(seat, choose(trial.observe(seat, face_up=True), seat))
        kept = trial.certificates[self.favourite] == table.certificates[self.favourite]
        return kept or (trial.over and self.favourite in trial.winners())
