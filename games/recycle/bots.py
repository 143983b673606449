"""A bot that knows no rules: it plays any text."""

from __future__ import annotations

from typing import Any

from games.core import Bot, Information, RulesFailed, State
from games.core.bot import Needs

ROLLOUTS = 200  # that are spent on a decision, at most
MOST_OPTIONS = 60  # that are tried; of more, so many by chance


class HouseBot(Bot):
    """Tries every option in determinizations, plays on at random, and takes the one that did best.

    It plays for a win, and failing that to have few players ahead of it; alone it plays for the score.
    """

    name = "house"
    title = "House"
    needs: Needs = "determinizations"
    rollouts = ROLLOUTS

    def choose(self, info: Information) -> str:
        moves = info.legal_moves
        if len(moves) == 1:
            return moves[0]
        budget = min(info.budget, self.rollouts)
        info.chance.shuffle(moves)
        moves = moves[: min(MOST_OPTIONS, budget)]
        worth = dict.fromkeys(moves, 0.0)
        ended = dict.fromkeys(moves, 0)
        for _ in range(budget // len(moves)):
            if info.enough():
                break
            sample = info.determinize(info.chance)
            for move in moves:
                trial = sample.fork(info.chance)
                try:
                    trial.apply(info.seat, move)
                    trial.rollout(info.chance)
                    worth[move] += _worth(trial, info.seat)
                except RulesFailed:  # the determinization is impossible, or the rules fail here: skip this roll-out
                    continue
                ended[move] += 1
        known = [move for move in moves if ended[move]]
        return max(known, key=lambda move: worth[move] / ended[move]) if known else moves[0]


def _worth(ended: State[Any], seat: int) -> float:
    """Return what the end of a match is worth to a seat: its share of the win, and a little for its rank."""
    if ended.seats == 1:
        [score] = ended.scores()
        return -score if ended.low_wins else score
    ranks = ended.ranks()
    return (ranks[seat] == 1) / ranks.count(1) - ranks[seat] / 1000
