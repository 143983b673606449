"""The administrators' log: who changed what, from which value to which.

An entry names a person only if it is about a change of that person, and a person who leaves the site is renamed in it.
A seat is logged by its number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.forms import Form, ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext as _

MAX_LENGTH = 100  # characters of a value


def user_of(request: HttpRequest) -> User:
    """Return the administrator of a request. Raises PermissionDenied if there is none."""
    if not isinstance(request.user, User):  # cannot happen: ``admin_view`` has checked it
        raise PermissionDenied
    return request.user


def log_change(user: User, changed: Model | QuerySet[Any], lines: Sequence[str]) -> None:
    """Add a log entry about a change, for each object of a query set; each line says what was changed."""
    message = [{"changed": {"fields": list(lines)}}]
    objects = [changed] if isinstance(changed, Model) else list(changed)
    LogEntry.objects.log_actions(user.pk, objects, CHANGE, change_message=message)


def change_line(label: object, old: object, new: object) -> str:
    """Return the line of the log about a changed field: its label, and its value before and after."""
    return _("%(field)s: %(old)s → %(new)s") % {"field": label, "old": _shown(old), "new": _shown(new)}


class AuditedAdmin:
    """A mixin for Django's ModelAdmin: the log says from which value to which a field was changed."""

    # By field: what the log shows for a value. None: the log says only that the field was changed.
    logged_as: ClassVar[Mapping[str, Callable[[Any], object] | None]] = {}

    def construct_change_message(self, request: Any, form: Any, formsets: Any, add: bool = False) -> Any:
        """Return the log's message about a saved form, as Django stores it."""
        if add or not form.changed_data:
            return super().construct_change_message(request, form, formsets, add)  # type: ignore[misc]
        return [{"changed": {"fields": [self._line(form, name) for name in form.changed_data]}}]

    def _line(self, form: Form | ModelForm[Any], name: str) -> str:
        """Return the line of the log about a changed field."""
        field, label = form.fields[name], str(form[name].label)
        values = form.get_initial_for_field(field, name), form.cleaned_data.get(name)
        labels = {str(value): words for value, words in getattr(field, "choices", ())}
        shown = self.logged_as.get(name, lambda value: labels.get(str(value), value))
        return change_line(label, *map(shown, values)) if shown else label


def _shown(value: object) -> str:
    """Return a value as the log shows it, cut to ``MAX_LENGTH``."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    text = _("none") if value is None or value == "" else str(value)
    return text if len(text) <= MAX_LENGTH else f"{text[:MAX_LENGTH]}…"
