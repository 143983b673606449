"""Everything that writes push subscriptions. Only the ``do_...`` functions write."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from urllib.parse import urlsplit
from zoneinfo import available_timezones

from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.contrib.auth.signals import user_logged_out
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.translation import gettext as _

from cardsite.people.models import Person
from cardsite.people.restrictions import require_may_play
from cardsite.push.models import DAY, ENDPOINT_LENGTH, Kind, Subscription
from cardsite.refusal import Refused

MOST = 10  # subscriptions of one person; an eleventh replaces the oldest
POINT, SECRET = 65, 16  # bytes: an uncompressed point of P-256, and the authentication secret (RFC 8291)
SESSION_KEY = "push"  # in the session of the browser: its subscription


@transaction.atomic
def do_subscribe(person: Person, endpoint: str, key: str, secret: str, language: str, zone: str) -> Subscription:
    """Store the subscription of a browser that this person uses now. Raises Refused.

    ``key`` and ``secret``: base64url, as browsers give them; ``zone``: an IANA time zone.
    """
    require_may_play(person)
    _require_service(endpoint)
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes(key, POINT))
        _bytes(secret, SECRET)
    except ValueError as error:
        raise Refused("bad_option", f"The keys of the push subscription are not valid: {error}") from error
    values = {"person": person, "key": key, "secret": secret, "language": language, "zone": _zone(zone)}
    kept, _made = Subscription.objects.update_or_create(endpoint=endpoint, defaults=values)
    older = Subscription.objects.filter(person=person).exclude(pk=kept.pk).order_by("-pk")
    Subscription.objects.filter(pk__in=list(older.values_list("pk", flat=True)[MOST - 1 :])).delete()
    return kept


def do_set_wishes(person: Person, endpoint: str, wanted: Iterable[str], quiet: tuple[int, int] | None) -> None:
    """Store which kinds a subscription of the person gets, and between which minutes of the day none.

    Raises Refused.
    """
    if quiet and not all(0 <= minute < DAY for minute in quiet):
        raise Refused("range", _("Choose two times of day."))
    off = [kind.value for kind in Kind if kind not in set(wanted)]
    start, end = quiet or (None, None)
    mine = Subscription.objects.filter(person=person, endpoint=endpoint)
    if not mine.update(off=off, quiet_from=start, quiet_to=end):
        raise Refused("stale", _("This device gets no notifications. Switch them on first."))


def do_unsubscribe(person: Person, endpoint: str) -> None:
    """Remove a subscription of the person, if there is one."""
    Subscription.objects.filter(person=person, endpoint=endpoint).delete()


def do_remove_dead(endpoint: str) -> None:
    """Remove a subscription that its push service no longer knows."""
    Subscription.objects.filter(endpoint=endpoint).delete()


@receiver(user_logged_out)
def do_forget_device(sender: object, request: HttpRequest, **_: object) -> None:
    """Remove the subscription of a browser whose person logs out: somebody else may use it next."""
    if number := request.session.get(SESSION_KEY):
        Subscription.objects.filter(pk=number).delete()


def _require_service(endpoint: str) -> None:
    """Raise Refused unless an address is one of a known push service: this server sends requests to it."""
    try:
        scheme, place = urlsplit(endpoint)[:2]
    except ValueError:
        scheme = place = ""
    known = any(place == one or (one.startswith(".") and place.endswith(one)) for one in settings.PUSH_SERVICES)
    # ``place`` is compared whole: it may hold a user name and a port, too.
    if scheme != settings.PUSH_SCHEME or not known or len(endpoint) > ENDPOINT_LENGTH:
        raise Refused("bad_option", _("This browser's push service is not known here, so it cannot be used."))


def _zone(name: str) -> str:
    return name if name in available_timezones() else "UTC"


def _bytes(text: str, length: int) -> bytes:
    """Return the bytes that are written in base64url. Raises ValueError if they are not so many."""
    raw = from_base64url(text)
    if len(raw) != length:
        raise ValueError(f"{len(raw)} bytes instead of {length}")
    return raw


def from_base64url(text: str) -> bytes:
    """Return the bytes that are written in base64url without padding. Raises ValueError."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
