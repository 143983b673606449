"""The deal of the day: the same for everybody, one scored try for each person, and a leaderboard.

``services.do_begin_daily`` starts a try. A daily table is never sealed, because its seed would reveal every card to
people who play later that day. Only people with the link can find it, so that nobody sees the deal before playing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.db.models import Exists, OuterRef
from django.utils import timezone

from cardsite.lobby.models import Table
from cardsite.people.models import Person
from cardsite.table.models import DailyTry, Match, Move, Player
from cardsite.table.statistics import streaks_of
from games.core import Game


@dataclass(frozen=True)
class DailyResult:
    """A row of the leaderboard. ``score`` is None while the match is being played; ``rank`` is 0 if it does not count.

    ``helped``: a bot decided for a person who was away or out of time.
    """

    rank: int
    name: str
    score: float | None
    person: int
    helped: bool
    days: int  # in a row, including this one


def today() -> date:
    """Return the day in UTC: the deal changes for everybody at once."""
    return timezone.now().date()


def table_of_try(person: Person, game: Game, day: date) -> Table | None:
    """Return the table where a person plays or played the deal of a day; a try that was dropped does not count."""
    tries = DailyTry.objects.filter(person=person, game=game.name, day=day).exclude(match__status=Match.Status.DROPPED)
    return Table.objects.filter(matches__dailytry__in=tries).first()


def leaderboard(game: Game, day: date) -> list[DailyResult]:
    """Return everybody's scores: first those with a rank, best first, ties on the same rank; then all others.

    A score gets no rank if a bot has decided for the player: otherwise people who leave early would be ranked by its
    skill.
    """
    tries = Player.objects.filter(match__dailytry__game=game.name, match__dailytry__day=day, seat=0)
    tries = tries.exclude(match__status=Match.Status.DROPPED).order_by("match__finished")
    by_bot = Move.objects.filter(match=OuterRef("match"), seat=OuterRef("seat")).exclude(by__in=("person", "forced"))
    every = list(tries.annotate(helped=Exists(by_bot)))
    in_a_row = streaks_of([one.person_id for one in every if one.person_id], game.name, day)
    counted = sorted((one.score for one in every if one.score is not None and not one.helped), reverse=True)
    rows = [
        DailyResult(
            counted.index(one.score) + 1 if one.score is not None and not one.helped else 0,
            one.name,
            one.score,
            one.person_id or 0,
            one.helped,
            in_a_row.get(one.person_id or 0, 0),
        )
        for one in every
    ]
    return sorted(rows, key=lambda row: (row.rank == 0, row.rank, row.score is None, -(row.score or 0)))
