"""Several cards chosen together: selected by click, key or button, then confirmed; in all texts of the library."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games import catalogue
from games.core import FastChance, Match
from tests.browser.conftest import Visitor
from tests.browser.pretend import PretendTable, hand, legal_move, say
from tests.browser.tables import set_table, sit_down, start, wait_for_turn
from tests.tiers import full, tiered

LIBRARY = [game.name for game in catalogue.listed(catalogue.providers[1])]
CARDS = ("2H", "QH", "5D", "JC")
KEPT = "Not all cards were taken. Look at your choice, and confirm again."
PLIES = 60  # of each match that is looked at

# Returns what is wrong with how the moves of a view are chosen.
FAULTS = """async (views) => {
  const { buttons, NOTHING, pickable } = await import("/static/js/table/choose.js");
  const { confirmations, severalOf, toggle } = await import("/static/js/table/several.js");
  const faults = [];
  for (const view of views) {
    const { moves } = view;
    const own = view.zones.filter(({ layout, seat }) => layout === "hand" && seat === view.seat);
    const hand = own.flatMap(({ pieces }) => pieces.map(({ id }) => id)).filter((id) => pickable(moves).has(id));
    const several = severalOf(view, moves);
    if (several) {
      if (several.cards.filter((id) => hand.includes(id)).join() !== hand.join()) faults.push("another order");
      for (const move of moves.filter(({ pieces }) => pieces.length)) {
        let picked = [];
        for (const card of move.pieces) picked = toggle(several, moves, picked, card) ?? [];
        if (several.label)
          for (const card of several.cards)
            if (picked.length < several.most && !picked.includes(card)) picked = toggle(several, moves, picked, card);
        const ways = confirmations(several, moves, picked);
        if (!ways.some((one) => one.moves.some(({ move: text }) => text === move.move))) faults.push(`no ${move.move}`);
        const words = ways.flatMap(({ label }) => Object.values(label.args));
        if (words.includes(undefined)) faults.push(`words of ${move.move}`);
      }
      continue;
    }
    const list = buttons(moves, NOTHING, hand);
    const firsts = list.map((one) => (one.move ? one.move.pieces : one.choice.picked));
    for (const card of hand) if (!firsts.some((pieces) => pieces.includes(card))) faults.push(`no button for ${card}`);
    const places = firsts.filter(({ length }) => length === 1).map(([card]) => hand.indexOf(card));
    if (places.some((place, i) => i && place >= 0 && place < places[i - 1])) faults.push(`order: ${firsts.join(" ")}`);
  }
  return faults;
}"""


def views(name: str) -> list[Any]:
    """Return what players see in two matches when they are to decide."""
    game, found = catalogue.find(name), []
    for seed in ("1", "2"):
        match = Match.start(game, game.default_seats, {}, FastChance(seed))
        chooser = random.Random(seed)
        while not match.over and match.ply < PLIES:
            view = match.view(match.to_act()[0])
            found.append(view)
            match.advance(match.to_act()[0], chooser.choice(view["moves"])["move"])
    return found


@pytest.mark.parametrize("name", tiered(LIBRARY, lambda name: name == "hearts"))
def test_each_card_of_a_hand_has_a_button_and_each_move_can_be_chosen(modules: Page, name: str) -> None:
    assert modules.evaluate(FAULTS, views(name)) == []


def confirm_button(page: Page) -> Any:
    """Return the button that confirms."""
    return page.locator(".moves [data-kind=confirm]")


def test_two_cards_are_selected_by_click_key_and_button_and_confirmed(page: Page, address: str) -> None:
    pairs = [legal_move(f"lay {a} {b}", a, b, label=f"Lay {a} and {b} away") for a, b in combinations(CARDS, 2)]
    table = PretendTable(page, address)
    table.open(*pairs, zones=[hand(*CARDS)])
    confirm = confirm_button(page)
    expect(confirm).to_have_text("Choose 2 cards")
    expect(confirm).to_be_disabled()
    page.locator('[data-piece="JC"]').click()
    expect(confirm).to_have_text("Choose one more card")
    expect(page.locator("#prompt")).to_have_text("J♣: choose one more card")
    page.keyboard.press("2")
    expect(confirm).to_contain_text("Lay QH and JC away")
    page.keyboard.press("1")  # no more than two
    expect(page.locator(".controls .note")).to_have_text("You have chosen enough cards. Put one back first.")
    page.get_by_role("button", name="Choose queen of hearts", pressed=True).click()
    expect(confirm).to_be_disabled()
    card = page.locator('[data-piece="2H"]')
    card.focus()
    page.keyboard.press("Enter")
    expect(card).to_be_focused()
    confirm.click()
    expect(page.locator(".controls .note")).to_have_text(KEPT)
    assert table.decided == ["lay 2H JC"]
    expect(confirm).to_contain_text("Lay 2H and JC away")


def test_cards_stay_selected_if_the_first_of_several_moves_is_refused(page: Page, address: str) -> None:
    table = PretendTable(page, address)
    moves = [legal_move(f"pass {card}", card) | {"label": say("Pass {card1}", card1={"card": card})} for card in CARDS]
    label = say("Pass {card1} and {card2}", card1={"card": "2H"}, card2={"card": "QH"})
    table.open(*moves, zones=[hand(*CARDS)], several={"count": 2, "label": label})
    page.keyboard.press("4")
    page.keyboard.press("3")
    confirm = confirm_button(page)
    expect(confirm).to_have_text("⏎Pass 5♦ and J♣")
    confirm.click()
    expect(page.locator(".controls .note")).to_have_text(KEPT)
    assert table.decided == ["pass 5D"]
    expect(confirm).to_have_text("⏎Pass 5♦ and J♣")


def log_lines(page: Page, text: str) -> Any:
    """Return the lines of the log that say something."""
    return page.locator(".log-line").filter(has_text=text)


@full
def test_three_cards_are_passed_at_once_with_keys_alone(visitor: Visitor) -> None:
    page = visitor(reduced_motion=True)
    set_table(page, "hearts", ("random", "random", "random"))
    start(page)
    wait_for_turn(page)
    for key in ("1", "3"):
        page.keyboard.press(key)
    expect(confirm_button(page)).to_have_text("Choose one more card")
    page.keyboard.press("5")
    expect(confirm_button(page)).to_be_enabled()
    page.keyboard.press("Enter")
    expect(log_lines(page, "to pass on.")).to_have_count(2)  # of all players, and of one's own cards
    expect(log_lines(page, "Everybody chooses 3 cards to pass on.")).to_have_count(1)
    expect(log_lines(page, "You choose ")).to_have_count(1)
    expect(page.locator(".controls .note")).to_be_empty()


@full
def test_two_people_choose_their_cards_to_pass_at_the_same_time_unseen(visitor: Visitor) -> None:
    anna, bob = visitor(reduced_motion=True), visitor(reduced_motion=True)
    address = set_table(anna, "hearts", ("open", "random", "random"))
    sit_down(bob, address, "Bob")
    start(anna, bob)
    for page in (anna, bob):  # both are asked, and both begin to choose
        wait_for_turn(page)
        for key in ("1", "2"):
            page.keyboard.press(key)
        expect(confirm_button(page)).to_have_text("Choose one more card")
    bob.keyboard.press("4")
    bob.keyboard.press("Enter")
    expect(bob.locator("#prompt")).to_contain_text("Pass ")
    expect(bob.locator("#prompt")).to_contain_text("waiting for Anna")
    expect(log_lines(anna, "Bob has chosen.")).to_have_count(1)
    expect(log_lines(anna, "to pass on.")).to_have_count(0)
    expect(anna.locator(".own [data-piece]")).to_have_count(13)
    expect(confirm_button(anna)).to_have_text("Choose one more card")  # what Anna has selected is still selected
    anna.keyboard.press("3")
    anna.keyboard.press("Enter")
    for page in (anna, bob):
        expect(log_lines(page, "to pass on.")).to_have_count(2)
        expect(page.locator(".own [data-piece]")).to_have_count(13)
        expect(page.locator(".controls .note")).to_be_empty()
