"""The numbers of a text that may be varied: those with a name, and those that stand where they are used.

A number that is declared, ``(declare 5 'HANDSIZE)``, goes by its name. Any other goes by its line and column, as in
``24:16``, and is one that an author may have chosen freely: 2 or more, in a form with a word of the language. So left
out are 0 and 1, which mostly mean "none" and "a single one", the number of players, and what cards are worth. To vary
one of these, give it a name.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.core.game import TextNumber
from games.recycle.problems import Source
from games.recycle.reader import read
from games.recycle.reader.syntax import Form, Item, forms, parse
from games.recycle.tree import Number

LONGEST_AROUND = 60  # characters
LEAST = 2  # of a number without a name


def numbers(text: str) -> dict[str, TextNumber]:
    """Return the numbers of a text that may be varied, by name, those with names first. Raises BadText."""
    found, declared, source = {}, set(), Source(text)
    for declare in read(text).declares:
        at = declare.value.at
        if isinstance(declare.value, Number) and text[at.start].isdecimal():
            declared.add(at)
            around = _one_line(text[declare.at.start : declare.at.end])
            found[declare.var.name] = TextNumber(declare.var.name, declare.value.value, at.start, at.end, around)
    for form in forms(parse(text)[0]):
        if not form.head or form.head in ("create", "declare"):
            continue
        for item in form.items:
            if not _is_number(item) or item.at in declared:
                continue
            value = int(text[item.at.start : item.at.end])
            if value >= LEAST:
                name = "{}:{}".format(*source.line_and_column(item.at.start))
                found[name] = TextNumber(name, value, item.at.start, item.at.end, _around(text, form, item))
    return found


def named_numbers(text: str) -> dict[str, int]:
    """Return the numbers that a text declares, ``(declare 5 'HANDSIZE)``, by name, in its order. Raises BadText.

    A name that stands for anything but a plain number is not among them.
    """
    return {name: number.value for name, number in numbers(text).items() if number.is_declared}


def with_numbers(text: str, values: Mapping[str, int]) -> str:
    """Return a text in which some of its numbers have other values, and nothing else has changed.

    Raises BadText; KeyError if there is no such number.
    """
    known = numbers(text)
    for name in sorted(values, key=lambda name: known[name].start, reverse=True):  # so that offsets stay valid
        text = f"{text[: known[name].start]}{values[name]}{text[known[name].end :]}"
    return text


def _is_number(item: Item) -> bool:
    return not isinstance(item, Form) and item.kind == "INT"


def _around(text: str, form: Form, item: Item) -> str:
    """Return the form that a number is in, shortened so that the number is part of it."""
    whole = _one_line(text[form.at.start : form.at.end])
    if len(whole) <= LONGEST_AROUND:
        return whole
    up_to = _one_line(text[form.at.start : item.at.end])
    if len(up_to) <= LONGEST_AROUND - 2:
        return f"{whole[: LONGEST_AROUND - 2]} …"
    return f"({form.head} … {up_to[-(LONGEST_AROUND // 2) :].partition(' ')[2]} …"


def _one_line(piece: str) -> str:
    return " ".join(piece.split())
