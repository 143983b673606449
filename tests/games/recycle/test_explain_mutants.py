"""The rules page says all that a text says: a text that differs in one place has another page.

The exact wording is read back as a whole (``test_exact.py``), the course of play on the readable page step by step
(``test_page_read_back.py``). That page leaves out what people can see and puts things together, but whatever is changed
in the tree changes its sentences.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from games.recycle.explain import explain
from games.recycle.labels import Labels
from games.recycle.reader import read
from games.recycle.tree import Compare, GameNode, Name, Number, Ref, SetNumber, Stored, Table
from tests.games.recycle.library import LIBRARY, STRANGERS, labels_of
from tests.games.recycle.tree_mutants import OTHER, marked, mutants
from tests.games.recycle.trees import AT
from tests.tiers import is_full, sampled

TEXTS = [*LIBRARY, *STRANGERS]
EACH = 15  # in the quick tier one of so many changes is tried
every_text = pytest.mark.parametrize("path", sampled(TEXTS, 3, lambda path: path.stem))
IN_TABLES = ("who sees it", "a name of a list", "a name of a list left out")  # behind the course of play
MARK = Ref(AT, "sto", Table(AT), Name(AT, OTHER))
STATEMENT = SetNumber(AT, "inc", MARK, Number(AT, 4711))
TEST = Compare(AT, "==", Stored(AT, MARK), Number(AT, 4711))


@cache
def text_of(path: Path) -> tuple[str, GameNode, Labels]:
    """Return a text, its tree, and its labels."""
    text = path.read_text(encoding="utf-8")
    return text, read(text), labels_of(path)


def course(page: str) -> str:
    """Return what a page says before its tables of places and stores."""
    return page.partition("\n## Where ")[0]


@every_text
def test_whatever_is_changed_in_a_text_changes_its_page(path: Path) -> None:
    text, tree, labels = text_of(path)
    page = explain(tree, labels, {})
    same = []
    for number, mutant in enumerate(mutants(tree)):
        if is_full() or number % EACH == 0:
            other = explain(mutant.game, labels, {})
            if page == other or (mutant.what not in IN_TABLES and course(page) == course(other)):
                line = text.count("\n", 0, mutant.at) + 1
                same.append(f"line {line}: {mutant.what}: {text[mutant.at : mutant.at + 60]!r}")
    assert not same, "\n".join(same)


@every_text
def test_every_statement_stands_once_on_the_page_and_every_test_is_said(path: Path) -> None:
    text, tree, labels = text_of(path)
    wrong = []
    for number, mutant in enumerate(marked(tree, STATEMENT, TEST)):
        if is_full() or number % 5 == 0:
            said = course(explain(mutant.game, labels, {}))
            times = said.count("4711")
            if times != 1 and (mutant.what == "statement" or not times):
                line = text.count("\n", 0, mutant.at) + 1
                wrong.append(f"line {line}: a {mutant.what}, {times} times: {text[mutant.at : mutant.at + 60]!r}")
    assert not wrong, "\n".join(wrong)
