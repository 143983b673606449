"""A trick in the middle of the table: its cards lie towards their players, and say who led and who won."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.boxes import faults
from tests.browser.pretend import NAMES, Json, PretendTable, card, hand, legal_move, say, zone
from tests.tiers import full, tiered

FACES = ("9D", "JD", "2D", "QH", "10D", "3S", "KD", "4C")

# By seat: the middle of its card, measured from that of the trick.
LIE = """() => {
  const middle = ({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2];
  const trick = document.querySelector("[data-layout=trick] .pieces");
  const [x, y] = middle(trick.getBoundingClientRect());
  const cards = [...trick.querySelectorAll("li")];
  return Object.fromEntries(cards.map((item) => {
    const [left, top] = middle(item.getBoundingClientRect());
    return [item.dataset.seat, [left - x, top - y]];
  }));
}"""


def trick(ident: str, leader: int, seats: int, winner: int = -1, prefix: str = "") -> Json:
    """Return a trick to which everybody has played."""
    pieces: list[Json] = []
    for seat in [(leader + place) % seats for place in range(seats)]:
        face = FACES[seat]
        pieces.append({"id": prefix + face, "face": face, "seat": seat} | ({"mark": "won"} if seat == winner else {}))
    return zone(ident, *pieces, layout="trick")


@pytest.mark.parametrize("seats", tiered([2, 4, 7], lambda seats: seats == 4))
def test_cards_of_a_trick_lie_towards_their_players(page: Page, address: str, seats: int) -> None:
    table = PretendTable(page, address, seats=seats)
    table.open(legal_move("play 8C", "8C"), zones=[trick("t", 1, seats), hand("8C", "5S", "AH")])
    for width, height in ((1280, 800), (390, 844), (640, 400)):
        page.set_viewport_size({"width": width, "height": height})
        assert faults(page, touch=False) == []
        lie: dict[str, Any] = page.evaluate(LIE)
        assert sorted(lie) == [str(seat) for seat in range(seats)]
        ones = lie.pop("0")
        assert all(ones[1] > other[1] - 1 for other in lie.values()), "one's own card is the nearest"
        opposite = lie[str(seats // 2)]
        assert opposite[1] < ones[1]
        if seats > 2:
            assert lie["1"][0] < lie[str(seats - 1)][0], "the next player sits at the left"


def test_a_trick_says_who_played_what_and_who_led_and_won(page: Page, address: str) -> None:
    table = PretendTable(page, address, seats=4)
    table.open(zones=[trick("t", 1, 4, winner=2), hand("8C")], settled=say("{seat} wins the trick.", seat={"seat": 2}))
    cards = page.get_by_role("list", name="t", exact=True).get_by_role("img")
    expect(cards).to_have_count(4)
    labels = [cards.nth(place).get_attribute("aria-label") or "" for place in range(4)]
    assert [NAMES.index(label.split("played by ")[1].split(",")[0]) for label in labels] == [1, 2, 3, 0]
    assert [", led" in label for label in labels] == [True, False, False, False]
    assert [", wins" in label for label in labels] == [False, True, False, False]
    expect(page.locator(".last-line")).to_have_text("Cato wins the trick.")
    expect(page.locator("[data-layout=trick] .played-by")).to_have_text(["1Bram", "2Cato", "3Dirk", "4you"])


@full
def test_the_last_trick_is_one_press_away_and_escape_puts_it_back(page: Page, address: str) -> None:
    table = PretendTable(page, address, seats=4)
    now = zone("t", {**card("AS"), "seat": 3}, layout="trick")
    table.open(zones=[now, hand("8C")])
    button = page.locator(".last-trick > summary")
    expect(button).to_be_hidden()
    last = trick("Last trick", 1, 4, winner=2, prefix="last/")
    table.show(zones=[now, hand("8C")], last_trick=last)
    cards = page.get_by_role("list", name="Last trick").get_by_role("img")
    expect(cards).to_have_count(0)
    button.focus()
    page.keyboard.press("Enter")
    expect(cards).to_have_count(4)
    expect(cards.nth(1)).to_have_attribute("aria-label", "2 of diamonds, wins, played by Cato")
    page.keyboard.press("Escape")
    expect(cards).to_have_count(0)
    expect(button).to_be_focused()
