"""Handicaps: what a seat starts with, more or less than usual, so that players of different strength can play.

A game offers one with ``Game.handicap``. A match in which some seat has one stores it as one more of its options,
``OPTION``: a number for each seat, as in "0 2 -1". Matches without handicaps do not have this option.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.core.messages import message, quoted
from games.core.moves import BadOption
from games.core.options import Options, OptionValue, whole
from games.core.view import HandicapView, LogEntry, figure, say, seat_arg

OPTION = "handicap"


@dataclass(frozen=True)
class Handicap:
    """What a seat may start with, in addition to the usual: a whole number from ``low`` to ``high``; 0 is none.

    ``noun`` says what it counts, in the plural and capitalized: "Certificates".
    """

    noun: str
    low: int
    high: int

    @property
    def allowed(self) -> str:
        """The allowed values, for the help of a command line."""
        return f"a number {self.low}..{self.high} for each seat"

    def parse(self, raw: OptionValue) -> str:
        """Return the value of the option: a number for each seat, as in "0 2 -1", or "" if all are 0.

        ``raw`` may come from a command line; a single number is that of seat 0. Raises BadOption.
        """
        words = raw.split() if isinstance(raw, str) else [raw]
        amounts = [whole(word) for word in words]
        if not all(amount is not None and self.low <= amount <= self.high for amount in amounts):
            refused = message(
                "{option} must be whole numbers from {low} to {high} like '0 1', not {given}.",
                option=OPTION,
                low=self.low,
                high=self.high,
                given=quoted(raw),
            )
            raise BadOption(refused)
        return " ".join(map(str, amounts)) if any(amounts) else ""


def handicaps(options: Options, seats: int) -> list[int]:
    """Return by seat what it starts with in addition to the usual. ``options`` have passed ``Game.check_options``.

    Raises BadOption if a seat that does not exist has a handicap.

    >>> handicaps({"handicap": "0 2"}, 3)
    [0, 2, 0]
    >>> handicaps({}, 2)
    [0, 0]
    """
    amounts = [int(amount) for amount in str(options.get(OPTION, "")).split()]
    if any(amounts[seats:]):
        text = message(
            "{option} has numbers for {n} seats, but there are {seats}.", option=OPTION, n=len(amounts), seats=seats
        )
        raise BadOption(text)
    return [*amounts[:seats], *[0] * (seats - len(amounts))]


def handicap_entries(handicap: HandicapView) -> list[LogEntry]:
    """Return the log entries that say who starts with what."""
    return [
        LogEntry(
            kind="info",
            text=say(
                "{seat} starts with {amount} ({what}).",
                seat=seat_arg(seat),
                amount=figure(amount, signed=True),
                what=handicap["noun"]["text"],
            ),
            seat=seat,
        )
        for seat, amount in enumerate(handicap["amounts"])
        if amount
    ]
