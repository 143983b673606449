"""The tables of the rules page are read back: whose each place and store is, and who sees it.

A place that gets its name in play, from a card or a store, is not looked for: what names it can get is not in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from games.recycle import tree as t
from games.recycle.explain import explain
from games.recycle.provider import FOLDER
from games.recycle.reader import read
from tests.games.recycle.library import LIBRARY, STRANGERS, labels_of
from tests.games.recycle.page_meaning import SEEN, Meaning

TEXTS = [*LIBRARY, *STRANGERS]
OWNERS = {"the table": "game", "for all": "game", "each player": "player", "each team": "team"}
NOTES = "everybody (it notes cards that lie elsewhere)"
# By the word of the language, and whose a place is: who sees it.
EYES = {
    ("vloc", "game"): "everybody",
    ("vloc", "player"): "everybody",
    ("iloc", "game"): "nobody",
    ("iloc", "player"): "only its owner",
    ("hloc", "game"): "nobody",
    ("hloc", "player"): "nobody, not even its owner",
    ("oloc", "player"): "everybody but its owner",
    ("mem", "game"): NOTES,
    ("mem", "player"): NOTES,
}
SECRETS = {
    ("i", "player"): "which only its owner knows",
    ("h", "player"): "which nobody knows",
    ("h", "game"): "which nobody knows",
    ("o", "player"): "which its owner does not know",
}
KINDS = {"sto": "a number", "str": "a word", "who": "a player"}  # a number may be "yes or no"
Row = tuple[str, ...]  # what something is called, whose it is, who sees it


def section(page: str, title: str) -> str:
    found = re.search(rf"\n## {title}.*?\n(.*?)(?=\n## |\Z)", page, re.DOTALL)
    return found[1] if found else ""


def places_said(page: str) -> set[Row]:
    """Return a row for each place in the table of a page. Of several ways in which a name is seen, its way as well."""
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \|$", section(page, "Where "), re.MULTILINE)
    found: set[Row] = set()
    for listed, whose, eyes in rows[1:]:
        way = re.search(r" (\([^()]+\))$", listed)
        for name in re.split(", | and ", listed.removesuffix(way[0] if way else "")):
            found.add((name.lower(), OWNERS.get(whose, whose), eyes, way[1] if way else ""))
    return found


def places_meant(game: t.GameNode, means: Meaning) -> set[Row]:
    found: set[Row] = set()
    for node in t.walk(game):
        if isinstance(node, t.Place):
            owner = t.owner_of(node)
            for name in means.names(node.name):
                way = SEEN[node.vis] if len(means.seen[owner, name]) > 1 else ""
                called = means.labels.noun(name)[0] or means.labels.word(name)
                found.add((called.lower(), owner, EYES[node.vis, owner], way))
    return found


def named_in_play(game: t.GameNode, means: Meaning) -> set[Row]:
    """Return the rows that places may have that are called as a card or a store says."""
    names = {node.text for node in t.walk(game) if isinstance(node, t.Name)}.union(*means.attributes.values())
    dynamic = [node for node in t.walk(game) if isinstance(node, t.Place) and not means.names(node.name)]
    found: set[Row] = set()
    for node in dynamic:
        for name in names:
            for called in (means.labels.word(name), str(means.face(name))):
                found.add((called.lower(), t.owner_of(node), EYES[node.vis, t.owner_of(node)], ""))
    return found


def stores_said(page: str) -> set[Row]:
    """Return a row for each store in the list of a page: what kind it is of, and who knows what it holds."""
    found: set[Row] = set()
    for label, whose, what in re.findall(
        r"^- \*\*(.+?)\*\* \((.+?)\): (.+)\.$", section(page, "What is written"), re.M
    ):
        what = what.removesuffix(" (kept for the rules, not shown at the table)")
        kind, _, secret = what.partition(", which ")
        kind = kind if kind in ("a number", "a player") else "a number" if kind == "yes or no" else "a word"
        found.add((label.lower(), OWNERS[whose], kind, f"which {secret}" if secret else ""))
    return found


def stores_meant(game: t.GameNode, means: Meaning) -> set[Row]:
    found: set[Row] = set()
    for node in t.walk(game):
        if isinstance(node, t.Ref) and node.what in KINDS and isinstance(node.name, t.Name):
            owner = t.owner_of(node)
            secret = SECRETS.get((node.word.removesuffix(node.what), owner), "")
            found.add((means.label(node.name), owner, KINDS[node.what], secret))
    return found


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_a_page_says_whose_places_and_stores_are_and_who_sees_them(path: Path) -> None:
    game, labels = read(path.read_text(encoding="utf-8")), labels_of(path)
    page, means = explain(game, labels, {}), Meaning(game, labels)
    said, meant = places_said(page), places_meant(game, means)
    assert meant - said == set()
    assert said - meant - named_in_play(game, means) == set()
    course = page.partition("\n## Where ")[0]
    silent = {row for row in stores_meant(game, means) if f"*{row[0]}*" not in course.lower()}
    assert stores_said(page) - stores_meant(game, means) == set()
    assert stores_meant(game, means) - stores_said(page) - silent == set(), "only what counts turns need not be said"


def each_seen_otherwise(game: t.GameNode) -> Iterator[t.GameNode]:
    """Yield a game in which the places of one name are seen by others, once for each name of a place."""

    def changed(node: Any, name: str) -> Any:
        if isinstance(node, t.Place) and isinstance(node.name, t.Name) and node.name.text == name:
            node = replace(node, vis="hloc" if node.vis != "hloc" else "vloc")
        if isinstance(node, tuple) and not isinstance(node, t.Span):
            return tuple(changed(each, name) for each in node)
        if not isinstance(node, t.Node):
            return node
        parts = {field.name: changed(getattr(node, field.name), name) for field in fields(node) if field.name != "at"}
        return replace(node, **parts)

    names = {node.name.text for node in t.walk(game) if isinstance(node, t.Place) and isinstance(node.name, t.Name)}
    for name in sorted(names):
        yield changed(game, name)


@pytest.mark.parametrize("name", ["golf", "spoof", "rummy"])
def test_a_page_of_a_game_in_which_others_see_a_place_is_noticed(name: str) -> None:
    path = FOLDER / f"{name}.rcy"
    game, labels = read(path.read_text(encoding="utf-8")), labels_of(path)
    said = places_said(explain(game, labels, {}))
    others = list(each_seen_otherwise(game))
    assert len(others) > 2
    for other in others:
        assert places_meant(other, Meaning(other, labels)) - said
        assert places_meant(other, Meaning(other, labels)) <= places_said(explain(other, labels, {}))
