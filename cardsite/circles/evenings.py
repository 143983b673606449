"""The score of an evening: the points of each person, summed over all matches at the evening's table.

In a match of n people, the first gets n points, the next n - 1, and so on down to 1. People who share a place share the
points of their places. A match that counts double gives twice as many points. Only the people in a match are ranked:
bots get no points and take up no place, and the same holds for people for whom a bot made most decisions
(``Player.counts``). A match with fewer than two people gives no points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from cardsite.circles.models import Circle, Evening
from cardsite.lobby.models import Table
from cardsite.people.names import distinct_names
from cardsite.table.delay import as_known
from cardsite.table.models import Match, Player
from cardsite.table.occupants import places_of

MAX_LISTED = 12  # evenings on the page of a circle


class EveningSeat(NamedTuple):
    """The result of a seat in a match."""

    name: str
    person: int | None  # id; None for a bot, and for a person who has left the site
    is_bot: bool
    place: int  # among all seats, bots included
    points: float | None  # None for a bot, and for a person whose result does not count


class EveningMatch(NamedTuple):
    """A match of an evening."""

    id: int
    number: int  # at the table, from 1
    game: str  # the name of the game
    status: str
    double: bool
    seats: list[EveningSeat]  # in order of their places; empty until the match is over


class EveningStanding(NamedTuple):
    """The total of a person over an evening."""

    place: int
    person: int  # id
    name: str
    points: float
    matches: int  # that gave the person points


class EveningScore(NamedTuple):
    """An evening with its matches, the latest first, and its standings, the best first."""

    evening: Evening
    matches: list[EveningMatch]
    standings: list[EveningStanding]

    @property
    def over(self) -> bool:
        """Whether the evening has ended: no further match can be played."""
        return self.evening.table.status == Table.Status.CLOSED

    @property
    def leaders(self) -> list[EveningStanding]:
        """The people with the most points. Once the evening is over they are its winners."""
        return [standing for standing in self.standings if standing.place == 1]


def points(players: Sequence[Player], *, double: bool = False) -> dict[int, float]:
    """Return the points of a match that is over, by seat. Seats without points are left out."""
    places = dict(zip([player.seat for player in players], places_of(players), strict=True))
    people = [player.seat for player in players if not player.bot and player.counts]
    if len(people) < 2:
        return {}
    result = {}
    for seat in people:
        better = sum(places[other] < places[seat] for other in people)
        sharing = sum(places[other] == places[seat] for other in people)  # with the seat itself
        result[seat] = (len(people) - better - (sharing - 1) / 2) * (2 if double else 1)
    return result


def scores(circle: Circle, evening_id: int | None = None) -> list[EveningScore]:
    """Return the scores of the last evenings of a circle, the newest first; with ``evening_id`` only of that one.

    Evenings that ended without a match are left out. All members see these scores, so they are those that spectators
    of the table know: a match that is over counts as being played until the spectators' delay has passed.
    """
    played = Exists(Match.objects.filter(table=OuterRef("table")))
    chosen = circle.evenings.select_related("table").filter(~Q(table__status=Table.Status.CLOSED) | played)
    evenings = list(chosen.filter(pk=evening_id) if evening_id is not None else chosen[:MAX_LISTED])
    tables = [evening.table_id for evening in evenings]
    matches: QuerySet[Match] = Match.objects.filter(table__in=tables).prefetch_related("players").order_by("-number")
    by_table: dict[int, list[Match]] = {table: [] for table in tables}
    for match in matches:
        by_table[match.table_id].append(as_known(match))
    return [_score(evening, by_table[evening.table_id]) for evening in evenings]


def _score(evening: Evening, matches: Iterable[Match]) -> EveningScore:
    rows = [_match_of(match, double=match.number in evening.doubled) for match in matches]
    return EveningScore(evening, rows, _standings(rows))


def _match_of(match: Match, *, double: bool) -> EveningMatch:
    players = list(match.players.all()) if match.status == Match.Status.OVER else []
    points_of = points(players, double=double)
    seats = [
        EveningSeat(player.shown, player.person_id, bool(player.bot), place, points_of.get(player.seat))
        for place, player in sorted(zip(places_of(players), players, strict=True), key=lambda pair: pair[0])
    ]
    return EveningMatch(match.pk, match.number, match.game, match.status, double, seats)


def _standings(matches: Sequence[EveningMatch]) -> list[EveningStanding]:
    """Return the standings after some matches, the latest first.

    People who have left the site are not in them, but keep their places in the matches.
    """
    totals: dict[int, list[float]] = {}
    names: dict[int, str] = {}
    for match in matches:  # the latest first: a person has the name of their latest match
        for seat in match.seats:
            if seat.person and seat.points is not None:
                totals.setdefault(seat.person, []).append(seat.points)
                names.setdefault(seat.person, seat.name)
    names = distinct_names(names)
    sums = {person: sum(each) for person, each in totals.items()}
    return [
        EveningStanding(
            place=1 + sum(other > total for other in sums.values()),
            person=person,
            name=names[person],
            points=total,
            matches=len(totals[person]),
        )
        for person, total in sorted(sums.items(), key=lambda item: (-item[1], names[item[0]]))
    ]
