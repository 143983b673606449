"""What happens to people, for apps that this one does not know: see ``cardsite/events.py``."""

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
    """A guest turns out to be a known person, who now gets all rows that name the guest. Sent within the transaction.

    Receivers remove one of two rows where only one can stay.
    """

    guest: Person
    person: Person
