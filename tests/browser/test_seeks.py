"""Strangers who would like to play the same meet on the front page, and their match starts by itself."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitor


def find_players(page: Page, game: str, fewest: str, most: str) -> None:
    """Find players for a game on the front page, without bots."""
    page.goto("/")
    form = page.locator(".seek-form")
    form.get_by_label("Game").select_option(game)
    form.get_by_label("Minimum number of people").select_option(fewest)
    form.get_by_label("Maximum number of people").select_option(most)
    form.get_by_label("Bots may join").uncheck()
    form.get_by_role("button", name="Find players").click()


def test_strangers_meet_and_their_match_starts_by_itself(visitor: Visitor) -> None:
    ann, ben, cas = visitor(), visitor(device="phone"), visitor()
    find_players(ann, "Stealing Bundles", "3", "3")
    ann.wait_for_url("**/t/*/")
    expect(ann.locator(".prompt")).to_have_text("Waiting for players: with 3 people the match starts by itself.")
    # A person who only looks at the front page sees how many are missing.
    cas.goto("/")
    card = cas.locator(f"[data-code='{ann.url.split('/')[-2]}']")
    expect(card).to_contain_text("2 more people needed")
    expect(card.get_by_role("link")).to_have_text(re.compile("Sit down"))
    find_players(ben, "Stealing Bundles", "2", "4")
    ben.wait_for_url(ann.url)
    expect(ann.locator("li[data-kind=person]")).to_have_count(2)
    find_players(cas, "Stealing Bundles", "3", "5")
    cas.wait_for_url(ann.url)
    for page in (ann, ben, cas):
        expect(page.locator(".felt .seat")).to_have_count(3)
        expect(page.locator(".waiting-room")).to_be_hidden()


def test_what_no_game_can_do_is_said_on_the_front_page(visitor: Visitor) -> None:
    page = visitor()
    find_players(page, "Hearts", "2", "3")
    expect(page.locator("main, body").first).to_contain_text("Hearts needs 4 people. Choose that number.")
    expect(page.locator(".seek-form")).to_be_visible()
