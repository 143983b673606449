"""``manage.py open_house``: make a new machine ready, and an old one up to date."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Migrate the database, collect static files, and make an administrator if there is none."

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", verbosity=0, interactive=False)
        call_command("collectstatic", verbosity=0, interactive=False)
        if not User.objects.filter(is_superuser=True).exists():
            password = secrets.token_urlsafe(12)
            User.objects.create_superuser("admin", password=password)
            self.stdout.write("Administrator: admin")
            self.stdout.write(
                f"Password:      {password}   (shown this once; manage.py changepassword admin makes another)"
            )
