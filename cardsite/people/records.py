"""What the administrators' pages of all apps share: names in the reader's language, rows that are read, and links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString

from cardsite.people.models import Person

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def call(model: type[Model], one: StrOrPromise, many: StrOrPromise, **fields: StrOrPromise) -> None:
    """Say what a model and its fields are called on administrators' pages.

    That is said there and not in the models, where each word would be a migration.
    """
    model._meta.verbose_name, model._meta.verbose_name_plural = one, many
    for name, words in fields.items():
        model._meta.get_field(name).verbose_name = words  # type: ignore[union-attr]


class RecordInline(admin.TabularInline):  # type: ignore[type-arg]
    """Rows under the thing that they belong to; nobody adds, changes or removes one there."""

    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def numbers(rows: QuerySet[Any]) -> list[int]:
    """Return the numbers of rows, as services take them."""
    return list(rows.values_list("pk", flat=True))


def link(words: object, page: str, *arguments: object, **query: str | int) -> SafeString:
    """Return a link to a page of the site, those of administrators among them."""
    address = reverse(page, args=arguments)
    return format_html('<a href="{}">{}</a>', f"{address}?{urlencode(query)}" if query else address, words)


def link_to(person: Person | None) -> SafeString | str:
    """Return a link to what administrators see of a person, "" for nobody."""
    return link(person.name, "admin:people_person_change", person.pk) if person else ""


def seat_number(seat: int | None) -> str:
    """Return a seat as people count them, from 1; "" for none. The house counts from 0, and a watcher is -1."""
    return "" if seat is None or seat < 0 else str(seat + 1)
