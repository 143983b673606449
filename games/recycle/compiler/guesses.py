"""What a seat believes of a secret store: a function that draws what a statement may have stored there.

A seat knows by which statements a store was set, but not to what. So such a statement is reached once more: of each
collection on the way any member is taken, and tests must hold as they did then. That is done in a determinization:
everything else that the seat does not know has been drawn already.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.recycle import tree
from games.recycle.compiler.actions import Actions
from games.recycle.compiler.code import Code
from games.recycle.compiler.values import LOCALS, Values
from games.recycle.tree import Type

Setting = tree.SetNumber | tree.SetName | tree.SetPlayer
Path = tuple[tree.ForEach | tree.Let | tree.When, ...]

TRIES = 20  # until the tests on the way hold


class Guesses:
    """Writes the functions ``guess_0``, ``guess_1``, ..., each for a statement that sets a secret store.

    ``groups``: the numbers of those that one cannot tell apart. All options of choices that set stores of one name are
    such a group, for which one was taken is not seen. ``of``: by statement, the number of its group.
    """

    def __init__(self, values: Values, actions: Actions, code: Code) -> None:
        self.values, self.actions, self.code = values, actions, code
        self.groups: list[list[int]] = []
        self.of: dict[int, int] = {}
        self._count = 0

    def write(self, blocks: Sequence[tree.Block]) -> None:
        """Write a function for each statement in some blocks that sets a secret store."""
        found = list(_settings(blocks, (), chosen=False))
        named = {_kind(node) for node, _, _ in found if not isinstance(node.ref.name, tree.Name)}
        alike: dict[tuple[str, ...], int] = {}
        for node, path, chosen in found:
            kind = _kind(node)
            if chosen and isinstance(node.ref.name, tree.Name) and kind not in named:
                kind = (*kind, node.ref.name.text)
            group = alike.setdefault(kind, len(self.groups)) if chosen else len(self.groups)
            if group == len(self.groups):
                self.groups.append([])
            self.groups[group].append(self._count)
            self.of[id(node)] = group
            self._function(node, path)
            self._count += 1

    def _function(self, node: Setting, path: Path) -> None:
        """Write ``guess_N(s, cur, own, before, ch)``: the owner of the store is known, and its value before."""
        values, code = self.values, self.code
        values.chance, values.current = "ch", "cur"
        with code.of(node.at), code.function(f"guess_{self._count}(s, cur, own, before, ch)", **LOCALS):
            with code.loop(f"for _ in range({TRIES}):"), values.deeper():
                for step in path:
                    self._on_the_way(step, node)
                value = values.value(node.value)
                sign = (
                    {"inc": "before + ", "dec": "before - "}.get(node.op, "")
                    if isinstance(node, tree.SetNumber)
                    else ""
                )
                code.line(f"return number({sign}{value})" if node.ref.what == "sto" else f"return {value}")
            code.line("return before")
        values.chance = "s.chance"

    def _on_the_way(self, step: tree.ForEach | tree.Let | tree.When, node: Setting) -> None:
        values, code = self.values, self.code
        match step:
            case tree.Let():
                self.actions.bind(step)
            case tree.When(test=test):
                code.line(f"if not {values.value(test)}: continue")
            case tree.ForEach(over=over, var=var):
                name, who = values.fresh("v"), node.ref.who
                owner = isinstance(who, tree.Use) and who.var is var and var.type in (Type.PLAYER, Type.TEAM)
                code.line(f"{name} = own" if owner else f"{name} = picked(ch, counted(s, {values.value(over)}))")
                values.variables[var] = name


def _kind(node: Setting) -> tuple[str, ...]:
    """Return what stores have in common that may be one."""
    owner = "game" if isinstance(node.ref.who, tree.Table) else node.ref.who.type.name
    return node.ref.word, owner


def _settings(node: object, path: Path, *, chosen: bool) -> Iterator[tuple[Setting, Path, bool]]:
    """Yield each statement that sets a secret store, the way to it, and whether it is in a choice."""
    match node:
        case tree.SetNumber() | tree.SetName() | tree.SetPlayer():
            if node.ref.vis != "vloc":
                yield node, path, chosen
        case tree.Choice(steps=steps):
            yield from _settings(steps, (), chosen=True)
        case tree.ForEach(step=inner) | tree.Let(step=inner) | tree.When(body=inner):
            yield from _settings(inner, (*path, node), chosen=chosen)
        case tree.Do(steps=inner) | tree.Stage(blocks=inner) | tree.Repeat(action=inner):
            yield from _settings(inner, path, chosen=chosen)
        case tuple():
            for one in node:
                yield from _settings(one, path, chosen=chosen)
