"""Take back a move, and all moves after it, by agreement of everybody at the table.

States are never stored, so a match without its last moves is a new row with the same seed and the earlier moves. It
replaces the old one, whose copies in all processes become invalid with it: no process can mistake one for the other,
and no ended match with the same seed is left whose replay could reveal the deal.
"""

from __future__ import annotations

from itertools import takewhile

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from cardsite.events import MatchStarted, SeatsChanged, TableChanged, publish, publish_now
from cardsite.lobby.models import Seat, Table
from cardsite.lobby.services import lifecycle, permissions
from cardsite.people.models import Person
from cardsite.refusal import Refused
from cardsite.table.models import DailyTry, Match, Move, Occupancy, Player
from cardsite.table.moves import milliseconds
from cardsite.table.occupants import occupancies_of
from cardsite.table.queries import LAST_MATCH
from cardsite.table.services.processes import this_process


@transaction.atomic
def do_ask_to_take_back(code: str, person: Person) -> None:
    """Ask everybody at a table to take back the person's last decision, and take it back if nobody else decides there.

    Raises Refused.
    """
    table, match, asked = _lock(code, person)
    if asked:
        raise Refused("stale", _("Somebody has asked to take back a move already. Answer that first."))
    move = _last_decision(match, person)
    if move is None:
        raise Refused("bad_option", _("You have not made a move that could be taken back."))
    lifecycle.do_store_wish(table, person, take_back=0)  # of a request that has ended
    if lifecycle.do_store_wish(table, person, take_back=move.ply):
        do_take_back(table, match, move)


@transaction.atomic
def do_answer_take_back(code: str, person: Person, move: int, agrees: bool) -> None:
    """Store whether a person agrees to take back the move that somebody has asked for, and take it back when all do.

    Raises Refused, also if that is no longer the move.
    """
    table, match, asked = _lock(code, person)
    if asked is None or asked.ply != move:
        raise Refused("stale", _("This request no longer exists. Look at the table."))
    if lifecycle.do_store_wish(table, person, take_back=move if agrees else 0):
        do_take_back(table, match, asked)


def _lock(code: str, person: Person) -> tuple[Table, Match, Move | None]:
    """Lock a table where a person plays, and return it, its match, and the move to be taken back. Raises Refused."""
    table = permissions.lock(code)
    match = LAST_MATCH.first(table.pk)
    if match is None or match.status != Match.Status.RUNNING:
        raise Refused("over", _("No match is in progress."))
    permissions.require_no_tournament(table)
    permissions.require_seat(table, person)
    if table.story or DailyTry.objects.filter(match=match).exists():
        raise Refused("bad_option", _("No move can be taken back in this match."))
    return table, match, asked_to_take_back(table, match)


def asked_to_take_back(table: Table, match: Match) -> Move | None:
    """Return the first move of a running match that somebody would like to take back.

    None if there is no request, or if the person who made the move has made another decision since.
    """
    seats = Seat.objects.filter(table=table, take_back__gt=0).values_list("take_back", flat=True)
    move = Move.objects.filter(match=match, ply__in=seats).first()
    later = Move.objects.filter(match=match, ply__gt=move.ply, seat=move.seat, by="person") if move else None
    return None if later is not None and later.exists() else move


def _last_decision(match: Match, person: Person) -> Move | None:
    """Return the last move of a running match that a person made in the seat where they are now."""
    seat = Seat.objects.get(table=match.table_id, person=person).index
    there = [row for row in reversed(occupancies_of(match.pk)) if row.seat == seat]
    since = min((row.ply for row in takewhile(lambda row: row.person_id == person.pk, there)), default=0)
    return Move.objects.filter(match=match, seat=seat, by="person", ply__gt=since).order_by("-ply").first()


def do_take_back(table: Table, match: Match, move: Move) -> None:
    """Replace a running match of a locked table by one without a move and those after it."""
    old, started, before = match.pk, match.started, move.ply - 1
    # Its clocks go on from now, not from the time of the last move that is left.
    last = Move.objects.filter(match=old, ply=before).values_list("at", flat=True).first()
    began = milliseconds(started) if last is None else last
    match.compensation_ply, match.compensation_ms = before, max(0, milliseconds(timezone.now()) - began)
    if Seat.objects.filter(table=table, away=False).exclude(person=None).count() <= 1:  # nobody else has agreed
        match.practice = True
    match.pk, match.process, match.suspended_since, match.resumes = None, this_process.row, None, None
    Match.objects.filter(pk=old).update(number=0)  # a table has one match of each number
    match.save(force_insert=True)
    Match.objects.filter(pk=match.pk).update(started=started)
    Move.objects.filter(match=old, ply__gt=before).delete()
    Occupancy.objects.filter(match=old, ply__gt=before).delete()
    for kind in (Move, Player, Occupancy):
        kind.objects.filter(match=old).update(match=match)
    Match.objects.filter(pk=old).delete()
    Seat.objects.filter(table=table).update(take_back=0, to_act=False, due=None, reminded=False)
    publish_now(SeatsChanged(table.pk))  # who sat down after that move is there from now on
    publish(TableChanged(table.code))
    publish(MatchStarted(match.pk, match.process_id or 0))
