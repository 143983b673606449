"""Browsers and visitors for tests of the pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

from games import catalogue
from tests.browser import chromium
from tests.browser.tables import set_table
from tests.patience import PATIENCE
from tests.running_site import ROOT, RunningSite
from tests.tiers import is_full

ELSEWHERE = "house.test"  # a name of the site that is not this machine's own
FAILURES = Path(__file__).parent / "failures"
VIEWPORTS = {"desktop": (1280, 800), "phone": (390, 844)}
# Those without a match on them.
# Of texts, which are all drawn alike, a trick-taking game, a patience and one of many piles stand for the others.
GAMES = [*(game.name for game in catalogue.listed(catalogue.providers[0])), "hearts", "golf-patience", "rummy"]
PAGES = (
    "/",
    "/games/",
    "/privacy/",
    "/new/",
    "/rules/hamsterdam/",
    "/people/me/",
    "/people/register/",
    "/people/login/",
    "/circles/",
    "/tournaments/",
)
# What Chromium itself says of a network that a test took away or of an answer that a test asked for.
NETWORK_NOISE = re.compile(r"Failed to load resource|WebSocket connection to|net::ERR_")

Visitor = Callable[..., Page]

expect.set_options(timeout=PATIENCE * 1000)


# Playwright's loop counts as running in this thread while it is open, and no asyncio test could run then: with the
# scope of this package it ends with the browser tests. They talk to the site as a browser does, never to Django.
@pytest.fixture(scope="package")
def driver() -> Iterator[Playwright]:
    """What drives a browser."""
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def browser(driver: Playwright) -> Iterator[Browser]:
    """The real Chromium, without a window."""
    with opened(driver, chromium.find()) as one:
        yield one


@contextmanager
def opened(driver: Playwright, path: str) -> Iterator[Browser]:
    """Run the Chromium at a path while the block lasts."""
    browser = driver.chromium.launch(
        executable_path=path,
        args=[
            "--no-sandbox",  # root, as in most containers, cannot have it; only our own pages are opened
            "--disable-gpu",
            "--disable-quic",
            # As a phone in the LAN has it: not this machine's own name, so without what browsers keep for https.
            f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-first-run",
        ],
    )
    yield browser
    browser.close()


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    """The site on SQLite, one for all tests of the pages: each finds only what it has made itself."""
    made = RunningSite(tmp_path_factory.mktemp("site"))
    with made.running():
        yield made


@pytest.fixture(scope="module")
def modules(browser: Browser) -> Iterator[Page]:
    """An empty page that can import the site's scripts from ``/static/js``, and needs no site for it.

    On localhost, as nowhere else without https, it may hash.
    """
    context = browser.new_context(base_url="http://localhost")
    context.route("http://localhost/", lambda route: route.fulfill(content_type="text/html", body="<!doctype html>"))
    context.route(
        "http://localhost/static/**",
        lambda route: route.fulfill(path=ROOT / urlsplit(route.request.url).path.removeprefix("/")),
    )
    page = context.new_page()
    page.goto("/")
    yield page
    context.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page without tips, where nothing moves, for a table that is pretended."""
    context = browser.new_context(reduced_motion="reduce")
    context.add_init_script("localStorage.tips ??= 'no'")
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def address(browser: Browser, site: RunningSite) -> Iterator[str]:
    """The address of a table that somebody has set and left alone."""
    context = browser.new_context(base_url=site.url)
    yield set_table(context.new_page(), "hamsterdam", ("house",))
    context.close()


@pytest.fixture
def visitor(browser: Browser, site: RunningSite, request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """A function that lets one more person in, with a browser profile of their own, and returns their page.

    ``visitor(device="phone", scheme="dark", reduced_motion=True, at=another_site)``; by default a desktop in light, at
    ``site``, without the tips of a first match (``tips=True``), and with motion in the full tier only, because to draw
    it takes a tenth of the CPU time of these tests. Addresses in ``page.goto`` are relative to the
    site. A script that fails on any page, or anything the browser refuses (a policy broken, a module missing), fails
    the test; a failed test leaves a picture of every page in ``tests/browser/failures``. The site's service worker,
    past which no test sees the network, runs only where ``keeps``.
    """
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def enter(
        device: Literal["desktop", "phone"] = "desktop",
        scheme: Literal["light", "dark"] = "light",
        reduced_motion: bool = not is_full(),
        at: RunningSite = site,
        keeps: bool = False,
        tips: bool = False,
    ) -> Page:
        width, height = VIEWPORTS[device]
        context = browser.new_context(
            base_url=at.url,
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            reduced_motion="reduce" if reduced_motion else "no-preference",
            is_mobile=device == "phone",
            has_touch=device == "phone",
            service_workers="allow" if keeps else "block",
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE * 1000)
        if not tips:  # a test is about one thing, and no newcomer
            context.add_init_script("localStorage.tips ??= 'no'")
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
        page.on("console", lambda message: _note(message, complaints))
        return page

    yield enter
    failed = getattr(request.node, "failed", False)
    for number, context in enumerate(contexts):
        if failed or complaints:
            _picture(context, f"{request.node.name}-{number}")
        context.close()
    assert not complaints, "The browser complained:\n" + "\n".join(complaints)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember on the test whether it failed, for fixtures that want to leave a picture."""
    report = yield
    if call.when == "call":
        item.failed = report.failed  # type: ignore[attr-defined]
    return report


def _note(message: ConsoleMessage, complaints: list[str]) -> None:
    if message.type == "error" and not NETWORK_NOISE.search(message.text):
        complaints.append(f"{message.location.get('url', '')}: {message.text}")


def _picture(context: BrowserContext, name: str) -> None:
    FAILURES.mkdir(exist_ok=True)
    for number, page in enumerate(context.pages):
        try:
            page.screenshot(path=FAILURES / f"{re.sub(r'[^a-zA-Z0-9_-]+', '-', name)}-{number}.png", full_page=True)
        except Error:  # a page that has crashed has no picture
            continue
