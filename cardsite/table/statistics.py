"""Statistics of people: by game, by opponent, and the days in a row with a deal of the day.

The database computes them, so a page costs the same number of queries after a year as after an evening. This module
decides what is listed and what counts: pages with results use ``lines`` and ``counted``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from django.db.models import (
    Count,
    Exists,
    F,
    FilteredRelation,
    Max,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Sum,
)

from cardsite.lobby.games import find_game, title_of
from cardsite.people.models import Person
from cardsite.refusal import Refused
from cardsite.table.delay import hidden
from cardsite.table.models import DailyTry, Match, Player
from cardsite.translations import translated
from games import catalogue

OPPONENTS = 20  # on a page, most played with first
GAMES = 40
PLAYED = Q(decisions=None) | Q(decisions__lte=2 * F("own_decisions")) | ~Q(bot="")  # see Player.counts
DAYS = 400  # that a board looks back for days in a row


def results_of(person: Person, *, public: bool = False) -> QuerySet[Player]:
    """Return a person's results for a list. ``public``: only those of matches that everybody may view by now.

    Matches that were continued from a replay are left out.
    """
    mine = Player.objects.filter(person=person, match__table__what_if=False)
    return mine.filter(match__table__public=True).exclude(hidden("match__")) if public else mine


def counted(mine: QuerySet[Player]) -> QuerySet[Player]:
    """Return those of some results that count: of matches that have ended, were not part of a story, and were played.

    A person has played a match if they made at least half of the decisions in their seat. One in which somebody alone
    with bots took back a move does not count.
    """
    return mine.filter(PLAYED, match__status=Match.Status.OVER, match__practice=False, match__table__story=False)


@dataclass(frozen=True)
class GameRecord:
    """A person's results at a game. ``won`` counts a shared win as its share; ``best`` is None without a score."""

    game: str
    title: str
    played: int
    won: float
    best: float | None
    best_match: int

    @property
    def rate(self) -> int:
        """The percentage of matches won."""
        return round(100 * self.won / self.played)


@dataclass(frozen=True)
class Against:
    """A person's results against another person or a kind of bot. ``theirs``: wins of that person."""

    name: str
    person: int  # 0: a kind of bot
    bot: str
    played: int
    won: float
    theirs: float

    @property
    def rate(self) -> int:
        """The percentage of matches won."""
        return round(100 * self.won / self.played)


def by_game(mine: QuerySet[Player]) -> list[GameRecord]:
    """Return a person's results at each game, most played first."""
    rows = (
        counted(mine)
        .order_by()
        .values("match__game")
        .annotate(
            played=Count("pk"),
            won=Sum("share"),
            most=Max("score"),
            least=Min("score"),
            low=Count("pk", filter=Q(match__low_wins=True)),
        )
        .order_by("-played", "match__game")[:GAMES]
    )
    best = {row["match__game"]: row["least"] if row["low"] else row["most"] for row in rows}
    matches = _first_with(mine, best)
    return [
        GameRecord(game, title_of(game), row["played"], row["won"], best[game], matches.get(game, 0))
        for row in rows
        for game in [row["match__game"]]
    ]


def _first_with(mine: QuerySet[Player], best: Mapping[str, float | None]) -> dict[str, int]:
    """Return the first match of each game that ended with that score."""
    reached = Q(pk=None)
    for game, score in best.items():
        reached |= Q(match__game=game, score=score)
    rows = counted(mine).filter(reached).order_by().values("match__game").annotate(first=Min("match"))
    return {row["match__game"]: row["first"] for row in rows}


def against_people(mine: QuerySet[Player], person: Person) -> list[Against]:
    """Return a person's results against other people, most played with first."""
    rows = _others(mine, person).exclude(person=None).values("person", "person__name")
    rows = rows.annotate(played=Count("pk"), won=Sum("me__share"), theirs=Sum("share"))
    return [
        Against(row["person__name"], row["person"], "", row["played"], row["won"], row["theirs"])
        for row in rows.order_by("-played", "person")[:OPPONENTS]
    ]


def against_bots(mine: QuerySet[Player], person: Person) -> list[Against]:
    """Return a person's results against each kind of bot. A match with two of a kind counts once."""
    same = Player.objects.filter(match=OuterRef("match"), bot=OuterRef("bot"), seat__lt=OuterRef("seat"))
    rows = _others(mine, person).exclude(bot="").filter(~Exists(same.exclude(person=person)))
    rows = rows.values("bot").annotate(played=Count("pk"), won=Sum("me__share"), game=Max("match__game"))
    return [
        Against(_title_of_bot(row["bot"], row["game"]), 0, row["bot"], row["played"], row["won"], 0)
        for row in rows.order_by("-played", "bot")[:OPPONENTS]
    ]


def _others(mine: QuerySet[Player], person: Person) -> QuerySet[Any]:
    """Return the results of all others in a person's matches that count, each with the person's own one as ``me``."""
    me = FilteredRelation("match__players", condition=Q(match__players__person=person))
    others = Player.objects.filter(PLAYED, match__in=counted(mine).values("match")).exclude(person=person)
    return others.order_by().annotate(me=me).filter(me__isnull=False)


def _title_of_bot(kind: str, game: str) -> str:
    try:
        played = find_game(game)
    except Refused:
        return kind
    return next((translated(played, bot.title) for bot in catalogue.bots(played) if bot.name == kind), kind)


# -- days in a row


@dataclass(frozen=True)
class Streak:
    """Days in a row on which a person has tried the deal of the day: the current streak and the longest."""

    game: str
    title: str
    now: int
    longest: int


def streaks(person: Person, today: date) -> list[Streak]:
    """Return a person's days in a row at each game whose deal of the day they have tried."""
    days: dict[str, list[date]] = {}
    for game, day in _tries().filter(person=person).order_by("game", "day").values_list("game", "day"):
        days.setdefault(game, []).append(day)
    return [Streak(game, title_of(game), in_a_row(tried, today), _longest(tried)) for game, tried in days.items()]


def streaks_of(people: Iterable[int], game: str, day: date) -> Mapping[int, int]:
    """Return the days in a row, up to a given day, on which people tried a game's deal of the day, by person."""
    tried: dict[int, list[date]] = {}
    since = _tries().filter(game=game, person__in=list(people), day__lte=day, day__gt=day - timedelta(days=DAYS))
    for person, when in since.order_by("day").values_list("person", "day"):
        tried.setdefault(person, []).append(when)
    return {person: in_a_row(days, day) for person, days in tried.items()}


def in_a_row(days: Sequence[date], today: date) -> int:
    """Return the length of the series of consecutive days that ends today, or yesterday if today has no try yet."""
    if not days or days[-1] < today - timedelta(days=1):
        return 0
    row = 1
    for later, earlier in pairwise(reversed(days)):
        if later - earlier != timedelta(days=1):
            break
        row += 1
    return row


def _longest(days: Sequence[date]) -> int:
    longest = row = 1
    for earlier, later in pairwise(days):
        row = row + 1 if later - earlier == timedelta(days=1) else 1
        longest = max(longest, row)
    return longest


def _tries() -> QuerySet[DailyTry]:
    return DailyTry.objects.exclude(match__status=Match.Status.DROPPED)
