"""A line whose indentation contradicts the brackets is warned of, with the line where a bracket is wrong."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from games.recycle.indentation import indentation
from games.recycle.lint import warnings
from games.recycle.problems import Source
from games.recycle.reader import read
from games.recycle.style import format_text
from tests.games.recycle.generate import Author
from tests.games.recycle.library import LIBRARY, WORKSHOP

TEXT = """(game
  (setup
    (create players 2)
    (create deck (game iloc STOCK) (deck (RANK (A, TWO)))))
  (stage player
    (end (== (size (game iloc STOCK)) 0))
    (do
      ((inc (game sto TURNS) 1)
       (inc (game sto TURNS) 1)))
    (choice
      ((move (top (game iloc STOCK)) (top ((current player) vloc WON))))))
  (scoring max (+ (size ((current player) vloc WON)) (game sto TURNS))))
"""


def changed(*changes: tuple[int, str]) -> list[str]:
    """Return the warnings about a text in which lines end otherwise: with fewer or more brackets."""
    lines = TEXT.splitlines()
    for number, end in changes:
        lines[number - 1] = lines[number - 1].rstrip(")") + end
    source = Source("\n".join(lines))
    return [f"{source.line_and_column(one.at.start)}: {one.text} {one.hint}" for one in indentation(source)]


def test_a_stage_that_ends_too_late_is_warned_of_where_the_indentation_says_it_ends() -> None:
    [found] = changed((11, ")))))"), (12, ")))))"))
    assert found == (
        "(12, 3): By its indentation, this line comes after the (stage ...) in line 5,"
        " but by the brackets it is inside. A ) may be missing at the end of line 11."
        " If the brackets are right, format the text."
    )


def test_a_stage_that_ends_too_early_is_warned_of_at_the_next_line_in_it() -> None:
    [found] = changed((9, "))))"), (11, ")))))"))
    assert found == (
        "(10, 5): By its indentation, this line is inside the (stage ...) in line 5, but its brackets end in line 9."
        " Line 9 may have one ) too many. If the brackets are right, format the text."
    )


def test_the_warning_is_one_of_the_checker() -> None:
    text = TEXT.replace("\n    (choice", "\n        (choice")
    found = [problem.text for problem in warnings(read(text), Source(text))]
    assert found == [
        "By its indentation, this line is inside the (do ...) in line 7, but its brackets end in line 9.",
    ]


FINE = [
    TEXT,
    TEXT.replace("\n  ", "\n"),  # less of it
    "\n".join(line.strip() for line in TEXT.splitlines()),  # none
    TEXT.replace("    ", "\t"),
    TEXT.replace("  (stage", "\t(stage"),  # tabs and spaces cannot be compared
    TEXT.replace("(do\n", "(do ;; (this\n"),
    " ".join(TEXT.split()),
    TEXT[:-3],  # not closed: that is an error
    "",
]


@pytest.mark.parametrize("text", FINE)
def test_indentation_that_contradicts_nothing_is_not_warned_of(text: str) -> None:
    assert list(indentation(Source(text))) == []


TEXTS = [*LIBRARY, *WORKSHOP.glob("*/*.rcy")]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_no_text_of_the_site_is_indented_against_its_brackets(path: Path) -> None:
    assert list(indentation(Source(path.read_text(encoding="utf-8")))) == []


@pytest.mark.parametrize("number", range(12))
def test_what_the_formatter_makes_is_never_warned_of(number: int) -> None:
    text = format_text(Author(random.Random(f"indentation {number}").randrange).text())
    assert list(indentation(Source(text))) == []


@pytest.mark.parametrize(("line", "head"), [(6, "stage"), (8, "do"), (11, "choice")])
def test_a_body_below_the_bracket_around_it_is_warned_of(line: int, head: str) -> None:
    lines = TEXT.splitlines()
    indent = " " * (len(lines[line - 2]) - len(lines[line - 2].lstrip()))
    lines[line - 1] = indent + lines[line - 1].lstrip()
    source = Source("\n".join(lines))
    first, *_ = indentation(source)
    assert source.line_and_column(first.at.start)[0] == line
    assert f"this line comes after the ({head} ...) in line {line - 1}, but by the brackets it is inside" in first.text
    flush = Source("\n".join(each.lstrip() for each in TEXT.splitlines()))
    assert list(indentation(flush)) == []
