from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0006_vacation"),
    ]

    operations = [
        migrations.AddField(
            model_name="person",
            name="preferences",
            field=models.JSONField(blank=True, default=dict, editable=False),
        ),
    ]
