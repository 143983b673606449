from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class TableConfig(AppConfig):
    name = "cardsite.table"
    verbose_name = gettext_lazy("Table")

    def ready(self) -> None:
        from cardsite.table.services import beginnings, matches  # noqa: F401  (they subscribe to events)
