"""Any game as one of OpenSpiel (the optional extra ``spiel``), with its chance explicit: every draw is a chance node.

What follows an action is made in a copy of the position, with a source of chance that makes the draws known so far and
stops the rules at the next one. So CFR and other algorithms for trees run on a text as it stands, and those that sample
run on larger games. A shuffle of n cards is n - 1 draws in a row.

Games whose chance has streams (``Chance.stream``) beside the main one have no explicit tree: they raise NoTree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import pyspiel

from games.core import Chance
from games.env.play import Coding, Play

MOST_OUTCOMES = 1_000  # of a draw
UTILITY = 1e6  # its bounds: those of a text are not known


class NoTree(Exception):
    """The draws of this game cannot be listed one by one."""


class _NextDraw(Exception):
    """The draws that are known are used up. ``outcomes``: how many the next one has."""

    def __init__(self, outcomes: int) -> None:
        super().__init__(outcomes)
        self.outcomes = outcomes


class Script(Chance):
    """Chance that makes the draws it is given, and stops the rules at the next one."""

    def __init__(self, draws: Sequence[int]) -> None:
        self._draws, self._made = draws, 0

    def randbelow(self, n: int) -> int:
        if n == 1:
            return 0
        if self._made == len(self._draws):
            if n > MOST_OUTCOMES:
                raise NoTree(f"A draw has {n:,} outcomes.")
            raise _NextDraw(n)
        self._made += 1
        return self._draws[self._made - 1]

    def stream(self, label: str) -> NoReturn:
        raise NoTree(f"It draws from another stream, {label!r}.")

    def clone(self) -> Script:
        copy = Script(self._draws)
        copy._made = self._made
        return copy


@dataclass(frozen=True)
class _Tree:
    """What all nodes of a tree share."""

    coding: Coding
    scores: bool
    keep: bool


class _Node:
    """A node of the tree. It never changes, so copies of a state share it."""

    def __init__(self, tree: _Tree, before: Play | None, word: int, draws: tuple[int, ...] = ()) -> None:
        """Choose a word in the position ``before`` (None: deal), with draws in the course of that."""
        self.tree, self._before, self._word, self._draws = tree, before, word, draws
        self._known: dict[int, _Node] = {}
        self.play: Play | None = None  # None: a chance node
        self.outcomes = 0
        try:
            chance = Script(draws)
            if before is None:
                self.play = Play(tree.coding, chance, keys=True)
            else:
                play = before.fork(chance)
                play.choose(word)
                self.play = play
        except Exception as error:
            found = _cause(error)
            if isinstance(found, NoTree):
                raise found from error
            if found is None:
                raise
            self.outcomes = found.outcomes

    def after(self, action: int) -> _Node:
        """Return the node that an action, or the outcome of a draw, leads to."""
        found = self._known.get(action)
        if found is None:
            if self.play is None:
                found = _Node(self.tree, self._before, self._word, (*self._draws, action))
            else:
                found = _Node(self.tree, self.play, action)
            if self.tree.keep:
                self._known[action] = found
        return found

    def __deepcopy__(self, memo: Any) -> _Node:
        return self


def _cause(error: BaseException | None) -> _NextDraw | NoTree | None:
    """Return the exception of the chance from which the rules made another one, if there is one."""
    while error is not None:
        if isinstance(error, _NextDraw | NoTree):
            return error
        error = error.__cause__ or error.__context__
    return None


class SpielGame(pyspiel.Game):
    """A game. The returns are its results from -1 to 1 (in solitaire games, the score).

    With ``scores`` they are the scores minus their mean.
    """

    def __init__(self, coding: Coding, *, scores: bool = False, keep: bool = True) -> None:
        """Make a game; ``keep``: positions are kept once they are made, for algorithms that go over the tree often."""
        self.coding = coding
        kind = pyspiel.GameType(
            short_name=f"hamsterdam_{coding.game.name.replace('-', '_')}",
            long_name=coding.game.title,
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.GENERAL_SUM if coding.seats == 1 else pyspiel.GameType.Utility.ZERO_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=coding.seats,
            min_num_players=coding.seats,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=False,
            provides_observation_tensor=True,
        )
        bound = UTILITY if scores or coding.seats == 1 else 1.0
        info = pyspiel.GameInfo(
            num_distinct_actions=len(coding.words),
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=coding.seats,
            min_utility=-bound,
            max_utility=bound,
            utility_sum=0.0,
            max_game_length=coding.game.longest,
        )
        super().__init__(kind, info, {})
        self._root = _Node(_Tree(coding, scores, keep), None, -1)

    def new_initial_state(self) -> SpielState:
        """Return the start of a match, before the deal."""
        return SpielState(self, self._root)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        """Return what writes observations: information states as keys, and the numbers of ``Coding``."""
        return _Observer(self.coding)


class SpielState(pyspiel.State):
    """A position of a SpielGame."""

    def __init__(self, game: SpielGame, node: _Node) -> None:
        super().__init__(game)
        self.node = node

    def current_player(self) -> int:
        if self.node.play is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.node.play.over else self.node.play.seat

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.node.play.offered) if self.node.play else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(outcome, 1 / self.node.outcomes) for outcome in range(self.node.outcomes)]

    def _apply_action(self, action: int) -> None:
        self.node = self.node.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return (
            f"draw {action}"
            if player == pyspiel.PlayerId.CHANCE
            else self.node.tree.coding.words.words[action] or "end"
        )

    def is_terminal(self) -> bool:
        return self.node.play is not None and self.node.play.over

    def returns(self) -> list[float]:
        play = self.node.play
        if play is None or not play.over:
            return [0.0] * self.node.tree.coding.seats
        if not self.node.tree.scores:
            return play.rewards()
        scores = play.scores()
        mean = sum(scores) / len(scores) if len(scores) > 1 else 0.0
        return [score - mean for score in scores]

    def __str__(self) -> str:
        play = self.node.play
        return "; ".join(f"{seat}: {move}" for seat, move in play.history) if play else "chance"


class _Observer:
    """What OpenSpiel asks for observations."""

    def __init__(self, coding: Coding) -> None:
        self.tensor = np.zeros(coding.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a player knows into ``tensor``."""
        self.tensor.fill(0)  # at a chance node nobody observes anything
        if state.node.play is not None:
            state.node.play.write(player, self.tensor)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return the information state of a player."""
        return state.node.play.key(player) if state.node.play else "chance"
