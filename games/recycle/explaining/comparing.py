"""Tests, looked at: opposites, what speaks of a variable, what says the same."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, NamedTuple

from games.recycle.logic import MIRRORED, OPPOSITE
from games.recycle.tree import (
    Arith,
    CardAtt,
    Compare,
    Everybody,
    Filter,
    Logic,
    Name,
    Node,
    Not,
    Number,
    Place,
    Quantified,
    Relative,
    Score,
    Size,
    Stored,
    Table,
    Use,
    Value,
    Var,
)


def negate(test: Value) -> Value:
    """Return the opposite of a test."""
    match test:
        case Not(of=of):
            return of
        case Compare(op=op):
            return replace(test, op=OPPOSITE[op])
        case Logic(op=op, parts=parts):
            return replace(test, op="or" if op == "and" else "and", parts=tuple(negate(part) for part in parts))
        case Quantified(op=op, test=inner):
            return replace(test, op="all" if op == "any" else "any", test=negate(inner))
    return Not(test.at, test)


def positive(test: Value) -> Value:
    """Return a test without "not" before it, if that can be said otherwise."""
    if not isinstance(test, Not):
        return test
    found = negate(test.of)
    return test if isinstance(found, Not) else found


def mirrored(test: Compare) -> Compare:
    """Return a comparison with its sides exchanged, which says the same."""
    return replace(test, op=MIRRORED[test.op], left=test.right, right=test.left)


def speaks_of(value: Value, var: Var) -> bool:
    """Return whether a value is a property of a variable: its suit, its score, its store."""
    match value:
        case Use(var=found):
            return found is var
        case CardAtt(card=Use(var=found)) | Score(card=Use(var=found)):
            return found is var
        case Size(of=Use(var=found)):
            return found is var
        case Size(of=Place(who=Use(var=found))):
            return found is var
        case Size(of=Place(name=Use(var=found), who=Table())):
            return found is var
        case Stored(ref=ref):
            return isinstance(ref.who, Use) and ref.who.var is var
    return False


def negative(test: Value) -> bool:
    """Return whether "none is ..." describes a test of all better than "every one is not ..."."""
    match test:
        case Compare(op="!="):
            return True
        case Not():
            return True
        case Logic(op="and", parts=parts):
            return all(negative(part) for part in parts)
    return False


class Difference(NamedTuple):
    """What a test like "the score of this is that of the other plus 1" says: ``left`` is ``right`` plus ``by``."""

    op: Literal["==", "!="]
    left: Score
    right: Score
    by: int


def difference(test: Value) -> Difference | None:
    """Return by how much a test says that the scores of two cards differ; None for other tests."""
    match test:
        case Compare(
            op="==" | "!=" as op,
            left=Score() as left,
            right=Arith(op="+" | "-" as sign, left=Score() as right, right=Number(value=by)),
        ) if same(left.using, right.using):
            return Difference(op, left, right, by if sign == "+" else -by)
    return None


def same(one: object, other: object) -> bool:
    """Return whether two nodes in one scope mean the same. Variables they bind themselves are compared by name."""
    if type(one) is not type(other):
        return False
    if isinstance(one, Var) and isinstance(other, Var):
        return one is other or (one.how == other.how == "each" and one.name == other.name and one.type is other.type)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, Node):
        fields = [name for name in one.__dataclass_fields__ if name != "at"]
        return all(same(getattr(one, name), getattr(other, name)) for name in fields)
    return one == other


def alone_with_most(test: Quantified) -> tuple[Stored, Compare] | None:
    """Return the store of which one member alone has the most, and what else is asked of it; None for other tests.

    ``(any player 'P (and (>= ('P sto X) N) (== (size (filter player 'Q (>= ('Q sto X) ('P sto X)))) 1)))``
    """
    match test:
        case Quantified(op="any", over=Everybody() as over, var=var, test=Logic(op="and", parts=(first, second))):
            pass
        case _:
            return None
    for asked, alone in ((first, second), (second, first)):
        match asked, alone:
            case (
                Compare(left=Stored() as most, right=Number()),
                Compare(
                    op="==",
                    left=Size(of=Filter(over=Everybody() as others, var=other, test=Compare(op=">=") as higher)),
                    right=Number(value=1),
                ),
            ):
                mine = isinstance(most.ref.who, Use) and most.ref.who.var is var
                theirs = higher.left if isinstance(higher.left, Stored) else None
                same_store = theirs is not None and replace(theirs.ref, who=most.ref.who, at=most.ref.at)
                if (
                    mine
                    and theirs is not None
                    and isinstance(theirs.ref.who, Use)
                    and theirs.ref.who.var is other
                    and same(same_store, most.ref)
                    and same(higher.right, most)
                    and same(over, others)
                ):
                    return most, asked
    return None


def left_of(test: Value) -> Value:
    """Return the left side of a comparison, anything else as it is."""
    return test.left if isinstance(test, Compare) else test


def same_name(one: Value, other: Value) -> bool:
    """Return whether two values are the same name."""
    return isinstance(one, Name) and isinstance(other, Name) and one.text == other.text


def current(value: Value) -> bool:
    """Return whether a value is the current player."""
    return isinstance(value, Relative) and value.which == "current" and value.kind == "player"
