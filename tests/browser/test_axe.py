"""What axe-core finds on our pages: nothing serious, in either light."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from games import catalogue
from tests.browser.conftest import Visitor

PAGES = (
    "/",
    "/games/",
    "/privacy/",
    "/new/",
    "/rules/hamsterdam/",
    "/people/me/",
    "/people/register/",
    "/people/login/",
)


def serious(page: Page) -> list[str]:
    """Return what a person who needs a screen reader, a keyboard or contrast would stumble over."""
    found = Axe().run(page).response["violations"]
    return [f"{page.url}: {each['help']}" for each in found if each["impact"] in ("serious", "critical")]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_stumbles_over_the_pages(visitor: Visitor, scheme: Literal["light", "dark"]) -> None:
    page = visitor(scheme=scheme)
    for path in PAGES:
        page.goto(path)
        assert serious(page) == []


@pytest.mark.parametrize("device", ["desktop", "phone"])
@pytest.mark.parametrize("game", [game.name for game in catalogue.listed()])
def test_nobody_stumbles_over_a_table(visitor: Visitor, device: Literal["desktop", "phone"], game: str) -> None:
    page = visitor(device=device, reduced_motion=True)
    page.goto("/games/")
    page.locator(f"form[action='/play/{game}/'] button").click()
    expect(page).to_have_title(re.compile("Your turn"))
    assert serious(page) == []
