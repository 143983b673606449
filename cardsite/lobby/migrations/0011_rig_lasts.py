import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("lobby", "0010_seat_requests"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="rig_lasts",
            field=models.CharField(
                choices=[
                    ("once", "for the next match only"),
                    ("series", "until the favourite has won a match of the series"),
                    ("always", "until it is switched off"),
                ],
                default="series",
                max_length=6,
                verbose_name="how long",
            ),
        ),
        migrations.AddField(
            model_name="table",
            name="rigged_by",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(
            model_name="table",
            name="reveal",
            field=models.BooleanField(
                default=False,
                help_text="Announce it to everybody after each rigged match that starts from now on. Earlier matches keep what was decided for them.",
                verbose_name="reveal after the match",
            ),
        ),
    ]
