from django.db import migrations


class Migration(migrations.Migration):
    """Apart from the rows of 0003: PostgreSQL does not alter a table in the transaction that has written to it."""

    dependencies = [("people", "0003_restrictions")]

    operations = [migrations.RemoveField(model_name="person", name="blocked")]
