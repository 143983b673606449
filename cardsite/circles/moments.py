"""The best moments of an evening: the biggest comeback and the closest finish.

They come from lead histories (``games.lab.leads``), which say for sampled decisions where each player could expect to
finish. A lead history reveals hands, so only finished sealed matches count: their hands are open.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from cardsite.circles.models import Evening
from cardsite.lab.models import LeadHistory
from cardsite.lab.services import is_lost
from cardsite.table.delay import hidden
from cardsite.table.models import Match
from cardsite.table.replay import rules_shown
from games.lab.leads import Lead

COMEBACK = 0.4  # the highest expectation (1: first, 0: last) from which a win is a comeback
CLOSE_FINISH = 0.5  # a finish is close if another player led after this share of the moves


class MatchMoment(NamedTuple):
    """A moment of a match, after ``ply`` of ``plies`` moves."""

    match: Match
    ply: int
    plies: int
    winner: str  # of the match
    leader: str  # the player who was expected to do best then
    expected: float  # what the winner could expect then, from 1 (first) to 0 (last)
    players: int

    @property
    def place(self) -> float:
        """The place that the winner could expect; 1 is the first."""
        return 1 + (1 - self.expected) * (self.players - 1)

    @property
    def percent(self) -> int | None:
        """The chance of the winner to win in a match of two, None for more players."""
        return round(100 * self.expected) if self.players == 2 else None


class Moments(NamedTuple):
    """The best moments of an evening, None where there is none."""

    comeback: MatchMoment | None
    close_finish: MatchMoment | None
    analysed: int  # matches whose lead history has been computed
    failed: int  # matches that could not be analysed: they are too long, or their rules fail
    working: int  # matches that are being analysed
    matches: int  # all that may be analysed

    @property
    def missing(self) -> int:
        """The number of matches that can be analysed and have not been yet."""
        return self.matches - self.analysed - self.failed - self.working


def eligible(evening: Evening) -> list[Match]:
    """Return the sealed matches of several players that have a result, whose rules have not changed since, in order.

    Others have no lead history.
    """
    over = Match.objects.filter(table=evening.table_id, status=Match.Status.OVER, sealed=True).exclude(hidden())
    over = over.select_related("table").prefetch_related("players").order_by("number")
    return [match for match in over if len(match.players.all()) > 1 and rules_shown(match) == match.rules_version]


def histories(matches: Iterable[Match]) -> dict[int, LeadHistory]:
    """Return the lead histories of matches, by match, without those whose computing was interrupted."""
    rows = LeadHistory.objects.in_bulk([match.pk for match in matches])
    return {match: row for match, row in rows.items() if not is_lost(row)}


def moments_of(evening: Evening) -> Moments:
    """Return the best moments of an evening, of those matches that have a lead history."""
    matches = eligible(evening)
    rows = histories(matches)
    by_match = [found for match in matches if match.pk in rows and (found := _moments(match, rows[match.pk].found))]
    lowest = [min(found, key=lambda moment: moment.expected) for found in by_match]
    comebacks = [moment for moment in lowest if moment.expected <= COMEBACK]
    behind = [moment for found in by_match for moment in found if moment.leader != moment.winner]
    late = [moment for moment in behind if moment.ply >= CLOSE_FINISH * moment.plies]
    states = [row.state for row in rows.values()]
    working, analysed = states.count(LeadHistory.Status.WORKING), states.count(LeadHistory.Status.DONE)
    return Moments(
        comeback=min(comebacks, key=lambda moment: moment.expected, default=None),
        close_finish=max(late, key=lambda moment: moment.ply / moment.plies, default=None),
        analysed=analysed,
        failed=len(states) - analysed - working,
        working=working,
        matches=len(matches),
    )


def _moments(match: Match, lead: Lead | None) -> list[MatchMoment]:
    """Return the analysed moments of a match, without its end.

    There are none if several players have won. There are none either if an opponent resigned or was out of time while
    the winner was not ahead: that is no comeback.
    """
    if lead is None:
        return []
    points = lead["points"]
    columns = zip(*lead["lines"], strict=True)
    expected = [[] if None in column else [value for value in column if value is not None] for column in columns]
    ends = expected[-1]
    if ends.count(max(ends)) > 1:  # without a single winner nobody came from behind
        return []
    winner = ends.index(max(ends))
    if match.conceded and (len(expected) < 2 or not expected[-2] or expected[-2][winner] < max(expected[-2])):
        return []
    names = {player.seat: player.shown for player in match.players.all()}
    found = []
    for ply, values in zip(points[:-1], expected[:-1], strict=True):
        if values:  # else no roll-out from there has ended
            best = winner if values[winner] == max(values) else values.index(max(values))
            found.append(MatchMoment(match, ply, points[-1], names[winner], names[best], values[winner], len(values)))
    return found
