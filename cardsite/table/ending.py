"""What is stored about the end of a match besides the scores: the game's own sentence, and the ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from games.core.ranks import ranks
from games.core.view import Sentence, plain

LONGEST = 1000  # bytes of a stored sentence: longer ones would not fit in lists of matches


@dataclass(frozen=True)
class Ending:
    """What is stored for people to read later."""

    outcome: Any = None  # a Sentence as plain data, None if there is none or it cannot be stored
    ranks: Sequence[int] = ()  # by seat, from 1; the members of a team share one
    low_wins: bool = False

    @classmethod
    def of(cls, outcome: Sentence, game_ranks: Sequence[int], low_wins: bool, seats: int) -> Ending:
        """Return the end as the rules describe it. Raises an exception for data that cannot be sent."""
        plain(outcome, [""] * seats)  # raises now, not for later readers, if a placeholder has no value
        encoded = msgspec.json.encode(outcome)
        # Not every database can store NUL.
        fits = len(encoded) <= LONGEST and b"\\u0000" not in encoded
        stored = [max(1, int(rank)) for rank in game_ranks]
        if len(stored) != seats:
            raise ValueError(f"Ranks {stored!r} for {seats} seats.")
        return cls(msgspec.json.decode(encoded) if fits else None, stored, bool(low_wins))


NO_ENDING = Ending()


def in_words(outcome: Sentence | None, names: Sequence[str], words: Mapping[str, str]) -> str:
    """Return a sentence of a game with the players' ``names`` by seat; "" for none.

    ``words`` are the game's sentences in the reader's language: ``lobby.games.words_of``.
    """
    return plain(outcome, names, words) if outcome else ""


def ranks_of(scores: Sequence[float | None], shares: Sequence[float]) -> list[int]:
    """Return the ranks in a match that ended before ranks were stored: low scores are better if one of them won."""
    known = [score or 0.0 for score in scores]
    won = [score for score, share in zip(known, shares, strict=True) if share]
    return ranks(known, low_wins=bool(won) and won[0] < max(known))
