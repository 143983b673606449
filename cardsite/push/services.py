"""Everything that writes push subscriptions. Only the ``do_...`` functions write."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from datetime import timedelta
from urllib.parse import urlsplit
from zoneinfo import available_timezones

from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.contrib.auth.signals import user_logged_out
from django.core import signing
from django.core.exceptions import ValidationError
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from cardsite.events import GuestAdopted, within_transaction
from cardsite.people.models import Person
from cardsite.people.restrictions import require_may_play
from cardsite.push.models import ENDPOINT_LENGTH, MINUTES_A_DAY, MailAddress, NotificationKind, Subscription
from cardsite.refusal import Refused

MOST = 10  # subscriptions of one person; an eleventh replaces the oldest
POINT, SECRET = 65, 16  # bytes: an uncompressed point of P-256, and the authentication secret (RFC 8291)
SALT = "push.mail"  # of the tokens in e-mails
CONFIRMED_WITHIN = timedelta(days=1)
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
        raise Refused("bad_option", _("The keys of the push subscription are not valid.")) from error
    values = {"person": person, "key": key, "secret": secret, "language": language, "zone": known_zone(zone)}
    kept, _made = Subscription.objects.update_or_create(endpoint=endpoint, defaults=values)
    older = Subscription.objects.filter(person=person).exclude(pk=kept.pk).order_by("-pk")
    Subscription.objects.filter(pk__in=list(older.values_list("pk", flat=True)[MOST - 1 :])).delete()
    return kept


def do_set_wishes(person: Person, endpoint: str, wanted: Iterable[str], quiet: tuple[int, int] | None) -> None:
    """Store which kinds a subscription of the person gets, and between which minutes of the day none.

    Raises Refused.
    """
    if quiet and not all(0 <= minute < MINUTES_A_DAY for minute in quiet):
        raise Refused("range", _("Choose two times of day."))
    start, end = quiet or (None, None)
    mine = Subscription.objects.filter(person=person, endpoint=endpoint)
    if not mine.update(off=_others(wanted), quiet_from=start, quiet_to=end):
        raise Refused("stale", _("This device gets no notifications. Switch them on first."))


def do_unsubscribe(person: Person, endpoint: str) -> None:
    """Remove a subscription of the person, if there is one."""
    Subscription.objects.filter(person=person, endpoint=endpoint).delete()


def do_set_address(person: Person, address: str, wanted: Iterable[str], language: str) -> MailAddress:
    """Store where a person with an account gets e-mails, and of which kinds. A new address is not confirmed.

    Raises Refused.
    """
    require_may_play(person)
    if not person.registered:
        raise Refused("bad_option", _("E-mails need an account. Register first."))
    try:
        MailAddress._meta.get_field("address").clean(address, None)
    except ValidationError:
        raise Refused("bad_option", _("That is not an e-mail address.")) from None
    before = MailAddress.objects.filter(person=person, address=address, confirmed=True).exists()
    values = {"address": address, "off": _others(wanted), "language": language, "confirmed": before}
    return MailAddress.objects.update_or_create(person=person, defaults=values)[0]


def do_confirm_address(token: str) -> None:
    """Store that the link with this token, which was sent to an address, was followed. Raises Refused."""
    person, address = read_token(token, CONFIRMED_WITHIN)
    if not MailAddress.objects.filter(person=person, address=address).update(confirmed=True):
        raise old_link()


def do_remove_address(person: int) -> None:
    """Send a person no e-mails any longer, and forget the address."""
    MailAddress.objects.filter(person=person).delete()


def token_of(address: MailAddress) -> str:
    """Return the token of the links in e-mails to an address."""
    return signing.dumps([address.person_id, address.address], salt=SALT)


def read_token(token: str, within: timedelta | None = None) -> tuple[int, str]:
    """Return the person and the address of a token. Raises Refused if it is not one, or older than ``within``."""
    try:
        person, address = signing.loads(token, salt=SALT, max_age=within)
    except signing.BadSignature:
        raise old_link() from None
    return person, address


def old_link() -> Refused:
    """Return the refusal of a link that no longer works."""
    return Refused("stale", _("This link no longer works. Enter the address on your page again."))


@receiver(within_transaction, sender=GuestAdopted)
def do_keep_own_address(sender: object, event: GuestAdopted, **_: object) -> None:
    """Keep the address of a person, not that of a guest who turns out to be them."""
    guest, person = event
    if MailAddress.objects.filter(person=person).exists():
        do_remove_address(guest)


@transaction.atomic
def do_hold(subscription: int, path: str) -> None:
    """Store that a device was not notified of a turn on a page, because it is in its quiet hours."""
    one = Subscription.objects.select_for_update().filter(pk=subscription).first()
    if one and path not in one.held:
        one.held = [*one.held, path]
        one.save(update_fields=["held"])


@transaction.atomic
def do_take_held() -> list[Subscription]:
    """Return the devices whose quiet hours are over, with the turns in ``held`` that came in them.

    Nothing is held for them from then on.
    """
    now = timezone.now()
    holding = Subscription.objects.exclude(held=[]).select_for_update(skip_locked=True)
    due = [one for one in holding if not one.is_quiet(now)]
    Subscription.objects.filter(pk__in=[one.pk for one in due]).update(held=[])
    return due


def do_remove_dead(endpoint: str) -> None:
    """Remove a subscription that its push service no longer knows."""
    Subscription.objects.filter(endpoint=endpoint).delete()


@receiver(user_logged_out)
def do_forget_device(sender: object, request: HttpRequest, **_: object) -> None:
    """Remove the subscription of a browser whose person logs out: somebody else may use it next."""
    if number := request.session.get(SESSION_KEY):
        Subscription.objects.filter(pk=number).delete()


def _others(wanted: Iterable[str]) -> list[str]:
    """Return the kinds of notifications that are not wanted, in their order."""
    kinds = set(wanted)
    return [kind.value for kind in NotificationKind if kind not in kinds]


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


def known_zone(name: str) -> str:
    """Return the name of a time zone that a browser sends, or "UTC" if this site does not know it."""
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
