"""The best that anybody could do to notice the subtle rig: the likelihood of every deal, by who knows all cards.

An observer who sees both decks as they were shuffled, every hand, and the program, can compute for each deal how much
more often the subtle rig deals it than an honest dealer does. Moves do not matter, because players who get the same
cards move alike. By the lemma of Neyman and Pearson no test of the same data is better than one by this ratio; and an
observer who sees less, as a player does, has only a part of the data. So its curve is above that of any honest
observer.

The ratio. The rig shuffles honestly, again and again. A shuffle passes a number n of roll-outs, from 0 to EACH, and
costs as many as were made; the first with n = EACH is dealt, or, when MOST roll-outs are spent, the first of those with
the highest n. So each shuffle that is tried has the density of an honest one, and is dealt with a probability that
depends on n, what was spent before, and what the others passed. Summed over all tries, a deal d is

    sum over n of P(n | d) w(n)

times as frequent as by an honest dealer, where w(n) is the expected number of tries at which a shuffle that passes n
would be dealt (``weights``). It needs the distribution of n over honest shuffles, which is estimated from some of them,
and P(n | d), from roll-outs of the deal: one without mistakes, which always comes out the same, and EACH - 1 with
mistakes, which are independent.

Source: J. Neyman and E. S. Pearson, "On the problem of the most efficient tests of statistical hypotheses",
Philosophical Transactions of the Royal Society A 231 (1933), page 289.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from games.core import Chance, FastChance
from games.core.options import OptionValue
from games.hamsterdam.bots import choose
from games.hamsterdam.dealers import HONEST, Dealer
from games.hamsterdam.rigged import SUBTLE, favourite_of
from games.hamsterdam.rules import HamsterdamState
from games.hamsterdam.subtle import EACH, MOST, SubtleDealer

LEAST = -50.0  # logarithm of the smallest ratio that is distinguished from 0
DROPPED = -40.0  # sum of logarithms below which a seat is not looked at again


class Deal(NamedTuple):
    """A deal: the table before the shuffle, and both decks after it."""

    before: HamsterdamState
    stock_deck: list[str]
    modifier_deck: list[str]


class _Watched:
    """A dealer that deals as another one, honest or subtle, and notes every shuffle."""

    swaps = True
    stock = staticmethod(HONEST.stock)
    modifier = staticmethod(HONEST.modifier)
    trade = staticmethod(HONEST.trade)

    def __init__(self, dealer: Dealer[HamsterdamState]) -> None:
        self._dealer = dealer
        self.deals: list[Deal] = []

    def shuffle(self, table: HamsterdamState) -> None:
        before = table.fork(FastChance("none"))
        self._dealer.shuffle(table)
        self.deals.append(Deal(before, table.stock_deck[:], table.modifier_deck[:]))


def deals(seats: int, option: OptionValue, seed: str) -> list[Deal]:
    """Play the match of house bots that ``rig.observe`` plays, and return its deals."""
    way, favourite = favourite_of(option)
    dealer: Dealer[HamsterdamState] = SubtleDealer(favourite) if way == SUBTLE else HONEST
    watched = _Watched(dealer)
    state = HamsterdamState(seats, FastChance(seed), watched)
    state.log = None
    while not state.over:
        state.apply(state.mover, choose(state.observe(state.mover), state.mover))
    return watched.deals


def evidence(deal: Deal, suspect: int, shuffles: int, rollouts: int, chance: Chance) -> float:
    """Return the logarithm of how many times as often a deal comes from the rig for ``suspect`` as honestly.

    It is estimated from so many other ``shuffles``, and ``rollouts`` of the deal. 0 if the suspect is out of the match.
    """
    if not deal.before.certificates[suspect]:
        return 0.0
    dealer = SubtleDealer(suspect)
    counts = Counter(_passed(dealer, deal.before, chance) for _ in range(shuffles))
    worth = weights([counts[number] / shuffles for number in range(EACH + 1)])
    table = deal.before.fork(chance)
    table.stock_deck, table.modifier_deck = deal.stock_deck[:], deal.modifier_deck[:]
    if not dealer.keeps_certificates(table, chance, mistakes=False):
        return _log(worth[0])
    kept = sum(dealer.keeps_certificates(table, chance, mistakes=True) for _ in range(rollouts))
    return _log(sum(p * w for p, w in zip(passes(kept, rollouts), worth[1:], strict=True)))


def _log(ratio: float) -> float:
    return max(LEAST, math.log(ratio)) if ratio > 0 else LEAST


def _passed(dealer: SubtleDealer, before: HamsterdamState, chance: Chance) -> int:
    """Return how many roll-outs an honest shuffle passes."""
    table = before.fork(chance)
    table.stock_deck, table.modifier_deck = before.stock_deck[:], before.modifier_deck[:]
    HONEST.shuffle(table)
    return dealer.passed(table, chance)


def passes(kept: int, rollouts: int, each: int = EACH) -> list[float]:
    """Return the probabilities that a deal that has passed the first roll-out passes 1, 2, ... ``each`` of them.

    ``kept`` of ``rollouts`` with mistakes were passed. The estimate is unbiased: that k independent ones all pass is
    estimated by the share of sets of k among those that were made.

    >>> passes(2, 4, each=3)
    [0.5, 0.3333333333333333, 0.16666666666666666]
    """
    all_pass = [math.comb(kept, many) / math.comb(rollouts, many) for many in range(each)]
    return [*(one - more for one, more in pairwise(all_pass)), all_pass[-1]]


def weights(shares: Sequence[float], most: int = MOST) -> list[float]:
    """Return, for each n, the expected number of tries at which a shuffle that passes n roll-outs would be dealt.

    ``shares[n]`` is the share of honest shuffles that pass n, the last one all. ``most``: the roll-outs of a deal.
    Whatever they are, the sum of shares times weights is 1: one shuffle is dealt.

    >>> weights([0.5, 0.5], most=100)  # two tries on average
    [0.0, 2.0]
    """
    each = len(shares) - 1
    cost = [min(number + 1, each) for number in range(each + 1)]
    worth = []
    for number in range(each + 1):
        # Begun with so much spent, while no shuffle passed as many or more; for the last number, while none has passed.
        begun = [0.0] * (most + each)
        begun[0] = 1.0
        for spent in range(most):
            for lower in range(number if begun[spent] else 0):
                begun[spent + cost[lower]] += begun[spent] * shares[lower]
        if number == each:
            worth.append(sum(begun[:most]))
            continue
        # And until the end, none passes more.
        lasting = [0.0] * most + [1.0] * each
        for spent in reversed(range(most)):
            lasting[spent] = sum(shares[lower] * lasting[spent + cost[lower]] for lower in range(number + 1))
        worth.append(sum(begun[spent] * lasting[spent + cost[number]] for spent in range(most)))
    return [0.0 if one < 1e-15 else one for one in worth]  # what rounding left of 0


def of_match(played: Sequence[Deal], seats: int, size: int, chance: Chance) -> list[list[float]]:
    """Return the evidence of each deal of a match for each seat, from so many shuffles and roll-outs (``evidence``).

    A seat against which it falls to ``DROPPED`` is not looked at again: that far it never comes back.
    """
    found: list[list[float]] = []
    sums = [0.0] * seats
    for deal in played:
        each = [evidence(deal, seat, size, size, chance) if sums[seat] > DROPPED else 0.0 for seat in range(seats)]
        sums = [total + more for total, more in zip(sums, each, strict=True)]
        found.append(each)
    return found
