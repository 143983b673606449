"""Notifications of a device in a real browser. Chromium has no push service here: its own is the one of its maker."""

from __future__ import annotations

import json

from playwright.sync_api import CDPSession, Page, expect

from tests.browser.conftest import Visitor
from tests.running_site import RunningSite
from tests.tiers import full

# What the browser's push service would give: the keys are made as it makes them.
SUBSCRIBE = """
Object.defineProperty(Notification, "permission", { get: () => "default" });
Notification.requestPermission = async () => "granted";
const text = (raw) => btoa(String.fromCharCode(...new Uint8Array(raw)))
  .replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
let made = null;
PushManager.prototype.getSubscription = async () => made;
PushManager.prototype.subscribe = async (options) => {
  if (!options.userVisibleOnly) throw new Error("a push must be visible");
  const key = options.applicationServerKey.replaceAll("-", "+").replaceAll("_", "/");
  const pair = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
  const keys = { p256dh: text(await crypto.subtle.exportKey("raw", pair.publicKey)), auth: text(new Uint8Array(16)) };
  made = {
    endpoint: "https://fcm.googleapis.com/fcm/send/made-up",
    options: { applicationServerKey: Uint8Array.from(atob(key), (one) => one.charCodeAt(0)).buffer },
    toJSON: () => ({ keys }),
    unsubscribe: async () => !!(made = null) || true,
  };
  return made;
};
"""


@full
def test_notifications_are_switched_on_changed_and_switched_off(visitor: Visitor) -> None:
    page = visitor(device="phone", keeps=True)
    page.add_init_script(SUBSCRIBE)
    page.goto("/people/me/")
    page.get_by_label("Name shown to others").fill("Anna")
    page.get_by_role("button", name="Save the name").click()
    page.get_by_role("button", name="Switch on").click()
    evening = page.get_by_label("An evening of a circle begins")
    expect(evening).to_be_checked()
    evening.uncheck()
    page.get_by_label("Quiet hours from").fill("22:00")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Choose two times of day.")).to_be_visible()
    page.get_by_label("until").fill("07:30")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(evening).not_to_be_checked()
    page.get_by_role("button", name="Switch off").click()
    expect(page.get_by_role("button", name="Switch on")).to_be_visible()


def registration_of(page: Page, session: CDPSession) -> str:
    """Return the browser's number of the site's service worker."""
    numbers: list[str] = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: numbers.extend(
        one["registrationId"] for one in event["registrations"]
    ))  # fmt: skip
    session.send("ServiceWorker.enable")
    while not numbers:  # the event comes when it comes
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    return numbers[0]


@full
def test_the_service_worker_shows_what_it_is_sent_unless_its_page_is_looked_at(
    visitor: Visitor, site: RunningSite
) -> None:
    page = visitor(keeps=True)
    page.goto("/games/")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    [worker] = page.context.service_workers
    worker.evaluate("""() => {
      self.shown = [];
      self.registration.showNotification = async (...about) => void self.shown.push(about);
    }""")
    session = page.context.new_cdp_session(page)
    number = registration_of(page, session)

    def deliver(path: str) -> None:
        about = {"title": "It is your turn", "body": "Hearts", "path": path, "language": "en"}
        message = {"origin": site.url, "registrationId": number, "data": json.dumps(about)}
        session.send("ServiceWorker.deliverPushMessage", message)

    page.bring_to_front()
    deliver("/games/")  # looked at
    deliver("/t/abcdefghjk/")
    shown = worker.evaluate("""async () => {
      while (!self.shown.length) await new Promise((done) => setTimeout(done, 20));
      return self.shown;
    }""")
    icon = "/static/art/icon-192.png"
    about = {"body": "Hearts", "tag": "/t/abcdefghjk/", "lang": "en", "icon": icon, "renotify": True}
    assert shown == [["It is your turn", about]]
