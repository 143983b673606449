"""Small changes of a tree: each makes another game, so that what is said of it must differ, too.

``mutants(game)`` yields every tree that differs from a game in one place: a number, a name, a comparison, a condition
left out, the scope of a condition or of a loop, a place, whose it is, who is meant, a statement left out or moved.
Left out are changes that cannot make a difference, by ``_Equal``, and what the deck calls its attributes: that is said
where they are asked about.

``marked(game)`` yields the game once for each statement and for each test, with a mark in its place.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from games.recycle import tree
from games.recycle.constants import constant
from games.recycle.explaining.comparing import same
from games.recycle.explaining.survey import Survey
from games.recycle.tree import Address, GameNode, Node, Table, Type, Var, address_of

OTHER = "ZEBRA"  # a name that no text has
BINDERS = (tree.Quantified, tree.Each, tree.Filter, tree.ForEach, tree.Let)
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
SIMPLE = (
    tree.SetNumber
    | tree.SetName
    | tree.SetPlayer
    | tree.Reveal
    | tree.SetPoints
    | tree.Move
    | tree.Remember
    | tree.Forget
    | tree.Shuffle
    | tree.Roll
    | tree.Pass
    | tree.Cycle
    | tree.RepeatAll
)
Found = Iterator[tuple[str, Any]]


@dataclass(frozen=True)
class Mutant:
    """A tree that differs in one place. ``what`` says how; ``at`` is where, in the text."""

    what: str
    at: int
    game: GameNode


def mutants(game: GameNode) -> Iterator[Mutant]:
    """Yield all trees that differ from a game in one place."""
    changes = _Changes(game)
    for field in ("declares", "players", "teams", "decks", "blocks", "scoring"):
        for what, at, changed in changes.inside(getattr(game, field), (), choosing=False, role=field):
            yield Mutant(what, at, replace(game, **{field: changed}))


def marked(game: GameNode, statement: tree.Action, test: tree.Value) -> Iterator[Mutant]:
    """Yield a game with a statement in the place of each simple one, and a test in that of each test."""
    of_all = {id(node.action) for node in tree.walk(game.blocks) if isinstance(node, tree.RepeatAll)}
    for node in tree.walk(game.blocks):
        if isinstance(node, SIMPLE) and id(node) not in of_all:
            yield Mutant("statement", node.at.start, _put(game, node, statement))
        elif isinstance(node, tree.When | tree.Filter | tree.Quantified):
            yield Mutant("test", node.at.start, _put(game, node, replace(node, test=test)))
        elif isinstance(node, tree.Stage):
            yield Mutant("end", node.at.start, _put(game, node, replace(node, end=test)))


def _put(node: Any, old: Node, new: Node) -> Any:
    """Return a tree with ``new`` for ``old``."""
    if node is old:
        return new
    if isinstance(node, tuple) and not isinstance(node, tree.Span):
        parts = tuple(_put(one, old, new) for one in node)
        return node if all(one is other for one, other in zip(parts, node, strict=True)) else parts
    if isinstance(node, Node):
        held = {field.name: _put(getattr(node, field.name), old, new) for field in fields(node)}
        changed = {name: value for name, value in held.items() if value is not getattr(node, name)}
        return replace(node, **changed) if changed else node
    return node


class _Equal:
    """Says of changes in a game that they make no difference."""

    def __init__(self, game: GameNode) -> None:
        self.survey = Survey(game)
        self.asked = {
            node.key.text
            for node in tree.walk((game.blocks, game.scoring))
            if isinstance(node, tree.CardAtt | tree.Partition) and isinstance(node.key, tree.Name)
        }
        self.asked |= {
            attribute.text
            for node in tree.walk(game.blocks)
            if isinstance(node, tree.Award)
            for attribute, _ in node.pairs
            if isinstance(attribute, tree.Name)
        }
        self.reads: dict[Address, list[tree.Compare | None]] = defaultdict(list)  # None: in no comparison with a number
        compared = {}
        for node in tree.walk(game):
            if isinstance(node, tree.Compare) and isinstance(node.left, tree.Stored):
                known = constant(node.right) is not None or isinstance(node.right, tree.Name)
                compared[id(node.left)] = node if known else None
        for node in tree.walk(game):
            if isinstance(node, tree.Stored):
                self.reads[address_of(node.ref)].append(compared.get(id(node)))

    def numbers(self, store: Address, one: int, other: int) -> bool:
        """Return whether it makes no difference which of two numbers a store is set to: every test says the same."""
        tests = self.reads[store]
        return all(test is not None and _holds(test, one) == _holds(test, other) for test in tests)

    def comparisons(self, one: tree.Compare, other: tree.Compare) -> bool:
        """Return whether two comparisons with a number always have one result."""
        number = constant(one.right)
        if isinstance(one.left, tree.Size) and number is not None:
            return all(_holds(one, size) == _holds(other, size) for size in range(number + 3))
        if not isinstance(one.left, tree.Stored):
            return False
        writes = self.survey.writes[address_of(one.left.ref)]
        numbers = [write for write in writes if isinstance(write, tree.SetNumber)]
        if len(numbers) == len(writes) and all(write.op == "set" for write in numbers):
            held = {0} | {constant(write.value) for write in numbers}
            return number is not None and None not in held and all(_holds(one, n) == _holds(other, n) for n in held)
        counts = len(numbers) == len(writes) and all(constant(write.value) in (0, 1) for write in numbers)
        return counts and {one.op, other.op} == {"==", ">="}  # a number that goes up by one meets each

    def steps(self, one: object, other: object) -> bool:
        """Return whether it makes no difference which of two steps is done first: they have nothing in common."""
        (wrote, touched), (written, read) = _effects(one), _effects(other)
        return not (wrote & read or written & touched)


def _holds(test: tree.Compare, value: object) -> bool:
    wanted = test.right.text if isinstance(test.right, tree.Name) else constant(test.right)
    return COMPARE[test.op](value, wanted)


def _effects(step: object) -> tuple[set[object], set[object]]:
    """Return what a step changes, and all that it has to do with: places, stores, the turn, chance."""
    wrote: set[object] = set()
    touched: set[object] = set()
    for node in tree.walk(step):
        match node:
            case tree.Place():
                touched.add(address_of(node))
            case tree.Ref():
                touched.add(address_of(node))
            case tree.SetNumber(ref=ref) | tree.SetName(ref=ref) | tree.SetPlayer(ref=ref) | tree.SetPoints(ref=ref):
                wrote.add(address_of(ref))
            case tree.Reveal(ref=ref):
                wrote.add(address_of(ref))
            case tree.Move() | tree.Remember() | tree.Forget() | tree.Shuffle() | tree.Roll() | tree.CreateDeck():
                wrote |= {address_of(place) for place in tree.walk(node) if isinstance(place, tree.Place)}
                wrote |= {"cards"} if any(isinstance(use, tree.Use) for use in tree.walk(node)) else set()
            case tree.Cycle(op=op):
                wrote.add(op)
            case tree.Relative(which=which):
                touched |= {"current"} if which == "current" else {"current", "next"}
            case tree.Random() | tree.Extreme():
                wrote.add("chance")
        if isinstance(node, tree.Use) and node.type in (Type.CARD, Type.CARDS, Type.GROUPS):
            touched.add("cards")
        if isinstance(node, tree.Shuffle | tree.Roll):
            wrote.add("chance")
    return wrote, touched | wrote


class _Changes:
    """Finds the changes of the nodes of a game."""

    def __init__(self, game: GameNode) -> None:
        self.equal = _Equal(game)
        self.teams = game.teams is not None
        self.names: dict[str, list[str]] = {}  # by the role of names: those there are
        for node in tree.walk((game.declares, game.decks, game.blocks, game.scoring)):
            for role, name in _names_in(node):
                if name not in self.names.setdefault(role, []):
                    self.names[role].append(name)

    def inside(
        self, node: object, scope: tuple[Var, ...], *, choosing: bool, role: str
    ) -> Iterator[tuple[str, int, Any]]:
        """Yield what a node may be changed into: what was changed, where in the text, and what it is then.

        ``scope``: the variables that are bound around it; ``role``: what it is for.
        """
        if isinstance(node, tuple):
            yield from self._of_several(node, scope, choosing=choosing, role=role)
        if not isinstance(node, Node):
            return
        for what, changed in self._changes(node, scope, choosing=choosing, role=role):
            if not same(changed, node):
                yield what, node.at.start, changed
        choosing = choosing or isinstance(node, tree.Choice)
        if isinstance(node, tree.Declare) and constant(node.value) is not None:
            return  # it stands where it counts
        for field in fields(node):
            held = getattr(node, field.name)
            if field.name in ("at", "var") or (isinstance(node, tree.CreateDeck) and field.name == "name"):
                continue
            inner = scope
            if isinstance(node, BINDERS) and field.name not in ("over", "value"):
                inner = (*scope, node.var)
            if isinstance(node, tree.Award) and field.name == "value" and role == "compared":
                continue
            part = _role(node, field.name, held)
            if isinstance(node, tree.SetPoints) and field.name == "awards":
                part = "compared" if self.equal.survey.only_compared(address_of(node.ref)) else "awards"
            for what, at, changed in self.inside(held, inner, choosing=choosing, role=part):
                if isinstance(node, tree.SetNumber) and what == "a number" and node.op == "set":
                    before, after = constant(node.value), constant(changed) if field.name == "value" else None
                    store = address_of(node.ref)
                    if before is not None and after is not None and self.equal.numbers(store, before, after):
                        continue
                yield what, at, replace(node, **{field.name: changed})

    def _of_several(
        self, nodes: tuple[Any, ...], scope: tuple[Var, ...], *, choosing: bool, role: str
    ) -> Iterator[tuple[str, int, Any]]:
        def at(place: int) -> int:
            node = nodes[place]
            return node.at.start if isinstance(node, Node) else 0

        some = role in ("steps", "blocks", "decks")  # none at all may be left
        if role in ("parts", "awards", "compared", "values", "under", "attributes", "pairs") or some:
            for place in range(len(nodes) if some or len(nodes) > 1 else 0):
                rest = nodes[:place] + nodes[place + 1 :]
                if not (role == "parts" and any(same(nodes[place], one) for one in rest)):
                    yield f"{role}: one left out", at(place), rest
        for place in range(len(nodes) - 1):
            one, other = nodes[place : place + 2]
            before, after = nodes[:place], nodes[place + 2 :]
            if role in ("steps", "blocks") and not choosing and not self.equal.steps(one, other):
                yield f"{role}: two in another order", at(place), (*before, other, one, *after)
            if role in ("awards", "compared") and not same(one.value, other.value):
                swapped = replace(one, value=other.value), replace(other, value=one.value)
                yield "what two awards are worth", at(place), (*before, *swapped, *after)
        for place, node in enumerate(nodes):
            inner = ("attribute", "value")[place] if role == "pair" else "pair" if role == "pairs" else role
            for what, where, changed in self.inside(node, scope, choosing=choosing, role=inner):
                yield what, where, (*nodes[:place], changed, *nodes[place + 1 :])

    def _changes(self, node: Node, scope: tuple[Var, ...], *, choosing: bool, role: str) -> Found:
        """Yield the changes of a node itself."""
        match node:
            case tree.Number(value=value):
                yield "a number", replace(node, value=value + 1)
            case tree.Name(text=text):
                yield f"a name: {role}", replace(node, text=self._another(role, text))
            case tree.Names(texts=texts):
                yield "a name of a list", replace(node, texts=(*texts[:-1], OTHER))
                if len(texts) > 1:
                    yield "a name of a list left out", replace(node, texts=texts[:-1])
            case tree.Use(var=var):
                for other in dict.fromkeys(scope):
                    if other is not var and other.type is var.type and other.live == var.live:
                        yield "another variable", replace(node, var=other)
                if var.type is Type.PLAYER:
                    yield "the current player for a variable", tree.Relative(node.at, "current", "player")
            case tree.Ref() | tree.Place():
                yield from self._whose(node)
            case tree.Compare(op=op, left=left):
                for sign in ("==", "!=", "<", "<=", ">", ">=") if left.type is Type.INT else ("==", "!="):
                    changed = replace(node, op=sign)
                    if sign != op and not self.equal.comparisons(node, changed):
                        yield "a comparison", changed
                if op not in ("==", "!="):
                    yield "a comparison turned round", replace(node, left=node.right, right=node.left)
            case tree.Logic(op=op):
                yield "and, or", replace(node, op="or" if op == "and" else "and")
            case tree.Not(of=of):
                yield "not", of
            case tree.Quantified(op=op):
                yield "any, all", replace(node, op="all" if op == "any" else "any")
            case tree.Relative(which=which):
                for relation in ("current", "next", "previous"):
                    if relation != which:
                        yield "which player", replace(node, which=relation)
            case tree.Everybody():
                yield "everybody", tree.Others(node.at, node.kind)
            case tree.Others():
                yield "the others", tree.Everybody(node.at, node.kind)
            case tree.CardAt(where=str() as where) if role != "forgotten":
                yield "an end", replace(node, where="bottom" if where == "top" else "top")
            case tree.Target(where=str() as where) | tree.GroupAt(where=str() as where):
                yield "an end", replace(node, where="bottom" if where == "top" else "top")
            case tree.Slice(end=end) | tree.RunAt(end=end):
                yield "an end", replace(node, end="bottom" if end == "top" else "top")
            case tree.Extreme(op=best):
                yield "max, min", replace(node, op="min" if best == "max" else "max")
            case tree.Scoring(op=best):
                yield "max, min", replace(node, op="min" if best == "max" else "max")
            case tree.Arith(op=arith) if constant(node) is None:
                for sign in ("+", "-", "*", "//", "%", "^"):
                    if sign != arith:
                        yield "a sign", replace(node, op=sign)  # type: ignore[arg-type]
                if arith in ("-", "//", "%", "^"):
                    yield "the sides of a sign", replace(node, left=node.right, right=node.left)
            case tree.Filter(over=over):
                yield "a filter left out", over
            case tree.Runs(which=runs):
                yield "which runs", replace(node, which="all" if runs == "largest" else "largest")
            case tree.Combined(op=combined):
                for word in ("union", "intersect", "disjunction"):
                    if word != combined:
                        yield "a combination", replace(node, op=word)
            case tree.Sorted(cards=cards):
                yield "an order left out", cards
            case tree.SetNumber(op=change):
                for word in ("set", "inc", "dec"):
                    if word != change:
                        yield "set, inc, dec", replace(node, op=word)  # type: ignore[arg-type]
            case tree.Cycle(op=cycle):
                yield "next, current", replace(node, op="current" if cycle == "next" else "next")
            case tree.RepeatAll(action=action) | tree.Repeat(action=action):
                yield "once for several times", action
            case tree.When(body=body):
                yield "a condition left out", body
                yield from _first_only(body, lambda one: replace(node, body=one))
            case tree.ForEach(op=many, step=step, var=var):
                if choosing:
                    yield "any, all of a step", replace(node, op="all" if many == "any" else "any")
                if not choosing or many == "all":
                    yield from _first_only(step, lambda one: replace(node, step=one), var)
            case tree.Do(steps=(tree.When() as first, _, *_)):
                yield "a condition for all", replace(first, body=replace(node, steps=(first.body, *node.steps[1:])))
            case tree.Stage(kind=kind, blocks=blocks):
                if self.teams:
                    yield "whose turns", replace(node, kind="team" if kind == "player" else "player")
                yield "a stage left out", tree.Do(node.at, ()) if len(blocks) != 1 else blocks[0]
            case tree.Choice(steps=steps, players=None) if len(steps) > 1:
                yield "all for a choice", tree.Do(node.at, steps)
            case tree.AttributeValue(text=text) if role in self.equal.asked and text in self.names.get("value", ()):
                yield "a value of cards", replace(node, text=OTHER)
            case tree.CreateDeck(kind=piece):
                yield "what pieces are", replace(node, kind="tokens" if piece == "deck" else "deck")

    @staticmethod
    def _whose(node: tree.Ref | tree.Place) -> Found:
        table = isinstance(node.who, Table)
        if table:
            yield "whose", replace(node, who=tree.Relative(node.at, "current", "player"))
        elif node.who.type is Type.PLAYER:  # type: ignore[union-attr]
            yield "whose", replace(node, who=Table(node.at))
        if node.vis == "mem" or getattr(node, "what", "") == "points":
            return
        for word in ("vloc", "iloc", "hloc", "oloc"):
            if word != node.vis and not (table and {word, node.vis} in ({"iloc", "hloc"}, {"vloc", "oloc"})):
                yield "who sees it", replace(node, vis=word)

    def _another(self, role: str, text: str) -> str:
        """Return another name for one in a role: the next of those there are, else one that is nowhere."""
        there = self.names.get(role, [])
        if text not in there or len(there) < 2:
            return OTHER
        return there[(there.index(text) + 1) % len(there)]


def _first_only(body: Node, around: Callable[[Any], tree.Action], var: Var | None = None) -> Found:
    """Yield a step whose condition or loop holds for its first part only, if it has several."""
    if isinstance(body, tree.Do) and len(body.steps) > 1:
        first, *rest = body.steps
        if not any(isinstance(use, tree.Use) and use.var is var for use in tree.walk(tuple(rest))):
            yield "what belongs to a condition or a loop", replace(body, steps=(around(first), *rest))


def _role(node: Node, field: str, held: object) -> str:
    """Return what a field is for: of a name, what it names."""
    if isinstance(node, tree.Attribute):
        return node.key
    if isinstance(held, tuple):
        return field
    if isinstance(node, tree.Place) and field == "name":
        return f"place {node.vis} {'of the table' if isinstance(node.who, Table) else 'of a player'}"
    if isinstance(node, tree.Ref) and field == "name":
        return f"store {node.what} {'of the table' if isinstance(node.who, Table) else 'of a player'}"
    return "forgotten" if isinstance(node, tree.Forget) else "attribute" if field == "key" else "value"


def _names_in(node: Node) -> Iterator[tuple[str, str]]:
    for field in fields(node):
        held = getattr(node, field.name)
        if isinstance(held, tree.Name):
            yield _role(node, field.name, held), held.text
    if isinstance(node, tree.Award):
        for pair in node.pairs:
            for role, name in zip(("attribute", "value"), pair, strict=True):
                if isinstance(name, tree.Name):
                    yield role, name.text
