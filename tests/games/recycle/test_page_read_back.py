"""The course of play on a rules page is read back: each step, what it stands under, and when each stage ends.

A second reader (``page_reader``) reads the English page by a grammar that finds all readings of a sentence, and
``page_meaning`` says what the tree means. Both have to be the same, and no sentence may have two readings. It is so
for each text as it is, and with its conditions, or the ends of its stages, turned into their opposites.

A sentence of a form that no text had is not read until the grammar has it. What is not compared here: what cards count
(see ``test_points_read_back.py``) and who sees a place or store (see ``test_tables_read_back.py``).

A store that the page does not mention may only be set, count, and end stages. If it counts turns, how many is compared
("three deals have been played"). What is not compared: that a store which is no, or as many as there are players, after
one turn of each ends a stage after exactly that; the page then says "if" for "until", or nothing. That would need the
stage to be played, as the second interpreter does (``interpreter.py``), and not only read.
"""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from games.recycle import tree as t
from games.recycle.explain import explain
from games.recycle.labels import Labels
from games.recycle.reader import read
from tests.games.recycle.library import LIBRARY, STRANGERS, labels_of
from tests.games.recycle.page_forms import YOU, joined, opposite
from tests.games.recycle.page_meaning import Course, Step
from tests.games.recycle.page_reader import Page
from tests.games.recycle.readings import Found, Grammar, Unread
from tests.tiers import sampled

TEXTS = [*LIBRARY, *STRANGERS]
Guards = tuple[Found, ...]


class Reading:
    """A page and a tree, both read. ``unread``: what is not, or has several readings."""

    def __init__(self, game: t.GameNode, labels: Labels, page: str) -> None:
        self.said, self.meant = Page(page), Course(game, labels)
        self.unread = self.said.unread + self.meant.unread
        course = page.partition("\n## Where ")[0]
        stores = {ref.name.text for ref in t.walk(game) if isinstance(ref, t.Ref) and isinstance(ref.name, t.Name)}
        self.silent = {labels.word(name).lower() for name in stores if f"*{labels.word(name)}*" not in course}

    def differences(self) -> tuple[list[Found], list[Found]]:
        """Return what the page says and the tree does not, and the steps that it leaves out.

        It may leave out the steps about stores that it does not mention, because they only say when a stage ends.
        Points have a section of their own, and a player whose turn it is again acts "again and again".
        """
        waiting = {place: step for place, step in enumerate(self.meant.steps) if not self._is_silent(step[1])}
        stages = {place: step for place, step in enumerate(self.meant.steps) if step[1][0] == "stage"}
        extra = [
            end for end in self.said.ends.values() if not any(self._same_end(end, at[1][1]) for at in stages.values())
        ]
        for section in (*self.said.sections, *([step] for step in self.said.loose)):
            last = -1  # the place of the step before in the tree: the order has to be the same
            for step in section:
                later = sorted(place for place in {**waiting, **stages} if place > last)
                found = next((place for place in later if self._same(step, self.meant.steps[place])), None)
                if found is not None:
                    last = found
                    waiting.pop(found, None)
                else:
                    extra.append(step)
        return extra, [
            step for step in waiting.values() if step[1][0] not in ("stage", "points") and step[1] != ("next", YOU)
        ]

    def _same(self, said: Step, meant: Step) -> bool:
        """Return whether a step of the page is one of the tree."""
        if said[0] not in self._said_above(meant[0]) or said[1][0] != meant[1][0]:
            return False
        if said[1][0] != "stage":
            return bool(said[1] == meant[1])
        _, title, stated = said[1]
        end = self.said.ends.get(title.replace("*", ""))
        return end is not None and stated in (None, end) and self._same_end(end, meant[1][1])

    def _is_silent(self, found: Found) -> bool:
        """Return whether a part of a step is about a store that the page does not mention."""
        if not isinstance(found, tuple):
            return False
        if found[:1] in (("store",), ("of",)) and found[1] in self.silent:
            return True
        return any(map(self._is_silent, found))

    def lost(self) -> list[Found]:
        """Return what stores that the page does not mention are used for, other than to end stages.

        They may be set to a number or count, and a stage may end where they are equal to a number or exceed it.
        """
        found: list[Found] = []
        for above, step in self.meant.steps:
            tests = [guard for guard in above if guard[0] != "stage"]
            match step:
                case ("stage", end):
                    tests += [part for part in _parts(end) if part[1] not in ("==", ">") or not _is_store(part[0])]
                case ("set" | "inc" | "dec", store, value) if _is_store(store):
                    tests.append(value)
                case _:
                    tests.append(step)
            found += filter(self._is_silent, tests)
        return found

    def _said_above(self, meant: Guards) -> list[Guards]:
        """Return all that a page may say for what a step stands under.

        A stage is a section of its own; or said as "until"; or as "if", where it ends after one time; or not at all,
        where only stores that the page does not mention tell when it ends.
        """
        found: list[Guards] = [()]
        for above in meant:
            if above[0] != "stage":
                found = [(*before, above) for before in found]
                continue
            parts = [part for part in _parts(above[1]) if not self._is_silent(part)]
            section = any(self._same_end(end, above[1]) for end in self.said.ends.values())
            if parts:
                end = joined("or", parts)
                found = [(*before, guard) for before in found for guard in (("until", end), ("if", opposite(end)))]
            found = [*found, ()] if section else found
        return found

    def _same_end(self, said: Found, meant: Found) -> bool:
        """Return whether a stage ends as is said. That "ten rounds have been played" tells a store that counts them."""
        parts = list(_parts(meant))
        for part in _parts(said):
            if part[0] == "played":
                counted = [each for each in parts if self._rounds(each, meant) == part[1]]
                parts = [each for each in parts if each not in counted[:1]]
                if not counted:
                    return False
        others = [part for part in _parts(said) if part[0] != "played"]
        return others == [part for part in parts if not self._is_silent(part)]

    def _rounds(self, part: Found, stage: Found) -> Found:
        """Return after how many rounds a part of the end of a stage is so, if its store counts them; else None."""
        match part:
            case (("store", _) as store, "==" | ">" as sign, number):
                if any(
                    above[-1:] == (("stage", stage),) and step == ("inc", store, 1) for above, step in self.meant.steps
                ):
                    return number + 1 if sign == ">" else number
        return None


