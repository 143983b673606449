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

from games.core.messages import NONE, Message, any_of, message, template
from games.recycle.constants import constant, number_node
from games.recycle.problems import Problem, Source
from games.recycle.reader.syntax import MAX_DIGITS, MAX_NAME, MAX_PROBLEMS, Atom, Form, Item, short
from games.recycle.reader.words import FROM_OTHER_LANGUAGES, nearest
from games.recycle.signatures import ACTIONS, BLOCKS, PLACES, STORES, WHICH, WORDS, how_written
from games.recycle.tree import (
    ITEM_TYPE,
    Action,
    CardAt,
    Combined,
    Everybody,
    GroupAt,
    Logic,
    Name,
    Names,
    Number,
    Place,
    Range,
    Relative,
    Span,
    Subsets,
    TeamPlayers,
    Type,
    Use,
    Value,
    Var,
)

How = Literal["declare", "let", "each"]

MAX_QUOTED = 200  # characters of an item that are looked at to quote the first 40 without its indentation

WANTED = {
    Type.INT: message("Expected a number here"),
    Type.BOOL: message("Expected a test here"),
    Type.STR: message("Expected a name here"),
    Type.CARD: message("Expected a card here"),
    Type.CARDS: message("Expected cards here"),
    Type.GROUPS: message("Expected groups of cards here"),
    Type.PLAYER: message("Expected a player here"),
    Type.TEAM: message("Expected a team here"),
    Type.PLAYERS: message("Expected players here"),
    Type.TEAMS: message("Expected teams here"),
    Type.STRS: message("Expected names here"),
    Type.INTS: message("Expected numbers here"),
}  # the beginning of a sentence that goes on with what stands there
IS = {
    Type.INT: template("{code} is a number"),
    Type.BOOL: template("{code} is a test"),
    Type.STR: template("{code} is a name"),
    Type.CARD: template("{code} is a card"),
    Type.CARDS: template("{code} are cards"),
    Type.GROUPS: template("{code} are groups of cards"),
    Type.PLAYER: template("{code} is a player"),
    Type.TEAM: template("{code} is a team"),
    Type.PLAYERS: template("{code} are players"),
    Type.TEAMS: template("{code} are teams"),
    Type.STRS: template("{code} are names"),
    Type.INTS: template("{code} are numbers"),
}  # what stands there, as the end of such a sentence

