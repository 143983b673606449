"""Circles on the administrators' site: who is in them, and close them. Only members change them."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from cardsite.circles.models import Circle, Evening, Member
from cardsite.circles.services import do_remove_circles
from cardsite.people.records import ReadOnly, RecordInline, primary_keys, set_verbose_names

set_verbose_names(
    Circle,
    gettext_lazy("circle"),
    gettext_lazy("circles"),
    name=gettext_lazy("name"),
    created=gettext_lazy("created"),
)
set_verbose_names(
    Member,
    gettext_lazy("member"),
    gettext_lazy("members"),
    person=gettext_lazy("person"),
    role=gettext_lazy("role"),
    joined=gettext_lazy("joined"),
)
set_verbose_names(
    Evening,
    gettext_lazy("evening"),
    gettext_lazy("evenings"),
    table=gettext_lazy("table"),
    started=gettext_lazy("started"),
)


class MemberInline(RecordInline):
    model = Member
    fields = readonly_fields = ("person", "role", "joined")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Member]:
        members: QuerySet[Member] = super().get_queryset(request)
        return members.select_related("person", "circle")


class EveningInline(RecordInline):
    model = Evening
    fields = readonly_fields = ("table", "started")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Evening]:
        evenings: QuerySet[Evening] = super().get_queryset(request)
        return evenings.select_related("table", "circle")


@admin.register(Circle)
class CircleAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "count", "created")
    list_filter = ("created",)
    search_fields = ("name", "members__person__name")
    fields = readonly_fields = ("name", "created")
    inlines = (MemberInline, EveningInline)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Circle]:
        circles: QuerySet[Circle] = super().get_queryset(request)
        return circles.annotate(member_count=Count("members"))

    @admin.display(description=gettext_lazy("members"), ordering="member_count")
    def count(self, circle: Circle) -> int:
        return circle.member_count  # type: ignore[attr-defined, no-any-return]

    def delete_model(self, request: HttpRequest, obj: Circle) -> None:
        do_remove_circles([obj.pk])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Circle]) -> None:
        do_remove_circles(primary_keys(queryset))
