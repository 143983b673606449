"""Anna invites Bob, with whom she has played: he finds it on his front page and joins with one tap."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitor
from tests.browser.tables import sit_down, start
from tests.browser.test_axe import serious


def set_private_table(host: Page, name: str = "") -> str:
    """Make a table for two that is found by its link only. Return its address. ``name``: of a newcomer."""
    host.goto("/new/?game=bundles")
    if name:
        host.get_by_label("Your name").fill(name)
    for number, kind in ((2, "open"), (3, "none"), (4, "none")):
        host.get_by_label(f"Seat {number}").select_option(kind)
    host.get_by_label("Only people with the link").check()
    host.get_by_role("button", name="Create the table").click()
    host.wait_for_url("**/t/*/")
    return host.url


def have_played(anna: Page, bob: Page) -> None:
    """Let two newcomers play a match, which the second one resigns."""
    sit_down(bob, set_private_table(anna, "Anna"), "Bob")
    start(anna, bob)
    bob.get_by_label("Menu", exact=True).click()
    bob.get_by_role("button", name="Resign …").click()
    bob.get_by_role("dialog").get_by_role("button", name="Resign", exact=True).click()
    expect(bob.get_by_role("region", name="Result")).to_be_visible()


def test_a_person_who_is_invited_joins_with_one_tap(visitor: Visitor) -> None:
    anna, bob = visitor(), visitor(device="phone")
    have_played(anna, bob)
    bob.goto("/")
    expect(bob.get_by_role("heading", name="You are invited")).to_be_hidden()
    address = set_private_table(anna)
    room = anna.get_by_role("region", name="Before the match")
    room.get_by_role("button", name="Invite Bob").click()
    expect(room.get_by_role("button", name="Bob is invited")).to_be_disabled()
    assert serious(anna) == []
    expect(bob.get_by_role("heading", name="You are invited")).to_be_visible()  # the page has stayed open
    invitation = bob.get_by_role("listitem").filter(has_text="Anna invites you to a table")
    assert serious(bob) == []
    invitation.get_by_role("button", name="Join").tap()
    bob.wait_for_url(address)
    expect(anna.locator("li[data-kind=person]").filter(has_text="Bob")).to_be_visible()
    expect(room.get_by_role("button", name="Bob is invited")).to_be_hidden()  # nobody else is listed


def test_people_are_invited_from_the_menu_and_decline(visitor: Visitor) -> None:
    anna, bob = visitor(device="phone"), visitor()
    have_played(anna, bob)
    set_private_table(anna)
    anna.get_by_label("Menu", exact=True).click()
    anna.get_by_role("button", name="Invite friends").click()
    dialog = anna.get_by_role("dialog", name="Invite friends")
    dialog.get_by_role("button", name="Invite Bob").click()
    expect(dialog.get_by_role("button", name="Bob is invited")).to_be_disabled()
    assert serious(anna) == []
    bob.goto("/")
    bob.get_by_role("button", name="Decline").click()
    expect(bob.get_by_role("heading", name="You are invited")).to_be_hidden()
