"""The checklist for a new site, on the back room's page "Now": it is shown until nothing of it is left."""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from cardsite.people.audit import user_of
from cardsite.people.models import SetupStep
from cardsite.people.services import do_mark_step
from cardsite.table.services.chores import backed_up


class ChecklistStep(NamedTuple):
    """A step of the checklist. ``page``, ``action``: where to do it, and the words of that link; "" if nowhere here.

    ``mark``: the words of the button that marks it; "" if only doing it counts.
    """

    name: str
    title: str
    words: str
    done: bool
    page: str = ""
    action: str = ""
    mark: str = ""


def steps(user: User) -> list[ChecklistStep]:
    """Return the steps of the checklist, for an administrator who reads it; none if all are done."""
    marked = set(SetupStep.objects.values_list("name", flat=True))
    found = [
        ChecklistStep(
            "password",
            _("Choose a password of your own"),
            _("The first one was shown once, where the site was set up."),
            "password" in marked,
            reverse("admin:password_change"),
            _("Change the password"),
            _("Done"),
        ),
        ChecklistStep(
            "second-factor",
            _("Switch on a second factor"),
            _("With it, nobody gets in here with your password alone."),
            user.totpdevice_set.filter(confirmed=True).exists() or "second-factor" in marked,  # type: ignore[attr-defined]
            reverse("admin:second_factor"),
            _("Switch it on"),
            _("Not needed here"),
        ),
        ChecklistStep(
            "address",
            _("Give the site an address"),
            _(
                "Now only this machine can open it. For friends in your network, start it with “make play LAN=1”. For "
                "everybody, docs/deployment.md describes what to do."
            ),
            not settings.LOCAL or bool(settings.LAN_ADDRESS) or "address" in marked,
            mark=_("Not needed here"),
        ),
        ChecklistStep(
            "push",
            _("Name a contact for notifications"),
            _(
                "Set PUSH_CONTACT to an address of yours. The services that deliver notifications to devices write "
                "there if something is wrong, and some refuse a site without one."
            ),
            settings.LOCAL or not settings.PUSH_CONTACT.endswith("@localhost") or "push" in marked,
            mark=_("Not needed here"),
        ),
        ChecklistStep(
            "mail",
            _("Name a mail server"),
            _(
                "Set EMAIL_HOST and the other variables that docs/deployment.md lists with it. People with an account "
                "who get notifications on no device then get e-mails. “manage.py doctor” checks the server."
            ),
            settings.LOCAL or bool(settings.EMAIL_HOST) or "mail" in marked,
            mark=_("Not needed here"),
        ),
        ChecklistStep(
            "backup",
            _("Make backups"),
            _("Have “manage.py backup FILE” run every day, and keep the files on another machine."),
            backed_up() is not None or "backup" in marked,
            mark=_("Not needed here"),
        ),
    ]
    return [] if all(step.done for step in found) else found


@require_POST
def mark(request: HttpRequest, name: str) -> HttpResponse:
    """Mark a step as done or not needed."""
    if name not in {step.name for step in steps(user_of(request))}:
        raise Http404("There is no such step.")
    do_mark_step(name)
    messages.success(request, _("Marked."))
    return redirect("backroom:floor")
