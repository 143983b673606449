"""``manage.py forget_second_factor NAME``: for the administrator who has lost the phone and the recovery codes."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from cardsite.people.services import do_remove_second_factor


class Command(BaseCommand):
    help = "Switch off the second factor of an account, so that the password alone is enough to log in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username=options["username"]).first()
        if user is None:
            raise CommandError(f"There is no account {options['username']}.")
        if not do_remove_second_factor(user):
            raise CommandError(f"{user.get_username()} has no second factor.")
        self.stdout.write(f"{user.get_username()} can now log in with the password alone.")
