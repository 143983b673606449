"""What people do: arrive, take a name, register, log in, get a token; and what administrators do about them.

The ``do_...`` functions are the only writers of people.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.http import HttpRequest

from cardsite.people.models import NAME_LENGTH, Person, token_hash
from cardsite.people.signals import person_changed

SESSION_KEY = "person"
GUEST_NAMES = ("Pepper", "Saffron", "Nutmeg", "Tulip", "Barley", "Clove", "Poppy", "Hazel", "Ginger", "Mace", "Rye")


class BadName(ValueError):
    """A name that cannot be used; the text says why."""


def clean_name(raw: str) -> str:
    """Return a name as it may stand at a table: printable, single-spaced, 1 to 24 characters. Raises BadName."""
    name = " ".join("".join(c if c.isprintable() else " " for c in raw).split())
    if not name:
        raise BadName("Please type a name.")
    if len(name) > NAME_LENGTH:
        raise BadName(f"A name has at most {NAME_LENGTH} characters; yours has {len(name)}.")
    return name


def person_of_session(session: SessionBase | dict[str, Any], user: User | AnonymousUser) -> Person | None:
    """Return who this session belongs to, None for somebody who has not arrived yet.

    A registered person counts only while the login that proves it is good.
    """
    if user.is_authenticated:
        return Person.objects.filter(user=user).first() or do_meet(user)
    if number := session.get(SESSION_KEY):
        return Person.objects.filter(pk=number, user=None).first()
    return None


def person_of_request(request: HttpRequest) -> Person | None:
    """Return who asks, None for a newcomer. Reads the database once a request."""
    if not hasattr(request, "_person"):
        request._person = person_of_session(request.session, request.user)  # type: ignore[attr-defined]
    return request._person  # type: ignore[attr-defined, no-any-return]


def person_of_cookies(cookies: Mapping[str, str]) -> Person | None:
    """Return who a browser belongs to that opens a socket, None for somebody who has not arrived yet."""
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(cookies.get(settings.SESSION_COOKIE_NAME))
    return person_of_session(request.session, get_user(request))


def person_of_token(token: str) -> Person | None:
    """Return whose program this is, None for a token that was never made or has been renewed."""
    return Person.objects.filter(token_hash=token_hash(token)).first() if token else None


def do_meet(user: User, name: str = "") -> Person:
    """Return the person that an account is. One that was made by an administrator becomes one at its first visit."""
    person, _ = Person.objects.get_or_create(user=user, defaults={"name": (name or user.get_username())[:NAME_LENGTH]})
    return person


def do_arrive(request: HttpRequest, name: str = "") -> Person:
    """Return who asks; a newcomer becomes a guest, with ``name`` or a made-up one. Raises BadName."""
    person = person_of_request(request)
    if person is None:
        chosen = clean_name(name) if name else f"{secrets.choice(GUEST_NAMES)} {secrets.randbelow(90) + 10}"
        person = Person.objects.create(name=chosen)
        request.session[SESSION_KEY] = person.pk
        request._person = person  # type: ignore[attr-defined]
    elif name:
        do_rename(person, name)
    return person


def do_rename(person: Person, name: str) -> None:
    """Give a person another name. Raises BadName."""
    chosen = clean_name(name)
    if chosen != person.name:
        person.name = chosen
        person.save(update_fields=["name"])
        _tell(person)


@transaction.atomic
def do_register(person: Person, username: str, password: str) -> User:
    """Make a guest a registered person who keeps seat, name and history."""
    user = User.objects.create_user(username=username, password=password)
    person.user = user
    person.save(update_fields=["user"])
    return user


def do_make_token(person: Person) -> str:
    """Return a new token for this person's programs. The one before stops working."""
    token = secrets.token_urlsafe(32)
    person.token_hash = token_hash(token)
    person.save(update_fields=["token_hash"])
    return token


@transaction.atomic
def do_adopt(guest: Person, user: User) -> None:
    """Give a guest's history to the registered person the guest turned out to be."""
    person = do_meet(user, guest.name)
    guest.played.update(person=person)
    guest.messages.update(person=person)
    guest.hosted.update(host=person)
    taken = person.seats.values_list("table", flat=True)
    guest.seats.exclude(table__in=list(taken)).update(person=person)
    guest.delete()
    _tell(person)


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
    transaction.on_commit(lambda: person_changed.send(Person, person=person))
