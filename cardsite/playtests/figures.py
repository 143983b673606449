"""What matches of people say about a game: their length, wins by seat, drop-outs, opinions and choices.

Only matches that count (``statistics.counted``): no practice, what-if or story; nor one with
handicaps, or whose deck was stacked. The
author of a text is not one of the people. Below ``FEWEST`` matches nothing is said: it would be about single matches.
"""

from __future__ import annotations

import statistics as averages
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from cardsite import costs
from cardsite.lobby.games import is_correspondence
from cardsite.playtests.models import LEAST, MOST, Opinion
from cardsite.refusal import Refused
from cardsite.table import replay
from cardsite.table.daily import today
from cardsite.table.models import DropReason, Match, Occupancy, Player
from cardsite.table.replay_worker import KindsAnswer
from cardsite.table.statistics import counted
from games.core.handicap import OPTION as HANDICAP
from games.lab.intervals import covering
from games.lab.report_types import Figure
from games.lab.reports import mean, rate

SEED = "playtests"  # of the intervals
FEWEST = 5  # matches, and answers, below which nothing is said
MOST_MATCHES = 1000  # the newest ones
MOST_NOTES = 50
REPLAYED = 20  # the newest matches, whose choices are counted
REPLAY_CPU = 20.0  # seconds for all of these; those that are left then are not counted
REMEMBERED = 2000  # matches whose choices were counted


@dataclass(frozen=True)
class Subject:
    """The matches that figures are about."""

    game: str
    rules: str
    author: int | None = None  # the number of the person who wrote the text
    seats: int | None = None  # of matches with so many players only
    options: Mapping[str, Any] = field(default_factory=dict)  # of matches with these options only


class Middle(NamedTuple):
    """The median of numbers, and the ends of their middle half."""

    median: float
    low: float
    high: float


class Abandoned(NamedTuple):
    """How many matches ended early for a reason."""

    reason: str
    matches: int


@dataclass(frozen=True)
class HumanFigures:
    """The figures of matches of people. ``minutes`` leaves out matches over days and is None if no other was played."""

    matches: int
    minutes: Middle | None
    length: Figure | None  # decisions in a match, of people and bots
    own: Middle  # decisions of each person
    seats: dict[int, list[Figure | None]]  # people's wins by seat, by the number of players; None: too few
    ended: int  # matches, also those that were abandoned or in which bots decided most
    away: int  # of these, those in which somebody was away
    left: int  # ... or gave up the seat to a bot
    abandoned: list[Abandoned]
    fun: Figure | None  # None: too few answers
    fair: Figure | None


def results(subject: Subject) -> QuerySet[Player]:
    """Return the results of people in matches that count."""
    return counted(_of_people(subject)).order_by()


def _of_people(subject: Subject) -> QuerySet[Player]:
    options = {f"match__options__{name}": value for name, value in subject.options.items()}
    players = Player.objects.filter(
        bot="", match__game=subject.game, match__rules_version=subject.rules, match__favourite=None,
        match__practice=False, match__table__story=False, match__table__what_if=False, **options,
    ).filter(~Q(match__options__has_key=HANDICAP))  # fmt: skip
    if subject.author is not None:
        players = players.exclude(person=subject.author)
    if subject.seats is not None:
        last = Player.objects.filter(match=OuterRef("match"), seat=subject.seats - 1)
        more = Player.objects.filter(match=OuterRef("match"), seat=subject.seats)
        players = players.filter(Exists(last), ~Exists(more))
    return players


def newest(subject: Subject, most: int = MOST_MATCHES) -> list[int]:
    """Return the numbers of the newest matches that count."""
    return list(results(subject).order_by("-match").values_list("match", flat=True).distinct()[:most])


def figures(subject: Subject, numbers: Sequence[int]) -> HumanFigures | None:
    """Return the figures of matches that ``newest`` has found; None if there are too few."""
    rows = list(results(subject).filter(match__in=numbers).values("match", "seat", "share", "own_decisions"))
    own = middle([row["own_decisions"] for row in rows])
    if own is None or len(numbers) < FEWEST:
        return None
    decisions: Counter[int] = Counter()
    players: Counter[int] = Counter()
    for match, made in Player.objects.filter(match__in=numbers).values_list("match", "decisions"):
        decisions[match] += made or 0
        players[match] += 1
    return HumanFigures(
        matches=len(numbers),
        minutes=middle(_minutes(numbers)),
        length=mean([(float(made), 1.0) for made in decisions.values()], SEED),
        own=own,
        seats=_wins(rows, players),
        **_drop_outs(subject),
        fun=_opinions("fun", subject, numbers),
        fair=_opinions("fair", subject, numbers),
    )


def middle(values: Sequence[float]) -> Middle | None:
    """Return the median and the middle half of some numbers; None if there are none."""
    if not values:
        return None
    if len(values) == 1:
        return Middle(values[0], values[0], values[0])
    low, median, high = averages.quantiles(values, n=4, method="inclusive")
    return Middle(median, low, high)


def _minutes(numbers: Sequence[int]) -> list[float]:
    rows = Match.objects.filter(pk__in=numbers, finished__isnull=False).values_list("started", "finished", "seconds")
    return [
        (finished - started).total_seconds() / 60
        for started, finished, seconds in rows
        if finished and not is_correspondence(seconds)
    ]


