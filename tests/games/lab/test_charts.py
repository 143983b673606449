"""Charts: they contain their text as text, series differ not only by colour, and there is a dark mode."""

from __future__ import annotations

import dataclasses
import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import catalogue
from games.core.ranks import scaled_ranks
from games.lab import charts, report_library
from games.lab.analyse import Analysis, Run, RunResult, analyse
from games.lab.report_types import AnalysisReport
from games.lab.reports import report
from tests.games.lab.histories import history
from tests.games.text_game import read
from tests.tiers import full

SVG = "{http://www.w3.org/2000/svg}"
AGRAM = report_library.read(report_library.SHIPPED / "agram")
NAMES = {"lead-history-0.svg", "trend.svg", "spread.svg", "branching.svg", "seats.svg"}


@pytest.fixture(scope="module")
def analysed(tmp_path_factory: pytest.TempPathFactory) -> tuple[AnalysisReport, dict[Run, RunResult]]:
    analysis = Analysis.checked(catalogue.find("cuckoo"), 8, {}, "1", 1)
    played = analyse(analysis, 4, tmp_path_factory.mktemp("charts"))
    return report(analysis, 4, played), played


@pytest.fixture(scope="module")
def drawn(analysed: tuple[AnalysisReport, dict[Run, RunResult]]) -> dict[str, ElementTree.Element]:
    return {name: ElementTree.fromstring(svg) for name, svg in charts.charts(*analysed).items()}


def texts(chart: ElementTree.Element) -> list[str]:
    return ["".join(text.itertext()) for text in chart.iter(f"{SVG}text")]


def series(chart: ElementTree.Element) -> list[ElementTree.Element]:
    """Return the lines of a chart without those in its legend, which are short."""
    lines = [path for path in chart.iter(f"{SVG}path") if "line c" in path.get("class", "")]
    return [line for line in lines if "h30" not in line.get("d", "")]


def points(line: ElementTree.Element) -> list[tuple[float, float]]:
    numbers = [float(number) for number in re.findall(r"[-\d.]+", line.get("d", ""))]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


@full
def test_every_chart_says_what_it_shows_of_which_game_and_of_how_many_matches(
    drawn: dict[str, ElementTree.Element],
) -> None:
    assert set(drawn) == NAMES
    for name, chart in drawn.items():
        title, caption = chart.findtext(f"{SVG}title"), chart.findtext(f"{SVG}desc")
        assert title
        assert caption
        assert title in texts(chart)
        assert caption in " ".join(texts(chart)), "also as visible text"
        assert "Cuckoo, 8 players" in caption
        assert re.search("Match 0" if name.startswith("lead") else r"\b4 (random )?matches", caption)


def test_series_differ_by_dash_and_marker_as_well_as_by_colour(drawn: dict[str, ElementTree.Element]) -> None:
    for name in ("lead-history-0.svg", "trend.svg"):
        looks = [(line.get("class"), line.get("stroke-dasharray")) for line in series(drawn[name])]
        assert len(looks) == 8
        for one, other in combinations(looks, 2):
            assert one[0] != other[0]
            assert one[1] != other[1]
    assert len(set(charts.MARKERS)) == len(set(charts.DASHES)) == charts.SERIES


def brightness(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((brightness(one), brightness(other)))
    return (light + 0.05) / (dark + 0.05)


def test_everything_has_contrast_in_light_and_dark_mode() -> None:
    """By the contrast ratios of WCAG 2.2: 4.5 for text, 3 for what is drawn."""
    sets = [dict(re.findall(r"--(\w+):(#\w{6})", rules)) for rules in re.findall(r"svg\{([^}]*)\}", charts.STYLE)]
    assert len(sets) == 2
    assert "@media (prefers-color-scheme: dark)" in charts.STYLE
    for colours in sets:
        assert contrast(colours["ink"], colours["paper"]) >= 7
        assert contrast(colours["soft"], colours["paper"]) >= 4.5
        for number in range(charts.SERIES):
            assert contrast(colours[f"s{number}"], colours["paper"]) >= 3, number


def test_a_lead_history_ends_with_the_result(
    analysed: tuple[AnalysisReport, dict[Run, RunResult]],
) -> None:
    made, played = analysed
    whole = played["search"].histories[0]
    match = dataclasses.replace(whole, decisions=whole.decisions[: charts.LONG])
    drawn = ElementTree.fromstring(charts.lead_chart(made, match))
    plane = charts.Chart("", "", (1, len(match.decisions) + 1), (0, 1))
    for player, line in enumerate(series(drawn)):
        ways = points(line)
        assert len(ways) == len(match.decisions) + 1
        assert ways[0] == plane.at(1, match.decisions[0].estimates[player])
        assert ways[-1] == plane.at(len(match.decisions) + 1, scaled_ranks(match.ranks)[player])
    assert {f"seat {winner + 1} (won)" for winner in match.winners} <= set(texts(drawn))
    assert made["rollouts"] == 1


def test_rates_of_wins_lie_within_their_intervals(drawn: dict[str, ElementTree.Element]) -> None:
    bars = series(drawn["seats.svg"])
    assert len(bars) == 8
    marks = [
        [float(number) for number in re.findall(r"[-\d.]+", mark.get("transform", ""))]
        for mark in drawn["seats.svg"].iter(f"{SVG}path")
        if "mark" in mark.get("class", "")
    ]
    for bar, (across, at) in zip(bars, marks, strict=False):
        left, low, high = (float(each) for each in re.findall(r"[\d.]+", bar.get("d", ""))[:3])
        assert left == across
        assert high <= at <= low, "coordinates of a picture grow downwards"


def test_a_title_cannot_inject_markup_into_a_chart(tmp_path: Path) -> None:
    """Titles come from texts that anybody may write."""
    game = read("sticks", "sticks 5\ntake 1 2\ntitle <script>&")
    analysis = Analysis.checked(game, 2, {}, "1", 1)
    played = analyse(analysis, 3, tmp_path)
    for svg in charts.charts(report(analysis, 3, played), played).values():
        chart = ElementTree.fromstring(svg)
        assert not list(chart.iter(f"{SVG}script"))
        assert "<script>&" in (chart.findtext(f"{SVG}desc") or "")


@given(st.text())
def test_any_text_can_be_in_a_chart(text: str) -> None:
    chart = charts.Chart("Title", text, (0, 1), (0, 1))
    chart.line(0, [(0, 0), (1, 1)], text)
    ElementTree.fromstring(chart.svg().encode())


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (0, 1, ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        (1, 49, ["10", "20", "30", "40"]),
        (-0.5, 0.5, ["-0.4", "-0.2", "0", "0.2", "0.4"]),
        (0, 0.003, ["0", "0.0005", "0.001", "0.0015", "0.002", "0.0025", "0.003"]),
    ],
)
def test_ticks_are_round_numbers(low: float, high: float, labels: list[str]) -> None:
    assert list(charts.ticks(low, high).values()) == labels


