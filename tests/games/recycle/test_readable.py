"""What the readable rules page says about stores is read back: each statement, its number and its conditions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import games.recycle
from games.recycle.constants import constant
from games.recycle.explain import explain
from games.recycle.labels import Labels
from games.recycle.reader import read
from games.recycle.tree import (
    Compare,
    GameNode,
    Logic,
    Name,
    Node,
    Not,
    Quantified,
    Ref,
    SetName,
    SetNumber,
    Stage,
    Stored,
    When,
    walk,
)
from tests.games.recycle.readable_reader import Condition, Said, canonical, statements
from tests.tiers import sampled

FOLDER = Path(games.recycle.__file__).parent / "library"
TEXTS = sorted(FOLDER.glob("*.rcy")) + sorted((Path(__file__).parent / "strangers").glob("*.rcy"))
OPPOSITE = {"==": "!=", "!=": "==", ">": "<=", "<=": ">", "<": ">=", ">=": "<"}


def asked_in(node: object, labels: Labels, so: bool = True) -> Iterator[Condition]:
    """Yield the conditions about stores in a part of a tree."""
    if isinstance(node, Not):
        yield from asked_in(node.of, labels, not so)
    elif isinstance(node, Compare):
        left, right = node.left, node.right
        op: str = node.op if so else OPPOSITE[node.op]
        if isinstance(left, Stored) and isinstance(left.ref.name, Name):
            label = labels.word(left.ref.name.text)
            if (number := constant(right)) is not None:
                yield canonical(label, op, str(number))
            elif isinstance(right, Name):
                yield canonical(label, op, labels.word(right.text))
        for side in (left, right):
            yield from asked_in(side, labels)
    elif isinstance(node, Logic | Quantified):
        for child in node.parts if isinstance(node, Logic) else (node.over, node.test):
            yield from asked_in(child, labels, so)
    elif isinstance(node, tuple):
        for each in node:
            yield from asked_in(each, labels, so)
    elif isinstance(node, Node):
        for name in node.__dataclass_fields__:
            yield from asked_in(getattr(node, name), labels)


def of_tree(node: object, labels: Labels, must: frozenset[Condition], may: frozenset[Condition]) -> Iterator[Said]:
    """Yield the statements about stores. ``must``: their conditions; ``may``: those of the stages around them."""
    if isinstance(node, SetNumber | SetName) and isinstance(node.ref.name, Name):
        value = constant(node.value) if isinstance(node, SetNumber) else None
        text = str(value) if value is not None else labels.word(node.value.text) if isinstance(node.value, Name) else ""
        if text:
            what = node.op if isinstance(node, SetNumber) else "set"
            yield Said(what, labels.word(node.ref.name.text).lower(), text.lower(), must, may)
    elif isinstance(node, When):
        yield from of_tree(node.body, labels, must | set(asked_in(node.test, labels)), may)
    elif isinstance(node, Stage):
        ends = set(asked_in(node.end, labels))
        yield from of_tree(node.blocks, labels, must, may | ends | {each._replace(so=not each.so) for each in ends})
    elif isinstance(node, tuple):
        for each in node:
            yield from of_tree(each, labels, must, may)
    elif isinstance(node, Node):
        over = set(asked_in(getattr(node, "over", ()), labels))
        for name in node.__dataclass_fields__:
            yield from of_tree(getattr(node, name), labels, must | over, may)


def fits(said: Said, wanted: Said) -> bool:
    return (
        (said.what, said.store, said.value) == (wanted.what, wanted.store, wanted.value)
        and wanted.certain <= said.certain | said.perhaps
        and said.certain <= wanted.certain | wanted.perhaps
    )


def differences(page: str, tree: GameNode, labels: Labels) -> tuple[list[Said], list[Said]]:
    """Return what a page says that a tree does not, and what it leaves out."""
    wanted = list(of_tree(tree.blocks, labels, frozenset(), frozenset()))
    stores = {
        labels.word(node.name.text).lower()
        for node in walk(tree.blocks)
        if isinstance(node, Ref) and node.word.endswith(("sto", "str")) and isinstance(node.name, Name)
    }
    extra = []
    for said in statements(page, stores):
        found = next((each for each in wanted if fits(said, each)), None)
        if found:
            wanted.remove(found)
        else:
            extra.append(said)
    course = page.partition("\n## Where ")[0].lower()
    return extra, [each for each in wanted if f"*{each.store}*" in course]  # others are counted as rounds


@pytest.mark.parametrize("path", sampled(TEXTS, 6, lambda path: path.stem))
def test_what_is_set_is_said_once_with_its_number_and_its_conditions(path: Path) -> None:
    table = path.with_suffix(".toml")
    labels = Labels.read(table.read_text(encoding="utf-8") if table.exists() else "")
    tree = read(path.read_text(encoding="utf-8"))
    assert differences(explain(tree, labels, {}), tree, labels) == ([], [])


SETUP = "(setup (create players 3) (create deck (game hloc STOCK) (deck (RANK (ACE, TWO)))))"
# A statement, and another one that must not be found on its page.
STATEMENTS = {
    "a condition": ("((> (game sto A) 3) (inc (game sto B) 7))", "((> (game sto A) 4) (inc (game sto B) 7))"),
    "its opposite": ("((> (game sto A) 3) (inc (game sto B) 7))", "((<= (game sto A) 3) (inc (game sto B) 7))"),
    "its scope": (
        "((> (game sto A) 3) (do ((set (game sto B) 5) (inc (game sto B) 7))))",
        "(do (((> (game sto A) 3) (set (game sto B) 5)) (inc (game sto B) 7)))",
    ),
    "a number": ("(set (game sto B) 5)", "(set (game sto B) 6)"),
    "a word": ("(set (game str B) RED)", "(set (game str B) BLUE)"),
    "which way": ("(inc (game sto B) 5)", "(dec (game sto B) 5)"),
}


@pytest.mark.parametrize("what", STATEMENTS)
def test_the_reader_sees_the_difference_in(what: str) -> None:
    one, other = (
        read(f"(game {SETUP} (do ({step} (inc (game sto A) 1))) (scoring max (game sto B)))")
        for step in STATEMENTS[what]
    )
    page = explain(one, Labels(), {})
    assert differences(page, one, Labels()) == ([], [])
    assert differences(page, other, Labels()) != ([], [])
