"""What browsers measure at a running site.

    python -m bench.browser visits [PAGE ...]   how long a first visit takes on a phone with a slow connection
    python -m bench.browser tv                  whether the TV grows when it runs for an hour

``COMMAND --help`` describes a command.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, median
from typing import Any

from playwright.sync_api import BrowserContext, CDPSession, Error, Page, Playwright, sync_playwright

from bench.harness.command import Commands, show
from bench.harness.running import ROOT, Site, free_port, running_site
from tests.browser import chromium

# -- visits

WIDTH, HEIGHT, PIXELS = 412, 823, 1.75  # Lighthouse's phone
SLOWER = 4  # times: the processor, as in Lighthouse
ROUND_TRIP = 400  # milliseconds
BYTES_A_SECOND = 400_000 / 8
QUIET = 3.0  # seconds without a request, after which a page is complete
PATIENCE = 60.0

# Watches a page from its first moment: paints, shifts, long tasks, and when the first turn is there.
WATCH = """(() => {
  const seen = (window.firstVisit = { shifts: [], tasks: [], painted: 0, largest: 0, what: "", turn: 0 });
  const called = (node) => `${node?.localName ?? node?.nodeName}.${node?.className?.baseVal ?? node?.className ?? ""}`;
  const on = (type, note) => {
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  };
  on("paint", (entry) => entry.name === "first-contentful-paint" && (seen.painted = entry.startTime));
  on("largest-contentful-paint", ({ startTime, element }) => {
    Object.assign(seen, { largest: startTime, what: called(element) });
  });
  on("longtask", (entry) => seen.tasks.push([entry.startTime, entry.duration]));
  on("layout-shift", ({ startTime, value, sources, hadRecentInput }) => {
    if (!hadRecentInput) seen.shifts.push([startTime, value, sources.map(({ node }) => called(node))]);
  });
  const look = () => {
    if (document.querySelector(FIRST_TURN)) seen.turn = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()"""
TO_PLAY = '.room[data-mine] .moves:not(.extra):not([aria-disabled]) button, .room[data-mine] .felt [role="button"]'
TO_WATCH = ".felt [data-piece]"
NO_TURN = "no-such-thing"
# By name: the address, or the game whose table is opened; and the selector of the first turn.
PAGES = {
    "front": ("/", NO_TURN),
    "games": ("/games/", NO_TURN),
    "rules": ("/rules/hamsterdam/", NO_TURN),
    "new": ("/new/", NO_TURN),
    "me": ("/people/me/", NO_TURN),
    "workshop": ("/workshop/", NO_TURN),
    "edit": ("/workshop/new/", NO_TURN),
    "lab": ("/lab/", NO_TURN),
    "watch": ("the house table", TO_WATCH),
    "play": ("hamsterdam", TO_PLAY),
    "board": ("thief", TO_PLAY),
    "replay": ("a match at the house table", TO_WATCH),
}


def visits(arguments: argparse.Namespace) -> dict[str, Any]:
    """How long a first visit takes on a phone with a slow connection.

    Each page is opened with an empty cache in Chromium, as wide as a phone, on a processor four times as slow and a
    connection of 400 ms round trip and 400 kbit/s. It counts requests and bytes received; it measures the first and the
    largest paint, the cumulative layout shift (``shift``), how long the page is blocked (``blocked_ms``), and at tables
    when the first turn is there: for a player, something to press; for a spectator, cards or pieces.
    """
    if unknown := set(arguments.pages) - set(PAGES):
        raise SystemExit(f"There is no page {', '.join(sorted(unknown))}; there are {', '.join(PAGES)}.")
    figures: dict[str, dict[str, Any]] = {}
    path = chromium.find()
    with contextlib.ExitStack() as stack:
        playwright = stack.enter_context(sync_playwright())
        folders = {"here": ROOT} | ({"old": arguments.old.resolve()} if arguments.old else {})
        sites = {
            name: stack.enter_context(opened(playwright, path, folder, arguments)) for name, folder in folders.items()
        }
        for page in arguments.pages or PAGES:
            rounds: dict[str, list[dict[str, Any]]] = {name: [] for name in sites}
            for _ in range(arguments.times):
                for name, site in sites.items():
                    rounds[name].append(site.visit(page))
            figures[page] = {name: summary(each, arguments.shifts) for name, each in rounds.items()}
            if arguments.lighthouse:
                for name, site in sites.items():
                    figures[page][name]["lighthouse"] = site.lighthouse(page, shlex.split(arguments.lighthouse))
            print(page, json.dumps(figures[page]), file=sys.stderr)
    return figures


@contextlib.contextmanager
def opened(playwright: Playwright, path: str, folder: Path, arguments: argparse.Namespace) -> Iterator[VisitedSite]:
    """Run a site of that checkout, and a browser to visit it with."""
    with (
        running_site(arguments.server, "sqlite", root=folder, HOUSE_TABLE="1", BOT_PACE="1", REVEAL_PACE="1") as site,
        tempfile.TemporaryDirectory() as profile,
    ):
        port = free_port()
        context = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=path,
            args=["--no-sandbox", "--disable-gpu", f"--remote-debugging-port={port}"],
            viewport={"width": WIDTH, "height": HEIGHT},
            device_scale_factor=PIXELS,
            is_mobile=True,
            has_touch=True,
            locale=arguments.language,
            service_workers="block",
        )
        yield VisitedSite(site, context, port, arguments)
        context.close()


class VisitedSite:
    """A running site, and a visitor's browser."""

    def __init__(self, site: Site, context: BrowserContext, port: int, arguments: argparse.Namespace) -> None:
        self._url = f"http://127.0.0.1:{site.port}"
        self._context = context
        self._port = port
        self._arguments = arguments
        self._addresses: dict[str, str] = {}

    def address(self, name: str) -> str:
        """Return the address of a page; for a table, of one whose match has begun and waits for this visitor."""
        if name not in self._addresses:
            self._addresses[name] = self._find(name)
        return self._addresses[name]

    def _find(self, name: str) -> str:
        what, first_turn = PAGES[name]
        if what.startswith("/"):
            return self._url + what
        page = self._context.new_page()
        try:
            if name in ("watch", "replay"):
                page.goto(f"{self._url}/watch/")
                page.wait_for_selector(TO_WATCH, timeout=PATIENCE * 1000)
                return page.url if name == "watch" else f"{self._url}/replay/1/"
            page.goto(f"{self._url}/rules/{what}/")
            page.locator(f"form[action='/play/{what}/'] button").first.click()
            page.wait_for_url("**/t/*/")
            page.wait_for_selector(first_turn, timeout=PATIENCE * 1000)
            return page.url
        finally:
            page.close()

    def visit(self, name: str) -> dict[str, Any]:
        """Open a page as if for the first time, and return what was seen."""
        address, (_, first_turn) = self.address(name), PAGES[name]
        page = self._context.new_page()
        network = self._context.new_cdp_session(page)
        traffic = Traffic(network)
        network.send("Network.clearBrowserCache")
        if not self._arguments.fast:
            connection = {
                "latency": ROUND_TRIP,
                "downloadThroughput": BYTES_A_SECOND,
                "uploadThroughput": BYTES_A_SECOND,
            }
            network.send("Network.emulateNetworkConditions", {"offline": False, **connection})
            network.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.add_init_script(WATCH.replace("FIRST_TURN", json.dumps(first_turn)))
        try:
            page.goto(address, timeout=PATIENCE * 1000, wait_until="load")
            if first_turn != NO_TURN:
                page.wait_for_function("() => window.firstVisit.turn", timeout=PATIENCE * 1000)
            traffic.wait_until_quiet(page)
            return traffic.figures() | seen(page)
        finally:
            page.close()

    def lighthouse(self, name: str, command: list[str]) -> dict[str, Any]:
        """Return the scores that Lighthouse gives a page on its phone, and what it would fix."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "report.json")
            options = [f"--port={self._port}", "--output=json", f"--output-path={file}", "--quiet", "--only-categories"]
            options[-1] += "=performance,accessibility,best-practices,seo"
            subprocess.run([*command, self.address(name), *options], check=True, stdout=subprocess.DEVNULL)
            report = json.loads(file.read_text())
        audits = report["audits"]
        figures = ("first-contentful-paint", "largest-contentful-paint", "speed-index", "total-blocking-time")
        return {
            **{name: round(each["score"] * 100) for name, each in report["categories"].items()},
            **{figure: round(audits[figure]["numericValue"]) for figure in figures},
            "cumulative-layout-shift": round(audits["cumulative-layout-shift"]["numericValue"], 3),
            "to_fix": sorted(
                name for name, each in audits.items() if each["score"] is not None and each["score"] < 0.9
            ),
        }


class Traffic:
    """The requests of a page and the bytes received, headers included."""

    def __init__(self, network: CDPSession) -> None:
        self._under_way: set[str] = set()
        self._requests = 0
        self._bytes = 0.0
        self._socket_bytes = 0
        self._last = time.monotonic()
        network.on("Network.requestWillBeSent", self._sent)
        network.on("Network.loadingFinished", self._finished)
        network.on("Network.loadingFailed", self._finished)
        network.on("Network.webSocketFrameReceived", self._received)
        network.send("Network.enable")

    def _sent(self, event: dict[str, Any]) -> None:
        if event["request"]["url"].startswith("http"):
            self._requests += 1
            self._under_way.add(event["requestId"])
            self._last = time.monotonic()

    def _finished(self, event: dict[str, Any]) -> None:
        if event["requestId"] in self._under_way:
            self._bytes += event.get("encodedDataLength", 0)
            self._under_way.discard(event["requestId"])
            self._last = time.monotonic()

    def _received(self, event: dict[str, Any]) -> None:
        self._socket_bytes += len(event["response"]["payloadData"])

    def wait_until_quiet(self, page: Page) -> None:
        """Wait until there was no request or response for a while."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and (self._under_way or time.monotonic() - self._last < QUIET):
            page.wait_for_timeout(100)

    def figures(self) -> dict[str, float]:
        return {"requests": self._requests, "bytes": round(self._bytes), "socket_bytes": self._socket_bytes}


def seen(page: Page) -> dict[str, Any]:
    """Return what was observed while a page loaded."""
    noted = page.evaluate("() => window.firstVisit")
    windows: list[list[tuple[float, float]]] = []
    for when, value, _ in noted["shifts"]:  # at most five seconds, with less than one between two of them
        if not windows or when - windows[-1][-1][0] >= 1000 or when - windows[-1][0][0] >= 5000:
            windows.append([])
        windows[-1].append((when, value))
    return {
        "first_paint_ms": round(noted["painted"]),
        "largest_paint_ms": round(noted["largest"]),
        "largest": noted["what"],
        "shift": round(max((sum(value for _, value in window) for window in windows), default=0.0), 4),
        "blocked_ms": round(sum(took - 50 for began, took in noted["tasks"] if began + took > noted["painted"])),
        "first_turn_ms": round(noted["turn"]),
        "moved": noted["shifts"],
    }


def summary(rounds: list[dict[str, Any]], with_shifts: bool) -> dict[str, Any]:
    """Return the median of each figure; of what moved, the worst round."""
    figures = {
        name: median(each[name] for each in rounds)
        for name, first in rounds[0].items()
        if isinstance(first, int | float)
    }
    figures["largest"] = rounds[-1]["largest"]
    if not figures["first_turn_ms"]:
        del figures["first_turn_ms"]
    worst = max(rounds, key=lambda each: float(each["shift"]))
    return figures | {"worst_shift": worst["shift"]} | ({"moved": worst["moved"]} if with_shifts else {})


# -- the TV

GAMES = ("bundles", "kuhn", "hamsterdam", "enchere", "hearts")
A_MATCH = 150.0  # seconds after which the person leaves a match for another table
OFFLINE_EVERY, OFFLINE = 400.0, 20.0  # seconds
A_MINUTE = 60.0
FIGURES = {"JSHeapUsedSize": 1e6, "Nodes": 1, "JSEventListeners": 1}


def tv(arguments: argparse.Namespace) -> dict[str, Any]:
    """Whether the TV (``/tv/``) grows when it runs for a long time without anybody touching it.

    A site with its house table, the TV in Chromium, and a person who opens public tables and plays there, so that the
    TV changes between tables. Every few minutes the TV loses its connection for some seconds. Prints, for each minute,
    the memory of its scripts after a garbage collection (MB), its elements, listeners and open tables so far, as JSON
    lines, and at the end by which factor they grew from the second quarter of the time to the last one.
    """
    with (
        running_site("daphne", "sqlite", HOUSE_TABLE="1", BOT_PACE="1", REVEAL_PACE="1", RATE_LIMITS="0") as site,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=["--no-sandbox", "--disable-gpu"])
        url = f"http://127.0.0.1:{site.port}"
        wall = browser.new_context(base_url=url, viewport={"width": 1920, "height": 1080})
        screen = Tv(wall)
        person = PublicPlayer(browser.new_context(base_url=url))
        rows = watched(screen, person, arguments.minutes)
        browser.close()
    quarter = max(1, len(rows) // 4)
    early, late = rows[quarter : 2 * quarter] or rows, rows[-quarter:]
    grown = {name: round(mean(row[name] for row in late) / mean(row[name] for row in early), 3) for name in FIGURES}
    return {"minutes": len(rows), "tables": rows[-1]["tables"], "grown": grown, "errors": screen.errors}


def watched(screen: Tv, person: PublicPlayer, minutes: float) -> list[dict[str, Any]]:
    """Let the TV run, and return its figures of each minute."""
    rows: list[dict[str, Any]] = []
    began = time.monotonic()
    offline = began + OFFLINE_EVERY
    while (now := time.monotonic()) < began + minutes * A_MINUTE:
        person.act()
        screen.note_table()
        if now > offline:
            screen.context.set_offline(True)
            offline = now + OFFLINE_EVERY
        elif screen.is_due_online(offline - OFFLINE_EVERY + OFFLINE):
            screen.context.set_offline(False)
        if now > began + (len(rows) + 1) * A_MINUTE:
            rows.append(screen.figures())
            print(json.dumps(rows[-1]), flush=True)
    return rows or [screen.figures()]


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

    def is_due_online(self, until: float) -> bool:
        """Return whether the page is offline and the time ``until`` which it should be has passed."""
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


# -- the command line


def main() -> None:
    commands = Commands("browser", __doc__)
    own = commands.add(visits)
    own.add_argument("pages", nargs="*", metavar="PAGE", help=f"of {', '.join(PAGES)} (default: all)")
    own.add_argument("--server", choices=["daphne", "uvicorn"], default="daphne")
    own.add_argument("--times", type=int, default=3, help="how often each page is opened; the medians are shown")
    own.add_argument("--old", type=Path, metavar="FOLDER", help="another checkout, measured in alternating runs")
    own.add_argument("--fast", action="store_true", help="without slowing down connection and processor")
    own.add_argument("--language", default="en-GB", help="language of the visitor's browser")
    own.add_argument(
        "--lighthouse", metavar="COMMAND", help='also let Lighthouse rate each page: "npx lighthouse" (needs Node.js)'
    )
    own.add_argument("--shifts", action="store_true", help="also print what moved, and when")
    own = commands.add(tv)
    own.add_argument("--minutes", type=float, default=60, help="to run (default: %(default)s)")
    arguments = commands.parse()
    show(arguments.measure(arguments))


if __name__ == "__main__":
    main()
