"""What happens to matches, for apps that the tables know nothing of."""

from __future__ import annotations

from django.dispatch import Signal

# Sent before a match begins, in its transaction: ``game``, its name. A receiver that raises Refused prevents it.
match_begins = Signal()

# Sent when a match was dropped, in that transaction: ``match``, and ``dropped``, which says why.
match_dropped = Signal()
