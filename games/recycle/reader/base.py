"""What all parts of the reader share: the problems found, the variables in scope, and values by expected type.

A value is read first and then converted to the type expected there: a group of cards may stand for its top card, a team
for its players. Problems are recorded, and a made-up value of the expected type is used instead, so that reading goes
on and nothing is reported twice. No tree with a made-up value ever leaves the reader: it raises.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain, count, pairwise, product
from string import ascii_uppercase
from typing import Any, Literal, TypeGuard

from games.recycle.constants import constant, written
from games.recycle.problems import Problem, Source
from games.recycle.reader.syntax import Atom, Form, Item, short
from games.recycle.reader.words import ELSEWHERE, nearest
from games.recycle.signatures import ACTIONS, BLOCKS, PLACES, STORES, WORDS, how_written
from games.recycle.tree import (
    MEMBER,
    Action,
    CardAt,
    Combined,
    Everybody,
    Logic,
    Member,
    Members,
    Name,
    Names,
    Number,
    Place,
    Range,
    Relative,
    Span,
    Subsets,
    Type,
    Use,
    Value,
    Var,
)

How = Literal["declare", "let", "each"]

MAX_PROBLEMS = 100  # of one text; more are left out

A = {
    Type.INT: "a number",
    Type.BOOL: "a test",
    Type.STR: "a name",
    Type.CARD: "a card",
    Type.CARDS: "cards",
    Type.GROUPS: "groups of cards",
    Type.PLAYER: "a player",
    Type.TEAM: "a team",
    Type.PLAYERS: "players",
    Type.TEAMS: "teams",
    Type.STRS: "names",
    Type.INTS: "numbers",
}  # each type as a sentence names it


class Reader:
    """The reading of one text.

    ``forms`` reads a value by the word that it begins with, ``owned`` one that begins otherwise, ``step`` a step.
    """

    def __init__(
        self,
        source: Source,
        forms: Mapping[str, Callable[[Reader, Form], Value | None]],
        owned: Callable[[Reader, Form], Value | None],
        step: Callable[[Reader, Item], Action],
    ) -> None:
        self.source, self._forms, self._owned, self._step = source, forms, owned, step
        self.problems: list[Problem] = []
        self.settled: set[Span] = set()  # where something stood of which no more errors are noted
        # Of each name, with its mark, the bindings around the place that is being read, the innermost last. None: what
        # it is bound to could not be read, so that nothing is known of it.
        self._bound: dict[tuple[str, int], list[Var | None]] = {}
        self._places: dict[Var, Place] = {}  # which places variables follow
        self._numbers: dict[Var, int] = {}  # what declared numbers stand for
        self._once: dict[str, Span] = {}  # where each name was bound first, in scope or not

    # -- problems

    def wrong(self, at: Span, text: str, hint: str = "") -> None:
        """Note an error."""
        problem = Problem("error", at, text, hint)
        if at in self.settled or problem in self.problems:  # what is in a named block is read at each call of it
            return
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem)

    def quoted(self, item: Item) -> str:
        """Return an item as a message quotes it."""
        return short(" ".join(self.source.text[item.at.start : min(item.at.end, item.at.start + 200)].split()))

    def nearest(self, word: str, known: Iterator[str] | frozenset[str] | Mapping[str, object]) -> str | None:
        """Return a similar known word that may have been meant; nothing after too many problems."""
        return nearest(word, known) if len(self.problems) < MAX_PROBLEMS else None

    def parts(self, form: Form, *pattern: str) -> list[Item] | None:
        """Return what stands at the ``_`` of a pattern, after the first word of a form.

        None, with an error noted, where the form is not like the pattern.
        """
        items = form.items
        if form.broken:
            return None
        head = items[0].text if isinstance(items[0], Atom) else ""
        for place, word in enumerate(pattern, start=1):
            if word != "_" and place < len(items) and not (is_word(items[place], word) or is_sign(items[place], word)):
                self.wrong(
                    items[place].at,
                    f"{word} is wanted here, but {self.quoted(items[place])} stands here.",
                    how_written(head),
                )
                return None
        if len(items) != len(pattern) + 1:
            self.wrong_number(form, [len(pattern)])
            return None
        return [items[place] for place, word in enumerate(pattern, start=1) if word == "_"]

    def wrong_number(self, form: Form, wanted: list[int]) -> None:
        """Note that a form has another number of parts than those wanted, the largest of which is the last."""
        there, most = len(form.items) - 1, wanted[-1]
        at = form.items[most + 1].at if there > most else Span(form.at.end - 1, form.at.end)
        hint = how_written(form.head)
        hint = self.below_zero(form.items[1:]) or hint
        parts = f"{' or '.join(map(str, wanted))} part{'s' * (most > 1)}"
        self.wrong(at, f"{form.head} takes {parts}, but {there or 'nothing'} stand{'s' * (there < 2)} here.", hint)

    # -- variables

    @contextmanager
    def binding(self, item: Item, type: Type | None, how: How, value: Value | None = None) -> Iterator[Var]:
        """Bind the variable that an item names for what is read inside. ``type`` None: its value could not be read."""
        var = self.bind(item, type, how, value)
        yield var
        if isinstance(item, Atom) and item.kind in ("VAR", "NAME"):
            bound = self._bound[item.text, item.mark]
            bound.pop()
            if not bound:
                del self._bound[item.text, item.mark]

    def bind(self, item: Item, type: Type | None, how: How, value: Value | None = None) -> Var:
        """Bind a variable for all that is read from now on; to ``value``, if it is bound to one only."""
        place = self.place(value)
        name = self._apart(item) if isinstance(item, Atom) else ""
        var = Var(name, type or Type.INT, item.at, how, live=place is not None)
        if place:
            self._places[var] = place
        number = constant(value) if value and how == "declare" else None
        if number is not None:
            self._numbers[var] = number
        if isinstance(item, Atom) and item.kind in ("VAR", "NAME"):  # a name is reported below, and its uses are not
            self._bound.setdefault((item.text, item.mark), []).append(var if type else None)
            self._once.setdefault(item.text, item.at)
        if isinstance(item, Atom) and item.kind in ("NAME", "WORD"):
            hint = f"A variable has an apostrophe before it: '{short(item.text.upper())}."
            self.wrong(item.at, f"A new variable is wanted here, but {self.quoted(item)} stands here.", hint)
        elif not (isinstance(item, Atom) and item.kind in ("VAR", "OTHER")):
            self.wrong(
                item.at,
                f"A new variable is wanted here, but {self.quoted(item)} stands here.",
                "A variable is an apostrophe and capital letters: 'X.",
            )
        return var

    def _apart(self, atom: Atom) -> str:
        """Return the name of a new variable: another one than those of variables with other marks around it."""
        taken = {
            var.name
            for (_, mark), bound in self._bound.items()
            if mark != atom.mark
            for var in bound
            if var and var.how != "declare"
        }
        return next(name for name in chain((atom.text,), _further(atom.text)) if name not in taken)

    def _named(self, atom: Atom) -> list[Var | None]:
        """Return the bindings that a variable can mean: in a block, also what is declared."""
        bound = self._bound.get((atom.text, atom.mark))
        if bound or not atom.mark:
            return bound or []
        return [var for var in self._bound.get((atom.text, 0), []) if var is None or var.how == "declare"]

    def _variables(self) -> dict[str, None]:
        return {name: None for name, _ in self._bound}

    def place(self, value: Value | None) -> Place | None:
        """Return the place that a value is, or that it follows as a variable which is bound to the place itself."""
        if isinstance(value, Use):
            return self._places.get(value.var)
        return value if isinstance(value, Place) else None

    def _use(self, atom: Atom) -> Value | None:
        if bound := self._named(atom):
            var = bound[-1]
            if var and var in self._numbers:
                var.read = True
                return written(self._numbers[var], atom.at)
            return Use(atom.at, var) if var else None
        text = short(atom.text)
        if atom.mark:
            hint = "A block knows its parameters, the variables that it binds itself, and what is declared."
        elif atom.text in self._once:
            line, _ = self.source.line_and_column(self._once[atom.text].start)
            hint = (
                f"'{text} is bound in line {line}, and known only inside the brackets of the construct that binds it."
            )
        else:
            near = self.nearest(atom.text, self._variables())
            hint = (
                f"Did you mean '{near}?" if near else f"If {text} is a name and no variable, leave the apostrophe out."
            )
        self.wrong(atom.at, f"There is no variable '{text} here.", hint)
        return None

    def unquoted(self, item: Item) -> str:
        """Return the hint that a name was probably meant as the variable of that name; "" if there is none."""
        if not (isinstance(item, Atom) and item.kind == "NAME"):
            return ""
        if self._named(item):
            return f"Did you mean the variable '{short(item.text)}? Its apostrophe is missing."
        near = self.nearest(item.text, self._variables())
        return f"Did you mean the variable '{near}?" if near else ""

    # -- values

    def value(self, item: Item) -> Value | None:
        """Read a value as what it is; None if it is none, which is noted."""
        if isinstance(item, Form):
            return self._form(item)
        if item.kind == "INT":
            return Number(item.at, int(item.text[:12]))
        if item.kind == "NAME":
            return Name(item.at, item.text)
        if item.kind == "VAR":
            return self._use(item)
        if item.kind == "WORD":
            if item.text in ("player", "team"):
                return Everybody(item.at, "team" if item.text == "team" else "player")
            self._stray(item)
        elif item.kind == "SIGN":
            self.wrong(item.at, f"{item.text} has no place here.")
        return None

    def _stray(self, atom: Atom) -> None:
        word = atom.text
        if word in ("current", "next", "previous"):
            hint = f"A player is written ({word} player)."
        elif word in WORDS:
            hint = how_written(word)
        else:
            near = self.nearest(word, WORDS)
            hint = f"Did you mean {near}?" if near else "A name is written in capital letters, a variable 'LIKE 'THIS."
            if word == "none" or self._names_something(word.upper()):
                hint = in_capitals(word)
            self.wrong(atom.at, f"{short(word)} is no word of the language.", hint)
            return
        self.wrong(atom.at, f"{word} cannot stand here without brackets.", hint)

    def _names_something(self, name: str) -> bool:
        """Return whether a name stands somewhere in the text."""
        return len(name) < 65 and re.search(rf"(?<![A-Z']){name}(?![A-Z])", self.source.text) is not None

    def below_zero(self, items: list[Item]) -> str:
        """Return the hint how a number below zero is written, if there is one among some items; else ""."""
        for sign, number in pairwise(items):
            if is_sign(sign, "-") and isinstance(number, Atom) and number.kind == "INT":
                return f"A number below zero is written (- 0 {number.text})."
        return ""

    def _form(self, form: Form) -> Value | None:
        if not form.items:
            self.wrong(form.at, "There is nothing between these brackets.")
            return None
        head = form.items[0]
        if isinstance(head, Form) or head.kind in ("INT", "VAR"):
            return self._owned(self, form)
        if head.kind == "NAME":
            return self._names(form)
        if head.text == "game":
            return self._owned(self, form)
        reader = self._forms.get(head.text)
        if reader:
            return reader(self, form)
        if len(form.items) == 2 and is_word(form.items[1], "player", "team") and head.text not in WORDS:
            near = self.nearest(head.text, frozenset(("current", "next", "previous", "other")))
            hint = f"Did you mean {near}?" if near else _stored_player(head)
            text = f"current, next, previous or a number is wanted here, but {short(head.text)} stands here."
            self.wrong(head.at, text, hint)
            return None
        self.unknown(head, "a value")
        return None

    def unknown(self, head: Atom, wanted: str) -> None:
        """Note that a form begins with a word that begins nothing which is wanted here."""
        if head.kind == "OTHER":
            return  # noted before
        word = head.text
        if word in ACTIONS or word in BLOCKS:
            self.wrong(head.at, f"{wanted.capitalize()} is wanted here, but {word} is something that is done.")
        elif word in WORDS or head.kind != "WORD":
            hint = how_written(word)
            self.wrong(head.at, f"{wanted.capitalize()} is wanted here, but {self.quoted(head)} begins none.", hint)
        else:
            near = None if word in ELSEWHERE else self.nearest(word, WORDS)
            hint = f"Did you mean {near}?" if near else ELSEWHERE.get(word, "")
            self.wrong(head.at, f"{short(word)} is no word of the language.", hint)

    def _names(self, form: Form) -> Names | None:
        items = form.items
        if form.broken:
            return None
        second = items[1] if len(items) > 1 else None
        if isinstance(second, Form) or (second and is_word(second, "player", "team", *PLACES, *STORES)):
            stored = "" if isinstance(second, Form) or second.text != "player" else _stored_player(items[0])
            wanted = "A number" if isinstance(second, Form) or second.text in ("player", "team") else "game or a player"
            self.wrong(
                items[0].at,
                f"{wanted} is wanted here, but {self.quoted(items[0])} is a name.",
                self.unquoted(items[0]) or stored,
            )
            return None
        for place, item in enumerate(items):
            if place % 2 and not is_sign(item, ","):
                hint = "Names are parted by commas: (A, B, C)."
                if is_sign(item, ":"):
                    hint = "A colon stands only in an award: ((RANK : ACE) 4)."
                self.wrong(item.at, f"A comma is wanted between names, but {self.quoted(item)} stands here.", hint)
                return None
            if not place % 2 and not (isinstance(item, Atom) and item.kind == "NAME"):
                self.wrong(item.at, f"A name is wanted in this list, but {self.quoted(item)} stands here.")
                return None
        if not len(items) % 2:
            self.wrong(items[-1].at, "After this comma another name is wanted.")
            return None
        return Names(form.at, tuple(item.text for item in items[::2] if isinstance(item, Atom)))

    def want(self, item: Item, type: Type) -> Value:
        """Read a value of a type."""
        return self.fit(self.value(item), type, item)

    def fit(self, value: Value | None, type: Type, item: Item) -> Value:
        """Return a value as one of a type, or note that it is none."""
        if value is None:
            return made_up(type, item.at)
        if value.type is type:
            return value
        if type is Type.CARD:
            card = as_card(value)
            if card:
                return card
        hint = self._hint(value, type, item)
        self.wrong(
            item.at,
            f"{A[type].capitalize()} {is_or_are(type)} wanted here, but {self.quoted(item)} {are(value)}.",
            hint,
        )
        return made_up(type, item.at)

    def _hint(self, value: Value, type: Type, item: Item) -> str:
        quote = self.quoted(item)
        if isinstance(value, Name) and type is not Type.STR and (meant := self.unquoted(item)):
            return meant
        if type is Type.CARDS and isinstance(value, Name):
            return place_named(value)
        if type is Type.CARD and value.type is Type.CARDS:
            return f"Write (top {quote}) for the card on top."
        if type is Type.CARD and value.type is Type.GROUPS:
            return f"Write (top (top {quote})) for the top card of the first group."
        if type is Type.CARDS and value.type is Type.CARD:
            if isinstance(value, CardAt) and isinstance(item, Form) and len(item.items) == 2:
                return f"Write {self.quoted(item.items[1])} for all cards there."
            return "One card is not cards: name the place where they lie."
        if type is Type.CARDS and value.type is Type.GROUPS:
            return f"Write (top {quote}) for the first group, or (union {quote}) for all their cards."
        if type is Type.INT and value.type in MEMBER:
            return f"Write (size {quote}) for how many they are."
        if type is Type.INT and value.type is Type.STR:
            return "Names are stored by str, numbers by sto." if isinstance(value, Name) else ""
        if type is Type.STR and isinstance(value, Names) and len(value.texts) == 1:
            return f"Write {value.texts[0]} without brackets."
        if type is Type.STR and value.type is Type.CARD:
            return f"Write (cardatt RANK {quote}) for its rank."
        if type is Type.PLAYER and value.type is Type.CARD:
            return f"Write (owner {quote}) for the player in whose place it lies."
        if type is Type.PLAYER and value.type in (Type.PLAYERS, Type.TEAM):
            return f"Say which: (current player), or a variable of (all {quote} 'P ...)."
        if type is Type.BOOL and value.type is Type.INT:
            return f"Compare it: (== {quote} 1)."
        if type is Type.BOOL and value.type in MEMBER:
            return f"Compare their number: (> (size {quote}) 0)."
        return ""

    def step(self, item: Item) -> Action:
        """Read a step."""
        return self._step(self, item)

    def collection(self, item: Item) -> Value | None:
        """Read something that has members; a team has its players."""
        value = self.value(item)
        if value is None or value.type in MEMBER:
            return value
        if value.type is Type.TEAM:
            return Members(item.at, value)
        hint = ""
        if value.type is Type.CARD and isinstance(value, CardAt) and isinstance(item, Form):
            hint = f"Write {self.quoted(item.items[-1])} for all cards there."
        elif value.type is Type.INT:
            hint = f"Write (range 1 .. {self.quoted(item)}) for the numbers up to it."
        elif isinstance(value, Name):
            hint = self.unquoted(item) or f"A list of one name is written ({value.text})."
        text = (
            f"Something with members is wanted here (cards, players, names, ...), but {self.quoted(item)} {are(value)}."
        )
        self.wrong(item.at, text, hint)
        return None


def _further(name: str) -> Iterator[str]:
    """Yield more names like one: XB, XC, ..., XBB, ..."""
    for length in count(1):
        yield from (name + "".join(letters) for letters in product(ascii_uppercase[1:], repeat=length))


def in_capitals(word: str) -> str:
    """Return the hint that a name is written in capitals."""
    return f"Names are written in capital letters: {short(word.upper())}."


def _stored_player(item: Item) -> str:
    return f"A stored player is written (game who {short(item.text.upper())})." if isinstance(item, Atom) else ""


def place_named(name: Name) -> str:
    """Return the hint how the place of a name is written."""
    place = short(name.text)
    return f"A place is written with its owner: (game vloc {place}) or ((current player) iloc {place})."


def as_card(value: Value) -> Value | None:
    """Return the card for which a group of cards may stand: its top one. None if the value is nothing like that."""
    if value.type is Type.CARDS and isinstance(value, Use | Member):
        return CardAt(value.at, "top", value)
    if value.type is Type.GROUPS and isinstance(value, Use):
        return CardAt(value.at, "top", Member(value.at, "top", value))
    return None


def member_type(collection: Value | None) -> Type | None:
    """Return the type of a collection's members."""
    return MEMBER[collection.type] if collection else None


