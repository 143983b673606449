"""What happens to matches, for apps that this one does not know: see ``cardsite/events.py``."""

from __future__ import annotations

from typing import NamedTuple

from cardsite.table.dropped import Dropped
from cardsite.table.models import Match


class MatchBegins(NamedTuple):
    """A match of a game is about to begin. Sent within the transaction: a receiver that raises Refused prevents it."""

    game: str


class MatchStarted(NamedTuple):
    """A match has begun. Sent after the commit."""

    match: int
    keeper: int  # the Keeper's number whose process runs its clocks and bots, 0 for none yet


class MatchDropped(NamedTuple):
    """A match cannot go on and was given up. Sent within the transaction."""

    match: Match
    dropped: Dropped
