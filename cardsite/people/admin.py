"""People, for administrators."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from cardsite.people.models import Person
from cardsite.people.services import do_block, do_change_person, do_remove_people

# A second factor is its owner's business: nobody else sees its key, or puts another in its place (``backroom.py``).
admin.site.unregister([TOTPDevice, StaticDevice])


@admin.register(Person)
class PersonAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "is_registered", "matches", "blocked", "created", "page")
    list_filter = ("blocked", ("user", admin.EmptyFieldListFilter), "created")
    search_fields = ("name", "user__username")
    readonly_fields = ("user", "created", "page")
    fields = ("name", "blocked", "user", "created", "page")
    actions = ("block", "unblock")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Person]:
        people: QuerySet[Person] = super().get_queryset(request)
        return people.select_related("user").annotate(match_count=Count("played"))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # people arrive by themselves

    @admin.display(boolean=True, description="registered")
    def is_registered(self, person: Person) -> bool:
        return person.registered

    @admin.display(ordering="match_count")
    def matches(self, person: Person) -> int:
        return person.match_count  # type: ignore[attr-defined, no-any-return]

    @admin.display(description="public page")
    def page(self, person: Person) -> str:
        return format_html('<a href="{}">see</a>', reverse("people:player", args=[person.pk]))

    @admin.action(description="Block: may not sit down or talk")
    def block(self, request: HttpRequest, people: QuerySet[Person]) -> None:
        self.message_user(request, f"{do_block(_numbers(people), True)} blocked.")

    @admin.action(description="Unblock")
    def unblock(self, request: HttpRequest, people: QuerySet[Person]) -> None:
        self.message_user(request, f"{do_block(_numbers(people), False)} unblocked.")

    def save_model(self, request: HttpRequest, obj: Person, form: Any, change: bool) -> None:
        do_change_person(obj, form.changed_data)

    def delete_model(self, request: HttpRequest, obj: Person) -> None:
        do_remove_people([obj.pk])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Person]) -> None:
        do_remove_people(_numbers(queryset))


def _numbers(people: QuerySet[Person]) -> list[int]:
    return list(people.values_list("pk", flat=True))
