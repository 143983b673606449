"""Many matches of a game at once in one process, for agents that choose for a batch."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from games.core import FastChance
from games.env.play import Coding, Play, Tensor


class Vector:
    """``many`` matches of a game; one that ends is dealt again.

    ``observations``, ``masks`` and ``seats`` have a row for each match: what the seat to act knows, the words it may
    choose, and which seat it is. ``step`` overwrites them. After RulesFailed it cannot be used again.
    """

    def __init__(self, coding: Coding, many: int, seed: str = "") -> None:
        """Deal the matches; equal seeds give equal ones. Raises RulesFailed."""
        self.coding, self._seed, self._dealt = coding, seed, 0
        self.plays = [self._deal() for _ in range(many)]
        self.observations: Tensor = np.zeros((many, coding.size), np.float32)
        self.masks: NDArray[np.int8] = np.zeros((many, len(coding.words)), np.int8)
        self.seats: NDArray[np.int64] = np.zeros(many, np.int64)
        for number in range(many):
            self._show(number)

    def step(self, words: NDArray[np.int64]) -> dict[int, list[float]]:
        """Choose a word in each match; return the rewards of all seats of each that ended.

        Raises ValueError for a word that is not offered, RulesFailed.
        """
        ended = {}
        for number, word in enumerate(words.tolist()):
            play = self.plays[number]
            play.choose(word)
            if play.over:
                ended[number] = play.rewards()
                self.plays[number] = self._deal()
            self._show(number)
        return ended

    def _deal(self) -> Play:
        self._dealt += 1
        return Play(self.coding, FastChance(f"{self._seed} {self._dealt}"))

    def _show(self, number: int) -> None:
        play = self.plays[number]
        play.write(play.seat, self.observations[number])
        self.masks[number] = 0
        self.masks[number, play.offered] = 1
        self.seats[number] = play.seat