GAME_OR_PLAYER = message("Expected game or a player here")


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
        # Of each name, with its mark (``Atom.mark``: in which call of a block it stands), the bindings around the place
        # that is being read, the innermost last. None: what it is bound to could not be read, so it is not known.
        self._bound: dict[tuple[str, int], list[Var | None]] = {}
        self._places: dict[Var, Place] = {}  # which places variables follow
        self._numbers: dict[Var, int] = {}  # what declared numbers stand for
        self._first_bound: dict[str, Span] = {}  # where each name was bound first, in scope or not

    # -- problems

    def wrong(self, at: Span, text: Message, hint: Message = NONE) -> None:
        """Note an error."""
        problem = Problem("error", at, text, hint)
        if at in self.settled or problem in self.problems:  # what is in a named block is read at each call of it
            return
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem)

    def quoted(self, item: Item) -> str:
        """Return an item as a message quotes it."""
        end = min(item.at.end, item.at.start + MAX_QUOTED)
        return short(" ".join(self.source.text[item.at.start : end].split()))

    def what(self, item: Item, value: Value) -> Message:
        """Return what an item is, as the end of a sentence: it was read as that value."""
        return message(IS[value.type], code=self.quoted(item))

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
                    message("Expected {word} here, but found {code}.", word=word, code=self.quoted(items[place])),
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
        hint = self.below_zero(form.items[1:]) or how_written(form.head)
        self.wrong(at, takes(form.head, wanted, there), hint)

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
        name = self._distinct_name(item) if isinstance(item, Atom) else ""
        var = Var(name, type or Type.INT, item.at, how, live=place is not None)
        if place:
            self._places[var] = place
        number = constant(value) if value and how == "declare" else None
        if number is not None:
            self._numbers[var] = number
        if isinstance(item, Atom) and item.kind in ("VAR", "NAME"):  # a name is reported below, and its uses are not
            self._bound.setdefault((item.text, item.mark), []).append(var if type else None)
            self._first_bound.setdefault(item.text, item.at)
        if not (isinstance(item, Atom) and item.kind in ("VAR", "OTHER")):  # what is OTHER was noted before
            hint = message("A variable is an apostrophe and capital letters: 'X.")
            if isinstance(item, Atom) and item.kind in ("NAME", "WORD"):
                hint = message("A variable has an apostrophe before it: '{name}.", name=short(item.text.upper()))
            text = message("Expected a new variable here, but found {code}.", code=self.quoted(item))
            self.wrong(item.at, text, hint)
        return var

    def _distinct_name(self, atom: Atom) -> str:
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
                var.used = True
                return number_node(self._numbers[var], atom.at)
            return Use(atom.at, var) if var else None
        text = short(atom.text)
        if atom.mark:
            hint = message("A block knows its parameters, the variables that it binds itself, and what is declared.")
        elif atom.text in self._first_bound:
            line, _ = self.source.line_and_column(self._first_bound[atom.text].start)
            hint = message(
                "'{name} is bound in line {line}, and known only inside the brackets of the construct that binds it.",
                name=text,
                line=line,
            )
        else:
            near = self.nearest(atom.text, self._variables())
            hint = (
                message("Did you mean '{near}?", near=near)
                if near
                else message("If {name} is a name and no variable, leave the apostrophe out.", name=text)
            )
        self.wrong(atom.at, message("There is no variable '{name} here.", name=text), hint)
        return None

    def unquoted(self, item: Item) -> Message:
        """Return the hint that a name was probably meant as the variable of that name; ``NONE`` if there is none."""
        if not (isinstance(item, Atom) and item.kind == "NAME"):
            return NONE
        if self._named(item):
            return message("Did you mean the variable '{name}? Its apostrophe is missing.", name=short(item.text))
        near = self.nearest(item.text, self._variables())
        return message("Did you mean the variable '{near}?", near=near) if near else NONE

    # -- values

    def value(self, item: Item) -> Value | None:
        """Read a value as what it is; None if it is none, which is noted."""
        if isinstance(item, Form):
            return self._form(item)
        if item.kind == "INT":
            return Number(item.at, int(item.text[:MAX_DIGITS]))  # a longer one was reported
        if item.kind == "NAME":
            return Name(item.at, item.text)
        if item.kind == "VAR":
            return self._use(item)
        if item.kind == "WORD":
            if item.text in ("player", "team"):
                return Everybody(item.at, "team" if item.text == "team" else "player")
            self._stray(item)
        elif item.kind == "SIGN":
            self.wrong(item.at, message("{word} has no place here.", word=item.text))
        return None

    def _stray(self, atom: Atom) -> None:
        word = atom.text
        if word in WHICH:
            hint = message("Write a player as ({word} player).", word=word)
        elif word in WORDS:
            hint = how_written(word)
        else:
            near = self.nearest(word, WORDS)
            hint = (
                message("Did you mean {near}?", near=near)
                if near
                else message("Write a name in capital letters, a variable as 'THIS.")
            )
            if word == "none" or self._names_something(word.upper()):
                hint = in_capitals(word)
            self.wrong(atom.at, message("{word} is no word of the language.", word=short(word)), hint)
            return
        self.wrong(atom.at, message("{word} is not allowed here without brackets.", word=word), hint)

    def _names_something(self, name: str) -> bool:
        """Return whether a name stands somewhere in the text."""
        return len(name) <= MAX_NAME and re.search(rf"(?<![A-Z']){name}(?![A-Z])", self.source.text) is not None

    def below_zero(self, items: list[Item]) -> Message:
        """Return the hint how a number below zero is written, if there is one among some items; else ``NONE``."""
        for sign, number in pairwise(items):
            if is_sign(sign, "-") and isinstance(number, Atom) and number.kind == "INT":
                return message("Write a number below zero as (- 0 {number}).", number=number.text)
        return NONE

    def _form(self, form: Form) -> Value | None:
        if not form.items:
            self.wrong(form.at, message("There is nothing between these brackets."))
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
            near = self.nearest(head.text, frozenset((*WHICH, "other")))
            hint = message("Did you mean {near}?", near=near) if near else _stored_player(head)
            text = message(
                "Expected current, next, previous or a number here, but found {word}.", word=short(head.text)
            )
            self.wrong(head.at, text, hint)
            return None
        self.unknown(head, message("Expected a value here"))
        return None

    def unknown(self, head: Atom, wanted: Message) -> None:
        """Note that a form begins with a word that begins nothing which is wanted here, as ``wanted`` begins to say."""
        if head.kind == "OTHER":
            return  # noted before
        word = head.text
        if word in ACTIONS:
            self.wrong(head.at, message("{wanted}, but {word} is an action.", wanted=wanted, word=word))
        elif word in BLOCKS:
            self.wrong(head.at, message("{wanted}, but {word} is a block.", wanted=wanted, word=word))
        elif word in WORDS or head.kind != "WORD":
            hint = how_written(word)
            text = message("{wanted}, but {code} does not begin one.", wanted=wanted, code=self.quoted(head))
            self.wrong(head.at, text, hint)
        else:
            near = None if word in FROM_OTHER_LANGUAGES else self.nearest(word, WORDS)
            hint = message("Did you mean {near}?", near=near) if near else FROM_OTHER_LANGUAGES.get(word, NONE)
            self.wrong(head.at, message("{word} is no word of the language.", word=short(word)), hint)

    def _names(self, form: Form) -> Names | None:
        items = form.items
        if form.broken:
            return None
        second = items[1] if len(items) > 1 else None
        if isinstance(second, Form) or (second and is_word(second, "player", "team", *PLACES, *STORES)):
            stored = NONE if isinstance(second, Form) or second.text != "player" else _stored_player(items[0])
            wanted = GAME_OR_PLAYER
            if isinstance(second, Form) or second.text in ("player", "team"):
                wanted = WANTED[Type.INT]
            found = message(IS[Type.STR], code=self.quoted(items[0]))
            self.wrong(items[0].at, but(wanted, found), self.unquoted(items[0]) or stored)
            return None
        for place, item in enumerate(items):
            if place % 2 and not is_sign(item, ","):
                hint = message("Separate names with commas: (A, B, C).")
                if is_sign(item, ":"):
                    hint = message("A colon is allowed only in an award: ((RANK : ACE) 4).")
                self.wrong(
                    item.at,
                    message("Expected a comma between names, but found {code}.", code=self.quoted(item)),
                    hint,
                )
                return None
            if not place % 2 and not (isinstance(item, Atom) and item.kind == "NAME"):
                self.wrong(item.at, message("Expected a name in this list, but found {code}.", code=self.quoted(item)))
                return None
        if not len(items) % 2:
            self.wrong(items[-1].at, message("Expected another name after this comma."))
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
        self.wrong(item.at, but(WANTED[type], self.what(item, value)), hint)
        return made_up(type, item.at)

    def _hint(self, value: Value, type: Type, item: Item) -> Message:
        quote = self.quoted(item)
        if isinstance(value, Name) and type is not Type.STR and (meant := self.unquoted(item)):
            return meant
        if type is Type.CARDS and isinstance(value, Name):
            return place_named(value)
        if type is Type.CARD and value.type is Type.CARDS:
            return message("Write (top {code}) for the card on top.", code=quote)
        if type is Type.CARD and value.type is Type.GROUPS:
            return message("Write (top (top {code})) for the top card of the first group.", code=quote)
        if type is Type.CARDS and value.type is Type.CARD:
            if isinstance(value, CardAt) and isinstance(item, Form) and len(item.items) == 2:
                return message("Write {code} for all cards there.", code=self.quoted(item.items[1]))
            return message("One card is not cards: name the place where they lie.")
        if type is Type.CARDS and value.type is Type.GROUPS:
            return message("Write (top {code}) for the first group, or (union {code}) for all their cards.", code=quote)
        if type is Type.INT and value.type in ITEM_TYPE:
            return message("Write (size {code}) for how many they are.", code=quote)
        if type is Type.INT and value.type is Type.STR:
            return message("Store names with str, numbers with sto.") if isinstance(value, Name) else NONE
        if type is Type.STR and isinstance(value, Names) and len(value.texts) == 1:
            return message("Write {name} without brackets.", name=value.texts[0])
        if type is Type.STR and value.type is Type.CARD:
            return message("Write (cardatt RANK {code}) for its rank.", code=quote)
        if type is Type.PLAYER and value.type is Type.CARD:
            return message("Write (owner {code}) for the player in whose place it lies.", code=quote)
        if type is Type.PLAYER and value.type in (Type.PLAYERS, Type.TEAM):
            return message("Say which: (current player), or a variable of (all {code} 'P ...).", code=quote)
        if type is Type.BOOL and value.type is Type.INT:
            return message("Compare it: (== {code} 1).", code=quote)
        if type is Type.BOOL and value.type in ITEM_TYPE:
            return message("Compare their number: (> (size {code}) 0).", code=quote)
        return NONE

    def step(self, item: Item) -> Action:
        """Read a step."""
        return self._step(self, item)

    def collection(self, item: Item) -> Value | None:
        """Read something that has members; a team has its players."""
        value = self.value(item)
        if value is None or value.type in ITEM_TYPE:
            return value
        if value.type is Type.TEAM:
            return TeamPlayers(item.at, value)
        hint = NONE
        if value.type is Type.CARD and isinstance(value, CardAt) and isinstance(item, Form):
            hint = message("Write {code} for all cards there.", code=self.quoted(item.items[-1]))
        elif value.type is Type.INT:
            hint = message("Write (range 1 .. {code}) for the numbers up to it.", code=self.quoted(item))
        elif isinstance(value, Name):
            hint = self.unquoted(item) or message("Write a list of one name as ({name}).", name=value.text)
        wanted = message("Expected something with members here (cards, players, names, ...)")
        self.wrong(item.at, but(wanted, self.what(item, value)), hint)
        return None


