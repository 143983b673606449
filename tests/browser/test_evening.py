"""An evening with friends: four people, two bots, a late arrival and a spectator, at three screen sizes.

The table is by link only; another player becomes the host and changes the game; one player leaves and returns; the late
player replaces a bot; all play again. On no screen is anything hidden that its player needs, and no script fails.
"""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.boxes import faults
from tests.browser.conftest import Visitor
from tests.browser.tables import code_of, play_out, sit_down
from tests.browser.test_backroom import furnish, log_in
from tests.browser.test_tv import OUTSIDE
from tests.running_site import RunningSite
from tests.tiers import full

SIDEWAYS, UPRIGHT, WIDE = (844, 390), (820, 1180), (1920, 1080)
CLOSE_PANEL = re.compile("Close the (scoring|result)")


class Evening:
    """The people of the evening, each with a screen of their own."""

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor
        self.pages: dict[str, tuple[Page, bool]] = {}

    def come(self, name: str, size: tuple[int, int]) -> Page:
        """Open a browser with a screen of that size. All but the wide one are touch screens."""
        touch = size is not WIDE
        page = self._visitor(device="phone" if touch else "desktop", reduced_motion=True)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        self.pages[name] = (page, touch)
        return page

    def all_is_in_view(self) -> None:
        """Check every screen."""
        hidden = {}
        for name, (page, touch) in self.pages.items():
            page.keyboard.press("Escape")  # a scoring panel or a result is closed
            hidden[name] = faults(page, touch=touch)
            if hidden[name] and page.get_by_role("button", name=CLOSE_PANEL).is_visible():
                page.keyboard.press("Escape")  # bots play on: another panel has opened in between
                hidden[name] = faults(page, touch=touch)
        assert not any(hidden.values()), hidden


def open_seats_dialog(host: Page) -> None:
    """Open the dialog in which a host changes seats and people."""
    host.get_by_label("Menu", exact=True).click()
    host.get_by_role("button", name="Seats and people").click()
    expect(host.get_by_role("dialog", name="Seats and people")).to_be_visible()


@full
def test_an_evening_with_friends(visitor: Visitor) -> None:
    evening = Evening(visitor)
    anna, bob = evening.come("Anna", WIDE), evening.come("Bob", SIDEWAYS)
    cleo, dora = evening.come("Cleo", UPRIGHT), evening.come("Dora", SIDEWAYS)

    # Anna creates a table by link only; her friends follow the link. Walter watches.
    anna.goto("/new/?game=hamsterdam")
    anna.get_by_label("Your name").fill("Anna")
    for number, kind in enumerate(("open", "open", "open", "house", "random"), 2):
        anna.get_by_label(f"Seat {number}").select_option(kind)
    anna.get_by_role("button", name="Create the table").click()
    anna.wait_for_url("**/t/*/")
    link = anna.get_by_label("Link to this table").input_value()
    for page, name in ((bob, "Bob"), (cleo, "Cleo"), (dora, "Dora")):
        sit_down(page, link, name)
    walter = evening.come("Walter", WIDE)
    walter.goto(link)
    expect(walter.get_by_role("region", name="Before the match")).to_contain_text("by link only")

    # Bob, on a phone, becomes the host and changes the game.
    open_seats_dialog(anna)
    anna.get_by_role("dialog").get_by_label("Actions for Bob").select_option(label="Make them the host")
    expect(anna.get_by_role("dialog", name="Seats and people")).to_be_hidden()
    open_seats_dialog(bob)
    bob.get_by_role("dialog").get_by_role("link", name="Game, options, clock").click()
    bob.get_by_role("link", name="Camel Up").click()
    bob.get_by_label("Time per decision").select_option(label="No clock")
    bob.get_by_role("button", name="Play Camel Up").click()
    bob.wait_for_url("**/t/*/")
    bob.get_by_role("button", name="Start the match").click()
    people = [anna, bob, cleo, dora]
    for page in (*people, walter):
        expect(page.get_by_role("heading", name="Camel Up").first).to_be_visible()
        expect(page.locator(".felt .board-track")).to_be_visible()
    expect(anna.locator(".room-chip[data-chip=clock]")).to_have_text("No clock")
    play_out(*people, until=3)
    evening.all_is_in_view()

    # Cleo leaves; a bot plays for her until she is back. Lotte comes late and replaces another bot.
    cleo.get_by_label("Menu", exact=True).click()
    cleo.get_by_role("button", name="Stand up").click()
    cleo.get_by_role("dialog").get_by_role("button", name="Stand up").click()
    expect(anna.locator(".log")).to_contain_text(re.compile(r"Cleo has left\. The bot .+ takes the seat\."))
    lotte = evening.come("Lotte", UPRIGHT)
    lotte.goto(link)
    lotte.get_by_role("button", name="Ask for a seat").click()
    lotte.get_by_label("Your name").fill("Lotte")
    lotte.get_by_role("dialog").get_by_role("button", name="Ask for a seat").click()
    cleo.get_by_role("button", name="Take your seat back").click()
    expect(cleo.locator(".room[data-seated]")).to_be_attached()
    # Bob answers once he is shown that Cleo is back, so that he does not choose her seat.
    expect(bob.locator(".felt").get_by_role("region", name="Cleo")).to_be_visible()
    bob.get_by_role("button", name="Answer").click()
    bob.get_by_label("Seat Lotte now, in place of").select_option(index=1)
    expect(lotte.locator(".room[data-seated]")).to_be_attached()
    expect(bob.get_by_text("Nobody is asking for a seat.")).to_be_visible()
    bob.get_by_role("dialog").get_by_role("button", name="Done").click()
    expect(anna.locator(".log")).to_contain_text("Lotte takes the seat of")
    people.append(lotte)
    play_out(*people, until=len(people))
    evening.all_is_in_view()

    # They play to the end, and once more when all have agreed.
    play_out(*people)
    for page in (*people, walter):
        expect(page.get_by_role("region", name="Result")).to_be_visible()
    evening.all_is_in_view()
    for page in people[1:]:
        page.get_by_role("button", name="Play again").click()
    expect(anna.get_by_text("Are you?")).to_be_visible()
    anna.get_by_role("button", name="Play again").click()
    for page in (*people, walter):
        expect(page.locator(".room-phase")).to_contain_text("Match 2")
        expect(page.get_by_role("region", name="Result")).to_be_hidden()
    evening.all_is_in_view()


