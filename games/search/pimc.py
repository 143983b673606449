"""Flat Monte Carlo over determinizations, the player behind the published figures for card games.

For each legal move it makes k roll-outs. Each determinizes the state, makes the move, and plays on at random. It takes
the move with the best mean scaled rank, the first of equal ones. So it assumes opponents who play at random, and that
nothing is learned during the match.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from games.core import Bot, Chance, Information, RulesFailed, State
from games.core.bot import Needs
from games.search.results import results

Value = Callable[[State[Any]], list[float]]  # of a finished match, for each seat
ROLLOUTS = 10  # for each legal move, as in the published figures


@dataclass(frozen=True, slots=True)
class Estimates:
    """The results of a decision's roll-outs, in the order of its legal moves.

    ``means`` has every seat's mean scaled rank for each move (in solitaire games its mean score, higher is better), and
    None for a move without a finished roll-out. ``samples`` are the numbers of finished ones. ``halves`` has the
    deciding seat's mean over every second finished roll-out of each move, and over the others; None if it has one.
    """

    moves: tuple[str, ...]
    means: tuple[tuple[float, ...] | None, ...]
    samples: tuple[int, ...]
    halves: tuple[tuple[float, float] | None, ...] = field(default=(), compare=False)

    def best(self, seat: int, among: Collection[int] | None = None) -> int | None:
        """Return the index of the best move for ``seat``, the first of equal ones; None if there are no results.

        ``among``: the indexes of moves that may be taken; None: all.
        """
        known = [
            (mean[seat], number)
            for number, mean in enumerate(self.means)
            if mean is not None and (among is None or number in among)
        ]
        return max(known, key=lambda one: (one[0], -one[1]))[1] if known else None


def estimate(
    info: Information, rollouts: int, chance: Chance, value: Value = results, most: int | None = None
) -> Estimates:
    """Evaluate each legal move by ``rollouts`` roll-outs, drawn from ``chance``; forced moves too.

    ``value`` is what the end of a match is worth to each seat.

    Equal information and chance give equal estimates. ``info`` must be that of a bot that ``needs`` determinizations.
    After ``info.enough()``, the remaining moves get no roll-outs. Of more than ``most`` moves, only so many get any,
    drawn from ``chance`` before the first roll-out.
    """
    moves = info.legal_moves
    examined: Collection[int] = range(len(moves))
    if most is not None and len(moves) > most:
        numbers = list(examined)
        chance.shuffle(numbers)
        examined = set(numbers[:most])
    means: list[tuple[float, ...] | None] = []
    samples = []
    halves: list[tuple[float, float] | None] = []
    for number, move in enumerate(moves):
        total: list[float] = []
        ended = 0
        own = [0.0, 0.0]  # of the first, third ... finished roll-out, and of the others
        for _ in range(rollouts if number in examined else 0):
            if info.enough():
                break
            outcome = _roll_out(info, move, chance, value)
            if outcome is not None:
                total = [one + more for one, more in zip(total, outcome, strict=True)] if ended else outcome
                own[ended % 2] += outcome[info.seat]
                ended += 1
        means.append(tuple(one / ended for one in total) if ended else None)
        samples.append(ended)
        halves.append((own[0] / (ended - ended // 2), own[1] / (ended // 2)) if ended > 1 else None)
    return Estimates(tuple(moves), tuple(means), tuple(samples), tuple(halves))


def _roll_out(info: Information, move: str, chance: Chance, value: Value) -> list[float] | None:
    """Return the result of each seat; None if the determinization was impossible or the match did not end."""
    try:
        sample: State[Any] = info.determinize(chance).keep("nothing")
        sample.apply(info.seat, move)
        sample.rollout(chance)
        return value(sample) if sample.over else None
    except RulesFailed:
        return None


class Pimc(Bot):
    """Takes the move that did best in ``rollouts`` roll-outs of each, which may be cut short when its time is up.

    The number is part of its name (``pimc-10``), so it ignores the rest of its budget.
    """

    name = "pimc"
    title = "Monte Carlo"
    needs: Needs = "determinizations"

    def __init__(self, rollouts: int = ROLLOUTS, most: int | None = None) -> None:
        """``most``: how many moves are examined, at most: see ``estimate``."""
        self.rollouts, self.most = rollouts, most

    def choose(self, info: Information) -> str:
        moves = info.legal_moves
        if len(moves) == 1:
            return moves[0]
        best = estimate(info, self.rollouts, info.chance, most=self.most).best(info.seat)
        return info.chance.choice(moves) if best is None else moves[best]
