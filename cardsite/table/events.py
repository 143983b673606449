"""The events of matches, for other apps: see ``cardsite/events.py``."""

from __future__ import annotations

from typing import NamedTuple

from cardsite.table.dropped import Dropped
from cardsite.table.models import Match


class MatchBegins(NamedTuple):
    """A match is about to start. Sent within the transaction: a receiver that raises Refused prevents it."""

    game: str


class MatchStarted(NamedTuple):
    """A match has started. Sent after the commit."""

    match: int
    process: int  # the number of the ServerProcess that runs its clocks and bots, 0 for none yet


class MatchDropped(NamedTuple):
    """A match cannot continue and was dropped. Sent within the transaction."""

    match: Match
    dropped: Dropped
