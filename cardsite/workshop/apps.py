from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class WorkshopConfig(AppConfig):
    default_auto_field = "django.db.models.BigAutoField"
    name = "cardsite.workshop"
    verbose_name = gettext_lazy("Workshop")

    def ready(self) -> None:
        from cardsite.table import tidy
        from cardsite.workshop.shelf import SHELF
        from cardsite.workshop.tidy import TASK
        from games import catalogue

        catalogue.providers.append(SHELF)
        tidy.TASKS.append(TASK)
