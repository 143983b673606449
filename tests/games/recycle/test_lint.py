"""Warnings: each where it is due, and not where it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.recycle.labels import Labels
from games.recycle.lint import warnings
from games.recycle.problems import Problem, Source
from games.recycle.reader import read
from tests.games.recycle.library import LIBRARY, PATTERNS, labels_of

# A game without any warning: {0} stands for more blocks.
PLAIN = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, TWO)))))
 (stage player (end (== (size (game iloc STOCK)) 0))
  (choice ((move (top (game iloc STOCK)) (top ((current player) vloc WON))))))
 {}
 (scoring max (size ((current player) vloc WON))))"""


def found(blocks: str) -> list[Problem]:
    """Return the warnings of a game with some blocks."""
    text = PLAIN.replace("{}", blocks)
    return warnings(read(text), Source(text))


def texts(blocks: str) -> list[str]:
    """Return the words of the warnings of a game with some blocks."""
    return [problem.text for problem in found(blocks)]


def test_a_plain_game_has_no_warnings() -> None:
    assert texts("") == []


ACTIONS = [
    ("(set (game sto A) 1)", ["The number A is set, but never read."]),
    ("(inc (game sto A) 1)", ["The number A is set, but never read."]),
    ("(set (game str A) B)", ["The name A is set, but never read."]),
    ("(set (game points A) (((RANK : A) 1)))", ["The point map A is set, but never read."]),
    ("(move (top (game iloc STOCK)) (top (game vloc A)))", []),  # a discard pile
    (
        "(move (top (game iloc STOCK)) (top (game vloc STOCK)))",
        [
            "Cards get into STOCK (vloc), but nothing ever looks at it.",
            "STOCK is a place under iloc and under vloc: these are two places.",
        ],
    ),
    ("(shuffle (game vloc A))", []),
    ("(move (top (game vloc A)) (top (game iloc STOCK)))", ["A (vloc) is looked at, but no card ever gets there."]),
    ("((== (game sto A) 1) (turn pass))", ["The number A is read, but never set."]),
    ("((== (game str A) B) (turn pass))", ["The name A is read, but never set."]),
    (
        "((== (sum (game iloc STOCK) using (game points A)) 1) (turn pass))",
        ["The point map A is read, but never set."],
    ),
    ("(do ((set (game sto A) 1) ((== (game sto A) 1) (turn pass))))", []),
    # a name that is known only in play may be any of its family, and of no other
    ("(do ((set (game sto A) 1) (all (A, B) 'N ((== (game sto 'N) 1) (turn pass)))))", []),
    (
        "(do ((set (game sto A) 1) (all (A, B) 'N ((== ((current player) sto 'N) 1) (turn pass)))))",
        ["The number A is set, but never read."],
    ),
    # what follows a place by a variable
    (
        "(let (game vloc A) 'L (do ((move (top (game iloc STOCK)) (top 'L)) (move (top 'L) (top (game iloc STOCK))))))",
        [],
    ),
    (
        "(let (game vloc A) 'L (move (top (game iloc STOCK)) (top 'L)))",
        [],
    ),
    (
        "(let (game vloc A) 'L (move (top 'L) (top (game iloc STOCK))))",
        ["A (vloc) is looked at, but no card ever gets there."],
    ),
    # two visibilities
    (
        "(do ((move (top (game iloc STOCK)) (top (game vloc A))) (move (top (game vloc A)) (top (game hloc A)))"
        " (move (top (game hloc A)) (top (game iloc STOCK)))))",
        ["A is a place under vloc and under hloc: these are two places."],
    ),
    # variables
    ("(all player 'P (turn pass))", []),  # so many times
    ("(all (range 1 .. 3) 'N (turn pass))", []),
    ("(let 1 'N (turn pass))", ["'N is never used."]),
    ("((any player 'P (== 1 1)) (turn pass))", ["'P is never used."]),
    (
        "(all player 'P (all player 'P (move (top ('P vloc WON)) (top (game iloc STOCK)))))",
        ["'P is the name of a variable around this one, too; inside, it means this one."],
    ),
    (
        "(do ((all player 'P (move (top ('P vloc WON)) (top (game iloc STOCK))))"
        " (all player 'P (move (top ('P vloc WON)) (top (game iloc STOCK))))))",
        [],
    ),
]


@pytest.mark.parametrize(("action", "expected"), ACTIONS, ids=[action for action, _ in ACTIONS])
def test_a_warning_about_places_stores_and_variables_is_given_where_it_is_due(action: str, expected: list[str]) -> None:
    assert sorted(texts(f"(do ({action}))")) == sorted(expected)


