"""Problems of a text, reported like compiler errors: where it is, what is wrong, and how to fix it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from games.core.messages import NONE, Message, in_lines, message
from games.recycle.tree import Span

LONGEST = 240  # characters of a line that are shown


@dataclass(frozen=True, slots=True)
class Problem:
    """An error or a warning. ``hint`` says what to do, where there is more to say than in ``text``.

    It is made for readers of any language: see ``games.core.messages``.
    """

    severity: Literal["error", "warning"]
    at: Span
    text: Message
    hint: Message = NONE


def players_of(count: int) -> Message:
    """Return how many players there are."""
    return message("1 player") if count == 1 else message("{n} players", n=count)


def with_players(count: int, problem: Problem) -> Problem:
    """Return a problem that a text has only with so many players."""
    text = message("With {players}: {text}", players=players_of(count), text=problem.text)
    return replace(problem, text=text)


class BadText(Exception):
    """A text of which no game can be made. ``problems`` are all that was found, in the order of the text."""

    def __init__(self, source: Source, problems: Sequence[Problem]) -> None:
        super().__init__(source, problems)
        self.source, self.problems = source, list(problems)

    def __str__(self) -> str:
        return "\n".join(self.source.show(problem) for problem in self.problems)


class Source:
    """A text and its name, for saying where in it something is."""

    def __init__(self, text: str, name: str = "game.rcy") -> None:
        self.text, self.name = text, name
        self._starts = [0] + [place + 1 for place, char in enumerate(text) if char == "\n"]

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Return where a character stands, both counted from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def start_of(self, line: int) -> int:
        """Return where a line begins, by its number from 1."""
        return self._starts[line - 1]

    def line(self, number: int) -> str:
        """Return a line by its number from 1, without its end."""
        end = self._starts[number] - 1 if number < len(self._starts) else len(self.text)
        return self.text[self._starts[number - 1] : end].rstrip("\r")

    def show(self, problem: Problem) -> Message:
        """Return a problem as an author reads it: ``file:line:column``, what is wrong, the line, a caret, a hint."""
        number, column = self.line_and_column(problem.at.start)
        line, place = self.line(number), column - 1
        if len(line) > LONGEST:
            begin = max(0, place - LONGEST // 3)
            line, place = line[begin : begin + LONGEST], place - begin
        width = max(1, min(problem.at.end - problem.at.start, len(line) - place))
        under = "".join("\t" if char == "\t" else " " for char in line[:place]) + "^" * width
        where = f"{self.name}:{number}:{column}"
        said = message("{place}: error: {text}", place=where, text=problem.text)
        if problem.severity == "warning":
            said = message("{place}: warning: {text}", place=where, text=problem.text)
        shown = [said, f"  {line}", f"  {under}"]
        if problem.hint:
            shown.append(message("  hint: {hint}", hint=problem.hint))
        return in_lines(shown)
