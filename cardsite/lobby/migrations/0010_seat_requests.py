import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Rename ChairWish, its fields and constraints. No row changes."""

    dependencies = [
        ("lobby", "0009_story"),
        ("people", "0002_person_seen"),
    ]

    operations = [
        migrations.RenameModel("ChairWish", "SeatRequest"),
        migrations.RenameField("SeatRequest", "shown_out", "removed"),
        migrations.AlterField(
            model_name="seatrequest",
            name="person",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="seat_requests", to="people.person"
            ),
        ),
        migrations.AlterField(
            model_name="seatrequest",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="seat_requests", to="lobby.table"
            ),
        ),
        migrations.RemoveConstraint(model_name="seatrequest", name="one_wish_a_person"),
        migrations.AddConstraint(
            model_name="seatrequest",
            constraint=models.UniqueConstraint(fields=("table", "person"), name="one_request_a_person"),
        ),
        migrations.RemoveConstraint(model_name="seat", name="one_chair_a_place"),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("table", "index"), name="one_seat_a_number"),
        ),
        migrations.RemoveConstraint(model_name="seat", name="one_chair_a_person"),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("table", "person"), name="one_seat_a_person"),
        ),
    ]