def test_a_warning_names_what_may_have_been_meant() -> None:
    near = "(do ((set (game sto PHASE) 1) ((== (game sto PHASSE) 1) (turn pass))))"
    assert {problem.hint for problem in found(near)} == {"Did you mean PHASE?", "Did you mean PHASSE?"}
    [other] = found("(do ((move (top (game hloc STOCK)) (top (game iloc STOCK)))))")
    assert other.hint == "There is STOCK under iloc: that is another one."
    whose = found("(do ((set (game sto A) 1) ((== ((current player) sto A) 1) (turn pass))))")
    assert "There is A of the table (game): that is another one." in {problem.hint for problem in whose}


HINTS = [
    (
        "(do ((move (top (game iloc STOCK)) (top (game vloc A))) (move (top (game vloc A)) (top (game hloc A)))"
        " (move (top (game hloc A)) (top (game iloc STOCK)))))",
        "If one place is meant, give it one word; if two, give them two names.",
    ),
    (
        "(do ((all player 'P (all player 'P (move (top ('P vloc WON)) (top (game iloc STOCK)))))))",
        "Two names would be clearer.",
    ),
    ("(choice (((== (size player) 1) (turn pass))))", "Without an option the match fails. Add a step for that case"),
    ("(stage player (end (== (size player) 3)) (do ((turn pass))))", "So it ends at once, or never."),
    ("(do ((repeat 10001 (turn pass))))", "A match that comes to it breaks off."),
    ("(do ((all (range 1 .. 10001) 'N (turn pass))))", "A match that comes to it breaks off."),
]


@pytest.mark.parametrize(("blocks", "hint"), HINTS, ids=[hint for _, hint in HINTS])
def test_a_warning_says_what_follows_or_what_to_do(blocks: str, hint: str) -> None:
    [problem] = found(blocks)
    assert problem.hint.startswith(hint)


HAND = "((current player) vloc WON)"
ACE = "(== (cardatt RANK 'C) A)"
NO_ACE = "(!= (cardatt RANK 'C) A)"
MOVE = "(move 'D (top (game iloc STOCK)))"
CHOICES = [
    # steps, whether they may all be impossible
    ("(turn pass)", False),
    (f"(any {HAND} 'D {MOVE})", False),
    (f"(any (filter {HAND} 'C {ACE}) 'D {MOVE})", True),
    (f"(any (filter {HAND} 'C {ACE}) 'D {MOVE}) (turn pass)", False),
    ("((== 1 (size player)) (turn pass))", True),
    ("((== (size player) 2) (turn pass)) ((!= (size player) 2) (turn pass))", False),
    ("((> (size player) 2) (turn pass)) ((<= (size player) 2) (turn pass))", False),
    ("((> (size player) 2) (turn pass)) ((< (size player) 2) (turn pass))", True),
    ("((== (size player) 1) (turn pass)) ((== (size player) 2) (turn pass)) ((> (size player) 2) (turn pass))", True),
    ("((<= (size player) 1) (turn pass)) ((== 2 (size player)) (turn pass)) ((> (size player) 2) (turn pass))", False),
    (f"(any (filter {HAND} 'C {ACE}) 'D {MOVE}) ((all {HAND} 'X (!= (cardatt RANK 'X) A)) (turn pass))", False),
    (f"(any (filter {HAND} 'C {ACE}) 'D {MOVE}) ((not (any {HAND} 'C {ACE})) (turn pass))", False),
    (f"(any (filter {HAND} 'C {ACE}) 'D {MOVE}) ((== (size (filter {HAND} 'C {ACE})) 0) (turn pass))", False),
    (f"(any (filter {HAND} 'C {ACE}) 'D {MOVE}) ((any {HAND} 'C {NO_ACE}) (turn pass))", True),
    (
        f"((any {HAND} 'C {ACE}) (any (filter {HAND} 'C {ACE}) 'D {MOVE})) ((all {HAND} 'C (not {ACE})) (turn pass))",
        False,
    ),
    ("((== (size player) (size team)) (turn pass)) ((!= (size team) (size player)) (turn pass))", False),
    ("((< (size player) (size team)) (turn pass)) ((>= (size player) (size team)) (turn pass))", False),
    ("((< (size player) (size team)) (turn pass)) ((<= (size team) (size player)) (turn pass))", False),
    ("((< (size player) (size team)) (turn pass)) ((> (size player) (size team)) (turn pass))", True),
    (
        "((and (== (size player) 1) (== (size team) 1)) (turn pass))"
        " ((or (!= (size player) 1) (not (== (size team) 1))) (turn pass))",
        False,
    ),
    ("(do (((== (size player) 1) (turn pass))))", True),
    ("(do (((== (size player) 1) (turn pass)) (turn pass)))", False),
    ("(let (size player) 'N ((== 'N 1) (turn pass)))", True),
]


