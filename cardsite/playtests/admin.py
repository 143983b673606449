"""Answers after matches on the administrators' site: read them, and remove what does not belong there."""

from __future__ import annotations

from django.contrib import admin
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from cardsite.people.records import (
    PersonLink,
    ReadOnly,
    RemovedByService,
    link,
    set_verbose_names,
)
from cardsite.playtests.models import Opinion
from cardsite.playtests.services import do_remove_opinions

set_verbose_names(
    Opinion,
    gettext_lazy("opinion"),
    gettext_lazy("opinions"),
    person=gettext_lazy("person"),
    fun=gettext_lazy("fun"),
    fair=gettext_lazy("fair"),
    note=gettext_lazy("note"),
    ply=gettext_lazy("move"),
    created=gettext_lazy("time"),
)


@admin.register(Opinion)
class OpinionAdmin(ReadOnly, PersonLink, RemovedByService, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("game", "fun", "fair", "note", "match_link", "person_link", "created")
    list_select_related = ("match", "person")
    fields = readonly_fields = ("game", "match_link", "person_link", "fun", "fair", "note", "ply", "created")
    search_fields = ("note", "match__game")

    @admin.display(description=gettext_lazy("game"), ordering="match__game")
    def game(self, opinion: Opinion) -> str:
        return opinion.match.game

    @admin.display(description=gettext_lazy("match"))
    def match_link(self, opinion: Opinion) -> SafeString:
        return link(str(opinion.match_id), "admin:table_match_change", opinion.match_id)

    def remove(self, numbers: list[int]) -> None:
        do_remove_opinions(numbers)
