"""The search for the numbers of a text in a browser: its author chooses, and makes a candidate the next version."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Visitor
from tests.games.lab.test_tuning import BONUS
from tests.patience import PATIENCE

SAVE = """async (source) => {
  const token = document.cookie.match(/csrftoken=([^;]+)/)[1];
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
  const answer = await fetch("/workshop/save/", { method: "POST", headers, body: JSON.stringify({ source }) });
  return (await answer.json()).code;
}"""


def test_the_number_of_turns_is_tuned_by_keyboard(visitor: Visitor) -> None:
    page = visitor("phone")
    page.goto("/workshop/new/")
    page.goto(f"/workshop/{page.evaluate(SAVE, BONUS)}/")
    page.get_by_role("button", name="Choose numbers").press("Enter")
    bonus = page.get_by_role("checkbox", name="(declare 12 'BONUS)")
    expect(bonus).to_be_focused()
    page.keyboard.press("Space")
    expect(bonus).not_to_be_checked()
    page.get_by_role("checkbox", name="Seat advantage").uncheck()
    page.get_by_role("spinbutton", name="length: target").fill("6")
    page.get_by_role("spinbutton", name="length: ±").fill("0.5")
    page.get_by_role("button", name="Search").press("Enter")
    best = page.get_by_role("row").filter(has_text="best")
    expect(best).to_have_count(1, timeout=PATIENCE * 1000)
    make = best.get_by_role("button", name="Make this the next version")
    expect(make).to_have_count(1, timeout=PATIENCE * 1000)
    expect(best.get_by_role("rowheader")).to_have_text("6")
    expect(page.get_by_role("img", name="Decisions")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    make.press("Enter")
    page.wait_for_url("**version=2")
    expect(page.get_by_text("Version 2, saved")).to_be_visible()
