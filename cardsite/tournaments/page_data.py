"""What the pages of tournaments show: the standings, the rounds with their tables, and one's own table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from math import ceil
from typing import NamedTuple

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from cardsite.circles.models import Circle
from cardsite.lobby.models import Table
from cardsite.people.models import Person
from cardsite.people.names import distinct_names
from cardsite.table.models import Match
from cardsite.tournaments.models import Entrant, Pairing, Result, Tournament


class TournamentStanding(NamedTuple):
    """A row of the standings. ``opponents`` are the points of all opponents together: they decide between equals."""

    place: int
    entrant: int
    person: int | None
    bot: str
    name: str
    points: float
    opponents: float
    wins: int
    withdrawn: bool
    absent: bool  # withdrawn because of having missed two rounds in a row


class PairingSeat(NamedTuple):
    """An entrant at a table; after the match, in the order of the places."""

    name: str
    bot: str
    mine: bool
    points: float | None
    missing: bool


class TournamentTable(NamedTuple):
    """A table of a round. ``code``: that of a table that one can go to, else "". ``match``: the number for a replay."""

    number: int
    status: str
    seats: list[PairingSeat]
    code: str
    match: int
    key: str  # the code of the table, for a replay of a private table; "" if it is public


class RoundRow(NamedTuple):
    """A round: its tables, and the names of those who had a bye."""

    number: int
    tables: list[TournamentTable]
    byes: list[str]


def cancelled(days: int) -> QuerySet[Tournament]:
    """Return the tournaments that were cancelled so many days ago."""
    return Tournament.objects.filter(
        status=Tournament.Status.CANCELLED, ended__lt=timezone.now() - timedelta(days=days)
    )


def matches_of_circle(circle: Circle) -> Q:
    """Return which matches are those of a circle's tournaments."""
    return Q(table__pairing__tournament__circle=circle)


def entrants_of(tournament: Tournament) -> list[Entrant]:
    """Return the entrants of a tournament, in the order in which they joined; not who was removed before any round."""
    return list(tournament.entrants.select_related("person").exclude(removed=True, results=None))


def names_of(entrants: Iterable[Entrant]) -> dict[int, str]:
    """Return the names of entrants, by their numbers. Equal names are made distinct."""
    return distinct_names({entrant.pk: entrant.shown for entrant in entrants})


def standings(tournament: Tournament, entrants: Sequence[Entrant]) -> list[TournamentStanding]:
    """Return the standings: by points, then those of the opponents (Buchholz), then wins. Equals share a place.

    A first place counts as a win, also a shared one; a bye does not.
    """
    points: defaultdict[int, float] = defaultdict(float)
    wins: defaultdict[int, int] = defaultdict(int)
    tables: defaultdict[int, list[int]] = defaultdict(list)
    rows = Result.objects.filter(pairing__tournament=tournament).order_by("pairing", "seat")
    for pairing, entrant, got, place, missing in rows.values_list("pairing", "entrant", "points", "place", "missing"):
        points[entrant] += got or 0
        wins[entrant] += place == 1 and not missing
        tables[pairing].append(entrant)
    opponents: defaultdict[int, float] = defaultdict(float)
    for table in tables.values():
        for entrant in table:
            opponents[entrant] += sum(points[other] for other in table if other != entrant)
    names = names_of(entrants)
    # Rounded, so that a third and two thirds are one.
    merits = {one.pk: (round(points[one.pk], 6), round(opponents[one.pk], 6), wins[one.pk]) for one in entrants}
    return [
        TournamentStanding(
            place=1 + sum(merits[other.pk] > merits[one.pk] for other in entrants),
            entrant=one.pk,
            person=one.person_id,
            bot=one.bot,
            name=names[one.pk],
            points=points[one.pk],
            opponents=opponents[one.pk],
            wins=wins[one.pk],
            withdrawn=not one.active,
            absent=one.absent,
        )
        for one in sorted(entrants, key=lambda one: ([-merit for merit in merits[one.pk]], one.pk))
    ]


def rounds(tournament: Tournament, names: Mapping[int, str], me: Person | None, *, current: bool) -> list[RoundRow]:
    """Return the current round, or those before it, the last one first. ``names``: as ``names_of`` returns them."""
    pairings = tournament.pairings.select_related("table").prefetch_related("results__entrant").order_by("number")
    pairings = pairings.filter(**{"round" if current else "round__lt": tournament.round})
    last = Match.objects.filter(table=OuterRef("table")).order_by("-number").values("pk")[:1]
    found: defaultdict[int, list[Pairing]] = defaultdict(list)
    for pairing in pairings.annotate(match_id=Subquery(last)):
        found[pairing.round].append(pairing)
    return [
        RoundRow(
            number=number,
            tables=[_table_row(pairing, names, me) for pairing in found[number] if not pairing.bye],
            byes=[
                names[result.entrant_id] for pairing in found[number] if pairing.bye for result in pairing.results.all()
            ],
        )
        for number in sorted(found, reverse=True)
    ]


def _table_row(pairing: Pairing, names: Mapping[int, str], me: Person | None) -> TournamentTable:
    table, match = pairing.table, pairing.match_id  # type: ignore[attr-defined]
    results = sorted(pairing.results.all(), key=lambda result: (result.place or 0, result.seat))
    return TournamentTable(
        number=pairing.number,
        status=pairing.status,
        seats=[
            PairingSeat(
                name=names[result.entrant_id],
                bot=result.entrant.bot,
                mine=me is not None and result.entrant.person_id == me.pk,
                points=result.points,
                missing=result.missing,
            )
            for result in results
        ],
        code=table.code if table and table.status != Table.Status.CLOSED else "",
        match=match if match and pairing.status == Pairing.Status.OVER else 0,
        key="" if table is None or table.public else table.code,
    )


def own_table(tournament: Tournament, person: Person | None) -> str:
    """Return the code of the table where a person waits or plays now, "" for none."""
    if person is None or tournament.status != Tournament.Status.RUNNING:
        return ""
    unfinished = (Pairing.Status.WAITING, Pairing.Status.PLAYING)
    mine = tournament.pairings.filter(round=tournament.round, results__entrant__person=person, status__in=unfinished)
    return mine.exclude(table=None).values_list("table__code", flat=True).first() or ""


def pause(tournament: Tournament) -> int:
    """Return the seconds until the next round begins, 0 if it is not planned yet."""
    if tournament.next_round is None:
        return 0
    return max(1, ceil((tournament.next_round - timezone.now()).total_seconds()))
