"""Generated lines of Python, each with its span in the text, so that a failure can be located there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from games.core.messages import Message, message
from games.recycle.tree import Span

DEEPEST = 90  # levels of indentation; Python reads a hundred
MOST_LOOPS = 19  # nested in one function; Python reads twenty
_NAME = re.compile(r"\b[A-Za-z]+\b")


class CannotCompile(Exception):
    """The text has something that cannot be compiled. ``text`` says what, ``at`` where."""

    def __init__(self, at: Span, text: Message) -> None:
        super().__init__(at, text)
        self.at, self.text = at, text


class Code:
    """Source that grows line by line."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.spans: list[Span] = []  # by line
        self.at = Span(0, 0)  # of what is being written
        self._level = 0
        self._loops = 0  # nested, at this place of the function that is being written

    def line(self, text: str) -> int:
        """Add a line. Returns its number."""
        self.lines.append(" " * self._level + text)
        self.spans.append(self.at)
        return len(self.lines) - 1

    @property
    def has_room(self) -> bool:
        """Whether one more block can be nested here."""
        return self._level < DEEPEST

    @property
    def in_loop(self) -> bool:
        """Whether this place is in a loop of the function that is being written."""
        return self._loops > 0

    @contextmanager
    def block(self, text: str) -> Iterator[None]:
        """Add the head of a block; within: its lines. Raises CannotCompile if it is nested too deep."""
        if self._level >= DEEPEST:
            raise CannotCompile(self.at, message("Too many steps are nested here."))
        self.line(text)
        self._level += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self._level -= 1

    @contextmanager
    def loop(self, text: str) -> Iterator[None]:
        """Add the head of a loop; within: its lines. Raises CannotCompile if it is nested too deep."""
        if self._loops >= MOST_LOOPS:
            raise CannotCompile(self.at, message("Too many loops are nested here."))
        self._loops += 1
        with self.block(text):
            yield
        self._loops -= 1

    @contextmanager
    def function(self, head: str, **begin: str) -> Iterator[None]:
        """Add the head of a function; within: its lines. ``begin``: local variables, bound at its beginning if used."""
        loops, self._loops = self._loops, 0
        with self.block(f"def {head}:"):
            first = self.line("") if begin else 0
            yield
            if begin:
                used = set(_NAME.findall("\n".join(self.lines[first:])))
                bound = "; ".join(f"{name} = {value}" for name, value in begin.items() if name in used)
                self.lines[first] = " " * self._level + (bound or "pass")
        self._loops = loops

    @contextmanager
    def of(self, at: Span) -> Iterator[None]:
        """Within: lines stand for that span."""
        before, self.at = self.at, at
        yield
        self.at = before
