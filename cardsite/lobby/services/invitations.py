"""Invitations of people to a table: who has one, what it says, and when it has been answered.

Whom a person may invite is a matter of the matches that were played: see ``table/services/invitations.py``.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.dispatch import receiver
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

from cardsite.events import GuestAdopted, within_transaction
from cardsite.lobby.games import title_of
from cardsite.lobby.models import PersonInvitation, Seat, SeatRequest, Table
from cardsite.people.models import Mute, Person
from cardsite.people.restrictions import active_restrictions
from cardsite.push.models import NotificationKind
from cardsite.push.sending import Notification


def in_words(by: Person) -> Promise:
    """Return the sentence that the people read whom ``by`` invites."""
    return format_lazy(gettext_lazy("{name} invites you to a table"), name=by.name)


def notification_of(table: Table, by: Person, circle: str = "") -> Notification:
    """Return the notification of people whom ``by`` invites to a table; ``circle``: the name of the invited circle."""
    body = " · ".join(filter(None, (circle, title_of(table.game))))
    return Notification(NotificationKind.INVITED, in_words(by), body, reverse("table:page", args=[table.code]), by.pk)


def open_invitations(person: Person) -> QuerySet[PersonInvitation]:
    """Return the invitations that a person may still accept, the newest first.

    Not those of people who are blocked, muted by an administrator or muted by the person, nor to tables from which the
    person was removed, nor those of circles that the person has left.
    """
    removed = SeatRequest.objects.filter(Q(removed=True) | Q(answer=SeatRequest.Answer.NO), person=person)
    seated = Seat.objects.filter(table=OuterRef("table"), person=person)
    found = PersonInvitation.objects.filter(~Exists(seated), person=person, answered=None)
    return (
        found.exclude(table__status=Table.Status.CLOSED)
        .exclude(table__in=removed.values("table"))
        .exclude(by__in=active_restrictions().values("person"))
        .exclude(not_shown())
    )


def not_shown() -> Q:
    """Return the condition that the invited person is not shown an invitation.

    It is by somebody whom they have muted, or they are in no circle any more that is invited to the table.
    """
    muted = Exists(Mute.objects.filter(by=OuterRef("person"), person=OuterRef("by")))
    tables_of_circles = Table.objects.filter(invitations__circle__members__person=OuterRef("person"))
    member = Exists(tables_of_circles.filter(pk=OuterRef("table")))
    return Q(muted) | Q(~member, of_circle=True, answered=None)


def do_invite_people(table: Table, by: Person, numbers: Iterable[int], *, of_circle: bool = False) -> None:
    """Store that ``by`` invites the people with these numbers to a table, unless they are invited already.

    An invitation that a person is not shown is replaced. ``of_circle``: as members of a circle that is invited.
    """
    people = set(numbers)
    PersonInvitation.objects.filter(not_shown(), table=table, person__in=people).delete()
    invited = PersonInvitation.objects.filter(table=table).values_list("person", flat=True)
    PersonInvitation.objects.bulk_create(
        PersonInvitation(table=table, by=by, person_id=number, of_circle=of_circle)
        for number in sorted(people - set(invited))
    )


def do_answer(code: str, person: Person) -> None:
    """Store that a person has sat down or declined. Nothing changes if no invitation to this table is open."""
    for invitation in PersonInvitation.objects.filter(table__code=code, person=person, answered=None):
        invitation.answered = timezone.now()
        invitation.save(update_fields=["answered"])


@receiver(within_transaction, sender=GuestAdopted)
@transaction.atomic
def do_merge_invitations(sender: object, event: GuestAdopted, **_: object) -> None:
    """Keep one invitation where a guest and the account that the guest logs in to are invited to the same table.

    One that either has answered counts as answered, and one of a person stays if the other one is of a circle. An
    invitation of one by the other is removed.
    """
    both = (event.guest, event.person)
    PersonInvitation.objects.filter(by__in=both, person__in=both).delete()
    for extra in PersonInvitation.objects.filter(person=event.guest, table__person_invitations__person=event.person):
        mine = PersonInvitation.objects.filter(table=extra.table_id, person=event.person)
        if extra.answered:
            mine.filter(answered=None).update(answered=extra.answered)
        if not extra.of_circle:
            mine.update(of_circle=False)
        extra.delete()
