"""Everything that writes people: arrive, choose a name, register, log in, create a token; and administrators' actions.

Only the ``do_...`` functions write.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
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
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django_otp import verify_token
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from cardsite.events import (
    CredentialsChanged,
    GuestAdopted,
    ModerationChanged,
    PersonBlocked,
    PersonChanged,
    VacationChanged,
    publish,
    publish_now,
    within_transaction,
)
from cardsite.limits import spend_now
from cardsite.people.models import (
    NAME_LENGTH,
    PREFERENCES,
    REASON_LENGTH,
    Mute,
    Person,
    Restriction,
    SetupStep,
    token_hash,
)
from cardsite.people.names import is_reserved, one_line
from cardsite.people.restrictions import BLOCKED, active_restrictions
from cardsite.prepared import NO_NUMBER, Prepared
from cardsite.refusal import Refused

SESSION_KEY = "person"
RECOVERY_CODES = 10
MOST_MUTES = 200  # of one person; another one replaces the oldest
VACATION_LONGEST = timedelta(days=21)
VACATION_AGAIN = timedelta(days=30)  # from the end of a vacation to the beginning of the next one
GUEST = Prepared(lambda number: Person.objects.filter(pk=number, user=None), NO_NUMBER)
log = structlog.get_logger(__name__)
GUEST_NAMES = ("Pepper", "Saffron", "Nutmeg", "Tulip", "Barley", "Clove", "Poppy", "Hazel", "Ginger", "Mace", "Rye")


class BadName(ValueError):
    """A name that cannot be used; the text says why."""


def clean_name(raw: str) -> str:
    """Return a name as it may be shown: one line, not longer than NAME_LENGTH, not a reserved one. Raises BadName."""
    name = one_line(raw)
    if not name:
        raise BadName(_("A name needs at least one letter or sign, not only spaces.") if raw else _("Enter a name."))
    if len(name) > NAME_LENGTH:
        raise BadName(
            _("A name may have at most %(most)d characters; yours has %(n)d.") % {"most": NAME_LENGTH, "n": len(name)}
        )
    if is_reserved(name):
        raise BadName(_("That name is reserved. Choose another one."))
    return name


def person_of_session(session: SessionBase | dict[str, Any], user: User | AnonymousUser) -> Person | None:
    """Return the person of a session, None for a newcomer.

    A registered person counts only while the log-in of the session is valid.
    """
    if user.is_authenticated:
        return _seen(Person.objects.filter(user=user).first() or do_find_person(user))
    if number := session.get(SESSION_KEY):
        return _seen(GUEST.first(number))
    return None


def person_of_request(request: HttpRequest) -> Person | None:
    """Return the person of a request, None for a newcomer. Reads the database once per request."""
    if not hasattr(request, "known_person"):
        request.known_person = person_of_session(request.session, request.user)  # type: ignore[attr-defined]
    return request.known_person  # type: ignore[attr-defined, no-any-return]


def person_of_cookies(cookies: Mapping[str, str]) -> Person | None:
    """Return the person of a browser that opens a socket, None for a newcomer."""
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(cookies.get(settings.SESSION_COOKIE_NAME))
    return person_of_session(request.session, get_user(request))


def person_of_token(token: str) -> Person | None:
    """Return the owner of a token, None if it is unknown, was renewed, or belongs to an inactive account."""
    good = Person.objects.filter(Q(user=None) | Q(user__is_active=True), token_hash=token_hash(token))
    return _seen(good.first()) if token else None


def _seen(person: Person | None) -> Person | None:
    """Note the first visit of a person on a day. Returns the person."""
    if person and person.seen != timezone.localdate():
        person.seen = timezone.localdate()
        try:
            do_note_seen([person.pk])
        except DatabaseError as error:  # pages that only read work on a full disk
            log.warning("could not record presence", error=repr(error))
    return person


@transaction.atomic
def do_note_seen(people: Iterable[int]) -> None:
    """Note that people visit today."""
    today = timezone.localdate()
    Person.objects.filter(pk__in=list(people)).exclude(seen=today).update(seen=today)


def made_up_name() -> str:
    """Return a random name for a person without one. Never the user name, which is half of the log-in."""
    return f"{secrets.choice(GUEST_NAMES)} {secrets.randbelow(90) + 10}"


def do_find_person(user: User, name: str = "") -> Person:
    """Return the person of an account. For an account made by an administrator it is created at the first visit."""
    person, _made = Person.objects.get_or_create(user=user, defaults={"name": name or made_up_name()})
    return person


def do_arrive(request: HttpRequest, name: str = "") -> Person:
    """Return the person of a request; a newcomer becomes a guest, called ``name`` or by a random name.

    Raises BadName; Refused when too many guests came from one address, or a person changes names too often.
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
    """Change a person's name. Raises BadName."""
    chosen = clean_name(name)
    if chosen != person.name:
        person.name = chosen
        person.save(update_fields=["name"])
        publish(PersonChanged(person.pk))


