"""Sound is offered once, at a person's first table, where it covers nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from games import catalogue
from tests.browser.boxes import EVERY_SIZE
from tests.browser.conftest import Visitor
from tests.browser.tables import MOVE, set_table, sit_down, start
from tests.tiers import tiered

# What the offer lies on or leaves of the bar, in words.
COVERED = """() => {
  const box = (node) => node.getBoundingClientRect();
  const offer = document.querySelector(".sound-offer");
  const bar = box(document.querySelector(".room-bar"));
  const faults = [];
  const cut = (node) => node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 2;
  for (const part of offer.children) {
    const own = box(part);
    if (own.left < bar.left || own.right > bar.right || own.top < bar.top || own.bottom > bar.bottom + 1)
      faults.push(`${part.textContent} is out of the bar`);
    for (const node of document.querySelectorAll(".room-bar > :not(.sound-offer), .felt, .controls")) {
      if (!node.checkVisibility()) continue;
      const [wide, high] = [["left", "right"], ["top", "bottom"]].map(([low, end]) =>
        Math.min(own[end], box(node)[end]) - Math.max(own[low], box(node)[low]));
      if (wide > 1 && high > 1) faults.push(`${part.textContent} on ${node.className}`);
    }
    if (part.matches("span") && cut(part)) faults.push(`${part.textContent} is cut`);
  }
  const title = document.querySelector(".room-title");
  if (!title.checkVisibility() || cut(title)) faults.push(`${title.textContent} is cut`);
  if (document.documentElement.scrollWidth > innerWidth) faults.push("the page scrolls");
  for (const button of offer.querySelectorAll("button"))
    if (box(button).width < 44 || box(button).height < 44) faults.push(`${button.textContent} is too small`);
  return faults;
}"""

# Whether what a story is played for, the words before the first dot, is seen whole.
GOAL_SHOWN = """() => {
  const phase = document.querySelector(".room-phase");
  const words = phase.lastElementChild.firstChild;
  const range = document.createRange();
  range.setStart(words, 0);
  range.setEnd(words, words.data.indexOf(" · "));
  return range.getBoundingClientRect().right <= phase.getBoundingClientRect().right;
}"""


def begin(page: Page) -> None:
    """Begin a match with a bot."""
    set_table(page, "bundles", ("house",))
    start(page)


def sound(page: Page) -> str | None:
    """Return what this browser keeps about sound."""
    kept: str | None = page.evaluate("localStorage.getItem('sound')")
    return kept


@pytest.mark.parametrize(("answer", "kept"), [("Yes", "on"), ("No", "off")])
def test_sound_is_offered_until_it_is_answered_and_then_never_again(visitor: Visitor, answer: str, kept: str) -> None:
    page = visitor()
    begin(page)
    offer = page.get_by_role("group", name="Sound")
    expect(offer).to_contain_text("Turn sound on?")
    page.reload()
    expect(offer).to_be_visible()
    button = offer.get_by_role("button", name=answer)
    button.focus()
    with page.expect_response("**/me/preference/"):
        page.keyboard.press("Enter")
    expect(offer).to_be_hidden()
    assert sound(page) == kept
    page.get_by_label("Menu", exact=True).click()
    expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", str(kept == "on").lower())
    page.evaluate("localStorage.clear()")  # another browser of the same person
    page.reload()
    expect(page.locator(MOVE).first).to_be_visible()
    expect(offer).to_be_hidden()


def test_a_person_who_does_not_answer_is_not_asked_at_the_next_table(visitor: Visitor) -> None:
    page = visitor()
    begin(page)
    expect(page.get_by_role("group", name="Sound")).to_be_visible()
    begin(page)
    expect(page.locator(MOVE).first).to_be_visible()
    expect(page.get_by_role("group", name="Sound")).to_be_hidden()


def test_a_spectator_is_not_asked(visitor: Visitor) -> None:
    host, spectator = visitor(), visitor()
    address = set_table(host, "bundles", ("open",))
    spectator.goto(address)
    expect(spectator.locator(".waiting-room")).to_be_visible()
    expect(spectator.get_by_role("group", name="Sound")).to_be_hidden()
    sit_down(spectator, address, "Ben")
    expect(spectator.get_by_role("group", name="Sound")).to_be_visible()


@pytest.mark.parametrize("language", tiered(["en", "de", "fr", "nl"], lambda language: language == "fr"))
def test_the_offer_covers_nothing_and_leaves_the_name_of_the_game_at_any_size_in_any_language(
    visitor: Visitor, language: str
) -> None:
    page = visitor()
    begin(page)
    page.set_extra_http_headers({"Accept-Language": language})
    page.reload()
    expect(page.locator(".sound-offer > span")).to_be_visible()
    titles = [game.title for provider in catalogue.providers for game in catalogue.listed(provider)]
    faults = []
    for size, (width, height, _) in EVERY_SIZE.items():
        page.set_viewport_size({"width": width, "height": height})
        for title in sorted(titles, key=len)[-5:]:
            page.locator(".room-title").evaluate("(node, title) => (node.textContent = title)", title)
            faults += [f"{size}: {fault}" for fault in page.evaluate(COVERED)]
    assert faults == []


def test_the_offer_leaves_what_a_story_is_played_for_where_there_is_room(visitor: Visitor) -> None:
    page = visitor()
    for game in (game for game in catalogue.listed(catalogue.providers[0]) if game.story):
        page.goto(f"/favour/{game.name}/")
        page.get_by_role("button", name="Sit down with them").click()
        page.wait_for_url("**/t/*/")
        page.evaluate("localStorage.removeItem('sound_offered')")
        page.reload()
        expect(page.locator(".sound-offer > span")).to_be_visible()
        expect(page.locator(".room-phase")).to_contain_text(" · ")
        cut = []
        for size, (width, height, _) in EVERY_SIZE.items():
            page.set_viewport_size({"width": width, "height": height})
            if page.locator(".room-phase").is_visible() and not page.evaluate(GOAL_SHOWN):
                cut.append(size)
        assert cut == []
