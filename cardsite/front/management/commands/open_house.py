"""``manage.py open_house``: make a new machine ready, and an old one up to date."""

from __future__ import annotations

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from cardsite.people.services import do_make_administrator


class Command(BaseCommand):
    help = "Migrate the database, collect static files, and make an administrator if there is none."

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", verbosity=0, interactive=False)
        call_command("collectstatic", verbosity=0, interactive=False)
        if password := do_make_administrator("admin"):
            self.stdout.write("Administrator: admin")
            self.stdout.write(
                f"Password:      {password}   (shown this once; manage.py changepassword admin makes another)"
            )
