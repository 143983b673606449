"""Events between apps: an app publishes an event as a value, and others subscribe to its type.

Events contain plain data. To subscribe, write ``@receiver(after_commit, sender=Type)``, or ``within_transaction`` where
the type says so; the value is the argument ``event``. The match server has events of its own (``server/events.py``).
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from django.db import transaction
from django.dispatch import Signal

from games.core.messages import Message

# Within the transaction: a receiver may write in it, or prevent it by raising Refused.
within_transaction = Signal()
# After the commit.
after_commit = Signal()


def publish_now(event: object) -> None:
    """Send an event within the transaction of its change. Passes on exceptions of receivers."""
    within_transaction.send(type(event), event=event)


def publish(event: object) -> None:
    """Send an event after the commit of the current transaction; now, if there is none.

    Exceptions of receivers are logged, because the change is already committed.
    """
    transaction.on_commit(partial(after_commit.send, type(event), event=event), robust=True)


# -- people


class PersonChanged(NamedTuple):
    """The name or the account of a person has changed. Sent after the commit."""

    person: int


class VacationChanged(NamedTuple):
    """A person has gone on vacation, or has come back early. Sent within the transaction."""

    person: int


class CredentialsChanged(NamedTuple):
    """A session or token of a person, or the person's account, may have become invalid. Sent after the commit."""

    person: int


class ModerationChanged(NamedTuple):
    """What an administrator has forbidden a person has changed, or whom the person has muted. Sent after the commit."""

    person: int


class PersonBlocked(NamedTuple):
    """An administrator has blocked a person. Sent within the transaction: receivers take away the person's seats."""

    person: int


class GuestAdopted(NamedTuple):
    """A guest has logged in as a known person, who gets all rows of the guest. Sent within the transaction.

    Receivers remove one of two rows if only one can be kept.
    """

    guest: int
    person: int


# -- tables and matches


class TableChanged(NamedTuple):
    """The seats, the status or the settings of a table have changed. Sent after the commit.

    It does not contain the table: events of two writers may arrive in another order than their commits, and not every
    writer locks the table. So a receiver reads the table, once for all changes so far.
    """

    code: str


class SeatsChanged(NamedTuple):
    """During a match, a table's occupants, or whether they are away, have changed. Sent within the transaction."""

    table: int


class MatchBegins(NamedTuple):
    """A match is about to start. Sent within the transaction: a receiver that raises Refused prevents it."""

    game: str


class MatchStarted(NamedTuple):
    """A match has started. Sent after the commit."""

    match: int
    process: int  # the number of the ServerProcess that runs its clocks and bots, 0 for none yet


class MatchDropped(NamedTuple):
    """A match cannot continue and was dropped. Sent within the transaction."""

    game: str
    why: str  # a DropReason
    failure: Message  # the error, for the author of the rules
