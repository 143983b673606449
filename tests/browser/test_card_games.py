"""Card games at the table: bids of several people at once, and badges that show what a card would take."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from games import catalogue
from tests.browser.conftest import Visitor
from tests.browser.tables import (
    READY,
    play_out,
    play_with_keys,
    result_of,
    scores_of,
    set_table,
    sit_down,
    start,
    step_through,
    wait_for_turn,
)
from tests.tiers import full, tiered


def turn_of_cards(page: Page) -> None:
    """Wait until there is a move to make, and its button to press."""
    expect(page.locator(f".room[data-mine] {READY} [data-move]").first).to_be_visible()


def bid(page: Page) -> str:
    """Press the first button. Return the card that it bids."""
    button = page.get_by_role("group", name="Your moves").get_by_role("button").first
    move = button.get_attribute("data-move") or ""
    button.click()
    return move.removeprefix("bid ")


@full
def test_two_people_bid_at_once_unseen_and_their_bids_turn_up_together(visitor: Visitor) -> None:
    anna, bob, walter = visitor(), visitor(device="phone"), visitor()
    address = set_table(anna, "enchere", ("open", "house"), target="0")
    sit_down(bob, address, "Bob")
    walter.goto(address)
    start(anna, bob, walter)
    both_bids = re.compile("(Anna|[Yy]ou) bid .*(Bob|[Yy]ou) .* and ")

    # One after the other: the first bid lies face down for all but its bidder.
    turn_of_cards(bob)
    chosen = bid(bob)
    expect(bob.locator(f'[data-zone="bid:1"] [data-piece="{chosen}"]')).to_be_visible()
    for page in (anna, walter):
        expect(page.locator('[data-zone="bid:1"] [data-piece="bid:1#0"]')).to_be_visible()
        expect(page.locator(f'[data-piece="{chosen}"]')).to_have_count(0)
        expect(page.locator(".log-line").filter(has_text=both_bids)).to_have_count(0)
    other = bid(anna)
    for page in (anna, bob, walter):
        for seat, face in ((0, other), (1, chosen)):
            expect(page.locator(f'[data-zone="bid:{seat}"] [data-piece="{face}"]')).to_be_visible()
        expect(page.locator(".log-line").filter(has_text=both_bids)).to_have_count(1)

    # Then at the same moment, again and again: nobody's bid is refused.
    for prize in range(2, 7):
        for page in (anna, bob):
            turn_of_cards(page)
        for page in (anna, bob):
            page.keyboard.press("1")
        for page in (anna, bob, walter):
            expect(page.locator(".log-line").filter(has_text=both_bids)).to_have_count(prize)
            expect(page.locator(".controls .note")).to_have_text("")


@full
def test_why_a_bid_won_can_be_read_while_the_next_bids_come_in(visitor: Visitor) -> None:
    anna = visitor()
    set_table(anna, "enchere", ("house", "house"), target="0")
    start(anna)
    turn_of_cards(anna)
    bid(anna)
    wins = anna.locator(".log-line").filter(has_text=re.compile(" wins? "))
    expect(wins).to_have_count(1)
    bids = anna.locator(".log-line").filter(has_text=re.compile("(has|have) bid[.]"))
    expect(bids).to_have_count(5)  # the bots are ahead already
    expect(anna.locator(".last-line")).to_have_text(wins.inner_text())


@full
def test_a_card_shows_what_it_would_take_before_it_is_played(visitor: Visitor) -> None:
    anna = visitor()
    set_table(anna, "bundles", ("random", "none", "none"))
    start(anna)
    taking = anna.locator(".moves [data-move]").filter(has_text=re.compile(r": take (\d|.*bundle)"))
    wait_for_turn(anna)
    while not taking.count():  # a match without any such move is hardly ever seen
        anna.keyboard.press("1")
        wait_for_turn(anna)
        if result_of(anna):
            anna.get_by_role("button", name="Play again").click()
            expect(anna.get_by_role("region", name="Result")).to_be_hidden()
    face = (taking.first.get_attribute("data-move") or "").removeprefix("play ")
    card = anna.locator(f'.own [data-piece="{face}"]')
    expect(card.locator(".badge")).to_have_text(re.compile(r"^\+\d+$"))
    taken = anna.locator("[data-piece][data-taken]")
    anna.mouse.move(1, 1)  # off the table: a button may have come to lie under the pointer
    expect(taken).to_have_count(0)
    card.hover(position={"x": 10, "y": 20})  # the corner that no other card of the hand covers
    assert taken.count() >= 1
    ranks = {piece[:-1] for piece in taken.evaluate_all("(nodes) => nodes.map((node) => node.dataset.piece)")}
    assert ranks == {face[:-1]}
    anna.mouse.move(1, 1)
    expect(taken).to_have_count(0)
    card.focus()
    assert taken.count() >= 1


@full
@pytest.mark.parametrize("version", ["avancee", "originale"])
def test_the_other_versions_are_played_watched_and_stepped_through(visitor: Visitor, version: str) -> None:
    anna, walter = visitor(device="phone"), visitor(scheme="dark")
    address = set_table(anna, "enchere", ("house", "house"), target="0", version=version)
    walter.goto(address)
    start(anna, walter)
    assert play_out(anna) >= 7  # of twelve bids: the last, and the only card of a suit, are laid unasked
    expect(walter.get_by_role("region", name="Result")).to_be_visible()
    assert scores_of(walter) == scores_of(anna) != []
    walter.get_by_role("link", name="Replay the match").click()
    caption = walter.locator(".prompt")
    expect(walter.get_by_text("all hands open")).to_be_visible()
    expect(caption).to_contain_text("The first prize is")  # and not what somebody was dealt
    walter.get_by_role("slider", name="Move").fill("3")
    expect(caption).to_contain_text(" wins ")
    step_through(anna)


@pytest.mark.parametrize(
    "game", tiered([game.name for game in catalogue.listed(catalogue.providers[0])], lambda game: game == "bundles")
)
def test_any_game_is_begun_with_play_now_and_played_with_the_number_keys(visitor: Visitor, game: str) -> None:
    page = visitor()
    page.goto("/games/")
    page.locator(f"form[action='/play/{game}/'] button").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*/")
    assert play_with_keys(page) >= 1
    expect(page).to_have_title(re.compile(f"^{catalogue.find(game).title}"))
