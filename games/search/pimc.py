"""Flat Monte Carlo over determinizations: what the published figures for card games were measured with.

For each legal move, k roll-outs; each draws afresh all that the seat cannot know, makes the move, and plays on at
random. The move with the best mean scaled rank is taken, the first of equal ones.

So it reckons with opponents who play at random, and with nothing that it could learn on the way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from games.core import Bot, Chance, Information, RulesFailed, State
from games.core.bot import Needs
from games.search.results import results

ROLLOUTS = 10  # for each legal move: the setting of the published figures


@dataclass(frozen=True, slots=True)
class Estimates:
    """What the roll-outs of a decision came to, in the order of its legal moves.

    ``means`` has for each move every seat's mean scaled rank (in a game for one: its mean score, more is better), and
    None for a move of which no roll-out came to an end. ``samples`` are how many did.
    """

    moves: tuple[str, ...]
    means: tuple[tuple[float, ...] | None, ...]
    samples: tuple[int, ...]

    def best(self, seat: int) -> int | None:
        """Return the number of the move that is best for ``seat``, the first of equal ones; None: nothing is known."""
        known = [(mean[seat], number) for number, mean in enumerate(self.means) if mean is not None]
        return max(known, key=lambda one: (one[0], -one[1]))[1] if known else None


def estimate(info: Information, rollouts: int, chance: Chance) -> Estimates:
    """Try each legal move of a seat in ``rollouts`` roll-outs, drawn from ``chance``; forced moves too.

    Equal information and chance give equal estimates. ``info`` must be that of a bot that ``needs`` worlds. Once it
    has been thought ``info.enough()``, the moves that are left get no roll-outs.
    """
    means: list[tuple[float, ...] | None] = []
    samples = []
    for move in info.legal_moves:
        total: list[float] = []
        ended = 0
        for _ in range(rollouts):
            if info.enough():
                break
            found = _roll_out(info, move, chance)
            if found is not None:
                total = [one + more for one, more in zip(total, found, strict=True)] if ended else found
                ended += 1
        means.append(tuple(one / ended for one in total) if ended else None)
        samples.append(ended)
    return Estimates(tuple(info.legal_moves), tuple(means), tuple(samples))


def _roll_out(info: Information, move: str, chance: Chance) -> list[float] | None:
    """Return the result of each seat; None when the world turned out to be impossible, or never came to an end."""
    try:
        world: State[Any] = info.determinize(chance).unwatched()
        world.apply(info.seat, move)
        world.playout(chance)
        return results(world) if world.over else None
    except RulesFailed:
        return None


class Pimc(Bot):
    """Takes the move that did best in ``rollouts`` roll-outs of each; whatever the budget is, for its name says it."""

    name = "pimc"
    title = "Monte Carlo"
    needs: Needs = "worlds"

    def __init__(self, rollouts: int = ROLLOUTS) -> None:
        self.rollouts = rollouts

    def choose(self, info: Information) -> str:
        moves = info.legal_moves
        if len(moves) == 1:
            return moves[0]
        best = estimate(info, self.rollouts, info.chance).best(info.seat)
        return info.chance.choice(moves) if best is None else moves[best]
