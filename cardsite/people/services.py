"""What people do: arrive, take a name, register, log in, get a token; and what administrators do about them.

The ``do_...`` functions are the only writers of people.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

import structlog
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.contrib.sessions.backends.base import SessionBase
from django.db import DatabaseError, transaction
from django.db.models import Model, Q
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone
from django_otp import verify_token
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from cardsite.events import happens, publish
from cardsite.limits import spend_now
from cardsite.people.events import GuestAdopted, PersonChanged, ProofsChanged
from cardsite.people.models import NAME_LENGTH, Person, token_hash
from cardsite.people.names import is_of_the_house, plain
from cardsite.prepared import NO_NUMBER, Prepared

SESSION_KEY = "person"
RECOVERY_CODES = 10
GUEST = Prepared(lambda number: Person.objects.filter(pk=number, user=None), NO_NUMBER)
log = structlog.get_logger(__name__)
GUEST_NAMES = ("Pepper", "Saffron", "Nutmeg", "Tulip", "Barley", "Clove", "Poppy", "Hazel", "Ginger", "Mace", "Rye")


class BadName(ValueError):
    """A name that cannot be used; the text says why."""


def clean_name(raw: str) -> str:
    """Return a name as it may stand at a table: one line of 1 to 24 characters, not the house's. Raises BadName."""
    name = plain(raw)
    if not name:
        raise BadName("Please type a name.")
    if len(name) > NAME_LENGTH:
        raise BadName(f"A name has at most {NAME_LENGTH} characters; yours has {len(name)}.")
    if is_of_the_house(name):
        raise BadName("That name is one of the house's own. Please choose another.")
    return name


def person_of_session(session: SessionBase | dict[str, Any], user: User | AnonymousUser) -> Person | None:
    """Return who this session belongs to, None for somebody who has not arrived yet.

    A registered person counts only while the login that proves it is good.
    """
    if user.is_authenticated:
        return _seen(Person.objects.filter(user=user).first() or do_meet(user))
    if number := session.get(SESSION_KEY):
        return _seen(GUEST.first(number))
    return None


def person_of_request(request: HttpRequest) -> Person | None:
    """Return who asks, None for a newcomer. Reads the database once a request."""
    if not hasattr(request, "known_person"):
        request.known_person = person_of_session(request.session, request.user)  # type: ignore[attr-defined]
    return request.known_person  # type: ignore[attr-defined, no-any-return]


def person_of_cookies(cookies: Mapping[str, str]) -> Person | None:
    """Return who a browser belongs to that opens a socket, None for somebody who has not arrived yet."""
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(cookies.get(settings.SESSION_COOKIE_NAME))
    return person_of_session(request.session, get_user(request))


def person_of_token(token: str) -> Person | None:
    """Return whose program this is, None for a token that is none, has been renewed, or is a closed account's."""
    good = Person.objects.filter(Q(user=None) | Q(user__is_active=True), token_hash=token_hash(token))
    return _seen(good.first()) if token else None


def _seen(person: Person | None) -> Person | None:
    """Return a person who has come, the first time on a day noted."""
    if person and person.seen != timezone.localdate():
        person.seen = timezone.localdate()
        try:
            do_note_seen([person.pk])
        except DatabaseError as error:  # a page that only reads works on a full disk
            log.warning("it cannot be noted who was here", error=repr(error))
    return person


@transaction.atomic
def do_note_seen(people: Iterable[int]) -> None:
    """Note that people are here today."""
    today = timezone.localdate()
    Person.objects.filter(pk__in=list(people)).exclude(seen=today).update(seen=today)


def made_up_name() -> str:
    """Return a name for somebody who has not said one: never the user name, which is half of what logs them in."""
    return f"{secrets.choice(GUEST_NAMES)} {secrets.randbelow(90) + 10}"


def do_meet(user: User, name: str = "") -> Person:
    """Return the person that an account is. One that was made by an administrator becomes one at its first visit."""
    person, _ = Person.objects.get_or_create(user=user, defaults={"name": name or made_up_name()})
    return person


def do_arrive(request: HttpRequest, name: str = "") -> Person:
    """Return who asks; a newcomer becomes a guest, with ``name`` or a made-up one.

    Raises BadName; Refused when too many have come from one address, or one person changes names without end.
    """
    person = person_of_request(request)
    chosen = clean_name(name) if name else ""
    if person is None:
        spend_now("arrive", request)
        person = Person.objects.create(name=chosen or made_up_name())
        request.session[SESSION_KEY] = person.pk
        request.known_person = person  # type: ignore[attr-defined]
    elif chosen and chosen != person.name:
        spend_now("rename", request, f"person {person.pk}")
        do_rename(person, chosen)
    return person


def do_rename(person: Person, name: str) -> None:
    """Give a person another name. Raises BadName."""
    chosen = clean_name(name)
    if chosen != person.name:
        person.name = chosen
        person.save(update_fields=["name"])
        _tell(person)


def do_register(person: Person, username: str, password: str) -> User:
    """Make a guest a registered person who keeps seat, name and history. Raises IntegrityError for a name in use."""
    # Before the transaction: a hash takes a third of a second on purpose, in which SQLite would store no move.
    user = User(username=User.normalize_username(username), password=make_password(password))
    with transaction.atomic():
        user.save()
        person.user = user
        person.save(update_fields=["user"])
    return user


