"""The checklist for a new site: what is done is seen by itself, the rest can be marked, and then it is gone."""

from __future__ import annotations

import re

from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django.fixtures import Settings

from cardsite.people.models import SetupStep
from cardsite.table.services.chores import do_note_backup
from tests.site.conftest import Actor
from tests.site.reasons import why_refused


def open_steps(admin: Actor) -> list[str]:
    """Return the names of the steps that the page "Now" still asks for."""
    page = admin.client.get("/admin/now/").content.decode()
    return re.findall(r"/admin/now/done/([a-z-]+)/", page)


def test_what_is_done_is_not_asked_for_and_the_rest_can_be_marked(admin: Actor, settings: Settings) -> None:
    settings.LOCAL = True
    assert open_steps(admin) == ["password", "second-factor", "address", "backup"]
    do_note_backup()
    assert open_steps(admin) == ["password", "second-factor", "address"]
    settings.LAN_ADDRESS = "http://192.0.2.1:8000"
    assert open_steps(admin) == ["password", "second-factor"]
    settings.LAN_ADDRESS, settings.LOCAL = "", False
    assert open_steps(admin) == ["password", "second-factor", "push", "mail"]
    settings.PUSH_CONTACT = "mailto:boss@cards.example"
    assert open_steps(admin) == ["password", "second-factor", "mail"]
    settings.EMAIL_HOST = "mail.cards.example"
    assert open_steps(admin) == ["password", "second-factor"]
    TOTPDevice.objects.create(user=admin.person.user, name="app", confirmed=False)
    assert open_steps(admin) == ["password", "second-factor"]
    assert admin.client.post("/admin/now/done/password/")["Location"] == "/admin/now/"
    assert open_steps(admin) == ["second-factor"]
    page = admin.client.get("/admin/now/").content.decode()
    assert "Make backups" in page  # with a check mark
    admin.client.post("/admin/now/done/second-factor/")
    assert "Before others play here" not in admin.client.get("/admin/now/").content.decode()


def test_only_administrators_mark_steps_and_only_those_that_exist(admin: Actor, host: Actor) -> None:
    assert host.client.post("/admin/now/done/password/")["Location"].startswith("/admin/login/")
    assert admin.client.get("/admin/now/done/password/").status_code == 405
    assert why_refused(admin.client.post("/admin/now/done/everything/")) == "There is no such step."
    assert not SetupStep.objects.exists()


def test_an_administrator_gets_from_the_site_to_the_back_room_and_nobody_else_sees_the_way(
    admin: Actor, host: Actor
) -> None:
    assert '<a class="button" href="/admin/now/">' in admin.client.get("/people/me/").content.decode()
    assert "/admin/" not in host.client.get("/people/me/").content.decode()
    TOTPDevice.objects.create(user=admin.person.user, name="app", confirmed=True)
    assert "/admin/" not in admin.client.get("/people/me/").content.decode()  # logged in without the second factor


def test_the_index_of_all_data_begins_with_the_pages_of_the_back_room(admin: Actor) -> None:
    page = admin.client.get("/admin/").content.decode()
    links = page[page.index('<nav class="backroom-links"') :]
    links = links[: links.index("</nav>")]
    found = re.findall(r'href="([^"]+)"', links)
    assert found == ["/admin/now/", "/admin/rig/", "/admin/moderation/", "/admin/texts/", "/admin/costs/"]
    assert all(admin.client.get(path).status_code == 200 for path in found)
