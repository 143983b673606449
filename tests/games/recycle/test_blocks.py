"""Named blocks: a call means what it stands for, wherever it stands; and what is wrong with one is reported once."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core import FastChance
from games.core.moves import RulesFailed
from games.recycle.game import RecycleGame
from games.recycle.lint import warnings
from games.recycle.problems import BadText, Source
from games.recycle.reader import blocks, read
from games.recycle.reader.syntax import Atom, Form, Item, forms, parse
from games.recycle.style import format_text
from games.recycle.tree import ForEach, walk
from tests.games.recycle.generate import texts
from tests.games.recycle.trees import SCORING, SETUP, bare
from tests.tiers import examples

BINDERS = ("any", "all", "filter", "let")


def nameless(tree: object) -> object:
    """Return a tree as nested tuples, without the names of variables: a block may have to call its own otherwise."""
    return bare(tree, named=False)


def text_of(*definitions: str, blocks: str, declares: str = "") -> str:
    return f"(game {declares} {' '.join(definitions)} {SETUP} {blocks} {SCORING})"


def errors(text: str) -> list[tuple[str, str, str]]:
    """Return what is wrong with a text: where, what, and the hint."""
    with pytest.raises(BadText) as found:
        read(text)
    return [(text[one.at.start : one.at.end], one.text, one.hint) for one in found.value.problems]


# What is defined, what is called, and the same without.
SAME = {
    "a step": (
        "(define DRAW ('P 'N) (repeat 'N (move (top (game iloc STOCK)) (top ('P iloc HAND)))))",
        "(do ((all player 'Q (call DRAW 'Q 2))))",
        "(do ((all player 'Q (repeat 2 (move (top (game iloc STOCK)) (top ('Q iloc HAND)))))))",
    ),
    "several steps": (
        "(define RESET ('A 'B) (set (game sto 'A) 0) (set (game sto 'B) 0))",
        "(do ((turn pass) (call RESET ONE TWO)))",
        "(do ((turn pass) (set (game sto ONE) 0) (set (game sto TWO) 0)))",
    ),
    "options of a choice": (
        "(define WAYS () (turn pass) (inc (game sto N) 1))",
        "(choice ((call WAYS)))",
        "(choice ((turn pass) (inc (game sto N) 1)))",
    ),
    "blocks, with a stage": (
        "(define ROUND ('END) (do ((inc (game sto N) 1))) (stage player (end 'END) (choice ((turn pass)))))",
        "(call ROUND (> (game sto N) 3))",
        "(do ((inc (game sto N) 1))) (stage player (end (> (game sto N) 3)) (choice ((turn pass))))",
    ),
    "a test": (
        "(define RICH ('WHO) (> ('WHO sto COINS) 9))",
        "(do (((call RICH (current player)) (turn pass))))",
        "(do (((> ((current player) sto COINS) 9) (turn pass))))",
    ),
    "a number": (
        "(define VALUE ('CARDS) (* 2 (sum 'CARDS using (game points WORTH))))",
        "(do ((set (game sto N) (call VALUE (game vloc ROW)))))",
        "(do ((set (game sto N) (* 2 (sum (game vloc ROW) using (game points WORTH))))))",
    ),
    "a player": (
        "(define OPPOSITE ('N) ((+ 'N 2) player))",
        "(do ((cycle next (call OPPOSITE 1))))",
        "(do ((cycle next ((+ 1 2) player))))",
    ),
    "a place": (
        "(define MINE ('NAME) ((current player) iloc 'NAME))",
        "(do ((shuffle (call MINE HAND)) (move (top (call MINE HAND)) (top (call MINE OTHER)))))",
        "(do ((shuffle ((current player) iloc HAND)) (move (top ((current player) iloc HAND))"
        " (top ((current player) iloc OTHER)))))",
    ),
    "awards": (
        "(define RANKS ('MORE) ((RANK : A) (+ 1 'MORE)) ((RANK : TWO) 2))",
        "(do ((set (game points P) (((SUIT : H) 9) (call RANKS 3)))))",
        "(do ((set (game points P) (((SUIT : H) 9) ((RANK : A) (+ 1 3)) ((RANK : TWO) 2)))))",
    ),
    "a word of the language": (
        "(define SHOW ('VIS 'END) (move (top (game iloc STOCK)) ('END ((current player) 'VIS SHOWN))))",
        "(do ((call SHOW hloc bottom)))",
        "(do ((move (top (game iloc STOCK)) (bottom ((current player) hloc SHOWN)))))",
    ),
    "a name where a name is wanted": (
        "(define IS ('KEY 'VALUE 'C) (== (cardatt 'KEY 'C) 'VALUE))",
        "(do (((call IS RANK A (top (game vloc ROW))) (turn pass))))",
        "(do (((== (cardatt RANK (top (game vloc ROW))) A) (turn pass))))",
    ),
    "a block in another one": (
        "(define ONE ('N) (inc (game sto N) 'N)) (define TWO ('N) (call ONE 'N) (call ONE (* 2 'N)))",
        "(do ((call TWO 3)))",
        "(do ((inc (game sto N) 3) (inc (game sto N) (* 2 3))))",
    ),
    "a variable that the block binds for its argument": (
        "(define EACH ('X 'STEP) (all player 'X 'STEP))",
        "(do ((call EACH 'Q (set ('Q sto N) 1))))",
        "(do ((all player 'Q (set ('Q sto N) 1))))",
    ),
    "what is declared": (
        "(declare (NORTH, SOUTH) 'SIDES) (define SIDE ('X 'STEP) (all 'SIDES 'X 'STEP))",
        "(do ((call SIDE 'S (inc (game sto 'S) 1))))",
        "(declare (NORTH, SOUTH) 'SIDES) (do ((all 'SIDES 'S (inc (game sto 'S) 1))))",
    ),
}


@pytest.mark.parametrize("what", SAME)
def test_a_call_reads_as_what_it_stands_for(what: str) -> None:
    defined, called, same = SAME[what]
    declares = "(declare (NORTH, SOUTH) 'SIDES)" if "declare" in same else ""
    plain = text_of(blocks=same.removeprefix(declares), declares=declares)
    assert bare(read(text_of(defined, blocks=called))) == bare(read(plain))


def test_decks_of_a_setup_can_be_called() -> None:
    setup = "(setup (create players 2) (create deck (game iloc STOCK) (deck {})))"
    suits = "(SUIT (H, S)) (RANK (A, K))"
    defined = f"(game (define FRENCH () {suits}) {setup.format('(call FRENCH)')} (do ((turn pass))) {SCORING})"
    assert bare(read(defined)) == bare(read(f"(game {setup.format(suits)} (do ((turn pass))) {SCORING})"))


# -- variables do not mix


def test_a_variable_of_a_block_does_not_catch_one_that_is_given_to_it() -> None:
    defined = "(define ADD ('N) (all player 'P (inc ('P sto SUM) 'N)))"
    tree = read(text_of(defined, blocks="(do ((all player 'P (call ADD ('P sto COINS)))))"))
    plain = read(text_of(blocks="(do ((all player 'P (all player 'Q (inc ('Q sto SUM) ('P sto COINS))))))"))
    assert nameless(tree) == nameless(plain)
    names = [node.var.name for node in walk(tree.blocks) if isinstance(node, ForEach)]
    assert names == ["P", "PB"], "nor are they called the same in what is written of the text"


def test_a_variable_that_is_given_twice_is_bound_in_one_of_the_places_only() -> None:
    defined = "(define BOTH ('X 'STEP) (all player 'X 'STEP) (let 1 'Y (all team 'X 'STEP)))"
    tree = read(text_of(defined, blocks="(do ((call BOTH 'Y (inc ('Y sto N) 1))))"))
    plain = "(do ((all player 'Y (inc ('Y sto N) 1)) (let 1 'Z (all team 'Y (inc ('Y sto N) 1)))))"
    assert nameless(tree) == nameless(read(text_of(blocks=plain)))


@pytest.mark.parametrize(
    ("defined", "called"),
    [
        ("(define SUM () (inc (game sto N) 'N))", "(let 1 'N (call SUM))"),
        ("(define SUM () (inc (game sto N) 'N))", "(call SUM)"),
        ("(define LATE () (all player 'N (turn pass)) (inc (game sto N) 'N))", "(call LATE)"),
    ],
)
def test_a_block_does_not_know_the_variables_around_its_call(defined: str, called: str) -> None:
    hint = "A block knows its parameters, the variables that it binds itself, and what is declared."
    assert errors(text_of(defined, blocks=f"(do ({called}))")) == [("'N", "There is no variable 'N here.", hint)]


def test_a_block_may_bind_a_variable_that_is_declared() -> None:
    defined = "(define SUM ('N) (let 'N 'D (inc (game sto N) 'D)) (inc (game sto N) 'D))"
    tree = read(text_of(defined, blocks="(do ((call SUM 2)))", declares="(declare 7 'D)"))
    plain = "(do ((let 2 'D (inc (game sto N) 'D)) (inc (game sto N) 7)))"
    assert nameless(tree.blocks) == nameless(read(text_of(blocks=plain)).blocks)


# -- any part of any text can be made a block


def variables(item: Item, bound: frozenset[str] = frozenset()) -> Iterator[tuple[Atom, bool]]:
    """Yield each use of a variable in an item, and whether it is bound in that item."""
    if isinstance(item, Atom):
        if item.kind == "VAR":
            yield item, item.text in bound
        return
    binds = item.head in BINDERS and len(item.items) == 4
    for place, part in enumerate(item.items):
        if binds and place == 2:
            continue
        new = frozenset((item.items[2].text,)) if binds and place == 3 else frozenset[str]()  # type: ignore[union-attr]
        yield from variables(part, bound | new)


def abstracted(text: str, pick: random.Random) -> str:
    """Return a text with one of its forms as a named block: some of its parts, and all free variables, are given."""
    game, _ = parse(text)
    inside = [form for item in game.items[1:] if isinstance(item, Form) and item.head not in ("declare", "setup")
              for form in forms(item)]  # fmt: skip
    whole = pick.choice([form for form in inside if not form.head.startswith(("scoring", "end"))])
    bound = {form.items[2].text for form in forms(whole) if form.head in BINDERS and len(form.items) == 4}  # type: ignore[union-attr]
    given: list[Item] = []
    for form in forms(whole):
        names = {atom.text for atom, _ in variables(form)}
        apart = all(form.at.end <= one.at.start or one.at.end <= form.at.start for one in given)
        if form is not whole and not names & bound and apart and form.items and pick.random() < 0.3:
            given.append(form)
    given += [atom for atom, within in variables(whole) if not within
              and not any(one.at.start <= atom.at.start < one.at.end for one in given)]  # fmt: skip
    given.sort(key=lambda one: one.at.start)
    body, last, parameters = "", whole.at.start, []
    for number, one in enumerate(given):
        letters = "".join("ABCDEFGHIJ"[int(digit)] for digit in str(number))  # a name has no digits
        parameters.append(f"'GIVEN{letters}")
        body += text[last : one.at.start] + parameters[-1]
        last = one.at.end
    body += text[last : whole.at.end]
    arguments = " ".join(text[one.at.start : one.at.end] for one in given)
    setup = next(item.at.start for item in game.items if isinstance(item, Form) and item.head == "setup")
    called = f"{text[: whole.at.start]}(call MADE {arguments}){text[whole.at.end :]}"
    return f"{called[:setup]}(define MADE ({' '.join(parameters)}) {body}) {called[setup:]}"


@examples(15)
@given(text=texts(), seed=st.integers(0, 1 << 16))
def test_a_part_of_a_text_that_is_made_a_block_reads_the_same(text: str, seed: int) -> None:
    made = abstracted(text, random.Random(seed))
    assert nameless(read(made)) == nameless(read(text)), made


# -- what is wrong

ADD = "(define ADD ('N) (inc (game sto N) 'N))"
WRONG = [
    ("(define)", "(define)", "Expected the name of the block after define."),
    ("(define 'X () (turn pass))", "'X", "Expected the name of the block after define."),
    ("(define MOVE)", "(define MOVE)", "Expected the parameters of the block here, in brackets."),
    ("(define MOVE (turn pass))", "(turn pass)", "Expected the parameters of the block here, in brackets."),
    ("(define MOVE (A) (turn pass))", "(A)", "Expected the parameters of the block here, in brackets."),
    ("(define MOVE ('A 'A) 'A)", "('A 'A)", "Two parameters have one name here."),
    ("(define MOVE ('A))", "(define MOVE ('A))", "There is nothing in the block MOVE."),
    (f"{ADD} {ADD}", "ADD", "There is a block ADD already."),
    ("(define MOVE () (define IN () (turn pass)))", "define", "define is not allowed here."),
    ("(call)", "(call)", "Expected the name of a block after call."),
    ("(call 'X)", "'X", "Expected the name of a block after call."),
    ("(call AD 1)", "AD", "There is no block AD here."),
    ("(call ADD)", "(call ADD)", "ADD takes 1 part, but none was found."),
    ("(call ADD 1 2)", "2", "ADD takes 1 part, but 2 were found."),
    ("(call ADD HEARTS)", "HEARTS", "Expected a number here, but HEARTS is a name."),
    ("(call ADD (call ADD 1))", "inc", "Expected a value here, but inc is an action."),
]


@pytest.mark.parametrize(("written", "at", "text"), WRONG)
def test_what_is_wrong_with_a_block_is_said_once_and_at_its_place(written: str, at: str, text: str) -> None:
    definitions, step = (written, "(turn pass)") if "define" in written else ("", written)
    found = errors(text_of(ADD * ("ADD" not in definitions), definitions, blocks=f"(do ({step} (call ADD 1)))"))
    assert [one[:2] for one in found] == [(at, text)]


def test_a_hint_says_how_a_block_is_defined_and_called() -> None:
    none = "(do ((turn pass)))"
    hints = {written: errors(text_of(written, blocks=none))[0][2] for written in ("(define MOVE)", f"{ADD} {ADD}")}
    assert hints == {
        "(define MOVE)": "Write (define MOVE ('X 'Y) ...), or without parameters (define NAME () ...).",
        f"{ADD} {ADD}": "Give each its own name.",
    }
    (found,) = errors(text_of("(define MOVE ('CARD 'PLACE) (turn pass))", blocks="(do ((call MOVE 1)))"))
    assert found[1:] == ("MOVE takes 2 parts, but 1 was found.", "Write (call MOVE CARD PLACE).")


def test_a_name_that_is_nearly_one_of_a_block_is_meant() -> None:
    hints = {name: errors(text_of(ADD, blocks=f"(do ((call {name} 1)))"))[0][2] for name in ("ADDX", "DEALS", "XYZ")}
    assert hints == {
        "ADDX": "Did you mean ADD?",
        "DEALS": "Did you mean DEAL?",
        "XYZ": "Define blocks before the setup: (define NAME ('X) ...).",
    }


def test_a_block_cannot_call_itself_or_one_below_it() -> None:
    hint = "It is defined below: a block can only call those that are defined above it."
    below = "(define FIRST () (call LAST)) (define LAST () (turn pass))"
    assert errors(text_of(below, blocks="(do ((call FIRST)))")) == [("LAST", "There is no block LAST here.", hint)]
    itself = "(define AGAIN () (call AGAIN))"
    assert errors(text_of(itself, blocks="(do ((call AGAIN)))")) == [("AGAIN", "There is no block AGAIN here.", hint)]


def test_an_error_in_a_block_that_is_called_twice_is_said_once() -> None:
    defined = "(define BAD ('N) (inc (game sto N) (size 'N)))"
    found = errors(text_of(defined, blocks="(do ((call BAD 1) (call BAD 2)))"))
    assert [one[0] for one in found] == ["1", "2"], "the arguments are two"
    found = errors(text_of("(define BAD () (inc (game sto N) (size 1)))", blocks="(do ((call BAD) (call BAD)))"))
    assert [one[0] for one in found] == ["1"]


def test_a_definition_behind_the_setup_is_refused() -> None:
    hint = "Define blocks directly in the game, before the setup."
    assert errors(text_of(blocks=ADD)) == [("define", "define is not allowed here.", hint)]


def test_what_calls_stand_for_is_bounded() -> None:
    doubled = ["(define A () (turn pass) (turn pass))"]
    doubled += [f"(define {name} () (call {before}) (call {before}))" for before, name in pairwise("ABCDEFGHIJKLMNO")]
    (found,) = errors(text_of(*doubled, blocks="(do ((call O)))"))
    most = f"{blocks.MOST_WRITTEN_OUT:,}"
    assert found[1:] == (
        f"The calls of this text stand for more than {most} parts.",
        "Call fewer blocks, or smaller ones.",
    )
    deep = ["(define A ('N) (+ 1 'N))"]
    deep += [f"(define {name} ('N) (call {before} (call {before} 'N)))" for before, name in pairwise("ABCDEFGH")]
    (found,) = errors(text_of(*deep, blocks="(do ((set (game sto N) (call H 1))))"))
    assert found[1:] == ("With this call written out, brackets lie more than 100 deep.", "Nest fewer calls of blocks.")
    body, around = ("(+ 1 " * 60 + one + ")" * 60 for one in ("1", "(call A)"))
    (found,) = errors(text_of(f"(define A () {body})", blocks=f"(do ((set (game sto N) {around})))"))
    assert found[1:] == (
        "With its calls written out, brackets lie more than 100 deep here.",
        "Nest fewer calls of blocks.",
    )


# -- warnings, layout, versions


def warned(text: str) -> list[str]:
    return [problem.text for problem in warnings(read(text), Source(text)) if "indentation" not in problem.text]


def test_a_block_that_is_never_called_and_a_parameter_that_is_never_used_are_warned_of() -> None:
    idle = text_of("(define IDLE ('N 'M) (turn pass) 'M)", blocks="(do ((turn pass)))")
    assert warned(idle) == ["The block IDLE is never called.", "'N is never used."]
    assert warnings(read(idle), Source(idle))[0].hint == "What is in it is checked only where it is called."
    assert warned(text_of("(define IDLE ('M) 'M)", blocks="(do ((call IDLE (turn pass))))")) == []


def test_a_warning_in_a_block_that_is_called_twice_is_given_once() -> None:
    defined = "(define LOOP () ((any player 'P (== 1 1)) (turn pass)))"
    assert warned(text_of(defined, blocks="(do ((call LOOP) (call LOOP)))")) == ["'P is never used."]


def test_definitions_are_laid_out_with_their_parts_on_lines_of_their_own() -> None:
    laid_out = """\
