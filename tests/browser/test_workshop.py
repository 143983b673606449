"""The workshop's editor in a real browser: what is typed is kept, read, marked, shown and explained."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitor
from tests.browser.test_axe import serious
from tests.running_site import RunningSite
from tests.tiers import full


def opened(visitor: Visitor, path: str, **how: object) -> Page:
    page = visitor(reduced_motion=True, **how)
    page.goto(path)
    expect(page.locator(".problems[data-state]")).to_be_visible()
    return page


def write(page: Page, text: str) -> None:
    """Put a text in place of what is in the editor, as a person who pastes it."""
    page.locator(".pane-game .cm-content").focus()  # a click would wait for a tooltip that lies over its middle
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(text)


def text_of(page: Page) -> str:
    """Return the text of the game. Lines of another version, which are shown above those that differ, are left out."""
    return "\n".join(page.locator(".pane-game .cm-content > .cm-line").all_text_contents())


def test_what_is_wrong_with_a_text_is_said_in_the_language_of_the_page(visitor: Visitor, site: RunningSite) -> None:
    page = visitor(reduced_motion=True)
    page.context.add_cookies([{"name": "django_language", "value": "de", "url": site.url}])
    page.goto("/workshop/new/")
    problems = page.locator(".problems")
    expect(problems).to_contain_text("spielbar")
    write(page, "(game (setup (create players 2) (mvoe 1))")
    expect(problems).to_contain_text("Diese Klammer wird nirgends geschlossen.")
    write(
        page, "(game (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, B)))))\n(do ((mvoe 1))))"
    )
    expect(problems).to_contain_text("kein Wort der Sprache.")
    expect(problems).to_contain_text("Meintest du move?")
    expect(problems).to_contain_text("Zeile 2")


@full
def test_what_follows_from_a_text_stands_beside_it_and_what_is_wrong_under_it(visitor: Visitor) -> None:
    page = opened(visitor, "/workshop/new/")
    problems, table = page.locator(".problems"), page.locator("#panel-table")
    expect(problems).to_contain_text("No problems found")
    expect(table.locator(".felt .seat")).to_have_count(3)
    page.get_by_role("button", name="One move forward").click()
    expect(table.locator(".look-count")).to_have_text("1 / 12")
    expect(table.locator(".look-caption")).to_contain_text(re.compile("take", re.IGNORECASE))
    table.get_by_role("combobox", name="Players").select_option("4")
    expect(table.locator(".felt .seat")).to_have_count(4)
    page.get_by_role("tab", name="Who sees what").click()
    expect(page.get_by_role("row", name=re.compile("Row"))).to_contain_text("all")
    page.get_by_role("tab", name="Rules").click()
    expect(page.locator("#panel-rules")).to_contain_text("2 to 4 players")

    page.locator(".cm-line", has_text="shuffle").click()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.keyboard.insert_text("(do ((mvoe 1 2)))")
    expect(problems).to_have_attribute("data-state", "error")
    expect(problems).to_contain_text("Did you mean move?")
    expect(page.locator(".cm-lintRange-error").first).to_be_visible()
    expect(page.locator("#panel-rules")).to_contain_text("The text has errors. This is how it was before them.")
    problems.get_by_role("button").first.click()
    page.keyboard.insert_text("undone")  # what is wrong is marked, so it is written over
    expect(page.locator(".pane-game .cm-content")).not_to_contain_text("mvoe")


def test_a_text_is_typed_with_help_and_by_keys_alone_and_is_not_lost(visitor: Visitor) -> None:
    page = opened(visitor, "/workshop/new/")
    write(page, "(game (setup (create players 2)) (do ((move (top (game vloc ROW)) ")
    page.keyboard.press("Control+Space")
    offers = page.locator(".cm-tooltip-autocomplete li")
    expect(offers).to_have_text(["bottom PLACE", "NUMBER PLACE", "top PLACE"])  # where a card can go
    page.keyboard.press("Escape")
    write(page, "(game (setup (create players 2)) (do (")
    page.keyboard.type("(shuf")
    offers.filter(has_text="shuffle CARDS").first.click()
    expect(page.locator(".pane-game .cm-content")).to_contain_text("(shuffle CARDS)")
    page.keyboard.press("Escape")
    write(page, "(game(setup(create players 2)))")
    page.keyboard.press("Shift+Alt+F")
    expect(page.locator(".editor-status")).to_have_text("The text is formatted.")
    expect(page.locator(".cm-line").nth(2)).to_have_text("(create players 2)))")  # the editor may draw it later
    assert text_of(page) == "(game\n  (setup\n    (create players 2)))\n"

    page.locator(".cm-line").first.click()
    page.keyboard.press("Tab")
    expect(page.locator(".cm-line").first).to_have_text("  (game")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(page.locator(".pane-game .cm-content")).not_to_be_focused()

    expect(page.locator(".problems")).to_contain_text("3 errors")  # of which two go over this line
    page.locator(".cm-line").nth(1).click(position={"x": 50, "y": 8})
    expect(page.locator(".keys code")).to_have_text("(setup (create players 4) (create deck PLACE (deck ...)) ...)")
    page.mouse.move(5, 5)
    expect(page.locator(".cm-tooltip-hover")).to_have_count(0)  # what is wrong with the second line lay over the first
    page.locator(".cm-line").first.hover(position={"x": 40, "y": 8})
    expect(page.locator(".meaning")).to_contain_text("The whole text")

    write(page, "(game " * 170_000)
    expect(page.locator(".editor-status")).to_contain_text("That would be 1020000 characters. A text may have")
    page.keyboard.press("ArrowRight")
    page.keyboard.insert_text(";; more " + "more " * 20_000)
    expect(page.locator(".problems")).to_contain_text("A text may have at most 65536 characters.")
    page.keyboard.press("ControlOrMeta+z")
    page.keyboard.press("End")
    page.keyboard.insert_text(" ")

    expect(page.locator(".editor-status")).to_contain_text("Kept in this browser")
    page.reload()
    expect(page.locator(".editor-status")).to_contain_text("Your draft from")
    assert text_of(page).startswith("  (game\n  (setup")
    page.get_by_role("button", name="Start over").click()
    expect(page.locator(".problems")).to_contain_text("No problems found")


@full
def test_a_text_is_saved_from_two_tabs_and_neither_is_lost(visitor: Visitor) -> None:
    first = opened(visitor, "/workshop/new/?pattern=partners")
    status = first.locator(".editor-status")
    first.get_by_role("button", name="Save").click()
    expect(status).to_contain_text("Saved as version 1.")
    expect(first).to_have_url(re.compile(r"/workshop/\w{8}/edit/$"))
    second = first.context.new_page()
    second.goto(first.url)
    expect(second.locator(".editor-status")).to_have_text("Version 1.")
    for page, mark in ((first, "First"), (second, "Second")):
        page.locator(".cm-line").first.click()
        page.keyboard.press("End")
        page.keyboard.insert_text(f" {mark}")
        page.keyboard.press("ControlOrMeta+s")
    expect(status).to_contain_text("Saved as version 2.")
    second.get_by_role("button", name="Take all of mine, and save").click()
    expect(second.locator(".editor-status")).to_contain_text("Saved as version 3.")
    assert "Second" in text_of(second)
    second.get_by_role("button", name="Try it").click()
    expect(second).to_have_url(re.compile("/t/"))
    second.goto("/workshop/abcdefgh/edit/")
    expect(second.locator(".editor-gone")).to_contain_text("no such game")


@full
@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_no_page_of_the_workshop_has_a_serious_violation(visitor: Visitor, device: Literal["desktop", "phone"]) -> None:
    page = opened(visitor, "/workshop/new/?pattern=bidding", device=device, scheme="dark")
    page.get_by_role("tab", name="Table", exact=True).click()
    expect(page.locator(".felt .seat").first).to_be_visible()
    assert serious(page) == []
    for tab in ("Rules", "Who sees what"):
        page.get_by_role("tab", name=tab).click()
    assert serious(page) == []
    page.goto("/workshop/tutorial/")
    expect(page.locator(".lesson-title")).to_be_visible()
    assert serious(page) == []
    page.goto("/workshop/patterns/")
    assert serious(page) == []


def test_a_lesson_is_gone_through_on_a_phone(visitor: Visitor) -> None:
    page = visitor(device="phone", reduced_motion=True)
    page.goto("/workshop/tutorial/")
    goals = page.locator(".lesson-goals li")
    expect(page.locator(".lesson-title")).to_have_text("1. Cards in hands")
    expect(goals).to_have_count(4)
    expect(page.locator(".lesson-goals li[data-done]")).to_have_count(0)
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".lesson-goals li[data-done]")).to_have_count(4)
    expect(page.locator(".lesson-praise")).to_contain_text("Done")
    page.get_by_role("button", name="Next lesson").click()
    expect(page.locator(".lesson-title")).to_have_text("2. A trick")
    page.get_by_role("tab", name="Table", exact=True).click()
    expect(page.locator("#panel-table .felt .seat")).to_have_count(3)
    page.get_by_role("tab", name="Text").click()
    expect(page.locator(".pane-game .cm-content")).to_be_visible()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".editor-status")).to_contain_text("Saved as version 1.")
    page.reload()
    expect(page.locator(".editor-status")).to_have_text("Version 1.")
    page.get_by_role("tab", name="Text").click()
    assert "(create players 3)" in text_of(page)
