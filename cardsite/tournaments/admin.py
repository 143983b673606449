"""Tournaments on the administrators' site: who takes part, and remove them. Only their organizers change them."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from cardsite.people.records import (
    ReadOnly,
    RecordInline,
    RemovedByService,
    set_verbose_names,
)
from cardsite.tournaments.models import Entrant, Tournament
from cardsite.tournaments.services.entering import do_remove_tournaments

set_verbose_names(
    Tournament,
    gettext_lazy("tournament"),
    gettext_lazy("tournaments"),
    name=gettext_lazy("name"),
    circle=gettext_lazy("circle"),
    organizer=gettext_lazy("organizer"),
    game=gettext_lazy("game"),
    status=gettext_lazy("status"),
    round=gettext_lazy("round"),
    rounds=gettext_lazy("rounds"),
    created=gettext_lazy("created"),
)
set_verbose_names(
    Entrant,
    gettext_lazy("entrant"),
    gettext_lazy("entrants"),
    person=gettext_lazy("person"),
    bot=gettext_lazy("bot"),
    withdrawn=gettext_lazy("withdrawn"),
)


class EntrantInline(RecordInline):
    model = Entrant
    list_select_related = ("person", "tournament")
    fields = readonly_fields = ("person", "bot", "withdrawn")


@admin.register(Tournament)
class TournamentAdmin(ReadOnly, RemovedByService, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "organizer", "game", "status", "count", "created")
    list_filter = ("status", "created")
    list_select_related = ("organizer",)
    search_fields = ("name", "organizer__name")
    fields = readonly_fields = ("name", "circle", "organizer", "game", "status", "round", "rounds", "created")
    inlines = (EntrantInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tournament]:
        tournaments: QuerySet[Tournament] = super().get_queryset(request)
        return tournaments.annotate(entrant_count=Count("entrants"))

    @admin.display(description=gettext_lazy("entrants"), ordering="entrant_count")
    def count(self, tournament: Tournament) -> int:
        return tournament.entrant_count  # type: ignore[attr-defined, no-any-return]

    def remove(self, numbers: list[int]) -> None:
        do_remove_tournaments(numbers)
