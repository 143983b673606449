from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class PlaytestsConfig(AppConfig):
    default_auto_field = "django.db.models.BigAutoField"
    name = "cardsite.playtests"
    verbose_name = gettext_lazy("Playtests")

    def ready(self) -> None:
        from cardsite.playtests import services  # noqa: F401  # its receivers
