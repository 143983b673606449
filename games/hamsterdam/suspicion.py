"""Inference about the dealer from the cards one seat sees: honest, or stacking the deck for a player.

In a round a seat sees the stocks it holds, every trade, and all stocks when the markets close. Under a hypothesis about
the dealer each of these is one of the cards drawn in that round, and the trades say which. So their probability can be
computed, summed over the few cards that the seat did not see. It is 0 if the cards contradict the hypothesis: one card
in two places, or two in one.

Modifiers and what players reveal by their decisions are left out: they say less, and leaving something out can only
delay a verdict. A card is assumed to be any of its range in the deck, equally likely; in truth a card that a player was
made to give up in the round comes back slightly more often.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.core.cards import pips
from games.hamsterdam.rigged import GOOD_STOCK, POOR_STOCK
from games.hamsterdam.rules import STOCKS

ANY_STOCK = (1, 10)  # the lowest and the highest card of an honest deal


@dataclass(frozen=True)
class SeenRound:
    """A round as one seat sees it. A player who is out of the match is a spectator, and has no cards."""

    seat: int
    order: tuple[int, ...]  # seats in the round, from the dealer's left; the dealer is last
    traded: tuple[int, ...]  # seats, in order
    held: tuple[str, ...]  # the stocks the seat held: dealt, and after each trade that touched it
    shown: Mapping[int, str]  # by seat, when the markets closed


def likelihood(seen: SeenRound, favourite: int | None) -> float:
    """Return the probability of the stocks of a round, given the trades.

    ``favourite`` is the seat for whom the deck is stacked; None: an honest dealer.
    """
    draws: list[tuple[int, int]] = []  # the range of each card drawn, in order
    back: dict[int, int] = {}  # by draw, the card that goes back into the deck once that one is drawn
    known: dict[int, str] = {}
    held = iter(seen.held)
    possible = True

    def draw(seat: int) -> int:
        draws.append(ANY_STOCK if favourite is None else GOOD_STOCK if seat == favourite else POOR_STOCK)
        return len(draws) - 1

    def look(card: int, face: str) -> None:
        nonlocal possible
        possible = possible and known.setdefault(card, face) == face

    has = {seat: draw(seat) for seat in seen.order}
    if seen.seat in has:
        look(has[seen.seat], next(held))
    for seat in seen.traded:
        index = seen.order.index(seat)
        left = seen.order[index + 1] if index + 1 < len(seen.order) else None
        if left is None:
            has[seat] = draw(seat)
        elif favourite in (seat, left):
            given_up, has[seat] = has[seat], draw(seat)
            back[has[seat]] = given_up
        else:
            has[seat], has[left] = has[left], has[seat]
        if seen.seat in (seat, left):
            look(has[seen.seat], next(held))
    for seat, face in seen.shown.items():
        look(has[seat], face)
    return _probability(draws, back, known, {}, frozenset(STOCKS)) if possible else 0.0


def _probability(
    draws: Sequence[tuple[int, int]],
    back: Mapping[int, int],
    known: Mapping[int, str],
    drawn: dict[int, str],
    deck: frozenset[str],
) -> float:
    """Return the probability that the remaining draws agree with the known cards.

    ``draws``, ``back``: as in ``likelihood``. ``known``, ``drawn``: cards by the number of their draw. ``deck``: the
    cards that are left.
    """
    card = len(drawn)
    if card == len(draws):
        return 1.0
    low, high = draws[card]
    there = [face for face in deck if low <= pips(face) <= high]
    total = 0.0
    for face in there:
        if known.get(card, face) == face:
            rest = deck - {face}
            now = {**drawn, card: face}
            if card in back:
                rest |= {now[back[card]]}
            total += _probability(draws, back, known, now, rest)
    return total / len(there) if there else 0.0


class Suspicion:
    """The probability that the deck is stacked, given the rounds that one seat has seen.

    Before the first round it is one half, and each of ``seats`` seats is equally likely to be the favourite.
    """

    def __init__(self, seats: int) -> None:
        self._honest = 0.0  # logarithms
        self._stacked = dict.fromkeys(range(seats), 0.0)

    def add(self, round_: SeenRound) -> None:
        """Take a further round into account."""
        self._honest += _log(likelihood(round_, None))
        for favourite in self._stacked:
            self._stacked[favourite] += _log(likelihood(round_, favourite))

    @property
    def probability(self) -> float:
        """The probability that the deck is stacked; 0.5 if neither hypothesis is possible."""
        return posterior(self._honest, list(self._stacked.values()))


def posterior(honest: float, rigged: Sequence[float]) -> float:
    """Return the probability that a deck is rigged, at even odds before.

    ``honest`` is the logarithm of the likelihood of an honest deck, ``rigged`` are those of the equally likely ways of
    rigging it.

    >>> posterior(math.log(0.1), [math.log(0.9), math.log(0.5)])
    0.875
    """
    most = max(honest, *rigged)
    if most == -math.inf:
        return 0.5
    odds = sum(math.exp(each - most) for each in rigged) / len(rigged)
    return round(odds / (odds + math.exp(honest - most)), 12)


def _log(likely: float) -> float:
    return math.log(likely) if likely else -math.inf
