"""A person takes back a move: alone with bots at once, else when the others agree."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitor
from tests.browser.tables import MOVE, READY, move, set_table, sit_down, start

MINE = f".room[data-mine] {READY}"


def ask_to_take_back(page: Page) -> None:
    page.get_by_label("Menu", exact=True).click()
    page.get_by_role("button", name="Take back my last move").click()
    page.get_by_role("dialog").get_by_role("button", name="Take back").click()


def test_a_move_is_taken_back_when_the_other_person_agrees(visitor: Visitor) -> None:
    pages = {"Anna": visitor(), "Bob": visitor(device="phone")}
    anna, bob = pages.values()
    sit_down(bob, set_table(anna, "bundles", ("open",)), "Bob")
    start(anna, bob)
    expect(anna.locator(".prompt")).to_contain_text("card")
    mover = "Anna" if anna.locator(MINE).count() else "Bob"
    asker, other = pages[mover], pages["Bob" if mover == "Anna" else "Anna"]
    expect(asker.locator(MINE)).to_be_visible()
    hand = asker.locator(MOVE).all_inner_texts()
    move(asker)
    expect(asker.locator(MINE)).to_have_count(0)
    ask_to_take_back(asker)
    expect(asker.get_by_role("button", name="Keep my move")).to_be_visible()
    other.get_by_role("button", name="Keep the move").click()
    expect(asker.get_by_role("button", name="Keep my move")).to_have_count(0)
    # The second time, the other one agrees.
    ask_to_take_back(asker)
    other.get_by_role("button", name=f"Agree: {mover} takes back the last decision").click()
    other.get_by_role("dialog").get_by_role("button", name="Take back").click()
    expect(asker.locator(MINE)).to_be_visible()
    assert asker.locator(MOVE).all_inner_texts() == hand
    expect(other.get_by_role("status", name="News from the table")).to_contain_text("A move was taken back.")


def test_alone_with_bots_it_is_practice(visitor: Visitor) -> None:
    page = visitor()
    set_table(page, "bundles", ("house",))
    start(page)
    expect(page.locator(MINE)).to_be_visible()
    hand = page.locator(MOVE).all_inner_texts()
    move(page)
    expect(page.locator(MOVE)).to_have_count(len(hand) - 1)  # the bot has played
    ask_to_take_back(page)
    expect(page.locator(MOVE)).to_have_count(len(hand))
    assert page.locator(MOVE).all_inner_texts() == hand
