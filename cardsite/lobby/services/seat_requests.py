"""Requests for a seat: a person asks, the host answers, and the seat is given now or after the match."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from cardsite.events import TableChanged, publish
from cardsite.lobby.models import Seat, SeatRequest, Table
from cardsite.lobby.services.permissions import (
    lock,
    require_host,
    require_not_barred,
    require_own_game,
)
from cardsite.lobby.services.seating import do_end_request, do_seat, spare_seat
from cardsite.people.models import Person
from cardsite.people.restrictions import is_blocked, require_may_play
from cardsite.prepared import NO_NUMBER, Prepared
from cardsite.refusal import Refused

ASKING = Prepared(  # of people who wait for an answer, or have a seat from the next match on
    lambda table: SeatRequest.objects.filter(table=table, answer__in=("waits", "next")).select_related("person"),
    NO_NUMBER,
)
MAX_REQUESTS = 8  # unanswered requests for a seat at one table


@transaction.atomic
def do_request_seat(code: str, person: Person) -> None:
    """Request a seat from the host. Raises Refused."""
    require_may_play(person)
    table = lock(code)
    require_not_barred(table, person)
    require_own_game(table)
    if table.host_id is None:
        raise Refused("no_host", _("This table has no host who could give you a seat. Choose another table."))
    if Seat.objects.filter(table=table, person=person).exists():
        raise Refused("seated", _("You already sit at this table."))
    if SeatRequest.objects.filter(table=table, answer=SeatRequest.Answer.WAITS).count() >= MAX_REQUESTS:
        raise Refused(
            "wait", _("Too many people are asking for a seat here. Wait until the host has answered some of them.")
        )
    waits = {"answer": SeatRequest.Answer.WAITS}
    SeatRequest.objects.update_or_create(table=table, person=person, defaults=waits)
    publish(TableChanged(table.code))


@transaction.atomic
def do_withdraw_request(code: str, person: Person) -> None:
    """Withdraw a request for a seat, or decline a seat in the next match."""
    table = lock(code)
    do_end_request(table, person.pk)
    publish(TableChanged(table.code))


@transaction.atomic
def do_answer_request(code: str, person: Person, asking: int, answer: str, index: int | None = None) -> None:
    """Host: answer a request for a seat. Raises Refused.

    "now" seats the person: in seat ``index``, else in an open seat, else instead of a bot; between matches a seat is
    added if there is none. "next" does so when the match is over. "no" rejects the request.
    """
    table = lock(code)
    require_host(table, person)
    seat_request = SeatRequest.objects.filter(table=table, person=asking).first()
    if seat_request is None or not seat_request.open:
        raise Refused("no_request", _("This person is no longer asking for a seat."))
    if answer in ("now", "next"):
        require_may_play(seat_request.person)
        if Seat.objects.filter(table=table, person=asking).exists():
            raise Refused("seated", _("This person already sits at this table."))
    if answer == "next" and table.status == Table.Status.PLAYING:
        seat_request.answer = SeatRequest.Answer.NEXT
        seat_request.save()
    elif answer in ("now", "next"):
        seat = spare_seat(table, index)
        if seat is None:
            raise Refused("taken", _("There is no free seat. Replace a bot, or choose another game."))
        do_seat(table, seat, seat_request.person)
    elif answer == "no":
        seat_request.answer = SeatRequest.Answer.NO
        seat_request.save()
    else:
        raise Refused("bad_option", _("The answer must be now, next or no."))
    publish(TableChanged(table.code))


def do_seat_promised(table: Table) -> None:
    """Before the next match of a locked table: seat the people whom the host has promised a seat."""
    for seat_request in ASKING.all(table.pk):
        if seat_request.answer != SeatRequest.Answer.NEXT or is_blocked(seat_request.person_id):
            continue
        if Seat.objects.filter(table=table, person=seat_request.person).exists():  # because of a login in the meantime
            do_end_request(table, seat_request.person_id)
        elif seat := spare_seat(table):
            do_seat(table, seat, seat_request.person)
