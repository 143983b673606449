"""A match is its seed and its moves: (game, options, seats, seed) and an ordered list of moves give every state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NotRequired, TypedDict

from games.core.chance import Chance, SealedChance
from games.core.game import Game, Options, OptionValue, State
from games.core.moves import IllegalMove
from games.core.view import Line, View


class Record(TypedDict):
    """A match as it is stored or sent: enough to play it again to the last card."""

    game: str
    seats: int
    options: dict[str, OptionValue]
    seed: str  # hexadecimal
    moves: list[tuple[int, str]]  # (seat, move), in order
    names: NotRequired[list[str]]


class BadRecord(ValueError):
    """A record that cannot be played again: its text says at which ply and why."""


@dataclass
class Match:
    """A match under way: its state, its moves, and its log by ply (``log[0]`` the deal, ``log[k]`` the k-th move)."""

    game: Game
    state: State[Any]
    options: dict[str, OptionValue]
    moves: list[tuple[int, str]] = field(default_factory=list)
    decisions: list[int] = field(default_factory=list)  # made so far, by seat
    log: list[list[Line]] = field(default_factory=list)

    @classmethod
    def start(cls, game: Game, seats: int, options: Options, chance: Chance) -> Match:
        """Deal a new match. Raises BadOption."""
        checked = game.check_options(options)
        state = game.start(game.check_seats(seats), checked, chance)
        match = cls(game, state, checked, decisions=[0] * seats)
        match._take_lines()
        return match

    @classmethod
    def replay(cls, game: Game, seats: int, options: Options, seed: bytes, moves: Iterable[tuple[int, str]]) -> Match:
        """Deal again from a seed and make the moves. Raises BadRecord when one of them is not legal."""
        match = cls.start(game, seats, options, SealedChance(seed))
        for ply, (seat, move) in enumerate(moves, 1):
            try:
                match.play(seat, move)
            except IllegalMove as refusal:
                raise BadRecord(f"Move {ply} ({move!r} by seat {seat}) cannot be played: {refusal}") from refusal
        return match

    @property
    def ply(self) -> int:
        """How many moves have been made: the version of the match."""
        return len(self.moves)

    def play(self, seat: int, move: str) -> None:
        """Check a move, make it and note it. Raises IllegalMove and changes nothing when it is refused."""
        self.state.play(seat, move)
        self.moves.append((seat, move))
        self.decisions[seat] += 1
        self._take_lines()

    def _take_lines(self) -> None:
        self.log.append(self.state.lines or [])
        self.state.lines = []

    def view(self, seat: int | None, *, face_up: bool = False) -> View:
        """Return what ``seat`` (None: a watcher) may see now."""
        view = self.state.view(seat, face_up=face_up)
        view["decision"] = 0 if seat is None else self.decisions[seat]
        return view

    def lines(self, seat: int | None, ply: int, *, face_up: bool = False) -> list[Line]:
        """Return the log lines of one ply that ``seat`` (None: a watcher) may read."""
        return [line for line in self.log[ply] if face_up or line.get("only", seat) == seat]

    def scores(self) -> Sequence[float]:
        """Return each seat's score."""
        return self.state.scores()
