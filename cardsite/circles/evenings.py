"""The score of an evening, over all matches at its table.

In a match of n people, the first gets n points, the next n - 1, and so on, and the last 1; people who share a place
share the points of their places. A match that counts double gives twice as many. Bots get no points and take nobody's
place: people are ranked among themselves. So are people for whom a bot made most decisions (``Player.counts``). A match
with fewer than two people gives no points.
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

LISTED = 12  # evenings on the page of a circle


class EveningSeat(NamedTuple):
    """The result of a seat. ``points`` is None for a bot, and for a person whose result does not count."""

    name: str
    person: int | None
    is_bot: bool
    place: int
    points: float | None


class EveningMatch(NamedTuple):
    """A match of an evening. ``seats`` is in order of the places, and empty before its end."""

    id: int
    number: int
    game: str
    status: str
    double: bool
    seats: list[EveningSeat]


class EveningStanding(NamedTuple):
    """The score of a person over an evening."""

    place: int
    person: int
    name: str
    points: float
    matches: int


class EveningScore(NamedTuple):
    """An evening with its matches, the last one first, and its standings, the best first."""

    evening: Evening
    matches: list[EveningMatch]
    standings: list[EveningStanding]

    @property
    def over(self) -> bool:
        """Whether no further match can be played."""
        return self.evening.table.status == Table.Status.CLOSED

    @property
    def first(self) -> list[EveningStanding]:
        """The people with the most points: the winners, once it is over."""
        return [standing for standing in self.standings if standing.place == 1]


def points(players: Sequence[Player], *, double: bool = False) -> dict[int, float]:
    """Return the points for an ended match, by seat. Seats without points are left out."""
    places = dict(zip([player.seat for player in players], places_of(players), strict=True))
    people = [player.seat for player in players if not player.bot and player.counts]
    if len(people) < 2:
        return {}
    result = {}
    for seat in people:
        better = sum(places[other] < places[seat] for other in people)
        equal = sum(places[other] == places[seat] for other in people)
        result[seat] = (len(people) - better - (equal - 1) / 2) * (2 if double else 1)
    return result


def scores(circle: Circle, number: int | None = None) -> list[EveningScore]:
    """Return the last evenings of a circle with their scores, the newest first; or only the one of that number.

    Evenings that ended without a match are left out, and a match whose end spectators with a delay do not know
    is still being played.
    """
    played = Exists(Match.objects.filter(table=OuterRef("table")))
    chosen = circle.evenings.select_related("table").filter(~Q(table__status=Table.Status.CLOSED) | played)
    evenings = list(chosen.filter(pk=number) if number is not None else chosen[:LISTED])
    tables = [evening.table_id for evening in evenings]
    matches: QuerySet[Match] = Match.objects.filter(table__in=tables).prefetch_related("players").order_by("-number")
    by_table: dict[int, list[Match]] = {table: [] for table in tables}
    for match in matches:
        by_table[match.table_id].append(as_known(match))
    return [_score(evening, by_table[evening.table_id]) for evening in evenings]


def _score(evening: Evening, matches: Iterable[Match]) -> EveningScore:
    rows = [_match_row(match, double=match.number in evening.doubled) for match in matches]
    return EveningScore(evening, rows, _standings(rows))


def _match_row(match: Match, *, double: bool) -> EveningMatch:
    players = list(match.players.all()) if match.status == Match.Status.OVER else []
    given = points(players, double=double)
    seats = [
        EveningSeat(player.shown, player.person_id, bool(player.bot), place, given.get(player.seat))
        for place, player in sorted(zip(places_of(players), players, strict=True), key=lambda pair: pair[0])
    ]
    return EveningMatch(match.pk, match.number, match.game, match.status, double, seats)


def _standings(matches: Sequence[EveningMatch]) -> list[EveningStanding]:
    """Return the standings. People who have left the site have none; their places in the matches stay theirs."""
    totals: dict[int, list[float]] = {}
    names: dict[int, str] = {}
    for match in matches:  # the last one first: each person is called as in their last match
        for seat in match.seats:
            if seat.person and seat.points is not None:
                totals.setdefault(seat.person, []).append(seat.points)
                names.setdefault(seat.person, seat.name)
    names = distinct_names(names)
    sums = {person: sum(given) for person, given in totals.items()}
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
