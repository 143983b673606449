from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def decide_for_each_match(apps: Any, schema_editor: Any) -> None:
    """Store with each stacked match what its table said until now: whether it is revealed, and how it was stacked."""
    for match in apps.get_model("table", "Match").objects.exclude(favourite=None).select_related("table").iterator():
        match.reveal = match.table.reveal
        rigged = match.options.get("rigged")
        match.rig_way = rigged.rpartition("-")[0][:16] if isinstance(rigged, str) else ""
        match.save(update_fields=["reveal", "rig_way"])


class Migration(migrations.Migration):
    dependencies = [
        ("table", "0011_spectators"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="match",
            name="reveal",
            field=models.BooleanField(
                default=False, help_text="Once it is over, everybody may know that it was stacked."
            ),
        ),
        migrations.AddField(
            model_name="match",
            name="rig_way",
            field=models.CharField(blank=True, default="", editable=False, max_length=16),
        ),
        migrations.AddField(
            model_name="match",
            name="rigged_by",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RunPython(decide_for_each_match, migrations.RunPython.noop),
    ]