@pytest.mark.parametrize("name", ["agram", "golf-patience"])
def test_a_lead_history_is_redrawn_in_another_language(name: str) -> None:
    folder = report_library.SHIPPED / name
    made = report_library.read(folder)
    drawn = (folder / report_library.LEAD).read_text(encoding="utf-8")
    assert report_library.chart(folder, made, report_library.LEAD, lambda english: str(english)) == drawn
    translated = report_library.chart(folder, made, report_library.LEAD, lambda english: f"* {english}") or ""
    texts_there = texts(ElementTree.fromstring(translated))
    assert ("* Lead history" in texts_there) == (made["seats"] > 1)  # the table does not show the score of one alone


def test_a_long_match_is_drawn_by_deals_with_bands_and_without_deals_in_equal_parts(
    analysed: tuple[AnalysisReport, dict[Run, RunResult]],
) -> None:
    made, _ = analysed
    rows = [[0.25, 0.75]] * 50 + [[0.5, 0.5]] * 30 + [[1.0, 0.0], [0.0, 1.0]] * 10
    long = dataclasses.replace(history(rows), deals=(0, 50, 80))
    drawn = ElementTree.fromstring(charts.lead_chart(made, long))
    plane = charts.Chart("", "", (1, 101), (0, 1))
    expected = [plane.at(*point) for point in ((25.5, 0.25), (65.5, 0.5), (90.5, 0.5), (101, 1))]
    assert points(series(drawn)[0]) == expected
    assert len([path for path in drawn.iter(f"{SVG}path") if "band" in path.get("class", "")]) == 2
    assert "Each point is the mean of a deal" in (drawn.findtext(f"{SVG}desc") or "")
    without = ElementTree.fromstring(charts.lead_chart(made, dataclasses.replace(long, deals=())))
    assert len(points(series(without)[0])) == charts.MOST_PARTS + 1
    assert "mean of a part of the match" in (without.findtext(f"{SVG}desc") or "")


def test_a_match_knows_where_its_deals_begin(tmp_path: Path) -> None:
    played = analyse(Analysis.checked(catalogue.find("hamsterdam"), 3, {}, "1", 1), 1, tmp_path, searched=1)
    (match,) = played["search"].histories
    assert match.deals[0] == 0
    assert 1 < len(match.deals) < len(match.decisions)
    assert sorted(set(match.deals)) == list(match.deals)


def test_the_trend_graph_has_a_band_for_each_place_if_there_are_matches_enough(
    drawn: dict[str, ElementTree.Element],
) -> None:
    agram = report_library.chart(report_library.SHIPPED / "agram", AGRAM, "trend.svg")
    for chart, banded in ((drawn["trend.svg"], False), (ElementTree.fromstring(agram or ""), True)):
        bands = [path for path in chart.iter(f"{SVG}path") if "band" in path.get("class", "")]
        assert len(bands) == (len(series(chart)) if banded else 0)
    trend = AGRAM["trend"]
    assert trend
    for low, middle, high in zip(trend["low"], trend["places"], trend["high"], strict=True):
        assert all(a - 0.001 <= b <= c + 0.001 for a, b, c in zip(low, middle, high, strict=True))


@pytest.mark.parametrize(("game", "part"), [("hearts", "deal"), ("camelup", "part of the match")])
def test_the_lead_history_of_a_long_match_is_drawn_by_deal_or_by_equal_parts(game: str, part: str) -> None:
    folder = report_library.SHIPPED / game
    drawn = report_library.chart(folder, report_library.read(folder), report_library.LEAD)
    assert f"mean of a {part}" in (ElementTree.fromstring(drawn or "").findtext(f"{SVG}desc") or "")
