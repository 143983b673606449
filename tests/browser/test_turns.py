"""A match over days in real browsers: people come back when it is their turn, from any page of the site."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from cardsite.lobby.games import DAY
from tests.browser.conftest import Visitor
from tests.browser.tables import move, set_table, sit_down, start, wait_for_turn
from tests.tiers import full


@full
def test_a_match_over_days_is_played_by_people_who_come_and_go(visitor: Visitor) -> None:
    host, friend = visitor(), visitor(device="phone")
    address = set_table(host, "hamsterdam", ("open", "none"), seconds=str(3 * DAY))
    expect(host.get_by_text("3 days per decision · nobody needs to stay at the table")).to_be_visible()
    sit_down(friend, address, "Bob")
    start(host, friend)
    expect(host.get_by_text("3 days per decision", exact=True)).to_be_visible()
    host.goto("/games/")
    for here, away in ((friend, host), (host, friend)):
        here.goto(address)
        # Either may be first: the one at the table plays until the other one has to move.
        while here.locator(".room[data-mine]").count() or not here.get_by_text("Waiting for").is_visible():
            if move(here):
                expect(here.locator("[data-slow]")).to_have_text(re.compile("^(2 days, 23 hours|3 days) left$"))
        away.goto("/games/")
        link = away.get_by_role("link", name="1 Your turn")
        expect(link).to_be_visible()
        expect(away).to_have_title(re.compile(r"^\(1\) "))
        away.goto("/")
        expect(away.locator("[data-live=mine] .chip-turn")).to_be_visible()
        expect(away.locator("[data-live=mine] .table-card-facts")).to_contain_text("until")
        here.goto("/")
        expect(here.locator("[data-turns]")).to_be_hidden()
        link.click()
        expect(away).to_have_url(address)
        wait_for_turn(away)
