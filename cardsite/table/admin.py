"""Tables, matches and chat, for administrators; and the rigged deck.

Changes made here publish no event: a rig must leave no trace, not even an unexpected message. Seats are numbered from
1.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.views.main import SEARCH_VAR, ChangeList
from django.db.models import Count, Prefetch, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from cardsite.lobby.games import find_game, sections
from cardsite.lobby.models import Seat, Table
from cardsite.lobby.services import lifecycle, seating
from cardsite.people.audit import AuditedAdmin
from cardsite.people.records import (
    PersonLink,
    ReadOnly,
    RecordInline,
    RemovedByService,
    link,
    primary_keys,
    seat_number,
    set_verbose_names,
)
from cardsite.refusal import Refused
from cardsite.table.models import DailyTry, Match, Message, Move, PackedMoves, Player, StoredReplay
from cardsite.table.rig import RIG_MATCHES, rig_matches, rig_status, stacked_now
from cardsite.table.services.chat import do_remove_messages
from cardsite.table.services.matches import do_remove_matches
from games.core.game import RigPolicy

SHOWN = 50  # matches on a table's page
RIG_FIELDS = ("rigged", "favourite", "rig_way", "rig_lasts", "honest_games", "rig_from", "reveal")

admin.site.site_header = gettext_lazy("Hamsterdam administration")
admin.site.site_title = "Hamsterdam"
admin.site.index_title = gettext_lazy("Tables, matches, people")

set_verbose_names(
    Table,
    gettext_lazy("table"),
    gettext_lazy("tables"),
    code=gettext_lazy("code"),
    game=gettext_lazy("game"),
    options=gettext_lazy("options"),
    host=gettext_lazy("host"),
    house=gettext_lazy("house table"),
    status=gettext_lazy("status"),
    public=gettext_lazy("public"),
    sealed=gettext_lazy("sealed"),
    seconds=gettext_lazy("seconds"),
    created=gettext_lazy("created"),
    touched=gettext_lazy("last changed"),
)
set_verbose_names(
    Seat,
    gettext_lazy("seat"),
    gettext_lazy("seats"),
    person=gettext_lazy("person"),
    bot=gettext_lazy("bot"),
    away=gettext_lazy("away"),
    seen=gettext_lazy("last seen"),
    wins=gettext_lazy("wins"),
)
set_verbose_names(
    Match,
    gettext_lazy("match"),
    gettext_lazy("matches"),
    number=gettext_lazy("number"),
    game=gettext_lazy("game"),
    status=gettext_lazy("status"),
    started=gettext_lazy("started"),
    finished=gettext_lazy("ended"),
    sealed=gettext_lazy("sealed"),
    favourite=gettext_lazy("stacked for"),
    seconds=gettext_lazy("seconds"),
    options=gettext_lazy("options"),
    seed=gettext_lazy("seed"),
    rules_version=gettext_lazy("version of the rules"),
    process=gettext_lazy("run by the process"),
    suspended_since=gettext_lazy("suspended since"),
    compensation_ply=gettext_lazy("clock compensation from move"),
    compensation_ms=gettext_lazy("clock compensation, in milliseconds"),
)
set_verbose_names(
    Player,
    gettext_lazy("player"),
    gettext_lazy("players"),
    name=gettext_lazy("name"),
    person=gettext_lazy("person"),
    bot=gettext_lazy("bot"),
    score=gettext_lazy("score"),
    share=gettext_lazy("share of the win"),
)
set_verbose_names(
    Move,
    gettext_lazy("move"),
    gettext_lazy("moves"),
    ply=gettext_lazy("number"),
    text=gettext_lazy("move"),
    by=gettext_lazy("decided by"),
)
set_verbose_names(
    Message,
    gettext_lazy("message"),
    gettext_lazy("messages"),
    text=gettext_lazy("text"),
    name=gettext_lazy("name"),
    room=gettext_lazy("room"),
)
set_verbose_names(PackedMoves, gettext_lazy("packed moves"), gettext_lazy("packed moves"))
set_verbose_names(StoredReplay, gettext_lazy("stored replay"), gettext_lazy("stored replays"))
set_verbose_names(DailyTry, gettext_lazy("deal of the day"), gettext_lazy("deals of the day"))


class TableForm(forms.ModelForm):  # type: ignore[type-arg]
    """Shows the favourite by seat and name, and the method by its description."""

    rig_way = forms.ChoiceField(required=False, label=gettext_lazy("Method"))
    favourite = forms.TypedChoiceField(
        coerce=int, empty_value=None, required=False, label=gettext_lazy("Favourite seat")
    )

    class Meta:
        model = Table
        fields = ("public", "seconds", *RIG_FIELDS)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        seats = self.instance.seats.select_related("person") if self.instance.pk else []
        if "favourite" in self.fields:
            self.fields["favourite"].choices = [  # type: ignore[attr-defined]
                ("", _("nobody")),
                *(
                    (
                        seat.index,
                        _("seat %(n)d: %(name)s")
                        % {"n": seat.index + 1, "name": seating.seat_name(seat) or _("(open)")},
                    )
                    for seat in seats
                ),
            ]
        if "rig_way" in self.fields:
            rig = _rig_of(self.instance)
            ways = [(name, _(words)) for name, words in rig.ways.items()] if rig else []
            self.fields["rig_way"].choices = ways  # type: ignore[attr-defined]


class RigFilter(admin.SimpleListFilter):
    title = gettext_lazy("rig")
    parameter_name = "rig"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("on", _("switched on")), ("now", _("stacked now")), ("off", _("off"))]

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


class GameFilter(admin.SimpleListFilter):
    """Filters by game; a section of texts is one entry, and so are all games that are not listed."""

    title = gettext_lazy("game")
    parameter_name = "game"
    _SECTION, _OTHERS = "section:", "others"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        built_in, *of_texts = sections()
        return [
            *((game.name, game.title) for game in built_in.games),
            *((f"{self._SECTION}{index}", _(section.title)) for index, section in enumerate(of_texts)),
            (self._OTHERS, _("from the workshop, or removed")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        asked = self.value()
        names = [[game.name for game in section.games] for section in sections()]
        if asked is None:
            return queryset
        if asked == self._OTHERS:
            return queryset.exclude(game__in=[name for section in names for name in section])
        for index, section in enumerate(names[1:]):
            if asked == f"{self._SECTION}{index}":
                return queryset.filter(game__in=section)
        return queryset.filter(game=asked)


class HouseFilter(admin.SimpleListFilter):
    """Leaves out the matches at the house table, unless they are selected or a search is made."""

    title = gettext_lazy("table")
    parameter_name = "house"
    ALL = "all"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("no", _("people's tables")), ("yes", _("house table")), (self.ALL, _("all"))]

    def value(self) -> str:
        return super().value() or self._default

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        match self.value():
            case "yes":
                return queryset.filter(table__house=True)
            case self.ALL:
                return queryset
        return queryset.filter(table__house=False)

    def __init__(self, request: HttpRequest, params: dict[str, Any], model: Any, model_admin: Any) -> None:
        super().__init__(request, params, model, model_admin)
        self._default = self.ALL if request.GET.get(SEARCH_VAR) else "no"

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        for value, title in self.lookup_choices:
            yield {
                "selected": self.value() == str(value),
                "query_string": changelist.get_query_string({self.parameter_name: value}),
                "display": title,
            }


class SeatInline(RecordInline):
    model = Seat
    list_select_related = ("person",)
    fields = readonly_fields = ("number", "person", "bot", "away", "seen", "wins")

    @admin.display(description=gettext_lazy("seat"))
    def number(self, seat: Seat) -> str:
        return seat_number(seat.index)


@admin.register(Table)
class TableAdmin(AuditedAdmin, RemovedByService, admin.ModelAdmin):  # type: ignore[type-arg]
    form = TableForm
    list_display = ("code", "game", "status", "players", "match_count", "rig_link", "touched", "open_it")
    list_filter = (RigFilter, "status", GameFilter, "public", "sealed", "house")
    search_fields = ("code", "seats__person__name", "host__name")
    inlines = (SeatInline,)
    actions = ("close",)
    logged_as = {"favourite": seat_number}
    readonly_fields = (
        "code", "game", "options", "host", "house", "status", "created", "touched", "rig", "matches_played", "sealed",
        "open_it",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        tables: QuerySet[Table] = super().get_queryset(request)
        rigged = Prefetch("matches", rig_matches(), to_attr=RIG_MATCHES)
        return tables.prefetch_related("seats__person", rigged).annotate(played=Count("matches", distinct=True))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # tables are created on the site

    def get_fieldsets(self, request: HttpRequest, obj: Table | None = None) -> Any:
        about = ("code", "open_it", "game", "options", "status", "host", "public", "sealed", "seconds", "house")
        table = (_("Table"), {"fields": (*about, "created", "touched", "matches_played")})
        if obj and not obj.sealed and _rig_of(obj):
            fields: tuple[str, ...] = ("rig", *RIG_FIELDS)
            words = _(
                "In a series, the first matches are dealt honestly. After that, the deck is rigged until "
                "the favourite has won a match. Players and spectators are not informed, unless you choose "
                "to reveal it after each match."
            )
        else:
            fields = ("rig",)
            words = (
                _("This table is sealed: everybody can verify its deal, so it cannot be rigged. Use an unsealed table.")
                if obj and obj.sealed
                else _("This game has no rigged deck.")
            )
        rig = (_("Rigged deck"), {"fields": fields, "description": words})
        return [rig, table] if len(fields) > 1 else [table, rig]

    @admin.display(description=gettext_lazy("players"))
    def players(self, table: Table) -> str:
        return ", ".join(seating.seat_name(seat) or _("(open)") for seat in table.seats.all())

    @admin.display(description=gettext_lazy("matches"), ordering="played")
    def match_count(self, table: Table) -> SafeString:
        return _matches_of(table, table.played)  # type: ignore[attr-defined]

    @admin.display(description=gettext_lazy("rig"))
    def rig(self, table: Table) -> SafeString:
        words = rig_status(table)
        return format_html("<strong>{}</strong>" if stacked_now(table) else "{}", words)

    @admin.display(description=gettext_lazy("rig"))
    def rig_link(self, table: Table) -> SafeString:
        """A link to the table's page, which begins with the rig."""
        return link(self.rig(table), "admin:lobby_table_change", table.pk)

    @admin.display(description=gettext_lazy("table"))
    def open_it(self, table: Table) -> SafeString:
        return link(_("open"), "table:page", table.code)

    @admin.display(description=gettext_lazy("matches"))
    def matches_played(self, table: Table) -> SafeString:
        rows = Match.objects.filter(table=table).order_by("-number")[:SHOWN]
        lines = format_html_join(
            SafeString("<br>"),
            "{} {}{} · {}",
            (
                (
                    link(_("match %(n)d") % {"n": match.number}, "admin:table_match_change", match.pk),
                    match.get_status_display(),
                    f", {self._stacked(match)}" if match.favourite is not None else "",
                    link(_("replay"), "table:replay", match.pk),
                )
                for match in rows
            ),
        )
        if not lines:
            return format_html("{}", _("none yet"))
        return format_html("{}<br>{}", lines, _matches_of(table, _("Show all as a list")))

    def _stacked(self, match: Match) -> str:
        return _("stacked for seat %(seat)s") % {"seat": seat_number(match.favourite)}

    @admin.action(description=gettext_lazy("Close tables where nobody is playing"))
    def close(self, request: HttpRequest, tables: QuerySet[Table]) -> None:
        closed = lifecycle.do_close_idle(primary_keys(tables))
        words = _("%(n)d closed. Tables with a match in progress stay open.") % {"n": closed}
        self.message_user(request, words)

    def save_model(self, request: HttpRequest, obj: Table, form: Any, change: bool) -> None:
        changed = list(form.changed_data)
        if not set(RIG_FIELDS).isdisjoint(changed):
            obj.rigged_by_id = request.user.pk
            changed.append("rigged_by")
        lifecycle.do_change_table(obj, changed)

    def remove(self, numbers: list[int]) -> None:
        lifecycle.do_remove_tables(numbers)


