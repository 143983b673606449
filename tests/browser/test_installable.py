"""The installed site on a phone: the offline page, the wake lock, and notifications."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from tests.browser import chromium
from tests.browser.conftest import Visitor, opened
from tests.browser.pretend import PretendTable, hand, legal_move
from tests.running_site import RunningSite
from tests.tiers import full


@pytest.fixture(scope="module")
def browser(driver: Playwright) -> Iterator[Browser]:
    """A Chromium with windows: without them it notifies of nothing. Only the full tier needs one."""
    try:
        path = chromium.find(windows=True)
    except chromium.NoChromium as none:
        pytest.skip(str(none))
    with opened(driver, path) as one:
        yield one


KEPT = """async () => {
  const names = await caches.keys();
  const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return kept.flat().map((one) => new URL(one.url).pathname);
}"""
ICON = "/static/art/icon-192.png"
GROUND = "getComputedStyle(document.body).backgroundColor"


@full
def test_the_offline_page_is_shown_when_the_site_is_unreachable_and_nothing_else_is_ever_cached(
    visitor: Visitor, new_site: Callable[..., RunningSite]
) -> None:
    site = new_site()
    site.open()
    site.start()
    page = visitor(at=site, keeps=True)
    page.goto("/people/me/")
    page.get_by_label("Name shown to others").fill("Saskia")
    page.get_by_role("button", name="Save the name").click()
    page.wait_for_function("() => navigator.serviceWorker.ready.then(() => true)")
    page.goto("/")
    assert page.evaluate("!!navigator.serviceWorker.controller")
    page.goto("/people/me/")
    ground = page.evaluate(GROUND)
    kept = page.evaluate(KEPT)
    assert kept.count("/offline/") == 1
    assert all(path == "/offline/" or path.startswith("/static/") for path in kept)
    assert len(kept) < 10
    assert "Saskia" not in page.evaluate("caches.match('/offline/', {ignoreVary: true}).then((one) => one.text())")
    installable(page)
    site.kill()
    page.goto("/games/")
    expect(page.get_by_role("heading", name="Hamsterdam cannot be reached")).to_be_visible()
    assert page.evaluate(GROUND) == ground  # in our looks
    assert page.url == f"{site.url}/games/"
    site.start()
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", name="Games", exact=True)).to_be_visible()
    assert sorted(page.evaluate(KEPT)) == sorted(kept)


def installable(page: Page) -> None:
    """Chromium itself would offer to install the site."""
    line = page.context.new_cdp_session(page)
    manifest = line.send("Page.getAppManifest")
    assert manifest["errors"] == []
    errors = line.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {error["errorId"] for error in errors} <= {"in-incognito"}  # as each test's profile is
    icons = json.loads(manifest["data"])["icons"]
    shown = {(icon["sizes"], icon["purpose"]) for icon in icons if icon["type"] == "image/png"}
    assert shown == {("192x192", "any"), ("512x512", "any"), ("192x192", "maskable"), ("512x512", "maskable")}
    for icon in icons:
        if icon["type"] == "image/png":
            measure = "async (at) => (await createImageBitmap(await (await fetch(at)).blob())).width"
            wide = page.evaluate(measure, icon["src"])
            assert f"{wide}x{wide}" == icon["sizes"]


# Replaces notifications and the wake lock by counters; the permission is the browser's own.
NOTE = """window.notices = []; window.shut = 0; window.asked = 0; window.held = 0;
const Real = window.Notification;
window.Notification = class {
  constructor(title, more) { window.notices.push([title, more]); }
  close() { window.shut += 1; }
  static get permission() { return Real.permission; }
  static requestPermission() { window.asked += 1; return Promise.resolve(Real.permission); }
};
Object.defineProperty(Navigator.prototype, "wakeLock", { value: { request: async () => {
  window.held += 1;
  const lock = new EventTarget();
  lock.release = async () => void (window.held -= 1);
  return lock;
} } });
window.hide = (hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
};"""


@full
def test_a_person_who_allowed_it_is_notified_of_their_turn_behind_another_window_and_the_screen_stays_on(
    visitor: Visitor, site: RunningSite, address: str
) -> None:
    page = visitor()
    page.add_init_script(NOTE)
    table = PretendTable(page, address)
    turns = iter(range(1, 100))

    def turn(mine: bool = True) -> None:
        moves = [legal_move("secret-9", "9C")] if mine else []
        table.show(*moves, zones=[hand("9C")], decision=next(turns))
        expect(page.locator(".prompt")).to_have_text(table.view["prompt"]["text"])

    table.open(zones=[hand("9C")])
    page.evaluate("window.hide(true)")
    turn()
    turn(mine=False)
    assert page.evaluate("[notices, asked]") == [[], 0], "nobody has asked for it"
    page.evaluate("window.hide(false)")
    page.get_by_label("Menu", exact=True).click()
    button = page.get_by_role("button", name="Notify me when it is my turn")
    button.click()
    expect(page.get_by_role("button", name="Your browser allows no notifications here")).to_have_attribute(
        "aria-pressed", "false"
    )
    page.context.grant_permissions(["notifications"])
    page.get_by_role("button", name="Your browser allows no notifications here").click()
    expect(button).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("asked") == 2

    turn()
    turn(mine=False)
    assert page.evaluate("notices") == [], "it is looked at"
    page.evaluate("window.hide(true)")
    turn(mine=False)
    assert page.evaluate("notices") == []
    turn()
    page.wait_for_function("() => notices.length")
    [notice] = page.evaluate("notices")
    place = address.removeprefix(site.url)
    assert notice == ["It is your turn", {"body": "A pretended game", "icon": ICON, "tag": place, "lang": "en"}]
    page.evaluate("window.hide(false)")
    page.wait_for_function("() => shut === 1")

    # The screen: held while it is one's turn and looked at, by choice.
    page.wait_for_function("() => held === 1")
    page.evaluate("window.hide(true)")
    page.wait_for_function("() => held === 0")
    page.evaluate("window.hide(false)")
    page.wait_for_function("() => held === 1")
    page.get_by_role("button", name="Keep the screen on during my turn").click()
    page.wait_for_function("() => held === 0")
    page.get_by_role("button", name="Keep the screen on during my turn").click()
    page.wait_for_function("() => held === 1")
    turn(mine=False)
    page.wait_for_function("() => held === 0")
