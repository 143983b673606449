"""The back room on a desktop and on a phone: with a mouse, by keyboard, and in both colour schemes."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitor
from tests.browser.test_axe import serious
from tests.running_site import RunningSite
from tests.tiers import full

PASSWORD = "correct horse battery staple"
ROOM = """
from django.contrib.auth.models import User
from django.utils import timezone
from cardsite.lobby.models import Seat, Table
from cardsite.people.models import Person
from cardsite.table.models import Match, Player
from cardsite.workshop.models import Report, Text

if not User.objects.filter(username="boss").exists():
    User.objects.create_superuser("boss", password={password!r})
people = [Person.objects.create(name=name) for name in ("Ann", "W" * 24, "Cas")]
table = Table.objects.create(code={code!r}, game="hamsterdam", host=people[0], status="over", sealed=False)
for seat, person in enumerate(people):
    Seat.objects.create(table=table, index=seat, person=person, seen=timezone.now())
match = Match.objects.create(
    table=table, number=1, game="hamsterdam", seed="00", seconds=0, sealed=False, favourite=1, status="over",
    rig_way="subtle", rules_version="2",
)
text = Text.objects.create(owner=people[1], title="W" * 60, latest=1, stopped=True)
Report.objects.create(text=text, person=people[0], why="W" * 90, number=1)
for seat, person in enumerate(people):
    Player.objects.create(match=match, seat=seat, name=person.name, person=person, share=seat == 1)
"""


def furnish(site: RunningSite, code: str) -> None:
    """Make the administrator "boss", and a table with three people and a match that was stacked."""
    site.manage("shell", "-c", ROOM.format(password=PASSWORD, code=code))


def log_in(page: Page, to: str) -> None:
    """Log in as the administrator on the way to a page."""
    page.goto(to)
    page.get_by_label("Username").fill("boss")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"**{to}")


@pytest.mark.parametrize(("device", "scheme"), [pytest.param("desktop", "light", marks=full), ("phone", "dark")])
def test_no_page_of_the_back_room_has_a_serious_violation(
    visitor: Visitor, site: RunningSite, device: Literal["desktop", "phone"], scheme: Literal["light", "dark"]
) -> None:
    code = f"axe{device}"[:10]
    furnish(site, code)
    page = visitor(device=device, scheme=scheme)
    log_in(page, "/admin/now/")
    for path in ("/admin/now/", "/admin/rig/", f"/admin/rig/{code}/", "/admin/texts/"):
        page.goto(path)
        assert serious(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{path} is too wide"


def test_a_table_is_rigged_and_a_match_revealed_by_keyboard(visitor: Visitor, site: RunningSite) -> None:
    furnish(site, "bykeyboard")
    page = visitor()
    log_in(page, "/admin/rig/")
    page.get_by_role("link", name="bykeyboard", exact=False).first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/admin/rig/bykeyboard/")
    page.get_by_role("radio", name="Ann").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.get_by_role("radio", name="for the next match only").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Rig this table").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Nobody at the table is notified")
    expect(page.get_by_role("radio", name="Cas")).to_be_checked()
    expect(page.get_by_role("radio", name="subtle", exact=False)).to_be_checked()
    expect(page.locator(".page-head")).to_contain_text("Stacked for seat 3 in the next match")
    page.get_by_text("Reveal this match").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Reveal it now").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Revealed.")


@full
def test_the_page_now_shows_a_new_table_without_being_loaded_again(visitor: Visitor, site: RunningSite) -> None:
    furnish(site, "isalready")
    page = visitor()
    page.clock.install()
    log_in(page, "/admin/now/")
    expect(page.get_by_role("link", name="isalready", exact=False)).to_be_visible()
    furnish(site, "comeslater")
    page.clock.run_for(10_000)
    expect(page.get_by_role("link", name="comeslater", exact=False)).to_be_visible()
