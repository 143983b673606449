"""Notifications: what a browser wants, and where a person gets e-mails."""

from __future__ import annotations

from collections.abc import Callable
from datetime import time
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from cardsite.limits import spend_now
from cardsite.people.services import person_of_request
from cardsite.push import services
from cardsite.push.models import NotificationKind, Subscription
from cardsite.push.sending import send_confirmation, send_test
from cardsite.refusal import Refused


@require_POST
def device(request: HttpRequest) -> HttpResponse:
    """Change the notifications of the browser that sends its ``endpoint``, or return what they are.

    ``do``: ``on`` with ``key``, ``secret`` and ``zone``; ``wishes`` with ``kinds`` (separated by spaces),
    ``quiet_from`` and ``quiet_to`` (HH:MM, or both empty); ``test``; ``off``; ``state``. The answer is {ok, on, kinds,
    quiet_from, quiet_to}, or {ok: false, code, text}.
    """
    try:
        return JsonResponse({"ok": True, **_done(request)})
    except Refused as refusal:
        return refusal.in_json()


def _done(request: HttpRequest) -> dict[str, Any]:
    person, endpoint = person_of_request(request), request.POST.get("endpoint", "")
    if person is None:
        raise Refused("no_name", _("Choose a name first."))
    match request.POST.get("do"):
        case "on":
            spend_now("push", request, f"person {person.pk}")
            key, secret, zone = (request.POST.get(name, "") for name in ("key", "secret", "zone"))
            made = services.do_subscribe(person, endpoint, key, secret, get_language() or "", zone)
            request.session[services.SESSION_KEY] = made.pk
        case "wishes":
            quiet = [request.POST.get(name, "") for name in ("quiet_from", "quiet_to")]
            minutes = (_minutes(quiet[0]), _minutes(quiet[1])) if any(quiet) else None
            services.do_set_wishes(person, endpoint, request.POST.get("kinds", "").split(), minutes)
        case "test":
            spend_now("push", request, f"person {person.pk}")
            for one in Subscription.objects.filter(person=person, endpoint=endpoint):
                send_test(one)
        case "off":
            services.do_unsubscribe(person, endpoint)
        case "state":
            pass
        case _:
            raise Refused("bad_option", _("Choose one of the buttons."))
    found = Subscription.objects.filter(person=person, endpoint=endpoint).first()
    if found is None:
        return {"on": False}
    return {
        "on": True,
        "kinds": [kind.value for kind in NotificationKind if kind not in found.off],
        "quiet_from": _clock(found.quiet_from),
        "quiet_to": _clock(found.quiet_to),
    }


# -- e-mail


@require_POST
def mail(request: HttpRequest) -> HttpResponse:
    """Store the visitor's ``address`` and the ``kind``s wanted, or with ``do=off`` forget it; back to their page."""
    person = person_of_request(request)
    try:
        if person is None:
            raise Refused("no_name", _("Choose a name first."))
        if not settings.EMAIL_HOST:
            raise Refused("bad_option", _("This site sends no e-mails."))
        if request.POST.get("do") == "off":
            services.do_remove_address(person.pk)
            messages.success(request, _("You get no more e-mails."))
        else:
            spend_now("mail", request, f"person {person.pk}")
            address, kinds = request.POST.get("address", "").strip(), request.POST.getlist("kind")
            stored = services.do_set_address(person, address, kinds, get_language() or "")
            if stored.confirmed:
                messages.success(request, _("Saved."))
            else:
                send_confirmation(stored)
                messages.success(request, _("An e-mail is on its way to you. Follow the link in it."))
    except Refused as refusal:
        return refusal.back_to(request, "people:me")
    return redirect("people:me")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether e-mails may be sent to the address of a link; a POST stores that. Programs follow links, too."""
    words = _("Get e-mails here?"), _("Confirm"), _("You get e-mails now.")
    return _followed(request, token, words, lambda _person: services.do_confirm_address(token))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether no more e-mails are to be sent; a POST stores that. It works without logging in."""
    words = _("Get no more e-mails?"), _("No more e-mails"), _("You get no more e-mails.")
    return _followed(request, token, words, services.do_remove_address)


def _followed(
    request: HttpRequest, token: str, words: tuple[str, str, str], press: Callable[[int], None]
) -> HttpResponse:
    """Show a page with a question and a button; a POST calls ``press`` with the person and says what was done."""
    question, button, done = words
    try:
        person, address = services.read_token(token)
        if request.method == "POST":
            press(person)
            messages.success(request, done)
            return redirect("people:me")
    except Refused as refusal:
        return refusal.back_to(request, "people:me")
    return render(request, "people/mail.html", {"question": question, "button": button, "address": address})


def _minutes(raw: str) -> int:
    """Return the minutes after midnight of "22:30". Raises Refused."""
    try:
        at = time.fromisoformat(raw)
    except ValueError as error:
        raise Refused("range", _("Choose two times of day.")) from error
    return at.hour * 60 + at.minute


def _clock(minutes: int | None) -> str:
    return "" if minutes is None else f"{minutes // 60:02}:{minutes % 60:02}"
