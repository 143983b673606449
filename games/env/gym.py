"""One seat of a game as a Gymnasium environment, against house opponents (the optional extra ``env``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from games.core import BadOption, FastChance, Game, Information, RulesFailed
from games.core.options import OptionValue
from games.env.play import Coding, Mask, Play, Tensor

MOST_DEALS = 100  # until the seat of the agent has a decision


class SeatEnv(gymnasium.Env[Tensor, np.int64]):
    """A seat among bots of the game, ``opponent`` by name (None: the house bot).

    The agent sits in seat 0 in its first match, in seat 1 in its second, and so on; ``seat`` gives it a fixed one.
    Observations are those of ``Play``. ``info["action_mask"]`` has 1 for each action that may be chosen; another one
    ends the match with the reward -1 and changes nothing. The reward is given at the end (``Play.rewards``). A match
    whose rules fail is truncated, and the info says why.
    """

    metadata = {"render_modes": []}

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        options: Mapping[str, OptionValue] | None = None,
        *,
        opponent: str | None = None,
        seat: int | None = None,
    ) -> None:
        """Make an environment of a game, given by name or by the path of a text.

        Raises UnknownGame, UnreadableGame, BadOption.
        """
        self.coding = Coding(game, seats, options)
        self.observation_space = spaces.Box(-np.inf, np.inf, (self.coding.size,), np.float32)
        self.action_space = spaces.Discrete(len(self.coding.words))
        self._bot = self.coding.game.bot(opponent or self.coding.game.house_bot)
        if seat is not None and not 0 <= seat < self.coding.seats:
            raise BadOption(f"There is no seat {seat}: seats are 0 to {self.coding.seats - 1}.")
        self._fixed = seat
        self._matches = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Tensor, dict[str, Any]]:
        """Deal a match and let the bots move up to this seat's turn. Raises RulesFailed.

        ``seed`` also starts the order of seats again. ``options`` is Gymnasium's and has no effect: a game's options
        are given when the environment is made.
        """
        super().reset(seed=seed)
        self._chance = FastChance(f"env {self.np_random.integers(1 << 62)}")
        if seed is not None:
            self._matches = 0
        self.seat = self._matches % self.coding.seats if self._fixed is None else self._fixed
        self._matches += 1
        for deal in range(MOST_DEALS):
            self.play = Play(self.coding, self._chance.stream(f"match {self._matches} deal {deal}"))
            self._others()
            if not self.play.over:  # the others may have ended it before this seat was asked
                return self._observed()
        raise RulesFailed("never asked", f"Seat {self.seat} had no decision in {MOST_DEALS} matches.")

    def step(self, action: np.int64) -> tuple[Tensor, float, bool, bool, dict[str, Any]]:
        word = int(action)
        if word not in self.play.offered:
            observed, info = self._observed()
            return observed, -1.0, True, False, info | {"illegal": word}
        try:
            self.play.choose(word)
            self._others()
        except RulesFailed as failed:
            nothing = np.zeros(self.coding.size, np.float32)
            nobody = np.zeros(len(self.coding.words), np.int8)
            return nothing, 0.0, False, True, {"failed": str(failed), "action_mask": nobody}
        reward = self.play.rewards()[self.seat] if self.play.over else 0.0
        observed, info = self._observed()
        return observed, float(reward), self.play.over, False, info

    def action_masks(self) -> Mask:
        """Return ``info["action_mask"]``, where sb3-contrib's algorithms look for it."""
        return self.play.mask()

    def _others(self) -> None:
        """Let the bots move until it is this seat's turn."""
        while not self.play.over and self.play.seat != self.seat:
            seat = self.play.seat
            moves = self.play.moves
            info = Information.of(self.coding.game, self.play.state, seat, self._chance, self._bot.needs, moves)
            self.play.make(self._bot.choose(info))

    def _observed(self) -> tuple[Tensor, dict[str, Any]]:
        return self.play.observe(self.seat), {"action_mask": self.play.mask()}
