"""An evening with friends: four people, two bots, a late arrival and a spectator, at three screen sizes.

The table is by link only; another player becomes the host and changes the game; one player leaves and returns; the late
player replaces a bot; all play again. On no screen is anything hidden that its player needs, and no script fails.
"""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.boxes import faults
from tests.browser.conftest import Visitor
from tests.browser.tables import play_out, sit_down
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
