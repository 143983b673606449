"""Circles and their members: create, join, leave, remove, rename, transfer, close; their evenings; their chat.

Only the ``do_...`` functions write. Functions that a view calls run in a transaction and raise Refused; the helpers
run in the transaction of their caller. For a person who is not a member, the refusal is the same as for a circle that
does not exist.

People whom an administrator has blocked may look, report messages, and leave. An owner who is blocked may also transfer
the circle or close it. Nothing else is allowed to them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

import structlog
from django.db import DatabaseError, transaction
from django.db.models import F, Max, Model, QuerySet
from django.db.models.signals import post_delete
from django.dispatch import receiver
from django.urls import reverse
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from cardsite.circles.models import (
    NAME_LENGTH,
    Circle,
    CircleMessage,
    CircleReport,
    Evening,
    Invitation,
    Member,
    Plan,
    new_token,
)
from cardsite.events import GuestAdopted, within_transaction
from cardsite.limits import MAX_CIRCLES, MAX_MEMBERS
from cardsite.lobby.games import title_of
from cardsite.lobby.models import HERE, Seat, Table
from cardsite.lobby.services import permissions
from cardsite.lobby.services.invitations import do_invite_people, notification_of
from cardsite.lobby.services.lifecycle import do_create_table
from cardsite.people.models import REASON_LENGTH, Person
from cardsite.people.names import clean_group_name, clean_message, clean_reason
from cardsite.people.restrictions import require_may_chat, require_may_play
from cardsite.push.models import NotificationKind
from cardsite.push.sending import Notification, send
from cardsite.refusal import Refused
from cardsite.table.models import Match
from cardsite.table.services.chat import MAX_REPORTS, nothing_to_report
from games.core import Game

FARTHEST = timedelta(days=366)  # how far ahead an evening may be planned
LONG_ABSENCE = timedelta(hours=6)  # after which the others learn that a member is here again
PRESENCE_INTERVAL = HERE / 3  # how old a stored presence is before it is stored again
KEPT = 50  # messages of a circle's chat
log = structlog.get_logger(__name__)


# -- finding circles


def no_circle() -> Refused:
    """Return the refusal for everybody who is not a member, whether or not there is such a circle."""
    return Refused("no_circle", _("There is no such circle, or you are not a member of it."))


def find_member(code: str, person: Person | None) -> Member:
    """Return the membership of a person in a circle, with the circle. Raises Refused."""
    if person and code.isalnum():  # not every database can search for NUL
        member = Member.objects.select_related("circle").filter(circle__code=code, person=person).first()
        if member:
            return member
    raise no_circle()


def find_by_token(token: str) -> Circle:
    """Return the circle that people with this link may join. Raises Refused."""
    circle = Circle.objects.filter(token=token).first()
    if circle is None:
        raise no_circle()
    return circle


def memberships(person: Person | None) -> QuerySet[Member]:
    """Return the memberships of a person, with their circles, by name."""
    return Member.objects.filter(person=person).select_related("circle").order_by("circle__name", "pk")


class TableCircle(NamedTuple):
    """A circle whose evening a table is (``evening``), or which is invited to the table."""

    name: str
    evening: bool


def circles_of_tables(person: Person, tables: Collection[int]) -> dict[int, list[TableCircle]]:
    """Return, by table, the circles of a person whose evening it is, or which are invited; no circles of others."""
    found: dict[int, dict[int, TableCircle]] = {table: {} for table in tables}
    for model in (Evening, Invitation):  # of a circle that is invited to its own evening, the evening
        rows = model.objects.filter(table__in=tables, circle__members__person=person).order_by("pk")
        for table, circle, name in rows.values_list("table", "circle", "circle__name"):
            found[table].setdefault(circle, TableCircle(name, model is Evening))
    return {table: list(circles.values()) for table, circles in found.items()}


def clean_name(raw: str) -> str:
    """Return the name of a circle as it may be shown. Raises Refused."""
    return clean_group_name(
        raw,
        NAME_LENGTH,
        _("Enter a name for the circle."),
        _("The name of a circle may have at most %(most)d characters; this one has %(n)d."),
    )


def _lock(code: str, person: Person) -> Member:
    """Lock a circle, and return the membership of a person. Raises Refused."""
    circle = Circle.objects.select_for_update().filter(code=code).first()
    member = Member.objects.filter(circle=circle, person=person).first()
    if circle is None or member is None:
        raise no_circle()
    member.circle = circle
    return member


def require_owner(member: Member) -> Circle:
    """Return the circle of a member who is its owner. Raises Refused for others."""
    if not member.is_owner:
        raise Refused("not_owner", _("Only the owner of the circle can do that."))
    return member.circle


def _lock_to_change(code: str, person: Person) -> Circle:
    """Lock a circle of which a person who is not blocked is the owner, and return it. Raises Refused."""
    member = _lock(code, person)
    require_may_play(person)
    return require_owner(member)


def _other_member(circle: Circle, person: Person, number: int | None) -> Member:
    other = Member.objects.filter(circle=circle, person=number).exclude(person=person).first()
    if other is None:
        raise Refused("gone", _("That person is no longer a member. Nothing was changed."))
    return other


def find_other(me: Member, number: int | None) -> Member:
    """Return the member whose person has this number, to be changed by the owner ``me``. Raises Refused."""
    return _other_member(require_owner(me), me.person, number)


def next_owner(me: Member) -> Member | None:
    """Return who becomes the owner of a circle if ``me`` leaves, None if ``me`` is not the owner or is alone."""
    rest = [member for member in Member.objects.filter(circle=me.circle_id).select_related("person") if member != me]
    return min(rest, key=_seniority) if rest and me.is_owner else None


def _seniority(member: Member) -> tuple[bool, int]:
    """The members who joined first come first, those with an account before guests."""
    return not member.person.registered, member.pk


def _require_below_limit(person: Person) -> None:
    """Raise Refused for a person who is in as many circles as allowed. The person's row is locked."""
    Person.objects.select_for_update().get(pk=person.pk)
    if Member.objects.filter(person=person).count() >= MAX_CIRCLES:
        raise Refused(
            "full", _("You are in %(n)d circles, and nobody can be in more. Leave one first.") % {"n": MAX_CIRCLES}
        )


