"""``manage.py restore FILE``: restore a backup into an empty database."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from cardsite.front.backup import BackupFailed, restore


class Command(BaseCommand):
    help = "Restore a backup into an empty database and var/. Then run open_house and start the site."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            remark = restore(options["file"])
        except BackupFailed as failed:
            raise CommandError(str(failed)) from failed
        if remark:
            self.stderr.write(remark)
        self.stdout.write("Restored. Now run manage.py open_house and start the site.")
