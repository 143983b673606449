"""A tournament in two browsers: created, joined by phone, filled with bots, played, and watched to its end."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitor
from tests.browser.test_axe import serious


def check(page: Page) -> None:
    """Check that a page has no serious violation of accessibility, and does not scroll sideways."""
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def leave_to_a_bot(page: Page) -> None:
    """Stand up in the middle of the match at one's table."""
    expect(page.locator(".felt [data-piece]").first).to_be_visible()  # the match has started by itself
    page.get_by_label("Menu", exact=True).click()
    page.get_by_role("button", name="Stand up").click()
    page.get_by_role("dialog").get_by_role("button", name="Stand up").click()


def test_two_people_and_two_bots_play_a_round_and_watch_the_standings(visitor: Visitor) -> None:
    anna, bob = visitor(), visitor(device="phone")
    anna.goto("/")
    anna.locator("main").get_by_role("link", name="Tournaments").click()
    check(anna)
    anna.get_by_label("Your name").fill("Anna")
    anna.get_by_label("Name of the tournament").fill("Saturday cup")
    anna.get_by_label("Game", exact=True).select_option("bundles")
    anna.get_by_label("Rounds").fill("1")
    anna.get_by_role("button", name="Create the tournament").click()
    expect(anna.get_by_role("heading", name="Saturday cup")).to_be_visible()
    bob.goto("/tournaments/")
    bob.get_by_role("link", name="Go to the tournament Saturday cup").click()
    check(bob)
    bob.get_by_label("Your name").fill("Bob")
    bob.get_by_role("button", name="Join").click()
    expect(anna.locator("[data-tournament-now]")).to_contain_text("Bob")  # while the page stays open
    anna.get_by_label("Number of bots").fill("2")
    anna.get_by_label("Kind of bot").select_option("random")
    anna.get_by_role("button", name="Add bots").click()
    anna.get_by_role("button", name="Start the tournament").click()
    for page in (anna, bob):  # the page of the one who has not pressed it changes by itself
        expect(page.get_by_role("heading", name="Round 1 of 1")).to_be_visible()
        check(page)
    tournament = anna.url
    for page in (anna, bob):
        page.get_by_role("link", name="Go to your table").click()
        expect(page).to_have_url(re.compile("/t/"))
    for page in (anna, bob):
        leave_to_a_bot(page)
    for page in (anna, bob):
        expect(page.get_by_role("region", name="Result")).to_be_visible()
        expect(page.get_by_role("button", name="Play again")).to_have_count(0)
    anna.get_by_role("link", name="Go to the tournament").last.click()
    bob.goto(tournament)
    for page in (anna, bob):
        expect(page.locator(".page-head")).to_contain_text("Over")
        rows = page.locator(".standings tbody tr")
        expect(rows).to_have_count(4)
        # Who is played by the house gets no points, so it may be that nobody has any.
        assert set(rows.locator("td:nth-child(2)").all_inner_texts()) <= {"0", "0.5", "1"}
        expect(page.locator(".own-row")).to_contain_text("Anna" if page is anna else "Bob")
        check(page)
    anna.goto("/tournaments/")
    expect(anna.get_by_role("heading", name="Finished")).to_be_visible()
