"""The workshop's panel of the cards: a view of the table file, which it changes in its text."""

from __future__ import annotations

import json
import tomllib
from typing import Any, get_args

import pytest
from playwright.sync_api import Page, expect

from games.core.view import Colour
from games.recycle.labels import MOST_PICTURES, Labels
from tests.browser.conftest import VIEWPORTS, Visitor
from tests.browser.test_axe import serious
from tests.browser.test_workshop import opened, write
from tests.browser.test_workshop_editing import table_of, write_table
from tests.tiers import full

GAME = """(game (setup (create players 2)
  (create deck (game hloc STOCK) (deck (RANK (ONE, TWO)) (SUIT (CUPS, LAMPS))))
  (create die (game vloc DICE) (deck (HIT (LOW, HIGH)))))
  (stage player (end (== 1 1)) (choice ((turn pass)))) (scoring max 0))"""
LAMP = '<svg viewBox="0 0 20 20"><title>lamp</title><circle cx="10" cy="8" r="6" fill="#ffe"/></svg>'


def changed(modules: Page, text: str, section: str, key: str, said: dict[str, Any]) -> str:
    found: str = modules.evaluate(
        """async ([text, section, key, said]) => {
             const { inToml, withLine } = await import("/static/js/workshop/faces_text.js");
             return withLine(text, section, key, Object.keys(said).length ? inToml(said) : "");
           }""",
        [text, section, key, said],
    )
    return found


FILES = [
    "",
    "\n\n",
    "[labels]\nCUPS = 'Cups'",
    "[faces]",
    "[faces]\n",
    '[faces]\nCUPS = {symbol = "cup"}',
    '# top\n[faces]  # how\nCUPS = { symbol = "cup", corner = "}#" }  # mine\n\n[labels]\nCUPS = "[faces]"\n',
    '[faces]\n"CUPS" = {symbol = "cup"}\nLAMPS = {colour = "red"}\n',
    "[tips]\na = [\n  'zone:x',\n  '[faces]',\n]\n[faces]\nLAMPS = {number = 2}\n",
    "[pictures]\nlamp = '''\n<svg>\n[faces]\nCUPS = 1\n</svg>'''\n[faces]\nLAMPS = {number = 2}",
    '[labels]\nCUPS = """\n[faces]\nCUPS"""\n',
]


@pytest.mark.parametrize("text", FILES, ids=range(len(FILES)))
def test_a_line_of_a_section_is_changed_and_nothing_else_of_the_file(modules: Page, text: str) -> None:
    before = tomllib.loads(text)
    for said in ({"symbol": "star", "colour": "blue"}, {"corner": '"\\', "number": 3}, {}):
        after = changed(modules, text, "faces", "CUPS", said)
        read = tomllib.loads(after)
        assert read.get("faces", {}).get("CUPS", {}) == said
        for found in (before, read):
            found.setdefault("faces", {}).pop("CUPS", None)
        assert read == before
        assert [line for line in after.split("\n") if "#" in line and "CUPS" not in line] == [
            line for line in text.split("\n") if "#" in line and "CUPS" not in line
        ]
        before = tomllib.loads(text)
    kept = changed(modules, FILES[6], "faces", "CUPS", {"number": 4})
    assert "CUPS = {number = 4}  # mine\n" in kept


@pytest.mark.parametrize(
    ("text", "can"),
    [
        ("[faces]\nCUPS = {number = 2}", True),
        ("[faces.CUPS]\nnumber = 2", False),
        ("[faces]\nCUPS.number = 2", False),
        ("faces = {CUPS = {number = 2}}", False),
        ("faces.CUPS.number = 2", False),
        ("[faces]\nCUPS = {number = 2}\n[tips]\na = ['b', 'c']", True),
    ],
)
def test_a_section_that_is_written_in_another_way_is_left_to_its_author(modules: Page, text: str, can: bool) -> None:
    tomllib.loads(text)
    assert can is modules.evaluate(
        'async (text) => (await import("/static/js/workshop/faces_text.js")).canChange(text, "faces")', text
    )


def test_the_editor_offers_every_colour(modules: Page) -> None:
    offered = modules.evaluate('async () => (await import("/static/js/workshop/cards_panel.js")).COLOURS')
    assert sorted(offered) == sorted(get_args(Colour))


def test_contrast_is_that_of_the_wcag(modules: Page) -> None:
    ratios = modules.evaluate(
        """async () => {
             const { contrast } = await import("/static/js/workshop/contrast.js");
             return [[[0, 0, 0], [255, 255, 255]], [[255, 255, 255], [119, 119, 119]], [[9, 9, 9], [9, 9, 9]]]
               .map(([one, other]) => contrast(one, other));
           }"""
    )
    assert ratios == [pytest.approx(21), pytest.approx(4.478, abs=0.001), 1]


