from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("lobby", "0005_one_room_of_talk"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="rig_way",
            field=models.CharField(
                blank=True,
                default="",
                help_text="Leave empty for the game's default.",
                max_length=16,
                verbose_name="method",
            ),
        ),
    ]
