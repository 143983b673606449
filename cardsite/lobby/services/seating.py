"""Seats: who sits down, stands up and returns; seats that are added and removed."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext as _

from cardsite.events import (
    GuestAdopted,
    PersonBlocked,
    PersonChanged,
    TableChanged,
    after_commit,
    publish,
    within_transaction,
)
from cardsite.lobby.games import check_seats, find_game, house_bot
from cardsite.lobby.models import Seat, SeatRequest, Table
from cardsite.lobby.services.invitations import do_answer
from cardsite.lobby.services.lifecycle import do_end_seek
from cardsite.lobby.services.permissions import (
    REQUESTS,
    lock,
    require_no_running_match,
    require_own_game,
    require_welcome,
)
from cardsite.lobby.services.presence import do_pass_host, seats_changed
from cardsite.people.models import Person
from cardsite.people.names import BOT_NAMES, distinct_names
from cardsite.people.restrictions import require_may_play
from cardsite.prepared import NO_NUMBER, Prepared
from cardsite.refusal import Refused
from games.core import Game

SEATS = Prepared(lambda table: Seat.objects.filter(table=table).select_related("person"), NO_NUMBER)


def seat_name(seat: Seat) -> str:
    """Return the name of a seat's player at the table, "" for an open seat."""
    if seat.person:
        return seat.person.name
    return (seat.called or BOT_NAMES[seat.index % len(BOT_NAMES)]) if seat.bot else ""


def seat_names(seats: Iterable[Seat]) -> dict[int, str]:
    """Return the names of the players at a table, by seat. Equal names are made distinct."""
    seats = list(seats)
    people = distinct_names({seat.person.pk: seat.person.name for seat in seats if seat.person})
    return {seat.index: people[seat.person_id] if seat.person_id else seat_name(seat) for seat in seats}


@receiver(after_commit, sender=PersonChanged)
def _publish_tables_of(sender: object, event: PersonChanged, **_: object) -> None:
    for table in Table.objects.filter(seats__person=event.person).exclude(status=Table.Status.CLOSED):
        publish(TableChanged(table.code))


@transaction.atomic
def do_sit(code: str, person: Person, index: int | None = None) -> Seat:
    """Give a person an open seat (the first one if ``index`` is None). Raises Refused."""
    require_may_play(person)
    table = lock(code)
    require_no_running_match(table)
    if table.opened_by_id != person.pk:
        require_own_game(table)
    require_welcome(table, person)
    seats = SEATS.all(table.pk)
    if any(seat.person_id == person.pk for seat in seats):
        raise Refused("seated", _("You already sit at this table."))
    free = [seat for seat in seats if seat.kind == "open" and index in (None, seat.index)]
    if not free:
        raise Refused("taken", _("That seat is taken. Choose another, or watch."))
    do_seat(table, free[0], person)
    return free[0]


def do_seat(table: Table, seat: Seat, person: Person) -> None:
    """Give a person a seat of a locked table that is open or a bot's. Raises Refused."""
    back = seat.held_for_id == person.pk
    seat.person, seat.bot, seat.held_for = person, "", None
    seat.wins, seat.held_wins = seat.held_wins if back else 0, 0
    seat.away = seat.ready = seat.ends = False
    seat.take_back = 0  # no move
    seat.seen = None  # it was that of the previous person; the relay stores presence
    try:
        with transaction.atomic():
            seat.save()
    except IntegrityError:
        raise Refused("seated", _("You already sit at this table.")) from None
    if any(other.held_for_id == person.pk for other in SEATS.all(table.pk)):
        Seat.objects.filter(table=table, held_for=person).update(held_for=None, held_wins=0)
    do_end_request(table, person.pk)
    do_answer(table.code, person)
    if table.host_id is None and not (table.house or table.tournament):
        table.host, table.host_seen = person, timezone.now()
    table.save()
    seats_changed(table)


@transaction.atomic
def do_stand(code: str, person: Person) -> None:
    """Give up a seat. During a match the house bot takes over, and the seat can be taken back. Raises Refused."""
    table = lock(code)
    seat = Seat.objects.filter(table=table, person=person).first()
    if seat is None:
        raise Refused("not_seated", _("You are not seated at this table."))
    wins = seat.wins
    do_vacate(table, seat)
    if seat.bot:
        seat.held_for, seat.held_wins = person, wins
        seat.save(update_fields=["held_for", "held_wins"])
    if table.host_id == person.pk:
        do_pass_host(table)
    table.save()
    seats_changed(table)


@transaction.atomic
def do_return(code: str, person: Person) -> None:
    """Take back a seat that was given up during a match, while the bot has it. Raises Refused."""
    require_may_play(person)
    table = lock(code)
    require_welcome(table, person)
    seat = Seat.objects.filter(table=table, held_for=person, person=None).exclude(bot="").first()
    if seat is None:
        raise Refused("taken", _("That seat is no longer reserved for you. Ask the host for a seat."))
    do_seat(table, seat, person)


def do_vacate(table: Table, seat: Seat) -> None:
    """Remove the person from a seat of a locked table. During a match the house bot takes over.

    At a table of a tournament also before it: nobody else may sit down there.
    """
    seat.person = None
    seat.away = seat.ready = seat.ends = False
    seat.take_back = 0
    seat.wins = 0
    if table.status == Table.Status.PLAYING or table.tournament:
        seat.bot = house_bot(table.game)
    seat.save(update_fields=["person", "bot", "away", "ready", "ends", "take_back", "wins"])


