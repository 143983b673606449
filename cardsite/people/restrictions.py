"""What administrators forbid people: to chat, or to sit down and chat, until when, and why.

People keep the rest: those who are blocked may watch, look at replays, and leave.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _

from cardsite.people.models import Person, Restriction
from cardsite.prepared import NO_NUMBER, Prepared
from cardsite.refusal import Refused

BLOCKED, MUTED = Restriction.Kind.BLOCKED, Restriction.Kind.MUTED
NOT_LIFTED = Prepared(lambda person: Restriction.objects.filter(person=person, lifted=None), NO_NUMBER)


def active_restrictions() -> QuerySet[Restriction]:
    """Return the restrictions that hold now."""
    lasting = Q(until=None) | Q(until__gt=timezone.now())
    return Restriction.objects.filter(lasting, lifted=None)


def restriction_of(person: int) -> Restriction | None:
    """Return what is forbidden to a person now: a block rather than a mute, and the one that ends last."""
    return max((one for one in NOT_LIFTED.all(person) if one.active), key=_strength, default=None)


def restrictions_of(people: Iterable[int]) -> dict[int, Restriction]:
    """Return the same for several people, in one query; those without a restriction are left out."""
    found = active_restrictions().filter(person__in=people)
    return {one.person_id: one for one in sorted(found, key=_strength)}  # the strongest one comes last


def _strength(restriction: Restriction) -> tuple[bool, bool, datetime]:
    return restriction.kind == BLOCKED, restriction.until is None, restriction.until or restriction.made


def is_blocked(person: int) -> bool:
    """Return whether a person may neither sit down nor chat."""
    restriction = restriction_of(person)
    return restriction is not None and restriction.kind == BLOCKED


def require_may_play(person: Person) -> None:
    """Raise Refused for a person who is blocked; it says for how long, and why."""
    restriction = restriction_of(person.pk)
    if restriction and restriction.kind == BLOCKED:
        raise _refusal(restriction)


def require_may_chat(person: Person) -> None:
    """Raise Refused for a person who is blocked or muted; it says for how long, and why."""
    if restriction := restriction_of(person.pk):
        raise _refusal(restriction)


def in_words(restriction: Restriction) -> str:
    """Return what is forbidden to the reader, for how long, and why."""
    if restriction.kind == BLOCKED:
        words = _("An administrator has blocked you: you may watch, but not sit down or chat.")
    else:
        words = _("An administrator has muted you: you may play, but not chat.")
    if restriction.until:
        words += " " + _("This ends in %(time)s.") % {"time": timeuntil(restriction.until)}
    if restriction.reason:
        words += " " + _("The reason: %(reason)s") % {"reason": restriction.reason}
    return words


def _refusal(restriction: Restriction) -> Refused:
    return Refused("blocked" if restriction.kind == BLOCKED else "muted", in_words(restriction))
