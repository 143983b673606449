"""A second reader of the readable rules page: which stores are set to what, and under which conditions.

It reads English sentences and the lists that they stand in, and shares no code with what writes them. What it cannot
read: conditions that ask about no store, such as "if your hand is empty", amounts that are computed, and where cards
go. Those are read back from the exact wording (``exact_reader.py``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

NOTHING = "none"
RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"


class Condition(NamedTuple):
    """A test of a store: whether it is above a number, is one, or is a word; or not."""

    store: str
    kind: str  # "above", "is"
    value: str
    so: bool


@dataclass
class Said:
    """A statement about a store. ``certain``: its conditions; ``perhaps``: those that may be its own as well."""

    what: str  # "set", "inc", "dec"
    store: str
    value: str
    certain: frozenset[Condition]
    perhaps: frozenset[Condition] = frozenset()


@dataclass
class Line:
    """A line of a list and the one that it stands below."""

    text: str
    above: Line | None
    before: Line | None
    notes: list[int] = field(default_factory=list)


_ITEM = re.compile(r"^( *)(?:\d+\.|-) (.*)$")
_STATEMENT = re.compile(
    r"\b(?:set (?:[^*;:]*?)\*(?P<set>[^*]+)\*(?: of (?:[^;:*]|\*[^*]+\*)*?)? to "
    r"(?:(?P<to>\d+|yes|no)(?=[.,;:]|$)|\*(?P<word>[^*]+)\*)"
    r"|(?P<way>add|take) (?P<n>\d+) (?:to|from) [^*;:]*?(?:\*[^*]+\*'s )?\*(?P<counted>[^*]+)\*)",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\*(?P<store>[^*]+)\* (?:is|are) (?P<no>not )?(?:equal to )?(?P<way>more than |at least |less than |at most )?"
    "(?:(?P<n>\\d+)(?![\\d÷]| [÷\N{MULTIPLICATION SIGN}+\N{MINUS SIGN}])"
    r"|\*(?P<word>[^*]+)\*|(?P<flag>yes|no)\b)"
)
_NOTED = re.compile(r"\b(?P<what>nothing|something) (?:is )?noted as \*(?P<store>[^*]+)\*", re.IGNORECASE)
_CLEARED = re.compile(r"\bclear (?:your |their |each player's )?\*([^*]+)\*", re.IGNORECASE)
_OPPOSITE = re.compile(r"\b(?:no|not a) [^,;:.]*$")


def canonical(store: str, op: str, value: str, so: bool = True) -> Condition:
    """Return a comparison in one form: "at least 3" is "above 2", "less than 3" is not."""
    store, value = store.lower(), value.lower()
    if op in ("==", "!="):
        return Condition(store, "is", value, so == (op == "=="))
    bound = int(value) - (op in (">=", "<"))
    return Condition(store, "above", str(bound), so == (op in (">", ">=")))


def lines(page: str) -> Iterator[Line]:
    """Yield the lines of the lists that say how a game is played."""
    stack: list[tuple[int, Line]] = []
    for row in page.splitlines():
        found = _ITEM.match(row)
        if not found:
            stack = [] if row.startswith("#") else stack
            continue
        depth = len(found[1])
        before = None
        while stack and stack[-1][0] >= depth:
            at, last = stack.pop()
            before = last if at == depth else before
        notes = [
            int("".join(str(RAISED.index(each)) for each in mark)) for mark in re.findall(f"[{RAISED}]+", found[2])
        ]
        line = Line(re.sub(f"[{RAISED},]*[{RAISED}]", "", found[2]), stack[-1][1] if stack else None, before, notes)
        stack.append((depth, line))
        yield line


def conditions(text: str) -> frozenset[Condition]:
    """Return the conditions about stores in a sentence."""
    found = set()
    for match in _CONDITION.finditer(text):
        op = {"more than ": ">", "at least ": ">=", "less than ": "<", "at most ": "<="}.get(match["way"] or "", "==")
        value = match["n"] or match["word"] or {"yes": "1", "no": "0"}[match["flag"]]
        opposite = _OPPOSITE.search(re.split(r"[,;:.] ", text[: match.start()])[-1])
        so = bool(match["no"]) == bool(opposite)
        if op == "==" or value.isdecimal():
            found.add(canonical(match["store"], op, value, so))
    for match in _NOTED.finditer(text):
        found.add(Condition(match["store"].lower(), "is", NOTHING, match["what"] == "nothing"))
    return frozenset(found)


def scope(line: Line | None) -> frozenset[Condition]:
    """Return the conditions of the lines that a line stands below."""
    found: frozenset[Condition] = frozenset()
    while line:
        found |= own(line)
        line = line.above
    return found


def own(line: Line) -> frozenset[Condition]:
    """Return the conditions of a line; "otherwise" has the opposite of those of the line before it."""
    found = conditions(line.text)
    if line.text.startswith("Otherwise") and line.before:
        found |= {each._replace(so=not each.so) for each in conditions(line.before.text)}
    return found


def statements(page: str, stores: set[str]) -> Iterator[Said]:
    """Yield what a page says about ``stores``, by their labels, that are set to numbers and words that it names."""
    for said in _statements(page):
        if said.store in stores and said.value not in stores:
            certain, perhaps = (frozenset(c for c in cs if c.store in stores) for cs in (said.certain, said.perhaps))
            yield Said(said.what, said.store, said.value, certain, perhaps)


def _statements(page: str) -> Iterator[Said]:
    course, _, rest = page.partition("\n## Notes\n")
    rest = rest.partition("\n## ")[0]
    marked: dict[int, Line] = {}
    for line in lines(course):
        marked |= dict.fromkeys(line.notes, line)
        yield from _of_line(line.text, scope(line.above), own(line))
    for number, note in enumerate(lines(rest), 1):
        line = marked[number]
        of_it = own(line) if "as a part of this" in note.text else frozenset()
        for said in _of_line(note.text, scope(line.above) | of_it, frozenset()):
            yield Said(said.what, said.store, said.value, said.certain, own(line))


def _of_line(text: str, above: frozenset[Condition], of_it: frozenset[Condition]) -> Iterator[Said]:
    for match in _STATEMENT.finditer(text):
        before = conditions(text[: match.start()])
        if text.startswith("Otherwise"):
            before |= of_it
        if match["set"]:
            value = match["to"] or match["word"]
            value = {"yes": "1", "no": "0"}.get(value, value) if match["to"] else value
            yield Said("set", match["set"].lower(), value.lower(), above | before)
        else:
            way = "inc" if match["way"].lower() == "add" else "dec"
            yield Said(way, match["counted"].lower(), match["n"], above | before)
    for match in _CLEARED.finditer(text):
        yield Said("set", match[1].lower(), NOTHING, above | conditions(text[: match.start()]))