def do_remove_player(table: Table, seat: Seat, *, by_administrator: bool = False, reason: str = "") -> None:
    """Remove the person in a seat of a locked table. The house bot takes over.

    They may watch and request a seat, but no longer sit down by themselves.
    """
    gone = {"answer": SeatRequest.Answer.NONE, "removed": True, "by_administrator": by_administrator, "reason": reason}
    SeatRequest.objects.update_or_create(table=table, person=seat.person, defaults=gone)
    do_vacate(table, seat)
    seat.bot = house_bot(table.game)
    seat.save(update_fields=["bot"])
    table.save()
    seats_changed(table)


@receiver(within_transaction, sender=PersonBlocked)
def do_leave_all_seats(sender: object, event: PersonBlocked, **_: object) -> None:
    """Take away the seats of a person who is blocked, and their tables: another person becomes the host."""
    theirs = Q(seats__person=event.person) | Q(seats__held_for=event.person) | Q(host=event.person)
    tables = Table.objects.filter(theirs).exclude(status=Table.Status.CLOSED)
    for table in Table.objects.select_for_update().filter(pk__in=tables.values("pk")).order_by("pk"):
        for seat in Seat.objects.filter(table=table, person=event.person):
            do_vacate(table, seat)
        Seat.objects.filter(table=table, held_for=event.person).update(held_for=None, held_wins=0)
        if table.host_id == event.person:
            do_pass_host(table)
        table.save()
        seats_changed(table)


@receiver(within_transaction, sender=GuestAdopted)
def do_leave_double_seats(sender: object, event: GuestAdopted, **_: object) -> None:
    """Give up the guest's seat where a guest and the account that the guest logs in to both sit at a table."""
    guest, person = event
    for seat in Seat.objects.filter(person=guest, table__seats__person=person).select_related("table"):
        table = Table.objects.select_for_update().get(pk=seat.table_id)
        do_vacate(table, seat)
        seats_changed(table)
    for seat_request in SeatRequest.objects.filter(person=guest, table__seat_requests__person=person):
        # The person has a request of their own. Logging in does not undo that the host removed the guest.
        if seat_request.removed:
            barred = {"barred": True} if seat_request.barred else {}
            why = {"by_administrator": seat_request.by_administrator, "reason": seat_request.reason}
            theirs = SeatRequest.objects.filter(table=seat_request.table_id, person=person)
            theirs.update(removed=True, **why, **barred)
        seat_request.delete()
    both = (guest, person)
    seated = SeatRequest.objects.filter(person__in=both, table__seats__person__in=both)  # no longer requesting a seat
    seated.filter(removed=False).delete()
    seated.update(answer=SeatRequest.Answer.NONE)


def do_fill_open_seats(table: Table) -> list[Seat]:
    """Put the house bot on every open seat of a locked table. Return all seats, with their people.

    Raises Refused if the game is gone.
    """
    bot = find_game(table.game).house_bot
    seats = SEATS.all(table.pk)
    if empty := [seat for seat in seats if seat.kind == "open"]:
        Seat.objects.filter(pk__in=[seat.pk for seat in empty]).update(bot=bot, wins=0)
        for seat in empty:
            seat.bot, seat.wins = bot, 0
    return seats


def do_add_seats(table: Table, game: Game, more: int) -> None:
    """Add open seats to a locked table. Raises Refused."""
    seats = Seat.objects.filter(table=table).count()
    check_seats(game, seats + more)
    Seat.objects.bulk_create(Seat(table=table, index=seats + number) for number in range(more))


def do_remove_seats(table: Table, seats: Iterable[Seat]) -> None:
    """Remove seats from a locked table; the seats after them move up."""
    for seat in sorted(seats, key=lambda seat: -seat.index):
        seat.delete()
        for later in Seat.objects.filter(table=table, index__gt=seat.index).order_by("index"):
            later.index -= 1
            later.save(update_fields=["index"])
        if table.favourite is not None and table.favourite >= seat.index:
            table.rigged = table.rigged and table.favourite != seat.index
            table.favourite = max(0, table.favourite - 1)


def do_end_request(table: Table, person: int) -> None:
    """End a person's request for a seat. That the host removed them is forgotten only when they are seated."""
    if all(seat_request.person_id != person for seat_request in REQUESTS.all(table.pk)):
        return
    requests = SeatRequest.objects.filter(table=table, person=person)
    if Seat.objects.filter(table=table, person=person).exists():
        requests.delete()
    else:
        requests.filter(removed=False).delete()
        requests.update(answer=SeatRequest.Answer.NONE)


def seat_at(table: Table, index: int) -> Seat:
    """Return the seat with this index. Raises Refused."""
    seat = Seat.objects.filter(table=table, index=index).select_related("person").first()
    if seat is None:
        raise Refused("no_seat", _("This table has no seat %(n)d.") % {"n": index})
    return seat


def spare_seat(table: Table, index: int | None = None) -> Seat | None:
    """Return a seat of a locked table for one more person, None if there is none."""
    seats = Seat.objects.filter(table=table, person=None)
    if index is not None:
        return seats.filter(index=index).first()
    spare = seats.filter(bot="").first() or seats.filter(held_for=None).last() or seats.last()
    if spare is None and table.status != Table.Status.PLAYING and not table.what_if:
        try:
            do_add_seats(table, find_game(table.game), 1)
        except Refused:
            return None
        spare = seats.filter(bot="").first()
        do_restart_series(table)
    return spare


def do_restart_series(table: Table) -> None:
    """Start a new series: the table has changed, so its last match is no longer shown."""
    if table.status != Table.Status.OPEN:
        do_end_seek(table.code)  # of the first match
    table.status, table.fresh = Table.Status.OPEN, True
    table.save()
    publish(TableChanged(table.code))
