"""Checks that the services share: who may do what at a table. Each raises Refused."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from cardsite.lobby.models import Seat, SeatRequest, Table
from cardsite.people.models import Person
from cardsite.prepared import NO_CODE, NO_NUMBER, Prepared
from cardsite.refusal import Refused

LOCKED_TABLE = Prepared(lambda code: Table.objects.select_for_update().filter(code=code), NO_CODE)
REQUESTS = Prepared(lambda table: SeatRequest.objects.filter(table=table), NO_NUMBER)


def lock(code: str) -> Table:
    """Return the table with its row locked until the transaction ends. Raises Refused."""
    table = LOCKED_TABLE.first(code)
    if table is None or table.status == Table.Status.CLOSED:
        raise Refused("no_table", _("This table no longer exists. Find another one on the front page."))
    return table


def require_host(table: Table, person: Person) -> None:
    """Raise Refused unless ``person`` is the host, or, if there is none, the person who created the table."""
    if (table.host_id or table.opened_by_id) != person.pk:
        raise Refused("not_host", _("Only the host can do that."))


def require_no_running_match(table: Table) -> None:
    """Raise Refused while a match is being played."""
    if table.status == Table.Status.PLAYING:
        raise Refused("playing", _("A match is in progress. Wait until it ends."))


def require_seat(table: Table, person: Person) -> None:
    """Raise Refused unless ``person`` has a seat at a table."""
    if not Seat.objects.filter(table=table, person=person).exists():
        raise Refused("not_seated", _("You are not seated at this table."))


def require_own_game(table: Table) -> None:
    """Raise Refused if game and seats are those of a story, or of another match that the table continues."""
    if table.story:
        raise Refused("story", _("This table plays a story, so its seats and game cannot be changed."))
    if table.what_if:
        raise Refused(
            "what_if",
            _("This table continues another match, so its game and seats cannot be changed. Create another table."),
        )
    if table.tournament:
        raise Refused("tournament", _("This is a table of a tournament, so its game and seats cannot be changed."))


def require_may_invite(table: Table, person: Person) -> None:
    """Raise Refused unless ``person`` sits at a table that others may join, or is its host."""
    if table.story or table.what_if or table.tournament or table.house:
        raise Refused("bad_option", _("Nobody can be invited to this table."))
    if table.host_id != person.pk and not Seat.objects.filter(table=table, person=person).exists():
        raise Refused("not_seated", _("Sit down at the table first."))


def require_no_tournament(table: Table) -> None:
    """Raise Refused at a table of a tournament: no further match, no agreed end, no taking back of moves."""
    if table.tournament:
        raise Refused(
            "tournament",
            _("This match is part of a tournament: it is played once, and no move is taken back."),
        )


def require_welcome(table: Table, person: Person) -> None:
    """Raise Refused for a person whom the host has removed from a locked table and not seated again since."""
    own = [seat_request for seat_request in REQUESTS.all(table.pk) if seat_request.person_id == person.pk]
    _require_not_barred(own)
    if any(seat_request.removed for seat_request in own):
        raise Refused("removed", _("The host has removed you from this table. Ask for a seat, or watch."))


def require_not_barred(table: Table, person: Person) -> None:
    """Raise Refused for a person whom the host has removed as a spectator."""
    _require_not_barred(one for one in REQUESTS.all(table.pk) if one.person_id == person.pk)


def _require_not_barred(own: Iterable[SeatRequest]) -> None:
    if any(seat_request.barred for seat_request in own):
        raise Refused("barred", _("The host has removed you from this table. Choose another table."))
