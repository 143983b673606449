"""A growing analysis reports more with each step, and never plays a match twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from games import catalogue
from games.core import Game, RandomBot
from games.lab import growing
from games.lab.analyse import Analysis
from games.lab.growing import grow
from games.lab.report_library import read


@pytest.fixture
def analysis(monkeypatch: pytest.MonkeyPatch) -> Analysis:
    monkeypatch.setattr(growing, "STEPS", ((4, 0), (8, 1), (12, 3)))
    return Analysis.checked(catalogue.find("kuhn"), 2, {}, "a seed", rollouts=2)


def test_each_step_reports_more_matches_and_leaves_a_report(analysis: Analysis, tmp_path: Path) -> None:
    results = []
    for report in grow(analysis, tmp_path, 100.0):
        results.append((report["matches"], report["search_matches"], "drama" in report["measures"]))
        assert read(tmp_path) == report
    assert results == [(4, 0, False), (8, 1, True), (12, 3, True)]


def test_it_ends_after_the_step_in_which_its_time_runs_out(analysis: Analysis, tmp_path: Path) -> None:
    assert [report["matches"] for report in grow(analysis, tmp_path, 0.0)] == [4]


def test_saved_matches_are_not_played_again(
    analysis: Analysis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (first,) = grow(analysis, tmp_path, 0.0)
    monkeypatch.setattr(Game, "new", None)
    monkeypatch.setattr(type(analysis.game), "start", None)
    monkeypatch.setattr(RandomBot, "choose", None)
    (again,) = grow(analysis, tmp_path, 0.0)
    assert again == first
