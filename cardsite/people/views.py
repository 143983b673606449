"""A person's name and token; registering and logging in. The page of a person is in ``front``."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from django.contrib import messages
from django.contrib.auth import login, views
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from cardsite.limits import spend_now
from cardsite.people.forms import TAKEN, LoginForm, RegisterForm
from cardsite.people.services import (
    BadName,
    clean_name,
    do_arrive,
    do_make_token,
    do_prefer,
    do_register,
    do_set_vacation,
    person_of_request,
)
from cardsite.refusal import Refused


@require_POST
def rename(request: HttpRequest) -> HttpResponse:
    """Change the visitor's name."""
    try:
        do_arrive(request, clean_name(request.POST.get("name", "")))
        messages.success(request, _("Your name has been changed."))
    except (BadName, Refused) as bad:
        messages.error(request, str(bad))
    return redirect("people:me")


@require_POST
def vacation(request: HttpRequest) -> HttpResponse:
    """Begin a vacation, up to and including the day ``until`` (2026-12-24); end it without one."""
    person, raw = person_of_request(request), request.POST.get("until", "")
    try:
        until = _end_of(raw) if raw else None
        if person:
            do_set_vacation(person, until)
    except Refused as refusal:
        messages.error(request, refusal.text)
    except (ValueError, OverflowError):  # not a date, or the last one that Python knows
        messages.error(request, _("Choose a date."))
    return redirect("people:me")


@require_POST
def preference(request: HttpRequest) -> JsonResponse:
    """Remember a setting of tables for the visitor: its ``name`` and ``value``. Visitors without a name have none."""
    person = person_of_request(request)
    try:
        if person:
            do_prefer(person, request.POST.get("name", ""), request.POST.get("value", ""))
    except Refused as refusal:
        return JsonResponse({"ok": False, "code": refusal.code, "text": refusal.text}, status=400)
    return JsonResponse({"ok": True})


def _end_of(day: str) -> datetime:
    """Return when a day of the site's time zone ends. Raises ValueError, OverflowError."""
    return timezone.make_aware(datetime.combine(date.fromisoformat(day) + timedelta(days=1), time.min))


@require_POST
def token(request: HttpRequest) -> HttpResponse:
    """Create a new token for the visitor's programs; it is shown once, on the next page."""
    person = person_of_request(request)
    if person is None:
        messages.error(request, _("Choose a name first."))
    else:
        try:
            spend_now("renew", request, f"person {person.pk}")
            request.session["new_token"] = do_make_token(person)
        except Refused as refusal:
            messages.error(request, refusal.text)
    return redirect("people:me")


@never_cache
def register(request: HttpRequest) -> HttpResponse:
    """Register; a guest keeps name, seat and history."""
    form = RegisterForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            person = do_arrive(request)
            if person.registered:
                return redirect("people:me")
            user = do_register(person, form.cleaned_data["username"], form.cleaned_data["password1"])
            login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            return redirect("people:me")
        except IntegrityError:  # two at once
            form.add_error("username", TAKEN)
        except (BadName, Refused) as refusal:
            form.add_error(None, str(refusal))
    return render(request, "people/register.html", {"form": form}, status=400 if form.errors else 200)


class LoginView(views.LoginView):
    """Log in; a guest's matches are merged into the account (``services.do_adopt``)."""

    authentication_form = LoginForm
    template_name = "people/login.html"
    redirect_authenticated_user = True
