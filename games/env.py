"""Every game as a PettingZoo environment, for training agents (the optional extra ``env``).

A seat is an agent and a decision is a turn: seats that decide at the same time take turns, and do not see what the
others chose. An agent observes the view of its seat and nothing else (``games.core.game``): facts such as "a queen of
hearts lies in my hand" are counted in an array, at an index given by a hash of the fact's name. Actions are numbered by
a hash of the move in the same way; if two legal moves collide, the later one takes the next free number. So arrays have
the same size and numbers almost always the same meaning in every game, including those written as texts.

Source: feature hashing, Weinberger, Dasgupta, Langford, Smola and Attenberg, 2009, without its signs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from secrets import token_hex
from typing import Any
from zlib import crc32

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from games import catalogue
from games.core import FastChance, Game, Match, RulesFailed
from games.core.options import OptionValue
from games.core.view import Piece, Sentence, View, plain
from games.search.results import rewards

FACTS = 1024  # size of an observation
ACTIONS = 1024  # number of actions

Observed = dict[str, NDArray[Any]]
Whose = Callable[[int | None], str]  # a seat, relative to the viewer


class MatchEnv(AECEnv[str, Observed, int]):
    """A match of a game.

    Observations: ``observation``, ``facts`` numbers (float32), and ``action_mask``, 1 for each of the ``actions`` that
    is legal (int8). Rewards are given at the end: 1 for a sole winner, -1 for a sole last, ties in between; in
    solitaire games the score. A match whose rules fail is truncated without rewards, and the infos say why. If there
    are more legal moves than numbers, the rest is left out, and the infos count it.
    """

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        options: Mapping[str, OptionValue] | None = None,
        *,
        facts: int = FACTS,
        actions: int = ACTIONS,
        render_mode: str | None = None,
    ) -> None:
        """Make an environment of a game, given by name or by the path of a text; ``seats`` None: the game's default.

        Raises UnknownGame, UnreadableGame.
        """
        super().__init__()
        self.game = catalogue.find_or_read(game) if isinstance(game, str) else game
        self.metadata = {"render_modes": ["ansi"], "name": self.game.name, "is_parallelizable": False}
        self.render_mode = render_mode
        self.options = dict(options or {})
        self.facts = facts
        self.possible_agents = [f"seat_{seat}" for seat in range(seats or self.game.default_seats)]
        self.agents: list[str] = []
        self.infos: dict[str, dict[str, Any]] = {}
        self._observation_space = spaces.Dict(
            {
                "observation": spaces.Box(-np.inf, np.inf, (facts,), np.float32),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self._action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._action_spaces[agent]

    # -- the course of a match

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new match; equal seeds give equal matches. Raises BadOption, RulesFailed."""
        chance = FastChance(token_hex(8) if seed is None else f"env {seed}")
        self.match = Match.start(self.game, len(self.possible_agents), self.options, chance)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._numbered: dict[int, str] = {}
        self._next()

    def step(self, action: int | None) -> None:
        """Make the move of the agent whose turn it is. Raises ValueError for an action that is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action not in self._numbered:
            raise ValueError(f"{action} is no legal move of {agent}: choose one that the action_mask allows.")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        try:
            self.match.advance(self._seat(agent), self._numbered[int(action)])
            self._next()
        except RulesFailed as failed:
            self._break_off(str(failed))
        self._accumulate_rewards()

    def _next(self) -> None:
        """Advance to the next decision, or to the end."""
        if self.match.over:
            worth = rewards(self.match.state)
            for agent in self.agents:
                mine = worth[self._seat(agent)]
                self.rewards[agent] = mine if len(worth) == 1 else 2 * mine - 1
                self.terminations[agent] = True
            self._numbered = {}
            return
        seat = self.match.to_act()[0]
        self.agent_selection = self.possible_agents[seat]
        size = int(self.action_space(self.agent_selection).n)
        moves = self.match.legal_moves(seat)
        self._numbered = numbered(moves, size)
        self.infos[self.agent_selection] = {"left_out": len(moves) - len(self._numbered)}

    def _break_off(self, why: str) -> None:
        for agent in self.agents:
            self.truncations[agent] = True
            self.infos[agent] = {"failed": why}
        self._numbered = {}

    def _seat(self, agent: str) -> int:
        return self.possible_agents.index(agent)

    # -- what an agent knows

    def observe(self, agent: str) -> Observed:
        mask = np.zeros(int(self.action_space(agent).n), np.int8)
        if agent == self.agent_selection:
            mask[list(self._numbered)] = 1
        if any(self.truncations.values()):  # after a failure the match must not be used
            return {"observation": np.zeros(self.facts, np.float32), "action_mask": mask}
        return {"observation": encoded(self.match.view(self._seat(agent)), self.facts), "action_mask": mask}

    def move(self, action: int) -> str:
        """Return the move of an action in this decision. Raises KeyError."""
        return self._numbered[action]

    def render(self) -> str | None:
        """Return the log of the last move as spectators read it, if ``render_mode`` is "ansi"."""
        if self.render_mode != "ansi":
            return None
        entries = self.match.entries(None, self.match.ply)
        return "\n".join(plain(entry["text"], self.possible_agents) for entry in entries)

    def close(self) -> None:
        """Do nothing: a match holds no resources."""


def numbered(moves: list[str], size: int) -> dict[int, str]:
    """Return moves by number, less than ``size``: a hash, or the next free number."""
    moves_by_number: dict[int, str] = {}
    for move in moves[:size]:
        number = crc32(move.encode()) % size
        while number in moves_by_number:
            number = (number + 1) % size
        moves_by_number[number] = move
    return moves_by_number


def encoded(view: View, size: int) -> NDArray[np.float32]:
    """Return the facts of a view as ``size`` numbers: the amount of each fact, at the index it hashes to."""
    vector = np.zeros(size, np.float32)
    for name, value in facts(view):
        vector[crc32(name.encode()) % size] += value
    return vector


def facts(view: View) -> Iterator[tuple[str, float]]:
    """Yield (name, amount) for everything visible in a view; players are numbered relative to the viewer."""
    seats, me = len(view["seats"]), view["seat"] or 0

    def whose(seat: int | None) -> str:
        return "" if seat is None else f" of {(seat - me) % seats}"

    yield f"phase {_words(view['phase'], whose)}", 1
    for seat in view["to_act"]:
        yield f"to act{whose(seat)}", 1
    for one in view["seats"]:
        yield f"{one['state']}{whose(one['seat'])}", 1
        for mark in one["marks"]:
            yield f"mark {mark}{whose(one['seat'])}", 1
        for counter in one["counters"]:
            yield f"counter {_words(counter['label'], whose)}{whose(one['seat'])}", counter["value"]
    for zone in view["zones"]:
        place = f"zone {_words(zone['label'], whose)}{whose(zone.get('seat'))}"
        yield f"{place} size", zone.get("size", len(zone["pieces"]))
        yield f"{place} total", zone.get("total", 0)
        for piece in zone["pieces"]:
            yield f"{place} {_piece(piece, whose)}", 1
        if zone["pieces"] and zone["layout"] != "hand":
            yield f"{place} top {_piece(zone['pieces'][-1], whose)}", 1
    boards = [track["spaces"] for track in view.get("tracks", [])] + [grid["cells"] for grid in view.get("grids", [])]
    for space in (space for board in boards for space in board):
        for height, piece in enumerate(space["pieces"]):
            yield f"space {space['id']} {height} {_piece(piece, whose)}", 1
        for mark in space["marks"]:
            yield f"space {space['id']} {mark}", 1


def _piece(piece: Piece, whose: Whose) -> str:
    label = _words(piece["label"], whose) if "label" in piece else ""
    return f"{piece.get('face', 'face down')} {label} {piece.get('badge', '')}"


def _words(text: Sentence, whose: Whose) -> str:
    args = text["args"].items()
    values = {name: whose(arg["seat"]) if isinstance(arg, dict) and "seat" in arg else arg for name, arg in args}
    return f"{text['text']} {sorted(values.items())}"
