from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class CirclesConfig(AppConfig):
    name = "cardsite.circles"
    verbose_name = gettext_lazy("Circles")

    def ready(self) -> None:
        from cardsite.circles.services import old_messages
        from cardsite.circles.views import links
        from cardsite.table.tidy import TASKS, Task
        from cardsite.table.views import LINKS

        LINKS.append(links)
        TASKS.append(Task("chat of circles", "KEEP_CHAT_DAYS", old_messages))
