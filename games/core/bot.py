"""The bots' interface: one method, and the information a person in that seat would have."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol, get_args

from games.core.chance import Chance, FastChance
from games.core.state import State
from games.core.view import View

Needs = Literal["moves", "observation", "determinizations"]
NEEDS: tuple[Needs, ...] = get_args(Needs)
BUDGET = 1000  # roll-outs


def _never() -> bool:
    return False


class Renders(Protocol):
    """The part of ``Game`` that a bot's information uses: rendering its observation, and the guide."""

    @property
    def guide(self) -> type[Bot] | None:
        """A fast bot for roll-outs."""

    @property
    def guided(self) -> int:
        """How many decisions a roll-out makes with the guide."""

    def view_of(self, observation: Any, seat: int | None, to_act: Sequence[int]) -> View:
        """Return an observation as a view."""


class Information:
    """What a seat knows at one of its decisions: an information set, never the true state.

    It is plain data that can be sent to another process. What it contains depends on the bot's ``needs``: the legal
    moves; also the observation; or also a determinized state to search in, in which everything the seat cannot know is
    already sampled, so that it contains no secrets. ``chance`` is the bot's own and independent of the match's.

    ``budget`` is the number of roll-outs a searching bot may spend on this decision. Between roll-outs it calls
    ``enough()``, which returns whether it must decide now. That depends on a clock only at tables, where people wait.
    Elsewhere it is always false, so that equal seeds give equal moves.
    """

    __slots__ = ("_game", "_observation", "_sample", "_to_act", "budget", "chance", "enough", "legal_moves", "seat")

    def __init__(
        self,
        game: Renders,
        seat: int,
        legal_moves: list[str],
        chance: Chance,
        *,
        to_act: tuple[int, ...] = (),
        observation: Any = None,
        sample: State[Any] | None = None,
        budget: int = BUDGET,
        enough: Callable[[], bool] = _never,
    ) -> None:
        self._game = game
        self.seat = seat
        self.legal_moves = legal_moves  # a copy that the bot may modify; never empty
        self.chance = chance
        self.budget = budget
        self.enough = enough
        self._to_act = to_act
        self._observation = observation
        self._sample = sample

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
        """Return what ``seat``, which is to act in ``state``, knows.

        ``legal`` are its legal moves, if they are already computed.
        """
        moves = (state.legal_moves(seat) if legal is None else legal)[:]
        if needs == "moves":
            return cls(game, seat, moves, chance, budget=budget)
        sample = None
        if needs == "determinizations":
            sample = state.determinize(seat, FastChance(str(chance.randbelow(1 << 32))))
        return cls(
            game,
            seat,
            moves,
            chance,
            to_act=state.to_act(),
            observation=state.observe(seat),
            sample=sample,
            budget=budget,
        )

    def with_chance(self, chance: Chance, enough: Callable[[], bool] = _never) -> Information:
        """Return the same information with other ``chance`` and ``enough``."""
        return Information(
            self._game,
            self.seat,
            self.legal_moves,
            chance,
            to_act=self._to_act,
            observation=self._observation,
            sample=self._sample,
            budget=self.budget,
            enough=enough,
        )

    @property
    def observation(self) -> Any:
        """The game's own record of what the seat knows; each game documents its type."""
        if self._observation is None:
            raise TypeError('A bot that uses the observation must declare it: needs = "observation".')
        return self._observation

    @property
    def view(self) -> View:
        """The view that a person in this seat gets."""
        return self._game.view_of(self.observation, self.seat, self._to_act)

    @property
    def guide(self) -> Bot | None:
        """The game's fast bot, which a search may use for roll-outs instead of random moves; None if there is none."""
        kind = self._game.guide
        return kind() if kind else None

    @property
    def guided(self) -> int:
        """How many decisions a roll-out makes with the guide before it continues at random."""
        return self._game.guided

    def in_determinization(self, sample: State[Any], seat: int, needs: Needs, legal: list[str]) -> Information:
        """Return what ``seat``, which is to act in the determinized state ``sample``, would know there: for a guide."""
        return Information.of(self._game, sample, seat, self.chance, needs, legal)

    def determinize(self, chance: Chance) -> State[Any]:
        """Return a state that is consistent with what the seat knows; everything else is sampled from ``chance``.

        True states that look the same to the seat give the same result for equal ``chance``.
        """
        if self._sample is None:
            raise TypeError('A bot that searches must declare it: needs = "determinizations".')
        return self._sample.determinize(self.seat, chance)

    def determinize_blind(self, chance: Chance) -> State[Any]:
        """Return a state that is consistent with what spectators know, so that the own hand is sampled, too."""
        if self._sample is None:
            raise TypeError('A bot that searches must declare it: needs = "determinizations".')
        return self._sample.determinize_blind(self.seat, chance)


class Bot(ABC):
    """A player that is a program. An instance may serve one decision or many, so it keeps no state."""

    name: str  # on the command line: "house"
    title: str  # at the table: "House AI"
    needs: Needs = "observation"  # what it gets: see ``Information``
    reads: bool = True  # whether it reads what it gets; if not, it may be asked to choose a move by its number instead

    @abstractmethod
    def choose(self, info: Information) -> str:
        """Return one of ``info.legal_moves``."""

    def number(self, count: int, chance: Chance) -> int:
        """Choose one of so many legal moves by its number, from 0: for bots that do not read them.

        It draws from ``chance`` as ``choose`` does. So nobody needs to write the moves in notation.
        """
        raise NotImplementedError(f"{self.name} reads the legal moves: it has no method to choose by number.")


class RandomBot(Bot):
    """Chooses any legal move, each equally likely."""

    name = "random"
    title = "Random"
    needs: Needs = "moves"
    reads = False

    def choose(self, info: Information) -> str:
        return info.legal_moves[self.number(len(info.legal_moves), info.chance)]

    def number(self, count: int, chance: Chance) -> int:
        return chance.randbelow(count)
