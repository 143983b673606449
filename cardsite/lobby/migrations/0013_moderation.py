from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("lobby", "0012_removed_spectators"),
    ]

    operations = [
        migrations.AddField(
            model_name="seatrequest",
            name="by_administrator",
            field=models.BooleanField(default=False, help_text="Removed by an administrator, not by the host."),
        ),
        migrations.AddField(
            model_name="seatrequest",
            name="reason",
            field=models.CharField(blank=True, default="", help_text="Given by the administrator.", max_length=200),
        ),
        migrations.AddField(
            model_name="table",
            name="closed_because",
            field=models.CharField(
                blank=True, default="", editable=False, help_text="Written by an administrator.", max_length=200
            ),
        ),
        migrations.AlterField(
            model_name="seatrequest",
            name="removed",
            field=models.BooleanField(
                default=False, help_text="Removed from a seat: may request one, but not sit down."
            ),
        ),
    ]
