"""The laboratory's pages in a browser: every size, both colour schemes, charts, keyboard."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from games.__main__ import main
from tests.browser.conftest import Visitor
from tests.browser.test_axe import serious
from tests.games.recycle.test_numbers import TEXT
from tests.patience import PATIENCE
from tests.running_site import RunningSite
from tests.site.visitor import Visitor as Person
from tests.site.visitor import begin, play_on
from tests.tiers import full, is_full, tiered

PAGES = ("/lab/", "/lab/reports/agram/", "/lab/reports/golf-patience/", "/lab/compare/?a=agram&b=kuhn", "/lab/ladder/")
EVERY_SIZE = ((1280, 800), (390, 844), (844, 390), (820, 1180), (1920, 1080))
SIZES = EVERY_SIZE if is_full() else EVERY_SIZE[:2]

# How bright the middle of a picture is, from 0 to 255.
BRIGHTNESS = """async (picture) => {
  const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const paper = canvas.getContext("2d");
  paper.drawImage(bitmap, 0, 0, 1, 1);
  return paper.getImageData(0, 0, 1, 1).data[1];
}"""


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=full), "dark"])
@pytest.mark.parametrize("path", tiered(PAGES, lambda path: path == PAGES[0]))
def test_pages_have_no_serious_accessibility_problems(
    visitor: Visitor, path: str, scheme: Literal["light", "dark"]
) -> None:
    page = visitor(scheme=scheme)
    page.goto(path)
    assert serious(page) == []


@pytest.mark.parametrize("path", tiered(PAGES, lambda path: path in PAGES[:2]))
def test_no_page_is_wider_than_its_window(visitor: Visitor, path: str) -> None:
    page = visitor()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (width, height)


def brightness(modules: Page, page: Page, chart: int) -> int:
    """Return the brightness of a chart in the page."""
    picture = page.locator(".lab-charts img").nth(chart)
    picture.scroll_into_view_if_needed()
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("image => image.naturalWidth") > 0, "it was refused"
    result = modules.evaluate(BRIGHTNESS, base64.b64encode(picture.screenshot()).decode())
    assert isinstance(result, int)
    return result


@full
def test_charts_are_shown_in_the_light_that_the_visitor_has_chosen(visitor: Visitor, modules: Page) -> None:
    """By the system, and by the lamp in the masthead against it."""
    bright, dark = visitor(), visitor(scheme="dark")
    for page, light in ((bright, True), (dark, False)):
        page.goto("/lab/reports/agram/")
        assert page.locator(".lab-charts img").count() == 5
        for chart in range(5):
            assert (brightness(modules, page, chart) > 128) is light
        page.locator("[data-theme-toggle]").click()
        assert (brightness(modules, page, 0) > 128) is not light


@full
def test_a_chart_opened_by_itself_has_its_colours(visitor: Visitor) -> None:
    page = visitor()
    page.goto("/lab/reports/agram/trend.svg")
    fill = page.evaluate("getComputedStyle(document.querySelector('.paper')).fill")
    assert fill == "rgb(255, 255, 255)"


@full
def test_two_games_are_compared_by_keyboard_alone(visitor: Visitor) -> None:
    page = visitor()
    page.goto("/lab/")
    page.get_by_label("Compare").focus()
    page.keyboard.type("Agram")
    page.keyboard.press("Tab")
    page.keyboard.type("Kuhn")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Side by side")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Agram, 3 players · Kuhn Poker, 2 players")).to_be_visible()
    assert page.get_by_text("clearly more", exact=False).count() > 0


@full
def test_a_table_that_is_wider_than_a_phone_scrolls_by_keyboard(visitor: Visitor) -> None:
    page = visitor(device="phone")
    page.goto("/lab/reports/agram/")
    table = page.locator("[aria-labelledby=measures]")
    table.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.querySelector('[aria-labelledby=measures]').scrollLeft > 0")


@pytest.mark.parametrize("query", ["", pytest.param("?a=agram&b=kuhn", marks=full)])
def test_the_answer_of_a_comparison_is_in_view_on_a_phone(visitor: Visitor, query: str) -> None:
    """What differs clearly stands first, and no column is beyond the edge: each measure is a block with its verdict."""
    page = visitor()
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/lab/compare/{query}")
    answer = page.locator(".lab-answer")
    expect(answer).to_contain_text("has clearly more:")
    box = answer.bounding_box()
    assert box
    assert box["y"] + box["height"] < 844
    assert (
        page.evaluate(
            "(() => { const t = document.querySelector('.lab-scroll'); return t.scrollWidth - t.clientWidth; })()"
        )
        <= 1
    )
    for verdict in page.locator(".lab-verdict").all():
        place = verdict.bounding_box()
        assert place
        assert place["x"] >= 0
        assert place["x"] + place["width"] <= 390
    assert page.get_by_role("rowheader").count() == page.locator(".lab-verdict").count()


@pytest.mark.parametrize("width", [pytest.param(390, marks=full), 1280])
def test_curves_have_axes_and_no_column_is_cut(visitor: Visitor, width: int) -> None:
    page = visitor()
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/workshop/new/")
    page.locator(".cm-content").first.click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(TEXT)
    page.get_by_role("tab", name="How it feels").click()
    page.get_by_text("What a number does").click()
    page.locator("input[name=number]").fill("HANDSIZE")
    page.locator("input[name=high]").fill("6")
    page.get_by_role("button", name="Draw the curve").click()
    plot = page.locator(".measured-plot").first
    expect(plot).to_be_visible(timeout=PATIENCE * 1000)
    assert plot.locator(".measured-axis").count() > 2
    labels = plot.locator(".measured-tick").all_text_contents()
    assert {"1", "HANDSIZE"} <= set(labels)
    boxes = page.locator(".measured .lab-scroll, .measured-plots figure")
    assert max(boxes.evaluate_all("all => all.map((box) => box.scrollWidth - box.clientWidth)")) <= 1


# -- where was it decided?


@pytest.fixture(scope="module")
def over(site: RunningSite) -> str:
    """The replay of a sealed match that is over."""
    host = Person(site, "Hostess")
    code = host.open_table("me", "random", sealed=True)
    with host.connect(code) as ws:
        match = begin(code, host, ws)
        play_on([ws])
    return f"/replay/{match}/"


def test_a_replay_shows_by_keyboard_where_a_match_was_decided(visitor: Visitor, over: str) -> None:
    page = visitor()
    page.goto(over)
    button = page.get_by_role("button", name="Where was the match decided?")
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(page.get_by_role("img", name="Lead history")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="ahead")).to_be_visible()
    last = int(page.get_by_role("slider").get_attribute("max") or "0")
    marks = []
    for key, step in (("Home", 0), ("ArrowRight", 1), ("End", last)):
        page.keyboard.press(key)
        expect(page.get_by_role("slider")).to_have_value(str(step))
        marks.append(float(page.locator(".lead-now").get_attribute("x1") or "-1"))
    assert marks == [0, pytest.approx(600 / last, abs=0.1), 600]
    values = [float(text) for text in page.locator(".lead-value").all_inner_texts()]
    assert max(values) == 1, "at the end the winner has won"
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "false")
    expect(page.get_by_role("img", name="Lead history")).to_be_hidden()


@full
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_lead_history_has_a_serious_violation(visitor: Visitor, over: str, scheme: Literal["light", "dark"]) -> None:
    page = visitor(scheme=scheme, reduced_motion=True)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(over)
        page.get_by_role("button", name="Where was the match decided?").click()
        expect(page.get_by_role("img", name="Lead history")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        controls, slider = (page.locator(part).bounding_box() for part in (".controls", ".replay-steps input"))
        assert controls
        assert slider
        assert slider["y"] >= 0, "the slider stays in sight"
        assert controls["y"] + controls["height"] <= height + 1
    assert serious(page) == []


@full
def test_a_match_is_downloaded_from_its_replay(visitor: Visitor, over: str, tmp_path: Path) -> None:
    page = visitor()
    page.goto(over)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    path = tmp_path / "match.json"
    download.value.save_as(path)
    assert main(["replay", str(path)]) == 0


# -- for staff


@pytest.fixture(scope="module")
def own_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningSite, str]]:
    """A site whose administrator is known, and the password."""
    site = RunningSite(tmp_path_factory.mktemp("lab"))
    with site.running() as printed:
        password = re.search(r"Password:\s+(\S+)", printed)
        assert password
        yield site, password[1]


@full
def test_staff_watch_a_report_being_made_without_reloading(visitor: Visitor, own_site: tuple[RunningSite, str]) -> None:
    site, password = own_site
    page = visitor(at=site)
    page.goto("/admin/login/")
    page.get_by_label("Username").fill("admin")
    page.get_by_label("Password").fill(password)
    page.keyboard.press("Enter")
    page.wait_for_url("**/admin/")
    page.goto("/lab/")
    page.get_by_role("link", name="Run a report").click()
    expect(page.get_by_role("heading", name="Run a report", level=1)).to_be_visible()
    assert serious(page) == []
    page.get_by_label("Random matches").fill("40")
    page.get_by_label("Matches with search").fill("2")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.get_by_role("link", name="Hamsterdam Exchange")).to_be_visible()
    page.wait_for_load_state("load")
    assert serious(page) == []
    page.get_by_role("link", name="Hamsterdam Exchange").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Hamsterdam Exchange, 3 players")
