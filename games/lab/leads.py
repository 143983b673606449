"""The lead history of a match between people, by roll-outs: when was it decided?

For each sampled decision and the move that was made there, it has the mean scaled rank of every player over some
roll-outs. Each roll-out determinizes the state for the mover, makes that move, and plays on at random. This is
``measures.lead_history`` for moves that were not chosen by a search.

The number of decisions and roll-outs depends only on the length of the match, never on a clock, so the result is the
same on every machine. A match that would take too long is refused.

A match that was not played to its end, because a player resigned or was out of time, has a history up to there; its
last point is the result.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypedDict

from games.core import FastChance, Game, Information, RulesFailed, SealedChance
from games.core.match import Match
from games.core.options import Options
from games.search.pimc import estimate
from games.search.results import results

EFFORT = 200_000  # decisions in roll-outs, approximately: a few seconds
MOST_POINTS, FEWEST_POINTS = 60, 12
MOST_ROLLOUTS, FEWEST_ROLLOUTS = 50, 10


class TooLong(Exception):
    """The match is so long that it would take minutes."""


class Lead(TypedDict):
    """A lead history: ``lines[seat][i]`` at the decision after ``points[i]`` moves; the last point is the result."""

    points: list[int]
    lines: list[list[float | None]]  # None if no roll-out came to an end
    rollouts: int
    alone: bool  # solitaire: mean scores instead of scaled ranks


def plan(plies: int) -> tuple[list[int], int]:
    """Return after which numbers of moves to look at a match, and with how many roll-outs. Raises TooLong.

    >>> points, rollouts = plan(48)
    >>> len(points), rollouts
    (48, 50)
    >>> points, rollouts = plan(1000)
    >>> len(points), points[0], points[-1], rollouts
    (38, 0, 973, 10)
    >>> plan(0)
    ([], 0)
    """
    if not plies:
        return [], 0
    for many in range(min(plies, MOST_POINTS), 0, -1):
        points = sorted({math.floor(number * plies / many) for number in range(many)})
        rollouts = EFFORT // sum(plies - point for point in points)
        if rollouts >= FEWEST_ROLLOUTS:
            return points, min(MOST_ROLLOUTS, rollouts)
        if many <= FEWEST_POINTS:
            break
    raise TooLong(f"A match of {plies:,} moves is too long for roll-outs from its decisions.")


def lead(
    game: Game,
    seats: int,
    options: Options,
    seed: bytes,
    moves: Sequence[tuple[int, str]],
    winners: Sequence[int] | None = None,
) -> Lead:
    """Return the lead history of a finished match. ``winners``: of one that was not played to its end; else None.

    Raises TooLong, RulesFailed, BadOption, IllegalMove.
    """
    points, rollouts = plan(len(moves))
    looked = set(points)
    chance = FastChance(f"lead/{seed.hex()}")
    match = Match.start(game, seats, options, SealedChance(seed))
    lines: list[list[float | None]] = [[] for _ in range(seats)]
    for ply, (seat, move) in enumerate(moves):
        if ply in looked:
            shares = _estimate(match, seat, move, rollouts, chance)
            for line, value in zip(lines, shares or [None] * seats, strict=True):
                line.append(None if value is None else round(value, 4))
        match.advance(seat, move)
    if winners is None and not match.over:
        raise RulesFailed("not over", "This match has not come to an end.")
    end = results(match.state) if winners is None else [float(seat in winners) for seat in range(seats)]
    for line, value in zip(lines, end, strict=True):
        line.append(round(value, 4))
    return {"points": [*points, len(moves)], "lines": lines, "rollouts": rollouts, "alone": seats == 1}


def _estimate(match: Match, seat: int, move: str, rollouts: int, chance: FastChance) -> tuple[float, ...] | None:
    info = Information.of(match.game, match.state, seat, chance, "determinizations", [move])
    return estimate(info, rollouts, chance).means[0]