def cards(visitor: Visitor, **how: object) -> Page:
    """Open the panel of the cards of a new text."""
    page = opened(visitor, "/workshop/new/", **how)
    if how.get("device") == "phone":
        page.get_by_role("tab", name="Text").click()
    write(page, GAME)
    page.get_by_role("tab", name="Cards").click()
    expect(page.get_by_role("group", name="LAMPS")).to_be_visible()
    return page


def test_what_is_chosen_in_the_panel_is_written_into_the_text_and_drawn_at_once(visitor: Visitor) -> None:
    page = cards(visitor)
    lamps = page.get_by_role("group", name="LAMPS")
    expect(lamps.locator(".drawn")).to_have_attribute("data-colour", "blue")
    lamps.get_by_label("Colour").select_option("teal")
    expect(lamps.locator(".drawn")).to_have_attribute("data-colour", "teal")
    lamps.get_by_label("Number").select_option("3")
    # By keys: the symbols begin with the one that is chosen.
    lamps.get_by_role("button", name="Symbol: usual").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_role("button", name="usual")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(lamps.get_by_role("button", name="Symbol: circle")).to_be_visible()
    expect(lamps.locator(".symbol")).to_have_count(4)
    low = page.get_by_role("group", name="LOW")
    low.get_by_label("Corner").fill("Lo")
    page.keyboard.press("Enter")
    expect(low.locator(".badge")).to_have_text("Lo")
    page.get_by_role("group", name="DEFAULT").get_by_label("Colour").select_option("pink")
    expect(page.get_by_role("group", name="DEFAULT").locator(".drawn-back")).to_have_attribute("data-colour", "pink")
    page.get_by_role("tab", name="Words for the table").click()
    assert tomllib.loads(table_of(page)) == {
        "faces": {"LAMPS": {"symbol": "circle", "colour": "teal", "number": 3}, "LOW": {"corner": "Lo"}},
        "backs": {"DEFAULT": {"colour": "pink"}},
    }
    assert serious(page) == []
    lamps.get_by_label("Number").select_option("")  # three changes, faster than anybody answers
    lamps.get_by_label("Colour").select_option("")
    lamps.get_by_role("button", name="Symbol: circle").click()
    page.get_by_role("dialog").get_by_role("button", name="usual").click()
    expect(lamps.locator(".drawn")).to_have_attribute("data-colour", "blue")
    assert "LAMPS" not in table_of(page)
    page.locator(".pane-words .cm-content").focus()
    page.keyboard.press("ControlOrMeta+z")
    expect(lamps.get_by_role("button", name="Symbol: circle")).to_be_visible()


def add(page: Page, markup: str) -> None:
    page.get_by_label("SVG", exact=True).fill(markup)
    page.get_by_role("button", name="Add", exact=True).click()


@pytest.mark.parametrize("device", [pytest.param("desktop", marks=full), "phone"])
def test_a_picture_of_ones_own_is_added_checked_and_drawn(visitor: Visitor, device: str) -> None:
    page = cards(visitor, device=device)
    lamps = page.get_by_role("group", name="LAMPS")
    lamps.get_by_role("button", name="Symbol").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("0 of 16 pictures; each has at most 8192 characters.")
    add(page, LAMP.replace("<title>", "<script>").replace("</title>", "</script>"))
    expect(dialog.get_by_role("alert")).to_contain_text("A picture may not have the element <script>.")
    add(page, LAMP + " " * 9000)
    expect(dialog.get_by_role("alert")).to_have_text("A picture has at most 8192 characters.")
    assert serious(page) == []
    page.get_by_label("Its name in the text").fill("Star.svg")  # a symbol that there is
    add(page, LAMP)
    expect(lamps.get_by_role("button", name="Symbol: star-2")).to_be_visible()
    expect(lamps.locator(".symbol circle").first).to_have_attribute("fill", "#ffe")
    expect(lamps).to_contain_text("This picture is hardly seen on this colour")
    lamps.get_by_label("Colour").select_option("pink")
    expect(lamps.locator(".drawn")).to_have_attribute("data-colour", "pink")
    if device == "phone":
        assert page.evaluate("document.documentElement.scrollWidth") == VIEWPORTS["phone"][0]
        page.get_by_role("tab", name="Text").click()
    page.get_by_role("tab", name="Words for the table").click()
    table = table_of(page)
    assert "<title>" not in table, "what nobody sees is left out"
    labels = Labels.read(table)
    assert labels.faces["LAMPS"].symbol == labels.own["star-2"]


@full
def test_a_game_has_only_so_many_pictures(visitor: Visitor) -> None:
    page = cards(visitor)
    lamp = json.dumps(LAMP)
    with page.expect_response(
        lambda response: "/check/" in response.url and "lamp15" in str(response.request.post_data)
    ):
        write_table(page, "\n".join(["[pictures]", *(f"lamp{number} = {lamp}" for number in range(MOST_PICTURES))]))
    cups = page.get_by_role("group", name="CUPS")
    cups.get_by_role("button", name="Symbol").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.get_by_role("dialog")).to_contain_text("16 of 16 pictures")
    expect(page.get_by_role("button", name="Add", exact=True)).to_be_disabled()