def _further(name: str) -> Iterator[str]:
    """Yield more names like one: XB, XC, ..., XBB, ..."""
    for length in count(1):
        yield from (name + "".join(letters) for letters in product(ascii_uppercase[1:], repeat=length))


def in_capitals(word: str) -> Message:
    """Return the hint that a name is written in capitals."""
    return message("Write names in capital letters: {name}.", name=short(word.upper()))


def _stored_player(item: Item) -> Message:
    return (
        message("Write a stored player as (game who {name}).", name=short(item.text.upper()))
        if isinstance(item, Atom)
        else NONE
    )


def place_named(name: Name) -> Message:
    """Return the hint how the place of a name is written."""
    place = short(name.text)
    return message("Write a place with its owner: (game vloc {place}) or ((current player) iloc {place}).", place=place)


def as_card(value: Value) -> Value | None:
    """Return the card for which a group of cards may stand: its top one. None if the value is nothing like that."""
    if value.type is Type.CARDS and isinstance(value, Use | GroupAt):
        return CardAt(value.at, "top", value)
    if value.type is Type.GROUPS and isinstance(value, Use):
        return CardAt(value.at, "top", GroupAt(value.at, "top", value))
    return None


def member_type(collection: Value | None) -> Type | None:
    """Return the type of a collection's members."""
    return ITEM_TYPE[collection.type] if collection else None


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


def but(wanted: Message, found: Message) -> Message:
    """Return the sentence that one thing is expected, but there is another."""
    return message("{wanted}, but {found}.", wanted=wanted, found=found)


def takes(word: str, wanted: list[int], there: int) -> Message:
    """Return the sentence that a word takes another number of parts than there are."""
    text = message("{word} takes 1 part", word=word)
    if wanted != [1]:
        text = message("{word} takes {n} parts", word=word, n=any_of(map(str, wanted)))
    return but(text, were_found(there))


def were_found(there: int) -> Message:
    """Return how many parts there are, as the end of a sentence."""
    if there < 2:
        return message("1 was found") if there else message("none was found")
    return message("{n} were found", n=there)
