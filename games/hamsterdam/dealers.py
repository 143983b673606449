"""The dealers of Hamsterdam Exchange: what every dealer does, and the honest one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from games.core import Chance


class Decks(Protocol):
    """The part of a table that a shuffle needs: both decks in printed order, without kept modifiers, and a chance."""

    stock_deck: list[str]
    modifier_deck: list[str]
    chance: Chance


T = TypeVar("T", contravariant=True)


class Dealer(Protocol[T]):
    """Shuffles and deals the cards of a table ``T``. The top card of a deck is its last.

    ``swaps``: whether every trade is carried out as it is announced.
    """

    @property
    def swaps(self) -> bool: ...

    def shuffle(self, table: T) -> None:
        """Shuffle both decks of a table, which is about to deal a round."""

    def stock(self, deck: list[str], seat: int) -> str:
        """Take a stock card for ``seat`` from ``deck``, which is never empty."""

    def modifier(self, deck: list[str], seat: int) -> str:
        """Take a modifier for ``seat`` from ``deck``, which is not empty."""

    def trade(self, stocks: list[str], deck: list[str], seat: int, left: int, chance: Chance) -> Sequence[str]:
        """Carry out a trade of ``seat`` with its neighbour ``left``.

        Returns the cards that went into the deck: none if the two have really swapped.
        """


class HonestDealer:
    """Shuffles once, deals the top card to everybody, and makes every trade as announced."""

    swaps = True

    def shuffle(self, table: Decks) -> None:
        table.chance.shuffle(table.stock_deck)
        table.chance.shuffle(table.modifier_deck)

    def stock(self, deck: list[str], seat: int) -> str:
        return deck.pop()

    def modifier(self, deck: list[str], seat: int) -> str:
        return deck.pop()

    def trade(self, stocks: list[str], deck: list[str], seat: int, left: int, chance: Chance) -> Sequence[str]:
        stocks[seat], stocks[left] = stocks[left], stocks[seat]
        return ()


HONEST = HonestDealer()