def _wins(rows: Iterable[Mapping[str, Any]], players: Mapping[int, int]) -> dict[int, list[Figure | None]]:
    shares: dict[int, dict[int, list[float]]] = {}
    for row in rows:
        shares.setdefault(players[row["match"]], {}).setdefault(row["seat"], []).append(row["share"])
    return {
        size: [_rate(by_seat.get(seat, [])) for seat in range(size)]
        for size, by_seat in sorted(shares.items())
        if size > 1
    }


def _rate(shares: Sequence[float]) -> Figure | None:
    return rate([(share, 1.0) for share in shares]) if len(shares) >= FEWEST else None


def _opinions(name: str, subject: Subject, numbers: Sequence[int]) -> Figure | None:
    """Return the mean of an answer. Answers on one match are not independent, so a match is a unit."""
    by_match: dict[int, list[int]] = {}
    for match, answer in _by_others(subject, numbers).values_list("match", name):
        if answer is not None:
            by_match.setdefault(match, []).append(answer)
    if len(by_match) < FEWEST:
        return None
    found = mean([(float(sum(rates)), float(len(rates))) for rates in by_match.values()], SEED)
    if found and found["low"] is not None and found["high"] is not None:
        ends = covering(found["value"], found["low"], found["high"], len(by_match), LEAST, MOST)
        found["low"], found["high"] = ends
    return found


def _by_others(subject: Subject, numbers: Sequence[int]) -> QuerySet[Opinion]:
    opinions = Opinion.objects.filter(match__in=numbers)
    return opinions if subject.author is None else opinions.exclude(person=subject.author)


def _drop_outs(subject: Subject) -> dict[str, Any]:
    """Return the part of the figures that counts matches that did not go well, also those that do not count."""
    ended = _of_people(subject).exclude(match__status=Match.Status.RUNNING).order_by("-match")
    numbers = list(ended.values_list("match", flat=True).distinct()[:MOST_MATCHES])
    rows = Occupancy.objects.filter(match__in=numbers)
    before = Occupancy.objects.filter(match=OuterRef("match"), seat=OuterRef("seat"), bot="", pk__lt=OuterRef("pk"))
    left = rows.filter(Exists(before)).exclude(bot="")
    reasons = Match.objects.filter(pk__in=numbers, status=Match.Status.DROPPED).values_list("dropped", flat=True)
    labels: dict[str, Any] = dict(DropReason.choices)
    return {
        "ended": len(numbers),
        "away": rows.filter(away=True).order_by().values("match").distinct().count(),
        "left": left.order_by().values("match").distinct().count(),
        "abandoned": [
            Abandoned(str(labels.get(reason, "")), matches) for reason, matches in Counter(reasons).most_common()
        ],
    }


# -- notes


def notes(games: Q, author: int | None) -> QuerySet[Opinion]:
    """Return the newest notes on matches of some games (a condition on ``Match``), but not on today's deal of the day.

    Others may still play that deal, and a note may name its cards.
    """
    known = Opinion.objects.filter(match__in=Match.objects.filter(games)).exclude(note="")
    if author is not None:
        known = known.exclude(person=author)
    unfinished = Match.objects.filter(dailytry__day=today())
    return known.exclude(match__in=unfinished).select_related("match__table").order_by("-pk")[:MOST_NOTES]


# -- choices


@dataclass
class Choices:
    """How often people were offered a kind of move beside others, and how often they chose it."""

    matches: int = 0
    offered: Counter[str] = field(default_factory=Counter)
    chosen: Counter[str] = field(default_factory=Counter)


_remembered: dict[tuple[int, tuple[int, ...]], KindsAnswer] = {}


def choices(subject: Subject) -> Choices:
    """Count the choices of people in the newest matches, which are played again in a worker process. Blocks.

    Matches whose rules fail or take too long are left out, and all that are left after ``REPLAY_CPU`` seconds. Raises
    Refused when too many requests are waiting.
    """
    found = Choices()
    numbers = newest(subject, REPLAYED)
    seats: dict[int, list[int]] = {}
    for number, seat in results(subject).filter(match__in=numbers).order_by("seat").values_list("match", "seat"):
        seats.setdefault(number, []).append(seat)
    before = costs.so_far()
    for match in Match.objects.filter(pk__in=numbers).order_by("-pk"):
        if match.rules_version != replay.rules_shown(match):  # the same moves would be another match
            continue
        if costs.so_far() - before > REPLAY_CPU:
            break
        answer = _kinds(match, tuple(seats[match.pk]))
        if answer is not None and answer.complete:
            found.matches += 1
            found.offered += Counter(answer.offered)
            found.chosen += Counter(answer.chosen)
    return found


def _kinds(match: Match, seats: tuple[int, ...]) -> KindsAnswer | None:
    key = match.pk, seats
    if key not in _remembered:
        try:
            _remembered[key] = replay.kinds(match, seats)
        except Refused as refusal:
            if refusal.code == "busy":
                raise
            return None
        if len(_remembered) > REMEMBERED:
            _remembered.pop(next(iter(_remembered)), None)
    return _remembered.get(key)
