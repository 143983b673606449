"""Tables, matches and chat, for administrators; and the rigged deck.

What is set here is not told to the table: a rig must leave no trace, not even a message at the wrong time.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from cardsite.lobby import services as lobby
from cardsite.lobby.models import Seat, Table
from cardsite.refusal import Refused
from cardsite.table.models import Match, Message, Move, PackedMoves, Player
from cardsite.table.rig import rig_status
from cardsite.table.services import do_remove_matches, do_remove_messages

admin.site.site_header = "Hamsterdam: the back room"
admin.site.site_title = "Hamsterdam"
admin.site.index_title = "Tables, matches, people"


class TableForm(forms.ModelForm):  # type: ignore[type-arg]
    """The favourite is chosen by seat and name."""

    favourite = forms.TypedChoiceField(coerce=int, empty_value=None, required=False, label="Favourite seat")

    class Meta:
        model = Table
        fields = ("public", "seconds", "rigged", "favourite", "honest_games", "rig_from", "reveal")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        seats = self.instance.seats.select_related("person") if self.instance.pk else []
        if "favourite" in self.fields:
            self.fields["favourite"].choices = [  # type: ignore[attr-defined]
                ("", "nobody"),
                *((seat.index, f"seat {seat.index}: {lobby.seat_name(seat) or 'open'}") for seat in seats),
            ]


class RigFilter(admin.SimpleListFilter):
    title = "rig"
    parameter_name = "rig"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("on", "switched on"), ("now", "stacked now"), ("off", "off")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Table]) -> QuerySet[Table]:
        match self.value():
            case "on":
                return queryset.filter(rigged=True, sealed=False)
            case "now":
                stacked = Match.objects.filter(status=Match.Status.RUNNING).exclude(favourite=None)
                return queryset.filter(matches__in=stacked)
            case "off":
                return queryset.exclude(rigged=True, sealed=False)
        return queryset


class SeatInline(admin.TabularInline):  # type: ignore[type-arg]
    model = Seat
    extra = 0
    can_delete = False
    fields = readonly_fields = ("index", "person", "bot", "away", "seen", "wins")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Table)
class TableAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    form = TableForm
    list_display = ("code", "game", "status", "players", "match_count", "rig", "touched", "open_it")
    list_filter = (RigFilter, "status", "game", "public", "sealed", "house")
    search_fields = ("code", "seats__person__name", "host__name")
    inlines = (SeatInline,)
    actions = ("close",)
    readonly_fields = (
        "code", "game", "options", "host", "house", "status", "created", "touched", "rig", "matches_played", "sealed",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        tables: QuerySet[Table] = super().get_queryset(request)
        return tables.prefetch_related("seats__person").annotate(played=Count("matches", distinct=True))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # tables are made on the site

    def get_fieldsets(self, request: HttpRequest, obj: Table | None = None) -> Any:
        about = ("code", "game", "options", "status", "host", "public", "sealed", "seconds", "house")
        table = ("Table", {"fields": (*about, "created", "touched", "matches_played")})
        if obj and not obj.sealed and _has_rig(obj):
            fields: tuple[str, ...] = ("rig", "rigged", "favourite", "honest_games", "rig_from", "reveal")
            words = (
                "The first games of the series are dealt honestly; then the deck is stacked until the favourite has "
                "won a game. Players and watchers are told nothing, unless you choose to reveal it after each match."
            )
        else:
            fields = ("rig",)
            words = (
                "This table is sealed: its deal can be checked by everybody, so there is nothing to offer here. "
                "Only an unsealed table can be rigged."
                if obj and obj.sealed
                else "This game has no rigged deck."
            )
        return [table, ("The rigged deck", {"fields": fields, "description": words})]

    @admin.display(description="players")
    def players(self, table: Table) -> str:
        return ", ".join(lobby.seat_name(seat) or "(open)" for seat in table.seats.all())

    @admin.display(description="matches", ordering="played")
    def match_count(self, table: Table) -> int:
        return table.played  # type: ignore[attr-defined, no-any-return]

    @admin.display(description="rig")
    def rig(self, table: Table) -> SafeString:
        words = rig_status(table)
        return format_html("<strong>{}</strong>", words) if words.startswith("STACKED") else format_html("{}", words)

    @admin.display(description="table")
    def open_it(self, table: Table) -> SafeString:
        return format_html('<a href="{}">open</a>', reverse("table:page", args=[table.code]))

    @admin.display(description="matches")
    def matches_played(self, table: Table) -> SafeString:
        rows = Match.objects.filter(table=table).order_by("-number")[:50]
        return format_html_join(
            SafeString("<br>"),
            '<a href="{}">match {}</a> {}{} · <a href="{}">replay</a>',
            (
                (
                    reverse("admin:table_match_change", args=[match.pk]),
                    match.number,
                    match.status,
                    f", stacked for seat {match.favourite}" if match.favourite is not None else "",
                    reverse("table:replay", args=[match.pk]),
                )
                for match in rows
            ),
        ) or SafeString("none yet")

    @admin.action(description="Close tables where nobody is playing")
    def close(self, request: HttpRequest, tables: QuerySet[Table]) -> None:
        closed = lobby.do_close_idle(_numbers(tables))
        self.message_user(request, f"{closed} closed; tables in mid-match are left alone.")

    def save_model(self, request: HttpRequest, obj: Table, form: Any, change: bool) -> None:
        lobby.do_change_table(obj, form.changed_data)

    def delete_model(self, request: HttpRequest, obj: Table) -> None:
        lobby.do_remove_tables([obj.pk])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Table]) -> None:
        lobby.do_remove_tables(_numbers(queryset))


def _has_rig(table: Table) -> bool:
    try:
        return lobby.game_of(table).rig is not None
    except Refused:
        return False


def _numbers(rows: QuerySet[Any]) -> list[int]:
    return list(rows.values_list("pk", flat=True))


class PlayerInline(admin.TabularInline):  # type: ignore[type-arg]
    model = Player
    extra = 0
    can_delete = False
    fields = readonly_fields = ("seat", "name", "person", "bot", "score", "share")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class MoveInline(admin.TabularInline):  # type: ignore[type-arg]
    model = Move
    extra = 0
    can_delete = False
    fields = readonly_fields = ("ply", "seat", "text", "by")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Match)
class MatchAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Matches are a record: they can be read and deleted, not changed."""

    exclude = ("failure",)  # shown below, as it is laid out
    list_display = ("id", "table", "number", "game", "status", "who", "stacked", "sealed", "started", "replay")
    list_filter = ("status", "dropped", "game", "sealed", ("favourite", admin.EmptyFieldListFilter), "started")
    search_fields = ("id", "table__code", "players__name")
    inlines = (PlayerInline, MoveInline)
    date_hierarchy = "started"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        matches: QuerySet[Match] = super().get_queryset(request)
        return matches.select_related("table").prefetch_related("players")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.display(description="players (winners marked)")
    def who(self, match: Match) -> str:
        return ", ".join(f"{p.name}{' ★' if p.share else ''}" for p in match.players.all())

    @admin.display(description="stacked for")
    def stacked(self, match: Match) -> str:
        return "" if match.favourite is None else f"seat {match.favourite}"

    @admin.display(description="replay")
    def replay(self, match: Match) -> SafeString:
        return format_html('<a href="{}">step through</a>', reverse("table:replay", args=[match.pk]))

    readonly_fields = ("replay", "packed", "what_failed")

    @admin.display(description="moves that are packed")
    def packed(self, match: Match) -> str:
        pack = PackedMoves.objects.filter(match=match).first()
        return f"{pack.plies}, of long ago: see the replay" if pack else "none"

    @admin.display(description="failure, for the author of the rules")
    def what_failed(self, match: Match) -> SafeString:
        return format_html("<pre>{}</pre>", match.failure) if match.failure else SafeString("none")

    def delete_model(self, request: HttpRequest, obj: Match) -> None:
        do_remove_matches([obj.pk])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> None:
        do_remove_matches(_numbers(queryset))


@admin.register(Message)
class MessageAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("text", "name", "room", "table", "person")
    list_filter = ("room",)
    search_fields = ("text", "name", "table__code")
    readonly_fields = ("table", "room", "person", "name", "seat", "text", "at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def delete_model(self, request: HttpRequest, obj: Message) -> None:
        do_remove_messages([obj.pk])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Message]) -> None:
        do_remove_messages(_numbers(queryset))
