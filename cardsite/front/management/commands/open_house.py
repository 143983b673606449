"""``manage.py open_house``: prepare a new installation, or update an existing one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from cardsite.people.services import do_make_administrator
from cardsite.translations import compile_catalogues


class Command(BaseCommand):
    help = (
        "Migrate the database, compile translations, collect static files, and make an administrator if there is none."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", verbosity=0, interactive=False)
        compile_catalogues(Path(settings.LOCALE_PATHS[0]))
        call_command("collectstatic", verbosity=0, interactive=False)
        if password := do_make_administrator("admin"):
            self.stdout.write("Administrator: admin")
            self.stdout.write(
                f"Password:      {password}   (not shown again; change it with manage.py changepassword admin)"
            )
