"""Writing a text in the workshop: completion, names, problems, versions and files, with keys and on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import VIEWPORTS, Visitor
from tests.browser.test_workshop import opened, text_of, write
from tests.running_site import RunningSite
from tests.tiers import tiered

TABLE = '[labels]\nROW = "Row of cards"\nTAKEN = "Cards"\n\n[hide]\nplaces = ["ROW"]\n'


def write_table(page: Page, text: str) -> None:
    page.get_by_role("tab", name="Words for the table").click()
    page.locator(".pane-words .cm-content").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(text)


def table_of(page: Page) -> str:
    return "\n".join(page.locator(".pane-words .cm-content > .cm-line").all_text_contents())


def put_cursor(page: Page, line: str, word: str) -> None:
    """Put the cursor before a word of a line, by keys."""
    page.locator(".pane-game .cm-line", has_text=line).first.click(position={"x": 1, "y": 8})
    page.keyboard.press("Home")
    page.keyboard.press("Home")
    shown = page.locator(".pane-game .cm-line", has_text=line).first.inner_text()
    for _ in range(shown.index(word)):
        page.keyboard.press("ArrowRight")


def selected(page: Page) -> str:
    found: str = page.evaluate("getSelection().toString()")
    return found


def command(page: Page, name: str) -> None:
    page.get_by_role("button", name="Edit").click()
    page.get_by_role("button", name=name).click()


# -- completion


def test_names_of_the_text_are_offered_where_they_may_stand(visitor: Visitor) -> None:
    page = opened(visitor, "/workshop/new/")
    offers = page.locator(".cm-tooltip-autocomplete li")
    page.locator(".cm-line", has_text="shuffle").click()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.keyboard.type("(do ((move (top (game vloc ")  # offered without asking: nothing but a name can follow
    expect(offers.first).to_contain_text("ROW")
    offers.first.click()
    page.keyboard.press("End")
    expect(page.locator(".cm-line").nth(8)).to_have_text("  (do ((move (top (game vloc ROW)))))")  # brackets as well
    write(page, "(game (setup (create players 2)) (do ((all player 'P (any ('P iloc HAND) 'C (move '")
    page.keyboard.press("Control+Space")
    expect(offers).to_have_text(["'C"])  # a card; 'P is a player
    page.keyboard.press("Escape")
    decks = "(create deck (game hloc S) (deck (SUIT (RED, BLUE)) (COLOR (PINK))))"
    write(page, f"(game (setup (create players 2) {decks}) (do (((== (cardatt SUIT (top (game hloc S))) ")
    page.keyboard.press("Control+Space")
    expect(offers.nth(0)).to_have_text("BLUE")
    expect(offers.nth(1)).to_have_text("RED")
    expect(offers.filter(has_text="PINK")).to_have_count(0)


def test_a_new_line_is_indented_as_the_formatter_does_it_and_brackets_are_shown(visitor: Visitor) -> None:
    page = opened(visitor, "/workshop/new/")
    write(page, "(game")
    for line in ("(setup", "(create players 2)"):
        page.keyboard.press("Enter")
        page.keyboard.insert_text(line)
    page.keyboard.insert_text(")")
    page.keyboard.press("Enter")
    page.keyboard.insert_text("(do ((set (game sto N) (+ (game sto N)")
    page.keyboard.press("Enter")
    page.keyboard.insert_text("1")
    assert text_of(page).splitlines() == [
        "(game",
        "  (setup",
        "    (create players 2))",
        "  (do ((set (game sto N) (+ (game sto N)",
        "                            1",
    ]
    page.keyboard.insert_text(")")
    expect(page.locator(".cm-matchingBracket")).to_have_text(["(", ")"])


# -- tooltips


def test_a_tooltip_says_what_a_word_means_and_escape_closes_it(visitor: Visitor) -> None:
    page = opened(visitor, "/workshop/new/")
    page.locator(".cm-line", has_text="shuffle").get_by_text("shuffle").hover()
    tooltip = page.locator(".cm-tooltip-hover")
    expect(tooltip).to_contain_text("Example: (shuffle (game vloc TABLE))")
    page.keyboard.press("Escape")  # also if the focus is elsewhere
    expect(tooltip).to_have_count(0)
    page.locator(".cm-line", has_text="shuffle").get_by_text("ROW").hover()
    expect(tooltip).to_contain_text("a place that everybody sees, of the table")


# -- on a phone, and with keys


@pytest.mark.parametrize("language", tiered(["en", "nl", "fr", "de"], lambda language: language == "de"))
def test_all_tabs_are_in_view_on_a_phone(visitor: Visitor, site: RunningSite, language: str) -> None:
    page = visitor(device="phone", reduced_motion=True)
    page.context.add_cookies([{"name": "django_language", "value": language, "url": site.url}])
    page.goto("/workshop/tutorial/")
    expect(page.locator("html")).to_have_attribute("lang", language)
    width, _ = VIEWPORTS["phone"]
    tabs = [tab for tab in page.get_by_role("tab").all() if tab.is_visible()]
    assert len(tabs) == 6
    tabs[-1].click()
    tabs[0].click()
    for tab in [tab for tab in page.get_by_role("tab").all() if tab.is_visible()]:
        box = tab.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["height"] >= 44
        assert tab.evaluate("(tab) => tab.scrollWidth <= tab.clientWidth && tab.scrollHeight <= tab.clientHeight")
