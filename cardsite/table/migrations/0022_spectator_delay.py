from typing import Any

from django.db import migrations, models


def take_from_tables(apps: Any, schema_editor: Any) -> None:
    """Store the delay of each table with its matches."""
    for delay in apps.get_model("lobby", "Table").objects.values_list("spectator_delay", flat=True).distinct():
        apps.get_model("table", "Match").objects.filter(table__spectator_delay=delay).update(spectator_delay=delay)


class Migration(migrations.Migration):
    dependencies = [
        ("lobby", "0023_spectator_delay"),
        ("table", "0021_suspended"),
    ]

    operations = [
        migrations.AddField(
            model_name="match",
            name="spectator_delay",
            field=models.PositiveIntegerField(
                default=0, help_text="Seconds by which spectators see the matches later; 0 means no delay."
            ),
        ),
        migrations.AddField(
            model_name="occupancy",
            name="at",
            field=models.DateTimeField(auto_now_add=True, help_text="Of older ones: when the site got this field."),
        ),
        migrations.RunPython(take_from_tables, migrations.RunPython.noop),
    ]