# -- members


@transaction.atomic
def do_make(person: Person, name: str) -> Circle:
    """Create a circle whose owner is ``person``. Raises Refused."""
    require_may_play(person)
    _require_below_limit(person)
    circle = Circle.objects.create(name=clean_name(name))
    Member.objects.create(circle=circle, person=person, role=Member.Role.OWNER)
    return circle


@transaction.atomic
def do_join(person: Person, token: str) -> Circle:
    """Make a person with the link a member. Nothing changes for one who is a member. Raises Refused."""
    require_may_play(person)
    circle = Circle.objects.select_for_update().filter(token=token).first()
    if circle is None:
        raise no_circle()
    if Member.objects.filter(circle=circle, person=person).exists():
        return circle
    _require_below_limit(person)
    if Member.objects.filter(circle=circle).count() >= MAX_MEMBERS:
        raise Refused("full", _("This circle is full: it has %(n)d members.") % {"n": MAX_MEMBERS})
    Member.objects.create(circle=circle, person=person)
    return circle


@transaction.atomic
def do_leave(code: str, person: Person) -> None:
    """End a person's own membership. The last one who leaves closes the circle. Raises Refused."""
    _lock(code, person).delete()


@transaction.atomic
def do_remove_member(code: str, person: Person, number: int | None) -> None:
    """Owner: remove the member whose person has this number, and their invitations of the circle.

    The link to join changes, too. Raises Refused.
    """
    circle = _lock_to_change(code, person)
    other = _other_member(circle, person, number)
    Invitation.objects.filter(circle=circle, by=other.person_id).delete()
    other.delete()
    do_renew_token(circle)