@pytest.mark.parametrize(("steps", "may_be_empty"), CHOICES, ids=[steps for steps, _ in CHOICES])
def test_a_choice_whose_steps_can_all_be_impossible_is_warned_of(steps: str, may_be_empty: bool) -> None:
    empty = [text for text in texts(f"(choice ({steps}))") if "choice" in text]
    assert empty == ["This choice may be empty: each of its steps depends on something."] * may_be_empty


STAGES = [
    # end, body, whether the end can change
    ("(== (game sto A) 1)", "(set (game sto B) 1)", False),
    ("(== (game sto A) 1)", "(inc (game sto A) 1)", True),
    ("(== (game sto A) 1)", "(inc ((current player) sto A) 1)", False),
    ("(== (game sto A) 1)", "(all (A, B) 'N (inc (game sto 'N) 1))", True),
    ("(any player 'P (== ('P sto A) 1))", "(inc ((next player) sto A) 1)", True),
    ("(== ((current player) sto A) 1)", "(turn pass)", True),
    ("(== (size (game iloc STOCK)) 0)", "(turn pass)", False),
    ("(== (size (game iloc STOCK)) 0)", "(shuffle (game iloc STOCK))", True),
    ("(== (cardatt RANK (top (game iloc STOCK))) A)", "(roll (top (game iloc STOCK)))", True),
    ("(== (cardatt RANK (max (game iloc STOCK) using (game points P))) A)", "(turn pass)", True),
    ("(== (random 3) 0)", "(turn pass)", True),
    ("(== (size player) 3)", "(turn pass)", False),
    ("(== (score (top (game iloc STOCK)) using (game points A)) 1)", "(set (game points A) (((RANK : A) 1)))", True),
]


@pytest.mark.parametrize(("end", "body", "can_end"), STAGES, ids=[f"{end} {body}" for end, body, _ in STAGES])
def test_a_stage_is_warned_of_whose_end_nothing_in_it_can_change(end: str, body: str, can_end: bool) -> None:
    for blocks in (f"(do ({body}))", f"(stage team (end (== (random 1) 0)) (choice (((== 1 1) (do ({body}))))))"):
        endless = [text for text in texts(f"(stage player (end {end}) {blocks})") if "stage" in text]
        assert endless == ([] if can_end else [f"Nothing in this stage changes what its end depends on: {end}."])


@pytest.mark.parametrize("path", [*LIBRARY, *PATTERNS], ids=lambda path: path.stem)
def test_an_author_who_copies_a_game_finds_no_warnings_in_it(path: Path) -> None:
    text = path.read_text("utf-8")
    assert [problem.text for problem in warnings(read(text), Source(text), labels_of(path))] == []


def test_a_store_that_people_read_at_the_table_need_not_be_read_by_the_rules() -> None:
    text = PLAIN.replace("{}", "(do ((inc (game sto ROUND) 1)))")
    assert [each.text for each in warnings(read(text), Source(text))] == ["The number ROUND is set, but never read."]
    assert warnings(read(text), Source(text), Labels({"ROUND": "Round"})) == []
    said = f";; ROUND: which round it is.\n{text}"
    assert warnings(read(said), Source(said)) == []
    points = PLAIN.replace("{}", "(do ((set (game points ROUND) (((RANK : A) 1)))))")
    assert warnings(read(points), Source(points), Labels({"ROUND": "Round"})), "nobody sees a point map"


def test_all_players_may_count_how_often_something_is_done() -> None:
    assert texts("(do ((all player 'P (shuffle (game iloc STOCK)))))") == []
    assert "'P is never used." in texts("(do ((all (filter player 'Q (== 'Q 'Q)) 'P (shuffle (game iloc STOCK)))))")


def test_an_author_may_say_why_a_choice_is_never_empty() -> None:
    choice = "(choice (((> (size (game iloc STOCK)) 0) (turn pass))))"
    empty = ["This choice may be empty: each of its steps depends on something."]
    assert texts(choice) == empty
    assert texts(f";; Never empty: there always is a card.\n {choice}") == []
    assert texts(f";; Never empty:\n {choice}") == empty
    assert texts(f";; Never empty: that one.\n {choice}\n {choice}") == empty


def test_a_number_beyond_a_limit_is_warned_of_where_it_is_written() -> None:
    ranged = "(do ((all (range 1 .. {}) 'N (set (game sto A) 'N)) ((== (game sto A) 0) (turn pass))))"
    assert texts(ranged.format(10_000)) == []
    assert texts(ranged.format(10_001)) == ["This range has 10,001 numbers, but one may have at most 10,000."]
    assert texts("(do ((repeat 10000 (turn pass))))") == []
    assert texts("(do ((repeat (* 2 5001) (turn pass))))") == [
        "A step may be repeated at most 10,000 times, but this one is 10,002 times."
    ]
