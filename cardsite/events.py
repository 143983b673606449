"""Events between apps: an app publishes an event as a value, and others subscribe to its type.

The types are in ``events.py`` of the app that publishes them. To subscribe, write
``@receiver(after_commit, sender=Type)``; the value is the argument ``event``.
"""

from __future__ import annotations

from functools import partial

from django.db import transaction
from django.dispatch import Signal

# Within the transaction: a receiver may write in it, or prevent it by raising Refused.
within_transaction = Signal()
# After the commit.
after_commit = Signal()


def happens(event: object) -> None:
    """Send an event within the transaction of its change. Passes on exceptions of receivers."""
    within_transaction.send(type(event), event=event)


def publish(event: object) -> None:
    """Send an event after the commit of the current transaction; now, if there is none.

    Exceptions of receivers are logged, because the change is already committed.
    """
    transaction.on_commit(partial(after_commit.send, type(event), event=event), robust=True)
