"""Fields of a suspended match, called what they hold."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("table", "0020_time_up"),
    ]

    operations = [
        migrations.RenameField("match", "asleep", "suspended_since"),
        migrations.RenameField("match", "wake", "resumes"),
    ]
