"""The events of tables, for other apps: see ``cardsite/events.py``."""

from __future__ import annotations

from typing import NamedTuple


class TableChanged(NamedTuple):
    """The seats, the status or the settings of a table have changed. Sent after the commit.

    It does not contain the table: events of two writers may arrive in another order than their commits, and not every
    writer locks the table. So a receiver reads the table, once for all changes so far.
    """

    code: str
