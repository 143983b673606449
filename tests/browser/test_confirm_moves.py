"""People who want to confirm their moves send none with a single tap."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitor
from tests.browser.tables import MOVE, READY, set_table, start


def begin(page: Page, when: str) -> list[str]:
    """Begin a match with a bot, and choose when moves are to be confirmed. Return the moves there are."""
    set_table(page, "bundles", ("house",))
    start(page)
    expect(page.locator(f".room[data-mine] {READY}")).to_be_visible()
    menu = page.get_by_label("Menu", exact=True)
    menu.click()
    page.get_by_label("Confirm moves").select_option(when)
    menu.click()
    return page.locator(MOVE).all_inner_texts()


def test_a_move_is_sent_when_it_is_confirmed(visitor: Visitor) -> None:
    page = visitor()
    moves = begin(page, "always")
    prompt = page.locator("#prompt")
    page.locator(MOVE).first.click()
    expect(prompt).to_have_text("Confirm your move")
    expect(page.locator(MOVE)).to_have_count(2)  # the move, and back
    page.keyboard.press("Escape")
    expect(page.locator(MOVE)).to_have_count(len(moves))
    page.keyboard.press("2")
    expect(prompt).to_have_text("Confirm your move")
    page.locator(MOVE).first.click()
    expect(page.locator(MOVE)).to_have_count(len(moves) - 1)
    page.reload()
    expect(page.get_by_label("Confirm moves")).to_have_value("always")


def test_on_touch_screens_only_a_phone_asks(visitor: Visitor) -> None:
    phone, desktop = visitor(device="phone"), visitor()
    moves = begin(phone, "touch")
    phone.locator(MOVE).first.click()
    expect(phone.locator("#prompt")).to_have_text("Confirm your move")
    phone.get_by_role("button", name="Undo").click()
    expect(phone.locator(MOVE)).to_have_count(len(moves))
    moves = begin(desktop, "touch")
    desktop.locator(MOVE).first.click()
    expect(desktop.locator(MOVE)).to_have_count(len(moves) - 1)
