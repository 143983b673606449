from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class TournamentsConfig(AppConfig):
    name = "cardsite.tournaments"
    verbose_name = gettext_lazy("Tournaments")

    def ready(self) -> None:
        from cardsite.circles.ladder import MATCHES_OF_CIRCLE
        from cardsite.table import tidy
        from cardsite.table.services.beginnings import EACH_ROUND
        from cardsite.table.views import MENU_LINKS
        from cardsite.tournaments.page_data import cancelled, matches_of_circle
        from cardsite.tournaments.services import entering  # noqa: F401 its receivers
        from cardsite.tournaments.services.rounds import do_run_tournaments
        from cardsite.tournaments.views import menu_links

        MATCHES_OF_CIRCLE.append(matches_of_circle)
        EACH_ROUND.append(do_run_tournaments)
        MENU_LINKS.append(menu_links)
        tidy.TASKS.append(tidy.Task("cancelled tournaments", "KEEP_TABLES_DAYS", cancelled))
