"""A player of a match of two resigns, and everybody sees the end of it, also after a reload."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Visitor
from tests.browser.tables import set_table, sit_down, start

SHOWN_TO_ANNA = "You have resigned: Bob wins"
SHOWN_TO_BOB = "Anna has resigned: you win"
SHOWN_TO_SPECTATORS = "Anna has resigned: Bob wins"  # and in replays


def test_a_player_resigns_and_the_last_position_stays(visitor: Visitor) -> None:
    anna, bob, spectator = visitor(), visitor(device="phone"), visitor()
    address = set_table(anna, "hamsterdam", ("open", "none"))
    sit_down(bob, address, "Bob")
    spectator.goto(address)
    start(anna, bob, spectator)
    anna.get_by_label("Menu", exact=True).click()
    anna.get_by_role("button", name="Resign …").click()
    dialog = anna.get_by_role("dialog")
    expect(dialog).to_contain_text("The match ends now, and Bob wins.")
    dialog.get_by_role("button", name="Cancel").click()
    expect(bob.locator(".result")).to_be_hidden()
    anna.get_by_label("Menu", exact=True).click()
    anna.get_by_role("button", name="Resign …").click()
    dialog.get_by_role("button", name="Resign", exact=True).click()
    shown = ((anna, SHOWN_TO_ANNA), (bob, SHOWN_TO_BOB), (spectator, SHOWN_TO_SPECTATORS))
    for page, sentence in shown:
        expect(page.locator(".result h2")).to_have_text(sentence)
    expect(bob.locator(".result")).to_contain_text("You win.")
    for page, sentence in shown:
        page.reload()
        result = page.locator(".result")
        expect(result.locator("h2")).to_have_text(sentence)
        expect(result.get_by_role("columnheader", name="Score")).to_have_count(0)
        expect(result.get_by_role("row").nth(1)).to_have_text(re.compile(r"^Bob\b.*1$", re.DOTALL), use_inner_text=True)
        expect(result.get_by_role("row").nth(2)).to_have_text(
            re.compile(r"^Anna\b.*0$", re.DOTALL), use_inner_text=True
        )
        result.get_by_role("button", name="Close the result").click()
        expect(page.locator(".felt .zone [data-piece]").first).to_be_visible()
        expect(page.get_by_label("Your moves").get_by_role("button")).to_have_count(0)
    anna.get_by_label("Menu", exact=True).click()
    expect(anna.get_by_role("button", name="Resign …")).to_be_hidden()
    bob.get_by_role("link", name="Replay the match").click()
    bob.get_by_role("button", name="Go to the end").click()
    expect(bob.locator(".prompt")).to_contain_text(SHOWN_TO_SPECTATORS)


def test_with_more_seats_nobody_can_resign(visitor: Visitor) -> None:
    anna, bob = visitor(), visitor()
    sit_down(bob, set_table(anna, "hamsterdam", ("open", "house")), "Bob")
    start(anna, bob)
    anna.get_by_label("Menu", exact=True).click()
    expect(anna.get_by_role("button", name="End the match …")).to_be_visible()
    expect(anna.get_by_role("button", name="Resign …")).to_be_hidden()
