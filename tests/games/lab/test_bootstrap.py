"""The bootstrap interval of a mean."""

from __future__ import annotations

import numpy as np
import pytest

from games.lab.intervals import Z, bootstrap, bootstrap_means


def test_the_interval_of_a_mean_is_about_that_of_a_normal_distribution() -> None:
    values = np.random.RandomState(1).normal(3.0, 2.0, size=400)
    low, high = bootstrap([(value, 1.0) for value in values], "a") or (0.0, 0.0)
    half = Z * values.std() / 20
    assert low == pytest.approx(values.mean() - half, abs=half / 10)
    assert high == pytest.approx(values.mean() + half, abs=half / 10)


def test_95_percent_intervals_contain_the_true_value_about_as_often() -> None:
    draws = np.random.RandomState(7)
    held = 0
    for trial in range(300):
        low, high = bootstrap([(value, 1.0) for value in draws.exponential(size=60)], str(trial)) or (0, 0)
        held += low <= 1 <= high
    assert 0.88 <= held / 300 <= 0.98


def test_decisions_of_one_match_are_not_treated_as_independent() -> None:
    """A hundred equal decisions of a match count like one, because matches are sampled."""
    once = bootstrap([(value, 1.0) for value in (0.0, 1.0) * 10], "a")
    often = bootstrap([(100 * value, 100.0) for value in (0.0, 1.0) * 10], "a")
    assert once == pytest.approx(often)


def test_a_single_match_has_no_interval() -> None:
    assert bootstrap([(1.0, 1.0)], "a") is None


def test_equal_matches_have_an_interval_of_width_zero() -> None:
    assert bootstrap([(0.5, 1.0)] * 10, "a") == (0.5, 0.5)


def test_the_same_seed_gives_the_same_interval_however_many_are_drawn_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [(float(value), 1.0) for value in range(50)]
    result = bootstrap(parts, "a")
    assert bootstrap(parts, "a") == result
    assert bootstrap(parts, "b") != result
    monkeypatch.setattr("games.lab.intervals.LARGEST_DRAW", 70)
    assert bootstrap(parts, "a") == pytest.approx(result)


def test_every_match_may_be_drawn() -> None:
    for index in range(5):
        parts = [(float(number == index), 1.0) for number in range(5)]
        assert bootstrap(parts, "a") == pytest.approx((0, 0.6))


def test_each_mean_of_a_table_has_the_interval_it_would_have_alone() -> None:
    table = np.random.RandomState(3).normal(size=(60, 2, 3))
    low, high = bootstrap_means(table, "a") or (table, table)
    assert low.shape == high.shape == (2, 3)
    for place in np.ndindex(2, 3):
        alone = bootstrap([(value, 1.0) for value in table[:, *place]], "b") or (0.0, 0.0)
        assert (low[place], high[place]) == pytest.approx(alone, abs=0.06)
    assert bootstrap_means(table[:1], "a") is None
