"""Grids of permissions: who may do what. A row is an action, a column a role, a cell what that person gets."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.contrib.auth.models import User
from django.contrib.messages import get_messages
from django.db import transaction
from django.test import Client

from cardsite.people.models import Person
from tests.site.conftest import ADMIN_PASSWORD, Actor, new_guest
from tests.site.reasons import why_refused

OK, BLOCKED = "ok", "blocked"


def rows(grid: str) -> list[list[str]]:
    """Return the rows of a grid, its head first."""
    return [line.split() for line in grid.strip().splitlines()]


def cast_of(roles: Iterable[str]) -> dict[str, Actor]:
    """Make a person of each role: ``newcomer`` has no name yet, ``staff`` is an administrator, others are guests."""
    cast = {role: new_guest(role) for role in roles if role not in ("newcomer", "staff")}
    cast["newcomer"] = Actor(Person(), Client())
    boss = User.objects.create_superuser("boss", password=ADMIN_PASSWORD)
    cast["staff"] = Actor(Person.objects.create(name="staff", user=boss), Client())
    cast["staff"].client.force_login(boss)
    return cast


def cell_of(client: Client, answer: Any, reasons: Mapping[str, str], missing: Container[str]) -> str:
    """Return the cell of a response to ``client``, by the sentences on its page.

    ``reasons``: the cell of each refusal's sentence; ``missing``: the reasons that a 404 may have.
    """
    if answer.status_code == 404:
        assert why_refused(answer) in missing
        return "404"
    said = [str(message) for message in get_messages(answer.wsgi_request)]
    client.cookies.pop("messages", None)
    text = "\n".join([answer.content.decode(errors="replace"), *said])  # a picture is no text
    return next((code for words, code in reasons.items() if words in text), OK)


@contextmanager
def undone() -> Iterator[None]:
    """Undo what the block does to the database."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
