from typing import Any

from django.db import migrations, models


def name_spectators(apps: Any, schema_editor: Any) -> None:
    """Give the chat room of the spectators its new name in all messages."""
    apps.get_model("table", "Message").objects.filter(room="watchers").update(room="spectators")


def name_watchers(apps: Any, schema_editor: Any) -> None:
    """Undo ``name_spectators``."""
    apps.get_model("table", "Message").objects.filter(room="spectators").update(room="watchers")


class Migration(migrations.Migration):
    dependencies = [
        ("table", "0010_server_processes"),
    ]

    operations = [
        migrations.AlterField(
            model_name="message",
            name="room",
            field=models.CharField(
                choices=[
                    ("players", "players"),
                    ("spectators", "spectators"),
                    ("all", "players and spectators together"),
                ],
                max_length=10,
            ),
        ),
        migrations.RunPython(name_spectators, name_watchers),
    ]
