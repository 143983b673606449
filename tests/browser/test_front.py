"""The front page: light and dark, on a phone, and every form without scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import PAGES, Visitor
from tests.browser.tables import code_of, play_out, set_table
from tests.browser.test_axe import serious
from tests.running_site import ROOT, RunningSite
from tests.tiers import full

EVERY_PAGE = [*PAGES, "/gone"]


@full
def test_the_chosen_theme_is_applied_before_the_first_paint_of_the_next_page(visitor: Visitor) -> None:
    page = visitor(scheme="light")
    page.goto("/")
    day = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Switch to the dark theme").click()
    evening = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert evening != day
    # What the page looks like when its body begins: no module has run yet.
    page.add_init_script(
        """new MutationObserver((_, observer) => {
             if (!document.body) return;
             window.firstLight = document.documentElement.dataset.theme;
             observer.disconnect();
           }).observe(document, { childList: true, subtree: true });"""
    )
    page.goto("/games/")
    assert page.evaluate("window.firstLight") == "lamplight"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == evening
    expect(page.get_by_role("button", name="Switch to the light theme")).to_be_visible()


LONG_WORDS = """
from cardsite.people.models import Person
from cardsite.workshop.models import Text, Version
from django.utils.timezone import now
owner = Person.objects.create(name="W" * 24)
text = Text.objects.create(
    owner=owner, title="W" * 60, summary="W" * 120, latest=1, published=1, published_at=now(), featured=True
)
Version.objects.create(text=text, number=1, source="(game)", size=6, playable=True, title=text.title)
print(text.code, owner.pk)
"""
CUT_WORDS = """() => [...document.querySelectorAll("main a, main h1, main h2, main h3, main p, main td")]
  .filter((node) => node.checkVisibility() && node.textContent.includes("WWWWW"))
  .filter((node) => node.getBoundingClientRect().right > document.documentElement.clientWidth)
  .map((node) => node.outerHTML)"""


def test_no_page_scrolls_sideways_on_a_phone_or_cuts_a_long_word(visitor: Visitor, site: RunningSite) -> None:
    code, owner = site.manage("shell", "-c", LONG_WORDS).split()[-2:]
    page = visitor(device="phone")
    page.goto("/circles/")
    page.locator("input[name=circle]").fill("W" * 40)
    page.locator("main form button").first.click()
    page.wait_for_url("**/circles/*/")
    circle, with_text = page.url, (f"/workshop/{code}/", f"/people/{owner}/", f"/tv/?person={owner}")
    try:
        for address in (*EVERY_PAGE, "/workshop/", *with_text, circle, f"/new/?circle={circle.split('/')[-2]}"):
            page.goto(address)
            page.evaluate("for (const fold of document.querySelectorAll('main details')) fold.open = true")
            assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), (
                address
            )
            assert page.evaluate(CUT_WORDS) == [], address
    finally:
        gone = f"Text.objects.get(code='{code}').delete()"
        site.manage("shell", "-c", f"from cardsite.workshop.models import Text; {gone}")


@full
def test_the_titles_of_games_stay_in_their_tiles(visitor: Visitor) -> None:
    page = visitor()
    page.goto("/new/")
    for width in (360, 390, 640, 844, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        tiles = page.locator(".game-picker a")
        over = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText)"
        assert tiles.evaluate_all(over) == [], width
        # No word is broken: there are no more lines than words.
        lines = "(all) => all.map((one) => [one.offsetHeight, one.textContent.trim().split(' ').length])"
        assert all(height < 20 * words for height, words in tiles.locator("span").evaluate_all(lines)), width


def test_the_first_tab_skips_to_the_content(visitor: Visitor) -> None:
    page = visitor()
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_a_double_click_on_play_now_is_sent_once_even_before_all_scripts_are_here(visitor: Visitor) -> None:
    page = visitor()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.route(re.compile(r"js.site\."), lambda route: None)  # it is on its way
    page.goto("/", wait_until="commit")
    page.get_by_role("button", name="Play now", exact=True).dblclick()
    page.wait_for_url("**/t/*/", wait_until="commit")
    assert len(sent) == 1


@full
def test_the_header_shows_a_new_name_at_once(visitor: Visitor, address: str) -> None:
    page = visitor()
    page.goto(address)
    expect(page.locator(".masthead-me")).to_contain_text("Your name")
    page.locator("body").press("c")
    page.get_by_label("Write a message").fill("Hello")
    page.keyboard.press("Enter")
    page.get_by_label("Your name").fill("Saskia")
    page.get_by_role("button", name="Use this name").click()
    expect(page.locator(".masthead-me")).to_contain_text("Saskia")


def test_a_visitor_without_scripts_plays_now_takes_a_name_and_registers(browser: Browser, site: RunningSite) -> None:
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("button", name="Play now", exact=True).click()
    page.wait_for_url("**/t/*/")
    page.goto("/people/me/")
    expect(page.get_by_role("listitem").filter(has_text="Hamsterdam Exchange")).to_be_visible()
    page.get_by_label("Name shown to others").fill("Saskia <b>")
    page.get_by_role("button", name="Change", exact=True).click()
    expect(page.get_by_role("heading", name="Saskia <b>")).to_be_visible()
    page.get_by_role("link", name="Register", exact=True).click()
    page.get_by_label("User name").fill("saskia")
    page.get_by_label("Password", exact=True).fill("three tulips, one canal")
    page.get_by_label("Repeat the password").fill("three tulips, one canal")
    page.get_by_role("button", name="Register").click()
    expect(page.get_by_text("Registered as saskia")).to_be_visible()
    context.close()


@full
def test_a_form_with_a_mistake_says_so_and_keeps_what_was_typed(visitor: Visitor) -> None:
    page = visitor(device="phone")
    page.goto("/new/")
    page.get_by_label("Your name").fill("Joost")
    page.get_by_label("Seat 2").select_option(label="Me")
    page.get_by_role("button", name="Create the table").click()
    expect(page.get_by_text("You can take only one seat")).to_be_visible()
    expect(page.get_by_label("Your name")).to_have_value("Joost")


SCREENS = [(320, 640), (390, 844), (640, 400), (667, 375), (720, 600), (840, 390), (844, 390), (1280, 800)]
# Other languages have longer words for the same.
LONGER = """() => {
  for (const link of document.querySelectorAll(".masthead-nav a"))
    link.textContent = link.textContent.trim().padEnd(Math.ceil(link.textContent.trim().length * 1.3), "e");
  document.querySelector(".masthead-me bdi").textContent = "M".repeat(24);
}"""
HEADER = """() => {
  const found = [...document.querySelectorAll(".masthead :is(a, button)")].filter((one) => !one.hidden);
  return found.map((one) => one.getBoundingClientRect()).map(({ x, y, right, bottom }) => [x, y, right, bottom]);
}"""


def test_the_header_leads_everywhere_on_every_screen_and_every_link_is_hit_by_a_thumb(visitor: Visitor) -> None:
    page = visitor()
    page.goto("/games/")
    for longer in (False, True):
        if longer:
            page.evaluate(LONGER)
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            for name in ("Tables", "Games", "Workshop", "Circles"):
                link = page.locator(".masthead-nav").get_by_role("link", name=name)
                expect(link).to_be_in_viewport(ratio=1)
            boxes = page.evaluate(HEADER)
            assert len(boxes) >= 7
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
            for left, top, right, bottom in boxes:
                assert right - left >= 44, width
                assert bottom - top >= 44, width
                assert left >= 0, width
                assert right <= width, width
            for one in boxes:
                for other in boxes:
                    apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
                    assert apart or one is other, (width, one, other)


CANAL = (ROOT / "static" / "art" / "canal.svg").read_text()
# What is drawn where, in the scene's own measure: the sun, the last house on the left and the first on the right.
SCENE = """([sunX, sunY, radius, left, right]) => {
  const scene = document.querySelector(".hero-scene");
  const matrix = scene.getScreenCTM();
  const at = (x, y) => new DOMPoint(x, y).matrixTransform(matrix);
  const box = scene.getBoundingClientRect();
  const wrong = [];
  const range = document.createRange();
  for (const part of document.querySelectorAll(".hero-words > *")) {
    range.selectNodeContents(part);
    for (const line of range.getClientRects()) {
      if (!line.width || line.top >= box.bottom || line.bottom <= box.top) continue;
      const words = part.textContent.trim().slice(0, 30);
      const sun = at(sunX, sunY);
      const beside = Math.max(line.left - sun.x, 0, sun.x - line.right);
      const above = Math.max(line.top - sun.y, 0, sun.y - line.bottom);
      if (Math.hypot(beside, above) < radius * matrix.a) wrong.push(`${words}: over the sun`);
      if (line.right > at(right, 0).x) wrong.push(`${words}: over the houses on the right`);
      if (line.left < at(left, 0).x) wrong.push(`${words}: over the houses on the left`);
    }
  }
  return wrong;
}"""


def scene() -> list[float]:
    """Return the sun's middle and radius, the right edge of the houses on the left, the left one of the others."""
    sun = re.search(r'<circle cx="(\d+)" cy="(\d+)" r="(\d+)" fill="var\(--scene-sun\)"', CANAL)
    assert sun
    left, right = (CANAL.partition(mark)[2] for mark in ("far left -->", "everybody sees -->"))
    houses = [int(x) for x in re.findall(r"translate\((-?\d+) 332\)", left.partition("<!--")[0])]
    first = re.search(r"translate\((\d+) 332\)", right)
    assert first
    return [*map(float, sun.groups()), max(houses) + 102, float(first[1]) - 2]


