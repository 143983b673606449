"""``manage.py backup FILE``: write the database and the secret key to one file, while the site runs."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from cardsite.front.backup import BackupFailed, backup


class Command(BaseCommand):
    help = "Write the database and the secret key to one file. The site can keep running."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", type=Path, help="a new file; protect it like the site itself, because it contains all hidden cards"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            size = backup(options["file"])
        except BackupFailed as failed:
            raise CommandError(str(failed)) from failed
        self.stdout.write(f"{options['file']}: {size / 1e6:.1f} MB. To restore it: manage.py restore FILE")
