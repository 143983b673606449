"""Cards other than playing cards: their words are written on them and completely legible."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visitor
from tests.browser.pretend import PretendTable, say, zone
from tests.tiers import full, tiered

FACES = ("lamp", "doorkeeper", "the merchant of the canal", "RED", "Wachtmeisterin")


def word_cards(place: str) -> list[dict[str, Any]]:
    """Return a card of each face, with its value on the corner."""
    return [
        {"id": f"{place}.{number}", "face": face, "label": say(face), "badge": str(number)}
        for number, face in enumerate(FACES)
    ]


@pytest.mark.parametrize("device", [pytest.param("desktop", marks=full), "phone"])
@pytest.mark.parametrize("layout", tiered(["row", "hand", "slot"], lambda layout: layout == "hand"))
def test_every_word_on_a_card_fits_on_it(
    visitor: Visitor, address: str, device: Literal["desktop", "phone"], layout: str
) -> None:
    page = visitor(device=device, reduced_motion=True)
    table = PretendTable(page, address)
    zones = [zone("shared", *word_cards("shared"), layout=layout), zone("own", *word_cards("own"), seat=0)]
    table.open(zones=[*zones, zone("theirs", *word_cards("theirs")[:2], seat=1, layout=layout)])
    tiles = page.locator(".tile")
    expect(tiles).to_have_count(12)
    cut = tiles.evaluate_all(
        """(tiles) => tiles.filter((tile) => {
             const words = document.createRange();
             words.selectNodeContents(tile);
             const box = tile.getBoundingClientRect();
             return [...words.getClientRects()].some((word) => word.left < box.left || word.right > box.right);
           }).map((tile) => tile.textContent)"""
    )
    assert cut == []
    # The value is on the corner: it is not said twice on the card, but once to who listens.
    expect(tiles.first).to_have_text("lamp")
    expect(page.locator('[data-piece="own.1"]')).to_have_attribute("aria-label", "doorkeeper, 1")


def test_a_face_that_ends_like_a_suit_is_shown_as_the_word_it_is(modules: Page) -> None:
    faces = {"RED": "RED", "7S": "7♠", "10H": "10♥", "AD": "A♦", "GOLD": "GOLD", "1C": "1C", "ACES": "ACES"}
    result = modules.evaluate(
        """async (faces) => {
             const { cardSign, cardWords } = await import("/static/js/table/text.js");
             return faces.map((face) => [cardSign(face), cardWords(face)]);
           }""",
        list(faces),
    )
    assert [sign for sign, _ in result] == list(faces.values())
    spoken = [words for _, words in result]
    assert spoken == ["RED", "7 of spades", "10 of hearts", "ace of diamonds", "GOLD", "1C", "ACES"]
