"""A card may be chosen ahead, while another player decides; nothing is sent before it is one's turn."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitor
from tests.browser.pretend import Json, PretendTable, card, hand, legal_move, seat_view, zone
from tests.browser.tables import piece

CARDS = ("4C", "9D", "KH")
SINGLE = [legal_move(f"play {face}", face, label=f"Play {face}") for face in CARDS]
BOUND = [legal_move("play KH", "KH", label="Play KH")]
SUITS = [legal_move(f"play 4C {suit}", "4C", label=f"Play 4C, {suit}") for suit in ("hearts", "spades")]
CHOSEN = "[data-ahead=chosen]"
DROPPED = "The card that you have chosen ahead cannot be played now."


def played(page: Page, address: str, first: list[Json] | None = None, *, setting: str = "on") -> PretendTable:
    """Open a table where the visitor has answered a question, by default about single cards, and now waits."""
    page.add_init_script(f"localStorage.ahead ??= '{setting}'")
    table = PretendTable(page, address)
    table.open(*(first or SINGLE), zones=[hand(*CARDS)])
    table.show(zones=[hand(*CARDS)], decision=1)
    expect(page.locator(".prompt")).to_have_text("Wait")
    return table


def comes(table: PretendTable, moves: list[Json]) -> None:
    """Let it be the visitor's turn, with these moves."""
    table.show(*moves, zones=[hand(*CARDS)], decision=1)


def test_a_card_chosen_ahead_is_sent_when_it_is_ones_turn_and_not_before(page: Page, address: str) -> None:
    table = played(page, address)
    piece(page, "9D").click()
    expect(page.locator(CHOSEN)).to_have_attribute("data-piece", "9D")
    expect(page.locator(".controls .note")).to_contain_text("9 of diamonds")
    table.show(zones=[hand(*CARDS)], decision=1, prompt={"text": "Another one decides", "args": {}})
    expect(page.locator(".prompt")).to_have_text("Another one decides")
    expect(page.locator(CHOSEN)).to_have_count(1)  # other players' moves change nothing
    assert table.decided == []
    comes(table, SINGLE)
    expect(page.locator(CHOSEN)).to_have_count(0)
    table.show(zones=[hand("4C", "KH")], decision=2)
    expect(page.locator(".prompt")).to_have_text("Wait")
    assert table.decided == ["play 9D"]


@pytest.mark.parametrize("way", ["tap", "Escape", "another"])
def test_the_choice_can_be_taken_back(page: Page, address: str, way: str) -> None:
    table = played(page, address)
    piece(page, "9D").focus()
    page.keyboard.press("Enter")
    expect(piece(page, "9D")).to_have_attribute("aria-pressed", "true")
    if way == "Escape":
        page.keyboard.press("Escape")
    else:
        page.wait_for_timeout(600)  # two clicks in quick succession are one double click
        piece(page, "9D" if way == "tap" else "KH").click()
    expect(piece(page, "9D")).to_have_attribute("aria-pressed", "false")
    comes(table, SINGLE)
    expect(page.locator(".prompt")).to_have_text("Your turn: decide")
    table.show(zones=[hand(*CARDS)], decision=2)
    expect(page.locator(".prompt")).to_have_text("Wait")
    assert table.decided == (["play KH"] if way == "another" else [])


def test_a_card_that_is_not_legal_then_is_dropped_with_a_word(page: Page, address: str) -> None:
    table = played(page, address)
    piece(page, "9D").click()
    comes(table, BOUND)
    expect(page.locator(".controls .note")).to_have_text(DROPPED)
    expect(page.locator(CHOSEN)).to_have_count(0)
    assert table.decided == []


def test_a_card_with_several_moves_is_picked_and_the_rest_is_asked(page: Page, address: str) -> None:
    table = played(page, address)
    piece(page, "4C").click()
    comes(table, [*SUITS, *SINGLE[1:]])
    expect(piece(page, "4C")).to_have_attribute("data-picked", "")
    assert table.decided == []


def test_a_person_who_confirms_moves_confirms_this_one_too(page: Page, address: str) -> None:
    page.add_init_script("localStorage.confirm = 'always'")
    table = played(page, address)
    piece(page, "9D").click()
    comes(table, SINGLE)
    expect(page.locator(".prompt")).to_have_text("Confirm your move")
    assert table.decided == []


PAIRS = [legal_move("pass on", "4C", "9D"), legal_move("pass on 2", "9D", "KH")]
AIMED = [legal_move("give 4C", "4C", target="seat:1"), legal_move("give 9D", "9D", target="seat:2")]
WORDS = [legal_move("bid 1"), legal_move("bid 2")]


@pytest.mark.parametrize(
    ("first", "setting"),
    [(SINGLE, "off"), (PAIRS, "on"), (AIMED, "on"), (WORDS, "on")],
    ids=["off", "pairs", "aimed", "words"],
)
def test_nothing_is_chosen_ahead_without_the_setting_or_in_games_without_single_cards(
    page: Page, address: str, first: list[Json], setting: str
) -> None:
    played(page, address, first, setting=setting)
    expect(page.locator("[data-ahead]")).to_have_count(0)


def test_neither_cards_of_others_nor_open_ones_are_chosen_ahead(page: Page, address: str) -> None:
    table = played(page, address)
    theirs, shared = zone("hand:1", card("5C"), seat=1, layout="hand"), zone("row", card("6C"))
    table.show(zones=[hand(*CARDS), theirs, shared], decision=1, seats=[seat_view(seat) for seat in range(3)])
    expect(piece(page, "6C")).to_be_visible()
    ahead = page.locator("[data-ahead]").evaluate_all("(cards) => cards.map((card) => card.dataset.piece)")
    assert ahead == [*CARDS]


def test_it_is_a_setting_of_the_menu_and_off_by_default(visitor: Visitor, address: str) -> None:
    page = visitor()
    page.goto(address)
    page.get_by_label("Menu", exact=True).click()
    setting = page.get_by_role("button", name="Choose the next card ahead")
    expect(setting).to_have_attribute("aria-pressed", "false")
    setting.click()
    expect(setting).to_have_attribute("aria-pressed", "true")
    page.reload()
    page.get_by_label("Menu", exact=True).click()
    expect(setting).to_have_attribute("aria-pressed", "true")
