"""What the workshop keeps no longer: texts that were removed, once no match needs them."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from cardsite.table.tidy import Task
from cardsite.workshop.models import Text
from cardsite.workshop.services import unused


def removed(days: int) -> QuerySet[Text]:
    """Return the texts that were removed so many days ago, and that no match or open table is played by."""
    return unused(Text.objects.filter(changed__lt=timezone.now() - timedelta(days=days)))


TASK = Task("workshop games that were removed", "KEEP_TABLES_DAYS", removed)