def _is_store(found: Found) -> bool:
    """Return whether something is a store, or a store that is yes or no."""
    return isinstance(found, tuple) and found[0] in ("store", "of", "flag")


def _parts(test: Found) -> tuple[Found, ...]:
    return test[1] if test and test[0] == "or" else (test,)


def turned(node: Any, kinds: tuple[type, ...]) -> Any:
    """Return a part of a tree with the opposites of all conditions in nodes of some kinds."""
    if isinstance(node, tuple) and not isinstance(node, t.Span):
        return tuple(turned(each, kinds) for each in node)
    if not isinstance(node, t.Node):
        return node
    changed = {field.name: turned(getattr(node, field.name), kinds) for field in fields(node) if field.name != "at"}
    if isinstance(node, kinds):
        test = "end" if isinstance(node, t.Stage) else "test"
        changed[test] = t.Not(node.at, changed[test])
    return replace(node, **changed)


def reading_of(path: Path, kinds: tuple[type, ...] = ()) -> Reading:
    labels = labels_of(path)
    game = turned(read(path.read_text(encoding="utf-8")), kinds)
    return Reading(game, labels, explain(game, labels, {}))


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_a_page_says_what_its_text_means(path: Path) -> None:
    reading = reading_of(path)
    assert reading.unread == []
    assert reading.differences() == ([], [])
    assert reading.lost() == []


@pytest.mark.parametrize("kinds", [(t.When, t.Filter, t.Quantified), (t.Stage,)], ids=["tests", "ends"])
@pytest.mark.parametrize("path", sampled(TEXTS, 4, lambda path: path.stem))
def test_a_page_says_the_opposite_of_its_conditions(path: Path, kinds: tuple[type, ...]) -> None:
    """No text has most of these opposites, but another one may."""
    reading = reading_of(path, kinds)
    assert reading.unread == []
    assert reading.differences() == ([], [])


