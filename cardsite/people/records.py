"""Helpers of the administrators' pages of all apps: translated names, read-only rows, and links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from cardsite.people.models import Person

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def set_verbose_names(model: type[Model], one: StrOrPromise, many: StrOrPromise, **fields: StrOrPromise) -> None:
    """Set the names of a model and its fields on administrators' pages.

    They are not set in the models, where each change would be a migration.
    """
    model._meta.verbose_name, model._meta.verbose_name_plural = one, many
    for name, words in fields.items():
        model._meta.get_field(name).verbose_name = words  # type: ignore[union-attr]


class ReadOnly:
    """Rows that administrators may look at and remove: for pages, and for rows on the page of another object."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class RemovedByService:
    """A mixin for Django's ModelAdmin: rows are removed by a service, because only services write."""

    def remove(self, numbers: list[int]) -> None:
        """Remove the rows with these primary keys."""
        raise NotImplementedError

    def delete_model(self, request: HttpRequest, obj: Model) -> None:
        self.remove([obj.pk])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        self.remove(primary_keys(queryset))


class PersonLink:
    """A mixin for Django's ModelAdmin: a column that links to the ``person`` of a row."""

    @admin.display(description=gettext_lazy("person"), ordering="person__name")
    def person_link(self, row: Any) -> SafeString | str:
        return link_to(row.person)


class RecordInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    """Read-only rows on the page of the object that they belong to."""

    extra = 0
    can_delete = False
    list_select_related: ClassVar[tuple[str, ...]] = ()  # Django knows it for pages only

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)
        return rows.select_related(*self.list_select_related) if self.list_select_related else rows


def primary_keys(rows: QuerySet[Any]) -> list[int]:
    """Return the primary keys of rows, for services."""
    return list(rows.values_list("pk", flat=True))


def link(words: object, page: str, *arguments: object, **query: str | int) -> SafeString:
    """Return a link to a page of the site or of the administrators' site."""
    address = reverse(page, args=arguments)
    return format_html('<a href="{}">{}</a>', f"{address}?{urlencode(query)}" if query else address, words)


def link_to(person: Person | None) -> SafeString | str:
    """Return a link to a person's page for administrators, "" for None."""
    return link(person.name, "admin:people_person_change", person.pk) if person else ""


def seat_number(seat: int | None) -> str:
    """Return a seat number as shown to people, from 1; "" for None. In the code seats start at 0, a spectator is -1."""
    return "" if seat is None or seat < 0 else str(seat + 1)
