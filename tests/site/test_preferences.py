"""How a person wants tables: kept with the person, and the same on all their machines."""

from __future__ import annotations

import json
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from cardsite.people.models import PREFERENCES, Person
from cardsite.people.services import do_adopt
from tests.running_site import ROOT

pytestmark = pytest.mark.django_db


def prefer(client: Client, name: str, value: str) -> dict[str, object]:
    """Set a preference as a page does, and return the answer."""
    return dict(client.post("/people/me/preference/", {"name": name, "value": value}).json())


def test_a_preference_is_kept_with_the_person(client: Client) -> None:
    client.post("/people/me/name/", {"name": "Anna"})
    assert prefer(client, "sound", "on") == {"ok": True}
    assert prefer(client, "suits", "four") == {"ok": True}
    assert Person.objects.get().preferences == {"sound": "on", "suits": "four"}


@pytest.mark.parametrize(("name", "value"), [("sound", "loud"), ("theme", "day"), ("", ""), ("tips", "x" * 5000)])
def test_nothing_else_is_kept(client: Client, name: str, value: str) -> None:
    client.post("/people/me/name/", {"name": "Anna"})
    assert prefer(client, name, value)["code"] == "bad_option"
    assert Person.objects.get().preferences == {}


def test_a_visitor_without_a_name_has_preferences_in_the_browser_only(client: Client) -> None:
    assert prefer(client, "sound", "on") == {"ok": True}
    assert not Person.objects.exists()


def test_a_guest_who_logs_in_brings_what_the_account_does_not_say(client: Client) -> None:
    user = User.objects.create_user("anna")
    Person.objects.create(name="Anna", user=user, preferences={"sound": "off"})
    guest = Person.objects.create(name="Guest", preferences={"sound": "on", "suits": "four"})
    do_adopt(guest, user)
    assert Person.objects.get().preferences == {"sound": "off", "suits": "four"}


def test_the_scripts_send_the_preferences_that_are_kept() -> None:
    [names] = re.findall(r"PREFERENCES = new Set\((\[.*?\])\)", (ROOT / "static/js/table/storage.js").read_text())
    assert json.loads(names) == list(PREFERENCES)