def do_make_token(person: Person) -> str:
    """Return a new token for this person's programs. The one before stops working."""
    token = secrets.token_urlsafe(32)
    person.token_hash = token_hash(token)
    person.save(update_fields=["token_hash"])
    _proofs_changed(person.pk)
    return token


@transaction.atomic
def do_adopt(guest: Person, user: User) -> None:
    """Give all that a guest has to the registered person the guest turned out to be.

    What both have and only one can keep is settled first, by the apps that know (``GuestAdopted``). Then every row
    of any model that names the guest names the person. A block goes along: logging in does not lift it.
    """
    person = do_meet(user, guest.name)
    happens(GuestAdopted(guest, person))
    for relation in Person._meta.related_objects:
        rows: Any = relation.related_model
        rows._base_manager.filter(**{relation.field.name: guest}).update(**{relation.field.name: person})
    person.blocked |= guest.blocked
    person.token_hash = person.token_hash or guest.token_hash
    person.created = min(person.created, guest.created)
    person.save(update_fields=["blocked", "token_hash", "created"])
    guest.delete()
    _tell(person)


@receiver(user_logged_in)
def _adopt_guest(sender: object, request: HttpRequest, user: User, **_: object) -> None:
    """By whatever door somebody logs in: what was played as a guest just before comes along."""
    request.__dict__.pop("known_person", None)  # whom the page has taken its visitor for until now
    number = request.session.pop(SESSION_KEY, None)
    guest = Person.objects.filter(pk=number, user=None).first() if number else None
    if guest:
        do_adopt(guest, user)


# -- sockets that were opened by a proof which is good no more


@receiver(user_logged_out)
def _logged_out(sender: object, user: User | None, request: HttpRequest, **_: object) -> None:
    person = Person.objects.filter(user=user).first() if user else None
    if person:
        # Told by the middleware, when the session is gone: whoever looks now would still find it.
        request.logged_out = person.pk  # type: ignore[attr-defined]


@receiver(post_save, sender=User)
def _account_changed(sender: object, instance: User, update_fields: Iterable[str] | None, **_: object) -> None:
    """A password, or whether the account may log in at all; not that it has just done so."""
    if set(update_fields or ["password"]) != {"last_login"}:
        for number in Person.objects.filter(user=instance).values_list("pk", flat=True):
            _proofs_changed(number)


@receiver(post_delete, sender=Person)
def _person_gone(sender: type[Model], instance: Person, **_: object) -> None:
    _proofs_changed(instance.pk)


def tell_logged_out(request: HttpRequest) -> None:
    """Tell of a person who has logged out by this request, if any."""
    if number := getattr(request, "logged_out", 0):
        _proofs_changed(number)


def _proofs_changed(number: int) -> None:
    publish(ProofsChanged(number))


# -- the second factor of administrators


def do_check_code(user: User, code: str) -> TOTPDevice | StaticDevice | None:
    """Return the second factor to which a code belongs, None if it is wrong, or comes too soon after wrong ones.

    A code is good once: django-otp remembers the last one of an app, and forgets a recovery code.
    """
    code = "".join(code.split()).lower()
    kind = TOTPDevice if code.isdecimal() and len(code) == 6 else StaticDevice
    device = kind.objects.filter(user=user, confirmed=True).first()
    return verify_token(user, device.persistent_id, code) if device else None


@transaction.atomic
def do_confirm_second_factor(user: User, key: str, code: str) -> tuple[TOTPDevice | None, list[str]]:
    """Switch the second factor on if the app that was shown ``key`` knows the code. Return it and recovery codes."""
    if not key:
        return None, []
    device = TOTPDevice.objects.create(user=user, name="app", key=key, confirmed=False)
    if not device.verify_token("".join(code.split())):
        device.delete()
        return None, []
    device.confirmed = True
    device.save(update_fields=["confirmed"])
    return device, do_make_recovery_codes(user)


@transaction.atomic
def do_make_recovery_codes(user: User) -> list[str]:
    """Make ten recovery codes, each good once. Those before stop working."""
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user, name="recovery codes")
    codes = [StaticToken.random_token() for _ in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=device, token=code) for code in codes)
    return codes


@transaction.atomic
def do_remove_second_factor(user: User) -> bool:
    """Switch the second factor off, recovery codes too. Return whether there was one."""
    removed = [kind.objects.filter(user=user).delete()[0] for kind in (TOTPDevice, StaticDevice)]
    return any(removed)


# -- administrators


def do_make_administrator(username: str) -> str:
    """Make an account that may do everything, if there is none yet. Return its password, "" where one was there."""
    if User.objects.filter(is_superuser=True).exists():
        return ""
    password = secrets.token_urlsafe(12)
    User.objects.create_superuser(username, password=password)
    return password


def do_block(people: Iterable[int], blocked: bool) -> int:
    """Forbid some people to sit down and talk, or allow it again. Return how many there were."""
    return Person.objects.filter(pk__in=list(people)).update(blocked=blocked)


@transaction.atomic
def do_change_person(person: Person, changed: Iterable[str]) -> None:
    """Store what an administrator has changed about a person: the names of the fields."""
    person.save(update_fields=list(changed))
    _tell(person)


@transaction.atomic
def do_remove_people(people: Iterable[int]) -> None:
    """Remove people. What they played and said stays, as nobody's."""
    Person.objects.filter(pk__in=list(people)).delete()


def _tell(person: Person) -> None:
    publish(PersonChanged(person))
