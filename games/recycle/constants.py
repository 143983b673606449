"""Numbers that a text itself says, so that they are known before it is played."""

from __future__ import annotations

from games.core.moves import RulesFailed
from games.recycle.operations import LARGEST, divide, fibonacci, modulo, power, triangle
from games.recycle.tree import Arith, Number, Series, Span, Value


def constant(value: Value) -> int | None:
    """Return a number that the text itself says; None if it depends on the play, or cannot be computed."""
    try:
        return _constant(value)
    except RulesFailed:  # too large, or divided by 0: the match fails there
        return None


def _constant(value: Value) -> int | None:
    found: int | None = None
    match value:
        case Number(value=found):
            return found
        case Arith(op=op, left=left, right=right):
            a, b = _constant(left), _constant(right)
            if a is None or b is None:
                return None
            match op:
                case "+":
                    found = a + b
                case "-":
                    found = a - b
                case "*":
                    found = a * b
                case "//":
                    found = divide(a, b)
                case "%":
                    found = modulo(a, b)
                case "^":
                    found = power(a, b)
        case Series(op=series, of=of):
            last = _constant(of)
            if last is not None:
                found = triangle(last) if series == "tri" else fibonacci(last)
    return found if found is not None and abs(found) <= LARGEST else None


def number_node(value: int, at: Span) -> Value:
    """Return the node of a number. A negative one is a difference, as it must be written in a text."""
    return Number(at, value) if value >= 0 else Arith(at, "-", Number(at, 0), Number(at, -value))
