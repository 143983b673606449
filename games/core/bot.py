"""The bots' interface: one method, and what a person in that seat would know."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Any

from games.core.chance import Chance
from games.core.view import View

if TYPE_CHECKING:
    from games.core.game import State


class Information:
    """What a seat knows at one of its decisions: an information set, not the state behind it.

    Everything is made when first asked for, so a bot pays only for what it looks at.
    ``chance`` is the bot's own: it never touches the match's.
    """

    def __init__(self, state: State[Any], seat: int, chance: Chance) -> None:
        self._state = state
        self.seat = seat
        self.chance = chance

    @cached_property
    def observation(self) -> Any:
        """The game's own record of what the seat knows (each game documents its type)."""
        return self._state.observe(self.seat)

    @cached_property
    def view(self) -> View:
        """The view that a person in the seat gets."""
        return self._state.view(self.seat)

    @cached_property
    def legal_moves(self) -> list[str]:
        """The moves the seat may make now; never empty."""
        return self._state.legal_moves(self.seat)

    def determinize(self, chance: Chance) -> State[Any]:
        """Return a state the seat may believe in: all that it cannot know is drawn afresh from ``chance``."""
        return self._state.determinize(self.seat, chance)


class Bot(ABC):
    """A player that is a program. One object serves one decision or many: it may keep nothing that matters."""

    name: str  # as written on the command line: "house"
    title: str  # as shown at the table: "House AI"

    @abstractmethod
    def choose(self, info: Information) -> str:
        """Return one of ``info.legal_moves``."""


class RandomBot(Bot):
    """Any legal move, each equally likely."""

    name = "random"
    title = "Random"

    def choose(self, info: Information) -> str:
        return info.chance.choice(info.legal_moves)
