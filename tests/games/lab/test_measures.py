"""The measures: hand-made matches, the exact values there are, and what must hold for any match."""

from __future__ import annotations

import json
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import catalogue
from games.lab import measures
from games.lab.analyse import Analysis, play
from games.lab.histories import History, as_json, of_json
from games.lab.measures import Part
from games.lab.reports import NAMES, OF_RANDOM, OF_SEARCH, OF_WINNERS
from tests.games.lab.histories import histories, history, seated_otherwise, with_options
from tests.tiers import full


def value(part: Part) -> float:
    return part[0] / part[1]


# -- exact values


@pytest.mark.parametrize(
    ("players", "threshold"), [(2, 0.5), (3, 0.75), (4, 0.8333), (5, 0.875), (6, 0.9)]
)  # fmt: skip
def test_the_drama_threshold_is_half_way_between_first_and_second(players: int, threshold: float) -> None:
    assert measures.drama_threshold(players) == pytest.approx(threshold, abs=0.00005)


def test_a_player_who_plays_alone_has_no_drama_threshold() -> None:
    with pytest.raises(ValueError, match="at least 2 players"):
        measures.drama_threshold(1)


@pytest.mark.parametrize(
    ("players", "rate", "fairness"), [(4, 0.25, 1), (4, 0.24, 0.96), (4, 0.35, 0.8667), (2, 0.56, 0.88)]
)
def test_fairness_has_its_published_values(players: int, rate: float, fairness: float) -> None:
    assert measures.fairness(rate, players) == pytest.approx(fairness, abs=0.00005)


def test_order_has_its_published_value() -> None:
    assert measures.order(0.64, 4) == pytest.approx(0.52)
    assert measures.order(0.25, 4) == 0
    assert measures.order(1, 3) == 1


@pytest.mark.parametrize(
    ("game", "seats", "options", "decisions", "convergence"),
    [
        ("bundles", 2, {}, 48, 0.5065),
        ("bundles", 3, {}, 48, 0.5098),
        ("bundles", 4, {}, 48, 0.5130),
        ("stealing", 4, {}, 48, 0.5130),  # the same game, as a text
        ("enchere", 3, {"target": 0}, 36, 0.665637),  # one round, and any card may be bid
    ],
)
def test_convergence_has_its_known_value_where_option_counts_are_fixed(
    game: str, seats: int, options: dict[str, int], decisions: int, convergence: float
) -> None:
    analysis = Analysis.checked(catalogue.find(game), seats, options, "1")
    for index in range(3):
        match = of_json(play(analysis, "random", index)["history"])
        assert len(match.decisions) == decisions == measures.length(match)[0]
        assert value(measures.convergence(match)) == pytest.approx(
            convergence, abs=0.00005 if convergence < 0.6 else 5e-7
        )


# -- by hand


def test_drama_is_the_mean_root_of_how_far_the_winner_was_behind() -> None:
    # For three the threshold is .75: behind by .25 and .5, then ahead.
    match = history([[0.5, 0.5, 0.5], [0.25, 1, 0.5], [0.75, 0.5, 0], [1, 0.5, 0]])
    assert value(measures.drama(match, "shared")) == pytest.approx((sqrt(0.25) + sqrt(0.5)) / 2)
    assert value(measures.security(match, "shared")) == 0.5, "at the threshold is not below it"


def test_a_winner_that_was_never_behind_had_no_drama_and_all_security() -> None:
    match = history([[0.8, 0.5, 0.1], [1, 0.5, 0]])
    assert measures.drama(match, "shared") == (0, 1)
    assert measures.security(match, "shared") == (1, 1)


def test_an_estimate_at_the_threshold_is_not_below_it_for_any_number_of_players() -> None:
    """Half-way between two ranks is half of the roll-outs each: sums of thirds and fifths must not change that."""
    for players in range(2, 9):
        second = (players - 2) / (players - 1)
        mean = round(sum([second, 1.0] * 5) / 10, 9)
        match = history([[mean] + [0.5] * (players - 1)] * 2)
        assert measures.security(match, "shared") == (1, 1)


def test_winners_that_tie_share_a_match_or_have_one_each() -> None:
    # Seats 0 and 1 tie: seat 0 was behind by .25 at both decisions, seat 1 at none.
    match = history([[0.5, 1, 0], [0.5, 0.8, 0]], scores=[7, 7, 1])
    assert measures.drama(match, "shared") == pytest.approx((0.25, 1))
    assert measures.drama(match, "full") == pytest.approx((0.5, 2))
    assert measures.security(match, "shared") == (0.5, 1)
    assert measures.security(match, "full") == (1, 2)
    assert [measures.win(match, seat)[0] for seat in range(3)] == [0.5, 0.5, 0]
    assert [measures.win(match, seat, "full")[0] for seat in range(3)] == [1, 1, 0]
    assert measures.tied(match) == (1, 1)


