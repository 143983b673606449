"""A match in numbers: what seats observe as arrays, and actions as words (``games.env.words``).

Seats that decide at the same time are asked one after the other and do not see what the others chose. Observations are
written straight from the state by the game's encoder (``games.core.encoding``); the words that the seat has chosen of
its present move follow.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from games import catalogue
from games.core import Chance, Game, RulesFailed, State
from games.core.encoding import Numbers
from games.core.match import RulesCall
from games.core.options import OptionValue
from games.env.words import Branching, MoveWords, Spelled, branching
from games.search.results import rewards

Tensor = NDArray[np.float32]
Mask = NDArray[np.int8]
KEY_BYTES = 16


def numbers_of(out: Tensor) -> Numbers:
    """Return the memoryview of an array, for encoders: Python sets single numbers in it faster."""
    return cast(Numbers, out.data)


class Coding:
    """What each number of observations and actions means, with these seats and options: by ``names`` and ``words``."""

    def __init__(
        self, game: str | Game, seats: int | None = None, options: Mapping[str, OptionValue] | None = None
    ) -> None:
        """Make the coding of a game, given by name or by the path of a text; ``seats`` None: its default.

        Raises UnknownGame, UnreadableGame, BadOption.
        """
        self.game = game = catalogue.find_or_read(game) if isinstance(game, str) else game
        self.seats = game.check_seats(game.default_seats if seats is None else seats)
        self.options = game.check_options(options or {})
        self.encoder = game.encoder(self.seats, self.options)
        self.words = MoveWords(self.encoder.words)
        self.words_at = len(self.encoder.names)  # where the words chosen so far begin in an observation
        self.names = [*self.encoder.names, *(f"said {word or 'end'}" for word in self.words.words)]

    @property
    def size(self) -> int:
        """The length of an observation."""
        return len(self.names)

    def start(self, chance: Chance) -> State[Any]:
        """Deal a match. Raises BadOption, RulesFailed."""
        with RulesCall(self.game, "at the deal"):
            state = self.game.start_keeping("sight", self.seats, self.options, chance)
        state.log = None
        state.audited = False
        return state


class Play:
    """A match. After RulesFailed it must not be used again.

    ``seat`` is to choose one of the words in ``offered``; -1: the match is over. ``history`` are the moves made.
    """

    seat: int
    moves: list[str]  # the legal ones
    _branching: Branching
    _prefix: Spelled  # of the present move

    def __init__(self, coding: Coding, chance: Chance, *, keys: bool = False) -> None:
        """Deal a match. ``keys``: keep information states, which costs an observation of each seat for each move."""
        self.coding = coding
        self.state = coding.start(chance)
        self.history: list[tuple[int, str]] = []
        self._begin(keys)

    @classmethod
    def of(cls, coding: Coding, state: State[Any]) -> Play:
        """Return a match that goes on from a state, which it changes, without information states."""
        play = cls.__new__(cls)
        play.coding, play.state, play.history = coding, state, []
        play._begin(keys=False)
        return play

    def fork(self, chance: Chance) -> Play:
        """Return a copy whose future draws come from ``chance``."""
        copy = Play.__new__(Play)
        copy.__dict__.update(self.__dict__)
        copy.state = self.state.fork(chance)
        copy.history = self.history[:]
        copy._keys, copy._latest = [chain.copy() for chain in self._keys], self._latest[:]
        return copy

    def _begin(self, keys: bool) -> None:
        seats = range(self.coding.seats if keys else 0)
        # By seat, a hash of all that it has seen and done: see ``key``.
        self._keys = [hashlib.blake2b(bytes([seat]), digest_size=KEY_BYTES) for seat in seats]
        self._latest = [b""] * len(seats)  # the last observation of each seat, in bytes
        self._ask()

    # -- actions

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.seat < 0

    @property
    def offered(self) -> list[int]:
        """The words of which the seat must choose one."""
        return list(self._branching.ways)

    def choose(self, word: int) -> bool:
        """Choose a word; return whether this made a move. Raises ValueError for one not offered, RulesFailed."""
        ways = self._branching.ways.get(word)
        if ways is None:
            raise ValueError(f"{word} is no action of seat {self.seat} here: choose one that is offered.")
        if len(ways) > 1:
            self._branching = branching(ways, self._branching.depth + 1)
            self._prefix = ways[0][0][: self._branching.depth]
            return False
        self._make(ways[0][1])
        return True

    def make(self, move: str) -> None:
        """Make a move of the seat whose turn it is. Raises ValueError for one that is not legal, RulesFailed."""
        self._make(self.moves.index(move))

    def _make(self, number: int) -> None:
        seat, move = self.seat, self.moves[number]
        if len(self.history) >= self.coding.game.longest:
            raise RulesFailed("too long", f"The match has not ended after {len(self.history):,} decisions.")
        if self._keys:
            self._keys[seat].update(b"m" + move.encode() + b"\0")
        try:
            self.state.take(seat, self.state.options(seat)[number])
            self.history.append((seat, move))
            self._ask()
        except RulesFailed:
            raise
        except Exception as error:
            title = self.coding.game.title
            raise RulesFailed.by(error, f"of {title}, when seat {seat} played {move!r},") from error

    def _ask(self) -> None:
        """Find whose turn it is, and what may be done."""
        if self._keys:
            self._note()
        self._prefix = ()
        movers = self.state.to_act()
        if not movers:
            self.seat, self.moves, self._branching = -1, [], Branching(0, {})
            return
        self.seat = movers[0]
        self.moves = self.state.legal_moves(self.seat)
        spell = self.coding.words.spell
        self._branching = branching([(spell(move), number) for number, move in enumerate(self.moves)], 0)

    # -- what a seat knows

    def write(self, seat: int, out: Tensor) -> None:
        """Write what ``seat`` knows into an array of ``coding.size`` numbers."""
        out.fill(0)
        numbers = numbers_of(out)
        self.coding.encoder.write(self.state, seat, numbers)
        if self._prefix and seat == self.seat:
            for word in self._prefix:
                numbers[self.coding.words_at + word] += 1

    def observe(self, seat: int) -> Tensor:
        """Return what ``seat`` knows as an array."""
        out = np.empty(self.coding.size, np.float32)
        self.write(seat, out)
        return out

    def mask(self) -> Mask:
        """Return 1 for each word that is offered, else 0."""
        mask = np.zeros(len(self.coding.words), np.int8)
        mask[list(self._branching.ways)] = 1
        return mask

    def key(self, seat: int) -> str:
        """Return the information state of a seat: equal keys mean that it has seen and done the same in the same order.

        It has perfect recall: every change of its observation is part of it, and every move of its own. Raises
        IndexError unless the match keeps keys.
        """
        chain = self._keys[seat]
        if not self._prefix or seat != self.seat:
            return chain.hexdigest()
        chain = chain.copy()
        chain.update(b"w" + bytes(str(self._prefix), "ascii"))
        return chain.hexdigest()

    def _note(self) -> None:
        """Add what each seat observes now to its information state, if it is not what it observed before."""
        out = np.empty(self.coding.words_at, np.float32)
        for seat, chain in enumerate(self._keys):
            out.fill(0)
            self.coding.encoder.write(self.state, seat, numbers_of(out))
            seen = out.tobytes()
            if seen != self._latest[seat]:
                self._latest[seat] = seen
                chain.update(b"o" + seen)

    # -- the end

    def scores(self) -> list[float]:
        """Return each seat's score as players count it."""
        return self.state.scores()

    def rewards(self) -> list[float]:
        """Return the result: 1 for a sole winner, -1 for a sole last, ties in between; in solitaire games the score."""
        worth = rewards(self.state)
        return worth if len(worth) == 1 else [2 * mine - 1 for mine in worth]
