"""Accessibility: axe-core finds no serious problem on our pages, in either colour scheme."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import GAMES, PAGES, Visitor
from tests.browser.tables import play_now
from tests.tiers import full, tiered

QUICK_TABLES = [("hamsterdam", "phone"), ("hearts", "desktop")]
STILL = """() => document.getAnimations().every((each) =>
  each.playState !== "running" || each.effect.getComputedTiming().endTime === Infinity)"""


def serious(page: Page) -> list[str]:
    """Return axe's serious and critical violations on a page, once no animation runs."""
    page.wait_for_function(STILL)  # what is fading in has less contrast than it will have
    violations = [each for each in Axe().run(page).response["violations"] if each["impact"] in ("serious", "critical")]
    return [f"{page.url}: {each['help']}: {[node['html'] for node in each['nodes']]}" for each in violations]


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=full)])
def test_no_page_has_a_serious_violation(visitor: Visitor, scheme: Literal["light", "dark"]) -> None:
    page = visitor(scheme=scheme)
    for path in PAGES:
        page.goto(path)
        assert serious(page) == []


@pytest.mark.parametrize(
    ("game", "device"),
    tiered([(game, device) for game in GAMES for device in ("desktop", "phone")], lambda case: case in QUICK_TABLES),
)
def test_no_table_has_a_serious_violation(visitor: Visitor, device: Literal["desktop", "phone"], game: str) -> None:
    page = visitor(device=device, reduced_motion=True)
    play_now(page, game)
    expect(page).to_have_title(re.compile("Your turn"))
    assert serious(page) == []