@transaction.atomic
def do_prefer(person: Person, name: str, value: str) -> None:
    """Remember how a person wants tables to be, on all their machines. Raises Refused."""
    if value not in PREFERENCES.get(name, ()):
        raise Refused("bad_option", _("There is no such setting."))
    person = Person.objects.select_for_update().get(pk=person.pk)
    person.preferences = {**person.preferences, name: value}
    person.save(update_fields=["preferences"])


@transaction.atomic
def do_mute(person: Person, numbers: Iterable[int]) -> list[str]:
    """Show a person nothing more that the people with these numbers write, and return the names of these people.

    Only the last ``MOST_MUTES`` are kept. Raises Refused if there is nobody with one of these numbers.
    """
    Person.objects.select_for_update().get(pk=person.pk)
    others = list(Person.objects.filter(pk__in=list(numbers)[:MOST_MUTES]).exclude(pk=person.pk).order_by("pk"))
    if not others:
        raise Refused("bad_option", _("You cannot mute this person."))
    for other in others:
        Mute.objects.get_or_create(by=person, person=other)
    older = Mute.objects.filter(by=person).values_list("pk", flat=True)[MOST_MUTES:]
    Mute.objects.filter(pk__in=list(older)).delete()
    publish(ModerationChanged(person.pk))
    return [other.name for other in others]


@transaction.atomic
def do_unmute(person: Person, number: int) -> None:
    """Show a person again what the person with this number writes. Nothing changes if they were not muted."""
    Mute.objects.filter(by=person, person=number).delete()
    publish(ModerationChanged(person.pk))


@receiver(within_transaction, sender=GuestAdopted)
def do_merge_mutes(sender: object, event: GuestAdopted, **_: object) -> None:
    """Keep one mute where a guest and the account that the guest logs in to have muted, or are muted by, one person.

    A mute of one by the other is removed.
    """
    guest, person = event
    Mute.objects.filter(by__in=event, person__in=event).delete()
    Mute.objects.filter(by=guest, person__muted_by__by=person).delete()
    Mute.objects.filter(person=guest, by__mutes__person=person).delete()


def next_vacation(person: Person) -> datetime | None:
    """Return when a person's next vacation can begin, None for now."""
    earliest = person.vacation_until + VACATION_AGAIN if person.vacation_until else None
    return earliest if earliest and earliest > timezone.now() else None


@transaction.atomic
def do_set_vacation(person: Person, until: datetime | None) -> None:
    """Let no time pass for a person where the clock has hours or days, until a time; None: no longer. Raises Refused.

    These clocks then start again, so a decision has its full time after a vacation. So that nobody waits for ever, a
    vacation has a longest time, and some time must pass before the next one.
    """
    person = Person.objects.select_for_update().get(pk=person.pk)
    now = timezone.now()
    if until is None:
        if not person.on_vacation:
            return
        until = now
    else:
        if person.on_vacation:
            raise Refused("bad_option", _("You are on vacation already. End it first."))
        if earliest := next_vacation(person):
            when = date_format(timezone.localtime(earliest), "DATE_FORMAT")
            raise Refused("bad_option", _("Your next vacation can begin on %(day)s.") % {"day": when})
        if not now < until <= now + VACATION_LONGEST:
            days = VACATION_LONGEST.days
            raise Refused("bad_option", _("Choose a date within the next %(n)d days.") % {"n": days})
    person.vacation_until = until
    person.save(update_fields=["vacation_until"])
    publish_now(VacationChanged(person.pk))


def do_register(person: Person, username: str, password: str) -> User:
    """Register a guest, who keeps seat, name and history. Raises IntegrityError for a user name that is taken."""
    # Before the transaction: hashing takes a third of a second, during which SQLite could store no move.
    user = User(username=User.normalize_username(username), password=make_password(password))
    with transaction.atomic():
        user.save()
        person.user = user
        person.save(update_fields=["user"])
    return user


def do_make_token(person: Person) -> str:
    """Return a new token for a person's programs. The previous one stops working."""
    token = secrets.token_urlsafe(32)
    person.token_hash = token_hash(token)
    person.save(update_fields=["token_hash"])
    publish(CredentialsChanged(person.pk))
    return token


@transaction.atomic
def do_adopt(guest: Person, user: User) -> None:
    """Merge a guest into the registered person who has just logged in.

    Apps first resolve what only one of the two can keep (``GuestAdopted``). Then every row of any model that refers
    to the guest refers to the person. So a restriction is carried over: logging in does not lift it.
    """
    person = do_find_person(user, guest.name)
    publish_now(GuestAdopted(guest.pk, person.pk))
    for relation in Person._meta.related_objects:
        rows: Any = relation.related_model
        rows._base_manager.filter(**{relation.field.name: guest}).update(**{relation.field.name: person})
    person.token_hash = person.token_hash or guest.token_hash
    person.preferences = {**guest.preferences, **person.preferences}
    person.created = min(person.created, guest.created)
    person.save(update_fields=["token_hash", "created", "preferences"])
    guest.delete()
    publish(PersonChanged(person.pk))
    publish(ModerationChanged(person.pk))


