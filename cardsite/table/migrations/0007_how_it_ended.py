from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("table", "0006_clocks"),
    ]

    operations = [
        migrations.AddField(
            model_name="match",
            name="outcome",
            field=models.JSONField(
                blank=True,
                help_text="The game's own sentence about the end: a Sentence of games/core/view.py.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="match",
            name="low_wins",
            field=models.BooleanField(default=False, help_text="Whether a lower score is better."),
        ),
        migrations.AddField(
            model_name="player",
            name="place",
            field=models.PositiveSmallIntegerField(
                blank=True, help_text="1 for the first; empty in matches older than this field.", null=True
            ),
        ),
    ]
