"""People, for administrators."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from cardsite.people.audit import AuditedAdmin, change_line, log_change, user_of
from cardsite.people.models import Person, Restriction
from cardsite.people.records import RecordInline, RemovedByService, link, set_verbose_names
from cardsite.people.restrictions import active_restrictions
from cardsite.people.services import do_change_person, do_lift, do_remove_people

# Only its owner sees or changes a second factor (``admin_site.py``).
admin.site.unregister([TOTPDevice, StaticDevice])


set_verbose_names(
    Person,
    gettext_lazy("person"),
    gettext_lazy("people"),
    name=gettext_lazy("name"),
    user=gettext_lazy("account"),
    created=gettext_lazy("joined"),
)
set_verbose_names(
    Restriction,
    gettext_lazy("block or mute"),
    gettext_lazy("blocks and mutes"),
    kind=gettext_lazy("kind"),
    reason=gettext_lazy("reason"),
    made=gettext_lazy("since"),
    until=gettext_lazy("until"),
    lifted=gettext_lazy("lifted"),
    by=gettext_lazy("by"),
)


class RestrictionInline(RecordInline):
    model = Restriction
    fields = readonly_fields = ("kind", "reason", "made", "until", "lifted", "by")


class RestrictedFilter(admin.SimpleListFilter):
    title = gettext_lazy("blocked or muted")
    parameter_name = "restricted"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", _("now"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Person]) -> QuerySet[Person]:
        return queryset.filter(restrictions__in=active_restrictions()).distinct() if self.value() else queryset


@admin.register(Person)
class PersonAdmin(AuditedAdmin, RemovedByService, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "is_registered", "matches", "restricted", "created", "page")
    list_filter = (RestrictedFilter, ("user", admin.EmptyFieldListFilter), "created")
    search_fields = ("name", "user__username")
    readonly_fields = ("user", "created", "page", "matches", "tables")
    fields = ("name", "user", "created", "page", "matches", "tables")
    inlines = (RestrictionInline,)
    actions = ("lift",)  # to block, with a reason and an end, there is the back room
    logged_as = {"name": None}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Person]:
        people: QuerySet[Person] = super().get_queryset(request)
        return people.select_related("user").annotate(
            match_count=Count("played", distinct=True),
            restricted=Exists(active_restrictions().filter(person=OuterRef("pk"))),
        )

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

    @admin.display(boolean=True, description=gettext_lazy("blocked or muted"), ordering="restricted")
    def restricted(self, person: Person) -> bool:
        return bool(person.restricted)  # type: ignore[attr-defined]

    @admin.action(description=gettext_lazy("Lift all blocks and mutes"))
    def lift(self, request: HttpRequest, people: QuerySet[Person]) -> None:
        lifted = list(active_restrictions().filter(person__in=people).select_related("person"))
        for restriction in lifted:
            do_lift(restriction)
            log_change(user_of(request), restriction.person, [change_line(_("restriction"), restriction, None)])
        self.message_user(request, _("%(n)d lifted.") % {"n": len(lifted)})

    def save_model(self, request: HttpRequest, obj: Person, form: Any, change: bool) -> None:
        do_change_person(obj, form.changed_data)

    def remove(self, numbers: list[int]) -> None:
        do_remove_people(numbers)
