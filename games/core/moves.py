"""Moves in notation, which are strings: their exceptions, and how equal ones are numbered."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Iterable

from games.core.messages import Message, as_written

LONGEST_MOVE = 200  # characters; the database column is as wide


class _Refused(ValueError):
    """Something that the rules refuse. What it is made with says why: a ``Message``, for readers of any language."""

    @property
    def text(self) -> Message:
        """Why it is refused."""
        return as_written(self.args[0])


class IllegalMove(_Refused):
    """A move the rules refuse."""


class BadOption(_Refused):
    """A number of seats that the game does not allow, an unknown option, or an invalid value."""


class RulesFailed(Exception):
    """The rules themselves failed: the match cannot go on.

    ``kind`` is short, for statistics: "ZeroDivisionError", "too long". ``text`` is a message for the game's author:
    what happened, with the traceback if there is one, a ``Message`` if it can be said in other languages. Players only
    read that the match has ended.
    """

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(kind, text)  # pass all arguments, so that it can be pickled
        self.kind = kind
        self.text = text

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"

    @classmethod
    def by(cls, error: Exception, where: str) -> RulesFailed:
        """Return the RulesFailed for ``error``, raised by the rules; ``where`` completes "The rules ... raised"."""
        kind = type(error).__name__
        return cls(kind, f"The rules {where} raised {kind}.\n{''.join(traceback.format_exception(error))}")


def numbered(moves: Iterable[str]) -> list[str]:
    """Return ``moves`` with a number appended to repeated ones.

    >>> numbered(["take", "give 2", "take", "take"])
    ['take', 'give 2', 'take #2', 'take #3']
    """
    moves = list(moves)
    if len(set(moves)) == len(moves):  # most choices
        return moves
    met: Counter[str] = Counter()
    distinct = []
    for move in moves:
        met[move] += 1
        distinct.append(f"{move} #{met[move]}" if met[move] > 1 else move)
    return distinct
