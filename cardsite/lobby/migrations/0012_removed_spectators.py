from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("lobby", "0011_rig_lasts"),
    ]

    operations = [
        migrations.AddField(
            model_name="seatrequest",
            name="barred",
            field=models.BooleanField(default=False, help_text="Removed as a spectator, too: may not open the table."),
        ),
        migrations.AlterField(
            model_name="seatrequest",
            name="answer",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "not requested"),
                    ("waits", "the host has not answered yet"),
                    ("next", "has a seat from the next match on"),
                    ("no", "the host has refused"),
                ],
                default="waits",
                max_length=5,
            ),
        ),
    ]
