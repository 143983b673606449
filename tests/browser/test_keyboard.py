"""A match by keyboard alone: from the list of games to the result and the next match, without losing the focus."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from games import catalogue
from tests.browser.conftest import Visitor
from tests.browser.tables import READY
from tests.tiers import is_full, tiered

ALL = [game.name for provider in catalogue.providers[:2] for game in catalogue.listed(provider)]
QUICK = ("hamsterdam", "thief")
DECISIONS = 400 if is_full() else 12

# Where the focus is: in the controls, on the felt, or elsewhere, then with what it is on.
PLACE = """() => {
  const now = document.activeElement;
  if (now.closest(".controls")) return "controls";
  return now.closest(".felt") ? "felt" : `${now.tagName} ${now.className} ${now.textContent.slice(0, 30)}`;
}"""
# It is one's turn and the focus has come to something that can be pressed, or the match is over.
TURN = f"""() => {{
  if (document.querySelector(".result")?.checkVisibility()) return "over";
  const asks = document.querySelector(".room[data-mine] {READY} > button:enabled");
  return asks && document.activeElement.matches("button, [role=button]") ? "turn" : null;
}}"""


def tab_to(page: Page, selector: str, most: int = 150) -> None:
    """Press Tab until the focus is on an element."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab has not come to {selector}.")


# The focus is on a selected card: on which button it should be next, as there is nothing to gain by pressing it again.
NEXT = """() => {
  const moves = document.querySelector(".moves:not(.extra)");
  if (!moves.contains(document.activeElement) || !moves.querySelector("[data-kind=card]")) return "";
  return moves.querySelector("[data-kind=confirm]:enabled") ? "[data-kind=confirm]" : ":not([aria-pressed=true])";
}"""


def decide(page: Page) -> None:
    """Press what has the focus; where cards are selected first, go on to the next one or to the confirmation."""
    wanted = page.evaluate(NEXT)
    while wanted and not page.evaluate("(wanted) => document.activeElement.matches(wanted)", wanted):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")


@pytest.mark.parametrize("name", tiered(ALL, lambda name: name in QUICK))
def test_a_match_is_played_by_keyboard_alone(visitor: Visitor, name: str) -> None:
    page = visitor()
    page.goto("/games/")
    tab_to(page, f"form[action='/play/{name}/'] button")
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*/")
    expect(page.locator(f".room[data-mine] {READY} > button:enabled").first).to_be_visible()
    tab_to(page, ".moves:not(.extra) > .move")
    for _ in range(DECISIONS):
        page.wait_for_function(TURN)
        assert page.evaluate(PLACE) in ("controls", "felt")
        if page.evaluate(TURN) == "over":
            break
        decide(page)
    if is_full():
        assert page.evaluate(TURN) == "over"
        expect(page.locator(".extra > [data-kind=first]")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator(".result")).to_be_hidden()
        page.wait_for_function(TURN)
        assert page.evaluate(PLACE) in ("controls", "felt")