@full
def test_no_word_of_the_welcome_runs_into_the_drawing(visitor: Visitor) -> None:
    page = visitor()
    page.goto("/")
    where = scene()
    for longer in (False, True):
        if longer:
            page.evaluate("() => document.querySelector('#welcome').append(' and stay awhile')")
        for width in (1920, 1366, 1280, 1100, 1024, 900, 844, 820, 640, 390):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate(SCENE, where) == [], width
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width


GAPS = """(many) => {
  document.querySelector("#rows")?.remove();
  const grid = document.querySelector(".page").appendChild(document.createElement("ul")); // its own may be hidden
  grid.id = "rows";
  grid.className = "table-grid";
  grid.replaceChildren(...Array.from({ length: many }, () => {
    const item = document.createElement("li");
    item.append("A table");
    return item;
  }));
  const { left, right } = grid.getBoundingClientRect();
  const rows = Map.groupBy([...grid.children].map((one) => one.getBoundingClientRect()), (box) => box.top);
  const narrowest = (row) => Math.min(...row.map((box) => box.width));
  return [...rows.values()].map((row) => [row[0].left - left, right - row.at(-1).right, narrowest(row)]);
}"""


@full
def test_no_row_of_tables_has_a_gap_at_its_end_however_many_there_are(visitor: Visitor) -> None:
    page = visitor()
    page.goto("/")
    for width, columns in ((1280, 3), (1024, 3), (820, 2), (390, 1)):
        page.set_viewport_size({"width": width, "height": 800})
        for many in range(1, 12):
            rows = page.evaluate(GAPS, many)
            assert all(abs(left) < 1 and abs(right) < 1 for left, right, _ in rows), (width, many, rows)
            assert all(narrowest >= 300 for *_, narrowest in rows), (width, many, rows)
            assert len(rows) == (2 if many == 4 and columns == 3 else -(-many // columns)), (width, many)


LOOK_AGAIN = "dispatchEvent(new Event('online'));"  # as when a laptop is opened again: the page asks at once


def test_the_tables_come_change_and_go_while_the_page_is_looked_at(visitor: Visitor) -> None:
    spectator, host = visitor(), visitor()
    spectator.goto("/")
    address = set_table(host, "kuhn", ("open",))
    code = code_of(address)
    card = spectator.locator(f"[data-live=tables] [data-code='{code}']")
    selector = f"document.querySelector('[data-live=tables] [data-code=\"{code}\"]')"
    spectator.wait_for_function(f"() => {{ {LOOK_AGAIN} return {selector}; }}", polling=500)
    expect(card).to_contain_text("1 free seat")
    expect(spectator.locator("[data-live=news]")).to_contain_text("Kuhn Poker")
    place = card.bounding_box()
    host.get_by_role("button", name="Fill with bots").click()
    host.get_by_role("button", name="Start the match").click()
    spectator.wait_for_function(
        f"() => {{ {LOOK_AGAIN} return {selector}.textContent.includes('Playing'); }}", polling=500
    )
    now = card.bounding_box()
    assert place
    assert now
    assert (now["x"], now["y"]) == (place["x"], place["y"])
    # The felt of the best table is alive: what is played at it comes to be read beside it.
    spectator.goto("/")
    spectator.locator("[data-featured]").scroll_into_view_if_needed()
    expect(spectator.locator(".featured-live .seat")).not_to_have_count(0)
    expect(spectator.locator(".featured-phase")).not_to_be_empty()


def test_a_table_that_is_closed_says_so_where_it_was_listed(visitor: Visitor) -> None:
    spectator, host = visitor(), visitor()
    set_table(visitor(), "kuhn", ("open",))  # another one: an empty list is hidden
    code = code_of(set_table(host, "kuhn", ("open",)))
    spectator.goto("/")
    card = spectator.locator(f"[data-live=tables] [data-code='{code}']")
    expect(card.get_by_role("link")).to_be_visible()
    expect(card.get_by_text("No longer listed")).to_be_hidden()
    host.on("dialog", lambda dialog: dialog.accept())
    host.get_by_label("Menu", exact=True).click()
    host.get_by_role("button", name="Close the table", exact=True).click()
    removed = f"document.querySelector('[data-live=tables] [data-code=\"{code}\"]').matches('[data-removed]')"
    spectator.wait_for_function(f"() => {{ {LOOK_AGAIN} return {removed}; }}", polling=500)
    expect(card.get_by_text("No longer listed")).to_be_visible()
    expect(card.get_by_text("Waiting for players")).to_be_hidden()
    expect(card.get_by_role("link")).to_be_hidden()
    assert serious(spectator) == []


SCROLL_AWAY_AND_BACK = """async () => {
    const preview = document.querySelector("[data-featured]");
    for (const seat of preview.querySelectorAll(".seat")) seat.dataset.old = "";
    scrollTo(0, 0);
    await new Promise((done) => new IntersectionObserver(([at]) => at.isIntersecting || done()).observe(preview));
    preview.scrollIntoView();
}"""


@full
def test_the_preview_is_laid_out_again_when_it_is_back_in_view(visitor: Visitor) -> None:
    spectator, host = visitor(), visitor()
    set_table(host, "hamsterdam", ("house", "none", "none", "none", "none"))
    host.get_by_role("button", name="Start the match").click()
    spectator.set_viewport_size({"width": 1280, "height": 400})
    spectator.goto("/")
    spectator.locator("[data-featured]").scroll_into_view_if_needed()
    expect(spectator.locator(".featured-live .seat")).not_to_have_count(0)
    spectator.evaluate(SCROLL_AWAY_AND_BACK)
    expect(spectator.locator(".featured-live [data-old]")).to_have_count(0)
    expect(spectator.locator(".featured-live .seat")).not_to_have_count(0)
    expect(spectator.locator(".featured-live .seat:not([style*='--plate-w'])")).to_have_count(0)


OVERLAPS = """() => {
    const seen = (selector) => [...document.querySelectorAll(`.featured-live ${selector}`)].map((node) => [
      node.className, node.getBoundingClientRect(),
    ]);
    const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    return seen(".seat").flatMap(([name, seat]) =>
      seen(".centre [data-piece]").filter(([, piece]) => over(seat, piece)).map(([piece]) => [name, piece]));
}"""


@full
@pytest.mark.parametrize("width", [360, 390, 740, 820, 1280])
def test_no_card_in_the_middle_of_the_preview_lies_over_a_player(visitor: Visitor, width: int) -> None:
    spectator, host = visitor(reduced_motion=True), visitor()
    set_table(host, "whist", ("house", "house", "house"))
    host.get_by_role("button", name="Start the match").click()
    spectator.set_viewport_size({"width": width, "height": 800})
    spectator.goto("/")
    spectator.locator("[data-featured]").scroll_into_view_if_needed()
    for _ in range(3):
        play_out(host, until=1)
        expect(spectator.locator(".featured-live .centre [data-piece]")).not_to_have_count(0)
        assert spectator.evaluate(OVERLAPS) == []
