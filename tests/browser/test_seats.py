"""Players in the round, out of it and out of the match: their cards are always visible."""

from __future__ import annotations

import re
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.conftest import Visitor
from tests.browser.pretend import PretendTable, card, legal_move, seat_view, zone
from tests.tiers import full, tiered

STATES = ("in", "aside", "out", "won")
WORDS = {"in": "", "aside": "out of this round", "out": "out", "won": ""}


def zones_of(seat: int, *, laid: bool) -> list[dict[str, Any]]:
    """Return the zones of a seat: with cards in them, open and closed, or with none."""
    closed = {"id": f"hand:{seat}#0", "back": "plain"}
    return [
        zone(f"hand:{seat}", *([closed] if laid else []), seat=seat, layout="hand"),
        zone(f"played:{seat}", *([card(f"{seat + 2}H"), card(f"{seat + 2}S")] if laid else []), seat=seat),
        zone(f"pile:{seat}", *([{"id": f"pile:{seat}#0", "back": "stock"}] if laid else []), seat=seat, layout="pile"),
    ]


@pytest.mark.parametrize("device", [pytest.param("desktop", marks=full), "phone"])
@pytest.mark.parametrize("state", tiered(STATES, lambda state: state == STATES[0]))
def test_the_cards_of_a_player_are_visible_in_every_state(
    visitor: Visitor, address: str, state: str, device: Literal["desktop", "phone"]
) -> None:
    page = visitor(device=device, reduced_motion=True)
    table = PretendTable(page, address, seats=len(STATES))
    seats = [seat_view(seat, state=state) for seat in range(len(STATES))]
    table.open(zones=[one for seat in range(len(STATES)) for one in zones_of(seat, laid=True)], seats=seats)
    for seat in range(len(STATES)):
        pieces = page.locator(f'.seat[data-seat="{seat}"] [data-piece]')
        expect(pieces).to_have_count(4)
        for each in pieces.all():
            expect(each).to_be_visible()

    table.show(zones=[one for seat in range(len(STATES)) for one in zones_of(seat, laid=False)], seats=seats)
    expect(page.locator("[data-piece]")).to_have_count(0)
    for place in page.locator(".seat .zone-body").all():
        # An empty zone is shown if its player may still get cards there.
        shown = "hidden" if state == "out" else "visible"
        expect(place).to_have_css("visibility", shown)


@full
@pytest.mark.parametrize(
    ("scheme", "device"),
    [(scheme, device) for scheme in ("light", "dark") for device in ("desktop", "phone")],
)
def test_a_player_who_is_out_is_dimmed_described_in_words_and_can_still_be_read(
    visitor: Visitor, address: str, scheme: Literal["light", "dark"], device: Literal["desktop", "phone"]
) -> None:
    page = visitor(device=device, scheme=scheme, reduced_motion=True)
    table = PretendTable(page, address, seats=len(STATES))
    seats = [seat_view(seat, state=state) for seat, state in enumerate(STATES)]
    zones = [one for seat in range(len(STATES)) for one in zones_of(seat, laid=True)]
    table.open(zones=zones, seats=seats, to_act=[])
    names = [seat["name"] for seat in table.table["seats"]]
    for seat, state in enumerate(STATES):
        place = page.locator(f'.seat[data-seat="{seat}"]')
        words = f"{WORDS[state]} · bot" if WORDS[state] else "you" if seat == 0 else "House AI · bot"
        expect(place).to_have_attribute("aria-label", f"{names[seat]}, {words}")
        if seat:
            assert len(re.findall(r"\bbot\b", place.locator(".plate").inner_text())) == 1, "said once"
        filtered = place.locator(".portrait").evaluate("(node) => getComputedStyle(node).filter")
        assert (filtered != "none") == bool(WORDS[state])
    violations = Axe().run(page).response["violations"]
    assert [each["help"] for each in violations if each["impact"] in ("serious", "critical")] == []


def test_a_card_of_somebody_out_of_the_round_can_be_aimed_at(visitor: Visitor, address: str) -> None:
    page = visitor()
    table = PretendTable(page, address)
    zones = [zone("hand:0", card("4C"), seat=0, layout="hand"), *zones_of(1, laid=True)]
    seats = [seat_view(0), seat_view(1, state="aside"), seat_view(2)]
    table.open(legal_move("take", "4C", target="piece:3H"), zones=zones, seats=seats)
    page.locator('[data-piece="4C"]').click()
    page.locator('[data-piece="3H"]').click(position={"x": 10, "y": 20})
    expect(page.locator('.moves [data-kind="busy"]')).to_have_count(0)
    assert table.decided == ["take"]


def test_a_match_that_was_given_up_says_why_and_asks_for_no_more_moves(visitor: Visitor, address: str) -> None:
    page = visitor()
    table = PretendTable(page, address)
    table.open(legal_move("bid"), zones=[zone("hand:0", card("4C"), seat=0, layout="hand")])
    expect(page.locator(".seat[data-acting]")).to_have_count(1)
    notice = "The rules of this game failed here, so the match cannot continue."
    table.update(status="over", dropped="rules_failed", notice=notice)
    expect(page.locator(".prompt")).to_have_text(notice)
    expect(page.locator(".moves [data-move]")).to_have_count(0)
    expect(page.locator(".seat[data-acting]")).to_have_count(0)
    expect(page).not_to_have_title("Your turn")
    expect(page.get_by_role("button", name="Play again")).to_be_visible()
    expect(page.get_by_role("link", name="Replay the match")).to_have_attribute("href", "/replay/1/")
    # The next match begins as any other.
    table.update(status="playing", dropped="", notice="", number=2)
    table.show(legal_move("bid"), zones=[])
    expect(page.locator(".prompt")).to_have_text("Your turn: decide")
    expect(page.locator(".moves [data-move]")).to_have_count(1)


@full
def test_a_mouse_that_slips_over_the_felt_selects_no_text(visitor: Visitor, address: str) -> None:
    page = visitor()
    table = PretendTable(page, address)
    table.open(
        legal_move("4C", "4C"), zones=[zone("hand:0", card("4C"), card("5C"), seat=0, layout="hand"), zone("pool")]
    )
    places = [
        page.locator(what).first.bounding_box() for what in (".opponents .plate", ".shared", ".own .plate", ".controls")
    ]
    [start, *others] = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in places if box]
    page.mouse.move(*start)
    page.mouse.down()
    for place in others:
        page.mouse.move(*place, steps=4)
        assert page.evaluate("getSelection().toString()") == ""
    page.mouse.up()
