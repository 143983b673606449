"""Whether at least one of some tests always holds: for warnings about choices that can be empty.

A test becomes a formula over *questions*: whether there are no cards, whether two things are equal, how large a number
is. Every combination of answers is tried. Anything else is a question of its own. So if there are no answers for which
all tests fail, one of them always holds; but answers that are found may be impossible in play.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Any

from games.recycle.tree import (
    Compare,
    Comparison,
    Filter,
    Logic,
    Node,
    Not,
    Number,
    Quantified,
    Size,
    Span,
    Use,
    Value,
    Var,
)

MAX_COMBINATIONS = 50_000  # of answers, times tests: about a tenth of a second

Answers = dict[str, int]
Formula = Callable[[Answers], bool]


class Questions:
    """The questions that some tests ask, and which answers to each make a difference."""

    def __init__(self) -> None:
        self.answers: dict[str, set[int]] = {}

    def formula(self, test: Value) -> Formula:
        """Return a test as a function of the answers."""
        match test:
            case Logic(op="and", parts=parts):
                inner = [self.formula(part) for part in parts]
                return lambda answers: all(part(answers) for part in inner)
            case Logic(parts=parts):
                inner = [self.formula(part) for part in parts]
                return lambda answers: any(part(answers) for part in inner)
            case Not(of=of):
                opposite = self.formula(of)
                return lambda answers: not opposite(answers)
            case Quantified(op="any", over=over, var=var, test=inside):
                return self._some(meaning(Filter(test.at, over, var, plain(inside))))
            case Quantified(over=over, var=var, test=inside):
                some = self._some(meaning(Filter(test.at, over, var, plain(inside, opposite=True))))
                return lambda answers: not some(answers)
            case Compare():
                return self._compare(test)
        return self._some(meaning(test))

    def _some(self, question: str) -> Formula:
        self.answers.setdefault(question, set()).update((0, 1))
        return lambda answers: answers[question] > 0

    def _compare(self, test: Compare) -> Formula:
        op, left, right = test.op, test.left, test.right
        if isinstance(left, Number) and not isinstance(right, Number):
            left, right, op = right, left, MIRRORED[op]
        if isinstance(right, Number):
            question, number = meaning(_counted(left.of) if isinstance(left, Size) else left), right.value
            asked = self.answers.setdefault(question, set())
            asked.update(max(0, answer) for answer in (number - 1, number, number + 1))  # few numbers go below zero
            if isinstance(left, Size):
                asked.update((0, 1))
            return lambda answers: holds(op, answers[question], number)
        if op in ("==", "!="):
            same = self._some("=".join(sorted((meaning(left), meaning(right)))))
            return same if op == "==" else lambda answers: not same(answers)
        # Of two that are compared with each other the difference counts: -1, 0 or 1.
        first, second = meaning(left), meaning(right)
        question = min(f"{first}~{second}", f"{second}~{first}")
        sign = 1 if question.startswith(f"{first}~") else -1
        self.answers.setdefault(question, set()).update((-1, 0, 1))
        return lambda answers: holds(op, sign * answers[question], 0)

    def can_all_fail(self, formulas: Sequence[Formula]) -> bool:
        """Return whether there are answers for which all of some formulas fail.

        False, too, if too many had to be tried.
        """
        combinations = len(formulas)
        for answers in self.answers.values():
            combinations *= len(answers)
        if combinations > MAX_COMBINATIONS:
            return False
        names = list(self.answers)
        for chosen in product(*self.answers.values()):
            answered = dict(zip(names, chosen, strict=True))
            if not any(formula(answered) for formula in formulas):
                return True
        return False


_COMPARED: dict[Comparison, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
OPPOSITE: dict[Comparison, Comparison] = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
# The comparison that says the same with its sides exchanged.
MIRRORED: dict[Comparison, Comparison] = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def plain(test: Value, *, opposite: bool = False) -> Value:
    """Return a test, or its opposite, in the one way of several in which it can be said."""
    match test:
        case Not(of=of):
            return plain(of, opposite=not opposite)
        case Logic(at=at, op=op, parts=parts):
            said: Any = {"and": "or", "or": "and"}[op] if opposite else op
            return Logic(at, said, tuple(plain(part, opposite=opposite) for part in parts))
        case Quantified(at=at, op=op, over=over, var=var, test=inside):
            quantity: Any = {"any": "all", "all": "any"}[op] if opposite else op
            return Quantified(at, quantity, over, var, plain(inside, opposite=opposite))
        case Compare(at=at, op=op, left=left, right=right):
            sign = OPPOSITE[op] if opposite else op
            if isinstance(left, Size) and isinstance(right, Number):
                if (sign, right.value) in ((">", 0), (">=", 1)):
                    sign, right = "!=", Number(right.at, 0)
                elif (sign, right.value) in (("<", 1), ("<=", 0)):
                    sign, right = "==", Number(right.at, 0)
            return Compare(at, sign, left, right)
    return Not(test.at, test) if opposite else test


def _counted(over: Value) -> Value:
    """Return what is counted, with the test of a filter in its plain way."""
    return Filter(over.at, over.over, over.var, plain(over.test)) if isinstance(over, Filter) else over


def holds(op: Comparison, left: Any, right: Any) -> bool:
    """Return whether a comparison of two known values holds."""
    return bool(_COMPARED[op](left, right))


def meaning(node: object, bound: tuple[Var, ...] = ()) -> str:
    """Return a text that is equal for two nodes that mean the same, whatever their variables are called."""
    if isinstance(node, Var):
        return f"'{bound.index(node)}" if node in bound else f"'{id(node)}"
    if isinstance(node, Node):
        binds: Var | None = getattr(node, "var", None)
        inner = (binds, *bound) if binds and not isinstance(node, Use) else bound
        return f"({type(node).__name__} {' '.join(_fields(node, inner))})"
    if isinstance(node, tuple):
        return f"[{' '.join(meaning(one, bound) for one in node)}]"
    return repr(node)


def _fields(node: Node, bound: tuple[Var, ...]) -> Iterable[str]:
    for name in node.__dataclass_fields__:
        value = getattr(node, name)
        if not isinstance(value, Span):
            yield meaning(value, bound)