@full
def test_a_phone_is_enough_to_host_and_to_administrate(visitor: Visitor, site: RunningSite) -> None:
    """The host stacks the deck, mutes and removes a rude guest, and reveals afterwards what was done.

    A TV shows the match and its result, and nothing of the rest.
    """
    furnish(site, "elsewhere")
    boss, rudi, tv = visitor(device="phone"), visitor(), visitor(reduced_motion=True)
    tv.set_viewport_size({"width": 1920, "height": 1080})
    log_in(boss, "/admin/now/")
    boss.goto("/new/?game=hamsterdam")
    boss.get_by_label("Your name").fill("Anna")
    for number, kind in ((2, "house"), (3, "open")):
        boss.get_by_label(f"Seat {number}").select_option(kind)
    boss.get_by_label("Everybody: listed on the front page").check()
    boss.get_by_label("Sealed deal").select_option("no")
    boss.get_by_role("button", name="Create the table").click()
    boss.wait_for_url("**/t/*/")
    address, code = boss.url, code_of(boss.url)
    sit_down(rudi, address, "Rudi")
    tv.goto(f"/tv/?table={code}")

    boss.goto("/admin/rig/")
    boss.get_by_role("link", name=code).click()
    boss.get_by_role("radio", name="Bram").check()
    boss.get_by_role("radio", name="for the next match only").check()
    boss.get_by_role("button", name="Rig this table").click()
    expect(boss.get_by_role("status")).to_contain_text("Nobody at the table is notified")

    # Rudi is muted first, then removed from his seat. He reads both reasons, and still may not chat.
    for what, why, reads in (
        ("Mute", "No insults, please", "An administrator has muted you"),
        ("Remove from this table", "Insults at the table, too", "An administrator has removed you from your seat."),
    ):
        boss.goto("/admin/now/")
        boss.get_by_role("listitem").filter(has_text=code).get_by_role("link", name="people and chat").click()
        boss.get_by_role("link", name="Rudi", exact=True).click()
        boss.get_by_role("radio", name=what).check()
        boss.get_by_label("Why?").fill(why)
        boss.get_by_role("button", name="Apply").click()
        expect(boss.get_by_role("status")).not_to_be_empty()
        assert boss.evaluate("document.documentElement.scrollWidth <= innerWidth")
        expect(rudi.get_by_text(reads).filter(visible=True).first).to_be_visible()
        expect(rudi.get_by_text(why).filter(visible=True).first).to_be_visible()
    expect(rudi.get_by_label("Write a message")).to_be_disabled()

    boss.goto(address)
    boss.get_by_role("button", name="Start the match").click()
    expect(tv.locator(".tv-stage .seat")).to_have_count(3)
    assert tv.evaluate(OUTSIDE) == []
    play_out(boss)
    notice = "The deck of this match was stacked for Bram."
    for page in (boss, rudi):
        expect(page.get_by_role("region", name="Result")).to_contain_text("Bram wins")
        expect(page.get_by_role("region", name="Result")).not_to_contain_text("stacked")
    expect(tv.get_by_role("region", name="Result")).to_contain_text("Bram wins")
    assert tv.evaluate(OUTSIDE) == []

    boss.goto(f"/admin/rig/{code}/")
    assert boss.evaluate("document.documentElement.scrollWidth <= innerWidth")
    boss.get_by_text("Reveal this match").click()
    boss.get_by_role("button", name="Reveal it now").click()
    expect(boss.get_by_role("status")).to_contain_text("Revealed.")
    expect(rudi.get_by_role("region", name="Result")).to_contain_text(notice)
    boss.goto(address)
    expect(boss.get_by_role("region", name="Result")).to_contain_text(notice)
