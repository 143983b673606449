"""How long a first visit takes on a phone with a slow connection.

Each page is opened with an empty cache in Chromium, as wide as a phone, on a processor four times as slow and a
connection of 400 ms round trip and 400 kbit/s. It counts requests and bytes received; it measures the first and the
largest paint, the cumulative layout shift (``shift``), how long the page is blocked (``blocked_ms``), and at tables
when the first turn is there: for a player, something to press; for a spectator, cards or pieces.

``--old FOLDER`` measures another checkout, too, in alternating runs. ``--lighthouse COMMAND`` also has
Lighthouse rate each page: ``--lighthouse "npx lighthouse"`` where Node.js is.
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
from statistics import median
from typing import Any

from harness.running import ROOT, Site, running_site
from playwright.sync_api import BrowserContext, CDPSession, Page, Playwright, sync_playwright

sys.path.insert(0, str(ROOT))
from tests.browser import chromium
from tests.running_site import free_port

WIDTH, HEIGHT, PIXELS = 412, 823, 1.75  # Lighthouse's phone
SLOWER = 4
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="some of the pages (default: all of them)")
    parser.add_argument("--server", choices=["daphne", "uvicorn"], default="daphne")
    parser.add_argument("--times", type=int, default=3, help="how often each page is opened; the medians are shown")
    parser.add_argument("--old", type=Path, metavar="FOLDER", help="another checkout, measured in alternating runs")
    parser.add_argument("--fast", action="store_true", help="without slowing down connection and processor")
    parser.add_argument("--language", default="en-GB", help="language of the visitor's browser")
    parser.add_argument(
        "--lighthouse", metavar="COMMAND", help="runs Lighthouse, with arguments of its own if you like"
    )
    parser.add_argument("--shifts", action="store_true", help="also print what moved, and when")
    arguments = parser.parse_args()
    if unknown := set(arguments.pages) - set(PAGES):
        parser.error(f"There is no page {', '.join(sorted(unknown))}; there are {', '.join(PAGES)}.")
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
    print(json.dumps(figures, indent=2))


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
        self._frames = 0
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
        self._frames += len(event["response"]["payloadData"])

    def wait_until_quiet(self, page: Page) -> None:
        """Wait until there was no request or response for a while."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and (self._under_way or time.monotonic() - self._last < QUIET):
            page.wait_for_timeout(100)

    def figures(self) -> dict[str, float]:
        return {"requests": self._requests, "bytes": round(self._bytes), "socket_bytes": self._frames}


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


if __name__ == "__main__":
    main()
