from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class WorkshopConfig(AppConfig):
    name = "cardsite.workshop"
    verbose_name = gettext_lazy("Workshop")

    def ready(self) -> None:
        from cardsite.table import tidy
        from cardsite.workshop.provider import PROVIDER
        from cardsite.workshop.services import to_delete
        from games import catalogue

        catalogue.providers.append(PROVIDER)
        tidy.TASKS.append(tidy.Task("workshop games that were removed", "KEEP_TABLES_DAYS", to_delete))
