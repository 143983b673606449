"""Faults to put into the engine of Camel Up: each wraps one of its functions, which gets the position first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import Any

import pytest

from games.camelup import engine
from games.camelup.position import Position
from games.camelup.terms import Terms

Function = Callable[..., Any]
Fault = Callable[[Function], Function]  # gets the right function, and returns the wrong one
Place = tuple[str, Fault]  # the name of the function, in the engine or as in "Position.lay"


def put_in(monkeypatch: pytest.MonkeyPatch, place: Place) -> None:
    """Put a fault into the engine."""
    where, fault = place
    kind: Any = Position if where.startswith("Position.") else engine
    name = where.removeprefix("Position.")
    monkeypatch.setattr(kind, name, fault(getattr(kind, name)))


def after(corrupt: Callable[[Position], None]) -> Fault:
    """Return a fault: after the function, the position is changed by ``corrupt``."""

    def fault(right: Function) -> Function:
        def wrong(position: Position, *asked: Any) -> Any:
            returned = right(position, *asked)
            corrupt(position)
            return returned

        return wrong

    return fault


def sets(**parts: Callable[[Position], Any]) -> Fault:
    """Return a fault: after the function, some fields of the position are set."""

    def corrupt(position: Position) -> None:
        for part, value in parts.items():
            setattr(position, part, value(position))

    return after(corrupt)


def keeps(*parts: str) -> Fault:
    """Return a fault: the function does not change some fields of the position."""

    def fault(right: Function) -> Function:
        def wrong(position: Position, *asked: Any) -> Any:
            before = position.copy()
            returned = right(position, *asked)
            for part in parts:
                setattr(position, part, getattr(before, part))
            return returned

        return wrong

    return fault


def asked_for(change: Callable[..., tuple[Any, ...]]) -> Fault:
    """Return a fault: the function is called with other arguments."""

    def fault(right: Function) -> Function:
        return lambda position, *asked: right(position, *change(position, *asked))

    return fault


def returns(change: Callable[[Any], Any]) -> Fault:
    """Return a fault: the function returns something else."""
    return lambda right: lambda *asked: change(right(*asked))


def seeing(**parts: Callable[[Position], Any]) -> Fault:
    """Return a fault: the function sees other values in some fields of the position."""

    def fault(right: Function) -> Function:
        def wrong(position: Position, *asked: Any) -> Any:
            others = {part: value(position) for part, value in parts.items()}
            kept = {part: getattr(position, part) for part in parts}
            for part, value in others.items():
                setattr(position, part, value)
            returned = right(position, *asked)
            for part, value in kept.items():
                if getattr(position, part) is others[part]:  # else it was replaced
                    setattr(position, part, value)
            return returned

        return wrong

    return fault


def by_terms(**constants: Any) -> Fault:
    """Return a fault: the function uses other constants. A callable gets the right one and returns the wrong one."""
    return seeing(terms=lambda race: _other_terms(race.terms.__reduce__()[1], tuple(constants.items())))


@cache
def _other_terms(constants: tuple[Any, ...], others: tuple[tuple[str, Any], ...]) -> Terms:
    terms = dict(zip([constant.name for constant in fields(Terms) if constant.init], constants, strict=True))
    return Terms(**terms | {name: value(terms[name]) if callable(value) else value for name, value in others})


def restacked(hit: Callable[[int], bool], stack: Callable[[list[int], list[int]], list[int]]) -> Fault:
    """Return a fault of ``ride``: a unit that has arrived is in the wrong place.

    ``hit`` gets how far a desert tile has pushed it, and returns whether this fault applies. ``stack`` gets the camels
    there and the unit, and returns the wrong stack.
    """

    def fault(right: Function) -> Function:
        def wrong(position: Position, camel: int, pips: int) -> Any:
            before = position.stacks()[position.place[camel]]
            unit = before[before.index(camel) :]
            distance = right(position, camel, pips)
            if hit(distance - pips):
                stacks, target = position.stacks(), position.place[camel]
                stacks[target] = stack([other for other in stacks[target] if other not in unit], unit)
                position.place_camels(stacks)
            return distance

        return wrong

    return fault


def pays_for_tiles(gains: Callable[[Position, int], dict[int, int]]) -> Fault:
    """Return a fault of ``ride``: ``gains`` gets the tile's owner, and returns who is paid how much for a landing."""

    def fault(right: Function) -> Function:
        def wrong(position: Position, camel: int, pips: int) -> Any:
            before = position.money
            distance = right(position, camel, pips)
            for owner, (had, has) in enumerate(zip(before, position.money, strict=True)):
                if has != had:
                    paid = gains(position, owner)
                    position.money = tuple([coins + paid.get(seat, 0) for seat, coins in enumerate(before)])
            return distance

        return wrong

    return fault


def misreports(**parts: Callable[[Any], Any]) -> Fault:
    """Return a fault: the report of a scoring has other values."""

    def corrupt(position: Position) -> None:
        if position.last_score:
            others = {part: value(getattr(position.last_score, part)) for part, value in parts.items()}
            position.last_score = position.last_score._replace(**others)

    return after(corrupt)


def before_moves(**parts: Callable[[Position], Any]) -> Fault:
    """Return a fault of ``open_by_derived_fields``, called before each move: it changes fields of the position."""

    def fault(right: Function) -> Function:
        def wrong(position: Position, seat: int) -> Any:
            for part, value in parts.items():
                setattr(position, part, value(position))
            return right(position, seat)

        return wrong

    return fault
