"""The bots' interface: one method, and what a person in that seat would know."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol, get_args

from games.core.chance import Chance, FastChance
from games.core.state import State
from games.core.view import View

Needs = Literal["moves", "observation", "worlds"]
NEEDS: tuple[Needs, ...] = get_args(Needs)
BUDGET = 1000  # play-outs


def _never() -> bool:
    return False


class Renders(Protocol):
    """What a bot's information wants of a ``Game``: to draw its observation, when the bot asks for it; and a guide."""

    @property
    def guide(self) -> type[Bot] | None:
        """A quick bot to play on with."""

    @property
    def guided(self) -> int:
        """For how many decisions."""

    def view_of(self, observation: Any, seat: int | None, to_act: Sequence[int]) -> View:
        """Return an observation as a view."""


class Information:
    """What a seat knows at one of its decisions: an information set, never the state behind it.

    It is plain data that can be sent to another process. How much there is in it depends on what the bot ``needs``:
    the legal moves; those and the observation; or both and a world to search in, in which all that the seat cannot know
    has been drawn afresh, so that nothing in it is there to be found out. ``chance`` is the bot's own: it never touches
    the match's. ``budget`` is how many play-outs a bot that searches may spend on this decision. Between two of them
    it asks ``enough()``, whether it has to decide now: a last resort, for tables, where people wait; whoever asks has
    the clock. Anywhere else it is never enough, so that equal seeds give equal moves.
    """

    __slots__ = ("_game", "_observation", "_to_act", "_world", "budget", "chance", "enough", "legal_moves", "seat")

    def __init__(
        self,
        game: Renders,
        seat: int,
        legal_moves: list[str],
        chance: Chance,
        *,
        to_act: tuple[int, ...] = (),
        observation: Any = None,
        world: State[Any] | None = None,
        budget: int = BUDGET,
        enough: Callable[[], bool] = _never,
    ) -> None:
        self._game = game
        self.seat = seat
        self.legal_moves = legal_moves  # the bot's own list; never empty
        self.chance = chance
        self.budget = budget
        self.enough = enough
        self._to_act = to_act
        self._observation = observation
        self._world = world

    @classmethod
    def of(
        cls,
        game: Renders,
        state: State[Any],
        seat: int,
        chance: Chance,
        needs: Needs,
        legal: list[str] | None = None,
        budget: int = BUDGET,
    ) -> Information:
        """Return what ``seat``, which is to act in ``state``, knows. ``legal``: its legal moves, if at hand."""
        moves = (state.legal_moves(seat) if legal is None else legal)[:]
        if needs == "moves":
            return cls(game, seat, moves, chance, budget=budget)
        world = state.determinize(seat, FastChance(str(chance.randbelow(1 << 32)))) if needs == "worlds" else None
        return cls(
            game,
            seat,
            moves,
            chance,
            to_act=state.to_act(),
            observation=state.observe(seat),
            world=world,
            budget=budget,
        )

    def with_chance(self, chance: Chance, enough: Callable[[], bool] = _never) -> Information:
        """Return the same knowledge with another chance for the bot, and what tells it that it has to decide."""
        return Information(
            self._game,
            self.seat,
            self.legal_moves,
            chance,
            to_act=self._to_act,
            observation=self._observation,
            world=self._world,
            budget=self.budget,
            enough=enough,
        )

    @property
    def observation(self) -> Any:
        """The game's own record of what the seat knows (each game documents its type)."""
        if self._observation is None:
            raise TypeError('A bot that looks at the table says so: needs = "observation".')
        return self._observation

    @property
    def view(self) -> View:
        """The view that a person in the seat gets."""
        return self._game.view_of(self.observation, self.seat, self._to_act)

    @property
    def guide(self) -> Bot | None:
        """The game's own quick bot, with which a search may play on instead of at random; None where there is none."""
        kind = self._game.guide
        return kind() if kind else None

    @property
    def guided(self) -> int:
        """For how many decisions a search plays on with the guide, before it does at random."""
        return self._game.guided

    def in_world(self, world: State[Any], seat: int, needs: Needs, legal: list[str]) -> Information:
        """Return what ``seat``, which is to act in a world that was made up, would know there: for a guide."""
        return Information.of(self._game, world, seat, self.chance, needs, legal)

    def determinize(self, chance: Chance) -> State[Any]:
        """Return a state the seat may believe in: all that it cannot know is drawn afresh from ``chance``.

        Two true states that look the same to the seat give the same one, for equal ``chance``.
        """
        if self._world is None:
            raise TypeError('A bot that searches says so: needs = "worlds".')
        return self._world.determinize(self.seat, chance)


class Bot(ABC):
    """A player that is a program. One object serves one decision or many: it may keep nothing that matters."""

    name: str  # as written on the command line: "house"
    title: str  # as shown at the table: "House AI"
    needs: Needs = "observation"  # what it is handed: see ``Information``

    @abstractmethod
    def choose(self, info: Information) -> str:
        """Return one of ``info.legal_moves``."""


class RandomBot(Bot):
    """Any legal move, each equally likely."""

    name = "random"
    title = "Random"
    needs: Needs = "moves"

    def choose(self, info: Information) -> str:
        return info.chance.choice(info.legal_moves)
