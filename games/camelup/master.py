"""The strongest bot of Camel Up: it makes many roll-outs after each promising move.

Every roll-out goes to the end of the leg (``games.camelup.rollouts``). A seat's final coins are estimated from what it
has then, the expected value of its race cards, and the value of opening the next leg. The estimates of all seats give a
chance to win. The strong bot's score of the move is added, because a few hundred roll-outs cannot separate moves that
differ by a fraction of a coin.

It gets only what its seat sees: others' race cards are sampled for every lane.
"""

from __future__ import annotations

import numpy as np

from games.camelup.bots import StrongBot
from games.camelup.position import Position
from games.camelup.rollouts import NOISE, Ended, Lanes
from games.camelup.rules import Observation
from games.camelup.standings import suits
from games.core import Information
from games.core.bot import BUDGET

AT_ONCE = 1500  # roll-outs per batch: larger ones are not faster, and ``enough`` is asked between two


class MasterBot(StrongBot):
    """Takes the move with the highest estimated chance to win.

    ``fixed`` is a number of roll-outs per decision, whatever the budget; by default the budget decides.
    """

    name = "master"
    title = "Master"
    rollouts = 3000  # a decision, at the usual budget: some tenths of a second

    first_look = 10  # moves whose score by the strong bot is computed
    second_look = 6  # the best of them; these and the best of each kind get roll-outs
    hopeless = 3.0  # coins by which a kind of move must be worse to be left out
    heat = 2.5  # coins that a lead must have to count, when the race is over
    heat_to_go = 0.2  # and how much more for each square to the finish
    trust = 0.02  # chance to win that a coin of the strong bot's score is worth

    def __init__(self, fixed: int | None = None) -> None:
        self.fixed = fixed

    def choose(self, info: Information) -> str:
        seen: Observation = info.observation
        race, me = seen.position, info.seat
        if race.seats == 1 or not suits(race.terms):
            return super().choose(info)
        worth = self.weighed(race, me, self.first_look)
        moves = self._moves(worth)
        if len(moves) == 1:
            return moves[0]
        draw = np.random.default_rng(info.chance.randbelow(1 << 32))
        wanted = self.fixed or self.rollouts * min(info.budget, BUDGET) // BUDGET
        samples = max(1, min(wanted, AT_ONCE) // len(moves))
        won = np.zeros(len(moves))
        batches = max(1, round(wanted / (samples * len(moves))))
        played = 0
        while played < batches and not (played and info.enough()):
            won += self._won(race, me, moves, samples, draw)
            played += 1
        score = won / played + self.trust * np.array([worth[move] for move in moves])
        return moves[int(score.argmax())]

    def _moves(self, worth: dict[str, float]) -> list[str]:
        """Return the moves that get roll-outs."""
        ranked = sorted(worth, key=worth.__getitem__, reverse=True)
        moves = ranked[: self.second_look]
        best: dict[str, str] = {}
        for move in ranked:
            best.setdefault(move.split()[0], move)
        near = worth[ranked[0]] - self.hopeless
        return moves + [move for move in best.values() if move not in moves and worth[move] > near]

    def _won(
        self, race: Position, me: int, moves: list[str], samples: int, draw: np.random.Generator
    ) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """Return what share of its roll-outs each move wins."""
        lanes = Lanes(race, samples, draw, NOISE)
        lanes.repeated(len(moves))
        for number, move in enumerate(moves):
            lanes.act(np.arange(number * samples, (number + 1) * samples), race.terms.notation.meaning[move])
        lanes.pass_on()
        shares = self._chances(lanes.play_on(), me)
        return np.asarray(shares.reshape(len(moves), samples).mean(1), np.float64)

    def _chances(self, ended: Ended, me: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """Return how likely a seat is to win in the end: [lane]."""
        heat = self.heat + self.heat_to_go * ended.to_go[:, None]
        weights = np.exp((ended.coins - ended.coins.max(1, keepdims=True)) / heat)
        return np.asarray(weights[:, me] / weights.sum(1), np.float64)
