"""Which stores and places are bookkeeping only, so that what is done with them can stand in notes below the rules."""

from __future__ import annotations

import re
from collections.abc import Mapping

from games.recycle.constants import constant
from games.recycle.explaining.survey import Survey
from games.recycle.labels import Labels
from games.recycle.tree import (
    Action,
    Actual,
    Address,
    CardAt,
    Choice,
    Compare,
    CreateDeck,
    CreateTeams,
    Cycle,
    Extreme,
    Forget,
    Move,
    Name,
    Pass,
    Place,
    Ref,
    Remember,
    Reveal,
    Roll,
    SetName,
    SetNumber,
    SetPlayer,
    SetPoints,
    Shuffle,
    Size,
    Stored,
    When,
    address_of,
    walk,
)

Setting = SetNumber | SetName | SetPlayer | SetPoints
SIGN = "\ue000"  # around the number of a note, until the page is put together
_MARKS = re.compile(f"(?:{SIGN}[0-9]{{1,6}}{SIGN})+")  # a label of the author may contain these characters, too
Touching = Move | Remember | Forget
OtherAction = Touching | Shuffle | Roll | Cycle | Pass | Reveal | CreateDeck | CreateTeams


def bookkeeping(survey: Survey, labels: Labels) -> set[Address]:
    """Return the stores and places that are bookkeeping only.

    A place is if the table file hides it and no option of a choice moves a card there or away.

    A store is if the score does not depend on it, no option of a choice sets it, and it is set to constants, names,
    sizes or players only. Besides, either the table file hides it, or it is a counter: a store of the game, not of a
    player, that is increased and is read by comparisons only.
    """
    game = survey.game
    moved = {
        found
        for choice in walk(game.blocks)
        if isinstance(choice, Choice)
        for node in walk(choice.steps)
        for found in (_touched(node) if isinstance(node, Touching) else ())
    }
    chosen = {
        address_of(node.ref)
        for choice in walk(game.blocks)
        if isinstance(choice, Choice)
        for node in walk(choice.steps)
        if isinstance(node, Setting)
    }
    kept_out = _scored(survey) | chosen
    compared = {
        id(side.ref)
        for node in walk((game.blocks, game.declares))
        if isinstance(node, Compare)
        for side in (node.left, node.right)
        if isinstance(side, Stored)
    }
    found = {each for each in survey.places if each.name in labels.hidden_places and each not in moved}
    for each, writes in survey.writes.items():
        if not each.name or each in kept_out or not all(map(_plain, writes)):
            continue
        written = {id(write.ref) for write in writes}
        read = [ref for ref in survey.refs[each] if id(ref) not in written]
        ups = [write for write in writes if isinstance(write, SetNumber) and write.op == "inc"]
        counter = each.owner == "game" and ups and all(id(ref) in compared for ref in read)
        if each.name in labels.hidden_stores or counter:
            found.add(each)
    return found


def _scored(survey: Survey) -> set[Address]:
    """Return the stores that the score depends on, directly or by what is added to them."""
    found = {address_of(node) for node in walk(survey.game.scoring) if isinstance(node, Ref)}
    before = -1
    while before != len(found):
        before = len(found)
        for each, writes in survey.writes.items():
            if each in found:
                found |= {address_of(node) for write in writes for node in walk(_given(write)) if isinstance(node, Ref)}
    return found


def _given(write: Setting) -> object:
    return write.awards if isinstance(write, SetPoints) else write.value


def _plain(write: Setting) -> bool:
    """Return whether a store is set to a constant, a size, a name or a player: nothing that has to be computed."""
    match write:
        case SetNumber(value=value):
            return constant(value) is not None or isinstance(value, Size)
        case SetName(value=value):
            return isinstance(value, Name)
    return isinstance(write, SetPlayer)


def _touched(action: Touching) -> tuple[Address, ...]:
    """Return the places that a move or a note takes from and puts into. One that is named in play has an empty key."""
    source = action.card
    while isinstance(source, Actual | CardAt | Extreme):
        source = source.card if isinstance(source, Actual) else source.cards
    places = [] if isinstance(action, Remember) else [source]  # a card that is noted stays where it is
    if not isinstance(action, Forget):
        places.append(action.to.place)
    return tuple(address_of(place) if isinstance(place, Place) else Address("", "game", "") for place in places)


def only_bookkeeping(action: Action, kept: set[Address]) -> bool:
    """Return whether an action does nothing but set some of these stores and use some of these places.

    What is done on a condition says something about the play.
    """
    if any(isinstance(node, When) for node in walk(action)):
        return False
    done = [node for node in walk(action) if isinstance(node, Setting | OtherAction)]
    return bool(done) and all(
        address_of(node.ref) in kept
        if isinstance(node, Setting)
        else isinstance(node, Touching) and all(each in kept for each in _touched(node))
        for node in done
    )


# -- marks of notes


def mark(note: int) -> str:
    """Return what marks a sentence that has a note, until all notes are numbered."""
    return f"{SIGN}{note}{SIGN}"


def marks(line: str, notes: int) -> list[int]:
    """Return which of so many notes a line has, in order."""
    found = [int(each) for run in _MARKS.findall(line) for each in re.findall(r"\d+", run)]
    return [each for each in found if each < notes]


def numbered(line: str, numbers: Mapping[int, int]) -> str:
    """Return a line with the numbers of its notes in brackets. Raised, they would look like exponents: "31²"."""

    def in_brackets(run: re.Match[str]) -> str:
        known = [str(numbers[each]) for each in map(int, re.findall(r"\d+", run[0])) if each in numbers]
        return f" [{', '.join(known)}]" if known else ""

    return _MARKS.sub(in_brackets, line)
