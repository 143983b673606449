"""Told after a table's seats, status or settings have changed in the database."""

from django.dispatch import Signal

table_changed = Signal()  # code: str
