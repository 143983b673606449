"""The exact wording of a text says all of it: read back by a second reader, it is the tree again."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from games.core.game import EXACT_WORDING
from games.recycle.explain import LONGEST_PAGE, LONGEST_WITH_WORDING, exact_wording
from games.recycle.explaining.exact import exact, names_in_words
from games.recycle.game import RecycleGame
from games.recycle.labels import Labels
from games.recycle.problems import BadText
from games.recycle.provider import FOLDER
from games.recycle.reader import read
from games.recycle.tree import GameNode
from tests.games.recycle import generate, texts
from tests.games.recycle.exact_reader import Form, NotRead, normal, read_back
from tests.games.recycle.library import LIBRARY, STRANGERS, labels_of
from tests.games.recycle.trees import game
from tests.tiers import examples, full, sampled


def assert_comes_back(tree: GameNode, labels: Labels) -> None:
    words = names_in_words(tree, labels)
    names = {label: name for name, label in words.items()}
    assert len(names) == len(words), "two names are called the same"
    lines = exact(tree, labels)
    try:
        found = read_back(lines, names)
    except NotRead as unclear:
        raise AssertionError(f"{unclear}\n" + "\n".join(lines)) from unclear
    for said, wanted in zip(found, normal(tree), strict=True):
        assert said == wanted, first_difference(said, wanted)


def first_difference(said: Form, wanted: Form) -> str:
    """Return the smallest parts of two forms that differ."""
    if isinstance(said, tuple) and isinstance(wanted, tuple) and len(said) == len(wanted):
        return next(first_difference(one, other) for one, other in zip(said, wanted, strict=True) if one != other)
    return f"says {said}\nbut is {wanted}"


@pytest.mark.parametrize("path", sampled(LIBRARY, 3, lambda path: path.stem))
def test_every_statement_of_a_text_of_the_library_comes_back(path: Path) -> None:
    labels, tree = labels_of(path), read(path.read_text(encoding="utf-8"))
    assert_comes_back(tree, labels)
    said = exact_wording(tree, labels, LONGEST_WITH_WORDING - LONGEST_PAGE)
    assert said.startswith(f"## {EXACT_WORDING}\n")
    assert "…" not in said, "the section is shown as a whole"


@pytest.mark.parametrize("path", STRANGERS, ids=lambda path: path.stem)
def test_every_statement_of_a_text_that_nobody_has_tuned_anything_for_comes_back(path: Path) -> None:
    assert_comes_back(read(path.read_text(encoding="utf-8")), Labels())


@examples(20)
@given(generate.texts())
def test_every_statement_of_a_text_that_can_be_played_comes_back(text: str) -> None:
    assert_comes_back(read(text), Labels())


@full
@examples(25)
@given(texts.games())
def test_every_statement_of_any_text_comes_back(text: str) -> None:
    try:
        tree = read(text)
    except BadText:
        return
    assert_comes_back(tree, Labels())


# A text and one that differs from it in one place: what each says differs, too.
CHANGES = {
    "a condition": ("((== (game sto A) 1) (turn pass))", "((!= (game sto A) 1) (turn pass))"),
    "the scope of a condition": (
        "((== (game sto A) 1) (do ((inc (game sto B) 1) (turn pass))))",
        "(do (((== (game sto A) 1) (inc (game sto B) 1)) (turn pass)))",
    ),
    "the scope of a test": (
        "((and (any player 'P (== ('P sto A) 1)) (== (game sto B) 2)) (turn pass))",
        "((any player 'P (and (== ('P sto A) 1) (== (game sto B) 2))) (turn pass))",
    ),
    "a number": ("(inc (game sto A) (- 3 (- 2 1)))", "(inc (game sto A) (- (- 3 2) 1))"),
    "who sees a place": ("(shuffle (game hloc A))", "(shuffle (game iloc A))"),
    "groups that are bound": (
        "(let (partition SUIT (game vloc A)) 'G (set (game sto N) (size 'G)))",
        "(let (partition RANK (game vloc A)) 'G (set (game sto N) (size 'G)))",
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_differs_is_said_otherwise(what: str) -> None:
    one, other = (exact(game(f"(do ({step}))"), Labels()) for step in CHANGES[what])
    assert one != other


SAID = {
    "((== (game sto A) 1) (do ((inc (game sto B) 1) (turn pass))))": (
        "1. If the number *A* is 1:",
        "    1. Add 1 to the number *B*.",
        "    2. Pass.",
    ),
    "(let (partition SUIT (game vloc ROW)) 'MATCHES (set (game sto N) (size 'MATCHES)))": (
        "1. Let **matches** be the groups of cards with one *Suit* in the open *Row*: "
        "set the number *N* to the number of groups in **matches**.",
    ),
    "(all (filter player 'P (> ('P sto A) 2)) 'Q (dec ('Q sto A) (* 2 (+ 1 (game sto B)))))": (
        "1. For each player **q** of (each player **p** for which the number *A* of **p** is more than 2): "
        "take (2 \N{MULTIPLICATION SIGN} (1 + the number *B*)) from the number *A* of **q**.",
    ),
}


@pytest.mark.parametrize("step", SAID)
def test_a_step_is_said_in_these_words(step: str) -> None:
    lines = exact(game(f"(do ({step}))"), Labels())
    start = lines.index("### What is done") + 2
    assert tuple(lines[start : start + len(SAID[step])]) == SAID[step]


def test_names_with_one_label_or_with_a_label_like_a_sentence_are_called_as_the_text_has_them() -> None:
    labels = Labels.read('[labels]\nA = "One"\nB = "One"\nC = "x) and (y"\nN = "Points"\nRANK = "N"')
    tree = game("(do ((set (game sto A) 1) (set (game sto B) 2) (set (game sto C) 3) (set (game sto N) 4)))")
    assert {name: names_in_words(tree, labels)[name] for name in ("A", "B", "C", "N", "RANK")} == {
        "A": "A", "B": "B", "C": "C", "N": "Points", "RANK": "RANK",
    }  # fmt: skip
    assert_comes_back(tree, labels)


def test_a_declared_number_is_said_where_it_counts() -> None:
    setup = "(setup (create players 'NUMP) (create deck (game hloc S) (deck (RANK (A)))))"
    lines = exact(read(f"(game (declare 4 'NUMP) {setup} (do ((inc (game sto N) 'NUMP))) (scoring max 0))"), Labels())
    assert "1. The players number 4." in lines
    assert "1. Add 4 to the number *N*." in lines


def test_a_page_ends_with_the_exact_wording_in_every_language() -> None:
    made = RecycleGame("whist", (FOLDER / "whist.rcy").read_text(encoding="utf-8"))
    for language in ("en", "nl"):
        assert made.rules_page(language).count(f"\n## {EXACT_WORDING}\n") == 1
        assert len(made.rules_page(language)) <= LONGEST_WITH_WORDING


def test_a_very_long_text_has_a_page_of_bounded_length() -> None:
    steps = " ".join("(inc (game sto N) 1)" for _ in range(1_500))
    setup = "(setup (create players 2) (create deck (game hloc S) (deck (RANK (A)))))"
    made = RecycleGame("long", f"(game {setup} (do ({steps})) (scoring max 0))")
    assert LONGEST_WITH_WORDING / 2 < len(made.rules_page()) <= LONGEST_WITH_WORDING
