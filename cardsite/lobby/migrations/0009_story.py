from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("lobby", "0008_what_if"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="story",
            field=models.BooleanField(
                default=False,
                editable=False,
                help_text="The game's story is played here; its results do not count.",
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="called",
            field=models.CharField(
                blank=True, editable=False, help_text="The name of a bot in a story.", max_length=40
            ),
        ),
    ]