HAND, ROW = "((current player) iloc HAND)", "(game vloc ROW)"
EMPTY = "(== (size {}) 0)".format
RAISED = "(inc (game sto A) 2)"
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
# Steps that are alike.
STEPS = [
    (f"({EMPTY(ROW)} (do ((inc (game sto B) 5) {RAISED})))", f"(do (({EMPTY(ROW)} (inc (game sto B) 5)) {RAISED}))"),
    (
        f"(do ((inc (game sto B) 5) (move (top {HAND}) (top {ROW}))))",
        f"(do ((move (top {HAND}) (top {ROW})) (inc (game sto B) 5)))",
    ),
    ("(inc (game sto B) 5)", "(inc (game sto B) 6)", "(dec (game sto B) 5)", "(set (game sto B) 5)"),
    ("(set (game str LED) SPADES)", "(set (game str LED) NONE)"),
    (
        f"(move (top {HAND}) (top {ROW}))",
        f"(move (bottom {HAND}) (top {ROW}))",
        f"(move (top {HAND}) (bottom {ROW}))",
        f"(move (top {ROW}) (top {HAND}))",
        f"(repeat all (move (top {HAND}) (top {ROW})))",
        f"(repeat 2 (move (top {HAND}) (top {ROW})))",
        f"(repeat 3 (move (top {HAND}) (top {ROW})))",
    ),
    (
        f"(all player 'P (move (top {ROW}) (top ('P iloc HAND))))",
        f"(all (other player) 'P (move (top {ROW}) (top ('P iloc HAND))))",
        f"(all player 'P ((> ('P sto A) 3) (move (top {ROW}) (top ('P iloc HAND)))))",
        f"(all player 'P (repeat 2 (move (top {ROW}) (top ('P iloc HAND)))))",
    ),
    (
        f"(all player 'P (repeat 2 ((> (size {ROW}) 1) (move (top {ROW}) (top ('P iloc HAND))))))",
        f"(repeat 2 (all player 'P ((> (size {ROW}) 1) (move (top {ROW}) (top ('P iloc HAND))))))",
    ),
    ("(cycle current (next player))", "(cycle next (next player))", "(cycle next (current player))"),
]


@pytest.mark.parametrize(
    "alike",
    [tuple(f"({test} {RAISED})" for test in tests) for tests in ALIKE] + STEPS,
    ids=lambda alike: alike[0],
)
def test_steps_that_differ_are_said_in_sentences_that_differ(alike: tuple[str, ...]) -> None:
    setup = "(setup (create players 3) (create deck (game vloc ROW) (deck (RANK (KING, ACE)) (SUIT (HEARTS, SPADES)))))"
    rest = f"(set (game str LED) HEARTS) {RAISED}"
    games = [read(f"(game {setup} (do ({step} {rest})) (scoring max (game sto A)))") for step in alike]
    for game in games:
        page = explain(game, Labels(), {})
        for other in games:
            reading = Reading(other, Labels(), page)
            assert reading.unread == []
            assert (reading.differences() == ([], [])) == (other is game), page


def test_a_store_that_the_page_does_not_mention_may_only_end_a_stage() -> None:
    setup = "(setup (create players 3) (create deck (game vloc ROW) (deck (RANK (KING, ACE)))))"
    stage = (
        "(stage player (end (== (game sto TURNS) 3)) (do ((inc (game sto TURNS) 1) {}))"
        " (choice ((move (top (game vloc ROW)) (bottom (game vloc ROW))) (turn pass))))"
    )
    plain, *others = (
        read(f"(game {setup} {stage.format(step)} (scoring max (game sto A)))")
        for step in ("", "((== (game sto TURNS) 2) (turn pass))", "(inc (game sto A) (game sto TURNS))")
    )
    page = explain(plain, Labels(), {})
    assert "*Turns*" not in page.partition("\n## Where ")[0]
    assert Reading(plain, Labels(), page).lost() == []
    for other in others:
        reading = Reading(other, Labels(), page)
        assert len(reading.lost()) == 1
        assert Reading(other, Labels(), explain(other, Labels(), {})).lost() == []


def test_a_text_with_two_readings_is_not_read() -> None:
    def pair(one: str, other: str) -> Found:
        return one, other

    grammar = Grammar({"ALL": [("{WORDS} and {WORDS}", pair)], "WORDS": [("{WORD}", str), ("{WORD} and {WORD}", pair)],
                       "WORD": {"a": "a", "b": "b"}})  # fmt: skip
    assert grammar.read("ALL", "a and b") == ("a", "b")
    with pytest.raises(Unread, match="2 readings"):
        grammar.read("ALL", "a and b and a")
    with pytest.raises(Unread, match="0 readings"):
        grammar.read("ALL", "a or b")
