"""``manage.py tidy``: clean up now what the site cleans up once an hour (``table/tidy.py``)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand

from cardsite.table.tidy import batches


class Command(BaseCommand):
    help = "Remove or archive data that the site no longer keeps. The site also does this itself; both may run at once."

    def handle(self, *args: Any, **options: Any) -> None:
        done: Counter[str] = Counter()
        for what, count in batches():
            done[what] += count
        for what, count in done.items():
            self.stdout.write(f"{count:>8}  {what}")
