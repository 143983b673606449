"""Which stores and places are bookkeeping only: steps that use only these are notes below the rules.

Also the marks that sentences have for their notes, until the page is put together and the notes are numbered.
"""

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
SIGN = "\ue000"  # around the number of a note in a mark
_MARKS = re.compile(f"(?:{SIGN}[0-9]{{1,6}}{SIGN})+")  # a label of the author may contain these characters, too
CardAction = Move | Remember | Forget
OtherAction = CardAction | Shuffle | Roll | Cycle | Pass | Reveal | CreateDeck | CreateTeams


def bookkeeping(survey: Survey, labels: Labels) -> set[Address]:
    """Return the stores and places that are bookkeeping only.

    A place is, if the table file hides it and no option of a choice moves a card there or away.

    A store is, if the score does not depend on it, no option of a choice sets it, and it is only set to constants,
    names, sizes or players. Also, the table file has to hide it, or it has to be a counter: a store of the game, not of
    a player, that is increased somewhere and that only comparisons read.
    """
    game = survey.game
    moved = {
        found
        for choice in walk(game.blocks)
        if isinstance(choice, Choice)
        for node in walk(choice.steps)
        for found in (_places_of(node) if isinstance(node, CardAction) else ())
    }
    chosen = {
        address_of(node.ref)
        for choice in walk(game.blocks)
        if isinstance(choice, Choice)
        for node in walk(choice.steps)
        if isinstance(node, Setting)
    }
    matters = _scored(survey) | chosen
    compared = {
        id(side.ref)
        for node in walk((game.blocks, game.declares))
        if isinstance(node, Compare)
        for side in (node.left, node.right)
        if isinstance(side, Stored)
    }
    found = {each for each in survey.places if each.name in labels.hidden_places and each not in moved}
    for each, writes in survey.writes.items():
        if not each.name or each in matters or not all(map(_is_simple, writes)):
            continue
        written = {id(write.ref) for write in writes}
        read = [ref for ref in survey.refs[each] if id(ref) not in written]
        increases = [write for write in writes if isinstance(write, SetNumber) and write.op == "inc"]
        counter = each.owner == "game" and increases and all(id(ref) in compared for ref in read)
        if each.name in labels.hidden_stores or counter:
            found.add(each)
    return found


def _scored(survey: Survey) -> set[Address]:
    """Return the stores that the score depends on: those it reads, and those whose values are written to these."""
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


def _is_simple(write: Setting) -> bool:
    """Return whether a store is set to a constant, a size, a name or a player, not to a computed value."""
    match write:
        case SetNumber(value=value):
            return constant(value) is not None or isinstance(value, Size)
        case SetName(value=value):
            return isinstance(value, Name)
    return isinstance(write, SetPlayer)


def _places_of(action: CardAction) -> tuple[Address, ...]:
    """Return the places that an action takes a card from and puts one into. A variable place has an empty address."""
    source = action.card
    while isinstance(source, Actual | CardAt | Extreme):
        source = source.card if isinstance(source, Actual) else source.cards
    places = [] if isinstance(action, Remember) else [source]  # a remembered card stays where it is
    if not isinstance(action, Forget):
        places.append(action.to.place)
    return tuple(address_of(place) if isinstance(place, Place) else Address("", "game", "") for place in places)


def only_bookkeeping(action: Action, hidden: set[Address]) -> bool:
    """Return whether an action only sets stores and uses places that are in ``hidden``.

    An action with a condition is never bookkeeping only, because players need to know the condition.
    """
    if any(isinstance(node, When) for node in walk(action)):
        return False
    done = [node for node in walk(action) if isinstance(node, Setting | OtherAction)]
    return bool(done) and all(
        address_of(node.ref) in hidden
        if isinstance(node, Setting)
        else isinstance(node, CardAction) and all(each in hidden for each in _places_of(node))
        for node in done
    )


# -- marks of notes


def mark(note: int) -> str:
    """Return the mark of a sentence that has the note with this index."""
    return f"{SIGN}{note}{SIGN}"


def marks(line: str, notes: int) -> list[int]:
    """Return the indexes of the notes that a line has marks of, in order. ``notes``: how many there are."""
    found = [int(each) for run in _MARKS.findall(line) for each in re.findall(r"\d+", run)]
    return [each for each in found if each < notes]


def numbered(line: str, numbers: Mapping[int, int]) -> str:
    """Return a line with its marks replaced by the numbers of the notes in brackets.

    ``numbers``: by index. Superscripts would look like exponents: "31²".
    """

    def in_brackets(run: re.Match[str]) -> str:
        known = [str(numbers[each]) for each in map(int, re.findall(r"\d+", run[0])) if each in numbers]
        return f" [{', '.join(known)}]" if known else ""

    return _MARKS.sub(in_brackets, line)
