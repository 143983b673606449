"""A circle in several browsers: what appears while its page stays open, and dates in one's own time zone."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitor
from tests.browser.tables import create_circle, play_out, start
from tests.browser.test_axe import serious


def test_an_evening_appears_on_the_open_page_of_a_friend_who_joined_by_the_link(visitor: Visitor) -> None:
    anna, bob = visitor(), visitor(device="phone")
    link = create_circle(anna)
    expect(anna.get_by_role("heading", name="Thursdays")).to_be_visible()
    bob.goto(link)
    bob.get_by_label("Your name").fill("Bob")
    bob.get_by_role("button", name="Join").click()
    expect(bob.get_by_text("No table is open.")).to_be_visible()
    expect(anna.locator("[data-circle-now]")).to_contain_text("Bob")
    assert serious(bob) == []
    anna.get_by_role("link", name="Start an evening").click()
    anna.get_by_role("link", name="Stealing Bundles").first.click()
    anna.get_by_role("button", name="Create the table").click()
    bob.get_by_role("link", name="Go to the table").click()
    expect(bob).to_have_url(re.compile("/t/"))
    anna.get_by_label("Menu", exact=True).click()
    anna.get_by_role("link", name="Score of the evening").click()
    expect(anna.get_by_text("No match has been played yet.")).to_be_visible()
    assert serious(anna) == []


def test_members_chat_while_the_page_stays_open(visitor: Visitor) -> None:
    anna, bob = visitor(), visitor(device="phone")
    link = create_circle(anna)
    bob.goto(link)
    bob.get_by_label("Your name").fill("Bob")
    bob.get_by_role("button", name="Join").click()
    for number in range(12):
        anna.get_by_label("Message").fill(f"Message {number}, " + "long " * 20)
        anna.get_by_role("button", name="Send").click()
        expect(anna.locator("[data-part=chat] li")).to_have_count(number + 1)
    bob.get_by_label("Message").fill("I am typing")
    expect(bob.locator("[data-part=chat] li")).to_have_count(12)
    for page in (anna, bob):
        page.locator("[data-part=chat]").scroll_into_view_if_needed()
        expect(page.locator("[data-part=chat] li").last).to_be_in_viewport()  # the newest one, at the bottom
        expect(page.locator("[data-part=chat] time").last).not_to_contain_text("UTC")
        assert serious(page) == []
    expect(bob.get_by_label("Message")).to_have_value("I am typing")
    bob.get_by_role("button", name="Send").click()
    anna.locator("[data-part=chat]").get_by_role("button", name="I am typing").click()
    expect(bob.locator("[data-part=chat]")).not_to_contain_text("I am typing")


def test_members_and_what_the_owner_may_do_change_while_the_page_stays_open(visitor: Visitor) -> None:
    anna, bob, cora = visitor(), visitor(device="phone"), visitor(device="phone")
    link = create_circle(anna)
    expect(anna.get_by_role("button", name="Make owner")).to_have_count(0)
    for page, name in ((bob, "Bob"), (cora, "Cora")):
        page.goto(link)
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Join").click()
        expect(anna.locator("[data-part=members]")).to_contain_text(name)
    expect(bob.locator("[data-part=members]")).to_contain_text("Cora")
    expect(bob.get_by_label("Name of the circle")).to_have_count(0)

    anna.get_by_label("Another member").select_option("Bob")
    anna.get_by_role("button", name="Make owner").press("Enter")
    expect(anna.get_by_role("heading", name="Make Bob the owner of the circle?")).to_be_visible()
    assert serious(anna) == []
    anna.get_by_role("button", name="Make owner").press("Enter")
    expect(anna.locator("[data-part=members] li", has_text="Bob")).to_contain_text("owner")
    expect(cora.locator("[data-part=members] li", has_text="Bob")).to_contain_text("owner")

    bob.get_by_label("Name of the circle").fill("Fridays")  # the field has appeared
    expect(bob.get_by_label("Another member").locator("option")).to_have_count(2)
    anna.get_by_role("link", name="Leave the circle").click()
    expect(anna.get_by_role("heading", name="Leave this circle?")).to_be_visible()
    anna.get_by_role("button", name="Leave the circle").click()
    expect(anna.get_by_text("You have left the circle.")).to_be_visible()
    expect(bob.get_by_label("Another member").locator("option")).to_have_count(1)
    expect(bob.locator("[data-part=members]")).not_to_contain_text("Anna")
    expect(bob.get_by_label("Name of the circle")).to_have_value("Fridays")
    expect(bob.get_by_label("Name of the circle")).to_be_focused()
    bob.get_by_label("Name of the circle").press("Enter")
    expect(bob.get_by_role("heading", name="Fridays", level=1)).to_be_visible()

    bob.get_by_role("button", name="Remove from the circle").click()
    bob.get_by_role("button", name="Remove from the circle").click()
    expect(bob.locator("#invite-link")).not_to_have_text(link)
    expect(cora.get_by_role("heading", name="Circle not found")).to_be_visible()


def test_a_date_is_entered_and_shown_in_the_visitors_time_zone(visitor: Visitor) -> None:
    page = visitor()
    page.context.new_cdp_session(page).send("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Kolkata"})
    create_circle(page)
    day = (datetime.now(UTC) + timedelta(days=40)).date()
    expect(page.get_by_text("(UTC)")).to_be_hidden()  # the script that converts it has started
    page.get_by_label("Date and time").fill(f"{day}T20:00")
    page.get_by_role("button", name="Set the date").click()
    expect(page.locator("section[aria-labelledby=plan] time")).to_contain_text("8:00")
    with page.expect_download() as download:
        page.get_by_role("link", name="Add to a calendar").click()
    assert f"DTSTART:{day:%Y%m%d}T143000Z\r\n".encode() in download.value.path().read_bytes()


# What a browser that shares files has; the test's browser has none.
SHARING = """
navigator.canShare = (what) => what.files?.length === 1;
navigator.share = async (what) => { window.shared = [what.files[0].name, what.files[0].type, what.files[0].size]; };
"""


def play_an_evening(host: Page, friend: Page) -> str:
    """Have two members on the page of their circle play a match. Return the address of the evening."""
    host.get_by_role("link", name="Start an evening").click()
    host.goto(f"{host.url}&game=kuhn")
    host.get_by_label("Seat 2").select_option("open")
    host.get_by_role("button", name="Create the table").click()
    friend.get_by_role("link", name="Go to the table").click()
    friend.get_by_role("button", name="Sit here").first.click()
    expect(host.locator("li[data-kind=person]")).to_have_count(2)
    start(host, friend)
    play_out(host, friend)
    host.get_by_label("Menu", exact=True).click()
    address = host.get_by_role("link", name="Score of the evening").get_attribute("href")
    assert address
    return address


def test_the_picture_of_an_evening_is_shared_as_a_file_with_the_date_of_the_visitor(visitor: Visitor) -> None:
    anna, bob = visitor(device="phone"), visitor()
    anna.add_init_script(SHARING)
    for page in (anna, bob):
        page.context.new_cdp_session(page).send("Emulation.setTimezoneOverride", {"timezoneId": "Pacific/Kiritimati"})
    invitation = create_circle(anna)
    bob.goto(invitation)
    bob.get_by_label("Your name").fill("Bob")
    bob.get_by_role("button", name="Join").click()
    score = play_an_evening(anna, bob)
    for page in (anna, bob):
        page.goto(score)
        link = page.get_by_role("link", name="Picture to share")
        expect(link).to_have_attribute("href", re.compile(r"picture\.png\?zone=Pacific%2FKiritimati$"))
    expect(bob.get_by_role("button", name="Share")).to_be_hidden()  # the browser cannot share
    with anna.expect_response("**/picture.png?zone=Pacific%2FKiritimati") as picture:
        anna.get_by_role("button", name="Share").click()
    assert picture.value.status == 200
    anna.wait_for_function("() => window.shared")
    name, kind, size = anna.evaluate("window.shared")
    assert (name, kind) == ("evening.png", "image/png")
    assert size > 1000
    assert serious(anna) == []
