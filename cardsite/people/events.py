"""The events of people, for other apps: see ``cardsite/events.py``."""

from __future__ import annotations

from typing import NamedTuple

from cardsite.people.models import Person


class PersonChanged(NamedTuple):
    """The name or the account of a person has changed. Sent after the commit."""

    person: Person


class ProofsChanged(NamedTuple):
    """A session or token of a person, or the person's account, may have become invalid. Sent after the commit."""

    person: int


class GuestAdopted(NamedTuple):
    """A guest has logged in as a known person, who gets all rows of the guest. Sent within the transaction.

    Receivers remove one of two rows if only one can be kept.
    """

    guest: Person
    person: Person
