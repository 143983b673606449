"""Messages at a table, and reports of them."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from cardsite.lobby.models import Seat, Table
from cardsite.lobby.services import permissions, seating
from cardsite.people.models import REASON_LENGTH, Person
from cardsite.people.names import clean_reason, distinct_names
from cardsite.people.restrictions import require_may_chat
from cardsite.refusal import Refused
from cardsite.table.models import ChatReport, Message

MAX_REPORTED = 100  # messages in one report: a newcomer is sent that many
MAX_REPORTS = 50  # reports about one table that are waiting


def do_post_message(code: str, person_id: int, seat: int | None, text: str, at: int) -> Message:
    """Store a chat message, for the room of the sender: players or spectators, or both if they share a room.

    Raises Refused.
    """
    table = Table.objects.get(code=code)
    own = Message.ChatRoom.SPECTATORS if seat is None else Message.ChatRoom.PLAYERS
    person = Person.objects.get(pk=person_id)
    require_may_chat(person)
    permissions.require_not_barred(table, person)
    names = seating.seat_names(Seat.objects.filter(table__code=code).select_related("person"))
    if seat is None:
        name = distinct_names({person.pk: person.name}, names.values())[person.pk]  # nobody speaks as a player
    else:
        name = names.get(seat, person.name)
    return Message.objects.create(
        table=table,
        room=Message.ChatRoom.ALL if table.together else own,
        person=person,
        name=name,
        seat=-1 if seat is None else seat,
        text=text,
        at=at,
    )


def do_remove_messages(messages: Iterable[int]) -> None:
    """Remove chat messages permanently."""
    Message.objects.filter(pk__in=list(messages)).delete()


def nothing_to_report() -> Refused:
    """Return the refusal of a report that is about no message of others."""
    return Refused("bad_option", _("Choose the messages of others that you want to report."))


@transaction.atomic
def do_report_messages(code: str, person: Person, messages: Iterable[int], why: str) -> None:
    """Report messages of others to the administrators. People can report what they can read. Raises Refused."""
    table = permissions.lock(code)
    permissions.require_not_barred(table, person)
    said = clean_reason(why, REASON_LENGTH)
    seated = Seat.objects.filter(table=table, person=person).exists()
    own = Message.ChatRoom.PLAYERS if seated else Message.ChatRoom.SPECTATORS
    numbers = list(messages)[:MAX_REPORTED]
    found = Message.objects.filter(table=table, pk__in=numbers, room__in=(own, Message.ChatRoom.ALL))
    reported = list(found.exclude(person=person))
    if not reported:
        raise nothing_to_report()
    if ChatReport.objects.filter(table=table).count() >= MAX_REPORTS:
        raise Refused("wait", _("The administrators have many reports about this table already, and will look at it."))
    ChatReport.objects.create(table=table, person=person, why=said).messages.set(reported)


@transaction.atomic
def do_resolve_report(report: ChatReport, *, remove: bool) -> None:
    """Delete a report that an administrator has handled, and if ``remove`` its messages, too."""
    if remove:
        report.messages.all().delete()
    report.delete()
