"""Four friends in four browsers: an evening of three games in a circle, and its score."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitor
from tests.browser.tables import play_out, start
from tests.tiers import full

NAMES = ("Anna", "Bob", "Cleo", "Dora")
GAMES = {"bundles": "Stealing Bundles", "hamsterdam": "Hamsterdam Exchange", "agram": "Agram"}


def score_of(page: Page) -> dict[str, tuple[str, ...]]:
    """Return matches and points of each name, from the page of the evening."""
    page.get_by_label("Menu", exact=True).click()
    page.get_by_role("link", name="Score of the evening").click()
    rows = page.locator("section[aria-labelledby=score] tbody tr")
    expect(rows).to_have_count(len(NAMES))
    return {row.locator("bdi").inner_text(): tuple(row.locator("td").all_inner_texts()) for row in rows.all()}


@full
def test_four_friends_play_three_games_in_a_circle(visitor: Visitor) -> None:
    """One has the installed site on a phone, and one closes the browser in the middle of each match."""
    anna, bob, cleo, dora = visitor(), visitor(device="phone", keeps=True), visitor(), visitor(reduced_motion=True)
    anna.goto("/circles/")
    anna.get_by_label("Your name").fill("Anna")
    anna.get_by_label("Name of the circle").fill("Thursdays")
    anna.get_by_role("button", name="Create the circle").click()
    link = anna.locator("#invite-link").inner_text()
    for page, name in zip((bob, cleo, dora), NAMES[1:], strict=True):
        page.goto(link)
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Join").click()
        expect(page.get_by_text("No table is open.")).to_be_visible()
    bob.wait_for_function("() => navigator.serviceWorker.ready.then(() => true)")

    anna.get_by_role("link", name="Start an evening").click()
    anna.get_by_role("link", name="Stealing Bundles").first.click()
    for number in (2, 3, 4):
        anna.get_by_label(f"Seat {number}").select_option("open")
    anna.get_by_label("Time per decision").select_option(label="No clock")
    anna.get_by_role("button", name="Create the table").click()
    anna.wait_for_url("**/t/*/")
    table = anna.url
    for page in (bob, cleo, dora):
        page.get_by_role("link", name="Go to the table").click()
        page.get_by_role("button", name="Sit here").first.click()
        expect(page.locator(".room[data-seated]")).to_be_attached()

    people = [anna, bob, cleo, dora]
    for number, (game, title) in enumerate(GAMES.items(), 1):
        if number > 1:
            anna.goto(f"{table}change/?game={game}")
            anna.get_by_role("button", name=f"Play {title}").click()
            anna.wait_for_url(table)
        for page in people:
            expect(page.get_by_role("heading", name=title).first).to_be_visible()
            expect(page.locator(".waiting-room").get_by_text("not here")).to_have_count(0)
        start(*people)
        play_out(*people, until=2)
        context = cleo.context
        cleo.close()
        play_out(anna, bob, dora, until=1)
        cleo = context.new_page()
        cleo.goto("/")
        cleo.get_by_role("link", name="Back to your table").first.click()
        expect(cleo).to_have_url(table)
        people = [anna, bob, cleo, dora]
        play_out(*people)
        for page in people:
            expect(page.get_by_role("region", name="Result")).to_be_visible()
            expect(page.locator(".log")).not_to_contain_text("has left")
            expect(page.locator(".log")).not_to_contain_text("decides for")
    scores = [score_of(page) for page in people]
    assert all(score == scores[0] for score in scores)
    assert {name: matches for name, (matches, _) in scores[0].items()} == dict.fromkeys(NAMES, str(len(GAMES)))
