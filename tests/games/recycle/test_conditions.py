"""What the readable rules page says of conditions about cards, places, stores and players is read back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import games.recycle
from games.recycle.explain import explain
from games.recycle.explaining.course import CourseOfPlay
from games.recycle.explaining.survey import Survey
from games.recycle.labels import Labels
from games.recycle.phrase_book import Book
from games.recycle.reader import read
from games.recycle.tree import Each, Filter, GameNode, Not, Quantified, Stage, Use, Value, When, walk
from tests.games.recycle.condition_reader import Found, Meant, Unread, said

FOLDER = Path(games.recycle.__file__).parent / "library"
TEXTS = sorted(FOLDER.glob("*.rcy"))
# Of the nearly 180 conditions of the library:
UNREAD = 14  # are not read back
OPPOSITES_UNREAD = 15  # have an opposite, which no text says, that is not read back
NOT_ON_THE_PAGE = 24  # do not stand on the page word by word


def conditions(game: GameNode) -> Iterator[Value]:
    """Yield the tests of a text in which no variable of the text around them is used."""
    for node in walk(game.blocks):
        test = node.test if isinstance(node, When) else node.end if isinstance(node, Stage) else None
        if test is not None:
            own = {inner.var for inner in walk(test) if isinstance(inner, Quantified | Filter | Each)}
            if all(inner.var in own for inner in walk(test) if isinstance(inner, Use)):
                yield test


def clause(game: GameNode, labels: Labels, test: Value) -> str:
    """Return the English clause for a test."""
    course = CourseOfPlay(game, Survey(game), labels, Book())
    return course.book.spelled(str(course.clause(test)))


def library() -> Iterator[tuple[GameNode, Labels]]:
    for path in TEXTS:
        labels = Labels.read(path.with_suffix(".toml").read_text(encoding="utf-8"))
        yield read(path.read_text(encoding="utf-8")), labels


def differences(opposites: bool) -> tuple[int, list[tuple[str, Found, Found]]]:
    """Return how many conditions of the library are not read back, and those that are read as another one."""
    unread, wrong = 0, []
    for game, labels in library():
        for test in conditions(game):
            asked = Not(test.at, test) if opposites else test
            text = clause(game, labels, asked)
            try:
                found, wanted = said(text), Meant(game, labels)(asked)
            except Unread:
                unread += 1
                continue
            wrong += [(text, found, wanted)] if found != wanted else []
    return unread, wrong


def test_what_is_said_of_a_condition_of_the_library_is_what_it_means() -> None:
    unread, wrong = differences(opposites=False)
    assert wrong == []
    assert unread <= UNREAD


def test_the_opposite_of_a_condition_is_said_as_its_opposite() -> None:
    unread, wrong = differences(opposites=True)
    assert wrong == []
    assert unread <= OPPOSITES_UNREAD


HAND, ROW = "((current player) iloc HAND)", "(game vloc ROW)"
EMPTY = "(== (size {}) 0)".format
# Conditions that are alike, and must not be read as the same.
ALIKE = [
    ("(> (size (game vloc ROW)) 2)", "(>= (size (game vloc ROW)) 2)", "(< (size (game vloc ROW)) 2)"),
    (EMPTY(HAND), EMPTY(ROW), EMPTY("((next player) iloc HAND)"), EMPTY("(game vloc HEAP)")),
    (
        "(all player 'P (== (size ('P iloc HAND)) 0))",
        "(any player 'P (== (size ('P iloc HAND)) 0))",
        "(all (other player) 'P (== (size ('P iloc HAND)) 0))",
    ),
    (
        f"(any {HAND} 'C (== (cardatt SUIT 'C) (cardatt SUIT (top {ROW}))))",
        f"(any {HAND} 'C (!= (cardatt SUIT 'C) (cardatt SUIT (top {ROW}))))",
        f"(any {HAND} 'C (== (cardatt RANK 'C) (cardatt RANK (top {ROW}))))",
        f"(any {HAND} 'C (== (cardatt SUIT 'C) (cardatt SUIT (bottom {ROW}))))",
        f"(all {HAND} 'C (!= (cardatt SUIT 'C) (cardatt SUIT (top {ROW}))))",
    ),
    (f"(== (cardatt RANK (top {ROW})) KING)", f"(!= (cardatt RANK (top {ROW})) KING)"),
    ("(== (game str LED) HEARTS)", "(== (game str LED) SPADES)", "(!= (game str LED) NONE)"),
    ("(== ((current player) sto A) ((current player) sto B))", "(== ((current player) sto A) 1)"),
    (
        f"(or (and {EMPTY(HAND)} {EMPTY(ROW)}) (== (game sto A) 3))",
        f"(and {EMPTY(HAND)} (or {EMPTY(ROW)} (== (game sto A) 3)))",
        f"(or {EMPTY(HAND)} (and {EMPTY(ROW)} (== (game sto A) 3)))",
        f"(and (or {EMPTY(HAND)} {EMPTY(ROW)}) (== (game sto A) 3))",
    ),
    ("(> (size (filter player 'P (> ('P sto A) 3))) 1)", "(>= (size (filter player 'P (> ('P sto A) 3))) 1)"),
]


@pytest.mark.parametrize("alike", ALIKE, ids=lambda alike: alike[0])
def test_conditions_that_differ_are_said_in_sentences_that_differ(alike: tuple[str, ...]) -> None:
    setup = "(setup (create players 3) (create deck (game vloc ROW) (deck (RANK (KING, ACE)) (SUIT (HEARTS, SPADES)))))"
    found = []
    for test in alike:
        steps = f"(set (game str LED) HEARTS) ({test} (inc (game sto A) 2))"
        game = read(f"(game {setup} (do ({steps})) (scoring max (game sto A)))")
        [asked] = conditions(game)
        text = clause(game, Labels(), asked)
        try:
            found.append(said(text))
        except Unread:
            found.append(text)
        else:
            assert found[-1] == Meant(game, Labels())(asked), text
    assert len({repr(each) for each in found}) == len(alike)


def test_the_clauses_that_are_read_back_stand_on_the_rules_page() -> None:
    """Others stand there in another form, as "ten rounds are played" or as a list of what ends a stage."""
    elsewhere = 0
    for game, labels in library():
        page = " ".join(explain(game, labels, {}).split()).lower()
        elsewhere += sum(clause(game, labels, test).strip().lower() not in page for test in conditions(game))
    assert elsewhere <= NOT_ON_THE_PAGE
