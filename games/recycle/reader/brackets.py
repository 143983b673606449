"""Brackets that do not match: which of them is the likely culprit."""

from __future__ import annotations

from collections.abc import Sequence

from lark import Token

from games.recycle.problems import Problem
from games.recycle.tree import Span

# Where these stand, only these may be open around them; anything else that is open was not closed.
BELONGS = {
    "setup": ("game",),
    "declare": ("game",),
    "scoring": ("game",),
    "stage": ("game", "stage"),
    "choice": ("game", "stage", "let"),
}

LEVELS = 200  # of open brackets, from the outermost on, that are looked at


def misplaced_bracket(tokens: Sequence[Token], end: int) -> Problem:
    """Return why these tokens hold no complete form."""
    if not tokens:
        return Problem("error", Span(0, min(end, 1)), "There is nothing in this text.", "A game is written (game ...).")
    first = tokens[0]
    if first.type != "OPEN":
        text = (
            "A bracket is closed here, but none is open." if first.type == "CLOSE" else "A text begins with a bracket."
        )
        return Problem("error", Span(first.start_pos or 0, first.end_pos or 0), text, "A game is written (game ...).")
    at, line = never_closed(tokens)
    return Problem(
        "error",
        Span(at, at + 1),
        "This bracket is never closed.",
        f"By the words and the indentation after it, its ) is missing before line {line}."
        if line
        else "The text ends while it is open.",
    )


def never_closed(tokens: Sequence[Token]) -> tuple[int, int]:
    """Return the bracket that is most likely unclosed, and the line before which it should be closed.

    By words first, by indentation second. The line is 0 if nothing that follows gives a clue.
    """
    opened: list[int] = []  # the places in ``tokens`` of the brackets that are open
    for place, token in enumerate(tokens):
        if token.type == "CLOSE" and opened:
            opened.pop()
        elif token.type == "OPEN":
            allowed = BELONGS.get(_head(tokens, place), ())
            for level, around in enumerate(opened[:LEVELS] if allowed else ()):
                if _head(tokens, around) not in allowed or (level and allowed == ("game",)):
                    return _by_indentation(tokens, around, place + 1)
            opened.append(place)
    return _by_indentation(tokens, opened[0], len(tokens)) if opened else (0, 0)


def _head(tokens: Sequence[Token], place: int) -> str:
    return str(tokens[place + 1]) if place + 1 < len(tokens) else ""


def _by_indentation(tokens: Sequence[Token], outer: int, end: int) -> tuple[int, int]:
    """Return the first bracket from ``outer`` on whose line is not continued by some later line.

    That is a line that begins with a bracket which is not to the right of the beginning of the bracket's line.
    """
    opened: list[tuple[Token, int]] = []  # with the column where its line begins
    begins = tokens[outer].column or 0
    for place in range(outer, end):
        token = tokens[place]
        starts_line = place == 0 or token.line != tokens[place - 1].end_line
        if starts_line:
            begins = token.column or 0
        if token.type == "CLOSE" and opened:
            opened.pop()
        elif token.type == "OPEN":
            if starts_line and opened and begins <= opened[-1][1]:  # where lines begin only grows in ``opened``
                around = next(each for each, column in opened if begins <= column)
                return around.start_pos or 0, token.line or 0
            opened.append((token, begins))
    return tokens[outer].start_pos or 0, (tokens[end - 1].line or 0) if end < len(tokens) else 0
