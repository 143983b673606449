"""The stacked deck: another dealer, and the policy that uses it, or the subtle one, over a series.

One seat, the *favourite*, gets the good cards. Only an administrator can ask for it, and never at a sealed table.
Players and spectators get the same log entries, counts and zones as after an honest deal. Two players who are not the
favourite really swap, because it costs the favourite nothing. A trade with the favourite is faked, and the two can
notice it by their cards; what each of them remembers (``Observation.remembers``) is what an honest trade would have
given.

Only ``Sight``, the record of who has seen what, has the truth: nobody can name a card where it is not.

Source: "Hamsterdam Exchange", SeaLeft Studios, 27 September 2019, section "Development".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.core import BadOption, Chance, Option
from games.core.cards import pips
from games.core.messages import all_of, message, quoted
from games.core.options import OptionValue, whole
from games.hamsterdam.dealers import HONEST, Decks

GOOD_STOCK, POOR_STOCK = (8, 10), (1, 3)
GOOD_MODIFIER, POOR_MODIFIER, SPARE_MODIFIER = (4, 5), (1, 2), (3, 3)


class RiggedDealer:
    """Deals stocks of 8-10 and modifiers of 4-5 to the favourite, 1-3 and 1-2 to everybody else.

    The decks it takes from are shuffled, so the topmost card of a range is a random card of that range.
    """

    swaps = False

    def __init__(self, favourite: int) -> None:
        self.favourite = favourite

    def shuffle(self, table: Decks) -> None:
        HONEST.shuffle(table)

    def stock(self, deck: list[str], seat: int) -> str:
        # There are six cards in either range, and at most five players who draw from it: one is always left.
        return _topmost(deck, self._stock_range(seat))

    def modifier(self, deck: list[str], seat: int) -> str:
        return _topmost(deck, GOOD_MODIFIER if seat == self.favourite else POOR_MODIFIER, SPARE_MODIFIER)

    def trade(self, stocks: list[str], deck: list[str], seat: int, left: int, chance: Chance) -> Sequence[str]:
        """Swap the stocks of two players who are not the favourite.

        In a trade with the favourite, ``seat`` gets a new card from its range instead, different from the one given up
        if possible; ``left`` keeps its own. The card given up goes back to a random place in the deck, where anybody
        may draw it.
        """
        if self.favourite not in (seat, left):
            return HONEST.trade(stocks, deck, seat, left, chance)
        given_up = stocks[seat]
        low, high = self._stock_range(seat)
        if not any(low <= pips(face) <= high for face in deck):
            return ()
        stocks[seat] = _topmost(deck, (low, high))
        deck.insert(chance.randbelow(len(deck) + 1), given_up)
        return (given_up,)

    def _stock_range(self, seat: int) -> tuple[int, int]:
        return GOOD_STOCK if seat == self.favourite else POOR_STOCK


def _topmost(deck: list[str], *ranges: tuple[int, int]) -> str:
    """Take the topmost card of the first range that has one, or the top card when none has."""
    for low, high in ranges:
        for index in range(len(deck) - 1, -1, -1):
            if low <= pips(deck[index]) <= high:
                return deck.pop(index)
    return deck.pop()


STACKED, SUBTLE = "stacked", "subtle"


class RiggedSeries:
    """Some honest matches first; then the deck is rigged until the favourite has won a match, rigged or not."""

    ways: Mapping[str, str] = {
        STACKED: "stacked: fixed ranges of cards; wins nearly always",
        SUBTLE: "subtle: an honest shuffle that suits the seat; hard to detect",
    }
    # The figures of docs/studies/rig.md.
    noticed: Mapping[str, str] = {
        STACKED: (
            "The favourite gets stocks of 8 to 10 and the best modifiers; all others get the lowest cards. House bots "
            "won all of 100,000 matches with it; a favourite who plays at random still won 94%. A player who counts "
            "cards can be sure after one or two rounds, and both players of a trade with the favourite could see "
            "that it was faked."
        ),
        SUBTLE: (
            "The deck is shuffled again until the round does not cost the favourite a certificate. With sensible play "
            "the favourite won 96% to 100% of the matches, by the number of seats. Every deal could be an honest "
            "one. What remains is suspicious luck over many matches, and a deal that takes a few milliseconds longer."
        ),
    }

    def options(
        self, favourite: int, honest_games: int, won: Sequence[Sequence[int]], way: str = STACKED
    ) -> dict[str, OptionValue]:
        """Return the secret options of the next match. A win that the favourite shares ends the series as well.

        Raises BadOption for an unknown way.
        """
        if way not in self.ways:
            raise BadOption(
                message("The ways to rig a deck are {ways}, not {given}.", ways=all_of(self.ways), given=quoted(way))
            )
        if len(won) < honest_games or any(favourite in winners for winners in won):
            return {}
        return {"rigged": favourite if way == STACKED else f"{way}-{favourite}"}


@dataclass(frozen=True)
class Rigged(Option):
    """The favourite of the deck, and how it is stacked: a seat from ``low`` (nobody) to ``high``, or "subtle-2".

    ``subtle`` alone is for seat 0.
    """

    @property
    def allowed(self) -> str:
        return f"{super().allowed}|{SUBTLE}-0..{self.high}"

    def parse(self, raw: OptionValue) -> OptionValue:
        if isinstance(raw, str) and raw.strip() == SUBTLE:
            raw = f"{SUBTLE}-0"
        if isinstance(raw, str) and (match := _SUBTLE.fullmatch(raw)):
            seat = int(match[1])
            if seat > self.high:
                raise self.not_between(f"{SUBTLE}-0", f"{SUBTLE}-{self.high}", raw)
            return f"{SUBTLE}-{seat}"
        if whole(raw) is None:
            raise self.not_one_of(self.allowed.split("|"), raw)
        return super().parse(raw)


_SUBTLE = re.compile(rf"\s*{SUBTLE}-([0-9]{{1,3}})\s*")


def favourite_of(rigged: OptionValue) -> tuple[str, int]:
    """Return the way and the favourite seat that a value of ``Rigged`` stands for; seat -1 for nobody.

    >>> favourite_of(2), favourite_of("subtle-1")
    (('stacked', 2), ('subtle', 1))
    """
    if isinstance(rigged, str):
        return SUBTLE, int(rigged.removeprefix(f"{SUBTLE}-"))
    return STACKED, rigged
