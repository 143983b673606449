"""Competition ranks from scores, with both ways to count a tie.

Source: "standard competition ranking" (1, 2, 2, 4), as ``docs/architecture.md`` and the laboratory use it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from games.core.view import Standings


def ranks(scores: Sequence[float], *, low_wins: bool = False, teams: Sequence[Sequence[int]] = ()) -> list[int]:
    """Return the rank of each seat, from 1; equal scores share the better rank, and the next ranks are skipped.

    ``low_wins``: the lowest score is first. ``teams``: seats that win and lose together. A team is as good as its best
    member, and ranks count teams; a seat in none of them is a team of its own.

    >>> ranks([3, 7, 7, 1])
    [3, 1, 1, 4]
    >>> ranks([3, 7, 7, 1], low_wins=True)
    [2, 3, 3, 1]
    >>> ranks([3, 7, 5, 1], teams=[[0, 2], [1, 3]])
    [2, 1, 2, 1]
    """
    worth = [-score for score in scores] if low_wins else list(scores)
    if not teams:
        best_first = sorted(worth, reverse=True)
        return [best_first.index(mine) + 1 for mine in worth]
    sides = [list(team) for team in teams]
    sides += [[seat] for seat in range(len(scores)) if not any(seat in team for team in sides)]
    best = [max(worth[seat] for seat in side) for side in sides]
    ranked = [0] * len(scores)
    for side, mine in zip(sides, best, strict=True):
        for seat in side:
            ranked[seat] = 1 + sum(other > mine for other in best)
    return ranked


def scaled_ranks(ranked: Sequence[int]) -> list[float]:
    """Return ranks as numbers from 1 (first) to 0 (last): (n - rank) / (n - 1); 1 for a single seat.

    >>> scaled_ranks([3, 1, 1, 4])
    [0.3333333333333333, 1.0, 1.0, 0.0]
    """
    last = len(ranked) - 1
    return [(last + 1 - rank) / last if last else 1.0 for rank in ranked]


def win_shares(winners: Sequence[int], seats: int, *, shared: bool = True) -> list[float]:
    """Return each seat's share of the win: 1 for its winner, 0 for the others.

    If k seats share the win, each gets 1/k; or, unless ``shared``, a full win, which is how the published figures for
    card games count.

    >>> win_shares([0, 2], seats=3)
    [0.5, 0.0, 0.5]
    >>> win_shares([0, 2], seats=3, shared=False)
    [1.0, 0.0, 1.0]
    """
    worth = 1 / len(winners) if winners and shared else 1.0
    return [worth if seat in winners else 0.0 for seat in range(seats)]


def leaders(scores: Sequence[float]) -> list[int]:
    """Return the seats with the highest score.

    >>> leaders([3, 7, 7, 1])
    [1, 2]
    """
    best = max(scores)
    return [seat for seat, score in enumerate(scores) if score == best]


@lru_cache(maxsize=4096)  # every audience of every move asks; views are compared fast where they share an object
def standings(scores: tuple[int, ...], *, low_wins: bool = False, teams: tuple[tuple[int, ...], ...] = ()) -> Standings:
    """Return who would win if the match ended with these scores. For the other arguments see ``ranks``.

    Do not modify what it returns: it is shared.

    >>> standings((3, 7, 7, 1))
    {'scores': [3, 7, 7, 1], 'leaders': [1, 2]}
    >>> standings((2, 2))
    {'scores': [2, 2], 'leaders': []}
    """
    ranked = ranks(scores, low_wins=low_wins, teams=teams)
    ahead = [seat for seat, rank in enumerate(ranked) if rank == 1]
    return Standings(scores=list(scores), leaders=ahead if len(ahead) < len(scores) else [])
