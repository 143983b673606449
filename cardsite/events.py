"""Events between apps: an app publishes what has happened in it as a value, and others subscribe to its type.

The types stand in ``events.py`` of the app that publishes them. To subscribe, write
``@receiver(after_commit, sender=Type)``; the value is the argument ``event``.
"""

from __future__ import annotations

from functools import partial

from django.db import transaction
from django.dispatch import Signal

# While it happens: a receiver may write in the same transaction, or prevent it by raising Refused.
within_transaction = Signal()
# When it is committed.
after_commit = Signal()


def happens(event: object) -> None:
    """Send an event within the transaction that makes it happen. Raises what a receiver raises."""
    within_transaction.send(type(event), event=event)


def publish(event: object) -> None:
    """Send an event when the current transaction is committed; now, where there is none.

    What a receiver raises is logged: the writer has done its work by then.
    """
    transaction.on_commit(partial(after_commit.send, type(event), event=event), robust=True)
