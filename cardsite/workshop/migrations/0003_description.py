"""What the site knows of a version's game is stored with it. Of older versions that is what their head says, at first.

The rest of it, their rules in words, is added by the sandbox when somebody asks for the game, or for all of them by
``manage.py describe_games``. Here the text is only cut into its words, for the name of its rules: nothing is played.
"""

from __future__ import annotations

import hashlib
from typing import Any

from django.db import migrations, models


def describe_heads(apps: Any, schema_editor: Any) -> None:
    """Store what is known of the versions that can be played."""
    versions = apps.get_model("workshop", "Version").objects.filter(playable=True, description__isnull=True)
    for version in versions.iterator(chunk_size=100):
        version.description = _head(version)
        version.save(update_fields=["description"])


def _head(version: Any) -> dict[str, Any] | None:
    from games.recycle.game import MACHINE
    from games.recycle.reader.syntax import tokens

    try:
        said = " ".join(tokens(version.source))
    except Exception:  # the language has changed: it is no game any more
        return None
    return {
        "edition": "",
        "unreadable": "",
        "title": version.title,
        "summary": version.summary,
        "kind": version.kind,
        "minutes": max(1, version.minutes),
        "min_seats": version.min_seats,
        "max_seats": version.max_seats,
        "default_seats": min(max(version.min_seats, 3), version.max_seats),
        "rules_version": f"{MACHINE}.{hashlib.sha256(said.encode()).hexdigest()[:12]}",
        "rules": "",
        "tips": [],
        "about": {},
    }


class Migration(migrations.Migration):
    dependencies = [
        ("workshop", "0002_stopped"),
    ]

    operations = [
        migrations.AddField(
            model_name="version",
            name="description",
            field=models.JSONField(
                default=None,
                help_text="The facts about its game, for processes that must not compile it: see described.py.",
                null=True,
            ),
        ),
        migrations.RunPython(describe_heads, migrations.RunPython.noop),
    ]
