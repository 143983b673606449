"""Matches of two seats that end before their end, with a result: a player resigns, or is out of time."""

from __future__ import annotations

from cardsite.table.models import DropReason, Match
from cardsite.table.queries import PLAYERS
from games.core.match import Concession, out_of_time, resigned

CONCEDED_SEATS = 2  # with more, the others play on, and a bot plays for a person who leaves or is late
SENTENCES = {DropReason.RESIGNED: resigned, DropReason.LATE: out_of_time}


def concession(why: DropReason, loser: int) -> Concession:
    """Return how a match of two seats ends that ``loser`` does not play to its end."""
    winner = 1 - loser
    return Concession([winner], SENTENCES[why](loser, winner))


def concession_of(match: Match) -> Concession | None:
    """Return how a match ended that was not played to its end; None for others."""
    if not match.conceded:
        return None
    loser = next(player.seat for player in PLAYERS.all(match.pk) if not player.share)
    return concession(DropReason(match.dropped), loser)
