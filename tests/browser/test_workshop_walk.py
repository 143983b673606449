"""From the lessons to a game of one's own: played with a friend and a bot while somebody watches, changed, measured."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Visitor
from tests.browser.tables import play_out, result_of, sit_down, start
from tests.browser.test_workshop import write
from tests.running_site import ROOT
from tests.tiers import full

WHIST = (ROOT / "cardsite/workshop/lessons/5.rcy").read_text()  # what the fifth lesson comes to


def of_cards(cards: int) -> str:
    return WHIST.replace("(repeat 5 ", f"(repeat {cards} ")


@full
def test_a_game_is_written_played_with_friends_changed_and_measured(visitor: Visitor) -> None:
    anna = visitor(reduced_motion=True)
    anna.goto("/workshop/tutorial/?step=5")
    anna.get_by_role("button", name="Show me").click()  # a trick-taking game, as the fifth lesson ends
    expect(anna.locator(".problems")).to_contain_text("No problems found")
    write(anna, of_cards(2))
    anna.get_by_role("button", name="Save", exact=True).click()
    expect(anna.locator(".editor-status")).to_contain_text("Saved as version 1.")
    page_of_the_game = anna.get_by_role("link", name="Open its page").get_attribute("href") or ""
    anna.goto(page_of_the_game)

    anna.get_by_role("link", name="Create a table for friends").click()
    anna.get_by_label("Your name").fill("Anna")
    anna.get_by_label("Seat 2").select_option("open")
    anna.get_by_label("Seat 3").select_option("easy")
    anna.get_by_role("button", name="Create the table").click()
    anna.wait_for_url("**/t/*/")
    bob, cleo = visitor(), visitor()
    cleo.goto(anna.url)
    sit_down(bob, anna.url, "Bob")
    start(anna, bob, cleo)
    play_out(anna, bob)
    expect(cleo.get_by_role("region", name="Result")).to_contain_text("Anna")
    assert "Bob" in result_of(bob)

    anna.goto(page_of_the_game)
    anna.get_by_role("link", name="Edit").first.click()
    expect(anna.locator(".problems")).to_contain_text("No problems found")
    write(anna, of_cards(3))
    anna.keyboard.press("ControlOrMeta+s")
    expect(anna.locator(".editor-status")).to_contain_text("Saved as version 2.")
    anna.get_by_role("tab", name="How it feels").click()
    anna.get_by_label("Compared with").select_option(label="version 1")
    anna.get_by_role("button", name="Measure").click()
    length = anna.locator(".measured tr", has_text="Length")
    expect(length).to_contain_text("+3.000")  # three at the table, a card more for each
    expect(length).to_contain_text("more")
