from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class CirclesConfig(AppConfig):
    name = "cardsite.circles"
    verbose_name = gettext_lazy("Circles")

    def ready(self) -> None:
        from cardsite.circles.services import old_messages
        from cardsite.circles.views import menu_links
        from cardsite.table import tidy
        from cardsite.table.views import MENU_LINKS

        MENU_LINKS.append(menu_links)
        tidy.TASKS.append(tidy.Task("chat of circles", "KEEP_CHAT_DAYS", old_messages))
