from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class PlaytestsConfig(AppConfig):
    name = "cardsite.playtests"
    verbose_name = gettext_lazy("Playtests")

    def ready(self) -> None:
        from cardsite.playtests import services  # noqa: F401  # its receivers
