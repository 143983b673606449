from typing import Any

import django.db.models.deletion
from django.db import migrations, models


def hosts_have_opened(apps: Any, schema_editor: Any) -> None:
    """Until now the host counted, who nearly always is the one who made the table."""
    apps.get_model("lobby", "Table").objects.exclude(host=None).update(opened_by=models.F("host"))


class Migration(migrations.Migration):
    dependencies = [
        ("lobby", "0001_initial"),
        ("people", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="opened_by",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="opened",
                to="people.person",
            ),
        ),
        migrations.RunPython(hosts_have_opened, migrations.RunPython.noop, elidable=True),
    ]
