"""What a table teaches about a text: a tip for each kind of decision, and what its counters count.

A kind of decision is what an option does: cards that go from one place to another, a store that is set, a pass. Its key
is that of ``[verbs]`` in a table file: ``HAND>CRIB`` or ``CRIB``, ``BID``, ``SAYS=FOLD``, ``PASS``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from games.core.teaching import LONGEST, Tip, tip, usual_tips
from games.core.view import Sentence, say
from games.recycle import phrase_book, verbs
from games.recycle.explaining.survey import Survey
from games.recycle.labels import Labels
from games.recycle.moves import Where
from games.recycle.tree import (
    Actual,
    CardAt,
    Choice,
    Combined,
    Each,
    Extreme,
    Filter,
    GameNode,
    GroupAt,
    Move,
    Name,
    Partition,
    Pass,
    Place,
    Ref,
    Relative,
    RunAt,
    Runs,
    Selections,
    SetName,
    SetNumber,
    SetPlayer,
    Slice,
    Sorted,
    Subsets,
    Table,
    Tuples,
    Use,
    address_of,
    walk,
)

MOST_KINDS = 4  # that have a tip: nobody reads more in one match
MOST_COUNTERS = 20  # that are explained
LONGEST_NAME = 40  # characters of a place or a store in a sign
DEEPEST = 20  # nested collections
ME, OTHER, NOBODY = 0, 1, -1  # owners of places, where it only matters whether one owns them oneself

# Trailing blanks are stripped, not matched: on a line full of blanks a match would backtrack over each of them.
_COUNTED = re.compile(r"^[ \t]*;;+ *([A-Z]{1,40}) *: *([^\n{}]*[^\s{}])", re.MULTILINE)


class DecisionKind(NamedTuple):
    """A kind of decision, and its tip: see ``games.core.teaching`` for signs."""

    keys: tuple[str, ...]  # in a table file, the most specific first
    sentence: str  # of a text without a table file
    at: str  # the sign that the tip points at
    when: str  # the sign that must be there as well


def tips(game: GameNode, labels: Labels, summary: str) -> list[Tip]:
    """Return the tips of a text: those of its table file, else one for each kind of decision, between the usual ones.

    Returns none if the text has no decisions.
    """
    if labels.tips:
        return list(labels.tips)
    found: dict[str, Tip] = {}
    for decision in decisions(game, labels):
        name = next((each for each in decision.keys if each in labels.kinds), decision.keys[0])
        if name not in found and len(found) < MOST_KINDS:
            text = labels.kinds.get(name, decision.sentence)
            found[name] = tip(f"kind:{name}", decision.at, say(text), decision.when)
    if not found:
        return []
    usual = {one["id"]: one for one in usual_tips(summary)}
    goal = [usual["goal"]] if 0 < len(summary) <= LONGEST else []
    return [*goal, *found.values(), usual["counters"], usual["rules"]]


def decisions(game: GameNode, labels: Labels) -> Iterator[DecisionKind]:
    """Yield the kinds of decisions of a text, in their order in it, possibly repeated.

    The values of a store are kinds of their own if the table file has a tip for one of them.
    """
    survey = Survey(game)
    for choice in walk(game.blocks):
        if not isinstance(choice, Choice):
            continue
        for step in walk(choice):
            if isinstance(step, Move):
                yield from _moving(step, survey)
            elif isinstance(step, SetNumber | SetName | SetPlayer) and isinstance(step.ref.name, Name):
                yield from _setting(step, labels)
            elif isinstance(step, Pass):
                yield DecisionKind(("PASS",), phrase_book.TIPS[phrase_book.PASS], "moves", "does:pass")


def _moving(move: Move, survey: Survey) -> Iterator[DecisionKind]:
    source, target = _place(move.card, survey), _place(move.to.place, survey)
    if not source or not target:
        return
    name, into = address_of(source).name, address_of(target).name
    if not name or len(name) > LONGEST_NAME or len(into) > LONGEST_NAME:
        return
    seen = source.vis == "vloc" or (source.vis == "iloc" and _owner(source) == ME)
    going = verbs.Going(Where(source.vis, _owner(source), name), Where(target.vis, _owner(target), into), 1, seen)
    owner = {ME: ":{me}", OTHER: ":*"}.get(_owner(source), "")
    spot = f"{name}:*" if _owner(source) == OTHER else f"{name}>*" if _owner(target) == OTHER else f"{name}>{into}*"
    keys = (f"{name}>{into}", into) if into else (f"{name}>",)
    sentence = phrase_book.TIPS[verbs.of_cards(Labels(), going, ME)]
    yield DecisionKind(keys, sentence, f"zone:{source.vis}:{name}{owner}", f"does:{spot}")


def _setting(step: SetNumber | SetName | SetPlayer, labels: Labels) -> Iterator[DecisionKind]:
    name = address_of(step.ref).name
    value = step.value.text if isinstance(step.value, Name) else ""
    sentence = phrase_book.TIP_OF_OPEN if step.ref.vis == "vloc" else phrase_book.TIP_OF_SECRET
    one = f"{name}={value}"
    if value and one in labels.kinds:
        yield DecisionKind((one,), sentence, "moves", f"does:{one[: 2 * LONGEST_NAME]}*")
    elif not any(other.startswith(f"{name}=") for other in labels.kinds):
        yield DecisionKind((name,), sentence, "moves", f"does:{name[:LONGEST_NAME]}*")


def _owner(place: Place) -> int:
    """Return whose a place is: ME, OTHER, or NOBODY for one of the table."""
    if isinstance(place.who, Table):
        return NOBODY
    return ME if isinstance(place.who, Relative) and place.who.which == "current" else OTHER


def _place(value: object, survey: Survey) -> Place | None:
    """Return the place that cards of a collection lie in, None if it is not one place."""
    for _ in range(DEEPEST):
        match value:
            case Place():
                return value
            case Use(var=var):
                value = survey.values.get(var)
            case Filter(over=inner) | GroupAt(groups=inner) | Actual(card=inner):
                value = inner
            case CardAt(cards=inner) | Slice(cards=inner) | Sorted(cards=inner) | RunAt(cards=inner):
                value = inner
            case Extreme(cards=inner) | Subsets(cards=inner) | Selections(cards=inner):
                value = inner
            case Runs(cards=inner) | Tuples(cards=inner):
                value = inner
            case Partition(parts=tuple(inner)) | Combined(parts=tuple(inner)):
                value = inner[0] if len(inner) == 1 else None
            case Partition(parts=Each(over=inner)):
                value = inner
            case _:
                return None
    return None


def counters(game: GameNode, labels: Labels, text: str) -> Mapping[str, Sentence]:
    """Return what numbers at a player's name count, by sign.

    That is what a comment ``;; NAME: ...`` says of the store NAME; without one it has its label.
    """
    said = dict(_COUNTED.findall(text))
    found: dict[str, Sentence] = {}
    for node in walk(game):
        if len(found) == MOST_COUNTERS:
            break
        if isinstance(node, Ref) and (node.what, node.vis) == ("sto", "vloc") and isinstance(node.name, Name):
            _, owner, name = address_of(node)
            if owner != "game" and name not in labels.hidden_stores:
                words = said.get(name, "")
                counted = say("{label}, counted by the rules.", label=labels.word(name))
                found[f"counter:{owner}:{name}"] = say(f"{words[0].upper()}{words[1:]}"[:LONGEST]) if words else counted
    return found
