"""People, for administrators."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from cardsite.people.audit import AuditedAdmin, log_change, log_fields, user_of
from cardsite.people.models import Person
from cardsite.people.records import link, primary_keys, set_verbose_names
from cardsite.people.services import do_block, do_change_person, do_remove_people

# Only its owner sees or changes a second factor (``admin_site.py``).
admin.site.unregister([TOTPDevice, StaticDevice])


set_verbose_names(
    Person,
    gettext_lazy("person"),
    gettext_lazy("people"),
    name=gettext_lazy("name"),
    user=gettext_lazy("account"),
    blocked=gettext_lazy("blocked"),
    created=gettext_lazy("joined"),
)


@admin.register(Person)
class PersonAdmin(AuditedAdmin, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "is_registered", "matches", "blocked", "created", "page")
    list_filter = ("blocked", ("user", admin.EmptyFieldListFilter), "created")
    search_fields = ("name", "user__username")
    readonly_fields = ("user", "created", "page", "matches", "tables")
    fields = ("name", "blocked", "user", "created", "page", "matches", "tables")
    actions = ("block", "unblock")
    logged_as = {"name": None}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Person]:
        people: QuerySet[Person] = super().get_queryset(request)
        return people.select_related("user").annotate(match_count=Count("played"))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # people are created by their first visit

    @admin.display(boolean=True, description=gettext_lazy("registered"))
    def is_registered(self, person: Person) -> bool:
        return person.registered

    @admin.display(description=gettext_lazy("matches"), ordering="match_count")
    def matches(self, person: Person) -> SafeString:
        count: int = person.match_count  # type: ignore[attr-defined]
        return link(count, "admin:table_match_changelist", players__person__id__exact=person.pk, house="all")

    @admin.display(description=gettext_lazy("hosted tables"))
    def tables(self, person: Person) -> SafeString:
        return link(_("view"), "admin:lobby_table_changelist", host__id__exact=person.pk)

    @admin.display(description=gettext_lazy("public page"))
    def page(self, person: Person) -> SafeString:
        return link(_("view"), "people:player", person.pk)

    @admin.action(description=gettext_lazy("Block (cannot sit down or chat)"))
    def block(self, request: HttpRequest, people: QuerySet[Person]) -> None:
        n = self._block(request, people, True)
        self.message_user(request, _("%(n)d blocked.") % {"n": n})

    @admin.action(description=gettext_lazy("Unblock"))
    def unblock(self, request: HttpRequest, people: QuerySet[Person]) -> None:
        n = self._block(request, people, False)
        self.message_user(request, _("%(n)d unblocked.") % {"n": n})

    def _block(self, request: HttpRequest, people: QuerySet[Person], blocked: bool) -> int:
        """Block or unblock people, and log it for each whom it changes. Return how many were chosen."""
        changed = list(people.exclude(blocked=blocked))
        chosen = do_block(primary_keys(people), blocked)
        for person in changed:
            log_change(user_of(request), person, [log_fields(_("blocked"), not blocked, blocked)])
        return chosen

    def save_model(self, request: HttpRequest, obj: Person, form: Any, change: bool) -> None:
        do_change_person(obj, form.changed_data)

    def delete_model(self, request: HttpRequest, obj: Person) -> None:
        do_remove_people([obj.pk])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Person]) -> None:
        do_remove_people(primary_keys(queryset))
