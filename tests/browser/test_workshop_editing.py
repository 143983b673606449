"""Writing a text in the workshop: completion, names, problems, versions and files, with keys and on a phone."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import VIEWPORTS, Visitor
from tests.browser.test_axe import serious
from tests.browser.test_workshop import opened, text_of, write
from tests.running_site import RunningSite
from tests.tiers import full, tiered

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


# -- problems


def test_while_a_text_is_checked_no_old_verdict_is_shown_as_one(visitor: Visitor) -> None:
    page = opened(visitor, "/workshop/new/")
    expect(page.locator(".problems")).to_contain_text("No problems found")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/workshop/check/", hold)
    with page.expect_request("**/workshop/check/"):
        write(page, "(game\n  (mvoe))")
        expect(page.locator(".problems-head")).to_have_text("Checking …")
    expect(page.locator(".problems")).to_have_attribute("data-state", "old")
    held.pop().continue_()
    expect(page.locator(".problems")).to_contain_text("mvoe is no word")
    expect(page.locator("#panel-table")).to_contain_text("The text has errors. This is how it was before them.")

    page.keyboard.press("ControlOrMeta+Home")
    with page.expect_request("**/workshop/check/"):
        page.keyboard.insert_text(";; one more\n;; and another\n")
        expect(page.locator(".problems-head")).to_have_text("Checking …")
    page.locator(".problems").get_by_role("button", name="mvoe").click()  # listed for line 2, but it stands in line 4
    assert selected(page) == "mvoe"
    held.pop().abort()
    expect(page.locator(".problems-head")).to_contain_text("The server cannot be reached.")
    expect(page.locator(".problems")).to_have_attribute("data-state", "unknown")


WARNED = """(game
  (setup (create players 2) (create deck (game hloc STOCK) (deck (SUIT (RED, BLUE)))))
  (do ((inc (game sto COUNT) 1)))
  (do ((mvoe 1)))
  (scoring max (size (game hloc STOCK))))"""


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=full)])
def test_errors_and_warnings_differ_in_more_than_colour_and_f8_goes_from_one_to_the_next(
    visitor: Visitor, scheme: Literal["light", "dark"]
) -> None:
    page = opened(visitor, "/workshop/new/", scheme=scheme)
    write(page, WARNED.replace("  (do ((mvoe 1)))\n", "").replace("  (do", "  (do ((dec (game sto OTHER) 1)))\n  (do"))
    problems = page.locator(".problems")
    expect(problems).to_contain_text("2 warnings")
    look = "(node) => [getComputedStyle(node).textDecorationStyle, getComputedStyle(node).textDecorationColor]"
    line, colour = page.locator(".cm-lintRange-warning").first.evaluate(look)
    page.keyboard.press("ControlOrMeta+Home")
    seen = []
    for _ in range(3):
        page.keyboard.press("F8")
        seen.append(selected(page))
    assert seen == ["OTHER", "COUNT", "OTHER"]
    page.keyboard.press("Shift+F8")
    assert selected(page) == "COUNT"
    expect(page.locator(".keys")).to_contain_text("is set, but never read")
    expect(page.locator(".pane-game .cm-announced")).to_contain_text("is set, but never read")  # for screen readers
    assert serious(page) == []

    write(page, WARNED)
    expect(problems).to_contain_text("1 error")
    expect(problems.get_by_role("button", name="Error: ")).to_have_count(1)
    other_line, other_colour = page.locator(".cm-lintRange-error").first.evaluate(look)
    assert line != other_line
    assert colour != other_colour
    page.locator(".editor-title").click()
    page.keyboard.press("F8")  # also from elsewhere on the page
    assert selected(page) == "mvoe"
    expect(page.locator(".pane-game .cm-content")).to_be_focused()


def test_a_long_list_of_problems_scrolls_and_the_page_does_not(visitor: Visitor) -> None:
    page = opened(visitor, "/workshop/new/")
    write(page, "(game\n" + "  (do ((mvoe 1)))\n" * 20 + ")")
    expect(page.locator(".problems")).to_contain_text(re.compile(r"\d\d errors"))
    assert page.evaluate("document.scrollingElement.scrollHeight <= innerHeight")


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
