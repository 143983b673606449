"""Whom people have muted for themselves: they see no messages, invitations and notifications of these people.

Nobody learns who has muted them. Tables and evenings are shared with others: muted people are still shown as players
and members, and an evening that they start stays on the page of the circle. What administrators forbid people is in
``restrictions.py``.
"""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import QuerySet

from cardsite.people.models import Mute, Person
from cardsite.people.names import distinct_names
from cardsite.prepared import NO_NUMBER, Prepared

MUTES = Prepared(lambda person: Mute.objects.filter(by=person), NO_NUMBER)


class MutedPerson(NamedTuple):
    """A muted person as the page of the one who has muted them shows them."""

    person: int
    name: str


def muted_by(person: int) -> list[int]:
    """Return the numbers of the people whom a person has muted, the last one first."""
    return [mute.person_id for mute in MUTES.all(person)]


def muting(person: int) -> QuerySet[Mute, int]:
    """Return the numbers of the people who have muted a person, as a query. No page may show them."""
    return Mute.objects.filter(person=person).order_by().values_list("by", flat=True)


def muted_people(person: Person) -> list[MutedPerson]:
    """Return the people whom a person has muted, by name."""
    names = distinct_names(dict(Person.objects.filter(muted_by__by=person).values_list("pk", "name")))
    return [MutedPerson(number, names[number]) for number in sorted(names, key=lambda one: names[one].casefold())]
