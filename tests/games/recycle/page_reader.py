"""A reader of the rules page: each step of the course of play with what it stands under, and the ends of its stages.

It reads the sentences by a grammar (``page_grammar``) and finds what "that card" and "their" refer to. A step is
``(above, action)``; what it stands under is, from the outermost: ``("if", test)``, ``("each", things)``, ``("any",
things)`` for what a player chooses, ``("times", n)``, ``("until", test)``, ``("choice",)``, ``("together", players)``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tests.games.recycle.page_forms import YOU, guards, joined, opposite, quantified
from tests.games.recycle.page_grammar import STEPS, Head, Names, Step, phrases, single
from tests.games.recycle.readings import Found, Grammar, Unread

CHOOSER = "who chooses"  # instead of a letter: here "their" is what belongs to the player who chooses
Scope = tuple[Head, ...]  # what the variables around are called, from the outermost


def resolved(found: Found, scope: Scope = ()) -> Found:
    """Return what is read with what its words refer to. Raises Unread for "that card" where no card is spoken of."""
    if not isinstance(found, tuple):
        return found
    match found:
        case ("it",):
            return "that", scope[-1][0], 0
        case ("that", str() as noun, "their"):
            letters = [letter for other, letter in reversed(scope) if other == noun]
            if letters:
                return YOU if letters[0] == CHOOSER else ("that", noun, 0)
            raise Unread("their")
        case ("that", str() as noun, str() as letter):
            letters = [other for what, other in reversed(scope) if what == noun and other != CHOOSER]
            if letter in letters or (letters and not letter):
                return "that", noun, letters.index(letter) if letter else 0
            raise Unread(f"that {noun} {letter}")
        case ("only", card):
            return "top", resolved(card, scope)
        case ("and" | "or" as op, tuple() as parts):
            return joined(op, [resolved(part, scope) for part in parts])
        case ("bind", op, noun, letter, things, test):
            return quantified(op, resolved(things, scope), resolved(test, (*scope, (noun, letter))))
    return tuple(resolved(part, scope) for part in found)


def resolved_step(step: Step) -> Step:
    """Return a step with what its words refer to; what is asked of the things it is done for is a condition of it."""
    found: list[Found] = []
    scope: Scope = ()
    chooser: Scope = ()
    for above in step[0]:
        match above:
            case ("each" | "any" as op, noun, letter, things):
                found += guards(op, resolved(things, scope))
                scope = (*scope, (noun, letter), *chooser)
            case ("choice", "their"):
                found.append(("choice",))
                chooser = (("player", CHOOSER),)
                scope += chooser
            case ("together", players):
                found += guards("together", resolved(players, scope))
            case _:
                found.append(resolved(above, scope))
    match step[1]:
        case ("move", ("only", card), *to) if ("choice",) in found:  # "the 2 of clubs": the only one to choose
            found += guards("any", resolved(card, scope))
            return tuple(found), ("move", ("that", "card", 0), *resolved(tuple(to), scope))
    return tuple(found), resolved(step[1], scope)


@dataclass
class Line:
    """A line of a list, the lines below it, and the numbers of its notes: of all of it, or of a part of it."""

    text: str
    inner: list[Line] = field(default_factory=list)
    notes: list[int] = field(default_factory=list)
    inside: list[int] = field(default_factory=list)


def lines(part: str) -> list[Line]:
    """Return the lines of the lists in a part of a page."""
    top = Line("")
    above: list[tuple[int, Line]] = [(-1, top)]
    for row in part.splitlines():
        if found := re.fullmatch(r"( *)(?:\d+\.|-) (.*)[.:]", row):
            text, *marks = re.split(r" \[([\d, ]+)\]", found[2])
            line = Line(text + "".join(marks[1::2]))
            for mark, rest in zip(marks[::2], marks[1::2], strict=True):
                (line.inside if rest else line.notes).extend(map(int, mark.split(",")))
            while above[-1][0] >= len(found[1]):
                above.pop()
            above[-1][1].inner.append(line)
            above.append((len(found[1]), line))
    return top.inner


def names(page: str) -> Names:
    """Return what a page calls things, from its tables; what it calls attributes of cards is not listed there."""
    places: list[str] = []
    for row in re.findall(r"^\| ([^|]+?)(?: \([^|)]*\))? \|", page, re.MULTILINE):
        places += [row, *re.split(", | and ", row)]
    return Names(
        [*places, *(f"{name}s" for name in places)],
        re.findall(r"^- \*\*([^*]+)\*\*", page.partition("\n## What you need\n")[2], re.MULTILINE),
        [*map(single, re.findall(r"^The \*\*(.+?)\*\* are", page, re.MULTILINE)), "suit", "rank", "colour", "route"],
        re.findall(r"\b[Ll]et \*(.+?)\* be", page),
    )


class Page:
    """A page that is read: its steps by section, and the ends of its stages by their titles.

    ``loose``: steps of notes to a part of a line, of which it is not read what they come before and after. ``unread``:
    what is not read, and why.
    """

    def __init__(self, page: str) -> None:
        self.grammar = Grammar(phrases(names(page)), STEPS)
        self.sections: list[list[Step]] = []
        self.loose: list[Step] = []
        self.ends: dict[str, Found] = {}
        self.unread: list[str] = []
        course, _, rest = page.partition("\n## Notes\n")
        self._notes = {number: line.text for number, line in enumerate(lines(rest.partition("\n## ")[0]), 1)}
        for section in re.split(r"\n## ", course.partition("\n## What you need\n")[2])[1:]:
            if not section.startswith(("What ", "Where ")):
                intro, _, listed = section.partition("\n1. ")
                self._end(intro)
                self.sections.append(self._list(lines(f"1. {listed}"), ()))

    def _read(self, category: str, text: str) -> Found:
        return self.grammar.read(category, re.sub(r"^(\*\*)?(\w)", lambda found: found[0].lower(), text))

    def _end(self, intro: str) -> None:
        title = intro.partition("\n")[0].replace("*", "")
        if found := re.search(r" go on until (.*?)[.:](?:\n|$)", intro):
            asked = [line.text for line in lines(intro)] if found[1].startswith("one of these") else [found[1]]
            try:
                self.ends[title] = joined("or", [resolved(self._read("ENDS", each)) for each in asked])
            except Unread as unread:
                self.unread.append(str(unread))

    def _list(self, listed: list[Line], above: tuple[Found, ...]) -> list[Step]:
        """Return the steps of some lines, in their order."""
        found: list[Step] = []
        before: tuple[Found, ...] = ()  # what the line before stands under
        for line in listed:
            heads = above
            inner: list[Step] = []
            try:
                steps = [(self._read("ABOVE", line.text), None)] if line.inner else self._read("TEXT", line.text)
                heads += _otherwise(steps[0][0], before)
                if line.inner:
                    inner = self._list(line.inner, heads)
                else:
                    inner = [resolved_step((above + _otherwise(own, before), action)) for own, action in steps]
                before = steps[0][0]
            except Unread as unread:
                self.unread.append(str(unread))
                before = ()
            for note in line.notes:
                steps = self._note(self._notes[note], above, heads)
                inner = [*steps, *inner] if self._notes[note].startswith(("Before", "First")) else [*inner, *steps]
            for note in line.inside:
                self.loose += self._note(self._notes[note], above, heads)
            found += inner
        return found

    def _note(self, note: str, above: tuple[Found, ...], heads: tuple[Found, ...]) -> list[Step]:
        """Return the steps of a note. ``above``: what its line stands under; ``heads``: and what that begins with."""
        when, _, steps = re.sub(r"^(\w+), as part of this step, ", r"\1 inside, ", note).partition(", ")
        try:
            own = heads if "inside" in when else above
            return [resolved_step((own + inner, action)) for inner, action in self._read("NOTE", steps)]
        except Unread as unread:
            self.unread.append(str(unread))
            return []


def _otherwise(above: tuple[Found, ...], before: tuple[Found, ...]) -> tuple[Found, ...]:
    """Return what a step stands under, with "otherwise" as the opposite of what the line before asks."""
    if above[:1] != (("otherwise",),):
        return above
    if not before or before[0][0] != "if":
        raise Unread("otherwise")
    return ("if", opposite(before[0][1])), *above[1:]
