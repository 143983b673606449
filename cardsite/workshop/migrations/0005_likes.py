"""What a person likes is called a like, as on the pages."""

from django.db import migrations, models
from django.db.models.deletion import CASCADE


class Migration(migrations.Migration):
    dependencies = [("people", "0007_preferences"), ("workshop", "0004_library")]

    operations = [
        migrations.RemoveConstraint(model_name="heart", name="one_heart_a_person"),
        migrations.RenameModel(old_name="Heart", new_name="Like"),
        migrations.AlterField("like", "person", models.ForeignKey("people.Person", CASCADE, related_name="likes")),
        migrations.AlterField("like", "text", models.ForeignKey("workshop.Text", CASCADE, related_name="likes")),
        migrations.AddConstraint(
            model_name="like",
            constraint=models.UniqueConstraint(fields=("text", "person"), name="one_like_a_person"),
        ),
    ]
