"""The panel with the result of a match: its points, its story, and how to go on; and the deal of the day."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Visitor
from tests.browser.pretend import PretendTable, say
from tests.tiers import full


@full
def test_a_result_is_that_of_its_own_match_and_lists_the_points_round_by_round(visitor: Visitor, address: str) -> None:
    page = visitor(device="phone")
    table = PretendTable(page, address, seats=2)
    table.open(zones=[])
    for scores, values in (([6.0, 3.0], [[0, 0], [2, 3], [6, 3]]), ([-1.0, 2.0], [[0, 0], [0, 2], [-1, 2]])):
        rounds = [{"title": say("A round"), "values": each} for each in values]
        result = {"scores": scores, "winners": [], "text": say(f"It ends {scores}"), "rounds": rounds}
        table.show_position(table.view | {"over": True, "result": result, "to_act": [], "moves": []}, ["Anna", "Bram"])
        panel = page.get_by_role("region", name="Result")
        expect(panel.get_by_role("heading")).to_have_text(f"It ends {scores}")
        panel.get_by_text("Round by round").click()
        cells = panel.locator(".rounds tbody td")
        expect(cells).to_have_text(["+2", "+3", "+4", ""] if scores[0] > 0 else ["+2", "", "", "\u22121"])


def test_a_story_continues_between_its_games_and_a_friend_is_asked(visitor: Visitor, address: str) -> None:
    page = visitor(device="phone")
    table = PretendTable(page, address, seats=3)
    table.open(zones=[])
    result = {"scores": [2.0, 1.0, 0.0], "winners": [0], "text": say("Anna wins")}
    over = table.view | {"over": True, "result": result, "to_act": [], "moves": []}
    line = {"seat": -1, "name": "Oom Joost", "text": say("Talk to {friend}.", friend={"seat": 2})}
    ask, deck = ({"key": key, "text": say(words)} for key, words in (("ask", "Ask Krol to help"), ("deck", "Shuffle")))
    story = {"favourite": 1, "friend": 2, "done": False, "over": False, "wins": 2, "won": [1, 0, 0]}
    story |= {"lines": [line], "choices": [ask, deck]}
    table.table["story"] = story
    table.show_position(over, ["Anna", "Mevrouw Pruim", "Krol"])
    panel = page.get_by_role("region", name="Result")
    expect(panel).to_contain_text("The first to win 2 matches wins the evening. Mevrouw Pruim has won 0.")
    expect(panel.locator(".scene")).to_contain_text("Talk to Krol.")
    expect(panel.locator(".scene")).to_contain_text("Oom Joost")
    expect(panel.get_by_text("Seats for the next match")).to_be_hidden()
    expect(page.get_by_role("button", name="Play the next match")).to_be_visible()
    with page.expect_request(lambda request: request.url.endswith("/choose/")) as asked:
        panel.get_by_role("button", name="Ask Krol to help").press("Enter")
    assert "ask" in (asked.value.post_data or "")
    answer = line | {"text": say("I shall lose like a gentleman.")}
    table.update(story=story | {"lines": [answer], "choices": [deck]})
    expect(panel.locator(".scene")).to_be_focused()
    expect(panel.locator(".scene")).to_contain_text("like a gentleman")
    # It ends well: no other game follows, and the house owns up.
    tell = {"key": "tell", "text": say("Tell her")}
    table.update(story=story | {"done": True, "over": True, "choices": [tell]}, stacked_for=1)
    expect(panel).to_contain_text("You did it: Mevrouw Pruim has won the evening.")
    expect(panel.get_by_role("button", name="Tell her")).to_be_visible()
    expect(panel).to_contain_text("The deck of this match was stacked for Mevrouw Pruim.")
    expect(page.get_by_role("button", name="Play the next match")).to_be_hidden()
    expect(page.get_by_role("link", name="Go to the other tables")).to_be_visible()


def test_the_deal_of_the_day_says_what_it_is_and_leads_back(visitor: Visitor) -> None:
    page = visitor()
    page.goto("/daily/thief/")
    page.get_by_role("button", name="Play the deal of the day").click()
    page.wait_for_url("**/t/*/")
    bar = page.locator(".room-bar")
    expect(bar).to_contain_text("Deal of the day, ")
    expect(bar).to_contain_text("One try counts")
