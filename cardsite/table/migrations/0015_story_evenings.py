from typing import Any

from django.db import migrations
from django.db.models import F


def keep_what_was_done(apps: Any, schema_editor: Any) -> None:
    """A story used to be over with the first game that the favourite won, and its deck was stacked from the third on."""
    tables = apps.get_model("lobby", "Table").objects.filter(story=True)
    players = apps.get_model("table", "Player").objects.filter(match__status="over", share__gt=0)
    done = players.filter(seat=F("match__table__favourite")).values("match__table")
    tables.filter(pk__in=done).update(story_wins=1)
    tables.exclude(pk__in=done).update(rigged=False, rig_lasts="always")


class Migration(migrations.Migration):
    dependencies = [
        ("lobby", "0014_story_evenings"),
        ("table", "0014_chat_reports"),
    ]
    operations = [migrations.RunPython(keep_what_was_done, migrations.RunPython.noop)]
