"""Update the descriptions of workshop games that were made by another version of the language.

After an update the site does so by itself, a game at a time as it is asked for. Who runs this before it starts has all
rules in words at once: ``manage.py describe_games``.
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from cardsite.refusal import Refused
from cardsite.workshop.models import Version
from cardsite.workshop.provider import describe_version


class Command(BaseCommand):
    help = "Update the descriptions of workshop games that were made by another version of the language."

    def handle(self, *args: Any, **options: Any) -> None:
        """Describe them one after the other, in the sandbox."""
        done = 0
        for number in list(Version.objects.filter(playable=True).values_list("pk", flat=True)):
            version = Version.objects.select_related("text").get(pk=number)
            try:
                done += describe_version(version)
            except Refused as refusal:
                self.stderr.write(f"{version.game} is not described: {refusal.text}")
        self.stdout.write(f"{done} games described.")
