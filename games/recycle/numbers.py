"""Numbers that a text has given a name, ``(declare 5 'HANDSIZE)``: what its author may turn to see what that does."""

from __future__ import annotations

from games.recycle.reader import read
from games.recycle.tree import Number


def named_numbers(text: str) -> dict[str, int]:
    """Return the numbers that a text declares, by name, in its order. Raises BadText.

    A name that stands for anything but a plain number is none of them.
    """
    return {name: number.value for name, number in _declared(text).items()}


def with_number(text: str, name: str, value: int) -> str:
    """Return a text in which a number that it declares has another value, and nothing else has changed.

    Raises BadText, KeyError when it declares no such number.
    """
    at = _declared(text)[name].at
    return f"{text[: at.start]}{value}{text[at.end :]}"


def _declared(text: str) -> dict[str, Number]:
    found = {}
    for declare in read(text).declares:
        if isinstance(declare.value, Number) and text[declare.value.at.start].isdecimal():
            found[declare.var.name] = declare.value
    return found
