"""Warnings: things that are allowed but probably mistakes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from itertools import chain, islice

from games.core.messages import NONE, Message, message, template
from games.recycle.card_counts import too_many_taken
from games.recycle.constants import constant
from games.recycle.indentation import indentation
from games.recycle.labels import Labels
from games.recycle.logic import Formula, Questions
from games.recycle.machine import MOST_REPEATS
from games.recycle.names import names
from games.recycle.operations import MOST_NUMBERS
from games.recycle.problems import Problem, Source
from games.recycle.reader.blocks import called, definitions
from games.recycle.reader.syntax import Atom, Form, Item, forms, parse, short
from games.recycle.reader.words import nearest
from games.recycle.signatures import PLACES, SECRET, STORES
from games.recycle.tree import (
    Action,
    Address,
    Block,
    CardAction,
    CardAt,
    Choice,
    CreateDeck,
    Declare,
    Do,
    Each,
    Everybody,
    Extreme,
    Filter,
    ForEach,
    Forget,
    GameNode,
    Let,
    Move,
    Node,
    Owner,
    Place,
    Quantified,
    Random,
    Range,
    Ref,
    Relative,
    Remember,
    Repeat,
    SetName,
    SetNumber,
    SetPlayer,
    SetPoints,
    Shuffle,
    Span,
    Stage,
    Type,
    Use,
    Value,
    Var,
    When,
    address_of,
    parts,
    walk,
)

MOST_OF_A_KIND = 30  # warnings of a kind; more are left out, because an author corrects these first
MAX_STAGES = 5  # nested: deeper ones are left out, because each is read once for every stage around it
MAX_NAMES = 200  # names compared when looking for a similar one

# ``;; NAME: ...`` says what a store is for, so it may be there to be read by people only.
_EXPLAINED = re.compile(r"^[ \t]*;;+ *([A-Z]+) *:", re.MULTILINE)
_NEVER_EMPTY = re.compile(r";;+ *Never empty: *\S.*\n[ \t]*$")  # before a choice


def warnings(game: GameNode, source: Source, labels: Labels | None = None) -> list[Problem]:
    """Return the warnings about a text, in textual order. ``labels``: of its table file."""
    unknown = list(islice(names(game), MOST_OF_A_KIND))
    shown = {*_EXPLAINED.findall(source.text), *(labels.words if labels else ())}
    kinds = (
        _places_and_stores(game, shown),
        _variables(game),
        _choices(game, unknown, source),
        _stages(game.blocks, source, 0),
        _limits(game),
        too_many_taken(game),
    )
    found = chain(unknown, *(islice(kind, MOST_OF_A_KIND) for kind in (*kinds, _blocks(source), indentation(source))))
    # What is in a named block is found once for each call of it.
    return sorted(dict.fromkeys(found), key=lambda problem: problem.at)


def _warning(at: Span, text: Message, hint: Message = NONE) -> Problem:
    return Problem("warning", at, text, hint)


def _quote(source: Source, at: Span) -> str:
    return short(" ".join(source.text[at.start : at.end].split()))


# -- places and stores


@dataclass(slots=True)
class Uses:
    """Where places and stores are first read and written."""

    read: dict[Address, Span] = field(default_factory=dict)
    written: dict[Address, Span] = field(default_factory=dict)


def uses(node: object) -> Uses:
    """Return which places and stores are read and written in a part of a tree."""
    found = Uses()
    only_written: set[int] = set()
    followed: dict[Var, Place] = {}  # variables that follow a place
    for each in walk(node):
        place: Place | Ref | None = None
        match each:
            case Let(value=Place() as value, var=var) | Declare(value=Place() as value, var=var):
                followed[var] = value
                only_written.add(id(value))  # the uses of the variable say whether it is read
            case Let(value=Use(var=old), var=var) | Declare(value=Use(var=old), var=var) if old in followed:
                followed[var] = followed[old]
            case Move(to=to) | Remember(to=to):
                place = _followed(to.place, followed)
                only_written.add(id(to.place))
            case CreateDeck(place=where):
                place = _followed(where, followed)
                only_written.add(id(where))
            case SetNumber(ref=ref) | SetName(ref=ref) | SetPlayer(ref=ref) | SetPoints(ref=ref):
                place = ref
                only_written.add(id(ref))
            case Shuffle(cards=cards) | Forget(card=CardAt(cards=cards)):
                only_written.add(id(cards))  # that changes the place, but reads nothing of it
        if place is not None:
            found.written.setdefault(address_of(place), place.name.at)
    for each in walk(node):
        if id(each) in only_written:
            continue
        if isinstance(each, Place | Ref):
            found.read.setdefault(address_of(each), each.name.at)
        elif isinstance(each, Use) and each.var in followed:
            place = followed[each.var]
            found.read.setdefault(address_of(place), each.at)
    return found


def _followed(place: Place | Use, followed: dict[Var, Place]) -> Place | None:
    return place if isinstance(place, Place) else followed.get(place.var)


_KEPT = {
    "sto": template("The number {name}"),
    "str": template("The name {name}"),
    "who": template("The player {name}"),
    "points": template("The point map {name}"),
}
_SECRET = {
    "sto": template("The secret number {name}"),
    "str": template("The secret name {name}"),
    "who": template("The secret player {name}"),
}
STORE = {word: _SECRET[word[1:]] if word in SECRET else _KEPT[word] for word in STORES}  # the beginnings of sentences


def _places_and_stores(game: GameNode, shown: Set[str]) -> Iterator[Problem]:
    """Yield warnings about names that are only read, or only written. ``shown``: stores that people read."""
    used = uses(game)
    never_written = _only_in(used.read, used.written)
    for each, at in never_written.items():
        text = message("{name} ({word}) is looked at, but no card ever gets there.", name=each.name, word=each.word)
        if store := STORE.get(each.word):
            text = message("{store} is read, but never set.", store=message(store, name=each.name))
        yield _warning(at, text, _meant(each, used.written))
    for each, at in _only_in(used.written, used.read).items():
        store, hint = STORE.get(each.word), _meant(each, used.read)
        if store and (each.name not in shown or each.word == "points"):
            yield _warning(at, message("{store} is set, but never read.", store=message(store, name=each.name)), hint)
        elif hint and not store:  # else it is a discard pile, which nothing need read
            text = message(
                "Cards get into {name} ({word}), but nothing ever looks at it.", name=each.name, word=each.word
            )
            yield _warning(at, text, hint)
    yield from _two_visibilities(used, {(each.owner, each.name) for each in never_written})


def _only_in(some: Mapping[Address, Span], others: Mapping[Address, Span]) -> dict[Address, Span]:
    """Return those with a name that are not among others, nor can be meant by one whose name is known only in play."""
    return {
        each: at
        for each, at in some.items()
        if each.name and each not in others and each._replace(name="") not in others
    }


OF_ANOTHER: dict[Owner, str] = {
    "game": template("There is {name} of the table (game): that is another one."),
    "player": template("There is {name} of a player: that is another one."),
    "team": template("There is {name} of a team: that is another one."),
}


def _meant(address: Address, found: Mapping[Address, Span]) -> Message:
    """Return a hint at which of some may have been meant instead: the same name elsewhere, or a similar one here."""
    name = address.name
    for word in (*PLACES, *STORES):
        if word != address.word and address._replace(word=word) in found:
            return message("There is {name} under {word}: that is another one.", name=name, word=word)
    for owner, text in OF_ANOTHER.items():
        if owner != address.owner and address._replace(owner=owner) in found:
            return message(text, name=name)
    here = (each.name for each in found if each._replace(name=name) == address and each.name not in ("", name))
    near = nearest(name, list(islice(here, MAX_NAMES)))
    return message("Did you mean {near}?", near=near) if near else NONE


def _two_visibilities(used: Uses, reported: set[tuple[Owner, str]]) -> Iterator[Problem]:
    """Yield warnings about names of places under two words. ``reported``: those of which another warning speaks."""
    first: dict[tuple[Owner, str], str] = {}
    for (word, owner, name), at in (used.read | used.written).items():
        if not name or word in STORE:
            continue
        seen = first.setdefault((owner, name), word)
        if seen != word and (owner, name) not in reported:
            text = message(
                "{name} is a place under {seen} and under {word}: these are two places.",
                name=name,
                seen=seen,
                word=word,
            )
            hint = message("If one place is meant, give it one word; if two, give them two names.")
            yield _warning(at, text, hint)


# -- variables


def _variables(game: GameNode) -> Iterator[Problem]:
    used = {each.var for each in walk(game) if isinstance(each, Use)}
    seen: set[Var] = set()
    steps = {each.var for each in walk(game) if isinstance(each, ForEach) and each.op == "all"}
    for var, over, shadows in _bindings(game, Counter()):
        if var in seen:  # a let around a choice stands in each of its steps
            continue
        seen.add(var)
        # (all (range 1 .. 3) 'N ...), (all player 'P ...): so many times
        counts_only = over is not None and (over.type is Type.INTS or (isinstance(over, Everybody) and var in steps))
        if var not in used and not var.used and not counts_only:
            yield _warning(var.at, message("'{name} is never used.", name=var.name))
        if shadows:
            text = message(
                "'{name} is the name of a variable around this one, too; inside, it means this one.", name=var.name
            )
            yield _warning(var.at, text, message("Two names would be clearer."))


def _bindings(node: object, around: Counter[str]) -> Iterator[tuple[Var, Value | None, bool]]:
    """Yield each variable, what it runs over if it does, and whether one of that name is bound around it.

    ``around`` counts the variables around the node by name.
    """
    match node:
        case Declare(value=value, var=var):
            yield from _bindings(value, around)
            yield var, None, around[var.name] > 0
            around[var.name] += 1  # to the end of the text
        case Quantified() | Each() | Filter() | ForEach() | Let():
            over = None if isinstance(node, Let) else node.over
            yield from _bindings(node.value if isinstance(node, Let) else node.over, around)
            yield node.var, over, around[node.var.name] > 0
            around[node.var.name] += 1
            for name in ("test", "cards", "step"):
                yield from _bindings(getattr(node, name, None), around)
            around[node.var.name] -= 1
        case Node():
            for part in parts(node):
                yield from _bindings(part, around)
        case tuple() if not isinstance(node, Span):
            for one in node:
                yield from _bindings(one, around)


# -- named blocks


def _blocks(source: Source) -> Iterator[Problem]:
    game, _ = parse(source.text)
    own = list(definitions(game))
    for name, parameters, body in own:
        if name.text not in called(game.items):
            hint = message("What is in it is checked only where it is called.")
            yield _warning(name.at, message("The block {name} is never called.", name=name.text), hint)
        used = set(_variables_in(body))
        for parameter in parameters:
            if parameter.text not in used:
                yield _warning(parameter.at, message("'{name} is never used.", name=parameter.text))


def _variables_in(items: list[Item]) -> Iterator[str]:
    for item in items:
        for part in chain.from_iterable(form.items for form in forms(item)) if isinstance(item, Form) else [item]:
            if isinstance(part, Atom) and part.kind == "VAR":
                yield part.text


# -- choices


def _choices(game: GameNode, unknown: list[Problem], source: Source) -> Iterator[Problem]:
    """Yield a warning about each choice that may be empty. With an unknown name in it, that name is the reason.

    Where a comment above says why it is never empty, the author knows more than can be found out here.
    """
    for each in walk(game):
        if isinstance(each, Choice) and not any(_inside(problem.at, each.at) for problem in unknown):
            questions = Questions()
            possible = [_possible(step, questions, guarded=False) for step in each.steps]
            if questions.can_all_fail(possible) and not _NEVER_EMPTY.search(source.text[: each.at.start]):
                text = message("This choice may be empty: each of its steps depends on something.")
                hint = message(
                    "Without an option the match fails. Add a step for that case, as ((not TEST) (turn pass)), or say "
                    "in a comment on the line above why there always is one: ;; Never empty: ..."
                )
                yield _warning(Span(each.at.start, each.at.start + 1), text, hint)


def _inside(at: Span, whole: Span) -> bool:
    return whole.start <= at.start and at.end <= whole.end


def _possible(step: Action, questions: Questions, *, guarded: bool) -> Formula:
    """Return when a step offers at least one option.

    What an author runs over is taken to have members, except for what is filtered; under a test of its own
    (``guarded``) that, too, as that is mostly what the test is about.
    """
    match step:
        case Do(steps=steps):
            offers = [_possible(each, questions, guarded=guarded) for each in steps]
            return lambda answers: any(offer(answers) for offer in offers)
        case ForEach(over=over, step=inner) if not guarded:
            some: Formula = _yes
            if isinstance(over, Filter):
                some = questions.formula(Quantified(over.at, "any", over.over, over.var, over.test))
            inside = _possible(inner, questions, guarded=False)
            return lambda answers: some(answers) and inside(answers)
        case Let(step=inner):
            return _possible(inner, questions, guarded=guarded)
        case When(test=test, body=body):
            holds, follows = questions.formula(test), _possible(body, questions, guarded=True)
            return lambda answers: holds(answers) and follows(answers)
    return _yes


def _yes(answers: dict[str, int]) -> bool:
    return True


# -- limits


def _limits(game: GameNode) -> Iterator[Problem]:
    """Yield a warning about each number that is too large, so that every match breaks off when it comes to it."""
    for each in walk(game.blocks):
        match each:
            case Range(low=low, high=high):
                ends = constant(low), constant(high)
                if ends[0] is not None and ends[1] is not None and ends[1] - ends[0] >= MOST_NUMBERS:
                    many = ends[1] - ends[0] + 1
                    text = message(
                        "This range has {many:,} numbers, but one may have at most {most:,}.",
                        many=many,
                        most=MOST_NUMBERS,
                    )
                    yield _warning(each.at, text, message("A match that comes to it breaks off."))
            case Repeat(count=count):
                times = constant(count)
                if times is not None and times > MOST_REPEATS:
                    text = message(
                        "A step may be repeated at most {most:,} times, but this one is {times:,} times.",
                        most=MOST_REPEATS,
                        times=times,
                    )
                    yield _warning(count.at, text, message("A match that comes to it breaks off."))


# -- stages


def _stages(blocks: tuple[Block, ...], source: Source, depth: int) -> Iterator[Problem]:
    for each in blocks:
        if isinstance(each, Stage):
            if not _may_change(each):
                text = message(
                    "Nothing in this stage changes what its end depends on: {code}.", code=_quote(source, each.end.at)
                )
                yield _warning(each.end.at, text, message("So it ends at once, or never."))
            if depth < MAX_STAGES:
                yield from _stages(each.blocks, source, depth + 1)


def _may_change(stage: Stage) -> bool:
    """Return whether the blocks of a stage can change what its end reads; True if in doubt."""
    nodes = list(walk(stage.end))
    if any(isinstance(node, Relative | Random | Extreme) for node in nodes):
        return True  # each time the current player is another one, and chance may decide otherwise
    if any(isinstance(node, Use) and node.var.live for node in nodes):
        return True
    if any(isinstance(node, Place) for node in nodes) and any(
        isinstance(node, CardAction) for node in walk(stage.blocks)
    ):
        return True  # a card can come from anywhere
    written = uses(stage.blocks).written
    for node in nodes:
        if isinstance(node, Ref):
            address = address_of(node)
            unnamed = address._replace(name="")
            if address in written or unnamed in written:
                return True
            if not address.name and any(each._replace(name="") == unnamed for each in written):
                return True
    return False
