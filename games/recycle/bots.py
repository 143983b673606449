"""A bot that knows no rules: it plays any text."""

from __future__ import annotations

from typing import Any

from games.core import Bot, Information, RulesFailed, State
from games.core.bot import Needs
from games.core.selections import selection_of

ROLLOUTS = 200  # that are spent on a decision, at most
OPTIONS_TRIED = 60  # At most this many options are tried, chosen at random if there are more.


class HouseBot(Bot):
    """Tries its options in determinizations, plays on at random, and takes the one that did best.

    It plays for a win, and failing that to have few players ahead of it; alone it plays for the score. Where its
    options are all selections of so many cards, it takes the cards that did best in all the options with them.
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
        selection, among = selection_of(moves), moves[:]
        info.chance.shuffle(moves)
        moves = moves[: min(OPTIONS_TRIED, budget)]
        worth = dict.fromkeys(moves, 0.0)
        ended = dict.fromkeys(moves, 0)
        for _ in range(budget // len(moves)):
            if info.enough():
                break
            sample = info.determinize(info.chance)
            for move in moves:
                state = sample.fork(info.chance)
                try:
                    state.apply(info.seat, move)
                    state.rollout(info.chance)
                    worth[move] += _worth(state, info.seat)
                except RulesFailed:  # the determinization is impossible, or the rules fail here: skip this roll-out
                    continue
                ended[move] += 1
        if selection and any(ended.values()):
            return among[selection.did_best((ended.get(move, 0), worth.get(move, 0.0)) for move in among)]
        known = [move for move in moves if ended[move]]
        return max(known, key=lambda move: worth[move] / ended[move]) if known else moves[0]


def _worth(ended: State[Any], seat: int) -> float:
    """Return what the end of a match is worth to a seat: its share of the win, and a little for its rank."""
    if ended.seats == 1:
        [score] = ended.scores()
        return -score if ended.low_wins else score
    ranks = ended.ranks()
    return (ranks[seat] == 1) / ranks.count(1) - ranks[seat] / 1000
