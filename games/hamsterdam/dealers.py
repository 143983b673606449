"""Who handles the cards of Hamsterdam Exchange: what every dealer can be asked for, and the honest one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from games.core import Chance


class Dealer(Protocol):
    """Who handles the cards. The top card of a deck is its last."""

    def stock(self, deck: list[str], seat: int) -> str:
        """Take a stock card for ``seat`` from ``deck``, which is never empty."""

    def modifier(self, deck: list[str], seat: int) -> str:
        """Take a modifier for ``seat`` from ``deck``, which is not empty."""

    def trade(self, stocks: list[str], deck: list[str], seat: int, left: int, chance: Chance) -> Sequence[str]:
        """Carry out a trade of ``seat`` with its neighbour ``left``.

        Returns the cards that went into the deck: none where the two have really swapped.
        """


class HonestDealer:
    """Top card first, whoever it is for; a trade is a trade."""

    def stock(self, deck: list[str], seat: int) -> str:
        return deck.pop()

    def modifier(self, deck: list[str], seat: int) -> str:
        return deck.pop()

    def trade(self, stocks: list[str], deck: list[str], seat: int, left: int, chance: Chance) -> Sequence[str]:
        stocks[seat], stocks[left] = stocks[left], stocks[seat]
        return ()


HONEST = HonestDealer()