def test_decisiveness_looks_for_the_first_own_estimate_above_eight_tenths() -> None:
    own = [0.5, 0.8, 0.9, 0.2]
    match = history([[each, 0.0] for each in own], movers=[0] * 4)
    assert value(measures.decisiveness(match, "shared")) == pytest.approx(1 - (4 - 2) / 4)
    late = history([[0.5, 0.0]] * 4, movers=[0] * 4)
    assert value(measures.decisiveness(late, "shared")) == pytest.approx(1 - (4 - 3) / 4), "never sure: its last one"
    others = history([[1.0, 0.0], [0.5, 0.0], [1.0, 0.0]], movers=[1, 0, 0])
    assert value(measures.decisiveness(others, "shared")) == pytest.approx(1 - (2 - 1) / 2), (
        "the estimates of others do not count"
    )


def test_a_winner_that_never_decided_is_left_out_of_decisiveness() -> None:
    assert measures.decisiveness(history([[1.0, 0.0]], movers=[1]), "shared") == (0, 0)


def test_spread_is_the_best_option_minus_the_worst_one_and_forced_decisions_are_zero() -> None:
    match = history([[0.5, 0.5]] * 3, means=[[0.2, 0.9, 0.4], [0.5], [0.3, 0.3]])
    assert measures.spread(match) == pytest.approx((0.7, 3))


def test_a_decision_counts_for_clarity_unless_the_best_option_is_three_tenths_above_the_mean() -> None:
    match = history([[0.5, 0.5]] * 3, means=[[1, 0.9, 0.2], [1, 0.91, 0.2], [0.5]])
    assert measures.clarity(match) == (2, 3), "the first is 1 over a mean of .7: exactly .3, whatever binary says"


def test_coolness_counts_own_estimates_that_do_not_fall() -> None:
    # Seat 0: .5 .5 .4, one of two pairs falls. Seat 1: .3 .6, none of one.
    rows = [[0.5, 0], [0, 0.3], [0.5, 0], [0, 0.6], [0.4, 0]]
    assert measures.coolness(history(rows)) == (2, 3)


def test_stability_counts_players_that_keep_their_place() -> None:
    # Places: 1 2 3, then 1 3 2, then 1 1 3, where the first two tie.
    rows = [[0.9, 0.5, 0.1], [0.9, 0.1, 0.5], [0.9, 0.9, 0.1]]
    assert measures.stability(history(rows)) == (1 + 1, 6)


def test_lead_changes_by_both_ways_to_count_a_tie() -> None:
    alone = history([[0.9, 0.1], [0.1, 0.9], [0.1, 0.8], [0.7, 0.6]])
    assert measures.lead_change(alone, "shared") == measures.lead_change(alone, "full") == pytest.approx((2 / 3, 1))
    tied = history([[0.9, 0.1], [0.5, 0.5], [0.1, 0.9]])
    assert measures.lead_change(tied, "shared") == (0.5, 1), "half of the lead, twice"
    assert measures.lead_change(tied, "full") == (1, 1), "another set of leaders, twice"


def test_a_match_of_one_decision_has_no_lead_change_and_no_slope() -> None:
    match = history([[0.5, 0.5]])
    assert measures.lead_change(match, "shared") == measures.convergence(match) == (0, 0)


def test_convergence_is_half_minus_half_the_slope_of_the_option_counts() -> None:
    assert value(measures.convergence(with_options([5, 4, 3, 2, 1]))) == pytest.approx(1)
    assert value(measures.convergence(with_options([3, 3, 3]))) == pytest.approx(0.5)
    assert value(measures.convergence(with_options([1, 3, 5]))) == pytest.approx(-0.5)
    assert measures.branching(with_options([1, 3, 5])) == (9, 3)


def test_the_trend_graph_sorts_players_by_their_final_rank_and_ends_with_it() -> None:
    rows = [[0, 0.5, 1], [0, 0.5, 1]]
    first, second, third = measures.trend(history(rows, scores=[1, 9, 5]))
    assert first == [pytest.approx(0.5)] * 100 + [1]
    assert second == [pytest.approx(1)] * 100 + [0.5]
    assert third == [pytest.approx(0)] * 101


def test_the_trend_graph_resamples_linearly() -> None:
    first, _ = measures.trend(history([[0, 0.5], [1, 0.5]], scores=[2, 1]))
    assert first[:100] == [pytest.approx(step / 99) for step in range(100)]


def test_players_that_tie_share_a_curve_of_the_trend_graph() -> None:
    [first, second] = measures.trend(history([[0.2, 0.6]] * 3, scores=[4, 4]))
    assert first == second == [pytest.approx(0.4)] * 100 + [1]


# -- of any match


SEARCHED = [*OF_SEARCH, *OF_WINNERS]


def parts(match: History, ties: measures.Ties) -> dict[str, Part]:
    of_winners = {name: of(match, ties) for name, of in OF_WINNERS.items()}
    return of_winners | {name: of(match) for name, of in {**OF_SEARCH, **OF_RANDOM}.items()}


