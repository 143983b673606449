"""What cards count is read back from the rules page: the points of each value of a card, or their order.

Awards for what a card has in common with a store or with another card count on top of these. Of each is read how much,
or what it outweighs ("a card whose suit is *Led* is higher than any other"), and that has to be so for any two cards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from games.recycle import tree as t
from games.recycle.constants import constant
from games.recycle.explain import explain
from games.recycle.labels import Labels
from games.recycle.reader import read
from tests.games.recycle.library import LIBRARY, STRANGERS, labels_of
from tests.games.recycle.page_forms import compared
from tests.games.recycle.page_grammar import IT, STEPS, phrases
from tests.games.recycle.page_meaning import Meaning
from tests.games.recycle.page_reader import names
from tests.games.recycle.readings import Found, Grammar

TEXTS = [*LIBRARY, *STRANGERS]
Points = (
    dict[Any, int] | tuple[Any, ...]
)  # by the value of a card, or its rank and suit; or the values from low to high


def listed(words: str) -> Iterator[Any]:
    """Yield the values in a list such as "2 to 4, jack and queen"."""
    for word in re.split(", | and ", words):
        if found := re.fullmatch(r"(\d+) to (\d+)", word):
            yield from range(int(found[1]), int(found[2]) + 1)
        else:
            yield int(word) if word.isdecimal() else word


def said(line: str) -> Points:
    """Return what a line says of values of cards."""
    first, *others = [part for part in line.split("; ") if not re.match(r"a card whose|so |of two cards", part)]
    if first.startswith("from low to high "):
        return tuple(listed(first.removeprefix("from low to high ")))
    found: dict[Any, int] = {}
    for words, number in re.findall(r"(.+?) (= \N{MINUS SIGN}?\d+|= their number)(?:, |$)", first):
        for value in listed(words):
            found[value] = value if "number" in number else int(number[2:].replace("\N{MINUS SIGN}", "-"))
    for other in others:
        match = re.fullmatch(r"(.+) (?:= (\d+)|counts (\d+) more)", other)
        assert match, other
        found[match[1]] = int(match[2] or match[3])
    return found


def meant(node: t.SetPoints, means: Meaning, *, in_order: bool) -> Points:
    """Return what a point map means for values of cards."""
    found: dict[Any, int] = {}
    for award in node.awards:
        faces = {
            key.text: means.face(name.text, key.text)
            for key, name in award.pairs
            if isinstance(key, t.Name) and isinstance(name, t.Name)
        }
        number = constant(award.value)
        if number is not None and len(faces) == len(award.pairs):
            match faces:
                case {"RANK": rank, "SUIT": suit}:
                    found[f"the {rank} of {suit}"] = number
                case {"SUIT": suit}:
                    found[f"every card of {suit}"] = number
                case _:
                    [face] = faces.values()
                    found[face] = number
    return tuple(sorted(found, key=lambda face: found[face])) if in_order else found


OUTWEIGHS = re.compile(r"(of two cards .*?, )?a card (whose .+?) is (higher than any|the higher)")
MORE = re.compile(r"a card (whose .+) counts (\d+) more")
Extra = dict[Found, int]  # by what a card must have: what it counts more


def extra(node: t.SetPoints, means: Meaning) -> Extra:
    """Return the awards of a point map for what a card has in common with a store or with another card."""
    found: Extra = {}
    for award in node.awards:
        match award.pairs:
            case [(key, value)] if not isinstance(value, t.Name):
                found[compared(("of", means.key(key), IT), "==", means.value(value))] = constant(award.value) or 0
    return found


def is_so(line: str, points: Points, extras: Extra, read: Callable[[str], Found]) -> bool:
    """Return whether what a line says of such awards is so for any two cards, and says all of them.

    ``points``: of the values of cards, as the tree has them. ``read``: reads "whose suit is *Led*".
    """
    parts = line.split("; ")
    more = {read(match[1]): int(match[2]) for part in parts if (match := MORE.fullmatch(part))}
    if more and more != extras:
        return False
    worth = {0, *points.values()} if isinstance(points, dict) else {0}
    spread, gap = max(worth) - min(worth), min(b - a for a, b in pairwise(sorted(worth)))
    left, said = dict(extras), [found for part in parts for found in OUTWEIGHS.finditer(part)]
    for between_equals, condition, _ in (found.groups() for found in said):
        number = left.pop(read(condition), 0)
        others = sum(left.values())  # another card may have all of these
        if not (0 < number < gap - others if between_equals else number > spread + others):
            return False
    return bool(more) or not left


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_a_page_says_what_each_card_counts(path: Path) -> None:
    labels = labels_of(path)
    game = read(path.read_text(encoding="utf-8"))
    means = Meaning(game, labels)
    page = explain(game, labels, {})
    part = re.search(r"\n## What [a-z, ]+ count\n(.*?)\n## ", page, re.DOTALL)
    lines = re.findall(r"^- \*\*(.+?)\*\*: (.*)\.$", part[1], re.MULTILINE) if part else []
    maps = [node for node in t.walk(game.blocks) if isinstance(node, t.SetPoints)]
    assert len(lines) == len(maps)
    for (label, line), node in zip(lines, maps, strict=True):
        assert label.lower() == means.label(node.ref.name)
        assert said(line) == meant(node, means, in_order=line.startswith("from low"))
        relative = partial(Grammar(phrases(names(page)), STEPS).read, "RELATIVE")
        assert is_so(line, meant(node, means, in_order=False), extra(node, means), relative)


@pytest.mark.parametrize(
    ("trump", "led", "said"),
    [
        (
            30,
            10,
            "a card whose suit is *Trump* is higher than any other, and a card whose suit is *Led* is higher than",
        ),
        (9, 3, "counts 3 more; so a card whose suit is *Trump* is higher than any other"),
        (12, 10, "a card whose suit is *Trump* counts 12 more; a card whose suit is *Led* counts 10 more."),
        (4, 3, "a card whose suit is *Trump* counts 4 more; a card whose suit is *Led* counts 3 more."),
    ],
)
def test_an_award_outweighs_others_only_if_no_card_can_have_more(trump: int, led: int, said: str) -> None:
    awards = f"((SUIT : (game str TRUMP)) {trump}) ((SUIT : (game str LED)) {led})"
    ranks = "((RANK : TWO) 2) ((RANK : THREE) 3) ((RANK : FOUR) 4)"
    setup = "(create deck (game vloc ROW) (deck (RANK (TWO, THREE, FOUR)) (SUIT (HEARTS, SPADES))))"
    best = "(owner (max (union (all player 'P ('P vloc TRICK))) using (game points HEIGHT)))"
    text = f"""(game (setup (create players 2) {setup}) (do ((set (game str TRUMP) HEARTS) (set (game str LED) SPADES)
        (all player 'P (move (top (game vloc ROW)) (top ('P vloc TRICK)))) (set (game points HEIGHT) ({awards} {ranks}))
        (inc ({best} sto WON) 1))) (scoring max ((current player) sto WON)))"""
    game = read(text)
    page = explain(game, Labels(), {})
    [line] = re.findall(r"^- \*\*Height\*\*: .*$", page, re.MULTILINE)
    assert said in line
    means, [node] = Meaning(game, Labels()), [node for node in t.walk(game.blocks) if isinstance(node, t.SetPoints)]
    relative = partial(Grammar(phrases(names(page)), STEPS).read, "RELATIVE")
    points = meant(node, means, in_order=False)
    assert is_so(line.rstrip(".").partition(": ")[2], points, extra(node, means), relative)
    assert not is_so(
        line.replace("*Trump*", "*Led*").rstrip(".").partition(": ")[2], points, extra(node, means), relative
    )