def _matches_of(table: Table, words: object) -> SafeString:
    return link(words, "admin:table_match_changelist", table__id__exact=table.pk, house=HouseFilter.ALL)


def _rig_of(table: Table) -> RigPolicy | None:
    try:
        return find_game(table.game).rig
    except Refused:
        return None


class PlayerInline(RecordInline):
    model = Player
    list_select_related = ("person",)
    fields = readonly_fields = ("number", "name", "person", "bot", "score", "share")

    @admin.display(description=gettext_lazy("seat"))
    def number(self, player: Player) -> str:
        return seat_number(player.seat)


class MoveInline(RecordInline):
    model = Move
    fields = readonly_fields = ("ply", "number", "text", "by")

    @admin.display(description=gettext_lazy("seat"))
    def number(self, move: Move) -> str:
        return seat_number(move.seat)


@admin.register(Match)
class MatchAdmin(ReadOnly, RemovedByService, admin.ModelAdmin):  # type: ignore[type-arg]
    """Matches can be read and deleted, not changed."""

    list_display = ("id", "table_link", "number", "game", "status", "player_names", "stacked", "started", "links")
    list_filter = (
        HouseFilter, "status", "dropped", GameFilter, "sealed", ("favourite", admin.EmptyFieldListFilter), "started",
    )  # fmt: skip
    search_fields = ("id", "table__code", "players__name")
    inlines = (PlayerInline, MoveInline)
    date_hierarchy = "started"
    fields = (
        "table_link", "links", "number", "game", "status", "dropped", "started", "finished", "sealed", "stacked",
        "seconds", "options", "seed", "rules_version", "process", "suspended_since", "compensation_ply",
        "compensation_ms", "packed", "what_failed",
    )  # fmt: skip
    readonly_fields = ("table_link", "links", "stacked", "packed", "what_failed")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        matches: QuerySet[Match] = super().get_queryset(request)
        return matches.select_related("table", "process").prefetch_related("players")

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Allow the links from a person's page to their matches."""
        return lookup == "players__person__id__exact" or super().lookup_allowed(lookup, value, request)

    @admin.display(description=gettext_lazy("players (winners marked)"))
    def player_names(self, match: Match) -> str:
        return ", ".join(f"{p.name}{' ★' if p.share else ''}" for p in match.players.all())

    @admin.display(description=gettext_lazy("stacked for"))
    def stacked(self, match: Match) -> str:
        return "" if match.favourite is None else _("seat %(n)s") % {"n": seat_number(match.favourite)}

    @admin.display(description=gettext_lazy("table"), ordering="table__code")
    def table_link(self, match: Match) -> SafeString:
        return link(match.table.code, "admin:lobby_table_change", match.table_id)

    @admin.display(description=gettext_lazy("view"))
    def links(self, match: Match) -> SafeString:
        table, replay = link(_("table"), "table:page", match.table.code), link(_("replay"), "table:replay", match.pk)
        return format_html("{} · {}", replay, table)

    @admin.display(description=gettext_lazy("packed moves"))
    def packed(self, match: Match) -> str:
        pack = PackedMoves.objects.filter(match=match).first()
        return _("%(n)d, archived: see the replay") % {"n": pack.plies} if pack else _("none")

    @admin.display(description=gettext_lazy("error, for the author of the rules"))
    def what_failed(self, match: Match) -> SafeString:
        return format_html("<pre>{}</pre>", match.failure) if match.failure else format_html("{}", _("none"))

    def remove(self, numbers: list[int]) -> None:
        do_remove_matches(numbers)


@admin.register(Message)
class MessageAdmin(ReadOnly, PersonLink, RemovedByService, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("text", "name", "room", "table_link", "person_link", "sent_at")
    list_select_related = ("table", "person")
    list_filter = ("room",)
    search_fields = ("text", "name", "table__code")
    fields = readonly_fields = ("text", "name", "number", "person_link", "room", "table_link", "sent_at")

    @admin.display(description=gettext_lazy("table"), ordering="table__code")
    def table_link(self, message: Message) -> SafeString:
        return link(message.table.code, "admin:lobby_table_change", message.table_id)

    @admin.display(description=gettext_lazy("seat"))
    def number(self, message: Message) -> str:
        return seat_number(message.seat) or _("spectator")

    @admin.display(description=gettext_lazy("time"), ordering="at")
    def sent_at(self, message: Message) -> datetime:
        return datetime.fromtimestamp(message.at / 1000, UTC)

    def remove(self, numbers: list[int]) -> None:
        do_remove_messages(numbers)
