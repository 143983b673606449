"""Who was in which seat of a match, under which name, and who decided how many of its moves.

``services.do_note_occupants`` stores the changes. The log, the result, the replay, and the pages about people use these
records, so a later rename or a new occupant changes nothing about a match that has been played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from cardsite.lobby.models import Seat
from cardsite.lobby.services import seating
from cardsite.people.models import Person
from cardsite.table.ending import ranks_of
from cardsite.table.models import Match, Occupancy, Player
from cardsite.table.moves import milliseconds
from cardsite.table.queries import OCCUPANCIES, PLAYERS

REMOVED = 0  # instead of the number of a person who was removed from the site


class Occupant(NamedTuple):
    """A person or a bot in a seat. ``person`` is their number, None for a bot."""

    person: int | None
    bot: str
    away: bool
    name: str


def occupant_of(row: Occupancy) -> Occupant:
    """Return the occupant whom a record names."""
    return Occupant(row.person_id, row.bot, row.away, row.name)


def occupants_at(seats: Iterable[Seat]) -> dict[int, Occupant]:
    """Return the occupants of a table's seats now, by seat."""
    seats = list(seats)
    names = seating.seat_names(seats)
    return {seat.index: Occupant(seat.person_id, seat.bot, seat.away, names[seat.index]) for seat in seats}


def vacation_of(person: Person | None) -> int:
    """Return the end of somebody's last vacation in milliseconds since 1970, 0 for none."""
    return milliseconds(person.vacation_until) if person and person.vacation_until else 0


def occupancies_of(match_id: int) -> list[Occupancy]:
    """Return the records of a match, in their order. An older match has those of its players, which are not stored."""
    return OCCUPANCIES.all(match_id) or [
        Occupancy(match_id=match_id, ply=0, seat=row.seat, person_id=row.person_id, bot=row.bot, name=row.name)
        for row in PLAYERS.all(match_id)
    ]


def last_occupants(rows: Iterable[Occupancy]) -> dict[int, Occupant]:
    """Return the last occupant of each seat."""
    return {row.seat: occupant_of(row) for row in rows}


class OccupantResult(NamedTuple):
    """To whom the result of a seat counts, and how many of its decisions they made."""

    person: int | None
    bot: str
    name: str
    decisions: int
    own: int


def seat_results(rows: Sequence[Occupancy], deciders: Iterable[tuple[int, str]]) -> dict[int, OccupantResult]:
    """Return whose result that of each seat is. ``deciders`` has the seat and the ``by`` of each move, in order.

    It belongs to the person who made most of its decisions; of two with as many, to the later one. Nobody has two
    results: a person who changed seats has that of the seat where they decided more. A seat of which no person is left
    is a bot's.
    """
    people = [row for row in rows if not row.bot]
    total, own = _decisions(people, deciders)
    last = {_key(row): place for place, row in enumerate(people)}
    found: dict[int, OccupantResult] = {}
    seated: set[int] = set()
    for key in sorted(last, key=lambda key: (own[key], last[key]), reverse=True):
        seat, person = key
        if seat not in found and person not in seated:
            row = people[last[key]]
            found[seat] = OccupantResult(row.person_id, "", row.name, total[seat], own[key])
            if person != REMOVED:
                seated.add(person)
    bots = {row.seat: OccupantResult(None, row.bot, row.name, total[row.seat], 0) for row in rows if row.bot}
    return bots | found


def _key(row: Occupancy) -> tuple[int, int]:
    return row.seat, row.person_id or REMOVED


def places_of(players: Sequence[Player]) -> list[int]:
    """Return the places in an ended match, of bots too: those of its game, or by the scores if the game gave none."""
    ranks = ranks_of([player.score for player in players], [player.share for player in players])
    return [player.place or rank for player, rank in zip(players, ranks, strict=True)]


def _decisions(
    people: Iterable[Occupancy], deciders: Iterable[tuple[int, str]]
) -> tuple[Mapping[int, int], Mapping[tuple[int, int], int]]:
    """Return how many decisions were made in each seat, and how many of them by each person; none of forced passes."""
    in_seat: dict[int, list[Occupancy]] = {}
    for row in people:
        in_seat.setdefault(row.seat, []).append(row)
    total: Counter[int] = Counter()
    own: Counter[tuple[int, int]] = Counter()
    for ply, (seat, by) in enumerate(deciders):
        total[seat] += by != "forced"
        if by == "person" and seat in in_seat:
            # The last person who had come, even if a bot has the seat: the move may be stored just after they left.
            earlier = [row for row in in_seat[seat] if row.ply <= ply] or in_seat[seat][:1]
            own[_key(earlier[-1])] += 1
    return total, own


def occupancies_as_data(rows: Iterable[Occupancy]) -> list[dict[str, Any]]:
    """Return records as browsers are sent them: see ``OccupancyInfo`` in ``server/protocol.py``."""
    return [
        {
            "ply": row.ply,
            "seat": row.seat,
            "kind": "bot" if row.bot else "person",
            "name": row.name,
            "bot": row.bot,
            "person": row.person_id or 0,
            "away": row.away,
            "removed": row.removed,
        }
        for row in rows
    ]


def results_as_data(match: Match) -> list[dict[str, Any]]:
    """Return whose results those of an ended match are, as browsers are sent them (``SeatResultInfo``); else []."""
    return [
        {
            "seat": row.seat,
            "name": row.name,
            "person": row.person_id or 0,
            "decisions": row.decisions or 0,
            "own": row.own_decisions,
            "counts": row.counts,
        }
        for row in (PLAYERS.all(match.pk) if match.status == Match.Status.OVER else [])
    ]
