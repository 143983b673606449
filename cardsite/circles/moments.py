"""The best moments of an evening: the biggest turn-around and the closest finish.

They come from lead histories (``games.lab.leads``): for each decision, where each player could expect to end. Such a
history reveals hands, so only sealed matches have moments, whose hands are open once they are over.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from cardsite.circles.models import Evening
from cardsite.lab.models import LeadHistory
from cardsite.lab.services import is_lost
from cardsite.table.models import Match
from cardsite.table.replay import rules_shown
from games.lab.leads import Lead

BEHIND = 0.4  # the highest expectation (1: first, 0: last) from which a win is a turn-around
LATE = 0.5  # a finish is close if another player led after this share of the moves


class Moment(NamedTuple):
    """A moment of a match, after ``ply`` moves."""

    match: Match
    winner: str
    ply: int
    plies: int
    leader: str  # who led then; in a turn-around, whoever it was does not matter
    place: float  # that the winner could expect then; 1 is the first
    percent: int  # the chance of the winner to win, of two players; 0 for more players


class Moments(NamedTuple):
    """The best moments of an evening, None where there is none."""

    turn_around: Moment | None
    close_finish: Moment | None
    analysed: int  # matches whose moments are known
    failed: int  # matches that could not be analysed, because they are too long or their rules fail
    working: int  # matches that are being analysed
    matches: int  # all that may be analysed

    @property
    def missing(self) -> int:
        """The number of matches that somebody could have analysed."""
        return self.matches - self.analysed - self.failed - self.working


def eligible(evening: Evening) -> list[Match]:
    """Return the matches of an evening that may have a lead history."""
    over = Match.objects.filter(table=evening.table_id, status=Match.Status.OVER, sealed=True)
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
    turns: list[tuple[float, Moment]] = []
    closes: list[tuple[float, Moment]] = []
    for match in matches:
        if match.pk in rows and (lead := rows[match.pk].found):
            _add(match, lead, turns, closes)
    states = [row.state for row in rows.values()]
    working, analysed = states.count(LeadHistory.Status.WORKING), states.count(LeadHistory.Status.DONE)
    return Moments(
        min(turns, key=lambda one: one[0])[1] if turns else None,
        max(closes, key=lambda one: one[0])[1] if closes else None,
        analysed=analysed,
        failed=len(states) - analysed - working,
        working=working,
        matches=len(matches),
    )


def _add(match: Match, lead: Lead, turns: list[tuple[float, Moment]], closes: list[tuple[float, Moment]]) -> None:
    """Add the moments of a match: with what the winner expected at worst, and with how late somebody else led."""
    points, lines = lead["points"], lead["lines"]
    ends = [line[-1] or 0.0 for line in lines]
    if ends.count(max(ends)) > 1:  # a shared win was never lost
        return
    winner = ends.index(max(ends))
    names = {player.seat: player.shown for player in match.players.all()}

    def moment(at: int) -> Moment:
        values = [line[at] or 0.0 for line in lines]
        place = 1 + (1 - values[winner]) * (len(lines) - 1)
        percent = round(100 * values[winner]) if len(lines) == 2 else 0
        leader = names[values.index(max(values))]
        return Moment(match, names[winner], points[at], points[-1], leader, round(place, 1), percent)

    known = [at for at in range(len(points) - 1) if lines[winner][at] is not None]
    if not known:
        return
    worst = min(known, key=lambda at: lines[winner][at] or 0.0)
    if (lines[winner][worst] or 0.0) <= BEHIND:
        turns.append((lines[winner][worst] or 0.0, moment(worst)))
    behind = [at for at in known if any((line[at] or 0.0) > (lines[winner][at] or 0.0) for line in lines)]
    if behind and points[behind[-1]] >= LATE * points[-1]:
        closes.append((points[behind[-1]] / points[-1], moment(behind[-1])))
