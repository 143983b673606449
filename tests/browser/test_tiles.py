"""Cards other than playing cards: their words are written on them and completely legible."""

from __future__ import annotations

import re
from typing import Any, Literal, get_args

import pytest
from playwright.sync_api import Page, expect

from games.core.view import Colour, Symbol
from tests.browser.conftest import Visitor
from tests.browser.pretend import PretendTable, say, zone
from tests.running_site import ROOT
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
             return [...words.getClientRects()].some((word) =>
               word.left < box.left || word.right > box.right || word.top < box.top || word.bottom > box.bottom);
           }).map((tile) => tile.textContent)"""
    )
    assert cut == []
    # The value is on the corner: it is not said twice on the card, but once to who listens.
    expect(tiles.first).to_have_text("lamp")
    expect(page.locator('[data-piece="own.1"]')).to_have_attribute("aria-label", "doorkeeper, 1")


PICTURES = (("10", "flame", "red"), ("Kn", "coin", "yellow"), ("+25", "", ""), ("", "star", "white"), ("7", "", "blue"))


def drawn_cards(place: str) -> list[dict[str, Any]]:
    """Return cards with a corner, a symbol, or both, and rather long names."""
    return [
        {"id": f"{place}.{number}", "face": "AC", "label": say(f"{corner} wheelwrights"), "corner": corner}
        | ({"symbol": symbol} if symbol else {})
        | ({"colour": colour} if colour else {})
        for number, (corner, symbol, colour) in enumerate(PICTURES)
    ]


@pytest.mark.parametrize("device", [pytest.param("desktop", marks=full), "phone"])
@pytest.mark.parametrize("layout", tiered(["row", "hand"], lambda layout: layout == "hand"))
def test_what_is_drawn_on_a_card_lies_on_it_and_its_corner_is_seen(
    visitor: Visitor, address: str, device: Literal["desktop", "phone"], layout: str
) -> None:
    page = visitor(device=device, reduced_motion=True)
    table = PretendTable(page, address)
    zones = [zone("shared", *drawn_cards("shared"), layout=layout), zone("own", *drawn_cards("own"), seat=0)]
    table.open(zones=[*zones, zone("theirs", *drawn_cards("theirs")[:2], seat=1, layout=layout)])
    cards = page.locator(".piece > .drawn")
    expect(cards).to_have_count(12)
    faults = cards.evaluate_all(
        """(cards) => cards.flatMap((card) => {
             const box = card.getBoundingClientRect();
             const cut = [...card.querySelectorAll("text, .symbol")].filter((part) => {
               if (!part.checkVisibility()) return false;
               const { left, right, top, bottom } = part.getBoundingClientRect();
               return left < box.left || right > box.right || top < box.top || bottom > box.bottom;
             });
             const corner = card.querySelector(".index, .symbol").getBoundingClientRect();
             const [x, y] = [corner.left + corner.width / 2, corner.top + corner.height / 2];
             const seen = document.elementsFromPoint(x, y).find((node) => node.closest("[data-piece]"));
             const own = seen?.closest("[data-piece]") === card.parentElement;
             const hidden = own ? [] : [`a corner of ${card.outerHTML}`];
             return [...cut.map((part) => `${part.outerHTML} is cut`), ...hidden];
           })"""
    )
    assert faults == []
    # It is called AC in the rules, and is no ace of clubs.
    expect(page.locator('[href="#card-AC"]')).to_have_count(0)
    expect(page.locator('[data-piece="own.1"]')).to_have_attribute("aria-label", "Kn wheelwrights")


def test_every_symbol_and_colour_of_a_view_has_a_drawing_of_its_own(modules: Page) -> None:
    drawings: dict[str, str] = modules.evaluate('async () => (await import("/static/art/symbols.js")).SYMBOLS')
    assert sorted(drawings) == sorted(get_args(Symbol))
    assert len(set(drawings.values())) == len(drawings)
    css = (ROOT / "static/css/table/cards.css").read_text()
    tints = dict(re.findall(r'\.drawn\[data-colour="(\w+)"\] \{\s*--tint: (#\w+)', css))
    assert sorted(tints) == sorted(get_args(Colour))
    assert len(set(tints.values())) == len(tints)
    boxes = modules.evaluate(
        """async () => {
             const { SYMBOLS } = await import("/static/art/symbols.js");
             const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
             document.body.append(svg);
             return Object.entries(SYMBOLS).map(([name, markup]) => {
               svg.innerHTML = markup;
               const { x, y, width, height } = svg.getBBox();
               return [name, x, y, x + width, y + height];
             });
           }"""
    )
    assert [box for box in boxes if min(box[1:3]) < -11 or max(box[3:]) > 11 or box[3] - box[1] < 5] == []


LAMP = {
    "box": "0 0 512 512",
    "shapes": [
        {"tag": "path", "attributes": {"d": "M-900 0H900V500H-900Z", "fill": "#c00000"}},
        {"tag": "circle", "attributes": {"r": "200", "cx": "256", "cy": "256", "stroke": "currentColor"}},
    ],
    "plain": False,
}


def test_a_picture_of_an_author_is_drawn_on_cards_backs_and_tokens_and_stays_in_its_place(
    visitor: Visitor, address: str
) -> None:
    page = visitor(reduced_motion=True)
    table = PretendTable(page, address)
    pieces: list[dict[str, Any]] = [
        {"id": "card", "face": "AC", "label": say("cups 2"), "corner": "2", "symbol": "ownlamp", "colour": "red"},
        {"id": "pips", "face": "AD", "label": say("cups 5"), "corner": "5", "symbol": "ownlamp", "number": 5},
        {"id": "back", "back": "GOALS", "symbol": "ownlamp", "colour": "teal"},
        {"id": "coloured", "back": "GOALS", "colour": "teal"},
        {"id": "usual", "back": "GOALS"},
        {"id": "token", "face": "token-pink-blank", "label": say("lamp"), "symbol": "ownlamp"},
        {"id": "die", "face": "cube-brown-blank", "label": say("bolt"), "symbol": "bolt"},
    ]
    table.open(zones=[zone("shared", *pieces, layout="row")], pictures={"ownlamp": LAMP})
    expect(page.locator('[data-piece="token"] svg.sign')).to_be_visible()
    counts = {piece["id"]: page.locator(f'[data-piece="{piece["id"]}"] .symbol').count() for piece in pieces}
    assert counts == {"card": 3, "pips": 6, "back": 1, "coloured": 0, "usual": 0, "token": 1, "die": 1}
    expect(page.locator('[data-piece="back"] .drawn-back[data-colour="teal"]')).to_be_visible()
    expect(page.locator('[data-piece="coloured"] .drawn-back .hamster')).to_be_visible()
    expect(page.locator('[data-piece="usual"] [href="#back-plain"]')).to_have_count(1)
    # A shape far beyond its box is cut off there.
    page.locator('[data-piece="card"] .symbol svg').first.evaluate(
        """(svg) => { if (getComputedStyle(svg).overflow !== "hidden") throw new Error("it is not cut off"); }"""
    )


def test_nothing_but_shapes_is_ever_drawn_of_a_picture(modules: Page) -> None:
    hostile = [
        {"tag": "script", "attributes": {"d": "alert(1)"}},
        {"tag": "foreignObject", "attributes": {}},
        {"tag": "use", "attributes": {"href": "https://evil.example/"}},
        {
            "tag": "path",
            "attributes": {
                "d": "M0 0h9", "onclick": "alert(1)", "href": "x", "style": "fill: red", "fill": "url(https://evil.example)"
            },
        },
    ]  # fmt: skip
    markup = modules.evaluate(
        """async (shapes) => {
             const { drawnCard, keepPictures } = await import("/static/art/symbols.js");
             keepPictures({ ownx: { box: "0 0 9 9", shapes, plain: true } });
             return drawnCard({ symbol: "ownx" }, "x").querySelector("[data-own] svg").innerHTML;
           }""",
        hostile,
    )
    assert markup == '<path d="M0 0h9"></path>'


def test_dice_and_tokens_have_every_colour_with_and_without_a_symbol(modules: Page) -> None:
    faces = [
        f"{kind}-{colour}{end}" for kind in ("cube", "token") for colour in get_args(Colour) for end in ("", "-blank")
    ]
    drawn = modules.evaluate(
        """async (faces) => {
             const { figureOf, hasFigure } = await import("/static/art/figures.js");
             return faces.filter(hasFigure).map((face) => document.querySelector(figureOf(face).href)?.innerHTML);
           }""",
        faces,
    )
    assert len(set(drawn)) == len(faces)


def test_suits_of_a_drawn_pack_have_four_colours_for_those_who_want_them(visitor: Visitor, address: str) -> None:
    page = visitor(reduced_motion=True)
    table = PretendTable(page, address)
    suits = {"heart": "red", "diamond": "red", "club": "black", "spade": "black", "star": "red"}
    pieces = [
        {"id": suit, "face": suit, "label": say(suit), "corner": "7", "symbol": suit, "colour": colour}
        for suit, colour in suits.items()
    ]
    own = {"id": "own", "face": "own", "label": say("own"), "corner": "8", "symbol": "club", "colour": "teal"}
    table.open(zones=[zone("shared", *pieces, own, layout="row")])
    expect(page.locator(".drawn")).to_have_count(6)
    colours = """() => [...document.querySelectorAll(".drawn")]
        .map((card) => getComputedStyle(card.querySelector(".symbol")).fill)"""
    two = page.evaluate(colours)
    page.evaluate("document.documentElement.dataset.suits = 'four'")
    four = page.evaluate(colours)
    changed = [suit for suit, before, after in zip([*suits, "own"], two, four, strict=True) if before != after]
    assert len(set(four)) > len(set(two))
    assert changed == ["diamond", "club"]


def test_what_is_written_on_a_card_is_read_on_every_colour_in_light_and_in_dark(modules: Page) -> None:
    css = {name: (ROOT / f"static/css/{name}.css").read_text() for name in ("table/cards", "tokens")}
    modules.add_style_tag(content=css["tokens"] + css["table/cards"])
    worst = modules.evaluate(
        r"""async (colours) => {
             const { contrast } = await import("/static/js/workshop/contrast.js");
             const card = document.body.appendChild(document.createElement("div"));
             const rgb = (value) => {
               card.style.color = value;
               return getComputedStyle(card).color.match(/[\d.]+/g).slice(0, 3).map(Number);
             };
             return ["light", "dark"].flatMap((scheme) => colours.map((colour) => {
               card.className = "drawn";
               card.dataset.colour = colour;
               card.style.colorScheme = scheme;
               return contrast(rgb("var(--card-ink)"), rgb("var(--tint)"));
             }));
           }""",
        ["", *get_args(Colour)],
    )
    assert len(worst) == 26
    assert min(worst) > 7


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
