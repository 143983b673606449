"""What people say after a match: by keyboard, never in the way, and about a step of the replay."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import VIEWPORTS, Visitor
from tests.browser.tables import play_out, set_table

IN_VIEW = """(node) => {
  const { left, top, right, bottom } = node.getBoundingClientRect();
  const under = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && node.contains(under);
}"""


def end_a_match(page: Page) -> None:
    """Play a short match with bots to its end."""
    set_table(page, "agram", ("easy", "easy"))
    page.get_by_role("button", name="Start the match").click()
    play_out(page)


def questions(page: Page) -> Locator:
    """The part of the result with the questions."""
    return page.locator(".result .opinion")


def unfold(page: Page) -> None:
    """Open the questions by keyboard, where they are folded because the panel has no room."""
    if questions(page).get_attribute("open") is None:
        page.locator(".opinion > summary").focus()
        page.keyboard.press("Enter")


def rate(page: Page, question: str) -> str:
    """Return the number that is pressed."""
    return page.get_by_role("group", name=question).locator("[aria-pressed=true]").inner_text()


@pytest.mark.parametrize("device", VIEWPORTS)
def test_a_player_answers_by_keyboard_and_finds_the_answer_again(visitor: Visitor, device: str) -> None:
    page = visitor(device)
    end_a_match(page)
    expect(questions(page)).to_be_visible()
    again = page.get_by_role("button", name="Play again")
    assert again.evaluate(IN_VIEW)
    assert page.locator(".result .opinion summary").first.evaluate(IN_VIEW)
    unfold(page)
    page.get_by_role("group", name="Was it fun?").get_by_role("button", name="1", exact=True).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Stored. Thank you.")).to_be_visible()
    assert rate(page, "Was it fun?") == "2"
    page.get_by_role("group", name="Was it fair?").get_by_role("button", name="1", exact=True).focus()
    with page.expect_response("**/opinion/"):
        page.keyboard.press("5")  # elsewhere on the page it presses the fifth button of the controls
    assert rate(page, "Was it fair?") == "5"
    assert page.locator(".result").is_visible()
    page.locator(".opinion .fold summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("Too short: 1 round.")
    page.keyboard.press("Tab")
    with page.expect_response("**/opinion/"):
        page.keyboard.press("Enter")
    page.reload()
    expect(questions(page)).to_be_visible()
    unfold(page)
    assert (rate(page, "Was it fun?"), rate(page, "Was it fair?")) == ("2", "5")
    expect(page.locator(".opinion textarea")).to_have_value("Too short: 1 round.")


def test_a_game_of_the_site_is_asked_about_once_a_day_and_nobody_who_declines_is_asked_again(
    visitor: Visitor,
) -> None:
    page = visitor()
    end_a_match(page)
    expect(questions(page)).to_be_visible()
    page.reload()
    expect(questions(page)).to_be_visible()  # about the same match
    with page.expect_response("**/opinion/"):
        page.get_by_role("button", name="Play again").click()
        expect(page.locator(".result")).to_be_hidden()  # the next match has begun
        play_out(page)
    expect(questions(page)).to_be_hidden()
    page.evaluate("localStorage.removeItem('opinions')")
    page.reload()
    expect(questions(page)).to_be_visible()
    unfold(page)
    page.get_by_role("button", name="Do not ask again").click()
    expect(questions(page)).to_be_hidden()
    page.reload()
    expect(page.locator(".result")).to_be_visible()
    expect(questions(page)).to_be_hidden()


def test_a_player_writes_a_note_about_a_step_of_the_replay(visitor: Visitor) -> None:
    page = visitor()
    end_a_match(page)
    page.get_by_role("link", name="Replay the match").click()
    page.get_by_role("slider", name="Move").fill("2")
    page.get_by_role("button", name="Note for the designer").click()
    dialog = page.get_by_role("dialog", name="A note about move 2")
    dialog.get_by_label("A note for the designer").fill("I had no choice here.")
    dialog.get_by_role("button", name="Send the note").click()
    expect(dialog).to_be_hidden()
    page.get_by_role("slider", name="Move").fill("3")
    page.get_by_role("button", name="Note for the designer").click()
    expect(page.get_by_role("dialog")).to_contain_text("Yours is about move 2.")
    stranger = visitor()
    stranger.goto(page.url)
    expect(stranger.get_by_role("button", name="Copy link to this step")).to_be_visible()
    expect(stranger.get_by_role("button", name="Note for the designer")).to_be_hidden()
