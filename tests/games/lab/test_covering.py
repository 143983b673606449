"""Intervals cover the true value about as often as they say, also at the edges and for few matches."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.lab import intervals
from games.lab.intervals import FEW, bootstrap, covering, holm

TRIALS = 400


@pytest.fixture(autouse=True)
def fewer_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep thousands of intervals quick: theirs lie a little further from the exact ones."""
    monkeypatch.setattr(intervals, "RESAMPLES", 200)


def coin(mean: float) -> Callable[[np.random.RandomState, int], np.ndarray]:
    return lambda draws, matches: (draws.uniform(size=matches) < mean).astype(float)


def mostly_one(mean: float) -> Callable[[np.random.RandomState, int], np.ndarray]:
    """Matches of 1, except for some of any value."""
    return lambda draws, matches: np.where(
        draws.uniform(size=matches) < 2 * (1 - mean), draws.uniform(size=matches), 1.0
    )


def covered(draw: Callable[[np.random.RandomState, int], np.ndarray], mean: float, matches: int) -> tuple[float, float]:
    """Return how often the widened interval and the plain bootstrap contain the mean."""
    draws = np.random.RandomState(3)
    widened = plain = 0
    for trial in range(TRIALS):
        values = draw(draws, matches)
        low, high = bootstrap([(value, 1.0) for value in values], str(trial)) or (0.0, 0.0)
        plain += low <= mean <= high
        low, high = covering(float(values.mean()), low, high, matches)
        widened += low <= mean <= high
    return widened / TRIALS, plain / TRIALS


@pytest.mark.parametrize("matches", [3, 10, 19])
@pytest.mark.parametrize("mean", [0.5, 0.8, 0.97])
@pytest.mark.parametrize("draw", [coin, mostly_one])
def test_few_matches_have_an_interval_that_covers(
    draw: Callable[[float], Callable[[np.random.RandomState, int], np.ndarray]], mean: float, matches: int
) -> None:
    assert covered(draw(mean), mean, matches)[0] >= 0.93


@pytest.mark.parametrize("matches", [30, 50])
@pytest.mark.parametrize("draw", [coin, mostly_one])
def test_matches_that_are_nearly_all_alike_have_an_interval_that_covers(
    draw: Callable[[float], Callable[[np.random.RandomState, int], np.ndarray]], matches: int
) -> None:
    """Where one match in a hundred differs, most samples have none that does, and the bootstrap says [1, 1]."""
    widened, plain = covered(draw(0.99), 0.99, matches)
    assert widened >= 0.93
    assert plain < 0.7


@given(
    st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.integers(1, 200),
    st.sampled_from([(0.0, 1.0), (-1.0, 1.0)]),
)  # fmt: skip
def test_an_interval_only_grows_stays_in_its_bounds_and_grows_once(
    one: float, other: float, third: float, matches: int, bounds: tuple[float, float]
) -> None:
    lowest, highest = bounds
    low, value, high = (lowest + (highest - lowest) * each for each in sorted((one, other, third)))
    wide = covering(value, low, high, matches, *bounds)
    assert lowest - 1e-9 <= wide[0] <= low <= high <= wide[1] <= highest + 1e-9
    assert covering(value, *wide, matches, *bounds) == pytest.approx(wide)
    if matches >= FEW and high - low > 1e-6:
        assert wide == (low, high)


def test_fifty_matches_alike_leave_room_for_a_rare_one() -> None:
    assert covering(0.0, 0.0, 0.0, 50) == pytest.approx((0, 1 - 0.05 ** (1 / 50)))
    assert covering(0.5, 0.5, 0.5, 50) == pytest.approx((0.471, 0.529), abs=1e-3)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=15))
def test_holms_method_rejects_what_bonferroni_does_and_never_more_than_no_correction(p_values: list[float]) -> None:
    for p, adjusted in zip(p_values, holm(p_values), strict=True):
        assert min(1.0, p) <= adjusted <= min(1.0, p * len(p_values)) + 1e-12
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    assert [holm(p_values)[number] for number in order] == sorted(holm(p_values))


def test_a_dozen_equal_things_rarely_seem_to_differ() -> None:
    """The probability of any false verdict in a table of 13 is below 5 %, where single tests have it at one half."""
    draws = np.random.RandomState(5)
    tables = draws.uniform(size=(1000, 13))
    assert np.mean([min(holm(list(table))) < 0.05 for table in tables]) == pytest.approx(0.05, abs=0.02)
    assert np.mean(tables.min(axis=1) < 0.05) > 0.4
