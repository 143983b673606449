from django.db import migrations


class Migration(migrations.Migration):
    """Rename Keeper and three fields of Match. No row changes."""

    dependencies = [
        ("table", "0009_why_stopped"),
    ]

    operations = [
        migrations.RenameModel("Keeper", "ServerProcess"),
        migrations.RenameField("Match", "keeper", "process"),
        migrations.RenameField("Match", "credit_ply", "compensation_ply"),
        migrations.RenameField("Match", "credit_ms", "compensation_ms"),
    ]
