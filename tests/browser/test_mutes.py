"""Bob mutes Anna in one browser, and another browser of his account shows nothing of her any longer."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visitor
from tests.browser.tables import set_table, sit_down
from tests.browser.test_axe import serious
from tests.browser.test_person_invitations import have_played, set_private_table
from tests.running_site import RunningSite

PASSWORD = "correct horse battery"


def register(page: Page, user: str) -> None:
    """Make an account."""
    page.goto("/people/register/")
    page.get_by_label("User name").fill(user)
    for field in page.locator("input[type=password]").all():
        field.fill(PASSWORD)
    page.get_by_role("button", name="Register").click()
    page.wait_for_url("**/people/me/")


def log_in(page: Page, user: str) -> None:
    """Log in to an account that exists."""
    page.goto("/people/login/")
    page.get_by_label("User name").fill(user)
    page.locator("input[type=password]").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    page.wait_for_url("**/people/me/")


def write(page: Page, text: str) -> None:
    """Write a message in the chat of a table."""
    page.get_by_role("tab", name="Chat").click()
    page.get_by_label("Write a message", exact=True).fill(text)
    page.keyboard.press("Enter")
    expect(page.get_by_role("listitem").filter(has_text=text)).to_be_visible()


def test_a_mute_in_one_browser_holds_in_the_other_one_of_the_same_account(visitor: Visitor) -> None:
    anna, first, second = visitor(), visitor(), visitor()
    address = set_table(anna, "hamsterdam", ("open", "none", "none", "none", "none"))
    register(first, "bob-mutes")
    log_in(second, "bob-mutes")
    sit_down_with_a_name(first, address)
    second.goto(address)
    write(anna, "the first")
    for page in (first, second):
        page.get_by_role("tab", name="Chat").click()
        expect(page.locator(".chat-line")).to_have_count(1)

    first.get_by_label("Mute somebody (for you only)").select_option(label="Mute Anna")
    for page in (first, second):
        expect(page.locator(".chat-line")).to_have_count(0)
    write(anna, "the second")
    write(first, "mine")  # comes after hers
    expect(second.locator(".chat-line")).to_contain_text(["mine"])
    for page in (first, second):
        expect(page.locator(".bubble").filter(has_text="the second")).to_have_count(0)
        page.reload()
        page.get_by_role("tab", name="Chat").click()
        expect(page.locator(".chat-line")).to_contain_text(["mine"])

    second.goto("/people/me/")
    panel = second.get_by_role("region", name="People you have muted")
    assert serious(second) == []
    panel.get_by_role("button", name="Unmute Anna").click()
    expect(panel).to_be_hidden()
    expect(first.locator(".chat-line")).to_contain_text(["the first", "the second", "mine"])


def sit_down_with_a_name(page: Page, address: str) -> None:
    """Follow the link and take the free seat, as somebody who has a name."""
    page.goto(address)
    page.get_by_role("button", name="Sit here").first.click()
    expect(page.locator("li[data-kind=person]").filter(has_text="you")).to_be_visible()


def test_a_spectator_without_a_name_mutes_in_this_browser_and_keeps_that_with_a_name(visitor: Visitor) -> None:
    anna, spectator = visitor(), visitor()
    address = set_table(anna, "hamsterdam", ("open", "none", "none", "none", "none"))
    anna.get_by_label("Menu", exact=True).click()
    anna.get_by_role("button", name="Chat with spectators").click()
    spectator.goto(address)
    spectator.get_by_role("tab", name="Chat").click()
    anna.get_by_role("tab", name="Chat").click()
    anna.get_by_role("button", name="Well played!").click()
    expect(spectator.locator(".chat-line")).to_have_count(1)
    spectator.get_by_label("Mute somebody (for you only)").select_option(label="Mute Anna")
    expect(spectator.locator(".chat-line")).to_have_count(0)
    spectator.reload()
    spectator.get_by_role("tab", name="Chat").click()
    hidden = spectator.get_by_text("Players and spectators chat here together.")
    expect(hidden).to_be_visible()
    sit_down(spectator, address, "Bob")
    spectator.wait_for_function("() => localStorage.getItem('muted') === '[]'")  # the server has them now
    spectator.get_by_role("tab", name="Chat").click()
    expect(hidden).to_be_visible()
    spectator.goto("/people/me/")
    expect(spectator.get_by_role("button", name="Unmute Anna")).to_be_visible()
    spectator.goto(address)
    spectator.get_by_role("tab", name="Chat").click()
    spectator.get_by_label("Mute somebody (for you only)").select_option(label="Unmute Anna")
    expect(spectator.locator(".chat-line")).to_have_count(1)


def test_at_an_invitation_a_visitor_ends_those_of_a_person(visitor: Visitor) -> None:
    anna, bob = visitor(), visitor(device="phone")
    have_played(anna, bob)
    set_private_table(anna)
    room = anna.get_by_role("region", name="Before the match")
    room.get_by_role("button", name="Invite Bob").click()
    expect(room.get_by_role("button", name="Bob is invited")).to_be_disabled()
    bob.goto("/")
    bob.get_by_role("link", name="No more invitations from Anna").tap()
    expect(bob.get_by_role("heading", name="Mute Anna?")).to_be_visible()
    assert serious(bob) == []
    bob.get_by_role("button", name="Mute Anna").tap()
    expect(bob.get_by_text("You have muted Anna.")).to_be_visible()
    expect(bob.get_by_role("heading", name="You are invited")).to_be_hidden()
    with anna.expect_response("**/people.json") as answer:
        anna.reload()
    assert answer.value.json() == {"people": []}


MAKE_ANNA = "from cardsite.people.models import Person; print(Person.objects.create(name='Anna').pk)"


@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_on_the_page_of_a_person_a_visitor_mutes_them_and_takes_it_back(
    visitor: Visitor, site: RunningSite, device: Literal["desktop", "phone"]
) -> None:
    bob = visitor(device=device)

    def press(what: Locator) -> None:
        if device == "phone":
            what.tap()
        else:
            what.focus()
            bob.keyboard.press("Enter")

    bob.goto("/people/me/")
    bob.get_by_label("Name shown to others").fill("Bob")
    bob.get_by_role("button", name="Save the name").click()
    expect(bob.get_by_role("heading", name="Bob")).to_be_visible()
    page = f"/people/{site.manage('shell', '-c', MAKE_ANNA).split()[-1]}/"
    bob.goto(page)
    assert serious(bob) == []
    press(bob.get_by_role("link", name="Mute Anna"))
    expect(bob.get_by_role("heading", name="Mute Anna?")).to_be_visible()
    press(bob.get_by_role("button", name="Mute Anna"))
    bob.wait_for_url(f"**{page}")
    expect(bob.get_by_text("You have muted Anna.")).to_be_visible()
    assert serious(bob) == []
    press(bob.get_by_role("button", name="Unmute Anna"))
    expect(bob.get_by_role("link", name="Mute Anna")).to_be_visible()
