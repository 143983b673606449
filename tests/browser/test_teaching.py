"""Help for newcomers at the table: tips, meanings, reasons, and the rules beside the felt."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Visitor
from tests.browser.tables import play_with_keys, set_table, sit_with_bots, start, wait_for_turn
from tests.browser.test_axe import serious
from tests.tiers import full


def test_a_first_match_is_taught_once_and_again_when_asked(visitor: Visitor) -> None:
    page = visitor(tips=True)
    sit_with_bots(page)
    tip = page.get_by_role("note", name="Tip")
    expect(tip).to_contain_text("certificate")
    assert page.evaluate("() => !document.querySelector('.tips').contains(document.activeElement)")
    assert serious(page) == []
    expect(page.get_by_role("log", name="Announcements")).to_contain_text("Be the last with a certificate")
    page.keyboard.press("Escape")
    expect(tip).to_contain_text("your stock")
    tip.get_by_role("button", name="Got it").click()
    expect(tip).to_contain_text("Keep your stock")
    page.reload()
    wait_for_turn(page)
    # Where one was, unless what the next tip is about is drawn first.
    expect(tip).to_contain_text(re.compile("Keep your stock|The dealer comes last"))
    tip.get_by_role("button", name="No more tips").click()
    expect(tip).to_be_hidden()
    page.reload()
    wait_for_turn(page)
    page.get_by_label("Menu", exact=True).click()
    expect(tip).to_be_hidden()
    page.get_by_role("button", name="Show tips").click()
    expect(tip).to_contain_text("Be the last with a certificate")


# What comes too early: a tip or a button in a frame in which one's own cards are still being dealt.
EARLY = """() => {
  window.dealing = 0;
  window.early = [];
  const look = () => {
    const flies = document.getAnimations().some(
      ({ effect, playState }) => playState === "running" && effect?.target?.matches?.(".own [data-piece]"),
    );
    if (flies) {
      window.dealing++;
      const shown = document.querySelectorAll(".tips:not([hidden], [data-waiting]) .tip, .scroller > .moves > .move");
      window.early.push(...[...shown].map((node) => node.textContent));
    }
    if (!document.querySelector(".scroller > .moves > .move")) requestAnimationFrame(look);
  };
  look();
}"""


def test_on_a_phone_the_first_tip_and_the_first_question_wait_for_the_cards_and_cover_nothing(
    visitor: Visitor,
) -> None:
    page = visitor("phone", tips=True, reduced_motion=False)
    set_table(page, "cribbage", ("house",))
    page.evaluate(EARLY)
    start(page)
    wait_for_turn(page)
    assert page.evaluate("() => window.dealing") > 0
    assert page.evaluate("() => window.early") == []
    expect(page.get_by_role("note", name="Tip")).to_contain_text("first to 121")
    # It lies in the controls: below all that is on the felt, and above the question.
    edges = "(one) => { const { top, bottom } = one.getBoundingClientRect(); return [top, bottom]; }"
    (_, felt), (top, bottom), (ask, _) = (page.locator(one).evaluate(edges) for one in (".felt", ".tip", ".ask"))
    assert felt <= top < bottom <= ask
    # A phone that is turned has no room there: the tip lies beside the question, as wide as a tip is anywhere.
    page.set_viewport_size({"width": 844, "height": 390})
    expect(page.locator(".tip-place")).to_be_hidden()
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".tip-place")).to_be_visible()
    page.get_by_role("button", name="Got it").click()
    expect(page.get_by_role("note", name="Tip")).not_to_contain_text("first to 121")


@full
def test_a_spectator_is_taught_only_when_asked(visitor: Visitor) -> None:
    host, spectator = visitor(), visitor(tips=True)
    address = set_table(host, "bundles", ("house",) * 3)
    start(host)
    spectator.goto(address)
    expect(spectator.locator(".felt [data-piece]").first).to_be_visible()
    spectator.get_by_label("Menu", exact=True).click()
    assert not spectator.locator(".tip").count()
    spectator.get_by_role("button", name="Show tips").click()
    expect(spectator.get_by_role("note", name="Tip")).to_contain_text("largest bundle")


@full
def test_visible_things_have_meanings_and_impossible_actions_are_explained(visitor: Visitor) -> None:
    page = visitor()
    set_table(page, "hamsterdam", ("house", "house"))
    start(page)
    wait_for_turn(page)
    hint = page.locator("#hint")
    counter = page.locator(".own .counter").first
    counter.hover()
    expect(hint).to_have_text(re.compile("^Certificates: 2 Lives:"))
    page.keyboard.press("Escape")
    expect(hint).to_be_hidden()
    page.locator('[data-zone="modifiers:0"] [data-piece]').first.click()
    expect(hint).to_have_text("Modifiers are played later, when everybody has traded and the stocks are face up.")
    assert page.evaluate("() => document.querySelector('#hint').getAttribute('role')") == "status"
    page.locator('[data-zone="deck:modifier"] [data-piece]').click()
    expect(hint).to_contain_text("You cannot draw one")
    page.keyboard.press("w")
    legend = page.get_by_role("dialog", name="What things mean")
    shown = page.evaluate(UNEXPLAINED)
    assert shown == []
    assert serious(page) == []
    expect(legend).to_contain_text("Certificates: 2")
    expect(legend).to_contain_text("The lowest loses a certificate.")
    page.keyboard.press("Escape")
    play_with_keys(page)
    page.get_by_role("link", name="Replay the match").click()
    counter.hover()
    expect(hint).to_have_text(re.compile("^Certificates: 2 Lives:"))


# What can be asked what it means and has no answer: all that lies on the table just now.
UNEXPLAINED = """async () => {
  const { EXPLAINED, wordsFor, signOf } = await import("/static/js/table/signs.js");
  const { about } = await (await fetch("/rules/hamsterdam/teaching.json")).json();
  const nodes = [...document.querySelectorAll(EXPLAINED)];
  return nodes.length ? nodes.filter((node) => !wordsFor(node, about, String)).map(signOf) : ["nothing to explain"];
}"""


@full
def test_a_finger_that_rests_asks_and_plays_nothing(visitor: Visitor) -> None:
    page = visitor("phone")
    set_table(page, "hamsterdam", ("house", "house"))
    start(page)
    wait_for_turn(page)
    made = page.locator(".log-line").count()
    finger = """([kind, what]) => document.querySelector(what).dispatchEvent(
      new (kind === "click" ? MouseEvent : PointerEvent)(kind, { bubbles: true, pointerType: "touch" }))"""
    total = '[data-zone="stock:0"] .zone-total'
    page.wait_for_selector(".room[data-guided]")
    page.evaluate(finger, ["pointerdown", total])
    expect(page.locator("#hint")).to_contain_text("The lowest loses a certificate")
    for kind in ("pointerup", "click"):
        page.evaluate(finger, [kind, '[data-zone="stock:0"] [data-legal]'])
    assert page.locator("[data-picked]").count() == 0
    assert page.locator(".log-line").count() == made
    page.get_by_role("group", name="Sound").get_by_role("button", name="No").click()
    page.locator(".room-names").tap()  # what a phone has no room for
    expect(page.locator("#hint")).to_have_text(re.compile("^Hamsterdam Exchange Round 1: .*Sealed"))


@full
def test_the_rules_open_over_the_table_with_its_own_pieces(visitor: Visitor) -> None:
    page = visitor()
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url) if "/drawer/" in request.url else None)
    set_table(page, "hamsterdam", ("house", "house"))
    start(page)
    wait_for_turn(page)
    assert not fetched
    opener = page.get_by_role("button", name="Rules of the game").first
    opener.click()
    drawer = page.get_by_role("dialog", name="Rules of the game")
    expect(drawer.locator('.rule-piece[data-face="AC"] use[href="#card-AC"]')).to_be_attached()
    expect(drawer.get_by_role("img", name="ace of clubs").first).to_be_visible()
    rules, felt, controls = (page.locator(part).bounding_box() for part in (".drawer", ".felt", ".controls"))
    for part in (felt, controls):
        assert rules
        assert part
        assert rules["x"] >= part["x"] + part["width"] - 1, "the table stays in sight"
    assert serious(page) == []
    drawer.get_by_role("link", name="The end").click()
    expect(drawer.get_by_role("heading", name="The end", exact=True)).to_be_focused()
    assert "#" not in page.url
    page.keyboard.press("1")  # the table is played on beside it
    wait_for_turn(page)
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    page.keyboard.press("r")
    expect(drawer).to_be_visible()
    assert len(fetched) == 1
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".drawer:modal")).to_be_visible()
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()


def test_cards_on_a_rules_page_have_the_pictures_that_their_author_drew(visitor: Visitor) -> None:
    page = visitor()
    page.goto("/rules/expeditions/")
    own = page.locator(".rule-piece .drawn .symbol[data-own] svg")
    expect(own.first).to_be_visible()
    assert own.count() >= 3
