"""When a player must pass, and everybody can see it: as a Python function of what everybody sees.

The function never reads a card or a store that is hidden from anybody. An option that depends on one counts as
possible, unless no cards at all would allow it: a hand of one card has no pair, and no card is higher than the
highest. So two positions that look alike to everybody always get the same answer.

Which choice is made must be as public as its options: a text may offer one that is no more than a pass to those who
have nothing, so that nobody can tell who that is. Texts in which a stage ends because of hidden things therefore have
no such function, unless they have a single choice. Whose turn it is and who is next counts as public.

Source: ``docs/recycle.md``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from games.recycle import tree
from games.recycle.compiler.code import Code
from games.recycle.compiler.values import LOCALS, Values
from games.recycle.logic import OPPOSITE
from games.recycle.tree import Type

_SEEN = ("vloc", "mem")  # places whose cards everybody sees
_SETTING = tree.SetNumber | tree.SetName | tree.SetPlayer
_POSSIBLE, _IMPOSSIBLE = "True", "False"


class Passes:
    """Writes the function of a choice that says whether its player must pass."""

    def __init__(self, game: tree.GameNode, choices: Sequence[tree.Choice], values: Values, code: Code) -> None:
        self.values, self.code = values, code
        self._possible = [any(map(_has_pass, choice.steps)) for choice in choices]
        # Variables whose value is hidden, each with cards of which there are at least as many as in it, if any.
        self._hidden: dict[tree.Var, tree.Value | None] = {}
        if len(choices) > 1 and any(self._possible) and not _Course(game).is_public:
            self._possible = [False] * len(choices)

    def function(self, name: str, number: int, choice: tree.Choice) -> bool:
        """Write ``name(s)``. Return False, and write nothing, if nobody can ever tell."""
        if not self._possible[number - 1]:
            return False
        values, code = self.values, self.code
        random = values.random
        with code.of(choice.at), code.function(f"{name}(s)", **LOCALS, cur="s.cur"):
            code.line("n = 0")
            for step in choice.steps:
                self._step(step, certain=True)
            code.line("return n == 1")
        values.random = random
        return True

    def _step(self, step: tree.Action, *, certain: bool) -> None:
        """Write a step. ``certain``: how often it is offered does not depend on anything hidden."""
        code, values = self.code, self.values
        if not code.has_room:  # such a choice can be compiled: its options are found by several functions
            code.line("return False")
            return
        if _is_pass(step):
            code.line("n += 1" if certain else "return False")
            return
        match step:
            case tree.Do(steps=(only,)):
                self._step(only, certain=certain)
            case tree.When(test=test, body=body):
                with code.block(f"if {self._can_be(test, True)}:"):
                    self._step(body, certain=certain)
            case tree.Let(value=value, var=var, step=inner):
                if self._public(value) and not isinstance(value, tree.Place):
                    values.variables[var] = values.fresh("v")
                    code.line(f"{values.variables[var]} = {values.value(value)}")
                else:
                    self._hidden[var] = value
                self._step(inner, certain=certain)
            case tree.ForEach(op="any", over=over, var=var, step=inner) if self._public(over):
                if code.in_loop:  # as slow as making all the options, which are limited in number
                    code.line("return False")
                    return
                name = values.fresh("v")
                with code.loop(f"for {name} in {values.collection(over)}:"), values.bound(var, name, over):
                    self._step(inner, certain=certain)
            case tree.ForEach(op="any", over=over, var=var, step=inner):
                with code.block(f"if {self._can_have_any(over)}:"):
                    self._hidden[var] = _cards_of_members(over)
                    self._step(inner, certain=False)
            case _:
                code.line("return False")

    # -- what can be, as far as everybody sees: as Python tests

    def _can_be(self, test: tree.Value, want: bool) -> str:
        """Return the test whether another test can hold, or fail if not ``want``."""
        if self._public(test):
            return self.values.value(test) if want else f"(not {self.values.value(test)})"
        match test:
            case tree.Not(of=of):
                return self._can_be(of, not want)
            case tree.Logic(op=op, parts=parts):
                return _joined("and" if (op == "and") == want else "or", [self._can_be(part, want) for part in parts])
            case tree.Quantified(op=op, over=over, var=var, test=inner) if (op == "any") == want:
                self._hidden[var] = _cards_of_members(over)
                return _joined("and", [self._can_have_any(over), self._can_be(inner, want)])
            case tree.Compare(op=op, left=left, right=right) if left.type is Type.INT:
                return self._can_compare(op if want else OPPOSITE[op], self._between(left), self._between(right))
        return _POSSIBLE

    @staticmethod
    def _can_compare(op: str, left: tuple[str, str], right: tuple[str, str]) -> str:
        (low, high), (low2, high2) = left, right
        if op in ("<", "<="):
            return f"({low} {op} {high2})" if low and high2 else _POSSIBLE
        if op in (">", ">="):
            return f"({high} {op} {low2})" if high and low2 else _POSSIBLE
        if op == "==":
            less = f"({low} <= {high2})" if low and high2 else _POSSIBLE
            more = f"({high} >= {low2})" if high and low2 else _POSSIBLE
            return _joined("and", [less, more])
        return _POSSIBLE

    def _can_have_any(self, over: tree.Value) -> str:
        """Return the test whether a collection can have members."""
        if self._public(over):
            return f"bool({self.values.value(over)})"
        match over:
            case tree.Place() if most := self._most(over):
                return f"({most} > 0)"
            case tree.Filter(over=inner, var=var, test=test):
                self._hidden[var] = _cards_of_members(inner)
                return _joined("and", [self._can_have_any(inner), self._can_be(test, True)])
            case tree.Partition(parts=(cards,)) | tree.Sorted(cards=cards) | tree.Slice(cards=cards):
                return self._can_have_any(cards)
            case (
                tree.Tuples(count=least, cards=cards)
                | tree.Selections(count=least, cards=cards)
                | tree.Runs(least=least, cards=cards)
            ):
                return self._can_compare(">=", ("", self._most(cards)), self._between(least))
            case tree.Range(low=low, high=high):
                return self._can_compare("<=", self._between(low), self._between(high))
        return _POSSIBLE

    def _between(self, number: tree.Value) -> tuple[str, str]:
        """Return the lowest and the highest value that a number can have; "": any."""
        if self._public(number):
            value = self.values.value(number)
            return value, value
        match number:
            case tree.Size(of=of):
                return "0", self._most(of)
            case tree.Score(using=using) if self._public(using):
                scores = self.values.scores(using)
                return f"min({scores})", f"max({scores})"
        return "", ""

    def _most(self, cards: tree.Value) -> str:
        """Return how many members a collection has at most; "": any number."""
        if self._public(cards):
            return f"len({self.values.value(cards)})"
        match cards:
            case tree.Place(who=who, name=name) if self._public((who, name)):
                return f"len({self.values.value(cards)})"
            case tree.Use(var=var) if (others := self._hidden.get(var)) is not None:
                return self._most(others)
            case tree.Filter(over=inner) | tree.Sorted(cards=inner) | tree.Slice(cards=inner):
                return self._most(inner)
        return ""

    def _public(self, node: object) -> bool:
        return is_public(node, self._hidden)


def is_public(node: object, hidden: Collection[tree.Var], *, next_known: bool = False) -> bool:
    """Return whether everybody can work out a value, in a position in which a player is to choose.

    ``hidden``: the variables whose values not everybody knows. ``next_known``: also whose team's turn it is, and who is
    next.
    """
    match node:
        case tree.Random() | tree.Extreme() | tree.OwnerOf():
            return False  # drawn; or by where a card lies, even one that is only remembered
        case tree.Relative(kind="team") | tree.Others(kind="team") | tree.Relative(which="next"):
            return next_known
        case tree.Use(var=var):
            known = var.how != "declare" or var.type not in (Type.CARD, Type.CARDS, Type.GROUPS)
            return known and not var.live and var not in hidden
        case tree.Place(vis=vis):
            if vis not in _SEEN:
                return False
        case tree.Ref(vis=vis):
            if vis != "vloc":
                return False
        case tree.Size(of=tree.Place(who=who, name=name)):
            return is_public((who, name), hidden, next_known=next_known)
        case tree.Compare(left=left) if left.type is Type.CARD:
            return False  # whether two cards that look alike are the same one
        case tuple():
            return all(is_public(part, hidden, next_known=next_known) for part in node)
    return not isinstance(node, tree.Node) or is_public(tuple(tree.parts(node)), hidden, next_known=next_known)


def _cards_of_members(over: tree.Value) -> tree.Value | None:
    """Return cards of which there are at least as many as in each member of a collection of groups."""
    match over:
        case tree.Filter(over=inner):
            return _cards_of_members(inner)
        case tree.Partition(parts=(cards,)) | tree.Subsets(cards=cards) | tree.Selections(cards=cards):
            return cards
        case tree.Tuples(cards=cards) | tree.Runs(cards=cards):
            return cards
    return None


def _joined(op: str, tests: Sequence[str]) -> str:
    """Return tests with "and" or "or" between them, without those that make no difference."""
    decisive, idle = (_IMPOSSIBLE, _POSSIBLE) if op == "and" else (_POSSIBLE, _IMPOSSIBLE)
    if decisive in tests:
        return decisive
    return "(" + f" {op} ".join([test for test in tests if test != idle] or [idle]) + ")"


def _is_pass(step: tree.Action) -> bool:
    """Return whether a step is to pass: no card moves, and nothing is chosen."""
    if isinstance(step, tree.Do):
        actions = step.steps
        return any(map(_is_pass, actions)) and all(
            _is_pass(one) or isinstance(one, _SETTING | tree.Cycle) for one in actions
        )
    return isinstance(step, tree.Pass)


def _has_pass(step: tree.Action) -> bool:
    return any(isinstance(node, tree.Pass) for node in tree.walk(step))


class _Course:
    """Whether everybody can follow which choice comes next: no stage ends because of anything hidden."""

    def __init__(self, game: tree.GameNode) -> None:
        # Stores and places that have changed because of something hidden, by name, and hidden variables.
        self._changed: set[str] = set()
        self._hidden: set[tree.Var] = set()
        ends = [node.end for node in tree.walk(game.blocks) if isinstance(node, tree.Stage)]
        before = -1
        while before < len(self._changed):
            before = len(self._changed)
            for block in _steps(game.blocks):
                self._follow(block, public=True)
        self.is_public = all(map(self._sees, ends))

    def _follow(self, step: object, *, public: bool) -> None:
        """Note what a step changes. ``public``: whether it is taken depends on nothing hidden."""
        match step:
            case tree.Choice(steps=steps):
                for option in steps:
                    self._option(option)
            case tree.When(test=test, body=body):
                self._follow(body, public=public and self._sees(test))
            case tree.Let(value=value, var=var, step=inner):
                if not self._sees(value):
                    self._hidden.add(var)
                self._follow(inner, public=public)
            case tree.ForEach(over=over, var=var, step=inner):
                if not self._sees(over):
                    self._hidden.add(var)
                self._follow(inner, public=public and var not in self._hidden)
            case tree.Do(steps=steps):
                for one in steps:
                    self._follow(one, public=public)
            case tree.Repeat(count=count, action=action):
                self._follow(action, public=public and self._sees(count))
            case (
                tree.SetNumber(ref=ref, value=value)
                | tree.SetName(ref=ref, value=value)
                | tree.SetPlayer(ref=ref, value=value)
            ):
                self._set(ref, public=public and self._sees(value))
            case tree.SetPoints(ref=ref, awards=awards):
                self._set(ref, public=public and self._sees(awards))
            case tree.Node() if not public:
                self._changed.update(_names(step))

    def _option(self, step: tree.Action) -> None:
        """Note what an option changes: everybody sees that it was chosen, and the cards that it opens."""
        match step:
            case tree.When(body=body):
                self._option(body)
            case tree.ForEach(over=over, var=var, step=inner):
                if not self._sees(over):
                    self._hidden.add(var)
                self._option(inner)
            case _:
                self._follow(step, public=True)

    def _set(self, ref: tree.Ref, *, public: bool) -> None:
        if not public or not self._sees((ref.who, ref.name)):
            self._changed.update(_names(ref))

    def _sees(self, node: object) -> bool:
        if not is_public(node, self._hidden, next_known=True):
            return False
        names = set(_names(node))
        return not self._changed or not (names & self._changed or "" in names or ("" in self._changed and names))


def _names(node: object) -> Iterator[str]:
    """Yield the names of all places and stores in a node; "" for one that is only known in play."""
    for one in tree.walk(node):
        if isinstance(one, tree.Place | tree.Ref):
            yield tree.address_of(one).name


def _steps(blocks: Sequence[tree.Block]) -> Iterator[tree.Block]:
    for block in blocks:
        if isinstance(block, tree.Stage):
            yield from _steps(block.blocks)
        else:
            yield block
