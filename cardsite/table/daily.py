"""The deal of the day: the same for everybody, one scored try for each person, and a board of scores.

A daily table is never sealed, since publishing its seed would tell every card to whoever plays later that day; and it
is found by link only, so that nobody looks on by accident before playing.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from cardsite.lobby import services as lobby
from cardsite.lobby.models import Table
from cardsite.people.models import Person
from cardsite.refusal import Refused
from cardsite.table.models import DailyTry, Keeper, Match, Move, Player
from cardsite.table.referee import start_match
from games.core import Game
from games.core.game import DailyDeal


@dataclass(frozen=True)
class Row:
    """A line of the board. ``score`` is None while the match is being played; ``place`` 0 if it does not count.

    ``helped``: the house decided for somebody who was away or out of time.
    """

    place: int
    name: str
    score: float | None
    person: int
    helped: bool


def today() -> date:
    """Return the day that it is in the house, which keeps UTC: the deal changes for everybody at once."""
    return timezone.now().date()


def table_of_try(person: Person, game: Game, day: date) -> Table | None:
    """Return the table where a person plays or played the deal of a day."""
    return Table.objects.filter(
        matches__dailytry__person=person, matches__dailytry__game=game.name, matches__dailytry__day=day
    ).first()


@transaction.atomic
def do_begin(person: Person, game: Game, deal: DailyDeal, day: date, keeper: Keeper | None) -> Table:
    """Deal the day's match for a person, bots in the other seats. Raises Refused, for a second try too."""
    table = lobby.do_create_table(
        person,
        game,
        ["me", *[game.bots[0].name] * (game.default_seats - 1)],
        options=deal.options(day),
        public=False,
        sealed=False,
        seconds=max(lobby.SECONDS),
    )
    match = start_match(table.code, person, keeper, seed=deal.seed(day, settings.SECRET_KEY.encode()))
    try:
        with transaction.atomic():
            DailyTry.objects.create(game=game.name, day=day, person=person, match_id=match)
    except IntegrityError:
        raise Refused("tried", "You have had your try for today. There is a new deal tomorrow.") from None
    return table


def board(game: Game, day: date) -> list[Row]:
    """Return how everybody did: first who played alone, best first, equal scores on an equal place; then all others.

    A score that the house had a hand in gets no place: else whoever leaves early would be ranked by the bot's skill.
    """
    tries = Player.objects.filter(match__dailytry__game=game.name, match__dailytry__day=day, seat=0)
    tries = tries.exclude(match__status=Match.Status.DROPPED).order_by("match__finished")
    clock = Move.objects.filter(match=OuterRef("match"), seat=OuterRef("seat"), by="clock")
    every = list(tries.annotate(helped=Exists(clock)))
    counted = sorted((one.score for one in every if one.score is not None and not one.helped), reverse=True)
    rows = [
        Row(
            counted.index(one.score) + 1 if one.score is not None and not one.helped else 0,
            one.name,
            one.score,
            one.person_id or 0,
            one.helped,
        )
        for one in every
    ]
    return sorted(rows, key=lambda row: (row.place == 0, row.place, row.score is None, -(row.score or 0)))
