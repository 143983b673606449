from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class CirclesConfig(AppConfig):
    name = "cardsite.circles"
    verbose_name = gettext_lazy("Circles")

    def ready(self) -> None:
        from cardsite.circles.views import links
        from cardsite.table.views import LINKS

        LINKS.append(links)
