"""Histories made by hand, and by Hypothesis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from games.core.ranks import ranks
from games.lab.histories import DIGITS, DecisionRecord, History


def history(
    estimates: Sequence[Sequence[float]],
    *,
    movers: Sequence[int] = (),
    scores: Sequence[float] = (),
    means: Sequence[Sequence[float]] = (),
    options: Sequence[int] = (),
) -> History:
    """Return a match with these estimates of all players at each decision.

    By default seats move in turn, seat 0 wins and the last one is last, and every decision is forced.
    """
    seats = len(estimates[0])
    movers = movers or [number % seats for number in range(len(estimates))]
    scores = scores or list(range(seats, 0, -1))
    means = means or [[row[mover]] for row, mover in zip(estimates, movers, strict=True)]
    options = options or [len(each) for each in means]
    decisions = tuple(
        DecisionRecord(mover, "move", count, tuple(row), tuple(each))
        for mover, count, row, each in zip(movers, options, estimates, means, strict=True)
    )
    result = ranks(scores)
    winners = tuple(seat for seat, rank in enumerate(result) if rank == 1)
    return History(0, decisions, tuple(scores), tuple(result), winners)


def with_options(counts: Sequence[int]) -> History:
    """Return a match of two at random whose decisions had so many options."""
    return history([[0.5, 0.5]] * len(counts), options=counts)


@st.composite
def histories(draw: st.DrawFn) -> History:
    """Return any match, with estimates as ten roll-outs give them, so that ties are common."""
    seats = draw(st.integers(2, 6))
    share = st.integers(0, 10 * (seats - 1)).map(lambda points: round(points / (10 * (seats - 1)), DIGITS))
    length = draw(st.integers(1, 12))
    rows = [draw(st.lists(share, min_size=seats, max_size=seats)) for _ in range(length)]
    movers = [draw(st.integers(0, seats - 1)) for _ in range(length)]
    means = [
        draw(st.permutations([row[mover], *draw(st.lists(share.filter(row[mover].__ge__), max_size=4))]))
        for row, mover in zip(rows, movers, strict=True)
    ]
    scores = draw(st.lists(st.integers(0, 3), min_size=seats, max_size=seats))
    return history(rows, movers=movers, scores=scores, means=means)


def seated_otherwise(match: History, order: Sequence[int]) -> History:
    """Return the same match with player ``order[seat]`` in each seat."""
    place = {player: seat for seat, player in enumerate(order)}

    def moved(values: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(values[player] for player in order)

    decisions = tuple(
        DecisionRecord(place[each.mover], each.move, each.options, moved(each.estimates), each.means)
        for each in match.decisions
    )
    winners = tuple(sorted(place[winner] for winner in match.winners))
    return History(match.index, decisions, moved(match.scores), moved(match.ranks), winners)
