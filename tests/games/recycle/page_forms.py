"""The form in which the tests compare what a rules page says and what a text means: nested tuples.

Of whatever can be said in several ways there is one form: "fewer than 3" is "at most 2", "there is no card that is" is
"every card is not", "of all players whose ..." is "of all players, if ...". What belongs to something, be it a store of
a player or an attribute or points of a card, is ``("of", label, whose)``. A variable is ``("that", noun, n)``: what the
n-th part of the sentence around it is about that is called so, 0 the innermost.
"""

from __future__ import annotations

from collections.abc import Iterable

from tests.games.recycle.readings import Found, Unread

OPPOSITE = {
    "==": "!=", "!=": "==", ">": "<=", "<=": ">", "<": ">=", ">=": "<",
    "any": "all", "all": "any", "and": "or", "or": "and",
}  # fmt: skip
YOU = ("you",)


def opposite(found: Found) -> Found:
    """Return what is so if that is not."""
    match found:
        case ("and" | "or" as op, parts):
            return joined(OPPOSITE[op], map(opposite, parts))
        case ("any" | "all" as op, things, test):
            return OPPOSITE[op], things, opposite(test)
        case ("bind", "any" | "all" as op, *what, test):
            return "bind", OPPOSITE[op], *what, opposite(test)
        case (("flag", _) as left, "==", so):
            return left, "==", 1 - so
        case (left, sign, right):
            return compared(left, OPPOSITE[sign], right)
    raise Unread(f"no opposite of {found}")


def compared(left: Found, sign: str, right: Found) -> Found:
    """Return a comparison in one form."""
    if isinstance(right, int) and sign in (">=", "<"):
        right, sign = right - 1, {">=": ">", "<": "<="}[sign]
    if sign in ("==", "!=") and isinstance(right, tuple) and right[0] == "-" and isinstance(right[2], int):
        left, right = right[1], ("+", left, right[2])
    if isinstance(left, tuple) and left[0] == "size" and right == 0:  # there are never fewer than none
        sign = {"<=": "==", "!=": ">"}.get(sign, sign)
        match left[1]:
            case ("such", things, test):
                return ("all", things, opposite(test)) if sign == "==" else ("any", things, test)
            case ("bind", "such", *what, test):
                return "bind", *(("all", *what, opposite(test)) if sign == "==" else ("any", *what, test))
    return left, sign, right


def joined(op: str, parts: Iterable[Found]) -> Found:
    """Return parts joined by "and" or "or", in an order that does not depend on theirs."""
    flat: list[Found] = []
    for part in parts:
        flat += part[1] if part[0] == op else [part]
    return (op, tuple(sorted(dict.fromkeys(flat), key=repr))) if len(flat) > 1 else flat[0]


def quantified(op: str, things: Found, test: Found) -> Found:
    """Return a test of any or all of something, or ("such") those of which a test is so."""
    if isinstance(things, tuple) and things[0] == "such":
        _, things, which = things
        if op == "all":
            return quantified(op, things, joined("or", [opposite(which), test]))
        return quantified(op, things, joined("and", [which, test]))
    return op, things, test


def guards(op: str, things: Found) -> tuple[Found, ...]:
    """Return what stands before a step that is done for each, or any, of some things: "each player, if ..."."""
    if isinstance(things, tuple) and things[0] == "such":
        return *guards(op, things[1]), ("if", things[2])
    return ((op, things),)
