"""How a match ended, beside who won how much: the game's own sentence, and everybody's place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from games.core.ranks import ranks
from games.core.view import Text, plain

LONGEST = 1000  # bytes of a sentence that is kept: nobody reads longer ones in a list


@dataclass(frozen=True)
class Ending:
    """What is written down of an end for people to read later."""

    outcome: Any = None  # a Text as plain data, None where there is none that can be kept
    places: Sequence[int] = ()  # by seat, from 1; teams share one
    low_wins: bool = False

    @classmethod
    def of(cls, outcome: Text, places: Sequence[int], low_wins: bool, seats: int) -> Ending:
        """Return what rules say of an end. Raises whatever comes of what cannot be sent, and ValueError."""
        plain(outcome, [""] * seats)  # a gap that nothing fills is found here, and not by who reads it later
        encoded = msgspec.json.encode(outcome)
        # NUL is a character that not every database takes.
        fits = len(encoded) <= LONGEST and b"\\u0000" not in encoded
        found = [max(1, int(place)) for place in places]
        if len(found) != seats:
            raise ValueError(f"Places {found!r} of {seats} seats.")
        return cls(msgspec.json.decode(encoded) if fits else None, found, bool(low_wins))


UNTOLD = Ending()


def in_words(outcome: Text | None, names: Sequence[str], words: Mapping[str, str]) -> str:
    """Return a sentence of a game with the players' ``names`` by seat; "" for none.

    ``words`` is what that game says in the reader's language: ``lobby.games.words_of``.
    """
    return plain(outcome, names, words) if outcome else ""


def places_of(scores: Sequence[float | None], shares: Sequence[float]) -> list[int]:
    """Return everybody's place in a match that ended before places were kept: low scores are good if one won."""
    known = [score or 0.0 for score in scores]
    won = [score for score, share in zip(known, shares, strict=True) if share]
    return ranks(known, low_wins=bool(won) and won[0] < max(known))
