"""Warnings about lines whose indentation contradicts the brackets: where one is probably missing, or one too many."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from games.core.messages import Message, message
from games.recycle.problems import Problem, Source
from games.recycle.tree import Span

_BRACKETS = re.compile(r";;[^\n]*|[()]")
_BODY = re.compile(r"\s*(stage|choice|do)\b")
_HEAD = re.compile(r"\s*([a-z]+)")


@dataclass(slots=True)
class _Form:
    """A form that is open, or the last one that began a line inside another one."""

    at: int
    line: int
    indent: str  # of the line on which it begins
    begins_line: bool
    last: _Form | None = None  # the last form directly inside that began a line
    end: int = 0  # the line on which it ends
    length: int = 0


def indentation(source: Source) -> Iterator[Problem]:
    """Yield a warning about each line that is indented as if it were inside another form than it is.

    Compared are forms that begin a line, with the form before in the same brackets and with the form around. Lines of
    which one begins with tabs and the other with spaces cannot be compared. Nothing is yielded after the first complete
    form, or if there is none.
    """
    found, _ = _contradictions(source)
    yield from (problem for problem, _ in found)


def closed_too_early(source: Source) -> int:
    """Return the line that by the indentation has one ) too many, for a game that ends too early; 0 if none has."""
    found, whole = _contradictions(source)
    lines = [line for _, line in found if line]
    if lines or not whole:
        return lines[0] if lines else 0
    following = re.compile(r"(?:\s|;;[^\n]*)*\(").match(source.text, whole.at + whole.length)
    if following:
        at = following.end() - 1
        line, _ = source.line_and_column(at)
        after = _new(source, at, line)
        if after.begins_line and _deeper(after.indent, whole.indent):
            return whole.end
    return 0


def _contradictions(source: Source) -> tuple[list[tuple[Problem, int]], _Form | None]:
    """Return the warnings, each with the line that has one ) too many (0: one is missing), and the whole form."""
    found: list[tuple[Problem, int]] = []
    opened: list[_Form] = []
    before = 1  # the line of the bracket before
    for match in _BRACKETS.finditer(source.text):
        at, sign = match.start(), match[0]
        if sign not in ("(", ")"):
            continue
        line, _ = source.line_and_column(at)
        if sign == "(":
            form = _new(source, at, line)
            if opened and form.begins_line:
                found += _compared(source, form, opened[-1], before)
            opened.append(form)
        elif opened:
            closed = opened.pop()
            closed.end, closed.length = line, at + 1 - closed.at
            if not opened:
                return found, closed
            if closed.begins_line:
                opened[-1].last = closed
        before = line
    return [], None


def _new(source: Source, at: int, line: int) -> _Form:
    start = source.start_of(line)
    written = source.text[start:at].lstrip("\ufeff")
    indent = written[: len(written) - len(written.lstrip())]
    return _Form(at, line, indent, indent == written)


def _compared(source: Source, form: _Form, around: _Form, before: int) -> Iterator[tuple[Problem, int]]:
    last = around.last
    at = Span(form.at, form.at + 1)
    if not last:
        # The first line inside, below the bracket around it. A text without any indentation says nothing.
        below = around.begins_line and around.indent and form.indent == around.indent
        if below and _BODY.match(source.text, around.at + 1):
            yield _missing(source, at, around, before), 0
        return
    if _deeper(form.indent, last.indent):
        text = message(
            "By its indentation, this line is inside the {code} in line {line}, but its brackets end in line {end}.",
            code=_called(source, last),
            line=last.line,
            end=last.end,
        )
        hint = message(
            "Line {line} may have one ) too many. If the brackets are right, format the text.", line=last.end
        )
        yield Problem("warning", at, text, hint), last.end
    elif _deeper(last.indent, around.indent) and around.indent.startswith(form.indent):
        yield _missing(source, at, around, before), 0


def _missing(source: Source, at: Span, around: _Form, before: int) -> Problem:
    """Return the warning about a line that is indented as if the form around it had ended."""
    text = message(
        "By its indentation, this line comes after the {code} in line {line}, but by the brackets it is inside.",
        code=_called(source, around),
        line=around.line,
    )
    hint = message(
        "A ) may be missing at the end of line {line}. If the brackets are right, format the text.", line=before
    )
    return Problem("warning", at, text, hint)


def _called(source: Source, form: _Form) -> str | Message:
    head = _HEAD.match(source.text, form.at + 1)
    return f"({head[1]} ...)" if head else message("brackets")


def _deeper(indent: str, other: str) -> bool:
    return indent.startswith(other) and len(indent) > len(other)
