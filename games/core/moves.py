"""Moves as text: what can be wrong with them, and how legal ones are told apart."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Iterable

LONGEST_MOVE = 200  # characters of a move: the database has room for so many


class IllegalMove(ValueError):
    """A move the rules refuse. Its text says why, in words a player understands."""


class BadOption(ValueError):
    """A number of seats or an option that the game does not have, or a value it does not take."""


class RulesFailed(Exception):
    """The rules themselves have broken down: the match cannot go on.

    ``kind`` is a word or two, to be counted: "ZeroDivisionError", "too long". ``text`` tells the game's author what
    happened, with the traceback if there is one; players are only told that the match has ended.
    """

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(kind, text)  # all of it, or it could not be sent from one process to another
        self.kind = kind
        self.text = text

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"

    @classmethod
    def by(cls, error: Exception, where: str) -> RulesFailed:
        """Return the failure that ``error``, raised by the rules, is; ``where`` stands in "The rules ... raised"."""
        kind = type(error).__name__
        return cls(kind, f"The rules {where} raised {kind}.\n{''.join(traceback.format_exception(error))}")


def numbered(moves: Iterable[str]) -> list[str]:
    """Return ``moves`` with those that are alike told apart by number.

    >>> numbered(["take", "give 2", "take", "take"])
    ['take', 'give 2', 'take #2', 'take #3']
    """
    met: Counter[str] = Counter()
    found = []
    for move in moves:
        met[move] += 1
        found.append(f"{move} #{met[move]}" if met[move] > 1 else move)
    return found
