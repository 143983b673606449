"""Told after somebody's name or account has changed in the database."""

from django.dispatch import Signal

person_changed = Signal()  # person: Person
