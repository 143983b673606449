"""The administrators' log: who changed what, from which value to which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.db.models import Model
from django.forms import Form, ModelForm
from django.utils.translation import gettext as _

LONGEST = 100  # characters of a value


def log_change(user: User, changed: Model, lines: Sequence[str]) -> None:
    """Add a log entry about a change; each line says what was changed."""
    message = [{"changed": {"fields": list(lines)}}]
    LogEntry.objects.log_actions(user.pk, [changed], CHANGE, change_message=message, single_object=True)


def log_fields(label: object, old: object, new: object) -> str:
    """Return a line of the log about a field: its label, and its value before and after."""
    return _("%(field)s: %(old)s → %(new)s") % {"field": label, "old": _shown(old), "new": _shown(new)}


def changes(form: Form | ModelForm[Any]) -> list[str]:
    """Return a line for each field that a form changes."""
    found = []
    for name in form.changed_data:
        field = form.fields[name]
        choices = {str(key): words for key, words in getattr(field, "choices", ())}
        old, new = form.get_initial_for_field(field, name), form.cleaned_data.get(name)
        old, new = (choices.get(str(value), value) if choices else value for value in (old, new))
        found.append(log_fields(form[name].label, old, new))
    return found


class AuditedAdmin:
    """A mixin for Django's ModelAdmin: the log says from which value to which a field was changed."""

    def construct_change_message(self, request: Any, form: Any, formsets: Any, add: bool = False) -> Any:
        """Return what the log says about a form."""
        if add or not form.changed_data:
            return super().construct_change_message(request, form, formsets, add)  # type: ignore[misc]
        return [{"changed": {"fields": changes(form)}}]


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    text = _("none") if value is None or value == "" else str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
