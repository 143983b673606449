"""The options of a choice as a Python function that finds them all without changing anything.

An option is a tuple of actions (``machine.py``), one path through the steps. Steps are tried out where later ones may
read what they change, and taken back. What comes after a step, the rest of the path, is written into the step: as it is
where that is short, else as a function of the path so far.

Source: "How options are found" in ``docs/recycle.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass

from games.recycle import tree
from games.recycle.compiler.actions import Actions, steps_of, unsettles
from games.recycle.compiler.code import Code
from games.recycle.compiler.values import LOCALS, Values
from games.recycle.machine import MOST_OPTIONS

MOST_LOOPS = 12  # nested in one function; Python reads 20
MOST_REPEATS = 100  # of a step with alternatives, whose choices are nested


@dataclass(frozen=True)
class OptionPath:
    """The actions so far: the name of a tuple, if a function was handed one, and those after it."""

    before: str = ""
    after: tuple[str, ...] = ()

    def and_then(self, *actions: str) -> OptionPath:
        """Return the path with more actions."""
        return OptionPath(self.before, self.after + actions)

    @property
    def tuple(self) -> str:
        """Return the expression for the whole path."""
        if self.before and not self.after:
            return self.before
        return "(" + (f"*{self.before}, " if self.before else "") + "".join(f"{one}, " for one in self.after) + ")"


Rest = Callable[[OptionPath], None]  # writes what comes after a step


class Choices:
    """Writes the function of one choice."""

    def __init__(self, values: Values, actions: Actions, code: Code) -> None:
        self.values, self.actions, self.code = values, actions, code
        self._loops = 0

    def function(self, name: str, choice: tree.Choice) -> None:
        """Write ``name(s, ch)``, which returns all options; ``ch`` is the chance that tried steps draw from."""
        values, code = self.values, self.code
        values.chance, values.current = "ch", "s.cur" if _changes_player(choice.steps) else "cur"
        with code.of(choice.at), code.function(f"{name}(s, ch)", **LOCALS, cur="s.cur"):
            code.line("o = []")
            for step in choice.steps:
                self.actions.unsure = False
                self._step(step, OptionPath(), self._found, last=True)
            self.actions.unsure = False
            code.line("return o")
        values.chance, values.current = "s.chance", "cur"

    def drawn(self, name: str, choice: tree.Choice) -> bool:
        """Write ``name(s, ch)``, which draws one option as if from the list of all of them, without making that list.

        It returns () where it cannot. Return False if this is no choice among selections of cards that only move, or
        if something else is drawn, too.
        """
        match choice.steps:
            case (tree.ForEach(op="any", over=tree.Selections() as over, var=var, step=step),):
                pass
            case _:
                return False
        values, code, actions = self.values, self.code, self.actions
        actions.unsure = False
        values.chance, values.current = "ch", "s.cur" if _changes_player(choice.steps) else "cur"
        with code.of(choice.at), code.function(f"{name}(s, ch)", **LOCALS, cur="s.cur"):
            group = values.fresh("v")
            count, cards = values.value(over.count), values.collection(over.cards)
            code.line(f"{group} = a_selection({count}, {cards}, {MOST_OPTIONS}, ch)")
            with values.bound(var, group, over):
                moves = actions.of_group(step)
            code.line(f"return {f'(*{moves},)' if moves else '()'}")
        values.chance, values.current = "s.chance", "cur"
        return bool(moves) and not values.random

    def _found(self, path: OptionPath) -> None:
        if not path.before and not path.after:
            return  # doing nothing is not an option
        if not path.before and not path.after[0].startswith("*"):
            self.code.line(f"o.append({path.tuple})")
        else:
            self.code.line(f"offer(o, {path.tuple})")

    # -- steps

    def _step(self, step: tree.Action, path: OptionPath, rest: Rest, *, last: bool) -> None:
        """Write a step and what comes after it. ``last``: nothing comes but the option itself."""
        with self.code.of(step.at):
            if not _branches(step):
                self._straight([step], path, rest, last=last)
                return
            match step:
                case tree.Do():
                    self._steps(step.steps, path, rest, last=last)
                case tree.When():
                    self._when(step, path, rest, last=last)
                case tree.Let():
                    self.actions.bind(step)
                    self._step(step.step, path, rest, last=last)
                case tree.ForEach(op="any"):
                    self._any(step, path, rest, last=last)
                case tree.ForEach():
                    over = self._new("x")
                    self.code.line(f"{over} = list({self.values.collection(step.over)})")

                    def member(place: str) -> AbstractContextManager[object]:
                        name = self._new("v")
                        self.code.line(f"{name} = {over}[{place}]")
                        return self.values.bound(step.var, name, step.over)

                    self._repeated(step, step.step, f"len({over})", path, rest, member)
                case tree.Repeat():
                    count = self.values.value(step.count)
                    self._repeated(step, step.action, count, path, rest, lambda place: nullcontext())
                case _:
                    raise TypeError(f"{type(step).__name__} has no alternatives.")

    def _repeated(
        self,
        step: tree.Action,
        inner: tree.Action,
        count: str,
        path: OptionPath,
        rest: Rest,
        bound: Callable[[str], AbstractContextManager[object]],
    ) -> None:
        """Write a step that does an inner one so many times, as a function that calls itself for the next time.

        ``bound`` writes what the number of a time stands for, and binds it.
        """
        function, place, before, times = self._new("r"), self._new("i"), self._new("b"), self._new("n")
        self.actions.unsure |= unsettles(step)
        self.code.line(f"{times} = few_enough({count}, {MOST_REPEATS})")

        def again(done: OptionPath) -> None:
            self.code.line(f"{function}({place} + 1, {done.tuple})")

        with self._function(f"{function}({place}, {before})", inner):
            with self.code.block(f"if {place} >= {times}:"):
                rest(OptionPath(before))
                self.code.line("return")
            with bound(place):
                self._step(inner, OptionPath(before), again, last=False)
        self.code.line(f"{function}(0, {path.tuple})")

    def _steps(self, steps: Sequence[tree.Action], path: OptionPath, rest: Rest, *, last: bool) -> None:
        """Write steps one after the other: those without alternatives in one go."""
        if not steps:
            rest(path)
            return
        straight = 0
        while straight < len(steps) and not _branches(steps[straight]):
            straight += 1
        later = steps[max(straight, 1) :]
        unsure = self.actions.unsure or any(map(unsettles, steps[: max(straight, 1)]))

        def after(done: OptionPath) -> None:
            before, self.actions.unsure = self.actions.unsure, unsure
            self._steps(later, done, rest, last=last)
            self.actions.unsure = before

        if straight:
            self._straight(steps[:straight], path, after if later else rest, last=last and not later)
        else:
            self._step(steps[0], path, after if later else rest, last=last and not later)

    def _straight(self, steps: Sequence[tree.Action], path: OptionPath, rest: Rest, *, last: bool) -> None:
        """Write steps without alternatives, and what comes after them."""
        code = self.code
        step = steps[0]
        if last and len(steps) == 1:
            step = tree.unwrapped(step)
            if isinstance(step, tree.When) and _single(step.body) and self.actions.certain(step.body):
                with code.block(f"if {self.values.value(step.test)}:"):
                    rest(path.and_then(self._action(step.body)))
                if path.before or path.after:
                    with code.block("else:"):
                        rest(path)
                return
            if _single(step) and self.actions.certain(step):
                rest(path.and_then(self._action(step)))
                return
            if moves := self.actions.of_group(step):
                rest(path.and_then(f"*{moves}"))
                return
        done = self._new("q")
        if self.values.depth:
            code.line(f"step(s, {steps_of(*steps)})")
        code.line(f"{done} = []")
        before = self.actions.unsure
        for step in steps:
            self.actions.tried(step, done)
            self.actions.unsure |= unsettles(step)
        self.actions.unsure = before
        rest(path.and_then(f"*[d[0] for d in {done}]"))
        code.line(f"undo(s, {done})")

    def _action(self, step: tree.Action) -> str:
        return self.actions.record(tree.unwrapped(step))

    def _when(self, step: tree.When, path: OptionPath, rest: Rest, *, last: bool) -> None:
        after = self._shared(rest, last)
        with self.code.block(f"if {self.values.value(step.test)}:"):
            self._step(step.body, path, after, last=last)
        if not last or path.before or path.after:
            with self.code.block("else:"):
                after(path)

    def _any(self, step: tree.ForEach, path: OptionPath, rest: Rest, *, last: bool) -> None:
        code, values = self.code, self.values
        after = self._shared(rest, last)
        over = values.value(step.over)
        if not values.few(step.over):
            over = f"counted(s, {over}, {steps_of(step.step)})"
        kept = not last or path.before or path.after  # a path that goes on when there is nothing to choose from
        if kept or not (last and _single(step.step)):
            name = self._new("x")
            code.line(f"{name} = list({over})")
            over = name
        var = self._new("v")
        self._loops += 1
        deep = self._loops > MOST_LOOPS
        if kept:
            with code.block(f"if not {over}:"):
                after(path)
        with code.loop(f"for {var} in {over}:"), values.bound(step.var, var, step.over):
            self.actions.listed(step)
            if deep:
                loops, self._loops = self._loops, 0
                function = self._new("f")
                with code.function(f"{function}({var})"):
                    self._step(step.step, path, after, last=last)
                code.line(f"{function}({var})")
                self._loops = loops
            else:
                self._step(step.step, path, after, last=last)
        if last and values.depth:
            code.line("few_options(o)")
        self._loops -= 1

    def _shared(self, rest: Rest, last: bool) -> Rest:
        """Return what comes after a step as something that may be written twice."""
        if last:
            return rest
        function, before = self._new("f"), self._new("b")
        with self._function(f"{function}({before})"):
            rest(OptionPath(before))

        def call(path: OptionPath) -> None:
            self.code.line(f"{function}({path.tuple})")

        return call

    @contextmanager
    def _function(self, head: str, again: tree.Action | None = None) -> Iterator[None]:
        """Write a function that goes on with a path; within: its lines. ``again``: what it does at each call."""
        with self.code.function(head), self.values.deeper():
            if again:
                self.code.line(f"step(s, {steps_of(again)})")
            yield

    def _new(self, letter: str) -> str:
        return self.values.fresh(letter)


# -- what a step is


def _branches(step: tree.Action) -> bool:
    """Return whether a step has alternatives: an ``any`` somewhere in it."""
    match step:
        case tree.ForEach(op="any"):
            return True
        case tree.ForEach(step=inner) | tree.Let(step=inner) | tree.When(body=inner) | tree.Repeat(action=inner):
            return _branches(inner)
        case tree.Do(steps=steps):
            return any(map(_branches, steps))
    return False


def _single(step: tree.Action) -> bool:
    """Return whether a step is just one action, always."""
    step = tree.unwrapped(step)
    return not isinstance(step, tree.Do | tree.When | tree.ForEach | tree.Let | tree.Repeat | tree.RepeatAll)


def _changes_player(steps: Sequence[tree.Action]) -> bool:
    """Return whether a step may change the current player."""
    for step in steps:
        match step:
            case tree.Cycle(op="current"):
                return True
            case tree.ForEach(step=inner) | tree.Let(step=inner) | tree.When(body=inner) | tree.Repeat(action=inner):
                if _changes_player([inner]):
                    return True
            case tree.Do(steps=inner_steps):
                if _changes_player(inner_steps):
                    return True
    return False


def looks(node: object, *, count_visible: bool = False) -> bool:
    """Return whether the options can depend on cards the player does not see.

    They cannot if hidden cards are only counted, or moved by their place. ``count_visible``: the player sees how many
    there are.
    """
    match node:
        case tree.Place(vis=vis, who=who, name=name):
            seen = vis in ("vloc", "mem") or count_visible or _is_own(vis, who)
            return not seen or looks(who) or looks(name)
        case tree.Use(var=var):
            return var.live and not count_visible
        case tree.Ref(vis=vis, who=who, name=name):
            return not (vis == "vloc" or _is_own(vis, who)) or looks(who) or looks(name)
        case (
            tree.SetNumber(op="set", ref=ref, value=value)
            | tree.SetName(ref=ref, value=value)
            | tree.SetPlayer(ref=ref, value=value)
        ):
            return looks(ref.who) or looks(ref.name) or looks(value)
        case tree.Reveal(ref=ref):
            return looks(ref.who) or looks(ref.name)
        case tree.Size(of=of):
            return looks(of, count_visible=True)
        case tree.Move(to=to):
            card = tree.bare(node.card)
            by_place = isinstance(card, tree.CardAt) and isinstance(card.cards, tree.Place | tree.Use)
            taken = looks(card.cards, count_visible=True) or looks(card.where) if by_place else looks(card)  # type: ignore[union-attr]
            return taken or looks(to)
        case tree.Target(where=where, place=place):
            return looks(where) or looks(place, count_visible=True)
        case tree.Shuffle(cards=cards, second=second):
            return looks(cards, count_visible=True) or looks(second, count_visible=True)
        case tree.Roll(cards=cards):
            return looks(cards, count_visible=True)
        case tree.CreateDeck(place=place):
            return looks(place, count_visible=True)
        case tree.Let(value=value, step=step):
            return looks(value, count_visible=isinstance(value, tree.Place)) or looks(step)
        case tree.Node():
            return any(map(looks, tree.parts(node)))
    return isinstance(node, tuple) and any(map(looks, node))


def _is_own(vis: tree.Vis, who: tree.Table | tree.Value) -> bool:
    """Return whether a place or store is one that the current player, or its team, sees and others do not."""
    return vis == "iloc" and isinstance(who, tree.Relative) and who.which == "current"
