"""The laboratory's charts as a browser draws them, with whatever fonts it has."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser

from games import catalogue
from games.lab import report_library
from games.lab.analyse import Analysis, analyse
from games.lab.publish import publish
from tests import words
from tests.tiers import full

# The boxes of all texts of the picture that this page is, and of the picture itself.
BOXES = """() => {
  const box = (node) => node.getBoundingClientRect().toJSON();
  const svg = document.documentElement;
  return { all: box(svg), texts: [...svg.querySelectorAll("text")].map((node) => [node.textContent, box(node)]) };
}"""


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(("agram", 2), id="agram"),
        pytest.param(("cuckoo", 8), id="cuckoo", marks=full),
        pytest.param(("golf-patience", 1), id="golf-patience", marks=full),
    ],
)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    game, seats = request.param
    charts_folder = tmp_path_factory.mktemp(game)
    analysis = Analysis.checked(catalogue.find(game), seats, {}, "1", 1)
    report = publish(analysis, 3, analyse(analysis, 3, charts_folder), charts_folder)
    for language in words.LANGUAGES:
        sentences = {message.id: str(message.string) for message in words.catalog_of(language, "site")}
        for name in report_library.charts_of(charts_folder, report):
            svg = report_library.chart(charts_folder, report, name, sentences.__getitem__)
            (charts_folder / f"{language}-{name}").write_text(svg or "", encoding="utf-8")
    return charts_folder


def test_no_text_of_a_chart_lies_on_another_one_or_leaves_the_picture(browser: Browser, folder: Path) -> None:
    page = browser.new_page(viewport={"width": 900, "height": 700})
    for path in sorted(folder.glob("*.svg")):
        page.goto(path.as_uri())
        result = page.evaluate(BOXES)
        everything, boxes = result["all"], result["texts"]
        assert len(boxes) > 5
        for number, (text, box) in enumerate(boxes):
            assert everything["left"] <= box["left"] < box["right"] <= everything["right"], (path.name, text)
            assert everything["top"] <= box["top"] < box["bottom"] <= everything["bottom"], (path.name, text)
            for other, there in boxes[number + 1 :]:
                apart = box["right"] <= there["left"] or there["right"] <= box["left"]
                # Lines stand as close as their letters allow: a pixel or two of their boxes are the space between.
                above = box["bottom"] <= there["top"] + 3 or there["bottom"] <= box["top"] + 3
                assert apart or above, (path.name, text, other)
    page.close()


@pytest.mark.parametrize(("scheme", "paper"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(26, 26, 26)")])
def test_a_chart_is_drawn_in_the_light_that_the_reader_has(
    browser: Browser, folder: Path, scheme: Literal["light", "dark"], paper: str
) -> None:
    page = browser.new_page(color_scheme=scheme)
    page.goto((folder / "branching.svg").as_uri())
    assert page.evaluate("getComputedStyle(document.querySelector('.paper')).fill") == paper
    page.close()
