from typing import Any

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


def keep_blocks(apps: Any, schema_editor: Any) -> None:
    """Keep the blocks of people, without an end and a reason."""
    blocked = apps.get_model("people", "Person").objects.filter(blocked=True)
    Restriction = apps.get_model("people", "Restriction")
    Restriction.objects.bulk_create(Restriction(person=person, kind="blocked") for person in blocked.iterator())


def restore_blocks(apps: Any, schema_editor: Any) -> None:
    """Block those who are blocked until somebody lifts it."""
    blocks = apps.get_model("people", "Restriction").objects.filter(kind="blocked", lifted=None, until=None)
    apps.get_model("people", "Person").objects.filter(restrictions__in=blocks).update(blocked=True)


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0002_person_seen"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Restriction",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("muted", "may not chat"), ("blocked", "may not sit down or chat")], max_length=7
                    ),
                ),
                ("reason", models.CharField(blank=True, default="", max_length=200)),
                (
                    "until",
                    models.DateTimeField(blank=True, help_text="Empty: until an administrator lifts it.", null=True),
                ),
                ("made", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "lifted",
                    models.DateTimeField(blank=True, help_text="When an administrator ended it early.", null=True),
                ),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="restrictions", to="people.person"
                    ),
                ),
            ],
            options={"ordering": ["-pk"]},
        ),
        migrations.RunPython(keep_blocks, restore_blocks),
    ]
