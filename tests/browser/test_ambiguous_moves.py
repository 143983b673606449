"""Ambiguous moves, which share their cards and target: each can be played by taps, by buttons and by keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visitor
from tests.browser.pretend import PretendTable, card, hand, legal_move, zone
from tests.browser.tables import READY, fits
from tests.tiers import full, tiered

Json = dict[str, Any]
RANKS = ("priest", "baron", "maid", "prince", "king", "countess", "princess")

# Kinds of sets of legal moves, by what the moves in them have in common.
SETS: dict[str, list[Json]] = {
    "a card, a target and a guess": [
        *[legal_move(f"guard {s} {r}", "guard", target=f"seat:{s}", label=r) for s in (1, 2) for r in RANKS],
        *[legal_move(f"priest {s}", "priest", target=f"seat:{s}") for s in (1, 2)],
    ],
    "one card and nowhere to put it": [legal_move(f"baron {rank}", "baron", label=rank) for rank in RANKS],
    "only whom they are aimed at": [
        legal_move(f"accuse {s} {r}", target=f"seat:{s}", label=r) for s in (1, 2) for r in RANKS[:3]
    ],
    "nothing at all": [legal_move(f"bid {number}") for number in range(1, 13)],
    "some cards, of which some moves want more": [
        legal_move("meld 4C 5C", "4C", "5C"),
        legal_move("meld 4C 5C 6C", "4C", "5C", "6C"),
        legal_move("lay 4C 5C", "4C", "5C", target="zone:pool"),
        legal_move("lay 4C 5C down", "4C", "5C", target="zone:pool"),
        legal_move("discard", "6C", target="zone:pool"),
    ],
    "cards that are targets, too": [
        legal_move("4C on 5C", "4C", target="piece:5C"),
        legal_move("4C with 5C", "4C", "5C"),
        legal_move("4C on 6C high", "4C", target="piece:6C"),
        legal_move("4C on 6C low", "4C", target="piece:6C"),
        legal_move("5C", "5C"),
    ],
    "the very words": [legal_move(f"take #{number}", "baron", label="Take one") for number in (1, 2, 3)],
}
kinds_of_sets = pytest.mark.parametrize("common", tiered(list(SETS), lambda common: common.startswith("some cards")))
FACES = ("guard", "priest", "baron", "4C", "5C", "6C")
CORNER: Any = {"x": 10, "y": 20}  # of a card, which no other card of the hand covers


def table_with(page: Page, address: str, moves: list[Json]) -> PretendTable:
    """Open a table where these are the legal moves."""
    table = PretendTable(page, address)
    table.open(*moves, zones=[hand(*FACES), zone("pool"), *[zone(f"played:{s}", seat=s) for s in range(3)]])
    return table


def buttons(page: Page, kind: str) -> list[Locator]:
    return page.locator(f'.moves [data-kind="{kind}"]').all()


def find(page: Page, wanted: Json, press: Callable[[Locator], None], back: Callable[[], None]) -> bool:
    """Press buttons until the wanted move is made; take back what did not lead there. Return whether it was made."""
    own = page.locator(f'.moves [data-move="{wanted["move"]}"]')
    if own.count():
        press(own)
        return True
    for group in buttons(page, "group"):
        press(group)
        if find(page, wanted, press, back):
            return True
        back()
    return False


def chosen(page: Page) -> tuple[int, int]:
    """Return how many cards are picked, and how many targets are chosen."""
    return page.locator("[data-picked]").count(), page.locator("[data-aimed]:not(path)").count()


def made(table: PretendTable, wanted: Json) -> None:
    """Wait until the server has received a decision; assert that it was the wanted one and nothing is left chosen."""
    expect(table.page.locator('.moves [data-kind="busy"]')).to_have_count(0)
    assert table.decided.pop() == wanted["move"]
    assert table.decided == []
    assert chosen(table.page) == (0, 0)


@pytest.mark.parametrize("device", [pytest.param("desktop", marks=full), "phone"])
@kinds_of_sets
def test_every_move_is_made_by_tapping_its_cards_and_target_and_then_a_button(
    visitor: Visitor, address: str, common: str, device: Literal["desktop", "phone"]
) -> None:
    page = visitor(device=device, reduced_motion=True)
    table = table_with(page, address, SETS[common])

    def tap(thing: Locator) -> None:
        thing.tap(position=CORNER) if device == "phone" else thing.click(position=CORNER)

    for wanted in SETS[common]:
        targets = [wanted["target"]] if "target" in wanted else []
        for thing in (*(f"piece:{piece}" for piece in wanted["pieces"]), *targets):
            if table.decided:
                break
            kind, ident = thing.split(":", 1)
            selector = f'[data-piece="{ident}"]' if kind == "piece" else f'.aim[data-target="{thing}"]'
            tap(page.locator(selector))
        if not table.decided:  # what they do not distinguish stands there as buttons
            tap(page.locator(f'.moves [data-move="{wanted["move"]}"]'))
        made(table, wanted)


@full
@kinds_of_sets
def test_every_move_is_made_by_buttons_alone(visitor: Visitor, address: str, common: str) -> None:
    page = visitor(device="phone", reduced_motion=True)
    table = table_with(page, address, SETS[common])
    for wanted in SETS[common]:
        assert find(page, wanted, Locator.tap, page.get_by_role("button", name="Undo").tap)
        made(table, wanted)


@kinds_of_sets
def test_every_move_is_made_by_keys_alone(visitor: Visitor, address: str, common: str) -> None:
    page = visitor(reduced_motion=True)
    table = table_with(page, address, SETS[common])

    def press(button: Locator) -> None:
        """Press the number on a button; where it has none, go there with the arrows."""
        expect(page.locator(READY)).to_be_attached()
        if number := button.locator("kbd").inner_text():
            page.keyboard.press(number)
            return
        for _ in range(40):
            page.keyboard.press("ArrowRight")
            if button.evaluate("(node) => node === document.activeElement"):
                break
        expect(button).to_be_focused()
        page.keyboard.press("Enter")

    for wanted in SETS[common]:
        assert find(page, wanted, press, lambda: page.keyboard.press("Escape"))
        made(table, wanted)


def test_escape_goes_back_step_by_step_and_the_prompt_says_what_is_asked(visitor: Visitor, address: str) -> None:
    page = visitor()
    table_with(page, address, SETS["a card, a target and a guess"])
    prompt = page.locator(".prompt")
    page.locator('[data-piece="guard"]').click(position=CORNER)
    expect(prompt).to_have_text("Guard: choose where it goes")
    bram = page.locator('.aim[data-target="seat:1"]')
    bram.click()
    expect(prompt).to_have_text("Guard → Bram: choose one")
    expect(page.locator("[aria-live=polite]")).to_contain_text("Guard → Bram: choose one")
    expect(bram).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".target-lines path[data-aimed]")).to_have_count(1)
    expect(page.locator(".moves [data-move]")).to_have_text([f"{n}{rank}" for n, rank in enumerate(RANKS, 1)])
    page.keyboard.press("Escape")
    assert chosen(page) == (1, 0)
    expect(prompt).to_have_text("Guard: choose where it goes")
    page.keyboard.press("Escape")
    assert chosen(page) == (0, 0)
    expect(prompt).to_have_text("Your turn: decide")


@full
def test_another_target_or_card_may_be_taken_instead_at_any_time(visitor: Visitor, address: str) -> None:
    page = visitor()
    table = table_with(page, address, SETS["a card, a target and a guess"])
    page.locator('[data-piece="guard"]').click(position=CORNER)
    page.locator('.aim[data-target="seat:1"]').click()
    page.locator('.aim[data-target="seat:2"]').click()
    expect(page.locator('.aim[data-target="seat:2"]')).to_have_attribute("aria-pressed", "true")
    expect(page.locator('.aim[data-target="seat:1"]')).not_to_have_attribute("aria-pressed", "true")
    page.locator('[data-piece="priest"]').click(position=CORNER)
    page.locator('.aim[data-target="seat:1"]').click()
    expect(page.locator('.moves [data-kind="busy"]')).to_have_count(0)
    assert table.decided == ["priest 1"]


def test_a_choice_outlives_what_others_do_meanwhile_and_ends_with_its_decision(visitor: Visitor, address: str) -> None:
    page = visitor()
    moves = SETS["a card, a target and a guess"]
    table = table_with(page, address, moves)
    page.locator('[data-piece="guard"]').click(position=CORNER)
    page.locator('.aim[data-target="seat:1"]').click()
    zones = [hand(*FACES), zone("pool", card("9D"))]
    table.show(*moves, zones=zones)
    expect(page.locator('[data-piece="9D"]')).to_be_visible()
    assert chosen(page) == (1, 1)
    table.show(*[each for each in moves if each.get("target") == "seat:2"], zones=[hand(*FACES)])
    expect(page.locator('[data-piece="9D"]')).to_have_count(0)
    assert chosen(page) == (0, 0)
    page.locator('[data-piece="guard"]').click(position=CORNER)
    table.show(*moves, zones=zones, decision=1)
    expect(page.locator('[data-piece="9D"]')).to_be_visible()
    assert chosen(page) == (0, 0)


@full
def test_buttons_with_the_same_words_are_distinguished_by_number(visitor: Visitor, address: str) -> None:
    page = visitor()
    table_with(page, address, SETS["the very words"])
    expect(page.locator(".moves [data-move] span")).to_have_text(["Take one (1)", "Take one (2)", "Take one (3)"])


@pytest.mark.parametrize("device", [pytest.param("desktop", marks=full), "phone"])
def test_a_list_of_moves_that_scrolls_says_so_until_its_end_is_seen(
    visitor: Visitor, address: str, device: Literal["desktop", "phone"]
) -> None:
    page = visitor(device=device)
    table = table_with(
        page, address, [legal_move(f"say {number}", label=f"Say number {number}") for number in range(1, 301)]
    )
    sign = page.locator(".more-sign")
    expect(sign).to_be_visible()
    assert fits(page)
    page.locator(".moves [data-move]").last.scroll_into_view_if_needed()
    expect(sign).to_be_hidden()
    table.show(legal_move("pass"), legal_move("bid"), zones=[hand(*FACES)])
    expect(page.locator(".moves [data-move]")).to_have_count(2)
    expect(sign).to_be_hidden()


@full
def test_a_piece_of_ones_own_is_called_yours_and_its_button_ends_in_an_ellipsis(visitor: Visitor, address: str) -> None:
    page = visitor()
    table = PretendTable(page, address)
    label = {"text": "Oasis of {seat}", "args": {"seat": {"seat": 0}}}
    oasis = {"id": "oasis", "face": "oasis", "label": label, "badge": "+1"}
    places = [zone(name) for name in "abcde"]
    moves = [legal_move(f"oasis {name}", "oasis", target=f"zone:{name}", label=name) for name in "abcde"]
    mirage = {"id": "mirage", "face": "mirage", "label": {"text": "mirage of {seat}", "args": {"seat": {"seat": 1}}}}
    moves += [legal_move(f"mirage {name}", "mirage", target=f"zone:{name}", label=name) for name in "ab"]
    table.open(*moves, zones=[zone("tiles", oasis, mirage, seat=0), *places])
    page.get_by_role("button", name="Your oasis (+1) …").click()
    expect(page.locator(".prompt")).to_have_text("Your oasis (+1): choose where it goes")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="mirage of Bram …").click()
    expect(page.locator(".prompt")).to_have_text("Mirage of Bram: choose where it goes")