def made_up(type: Type, at: Span) -> Value:
    """Return some value of a type, for going on after an error."""
    nothing = Combined(at, "union", ())
    made: dict[Type, Value] = {
        Type.INT: Number(at, 1),
        Type.BOOL: Logic(at, "and", ()),
        Type.STR: Name(at, ""),
        Type.CARD: CardAt(at, "top", nothing),
        Type.CARDS: nothing,
        Type.GROUPS: Subsets(at, nothing),
        Type.PLAYER: Relative(at, "current", "player"),
        Type.TEAM: Relative(at, "current", "team"),
        Type.PLAYERS: Everybody(at, "player"),
        Type.TEAMS: Everybody(at, "team"),
        Type.STRS: Names(at, ()),
        Type.INTS: Range(at, Number(at, 1), Number(at, 1)),
    }
    return made[type]


def is_word(item: Item, *words: str) -> bool:
    """Return whether an item is one of these words of the language."""
    return isinstance(item, Atom) and item.kind == "WORD" and item.text in words


def is_sign(item: Item, *signs: str) -> bool:
    """Return whether an item is one of these signs."""
    return isinstance(item, Atom) and item.kind == "SIGN" and item.text in signs


def head(item: Item) -> str:
    """Return the word or sign that a form begins with, or ""."""
    return item.head if isinstance(item, Form) else ""


def begins(item: Item, word: str) -> TypeGuard[Form]:
    """Return whether an item is a form that begins with a word."""
    return isinstance(item, Form) and item.head == word


def word(form: Form) -> Any:
    """Return the word or sign by which the reader of a form was found, so that it is one of those that reader knows."""
    return form.head


def are(value: Value) -> str:
    """Return what a value is, as the end of a sentence."""
    return f"{is_or_are(value.type)} {A[value.type]}"


def is_or_are(type: Type) -> str:
    """Return the verb that goes with a type."""
    return "are" if type in MEMBER else "is"
