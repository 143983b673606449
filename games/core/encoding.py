"""Encodings: what a seat knows as an array of numbers, each of which has a name and always the same meaning."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Any, Protocol, TypeVar

K = TypeVar("K", bound=Hashable)


class Numbers(Protocol):
    """An array of numbers."""

    def __getitem__(self, index: int, /) -> float: ...

    def __setitem__(self, index: int, value: float, /) -> None: ...


class Encoder(ABC):
    """Writes positions of matches with the same seats and options as arrays.

    ``names`` has the name of each number; players are counted from the viewer: "hand +1" is the next one's. ``words``
    are those of moves, in any order; whatever else a move says is spelled.
    """

    def __init__(self, seats: int, words: Sequence[str] = ()) -> None:
        self.seats = seats
        self.names: list[str] = []
        self.words = list(dict.fromkeys(words))

    @abstractmethod
    def write(self, state: Any, seat: int, out: Numbers) -> None:
        """Write what ``seat`` knows into ``out``, which holds as many zeros as there are names."""

    # -- for the constructors of encoders

    def number(self, name: str) -> int:
        """Add a number, and return its index."""
        self.names.append(name)
        return len(self.names) - 1

    def each(self, name: str, values: Sequence[K]) -> dict[K, int]:
        """Add a number for each of some values, and return their indices by value."""
        return {value: self.number(f"{name} {value}") for value in values}

    def players(self, name: str) -> list[int]:
        """Add a number for each player, and return their indices: the viewer's, the next one's, ...

        That of ``seat`` is at ``seat - viewer``, because lists count negative places from the end.
        """
        return [self.number(f"{name} +{away}") for away in range(self.seats)]

    def each_player(self, name: str, values: Sequence[K]) -> list[dict[K, int]]:
        """Add a number for each value and player, and return their indices: the viewer's, the next one's, ..."""
        return [self.each(f"{name} +{away}", values) for away in range(self.seats)]