(game
  (define RANKS ()
    ((RANK : A) 1) ((RANK : K) 2))
  (define ADD ('N)
    (inc (game sto N) 'N))
"""
    text = "(game (define RANKS () ((RANK : A) 1) ((RANK : K) 2)) (define ADD ('N) (inc (game sto N) 'N)) (setup))"
    assert format_text(text).startswith(laid_out)
    assert format_text(format_text(text)) == format_text(text)


def test_a_text_has_another_version_if_a_block_that_it_calls_has(monkeypatch: pytest.MonkeyPatch) -> None:
    called, plain = (
        text_of(blocks=f"(do ({step}))") for step in ("(call DEAL 1 (game iloc STOCK) HAND)", "(turn pass)")
    )
    own = text_of("(define DEAL ('A 'B 'C) (turn pass) 'A 'B 'C)", blocks="(do ((turn pass)))")
    before = [RecycleGame("x", text).rules_version for text in (called, plain, own)]
    source, _ = blocks._standard_form()
    changed = source.replace("(repeat 'NUMBER (move (top 'FROM)", "(repeat 'NUMBER (move (bottom 'FROM)")
    assert changed != source
    monkeypatch.setattr(blocks, "_standard_form", lambda: (changed, parse(changed)[0]))
    after = [RecycleGame("x", text).rules_version for text in (called, plain, own)]
    assert [one == other for one, other in zip(before, after, strict=True)] == [False, True, True]


def test_a_text_can_have_a_block_of_its_own_under_a_name_of_the_language() -> None:
    own = text_of("(define DEAL ('N) (inc (game sto N) 'N))", blocks="(do ((call DEAL 3)))")
    assert bare(read(own).blocks) == bare(read(text_of(blocks="(do ((inc (game sto N) 3)))")).blocks)


def test_a_failure_in_a_block_is_reported_with_its_line() -> None:
    text = text_of(
        "\n(define TAKE ()\n (move (top (game vloc EMPTY)) (top (game vloc ROW))))\n", blocks="(do ((call TAKE)))"
    )
    with pytest.raises(RulesFailed, match="line 3"):
        RecycleGame("x", text).new(4, {}, FastChance("x"))
