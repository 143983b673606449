"""Circles on the administrators' site: who is in them, what they write, and close them. Only members change them."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from cardsite.circles.models import Circle, CircleMessage, Evening, Member
from cardsite.circles.services import do_remove_circles, do_remove_messages
from cardsite.people.records import PersonLink, ReadOnly, RecordInline, RemovedByService, set_verbose_names

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
set_verbose_names(
    CircleMessage,
    gettext_lazy("message in a circle"),
    gettext_lazy("messages in circles"),
    text=gettext_lazy("text"),
    circle=gettext_lazy("circle"),
    person=gettext_lazy("person"),
    at=gettext_lazy("time"),
)


class MemberInline(RecordInline):
    model = Member
    fields = readonly_fields = ("person", "role", "joined")
    list_select_related = ("person", "circle")


class EveningInline(RecordInline):
    model = Evening
    fields = readonly_fields = ("table", "started")
    list_select_related = ("table", "circle")


@admin.register(Circle)
class CircleAdmin(ReadOnly, RemovedByService, admin.ModelAdmin):  # type: ignore[type-arg]
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

    def remove(self, numbers: list[int]) -> None:
        do_remove_circles(numbers)


@admin.register(CircleMessage)
class CircleMessageAdmin(ReadOnly, PersonLink, RemovedByService, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("text", "circle", "person_link", "at")
    list_filter = ("at",)
    search_fields = ("text", "person__name", "circle__name")
    fields = readonly_fields = ("text", "circle", "person_link", "at")
    list_select_related = ("circle", "person")

    def remove(self, numbers: list[int]) -> None:
        do_remove_messages(numbers)
