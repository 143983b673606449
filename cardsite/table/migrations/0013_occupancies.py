import json
import zlib
from collections import Counter
from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Count


def count_decisions(apps: Any, schema_editor: Any) -> None:
    """Store, for each result of an ended match, the decisions of its seat, and those that a person made.

    Several people may have sat in a seat one after the other. That was not stored, so the one whose result it is has
    made all of a person's decisions.
    """
    player, move, packed = (apps.get_model("table", name) for name in ("Player", "Move", "PackedMoves"))
    for match in apps.get_model("table", "Match").objects.filter(status="over").values_list("pk", flat=True).iterator():
        made: Counter[tuple[int, bool]] = Counter()
        rows = move.objects.filter(match=match).order_by().values_list("seat", "by").annotate(Count("pk"))
        for seat, by, count in rows:
            made[seat, by == "person"] += count
        if not made:
            for moves in packed.objects.filter(match=match).values_list("moves", flat=True):
                for _, seat, _, by, _ in json.loads(zlib.decompress(bytes(moves))):
                    made[seat, by == "person"] += 1
        for one in player.objects.filter(match=match):
            own = made[one.seat, True]
            one.decisions, one.own_decisions = own + made[one.seat, False], 0 if one.bot else own
            one.save(update_fields=["decisions", "own_decisions"])


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0001_initial"),
        ("table", "0012_reveal_by_match"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="decisions",
            field=models.PositiveIntegerField(
                blank=True, help_text="Made in this seat, by anybody; empty until the match is over.", null=True
            ),
        ),
        migrations.AddField(
            model_name="player",
            name="own_decisions",
            field=models.PositiveIntegerField(default=0, help_text="Those of them that the person made."),
        ),
        migrations.CreateModel(
            name="Occupancy",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("ply", models.PositiveIntegerField(help_text="The number of moves made before.")),
                ("seat", models.PositiveSmallIntegerField()),
                ("bot", models.CharField(blank=True, help_text="Kind of bot; empty for a person.", max_length=40)),
                ("away", models.BooleanField(default=False, help_text="A bot decides for the person.")),
                ("name", models.CharField(max_length=40)),
                (
                    "removed",
                    models.BooleanField(
                        default=False, help_text="The host has removed the person who was there before."
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="occupancies", to="table.match"
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="occupancies",
                        to="people.person",
                    ),
                ),
            ],
            options={"verbose_name_plural": "occupancies", "ordering": ["pk"]},
        ),
        migrations.RunPython(count_decisions, migrations.RunPython.noop),
    ]
