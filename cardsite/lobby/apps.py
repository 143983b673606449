from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class LobbyConfig(AppConfig):
    name = "cardsite.lobby"
    verbose_name = gettext_lazy("Lobby")

    def ready(self) -> None:
        from cardsite.lobby.services import invitations, presence  # noqa: F401 their receivers
