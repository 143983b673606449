"""What cards count is read back from the rules page: the points of each value of a card, or their order.

What outweighs all others, as in "a card whose suit is *Led* is higher than any other", is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.recycle import tree as t
from games.recycle.constants import constant
from games.recycle.explain import explain
from games.recycle.reader import read
from tests.games.recycle.library import LIBRARY, STRANGERS, labels_of
from tests.games.recycle.page_meaning import Meaning

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
    first, *others = [part for part in line.split("; ") if not part.startswith("a card whose")]
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


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_a_page_says_what_each_card_counts(path: Path) -> None:
    labels = labels_of(path)
    game = read(path.read_text(encoding="utf-8"))
    means = Meaning(game, labels)
    part = re.search(r"\n## What [a-z, ]+ count\n(.*?)\n## ", explain(game, labels, {}), re.DOTALL)
    lines = re.findall(r"^- \*\*(.+?)\*\*: (.*)\.$", part[1], re.MULTILINE) if part else []
    maps = [node for node in t.walk(game.blocks) if isinstance(node, t.SetPoints)]
    assert len(lines) == len(maps)
    for (label, line), node in zip(lines, maps, strict=True):
        assert label.lower() == means.label(node.ref.name)
        assert said(line) == meant(node, means, in_order=line.startswith("from low"))