@receiver(user_logged_in)
def _adopt_guest(sender: object, request: HttpRequest, user: User, **_: object) -> None:
    """At every log-in, on any page: merge the guest of the session into the account."""
    request.__dict__.pop("known_person", None)  # the guest
    number = request.session.pop(SESSION_KEY, None)
    guest = Person.objects.filter(pk=number, user=None).first() if number else None
    if guest:
        do_adopt(guest, user)


# -- sockets whose session, token or account is no longer valid


@receiver(user_logged_out)
def _logged_out(sender: object, user: User | None, request: HttpRequest, **_: object) -> None:
    person = Person.objects.filter(user=user).first() if user else None
    if person:
        # The middleware sends the signal, once the session is deleted: receivers would still find it now.
        request.logged_out = person.pk  # type: ignore[attr-defined]


@receiver(post_save, sender=User)
def _account_changed(sender: object, instance: User, update_fields: Iterable[str] | None, **_: object) -> None:
    """React to a new password and to an account that was switched on or off, but not to a log-in."""
    if set(update_fields or ["password"]) != {"last_login"}:
        for number in Person.objects.filter(user=instance).values_list("pk", flat=True):
            publish(CredentialsChanged(number))


@receiver(post_delete, sender=Person)
def _person_gone(sender: type[Model], instance: Person, **_: object) -> None:
    publish(CredentialsChanged(instance.pk))


def notify_logged_out(request: HttpRequest) -> None:
    """Publish CredentialsChanged for the person who logged out by this request, if any."""
    if number := getattr(request, "logged_out", 0):
        publish(CredentialsChanged(number))


# -- the second factor of administrators


def do_check_code(user: User, code: str) -> TOTPDevice | StaticDevice | None:
    """Return the device of a valid code, None if the code is wrong or comes too soon after wrong ones.

    A code is valid once: django-otp stores the last one of an app, and deletes a recovery code.
    """
    code = "".join(code.split()).lower()
    kind = TOTPDevice if code.isdecimal() and len(code) == 6 else StaticDevice
    device = kind.objects.filter(user=user, confirmed=True).first()
    return verify_token(user, device.persistent_id, code) if device else None


@transaction.atomic
def do_confirm_second_factor(user: User, key: str, code: str) -> tuple[TOTPDevice | None, list[str]]:
    """Switch the second factor on if ``code`` matches ``key``. Return the device and recovery codes."""
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
    """Create recovery codes, each valid once. Earlier ones stop working."""
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user, name="recovery codes")
    codes = [StaticToken.random_token() for _ in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=device, token=code) for code in codes)
    return codes


@transaction.atomic
def do_remove_second_factor(user: User) -> bool:
    """Switch the second factor off and delete its recovery codes. Return whether it was on."""
    removed = [kind.objects.filter(user=user).delete()[0] for kind in (TOTPDevice, StaticDevice)]
    return any(removed)


# -- administrators


def do_make_administrator(username: str) -> str:
    """Create an account with all permissions if there is none. Return its password, "" if one exists already."""
    if User.objects.filter(is_superuser=True).exists():
        return ""
    password = secrets.token_urlsafe(12)
    User.objects.create_superuser(username, password=password)
    return password


def do_mark_step(name: str) -> None:
    """Store that a step of the checklist for a new site needs no more attention."""
    SetupStep.objects.get_or_create(name=name)


@transaction.atomic
def do_restrict(person: Person, kind: str, reason: str, until: datetime | None, by: User | None) -> Restriction:
    """Block or mute a person, until a time or until it is lifted (None). A block takes away their seats."""
    said = one_line(reason)[:REASON_LENGTH]
    made = Restriction.objects.create(person=person, kind=kind, reason=said, until=until, by=by)
    if kind == BLOCKED:
        publish_now(PersonBlocked(person.pk))
    publish(ModerationChanged(person.pk))
    return made


@transaction.atomic
def do_lift(restriction: Restriction) -> bool:
    """End a restriction early. Return whether it was active. The seats that were lost stay lost."""
    lifted = active_restrictions().filter(pk=restriction.pk).update(lifted=timezone.now())
    publish(ModerationChanged(restriction.person_id))
    return bool(lifted)


@transaction.atomic
def do_change_person(person: Person, changed: Iterable[str]) -> None:
    """Store the changes of an administrator. ``changed``: the names of the fields."""
    person.save(update_fields=list(changed))
    publish(PersonChanged(person.pk))


@transaction.atomic
def do_remove_people(people: Iterable[int]) -> None:
    """Delete people. Their matches and chat messages stay, without a person."""
    Person.objects.filter(pk__in=list(people)).delete()
