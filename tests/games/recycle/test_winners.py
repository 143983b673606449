"""Who has won by the scores of a text: of several the best, alone by nothing left or any score above 0."""

from __future__ import annotations

import pytest

from tests.games.recycle.played import Played


@pytest.mark.parametrize("order", ["min", "max"])
@pytest.mark.parametrize("score", [-1, 0, 1])
def test_a_player_who_plays_alone_wins_by_having_nothing_left_or_by_any_score(order: str, score: int) -> None:
    ended = Played("(do ((turn pass)))", players="1", scoring=f"{order} (- {score + 1} 1)").state
    assert ended.over
    assert ended.scores() == [score]
    assert ended.winners() == ([0] if (score <= 0 if order == "min" else score > 0) else [])


@pytest.mark.parametrize(
    ("order", "scores", "winners"),
    [
        ("min", (2, 0, 1), [1]),
        ("min", (-1, 0, -2), [2]),
        ("min", (0, 0, 3), [0, 1]),
        ("min", (3, 2, 1), [2]),
        ("max", (0, 1, 2), [2]),
        ("max", (0, -1, -2), [0]),
        ("max", (1, 1, 1), [0, 1, 2]),
    ],
)
def test_of_several_the_best_scores_win(order: str, scores: tuple[int, ...], winners: list[int]) -> None:
    steps = " ".join(f"(set (({seat} player) sto S) (- {score + 9} 9))" for seat, score in enumerate(scores))
    ended = Played(f"(do ({steps}))", players="3", scoring=f"{order} ((current player) sto S)").state
    assert ended.over
    assert ended.scores() == list(scores)
    assert ended.winners() == winners