@transaction.atomic
def do_transfer(code: str, person: Person, number: int | None) -> None:
    """Owner: make another member the owner. Raises Refused."""
    circle = require_owner(_lock(code, person))
    do_set_owner(circle.pk, _other_member(circle, person, number))


@receiver(post_delete, sender=Member)
def do_replace_owner(sender: object, instance: Member, origin: Model | QuerySet[Any], **_: object) -> None:
    """Make another member the owner when the owner is gone, and close a circle without members.

    This is also called for people who are removed from the site.
    """
    # Members are deleted with their circle, or all at once by ``do_remove_circles``: the circle is being closed.
    if isinstance(origin, Circle) or (isinstance(origin, QuerySet) and origin.model in (Circle, Member)):
        return
    rest = list(Member.objects.filter(circle=instance.circle_id).select_related("person"))
    if not rest:
        do_remove_circles([instance.circle_id])
    elif instance.is_owner:
        do_set_owner(instance.circle_id, min(rest, key=_seniority))


@receiver(within_transaction, sender=GuestAdopted)
def do_merge_memberships(sender: object, event: GuestAdopted, **_: object) -> None:
    """Keep one membership where a guest and the account that the guest logs in to are both members."""
    for mine in Member.objects.filter(person=event.guest, circle__members__person=event.person):
        if mine.is_owner:
            do_set_owner(mine.circle_id, Member.objects.get(circle=mine.circle_id, person=event.person))
        Member.objects.get(pk=mine.pk).delete()


def do_set_owner(circle: int, member: Member) -> None:
    """Make a member the owner of a circle instead of the previous one."""
    Member.objects.filter(circle=circle, role=Member.Role.OWNER).update(role=Member.Role.MEMBER)
    Member.objects.filter(pk=member.pk).update(role=Member.Role.OWNER)


# -- the circle itself


@transaction.atomic
def do_rename(code: str, person: Person, name: str) -> None:
    """Owner: rename a circle. Raises Refused."""
    circle = _lock_to_change(code, person)
    circle.name = clean_name(name)
    circle.save(update_fields=["name"])


@transaction.atomic
def do_renew_link(code: str, person: Person) -> None:
    """Owner: change the link to join. The previous one stops working. Raises Refused."""
    do_renew_token(_lock_to_change(code, person))


def do_renew_token(circle: Circle) -> None:
    """Change the link to join of a locked circle."""
    circle.token = new_token()
    circle.save(update_fields=["token"])


@transaction.atomic
def do_close(code: str, person: Person) -> None:
    """Owner: close a circle for good. Its tables stay, and belong to no circle. Raises Refused."""
    do_remove_circles([require_owner(_lock(code, person)).pk])


@transaction.atomic
def do_remove_circles(circles: Iterable[int]) -> None:
    """Close circles.

    If messages of a circle are reported, it stays until the last report is resolved, with these messages and without
    members: nobody but administrators can find it.
    """
    closed = Circle.objects.filter(pk__in=list(circles))
    for circle in closed.exclude(reports=None):
        do_take_from_chat(circle.messages.filter(removed=False))
        for rows in (Member, Evening, Plan, Invitation):
            rows.objects.filter(circle=circle).delete()
        do_renew_token(circle)  # so that nobody joins
    closed.filter(reports=None).delete()


# -- evenings


@transaction.atomic
def do_start_evening(code: str, person: Person, game: Game, seats: list[str], **settings: Any) -> Table:
    """Member: start an evening at a new table, and return the table. ``settings``: see ``do_create_table``.

    Raises Refused.
    """
    circle = _lock(code, person).circle
    table = do_create_table(person, game, seats, **settings)
    Evening.objects.create(circle=circle, table=table)
    body, path = f"{circle.name} · {title_of(table.game)}", reverse("table:page", args=[table.code])
    begins = gettext_lazy("An evening begins")
    _notify(circle, {person.pk}, Notification(NotificationKind.EVENING, begins, body, path, person.pk))
    return table


