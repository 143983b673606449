"""Writing a text in the workshop: completion, names, problems, versions and files, with keys and on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import VIEWPORTS, Visitor
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
