"""Handicaps in a browser: the host chooses them, and everybody sees them before, in and after a match."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Visitor
from tests.browser.tables import play_out, set_table, sit_down, start

MORE = "starts with +2 (Certificates)"


def test_everybody_sees_the_handicap_that_the_host_has_chosen(visitor: Visitor) -> None:
    host, friend = visitor(), visitor(device="phone")
    address = set_table(host, "hamsterdam", ("open",))
    sit_down(friend, address, "Bea")
    expect(friend.get_by_text("Handicaps", exact=True).first).to_be_hidden()
    room = host.get_by_role("region", name="Before the match")
    room.get_by_text("Handicaps", exact=True).click()
    room.get_by_label("Handicap of seat 2").select_option("2")
    for page in (host, friend):
        expect(page.locator(".waiting-room .seat-words").filter(has_text="Bea")).to_contain_text(MORE)
    start(host, friend)
    for page in (host, friend):
        expect(page.locator('.seat[data-seat="1"] [data-mark="handicap"]')).to_have_attribute("title", MORE)
        expect(page.locator('.seat[data-seat="1"] .certificate')).to_have_count(4)
        # Nobody has lost a certificate yet.
        expect(page.locator('.seat[data-seat="0"] .certificate')).to_have_count(2)
        expect(page.locator(".certificate[data-lost]")).to_have_count(0)
    play_out(host, friend)
    for page in (host, friend):
        result = page.get_by_role("region", name="Result")
        expect(result.locator("tr").filter(has_text="Bea").first).to_contain_text(MORE)
        expect(result).to_contain_text("does not count on a ladder")
    friend.get_by_role("link", name="Replay the match").click()
    expect(friend.locator('.seat[data-seat="1"] .certificate')).to_have_count(4)
    expect(friend.locator('.seat[data-seat="1"] [data-mark="handicap"]')).to_have_attribute("title", MORE)
