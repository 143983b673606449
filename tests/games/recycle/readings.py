"""A reader of English by a grammar, which finds all readings of a text: more than one, and it is ambiguous.

A grammar says by category what a text may be:

- a regular expression; with a function, of the text;
- texts, and what each means: ``{"top": "top", "bottom": "bottom"}``;
- templates, and a function of what is read in their slots: ``("{PLACE} [is|are] empty", function)``. A slot has the
  name of a category; what is read in one that begins with ``_`` is left out. ``[is|are]`` is one of these.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

Found = Any  # nested tuples of strings and numbers
Rule = tuple[str, Callable[..., Found]]
Rules = Mapping[
    str, re.Pattern[str] | tuple[re.Pattern[str], Callable[[str], Found]] | Mapping[str, Found] | list[Rule]
]


class Unread(Exception):
    """A text that has no reading, or several, or a tree of which no text is read."""


class Grammar:
    """Reads texts by rules. Raises ValueError where several of its parts have rules for one category."""

    def __init__(self, *grammars: Rules) -> None:
        self._rules = dict(ChainMap(*map(dict, grammars)))
        if len(self._rules) < sum(map(len, grammars)):
            raise ValueError("A category has rules in two places.")
        self._templates = {
            category: [(pieces, made) for template, made in rule for pieces in _pieces(template)]
            for category, rule in self._rules.items()
            if isinstance(rule, list)
        }
        self.readings = lru_cache(maxsize=None)(self._readings)

    def read(self, category: str, text: str) -> Found:
        """Return the only reading of a text. Raises Unread where there is none, or more than one."""
        found = self.readings(category, text)
        if len(found) != 1:
            raise Unread("\n  ".join([f"{len(found)} readings of {text!r}", *map(str, found)]))
        return found[0]

    def _readings(self, category: str, text: str) -> tuple[Found, ...]:
        rule = self._rules[category]
        if isinstance(rule, re.Pattern):
            return (text,) if rule.fullmatch(text) else ()
        if isinstance(rule, tuple):
            return (rule[1](text),) if rule[0].fullmatch(text) else ()
        if isinstance(rule, Mapping):
            return (rule[text],) if text in rule else ()
        found = (made(*slots) for pieces, made in self._templates[category] for slots in self._slots(pieces, text))
        return tuple(dict.fromkeys(each for each in found if each is not None))

    def _slots(self, pieces: Sequence[str], text: str) -> Iterator[tuple[Found, ...]]:
        """Yield the readings of the slots of a template. ``pieces``: texts and, between them, categories."""
        if not text.startswith(pieces[0]):
            return
        text = text.removeprefix(pieces[0])
        if len(pieces) == 1:
            if not text:
                yield ()
            return
        _, category, after, *_ = pieces
        if len(pieces) == 3:
            ends = [len(text) - len(after)] if text.endswith(after) else []
        else:
            ends = [found.start() for found in re.finditer(re.escape(after), text)]
        for end in ends:
            if end > 0 and all(piece in text[end:] for piece in pieces[2::2]):
                for first in self.readings(category.removeprefix("_"), text[:end]):
                    for rest in self._slots(pieces[2:], text[end:]):
                        yield rest if category.startswith("_") else (first, *rest)


def _pieces(template: str) -> Iterator[list[str]]:
    """Yield the pieces of a template with each of its alternatives."""
    parts = re.split(r"\[([^\]]*)\]", template)
    options = [part.split("|") if place % 2 else [part] for place, part in enumerate(parts)]
    for chosen in product(*options):
        yield re.split(r"\{(\w+)\}", "".join(chosen))
