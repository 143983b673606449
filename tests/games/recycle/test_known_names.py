"""A name that cannot be meant is warned of on the name itself, with what may have been meant."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from games.recycle.lint import warnings
from games.recycle.names import names
from games.recycle.problems import Problem, Source
from games.recycle.reader import read
from tests.games.recycle.library import LIBRARY, WORKSHOP

# {0}: a step; {1}: a test
GAME = """(game
 (declare (NORTH, SOUTH) 'SIDES)
 (setup (create players 2 .. 4)
  (create deck (game iloc STOCK)
   (deck (RANK (ACE, KING)) (COLOR (RED (SUIT (HEARTS))) (BLACK (SUIT (CLUBS)))))))
 (do
  ((set (game str LED) NONE)
   (set (game str LED) (cardatt SUIT (top (game iloc STOCK))))
   (set (game str KEPT) (game str LED))
   (set (game str LED) (game str KEPT))
   (set ((current player) str SAYS) FOLD)
   (set (game points WORTH) (((RANK : ACE) 14)))
   {0}))
 (stage player (end {1})
  (choice ((move (top (game iloc STOCK)) (top ((current player) vloc WON))))))
 (scoring max (sum ((current player) vloc WON) using (game points WORTH))))"""
ENDED = "(== (size (game iloc STOCK)) 0)"
TOP = "(top (game iloc STOCK))"


def found(text: str) -> list[Problem]:
    """Return the warnings about names of a text that is marked with « and »."""
    return list(names(read(text.replace("«", "").replace("»", ""))))


def check(text: str, reason: str, hint: str) -> None:
    """Assert that the only warning about names stands between the marks, and what it says."""
    start, end = text.index("«"), text.index("»") - 1
    [problem] = found(text)
    assert (problem.at.start, problem.at.end) == (start, end)
    assert (problem.text, problem.hint) == (reason, hint)


TESTS = [
    # attributes
    (f"(== (cardatt «SIUT» {TOP}) HEARTS)", "No card has the attribute SIUT.", "Did you mean SUIT?"),
    (
        f"(== (cardatt «WEIGHT» {TOP}) HEARTS)",
        "No card has the attribute WEIGHT.",
        "The attributes of the cards are RANK, COLOR and SUIT.",
    ),
    (f"(== (cardatt «HEARTS» {TOP}) HEARTS)", "No card has the attribute HEARTS.", "HEARTS is a value of SUIT."),
    (
        "(any (partition «SIUT» (game iloc STOCK)) 'G (> (size 'G) 1))",
        "No card has the attribute SIUT.",
        "Did you mean SUIT?",
    ),
    # values of an attribute
    (
        f"(== (cardatt SUIT {TOP}) «HARTS»)",
        "This is never true: no card has the SUIT HARTS.",
        "Did you mean HEARTS?",
    ),
    (
        f"(!= «ACE» (cardatt SUIT {TOP}))",
        "This is always true: no card has the SUIT ACE.",
        "ACE is a value of RANK.",
    ),
    (
        f"(== (cardatt SUIT {TOP}) «TRUMP»)",
        "This is never true: no card has the SUIT TRUMP.",
        "The values of SUIT are HEARTS and CLUBS.",
    ),
    (
        f"(any (RANK, SUIT) 'KEY (== (cardatt 'KEY {TOP}) «RED»))",
        "This is never true: no card has the RANK or SUIT RED.",
        "RED is a value of COLOR.",
    ),
    (
        f"(any (filter (game iloc STOCK) 'SUITED (== (cardatt SUIT 'SUITED) «SUITED»)) 'C (== 'C {TOP}))",
        "This is never true: no card has the SUIT SUITED.",
        "Did you mean the variable 'SUITED? Its apostrophe is missing.",
    ),
    # stores of names
    ("(== (game str LED) «NNONE»)", "This is never true: LED is never set to NNONE.", "Did you mean NONE?"),
    (
        "(== «FOLD» (game str KEPT))",
        "This is never true: KEPT is never set to FOLD.",
        "KEPT is set to HEARTS, CLUBS and NONE.",
    ),
    (
        "(all player 'P (!= ('P str SAYS) «FLOD»))",
        "This is always true: SAYS is never set to FLOD.",
        "Did you mean FOLD?",
    ),
    # names of a list
    (
        "(any 'SIDES 'SIDE (== 'SIDE «NOTRH»))",
        "This is never true: NOTRH is none of these names.",
        "Did you mean NORTH?",
    ),
    (
        "(any (filter 'SIDES 'SIDE (!= 'SIDE NORTH)) 'SIDE (== 'SIDE «EAST»))",
        "This is never true: EAST is none of these names.",
        "They are NORTH and SOUTH.",
    ),
    # players
    (
        "(== (current player) («4» player))",
        "There is no player with the number 4: the numbers are 0 to 3.",
        "In a text, players are counted from 0: (0 player) is player 1 at the table.",
    ),
    (
        "(== ((«4» team) sto X) 1)",
        "There is no team with the number 4: the numbers are 0 to 3.",
        "In a text, teams are counted from 0: (0 team) is team 1 at the table.",
    ),
]


@pytest.mark.parametrize(("test", "reason", "hint"), TESTS, ids=[test for test, _, _ in TESTS])
def test_a_test_with_a_name_that_cannot_be_is_warned_of_at_the_name(test: str, reason: str, hint: str) -> None:
    check(GAME.replace("{0}", "").replace("{1}", f"(or {ENDED} {test})"), reason, hint)


AWARDS = [
    ("((RANK : «ACES») 14)", "This award fits no card: none has the RANK ACES.", "Did you mean ACE?"),
    ("((RANK : ACE) (SUIT : «RED») 14)", "This award fits no card: none has the SUIT RED.", "RED is a value of COLOR."),
    ("((«RNAK» : ACE) 14)", "No card has the attribute RNAK.", "Did you mean RANK?"),
]


@pytest.mark.parametrize(("award", "reason", "hint"), AWARDS)
def test_an_award_that_fits_no_card_is_warned_of_at_the_name(award: str, reason: str, hint: str) -> None:
    check(GAME.replace("{0}", f"(set (game points WORTH) ({award}))").replace("{1}", ENDED), reason, hint)


FINE = [
    "(== (game str LED) NONE)",
    "(== (game str LED) HEARTS)",
    "(== (game str KEPT) CLUBS)",
    "(== (game str UNSET) ANYTHING)",  # that it is never set is another warning
    f"(== (cardatt COLOR {TOP}) RED)",
    f"(any (RANK, NOKEY) 'KEY (== (cardatt 'KEY {TOP}) ACE))",
    "(== (cardatt SUIT (bottom (game iloc STOCK))) (game str LED))",
    "(== (current player) (3 player))",
    "(== FOLD FOLD)",
]


@pytest.mark.parametrize("test", FINE)
def test_a_name_that_can_be_is_not_warned_of(test: str) -> None:
    assert found(GAME.replace("{0}", "").replace("{1}", f"(or {ENDED} {test})")) == []


def test_of_an_unknown_name_nothing_else_is_said() -> None:
    text = GAME.replace("{0}", "").replace("{1}", ENDED)
    won = "((current player) vloc WON)"
    filtered = f"(any (filter {won} 'C (== (cardatt {{}} 'C) HEARTS)) 'D (move 'D (top (game iloc STOCK))))"
    rest = f"((not (any {won} 'C (== (cardatt SUIT 'C) HEARTS))) (turn pass))"
    block = f"(stage player (end {ENDED}) (choice ({filtered} {rest})))"
    for key, expected in (("SUIT", []), ("SIUT", ["No card has the attribute SIUT."])):
        more = text.replace("(scoring", f"{block.format(key)} (scoring")
        said = [problem.text for problem in warnings(read(more), Source(more))]
        assert [text for text in said if not text.endswith(("is never used.", "never read."))] == expected


TEXTS = [*LIBRARY, *WORKSHOP.glob("*/*.rcy")]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_no_text_of_the_site_has_an_unknown_name(path: Path) -> None:
    assert list(names(read(path.read_text(encoding="utf-8")))) == []


FAMILIES = [
    # what is written in one place under one name, and read in another under another
    ("(set (game sto «TOTAL») 1)", "(== (game sto «TOTLA») 1)"),
    ("(set ((current player) str «PHASE») BID)", "(all player 'P (== ('P str «PHASES») BID))"),
    ("(set (game points «HEIGHT») (((RANK : ACE) 1)))", f"(> (score {TOP} using (game points «HIEGHT»)) 0)"),
    (f"(move {TOP} (top (game vloc «PILE»)))", "(> (size (game vloc «PLIE»)) 0)"),
    (f"(remember {TOP} (top (game mem «NOTED»)))", "(> (size (game mem «NOTDE»)) 0)"),
    ("(set ((team (current player)) sto «TOTAL») 1)", "(any team 'T (== ('T sto «TOTLA») 1))"),
]


@pytest.mark.parametrize(("step", "test"), FAMILIES)
def test_a_place_store_or_memory_that_is_written_under_another_name_is_warned_of_at_both(step: str, test: str) -> None:
    text = GAME.replace("{0}", step).replace("{1}", f"(or {ENDED} {test})")
    marked = [part.partition("»")[0] for part in text.split("«")[1:]]
    plain = text.replace("«", "").replace("»", "")
    said = {plain[one.at.start : one.at.end]: one.hint for one in warnings(read(plain), Source(plain))}
    assert [said.get(name) for name in marked] == [f"Did you mean {name}?" for name in reversed(marked)]


def test_stores_that_are_set_to_each_other_are_followed() -> None:
    letters = [chr(65 + number // 26) + chr(65 + number % 26) for number in range(200)]
    chain = " ".join(f"(set (game str {one}) (game str {other}))" for one, other in pairwise(letters))
    text = GAME.replace("{0}", chain).replace("{1}", f"(or {ENDED} (== (game str AA) SOMETHING))")
    assert found(text) == [], "nothing is ever put into that chain"
    short = GAME.replace("{0}", "(set (game str A) (game str B)) (set (game str B) TWO)")
    [problem] = found(short.replace("{1}", f"(or {ENDED} (== (game str A) THREE))"))
    assert problem.text == "This is never true: A is never set to THREE."


SLIPS = [
    (
        f"((any «(HEARTS, CLBUS)» 'S (== (cardatt SUIT {TOP}) 'S)) (turn pass))",
        "CLBUS is compared with values of cards, but no card has it.",
        "Did you mean CLUBS?",
    ),
    (
        "(all «(ACE, KIGN)» 'R (set (game points P) (((RANK : 'R) 2))))",
        "KIGN is compared with values of cards, but no card has it.",
        "Did you mean KING?",
    ),
    (
        f"(do ((set (game str ASKED) «CLUBBS») ((== (cardatt SUIT {TOP}) (game str ASKED)) (turn pass))))",
        "ASKED is compared with values of cards, but no card has CLUBBS.",
        "Did you mean CLUBS?",
    ),
]


@pytest.mark.parametrize(("step", "reason", "hint"), SLIPS, ids=[step for step, _, _ in SLIPS])
def test_a_name_of_a_list_or_a_store_that_fits_no_card_is_warned_of(step: str, reason: str, hint: str) -> None:
    check(GAME.replace("{0}", step).replace("{1}", ENDED), reason, hint)


def test_a_name_that_has_another_use_is_not_warned_of() -> None:
    for step in (
        f"(all (HEARTS, NOTRUMP) 'S ((== (cardatt SUIT {TOP}) 'S) (set (game str TRUMP) 'S)))",
        f"(do ((set (game str ASKED) NONE) ((== (cardatt SUIT {TOP}) (game str ASKED)) (turn pass))))",
    ):
        assert found(GAME.replace("{0}", step).replace("{1}", ENDED)) == []


def test_a_value_that_stands_twice_and_players_without_a_team_or_a_seat_are_warned_of() -> None:
    plain = GAME.replace("{0}", "(turn pass)").replace("{1}", ENDED)
    [twice] = found(plain.replace("(ACE, KING)", "(ACE, KING, ACE)"))
    assert twice.text == "ACE occurs twice among these values of RANK."
    assert twice.hint == "Each such card is there twice. If that is meant: (repeat 2 (create deck ...))."
    players = "(create players 2 .. 4)"
    [left] = found(plain.replace(players, "(create players 4) (create teams (0, 2))"))
    assert left.text == "There are teams, but players 1 and 3 are in none."
    [other] = found(plain.replace(players, "(create players 1)").replace("(turn pass)", "(cycle next (1 player))"))
    assert other.text == "There is no player with the number 1: the only number is 0."
    [left] = found(plain.replace(players, "(create players 3) (create teams (0, 2))"))
    assert (left.text, left.hint) == (
        "There are teams, but player 1 is in none.",
        "In a text, players are counted from 0.",
    )
    assert found(plain.replace(players, "(create players 4) (create teams (0, 2) (1, 3))")) == []