def _notify(circle: Circle, exclude: set[int], notification: Notification) -> None:
    """Send the members, except ``exclude``, a notification after the commit."""
    transaction.on_commit(partial(send, _others(circle, exclude), notification), robust=True)


def _others(circle: Circle, exclude: set[int]) -> list[int]:
    """Return the numbers of the members, except ``exclude``."""
    return list(Member.objects.filter(circle=circle).exclude(person__in=exclude).values_list("person", flat=True))


@transaction.atomic
def do_set_double(code: str, person: Person, evening: int, number: int | None, double: bool) -> None:
    """Host of the table, or owner: have its next match count double, or not. ``number``: of that match.

    Raises Refused.
    """
    member = _lock(code, person)
    require_may_play(person)
    found = Evening.objects.select_related("table").filter(circle=member.circle, pk=evening).first()
    if found is None:
        raise no_circle()
    if not member.is_owner and found.table.host_id != person.pk:
        raise Refused("not_owner", _("Only the host of the table and the owner of the circle can do that."))
    following = next_match(found)
    if following is None:
        raise Refused("gone", _("The table of this evening is closed."))
    if number != following:
        raise Refused("stale", _("That match has already started. Choose the next one."))
    found.doubled = [one for one in found.doubled if one != number] + ([number] if double else [])
    found.save(update_fields=["doubled"])


def next_match(evening: Evening) -> int | None:
    """Return the number of the next match of an evening, None if its table is closed."""
    if evening.table.status == Table.Status.CLOSED:
        return None
    last = Match.objects.filter(table=evening.table_id).aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


@transaction.atomic
def do_plan(code: str, person: Person, at: datetime) -> None:
    """Member: set the date of the next evening, or change it. Raises Refused."""
    circle = _lock(code, person).circle
    require_may_play(person)
    now = timezone.now()
    if not now < at < now + FARTHEST:
        raise Refused("range", _("Choose a date in the future, at most a year from now."))
    Plan.objects.filter(circle=circle, at__lt=now).delete()  # so that calendars keep the one that has been
    if not Plan.objects.filter(circle=circle).update(at=at, sequence=F("sequence") + 1, changed=now):
        Plan.objects.create(circle=circle, at=at)


@transaction.atomic
def do_cancel_plan(code: str, person: Person) -> None:
    """Member: remove the date of the next evening. Raises Refused."""
    circle = _lock(code, person).circle
    require_may_play(person)
    Plan.objects.filter(circle=circle).delete()


@transaction.atomic
def do_invite(code: str, person: Person, table_code: str) -> None:
    """Member: invite a circle to the table where the person sits, or that they host. Raises Refused.

    Members who are not at the table find the invitation on their front page, too, as long as they are members, and are
    notified.
    """
    circle = _lock(code, person).circle
    require_may_play(person)
    table = permissions.lock(table_code)
    permissions.require_may_invite(table, person)
    Invitation.objects.update_or_create(circle=circle, table=table, defaults={"by": person})
    seated = Seat.objects.filter(table=table).exclude(person=None).values_list("person", flat=True)
    here = {*seated, person.pk}
    do_invite_people(table, person, _others(circle, here), of_circle=True)
    _notify(circle, here, notification_of(table, person, circle.name))


@transaction.atomic
def do_set_ladder(code: str, person: Person, listed: bool) -> None:
    """Member: be listed on the ladders of a circle, or no longer. Raises Refused."""
    member = _lock(code, person)
    member.ladder = listed
    member.save(update_fields=["ladder"])


# -- chat


@transaction.atomic
def do_post_message(code: str, person: Person, raw: str) -> None:
    """Member: write a message in the chat of a circle. Only the newest ones are kept. Raises Refused."""
    circle = _lock(code, person).circle
    require_may_chat(person)
    CircleMessage.objects.create(circle=circle, person=person, text=clean_message(raw))
    shown = CircleMessage.objects.filter(circle=circle, removed=False)
    do_take_from_chat(shown.filter(pk__lt=min(shown.order_by("-pk").values_list("pk", flat=True)[:KEPT])))


