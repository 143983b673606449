"""Messages at a table."""

from __future__ import annotations

from collections.abc import Iterable

from cardsite.lobby.models import Seat, Table
from cardsite.lobby.services import permissions, seating
from cardsite.people.models import Person
from cardsite.people.restrictions import require_may_chat
from cardsite.table.models import Message


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
    return Message.objects.create(
        table=table,
        room=Message.ChatRoom.ALL if table.together else own,
        person=person,
        name=person.name if seat is None else names.get(seat, person.name),
        seat=-1 if seat is None else seat,
        text=text,
        at=at,
    )


def do_remove_messages(messages: Iterable[int]) -> None:
    """Remove chat messages permanently."""
    Message.objects.filter(pk__in=list(messages)).delete()
