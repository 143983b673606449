"""Every game as a PettingZoo environment (the optional extra ``env``): a seat is an agent, an action is a turn."""

from __future__ import annotations

from collections.abc import Mapping
from secrets import token_hex
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from games.core import FastChance, Game, RulesFailed
from games.core.options import OptionValue
from games.env.play import Coding, Play

Observed = dict[str, NDArray[Any]]


class MatchEnv(AECEnv[str, Observed, int]):
    """A match of a game.

    Observations: ``observation``, a float32 number for each of ``coding.names``, and ``action_mask``, 1 for each of
    ``coding.words`` that may be chosen (int8). A move of several words is several actions of the same agent. Rewards
    are given at the end (``Play.rewards``). A match whose rules fail is truncated without rewards, and the infos say
    why.
    """

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        options: Mapping[str, OptionValue] | None = None,
        *,
        render_mode: str | None = None,
    ) -> None:
        """Make an environment of a game, given by name or by the path of a text; ``seats`` None: the game's default.

        Raises UnknownGame, UnreadableGame, BadOption.
        """
        super().__init__()
        self.coding = Coding(game, seats, options)
        self.game = self.coding.game
        self.metadata = {"render_modes": ["ansi"], "name": self.game.name, "is_parallelizable": False}
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.coding.seats)]
        self.agents: list[str] = []
        self.infos: dict[str, dict[str, Any]] = {}
        actions = len(self.coding.words)
        self._observation_space = spaces.Dict({
            "observation": spaces.Box(-np.inf, np.inf, (self.coding.size,), np.float32),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        })  # fmt: skip
        self._action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._action_spaces[agent]

    # -- the course of a match

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new match; equal seeds give equal matches. Raises RulesFailed."""
        self.play = Play(self.coding, FastChance(token_hex(8) if seed is None else f"env {seed}"))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._next()

    def step(self, action: int | None) -> None:
        """Make an action of the agent whose turn it is. Raises ValueError for one that is not offered."""
        agent = self.agent_selection
        if action is None or self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        try:
            self.play.choose(int(action))
            self._next()
        except RulesFailed as failed:
            for other in self.agents:
                self.truncations[other] = True
                self.infos[other] = {"failed": str(failed)}
        self._accumulate_rewards()

    def _next(self) -> None:
        if self.play.over:
            for agent, worth in zip(self.possible_agents, self.play.rewards(), strict=True):
                self.rewards[agent] = worth
                self.terminations[agent] = True
        else:
            self.agent_selection = self.possible_agents[self.play.seat]

    # -- what an agent knows

    def observe(self, agent: str) -> Observed:
        if any(self.truncations.values()):  # after a failure the match must not be used
            nothing = np.zeros(self.coding.size, np.float32)
            return {"observation": nothing, "action_mask": np.zeros(len(self.coding.words), np.int8)}
        seat = self.possible_agents.index(agent)
        mine = seat == self.play.seat
        mask = self.play.mask() if mine else np.zeros(len(self.coding.words), np.int8)
        return {"observation": self.play.observe(seat), "action_mask": mask}

    def render(self) -> str | None:
        """Return the latest move, if ``render_mode`` is "ansi"; "" before the first."""
        if self.render_mode != "ansi":
            return None
        seat, move = self.play.history[-1] if self.play.history else (-1, "")
        return f"{self.possible_agents[seat]}: {move}" if move else ""

    def close(self) -> None:
        """Do nothing: a match holds no resources."""
