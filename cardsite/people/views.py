"""A person's name and token; registering and logging in. The page of a person is in ``front``."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from django.contrib import messages
from django.contrib.auth import login, views
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from cardsite.limits import spend_now
from cardsite.people.forms import TAKEN, LoginForm, RegisterForm
from cardsite.people.models import Person
from cardsite.people.services import (
    MOST_MUTES,
    BadName,
    clean_name,
    do_arrive,
    do_make_token,
    do_mute,
    do_prefer,
    do_register,
    do_set_vacation,
    do_unmute,
    person_of_request,
)
from cardsite.refusal import Refused
from cardsite.request_data import KEY_DIGITS, whole


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


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def mute(request: HttpRequest) -> HttpResponse:
    """Mute the people with the numbers ``mute`` for the visitor, or no longer the one with the number ``unmute``.

    A GET asks first. The answer to a script is JSON, to a form a redirect to the page ``next`` of this site.
    """
    person, to = person_of_request(request), _next(request)
    if request.method != "POST":
        other = Person.objects.filter(pk=_number(request.GET.get("mute", "")) or 0).first()
        if person is None or other is None or other == person:
            return redirect(to)
        return render(request, "people/mute.html", {"other": other, "next": to})
    try:
        words = _muted(person, request) if person else ""
    except Refused as refusal:
        return refusal.in_json() if _is_script(request) else refusal.back_to(request, to)
    if _is_script(request):
        return JsonResponse({"ok": True})
    if words:
        messages.success(request, words)
    return redirect(to)


def _muted(person: Person, request: HttpRequest) -> str:
    """Mute people, or one no longer, as the form says. Return what to say about it. Raises Refused."""
    if (number := _number(request.POST.get("unmute", ""))) is not None:
        do_unmute(person, number)
        return _("You can read their messages again, and they can invite you.")
    numbers = [_number(raw) for raw in request.POST.get("mute", "").split()[:MOST_MUTES]]
    names = do_mute(person, [number for number in numbers if number is not None])
    return _("You have muted %(name)s. Your page lists whom you have muted.") % {"name": ", ".join(names)}


def _next(request: HttpRequest) -> str:
    """Return the address on this site that a form names as ``next``, or that of the visitor's page."""
    to = (request.POST or request.GET).get("next", "")
    here = to.startswith("/") and url_has_allowed_host_and_scheme(to, allowed_hosts=None)
    return to if here else reverse("people:me")


def _is_script(request: HttpRequest) -> bool:
    return not request.accepts("text/html")


def _number(raw: str) -> int | None:
    return whole(raw, digits=KEY_DIGITS)


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
