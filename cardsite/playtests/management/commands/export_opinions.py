"""``manage.py export_opinions``: what people have said about matches, as CSV on standard output."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from cardsite.playtests.export import write


class Command(BaseCommand):
    help = "Write what people said after matches as CSV, without names and notes, for python -m docs.studies.people."

    def handle(self, *args: Any, **options: Any) -> None:
        written = write(self.stdout)  # type: ignore[arg-type]  # it has ``write``
        self.stderr.write(f"{written} answers.")
