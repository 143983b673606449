"""Actions as statements: executed at once, tried out, or recorded as what an option will do.

There are two versions of a program. The *quiet* one is for roll-outs, where nobody looks: many actions are inlined. In
the *recorded* one every action goes through ``perform`` of ``machine.py``, which also keeps the record of who has seen
what, and the events for the log.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TypeVar

from games.core.messages import message
from games.recycle import tree
from games.recycle.awards import AwardReason
from games.recycle.compiler.code import CannotCompile, Code
from games.recycle.compiler.values import FEW, Values
from games.recycle.machine import ACTION, Op
from games.recycle.tree import Type, Var, bare

N = TypeVar("N", bound=tree.Node)
Simple = Callable[[tree.Action], None]
Again = Callable[[tree.Action], AbstractContextManager[object]]

_STEP = {"set": "", "inc": "I[{}] + ", "dec": "I[{}] - "}
_LOCAL = re.compile(r"\b[a-z]\d+\b")
_BOUND = re.compile(r"\bfor ([a-z]\d+) in|\b([a-z]\d+) :=")  # in an expression itself
_CALLS = re.compile(r"\w\(|\[")
# Values that do not depend on draws, and values that do not depend on moves.
_SETTLED = (tree.Number, tree.Name, tree.Names, tree.Use, tree.Table, tree.Numbered, tree.Arith, tree.Ref, tree.Place)
_SIMPLE = (
    tree.SetNumber,
    tree.SetName,
    tree.SetPlayer,
    tree.Reveal,
    tree.SetPoints,
    tree.Move,
    tree.Remember,
    tree.Forget,
    tree.Shuffle,
    tree.Roll,
    tree.Pass,
    tree.Cycle,
    tree.CreateDeck,
    tree.CreateTeams,
)
_LASTING = (*_SETTLED, tree.Relative, tree.Stored)


class Actions:
    """Writes actions. ``nodes`` are numbered as they are written: the node each action comes from.

    ``award_reasons``: by the ``id`` of a step that awards points, why.
    """

    def __init__(
        self, values: Values, code: Code, decks: list[tree.CreateDeck], award_reasons: Mapping[int, AwardReason]
    ) -> None:
        self.values, self.code = values, code
        self.decks, self.award_reasons = decks, award_reasons
        self.nodes: list[tree.Action] = []
        self._numbers: dict[int, int] = {}
        self.point_maps: list[tree.SetPoints] = []
        self.kept_teams: list[tree.CreateTeams] = []
        self._memory: dict[Var, str] = {}  # of variables that go through a memory: its number
        self._vis: dict[Var, str] = {}  # of variables that are bound to a place
        self._kept: dict[int, Var] = {}  # by ``repeat all``: the variable that keeps its collection
        self._made: list[tree.Action] = []  # nodes that were made here: known by identity, so they are kept
        # Whether something was drawn before in the option that is being written: then what an action does is settled
        # only when the option is taken.
        self.unsure = False

    # -- variables

    def declared(self, declare: tree.Declare) -> None:
        """Note what a declared variable is bound to, if that is a place."""
        if self.values.is_place(declare.value):
            self._vis[declare.var] = self._vis_of(declare.value)

    def bind(self, let: tree.Let) -> None:
        """Write the binding of a variable."""
        name = self.values.fresh("v")
        if self.values.is_place(let.value):
            self.code.line(f"{name} = {self.values.spot(let.value)}")
            self.values.live[let.var] = name
            self._vis[let.var] = self._vis_of(let.value)
        else:
            self.code.line(f"{name} = {self.values.value(let.value)}")
            self.values.variables[let.var] = name

    def listed(self, step: tree.ForEach) -> None:
        """Note that a variable goes through a memory, if it does."""
        if self.values.is_place(step.over) and self._vis_of(step.over) == "mem":
            self._memory[step.var] = self.values.spot(step.over)

    def _vis_of(self, place: tree.Value) -> str:
        return vis_of(place, self._vis)

    # -- the tuple of an action

    def number(self, node: tree.Action) -> int:
        """Return the number of a node."""
        if id(node) not in self._numbers:
            self._numbers[id(node)] = len(self.nodes)
            self.nodes.append(node)
        return self._numbers[id(node)]

    def record(self, step: tree.Action, *, later: bool = True) -> str:
        """Return the expression for a simple action. ``later``: it is carried out later, and draws then."""
        if not later or isinstance(step, tree.Shuffle) or not (draws(step) or (self.unsure and not _settled(step))):
            return self._record(step)
        values = self.values
        before, values.chance = values.chance, "s.chance"
        if isinstance(step, tree.SetNumber) and not self.unsure and not draws(step.ref):
            slot, again = self._twice(values.slot(step.ref))
            new = self._later(f"{_STEP[step.op].format(again)}{values.value(step.value)}")
            found = f"({Op.NUMBER}, {self.number(step)}, {slot}, {new})"
        else:
            found = f"({Op.DRAWN}, {self.number(step)}, {self._later(self._record(step))})"
        values.chance = before
        return found

    def certain(self, step: tree.Action) -> bool:
        """Return whether an action need not be tried if no other follows: it draws nothing, and it can be done."""
        step = tree.unwrapped(step)
        if draws(step) or (self.unsure and not _settled(step)):
            return False
        match step:
            case tree.Move(to=to) | tree.Remember(to=to):
                return isinstance(to.where, str)
            case tree.Forget(card=card):
                return self._forgotten(card) != "-1"
            case tree.Shuffle(second=None) | tree.Roll() | tree.CreateTeams():
                return False
        return True

    def of_group(self, step: tree.Action) -> str:
        """Return the moves of a whole group of cards, as a list; "" if they have to be tried one after the other.

        The group is what a variable stands for, so all its cards are known before the first one moves. From the top:
        a card that is in it twice goes out of it at the top first.
        """
        match step:
            case tree.RepeatAll(
                action=tree.Move(card=tree.CardAt(where="top", cards=tree.Use() as group), to=to) as move
            ) if isinstance(to.where, str) and not self.values.is_place(group) and not self.unsure:
                if not _lasting(to.place):
                    return ""
                one, cards = self.values.fresh("v"), f"{self.values.value(group)}[::-1]"
                if not self.values.few(group):
                    cards = f"counted(s, {cards}, {steps_of(move)})"
                moved = f"({Op.MOVE}, {self.number(move)}, {one}, {self.values.spot(to.place)}, {self._position(to)})"
                return f"[{moved} for {one} in {cards}]"
        return ""

    def _later(self, expression: str) -> str:
        """Return a function that works an expression out, with variables as they are now."""
        inner = {name for found in _BOUND.findall(expression) for name in found}
        held = sorted(set(_LOCAL.findall(expression)) - inner)
        return f"(lambda {', '.join(f'{name}=kept({name})' for name in held)}: {expression})"

    def _twice(self, expression: str) -> tuple[str, str]:
        """Return an expression, and what to write for its value after that."""
        if steady(expression):
            return expression, expression
        name = self.values.fresh("d")
        return f"({name} := {expression})", name

    def _record(self, step: tree.Action) -> str:
        values, node = self.values, self.number(step)
        match step:
            case tree.Move(card=card, to=to):
                return f"({Op.MOVE}, {node}, {values.value(card)}, {values.spot(to.place)}, {self._position(to)})"
            case tree.SetNumber(op=op, ref=ref, value=value):
                slot, again = self._twice(values.slot(ref))
                return f"({Op.NUMBER}, {node}, {slot}, {_STEP[op].format(again)}{values.value(value)})"
            case tree.SetName(ref=ref, value=value):
                return f"({Op.NAME}, {node}, {values.slot(ref)}, {values.value(value)})"
            case tree.SetPlayer(ref=ref, value=value):
                return f"({Op.PLAYER}, {node}, {values.slot(ref)}, {values.value(value)})"
            case tree.Reveal(ref=ref):
                return f"({Op.REVEAL}, {node}, {ref.what!r}, {values.slot(ref)})"
            case tree.SetPoints(ref=ref):
                return f"({Op.POINTS}, {node}, {values.slot(ref)}, {self._point_map(step)})"
            case tree.Remember(card=card, to=to):
                return f"({Op.REMEMBER}, {node}, {values.value(card)}, {values.spot(to.place)}, {self._position(to)})"
            case tree.Forget(card=card):
                return f"({Op.FORGET}, {node}, {values.value(card)}, {self._forgotten(card)})"
            case tree.Shuffle(cards=cards, second=None):
                values.random = True
                return (
                    f"({Op.SHUFFLE}, {node}, {values.spot(cards) if values.is_place(cards) else values.value(cards)})"
                )
            case tree.Shuffle(cards=cards, second=second) if second is not None:
                for one in (cards, second):
                    if not values.is_place(one):
                        raise CannotCompile(
                            one.at,
                            message(
                                "Faro shuffles the cards of two places into each other, and these are not two places."
                            ),
                        )
                return f"({Op.FARO}, {node}, {values.spot(cards)}, {values.spot(second)})"
            case tree.Roll(cards=cards):
                values.random = True
                listed = f"[{values.value(cards)}]" if cards.type is Type.CARD else values.value(cards)
                return f"({Op.ROLL}, {node}, {values.spot(cards) if values.is_place(cards) else listed})"
            case tree.Pass():
                return f"({Op.PASS}, {node})"
            case tree.Cycle(op=op, player=player):
                return f"({Op.NEXT if op == 'next' else Op.CURRENT}, {node}, {values.value(player)})"
            case tree.CreateDeck(place=place):
                return f"({Op.DECK}, {node}, {_place_in(self.decks, step)}, {values.spot(place)})"
            case tree.CreateTeams():
                return f"({Op.TEAMS}, {node}, {_place_in(self.kept_teams, step)})"
        raise TypeError(f"{type(step).__name__} is no simple action.")

    def _position(self, to: tree.Target) -> str:
        if isinstance(to.where, str):
            return "-1" if to.where == "top" else "0"
        return f"index({self.values.value(to.where)})"

    def _point_map(self, step: tree.SetPoints) -> str:
        """Return the expression for a point map: looked up by what in its awards is not fixed."""
        which = _place_in(self.point_maps, step)
        parts = [
            (value, self.values.value(value))
            for award in step.awards
            for value in (*(part for pair in award.pairs for part in pair), award.value)
        ]
        open_parts = [written for value, written in parts if not isinstance(value, tree.Name | tree.Number)]
        found = f"points({which}, ({''.join(f'{part}, ' for part in open_parts)}))"
        return found if not self.values.depth and self.values.cards <= FEW else f"counted(s, {found})"

    def _forgotten(self, card: tree.Value) -> str:
        """Return the number of the memory out of which a card is taken; -1: of all that have it."""
        card = bare(card)
        if isinstance(card, tree.Use):
            return self._memory.get(card.var, "-1")
        if isinstance(card, tree.CardAt | tree.Extreme) and self.values.is_place(card.cards):
            return self.values.spot(card.cards)
        return "-1"

    def _list(self, card: tree.Value) -> str:
        """Return the list, other than a real place, that names a card which is taken: "" if there is none."""
        card = bare(card)
        if isinstance(card, tree.CardAt | tree.Extreme):
            cards = card.cards
            if self.values.is_place(cards):
                return self.values.value(cards) if self._vis_of(cards) == "mem" else ""
            if isinstance(cards, tree.Use) or _of_variable(cards):
                return self.values.value(cards)
        return ""

    # -- steps

    def _write(self, step: tree.Action, simple: Simple, again: Again) -> None:
        """Write a step: ``simple`` writes an action that has no steps in it; what is repeated stands in ``again``."""
        code, values = self.code, self.values
        with code.of(step.at):
            match step:
                case tree.Do(steps=steps):
                    for inner in steps:
                        self._write(inner, simple, again)
                case tree.When(test=test, body=body):
                    with code.block(f"if {values.value(test)}:"):
                        self._write(body, simple, again)
                case tree.Let():
                    self.bind(step)
                    self._write(step.step, simple, again)
                case tree.ForEach(over=over, var=var, step=inner):
                    name = values.fresh("v")
                    going = values.value(over)
                    if not values.few(over):
                        going = f"counted(s, {going}, {steps_of(inner)})"
                    if over.type in (Type.CARDS, Type.GROUPS) and not isinstance(over, tree.Filter):
                        going = f"{going}[:]"  # what the steps move does not change through what they go
                    with code.loop(f"for {name} in {going}:"), values.bound(var, name, over), again(inner):
                        self.listed(step)
                        self._write(inner, simple, again)
                case tree.Repeat(action=action):
                    with code.loop(f"for _ in {self._times(step)}:"), values.deeper(), again(action):
                        self._write(action, simple, again)
                case tree.RepeatAll() if not self._all_at_once(step, simple):
                    with code.loop(f"for _ in {self._all(step)}:"), values.deeper(), again(step):
                        self._write(self._one(step), simple, again)
                case tree.RepeatAll():
                    pass  # it has been written
                case _:
                    simple(step)

    # -- tried out

    def tried(self, step: tree.Action, done: str) -> None:
        """Write a step that is carried out for the time being: what it did is noted in the list ``done``."""

        def simple(step: tree.Action) -> None:
            held = self._list(step.card) if isinstance(step, tree.Move) else ""
            self.code.line(f"attempt(s, {done}, {self.record(step)}{f', {held}' if held else ''})")
            self.unsure |= unsettles(step)

        before = self.unsure
        self._write(step, simple, self._drawing)
        self.unsure = before

    @contextmanager
    def _drawing(self, step: tree.Action) -> Iterator[None]:
        """Within: a step is written that is done again and again, so that what it draws comes before it, too."""
        before = self.unsure
        self.unsure |= unsettles(step)
        yield
        self.unsure = before

    def _times(self, step: tree.Repeat) -> str:
        """Return how often a step is repeated, as something to go through."""
        if not self.values.depth and isinstance(step.count, tree.Number) and step.count.value <= FEW:
            return f"range({step.count.value})"
        return f"counted(s, times({self.values.value(step.count)}), {steps_of(step.action)})"

    def _all(self, step: tree.RepeatAll) -> str:
        """Return how often a ``repeat all`` is carried out; a computed collection is kept in a variable first."""
        card = bare(step.action.card)
        if not isinstance(card, tree.CardAt | tree.Extreme):
            return "range(1)"
        cards = card.cards
        if not self.values.is_place(cards) and not isinstance(cards, tree.Use) and not _of_variable(cards):
            kept = Var("", Type.CARDS, card.cards.at, "let")
            name = self.values.fresh("v")
            self.code.line(f"{name} = list({self.values.value(card.cards)})")
            self.values.variables[kept] = name
            self._kept[id(step)] = kept
            found = name
        else:
            found = self.values.value(cards)
        if self.values.few(cards):
            return f"range(len({found}))"
        return f"counted(s, range(len({found})), {steps_of(step.action)})"

    def _one(self, step: tree.RepeatAll) -> tree.Move | tree.Forget:
        """Return the action that a ``repeat all`` repeats, out of the variable that keeps the collection if any."""
        kept = self._kept.get(id(step))
        if kept is None:
            return step.action
        card = bare(step.action.card)
        use = tree.Use(card.at, kept)
        if isinstance(card, tree.CardAt):
            card = tree.CardAt(card.at, card.where, use)
        elif isinstance(card, tree.Extreme):
            card = tree.Extreme(card.at, card.op, use, card.using)
        if isinstance(step.action, tree.Forget):
            return tree.Forget(step.action.at, card)
        one = tree.Move(step.action.at, card, step.action.to)
        self._numbers[id(one)] = self.number(step.action)
        self._made.append(one)
        return one

    # -- carried out at once

    def now(self, step: tree.Action, *, quiet: bool) -> None:
        """Write a step that is carried out for good."""
        self._write(step, self._quietly if quiet else self._aloud, nullcontext)

    def _aloud(self, step: tree.Action) -> None:
        award = self.award_reasons.get(id(step))
        if award and not any(isinstance(node, tree.Random | tree.Extreme) for node in tree.walk(award.cards)):
            cards = self.values.value(award.cards)
            listed = f"[{cards}]" if award.cards.type is Type.CARD else cards
            if award.if_sum:
                listed = f"{listed} if {self.values.value(award.if_sum)} == {award.number} else ()"
            self.code.line(f"award(s, {self.number(step)}, lambda: {listed})")
        held = self._list(step.card) if isinstance(step, tree.Move) else ""
        done = f"perform(s, {self.record(step, later=False)})"
        self.code.line(f"unlist({held}, {done})" if held else done)
        self._who_is_current(step)

    def _who_is_current(self, step: tree.Action) -> None:
        if isinstance(step, tree.Cycle) and step.op == "current":
            self.code.line("cur = s.cur")

    def _all_at_once(self, step: tree.RepeatAll, simple: Simple) -> bool:
        """Write the move of all cards of a place to another place, if the action is one and the program is quiet."""
        move = step.action
        if simple != self._quietly or not isinstance(move, tree.Move):
            return False
        card = move.card
        if not isinstance(card, tree.CardAt) or not isinstance(card.where, str) or not isinstance(move.to.where, str):
            return False
        if not self.values.is_place(card.cards) or self._vis_of(card.cards) == "mem":
            return False
        if not _lasting(card.cards) or not _lasting(move.to.place):  # evaluated again for each card
            return False
        source, target = self.values.spot(card.cards), self.values.spot(move.to.place)
        ends = f"{card.where == 'top'}, {move.to.where == 'top'}"
        if not self.values.few(card.cards):
            self.code.line(f"counted(s, L[{source}], {steps_of(move)})")
        self.code.line(f"move_all(s, {source}, {target}, {ends})")
        return True

    def _quietly(self, step: tree.Action) -> None:
        code, values = self.code, self.values
        match step:
            case tree.Move(card=card, to=to):
                self._move(card, to)
            case tree.SetNumber(op="set", ref=ref, value=value):
                slot = self._before(values.slot(ref))
                code.line(f"I[{slot}] = {self._bounded(value)}")
            case tree.SetNumber(op=op, ref=ref, value=value):
                slot = self._before(values.slot(ref))
                code.line(f"I[{slot}] = number({_STEP[op].format(slot)}{values.value(value)})")
            case tree.SetName(ref=ref, value=value):
                slot = self._before(values.slot(ref))
                code.line(f"S[{slot}] = {values.value(value)}")
            case tree.SetPlayer(ref=ref, value=value):
                slot = self._before(values.slot(ref))
                code.line(f"H[{slot}] = {values.value(value)}")
            case tree.SetPoints(ref=ref):
                slot = self._before(values.slot(ref))
                code.line(f"P[{slot}] = {self._point_map(step)}")
            case tree.Cycle(op="next", player=player):
                code.line(f"s.queued = {values.value(player)}")
            case tree.Pass() | tree.Reveal():
                pass
            case _:
                code.line(f"quiet(s, {self.record(step, later=False)})")
        self._who_is_current(step)

    def _bounded(self, value: tree.Value) -> str:
        written = self.values.value(value)
        small = isinstance(value, tree.Number | tree.Size | tree.Stored | tree.Random) or written.startswith("number(")
        return written if small else f"number({written})"

    def _before(self, expression: str) -> str:
        """Return what to write for a value that is worked out first, as in the tuple of an action."""
        if steady(expression):
            return expression
        name = self.values.fresh("d")
        self.code.line(f"{name} = {expression}")
        return name

    def _move(self, card: tree.Value, to: tree.Target) -> None:
        code, values = self.code, self.values
        lies, held = bare(card), self._list(card)
        taken = values.fresh("c")
        target = values.spot(to.place)
        known = isinstance(to.where, str | tree.Number)
        real = isinstance(lies, tree.CardAt) and values.is_place(lies.cards) and not held
        if isinstance(lies, tree.CardAt) and real and known and _lasting(to.place):
            if not target.isalnum():
                name = values.fresh("d")
                code.line(f"{name} = {target}")
                target = name
            place = values.value(lies.cards)
            where = {"top": "", "bottom": "0"}[lies.where] if isinstance(lies.where, str) else values.index(lies.where)
            code.line(f"{taken} = {place}.pop({where})")
            position = self._position(to)
        else:  # the card, where it goes and the position there are worked out before it is taken
            code.line(f"{taken} = {values.value(card)}")
            target, position = self._before(target), self._before(self._position(to))
            code.line(f"L[W[{taken}]].remove({taken})")
            if held:
                code.line(f"unlist({held}, {taken})")
        if to.where == "top":
            code.line(f"L[{target}].append({taken})")
        else:
            code.line(f"put(L[{target}], {position}, {taken})")
        code.line(f"W[{taken}] = {target}")


def steps_of(*done: tree.Node) -> int:
    """Return the steps that doing something once counts for, with the actions in it."""
    return 1 + ACTION * sum(isinstance(node, _SIMPLE) for one in done for node in tree.walk(one))


def _place_in(kept: list[N], step: N) -> int:
    """Return where a step stands in a list, at the end of which it is put if it is new."""
    for place, known in enumerate(kept):
        if known is step:
            return place
    kept.append(step)
    return len(kept) - 1


def vis_of(place: tree.Value, known: Mapping[Var, str]) -> str:
    """Return the visibility word of a place, or of the place a variable is bound to; "" if it is not a place."""
    if isinstance(place, tree.Use):
        return known.get(place.var, "")
    return place.vis if isinstance(place, tree.Place) else ""


def _of_variable(cards: tree.Value) -> bool:
    """Return whether cards are a group of those that a variable holds."""
    return isinstance(cards, tree.GroupAt) and isinstance(cards.groups, tree.Use)


def steady(expression: str) -> bool:
    """Return whether an expression gives the same whenever it is computed: it looks up and draws nothing."""
    return not _CALLS.search(expression)


def _lasting(place: tree.Value) -> bool:
    """Return whether an expression names the same place after any moves."""
    if isinstance(place, tree.Use):
        return True
    return all(isinstance(node, _LASTING) for node in tree.walk(place))


def _settled(step: tree.Action) -> bool:
    """Return whether an action does the same whatever was done before it in the same option."""
    return all(isinstance(node, (tree.Target, *_SETTLED)) for node in tree.walk(step) if node is not step)


def draws(value: object) -> bool:
    """Return whether a value or an action draws a random number."""
    return any(isinstance(node, tree.Random) for node in tree.walk(value))


def unsettles(step: tree.Action) -> bool:
    """Return whether what comes after a step in the same option depends on what it draws when it is taken."""
    for node in tree.walk(step):
        match node:
            case tree.Shuffle(second=None) | tree.Roll():
                return True
            case (
                tree.SetNumber()
                | tree.SetName()
                | tree.SetPlayer()
                | tree.Reveal()
                | tree.SetPoints()
                | tree.Move()
                | tree.Remember()
                | tree.Forget()
                | tree.Cycle()
            ):
                if draws(node):
                    return True
    return False
