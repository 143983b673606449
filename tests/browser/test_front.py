"""The front of the house: the light, the phone, and every form without a script."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Visitor
from tests.running_site import RunningSite

PAGES = [
    "/",
    "/games/",
    "/privacy/",
    "/new/",
    "/rules/hamsterdam/",
    "/people/me/",
    "/people/register/",
    "/people/login/",
    "/gone",
]


def test_the_light_somebody_chose_is_there_before_the_first_paint_of_the_next_page(visitor: Visitor) -> None:
    page = visitor(scheme="light")
    page.goto("/")
    day = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Switch to lamplight").click()
    evening = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert evening != day
    # What the page looks like when its body begins: no module has run yet.
    page.add_init_script(
        """new MutationObserver((_, observer) => {
             if (!document.body) return;
             window.firstLight = document.documentElement.dataset.theme;
             observer.disconnect();
           }).observe(document, { childList: true, subtree: true });"""
    )
    page.goto("/games/")
    assert page.evaluate("window.firstLight") == "lamplight"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == evening
    expect(page.get_by_role("button", name="Switch to daylight")).to_be_visible()


@pytest.mark.parametrize("address", PAGES)
def test_no_page_scrolls_sideways_on_a_phone(visitor: Visitor, address: str) -> None:
    page = visitor(device="phone")
    page.goto(address)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_first_tab_skips_to_the_content(visitor: Visitor) -> None:
    page = visitor()
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_a_visitor_without_scripts_plays_now_takes_a_name_and_registers(browser: Browser, site: RunningSite) -> None:
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("button", name="Play now", exact=True).click()
    page.wait_for_url("**/t/*/")
    page.goto("/people/me/")
    expect(page.get_by_role("listitem").filter(has_text="Hamsterdam Exchange")).to_be_visible()
    page.get_by_label("What others call you").fill("Saskia <b>")
    page.get_by_role("button", name="Change", exact=True).click()
    expect(page.get_by_role("heading", name="Saskia <b>")).to_be_visible()
    page.get_by_role("link", name="Register", exact=True).click()
    page.get_by_label("Username").fill("saskia")
    page.get_by_label("Password", exact=True).fill("three tulips, one canal")
    page.get_by_label("Password confirmation").fill("three tulips, one canal")
    page.get_by_role("button", name="Register").click()
    expect(page.get_by_text("Registered as saskia")).to_be_visible()
    context.close()


def test_a_form_with_a_mistake_says_so_and_keeps_what_was_typed(visitor: Visitor) -> None:
    page = visitor(device="phone")
    page.goto("/new/")
    page.get_by_label("Your name").fill("Joost")
    page.get_by_label("Seat 2").select_option(label="Me")
    page.get_by_role("button", name="Set the table").click()
    expect(page.get_by_text("You can take one seat")).to_be_visible()
    expect(page.get_by_label("Your name")).to_have_value("Joost")
