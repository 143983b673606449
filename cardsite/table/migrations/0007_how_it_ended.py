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
                help_text="How it ended, in a sentence of the game: a Text of games/core/view.py.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="match",
            name="low_wins",
            field=models.BooleanField(default=False, help_text="Whether low scores were the good ones."),
        ),
        migrations.AddField(
            model_name="player",
            name="place",
            field=models.PositiveSmallIntegerField(
                blank=True, help_text="1 for the first; empty before such were kept.", null=True
            ),
        ),
    ]
