"""Whether the TV (``/tv/``) grows when it runs for a long time without anybody touching it.

A site with its house table, the TV in Chromium, and a person who opens public tables and plays there, so that the TV
changes between tables. Every few minutes the TV loses its connection for some seconds. Prints, for each minute, the
memory of its scripts after a garbage collection (MB), its elements, listeners and open tables so far, as JSON lines,
and at the end how much they grew from the second quarter of the time to the last one.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from statistics import mean
from typing import Any

from harness.running import ROOT, running_site
from playwright.sync_api import BrowserContext, Error, Page, sync_playwright

sys.path.insert(0, str(ROOT))
from tests.browser import chromium

GAMES = ("bundles", "kuhn", "hamsterdam", "enchere", "hearts")
A_MATCH = 150.0  # seconds after which the person leaves a match for another table
OFFLINE_EVERY, OFFLINE = 400.0, 20.0  # seconds
A_MINUTE = 60.0
FIGURES = {"JSHeapUsedSize": 1e6, "Nodes": 1, "JSEventListeners": 1}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    arguments = parser.parse_args()
    with (
        running_site("daphne", "sqlite", HOUSE_TABLE="1", BOT_PACE="1", REVEAL_PACE="1", RATE_LIMITS="0") as site,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=["--no-sandbox", "--disable-gpu"])
        url = f"http://127.0.0.1:{site.port}"
        wall = browser.new_context(base_url=url, viewport={"width": 1920, "height": 1080})
        tv = Tv(wall)
        person = PublicPlayer(browser.new_context(base_url=url))
        rows = run(tv, person, arguments.minutes)
        browser.close()
    quarter = max(1, len(rows) // 4)
    early, late = rows[quarter : 2 * quarter] or rows, rows[-quarter:]
    grown = {name: round(mean(row[name] for row in late) / mean(row[name] for row in early), 3) for name in FIGURES}
    print(json.dumps({"minutes": len(rows), "tables": rows[-1]["tables"], "grown": grown, "errors": tv.errors}))


def run(tv: Tv, person: PublicPlayer, minutes: float) -> list[dict[str, Any]]:
    """Let the TV run, and return its figures of each minute."""
    rows: list[dict[str, Any]] = []
    began = time.monotonic()
    offline = began + OFFLINE_EVERY
    while (now := time.monotonic()) < began + minutes * A_MINUTE:
        person.act()
        tv.note_table()
        if now > offline:
            tv.context.set_offline(True)
            offline = now + OFFLINE_EVERY
        elif tv.is_offline(offline - OFFLINE_EVERY + OFFLINE):
            tv.context.set_offline(False)
        if now > began + (len(rows) + 1) * A_MINUTE:
            rows.append(tv.figures())
            print(json.dumps(rows[-1]), flush=True)
    return rows


class Tv:
    """The TV's page."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.errors: list[str] = []
        self._page = context.new_page()
        self._page.on("pageerror", lambda error: self.errors.append(str(error)))
        self._page.goto("/tv/")
        self._cdp = context.new_cdp_session(self._page)
        self._cdp.send("Performance.enable")
        self._table = ""
        self._tables = 0

    def note_table(self) -> None:
        """Count the tables that were shown, one after the other."""
        table = self._page.locator(".tv-join").get_attribute("href") or ""
        self._tables += table != self._table
        self._table = table

    def is_offline(self, until: float) -> bool:
        """Whether the connection was taken away, and it is time to give it back."""
        return time.monotonic() > until and not self._page.evaluate("navigator.onLine")

    def figures(self) -> dict[str, Any]:
        self._cdp.send("HeapProfiler.collectGarbage")
        metrics = {one["name"]: one["value"] for one in self._cdp.send("Performance.getMetrics")["metrics"]}
        figures = {name: round(metrics[name] / unit, 2) for name, unit in FIGURES.items()}
        state = self._page.locator(".tv-state").inner_text()
        return figures | {"tables": self._tables, "state": state}


class PublicPlayer:
    """A person who plays at one public table after the other, with the key 1."""

    def __init__(self, context: BrowserContext) -> None:
        context.add_init_script("localStorage.tips ??= 'no'")
        context.set_default_timeout(120_000)  # the machine may be busy with something else
        self._page: Page = context.new_page()
        self._tables = 0
        self._leaves = 0.0

    def act(self) -> None:
        """Open a table, or press a key at it."""
        try:
            if time.monotonic() > self._leaves:
                self._open()
            self._page.keyboard.press("1")
            self._page.wait_for_timeout(700)
            if self._page.get_by_role("region", name="Result").is_visible():
                self._leaves = 0.0
                self._page.wait_for_timeout(20_000)
        except Error as error:  # a page that was slow: another table, then
            print(str(error).splitlines()[0], file=sys.stderr)
            self._leaves = 0.0

    def _open(self) -> None:
        self._page.goto("/games/", wait_until="domcontentloaded")
        self._page.locator(f"form[action='/play/{GAMES[self._tables % len(GAMES)]}/'] button").first.click()
        self._page.wait_for_url("**/t/*/", wait_until="domcontentloaded")
        self._tables += 1
        self._leaves = time.monotonic() + A_MATCH


if __name__ == "__main__":
    main()
