"""Games of the workshop on the administrators' site: feature them, hide them, read reports."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, OuterRef, QuerySet, Subquery, Sum
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from cardsite.people.audit import user_of
from cardsite.people.records import (
    PersonLink,
    ReadOnly,
    RecordInline,
    RemovedByService,
    link,
    link_to,
    primary_keys,
    set_verbose_names,
)
from cardsite.workshop.models import Like, Report, Text, Version
from cardsite.workshop.services import (
    do_allow,
    do_feature,
    do_hide,
    do_remove_reports,
    do_remove_texts,
    do_resolve_reports,
    do_stop,
)

set_verbose_names(
    Text,
    gettext_lazy("workshop game"),
    gettext_lazy("workshop games"),
    title=gettext_lazy("title"),
    summary=gettext_lazy("summary"),
    latest=gettext_lazy("version"),
    published=gettext_lazy("published version"),
    published_at=gettext_lazy("published at"),
    featured=gettext_lazy("featured"),
    hidden=gettext_lazy("hidden"),
    stopped=gettext_lazy("stopped"),
    withdrawn=gettext_lazy("removed"),
    plays=gettext_lazy("matches"),
    created=gettext_lazy("started"),
    changed=gettext_lazy("changed"),
)
set_verbose_names(
    Report,
    gettext_lazy("report"),
    gettext_lazy("reports"),
    at=gettext_lazy("time"),
    number=gettext_lazy("newest version"),
    why=gettext_lazy("reason"),
    person=gettext_lazy("person"),
)
set_verbose_names(Version, gettext_lazy("version"), gettext_lazy("versions"))
set_verbose_names(Like, gettext_lazy("like"), gettext_lazy("likes"))


_OVERRUNS = (
    Version.objects.filter(text=OuterRef("pk")).order_by().values("text").annotate(n=Sum("overruns")).values("n")
)


class ReportInline(RecordInline):
    model = Report
    list_select_related = ("person",)
    fields = readonly_fields = ("at", "number", "why", "person")


class ReportedFilter(admin.SimpleListFilter):
    title = gettext_lazy("reports")
    parameter_name = "reported"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", _("reported"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Text]) -> QuerySet[Text]:
        return queryset.filter(reports__isnull=False).distinct() if self.value() == "yes" else queryset


@admin.register(Text)
class TextAdmin(ReadOnly, RemovedByService, admin.ModelAdmin):  # type: ignore[type-arg]
    """Staff may feature, hide and remove texts. Only authors change them."""

    list_display = (
        "title", "page", "owner_link", "latest", "standing", "overruns", "reported", "plays", "changed",
    )  # fmt: skip
    list_filter = (ReportedFilter, "featured", "hidden", "stopped", "withdrawn", "created")
    search_fields = ("title", "code", "owner__name")
    fields = (
        "title", "page", "owner_link", "tables", "summary", "latest", "published", "published_at", "featured", "hidden",
        "stopped", "overruns", "withdrawn", "plays", "created", "changed",
    )  # fmt: skip
    readonly_fields = ("page", "owner_link", "tables", "overruns")
    inlines = (ReportInline,)
    actions = ("feature", "unfeature", "hide", "show", "stop", "allow", "resolve")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Text]:
        texts: QuerySet[Text] = super().get_queryset(request)
        return texts.select_related("owner").annotate(
            report_count=Count("reports", distinct=True), overrun_count=Subquery(_OVERRUNS)
        )

    @admin.display(ordering="report_count", description=gettext_lazy("reports"))
    def reported(self, text: Text) -> int:
        return text.report_count  # type: ignore[attr-defined, no-any-return]

    @admin.display(ordering="overrun_count", description=gettext_lazy("over CPU limit"))
    def overruns(self, text: Text) -> int:
        return text.overrun_count or 0  # type: ignore[attr-defined]

    @admin.display(description=gettext_lazy("status"))
    def standing(self, text: Text) -> str:
        marks = (
            (_("published"), text.published),
            (_("featured"), text.featured),
            (_("hidden"), text.hidden),
            (_("stopped"), text.stopped),
        )
        return ", ".join(mark for mark, is_set in marks if is_set) or "-"

    @admin.display(description=gettext_lazy("page"), ordering="code")
    def page(self, text: Text) -> SafeString:
        return link(text.code, "workshop:text", text.code)

    @admin.display(description=gettext_lazy("author"), ordering="owner__name")
    def owner_link(self, text: Text) -> SafeString | str:
        return link_to(text.owner)

    @admin.display(description=gettext_lazy("tables where it is played"))
    def tables(self, text: Text) -> SafeString:
        return link(_("view"), "admin:lobby_table_changelist", game__startswith=f"w-{text.code}-")

    @admin.action(description=gettext_lazy("Feature (listed first, and with the house games)"))
    def feature(self, request: HttpRequest, texts: QuerySet[Text]) -> None:
        done = do_feature(primary_keys(texts), True, user_of(request))
        words = _("%(n)d featured. Games that are not published were left as they are.") % {"n": done}
        self.message_user(request, words)

    @admin.action(description=gettext_lazy("Stop featuring"))
    def unfeature(self, request: HttpRequest, texts: QuerySet[Text]) -> None:
        done = do_feature(primary_keys(texts), False, user_of(request))
        self.message_user(request, _("%(n)d no longer featured.") % {"n": done})

    @admin.action(description=gettext_lazy("Hide (only the author sees it, and no table can be opened)"))
    def hide(self, request: HttpRequest, texts: QuerySet[Text]) -> None:
        self.message_user(request, _("%(n)d hidden.") % {"n": do_hide(primary_keys(texts), True, user_of(request))})

    @admin.action(description=gettext_lazy("Show again"))
    def show(self, request: HttpRequest, texts: QuerySet[Text]) -> None:
        done = do_hide(primary_keys(texts), False, user_of(request))
        self.message_user(request, _("%(n)d shown again.") % {"n": done})

    @admin.action(description=gettext_lazy("Stop (running matches end now, and no new one can start)"))
    def stop(self, request: HttpRequest, texts: QuerySet[Text]) -> None:
        n = do_stop(primary_keys(texts), user_of(request))
        self.message_user(request, ngettext("%(n)d match stopped.", "%(n)d matches stopped.", n) % {"n": n})

    @admin.action(description=gettext_lazy("Allow matches again, even after they used too much computing time"))
    def allow(self, request: HttpRequest, texts: QuerySet[Text]) -> None:
        n = do_allow(primary_keys(texts), user_of(request))
        self.message_user(request, _("%(n)d allowed again.") % {"n": n})

    @admin.action(description=gettext_lazy("Mark reports as resolved (removes them)"))
    def resolve(self, request: HttpRequest, texts: QuerySet[Text]) -> None:
        n = do_resolve_reports(primary_keys(texts), user_of(request))
        self.message_user(request, ngettext("%(n)d report removed.", "%(n)d reports removed.", n) % {"n": n})

    def remove(self, numbers: list[int]) -> None:
        do_remove_texts(numbers)


@admin.register(Report)
class ReportAdmin(ReadOnly, PersonLink, RemovedByService, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("why", "text_link", "number", "person_link", "at")
    list_select_related = ("text", "person")
    fields = readonly_fields = ("why", "text_link", "number", "person_link", "at")
    search_fields = ("why", "text__title", "text__code")

    @admin.display(description=gettext_lazy("game"), ordering="text__title")
    def text_link(self, report: Report) -> SafeString:
        return link(report.text.title, "admin:workshop_text_change", report.text_id)

    def remove(self, numbers: list[int]) -> None:
        do_remove_reports(numbers)
