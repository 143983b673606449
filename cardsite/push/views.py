"""The one address by which a browser switches its notifications on and off and says which it wants."""

from __future__ import annotations

from datetime import time
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from cardsite.limits import spend_now
from cardsite.people.services import person_of_request
from cardsite.push import services
from cardsite.push.models import Kind, Subscription
from cardsite.push.sending import send_test
from cardsite.refusal import Refused


@require_POST
def device(request: HttpRequest) -> HttpResponse:
    """Change the notifications of the browser that sends its ``endpoint``, or tell what they are.

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
        "kinds": [kind.value for kind in Kind if kind not in found.off],
        "quiet_from": _clock(found.quiet_from),
        "quiet_to": _clock(found.quiet_to),
    }


def _minutes(raw: str) -> int:
    """Return the minutes after midnight of "22:30". Raises Refused."""
    try:
        at = time.fromisoformat(raw)
    except ValueError as error:
        raise Refused("range", _("Choose two times of day.")) from error
    return at.hour * 60 + at.minute


def _clock(minutes: int | None) -> str:
    return "" if minutes is None else f"{minutes // 60:02}:{minutes % 60:02}"