@given(histories(), st.sampled_from(["shared", "full"]))
def test_measures_of_estimates_lie_between_zero_and_one(match: History, ties: measures.Ties) -> None:
    result = parts(match, ties)
    for name in SEARCHED:
        above, below = result[name]
        assert -1e-9 <= above <= below + 1e-9, name
        assert below > 0 or above == 0, name


@full
@given(st.data(), st.sampled_from(["shared", "full"]))
def test_it_does_not_matter_who_sits_where(data: st.DataObject, ties: measures.Ties) -> None:
    match = data.draw(histories())
    other = seated_otherwise(match, data.draw(st.permutations(range(match.seats))))
    here, there = parts(match, ties), parts(other, ties)
    for name, part in here.items():
        assert there[name] == pytest.approx(part), name
    for one, two in zip(measures.trend(match), measures.trend(other), strict=True):
        assert two == pytest.approx(one)


@given(histories())
def test_both_ways_to_count_ties_agree_where_nobody_ties(match: History) -> None:
    if len(match.winners) == 1:
        for name in ("drama", "security", "decisiveness"):
            assert OF_WINNERS[name](match, "shared") == OF_WINNERS[name](match, "full")


@given(histories())
def test_shared_wins_add_up_to_one_a_match(match: History) -> None:
    assert sum(measures.win(match, seat)[0] for seat in range(match.seats)) == pytest.approx(1)
    assert sum(measures.win(match, seat, "full")[0] for seat in range(match.seats)) == len(match.winners)


@given(histories())
def test_a_history_survives_json(match: History) -> None:
    assert of_json(json.loads(json.dumps(as_json(match)))) == match


@given(st.integers(2, 8), st.floats(0, 1))
def test_fairness_lies_between_zero_and_one_and_is_one_for_the_fair_share(players: int, rate: float) -> None:
    assert -1e-9 <= measures.fairness(rate, players) <= 1 + 1e-9
    assert measures.fairness(1 / players, players) == pytest.approx(1)


@given(st.integers(2, 8), st.lists(st.floats(0, 1), min_size=3, max_size=3))
def test_an_interval_of_fairness_holds_that_of_every_rate_in_it(players: int, rates: list[float]) -> None:
    low, rate, high = sorted(rates)
    least, most = measures.fairness_interval(low, high, players)
    assert least - 1e-9 <= measures.fairness(rate, players) <= most + 1e-9


def test_every_measure_is_in_the_report_once() -> None:
    assert len(set(NAMES)) == len(NAMES) == 15
    assert {*OF_WINNERS, *OF_SEARCH, *OF_RANDOM, "fairness", "fairness_skilled", "order", "spread_corrected"} == set(
        NAMES
    )


# -- spread without bias


@pytest.mark.parametrize("options", [2, 3, 10])
@pytest.mark.parametrize("rollouts", [2, 5, 10])
def test_equal_options_are_no_distance_apart_whatever_their_number_and_that_of_the_roll_outs(
    options: int, rollouts: int
) -> None:
    """The plain spread of the same options is .14 to .9, and depends on both numbers."""
    squares, spreads = drawn([0.5] * options, rollouts)
    assert np.mean(squares) == pytest.approx(0, abs=float(4 * np.std(squares) / sqrt(len(squares))))
    assert np.mean(spreads) > 0.13


@pytest.mark.parametrize("rollouts", [2, 5, 10])
def test_the_squared_distance_of_two_options_has_no_bias(rollouts: int) -> None:
    for rates in ([0.3, 0.7], [0.2, 0.5, 0.8], [0.4] * 9 + [0.9]):
        squares, _ = drawn(rates, rollouts)
        apart = 2 * np.var(rates, ddof=1)
        assert np.mean(squares) == pytest.approx(apart, abs=float(4 * np.std(squares) / sqrt(len(squares))))


def drawn(rates: list[float], rollouts: int, trials: int = 4000) -> tuple[list[float], list[float]]:
    """Return squared distances and plain spreads of options that win their roll-outs at these rates."""
    draws = np.random.RandomState(1)
    wins = draws.uniform(size=(trials, len(rates), rollouts)) < np.array(rates)[:, None]
    halves = wins[:, :, ::2].mean(axis=2), wins[:, :, 1::2].mean(axis=2)
    squares = [measures.apart(list(zip(*pair, strict=True))) or 0.0 for pair in zip(*halves, strict=True)]
    return squares, list(np.ptp(wins.mean(axis=2), axis=1))


def test_a_forced_move_has_no_distance_and_unknown_halves_have_no_figure() -> None:
    assert measures.apart([(0.3, 0.9)]) == measures.apart([None]) == 0
    assert measures.apart([(0.3, 0.9), None]) is None
    assert measures.spread_corrected(-0.2) == 0
    assert measures.spread_corrected(0.09) == pytest.approx(0.3)
    assert measures.spread_squared(history([[0.5, 0.5]])) == (0, 0)  # a match of an older version
