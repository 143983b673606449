"""Two people end their match before its end."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Visitor
from tests.browser.tables import set_table, sit_down

NOTICE = "The players have ended this match. It has no result."


def test_two_people_end_their_match_by_agreement(visitor: Visitor) -> None:
    anna, bob = visitor(), visitor(device="phone")
    sit_down(bob, set_table(anna, "bundles", ("open",)), "Bob")
    anna.get_by_role("button", name="Start the match").click()
    expect(bob.locator(".waiting-room")).to_be_hidden()
    bob.get_by_label("Menu", exact=True).click()
    bob.get_by_role("button", name="End the match …").click()
    bob.get_by_role("dialog").get_by_role("button", name="End the match").click()
    expect(anna.get_by_role("button", name="Agree with Bob: end the match")).to_be_visible()
    anna.get_by_role("button", name="Play on", exact=True).click()
    expect(bob.get_by_role("button", name="Play on", exact=True)).to_have_count(0)
    # At the second time, the other one agrees.
    anna.get_by_label("Menu", exact=True).click()
    anna.get_by_role("button", name="End the match …").click()
    anna.get_by_role("dialog").get_by_role("button", name="End the match").click()
    bob.get_by_role("button", name="Agree with Anna: end the match").click()
    bob.get_by_role("dialog").get_by_role("button", name="End the match").click()
    for page in (anna, bob):
        expect(page.locator(".prompt")).to_have_text(NOTICE)
        expect(page.get_by_role("button", name="Play again")).to_be_visible()
