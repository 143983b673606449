"""Brackets that do not match: which of them is the likely culprit."""

from __future__ import annotations

from collections.abc import Sequence

from lark import Token

from games.core.messages import message
from games.recycle.problems import Problem
from games.recycle.tree import Span

# Where these stand, only these may be open around them; anything else that is open was not closed.
BELONGS = {
    "setup": ("game",),
    "declare": ("game",),
    "define": ("game",),
    "scoring": ("game",),
    "stage": ("game", "stage", "define"),
    "choice": ("game", "stage", "let", "define", "together"),
    "together": ("game", "stage", "define"),
}

LEVELS = 200  # of open brackets, from the outermost on, that are looked at


def misplaced_bracket(tokens: Sequence[Token], end: int) -> Problem:
    """Return why these tokens hold no complete form."""
    if not tokens:
        return Problem(
            "error",
            Span(0, min(end, 1)),
            message("There is nothing in this text."),
            message("Write a game as (game ...)."),
        )
    first = tokens[0]
    if first.type != "OPEN":
        text = (
            message("A bracket is closed here, but none is open.")
            if first.type == "CLOSE"
            else message("A text begins with a bracket.")
        )
        return Problem(
            "error", Span(first.start_pos or 0, first.end_pos or 0), text, message("Write a game as (game ...).")
        )
    at, line = never_closed(tokens)
    laid_out = _by_layout(tokens)
    if laid_out and (not line or laid_out[1] <= line):
        at, line = laid_out
    return Problem(
        "error",
        Span(at, at + 1),
        message("This bracket is never closed."),
        message("By the words and the indentation after it, its ) is missing before line {line}.", line=line)
        if line
        else message("The text ends while it is open: a ) is missing at the end, if not before."),
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
            # Only the outermost bracket can be the game's.
            for level, around in enumerate(opened[:LEVELS] if allowed else ()):
                if _head(tokens, around) not in allowed or (level and allowed == ("game",)):
                    return _by_indentation(tokens, around, place + 1)
            opened.append(place)
    return _by_indentation(tokens, opened[0], len(tokens)) if opened else (0, 0)


def _by_layout(tokens: Sequence[Token]) -> tuple[int, int] | None:
    """Return the first bracket that is not closed, and the line before which it should be, by the indentation alone.

    In most texts, a line that begins with a bracket stands to the right of all brackets that are open there. If closing
    the others makes all brackets match, this is such a text. None: it is not.
    """
    found: tuple[int, int] | None = None
    opened: list[tuple[Token, int]] = []  # with the column to the right of which lines inside begin
    begins = 0  # the column where the line begins
    for place, token in enumerate(tokens):
        column, starts_line = token.column or 0, place == 0 or token.line != tokens[place - 1].end_line
        if starts_line:
            begins = column
        if token.type == "OPEN":
            while starts_line and opened and opened[-1][1] >= column:
                unclosed, _ = opened.pop()
                if not found or found[1] == token.line:
                    found = unclosed.start_pos or 0, token.line or 0
            if place and not opened:
                return None
            ends_line = place + 1 < len(tokens) and tokens[place + 1].line != token.end_line
            opened.append((token, begins if ends_line else column))
        elif token.type == "CLOSE":
            if not opened:
                return None
            opened.pop()
            if not opened and place < len(tokens) - 1:
                return None
    return found


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
