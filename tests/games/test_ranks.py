"""Ranks: competition ranks, ties both ways, teams, low scores."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core.ranks import leaders, ranks, scaled_ranks, win_shares

some = st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=8)


@given(scores=some)
def test_a_rank_is_one_more_than_how_many_are_better(scores: list[float]) -> None:
    assert ranks(scores) == [1 + sum(other > score for other in scores) for score in scores]
    assert ranks(scores, low_wins=True) == [1 + sum(other < score for other in scores) for score in scores]
    assert leaders(scores) == [seat for seat, rank in enumerate(ranks(scores)) if rank == 1]


@given(scores=some)
def test_scaled_ranks_go_from_first_to_last(scores: list[float]) -> None:
    scaled = scaled_ranks(ranks(scores))
    assert max(scaled) == 1
    assert all(0 <= share <= 1 for share in scaled)
    if len(set(scores)) == len(scores) > 1:
        assert sorted(scaled) == pytest.approx([place / (len(scores) - 1) for place in range(len(scores))])


@given(scores=some)
def test_a_win_is_shared_or_counts_in_full_for_each(scores: list[float]) -> None:
    best = leaders(scores)
    assert sum(win_shares(best, len(scores))) == pytest.approx(1)
    assert win_shares(best, len(scores), shared=False) == [float(seat in best) for seat in range(len(scores))]
    assert win_shares([], 2) == [0, 0]


def test_members_of_a_team_rank_alike_and_teams_are_what_is_counted() -> None:
    assert ranks([1, 5, 3, 2], teams=[[0, 2], [1, 3]]) == [2, 1, 2, 1]
    assert ranks([1, 5, 3, 2, 4], teams=[[0, 2], [1, 3]]) == [3, 1, 3, 1, 2]
    assert ranks([1, 5, 3, 2], teams=[[0, 2], [1, 3]], low_wins=True) == [1, 2, 1, 2]
    assert ranks([4, 4, 4, 4], teams=[[0, 1], [2, 3]]) == [1, 1, 1, 1]
