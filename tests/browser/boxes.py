"""Layout checks of a table's page, measured in the browser: overlapping, hidden or tiny elements."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

from tests.tiers import is_full

# Sizes of screens, and whether fingers touch them. 640x400 is a desktop of 1280x800 at a zoom of 200 %.
EVERY_SIZE: dict[str, tuple[int, int, bool]] = {
    "1280x800": (1280, 800, False),
    "1920x1080": (1920, 1080, False),
    "2560x1440": (2560, 1440, False),
    "640x400": (640, 400, False),
    "390x844": (390, 844, True),
    "360x640": (360, 640, True),
    "390x664": (390, 664, True),
    "844x390": (844, 390, True),
    "667x375": (667, 375, True),
    "820x1180": (820, 1180, True),
    "768x1024": (768, 1024, True),
}
# In the quick tier one desktop and one phone.
SIZES = {size: EVERY_SIZE[size] for size in (EVERY_SIZE if is_full() else ("1280x800", "390x844"))}


TRIES = 50
PAUSE = 100  # milliseconds between two tries
FIND_FAULTS = (Path(__file__).parent / "boxes.js").read_text()


def faults(page: Page, *, touch: bool) -> list[str]:
    """Return what is wrong in the layout of a table's page, in words; empty when all is well."""
    return lasting(page, lambda: page.evaluate(FIND_FAULTS, touch))


def lasting(page: Page, find: Callable[[], list[str]]) -> list[str]:
    """Return the faults that ``find`` still finds after five seconds; empty as soon as it finds none.

    On a busy machine things may still be moving, so only a fault that stays is one.
    """
    results: list[str] = []
    for _ in range(TRIES):
        results = find()
        if not results:
            break
        page.wait_for_timeout(PAUSE)
    return results


def names(count: int) -> list[str]:
    """Return names of people as they come: long ones, wide ones, short ones."""
    known = ["Christiaan van den Berg", "Wilhelmina WWWWWWWWWWWWW", "Bram", "MMMMMMMMMMMMMMMMMMMMMMMM", "Io", "Dirk"]
    return [known[place % len(known)] for place in range(count)]