@transaction.atomic
def do_remove_message(code: str, person: Person, number: int | None) -> None:
    """Author, or owner: remove a message from the chat of a circle. Raises Refused."""
    member = _lock(code, person)
    require_may_play(person)
    shown = CircleMessage.objects.filter(circle=member.circle, removed=False)
    found = shown.filter(pk=number).first() if number else None
    if found is None:
        raise Refused("gone", _("That message is no longer there. Nothing was changed."))
    if not member.is_owner and found.person_id != person.pk:
        raise Refused("not_owner", _("Only the author of a message and the owner of the circle can remove it."))
    do_take_from_chat(shown.filter(pk=found.pk))


def do_take_from_chat(messages: QuerySet[CircleMessage]) -> None:
    """Remove messages from the chat of a circle. Those that are reported stay readable for administrators."""
    reported = list(messages.filter(reports__isnull=False).values_list("pk", flat=True))
    messages.exclude(pk__in=reported).delete()
    CircleMessage.objects.filter(pk__in=reported).update(removed=True)


@transaction.atomic
def do_report_messages(code: str, person: Person, messages: Iterable[int], why: str) -> None:
    """Member: report messages of others to the administrators. Raises Refused."""
    circle = _lock(code, person).circle
    said = clean_reason(why, REASON_LENGTH)
    reported = list(circle.messages.filter(removed=False, pk__in=list(messages)[:KEPT]).exclude(person=person))
    if not reported:
        raise nothing_to_report()
    if CircleReport.objects.filter(circle=circle).count() >= MAX_REPORTS:
        raise Refused("wait", _("The administrators have many reports about this circle already, and will look at it."))
    CircleReport.objects.create(circle=circle, person=person, why=said).messages.set(reported)


@transaction.atomic
def do_resolve_report(report: CircleReport, *, remove: bool) -> None:
    """Delete a report that an administrator has handled, and if ``remove`` its messages, too.

    Messages that are in no chat any more go with the last report about them, and so does a circle that was closed.
    """
    numbers = list(report.messages.values_list("pk", flat=True))
    report.delete()
    about = CircleMessage.objects.filter(pk__in=numbers)
    if remove:
        about.delete()
    else:
        about.filter(removed=True, reports__isnull=True).delete()
    Circle.objects.filter(pk=report.circle_id, members=None, reports=None).delete()


def do_remove_messages(messages: Iterable[int]) -> None:
    """Remove messages permanently, for administrators."""
    CircleMessage.objects.filter(pk__in=list(messages)).delete()


def old_messages(days: int) -> QuerySet[CircleMessage]:
    """Return the messages from so many days ago, for ``table/tidy.py``."""
    return CircleMessage.objects.filter(at__lt=timezone.now() - timedelta(days=days))


# -- presence


def do_note_here(member: Member) -> None:
    """Store that a member has the page of the circle open. After a long absence, notify the others."""
    now = timezone.now()
    if member.seen is None or member.seen < now - PRESENCE_INTERVAL:
        try:
            # Of several requests at once, one updates the row and notifies.
            updated = Member.objects.filter(pk=member.pk, seen=member.seen).update(seen=now)
            if updated and (member.seen is None or member.seen < now - LONG_ABSENCE):
                _notify_of_friend(member, now)
        except DatabaseError as error:  # pages that only read work on a full disk
            log.warning("could not record presence", error=repr(error))


def _notify_of_friend(member: Member, now: datetime) -> None:
    circle = member.circle
    others = Member.objects.filter(circle=circle).exclude(pk=member.pk).exclude(seen__gt=now - HERE)
    title = format_lazy(gettext_lazy("{name} is here"), name=member.person.name)
    path = reverse("circles:page", args=[circle.code])
    notification = Notification(NotificationKind.FRIEND, title, circle.name, path, member.person_id)
    send(list(others.values_list("person", flat=True)), notification)
