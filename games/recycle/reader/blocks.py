"""Named blocks: each ``(call NAME ...)`` is replaced by what is defined under that name, before anything is read.

So everything behind this module sees a text in which nothing is called. A definition may call the blocks above it, and
those that come with the language (``standard.rcy``). Variables do not mix: an argument means what it means where the
call stands, and a block knows only its parameters, its own variables and what is declared. Therefore the variables of
each copy have a mark of their own (``Atom.mark``).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from games.core.messages import NONE, Message, message
from games.recycle.reader.base import Reader, takes
from games.recycle.reader.syntax import MAX_DEPTH, Atom, Form, Item, deepest, forms, parse, short, tokens
from games.recycle.reader.words import nearest
from games.recycle.signatures import how_written
from games.recycle.tree import Span

STANDARD = Path(__file__).parents[1] / "standard.rcy"
MOST_WRITTEN_OUT = 25_000  # tokens and pairs of brackets that the calls of a text stand for

Wrong = Callable[[Span, Message, Message], object]  # notes an error: where, what, and a hint


@dataclass(frozen=True, slots=True)
class Definition:
    """A named block. In its ``body`` nothing is called any more. ``at`` is None if it comes with the language."""

    name: str
    parameters: tuple[str, ...]
    body: tuple[Item, ...]
    at: Span | None


def written_out(r: Reader, game: Form) -> Form | None:
    """Return the form of a game without definitions, and with what is defined in place of each call.

    None, with an error noted, if that is too deep.
    """
    found = _Writer(r.wrong, standard(), r.settled).game(game)
    if found.depth > MAX_DEPTH:
        text = message("With its calls written out, brackets lie more than {most} deep here.", most=MAX_DEPTH)
        r.wrong(deepest(found).at, text, message("Nest fewer calls of blocks."))
        return None
    return found


def definitions(game: Form) -> Iterator[tuple[Atom, list[Atom], list[Item]]]:
    """Yield the name, the parameters and the body of each definition of a text, as far as it can be read."""
    for form in game.items:
        if isinstance(form, Form) and form.head == "define" and len(form.items) > 2:
            name, parameters, *body = form.items[1:]
            if isinstance(name, Atom) and isinstance(parameters, Form):
                yield name, [one for one in parameters.items if isinstance(one, Atom)], body


def called(items: list[Item]) -> set[str]:
    """Return the names of the blocks that are called in some items."""
    inside = (form for item in items if isinstance(item, Form) for form in forms(item))
    calls = (form.items[1] for form in inside if form.head == "call" and len(form.items) > 1)
    return {name.text for name in calls if isinstance(name, Atom)}


# -- the blocks that come with the language


@cache
def _standard_form() -> tuple[str, Form]:
    text = f"(game {STANDARD.read_text(encoding='utf-8')})"
    return text, parse(text)[0]


@cache
def standard() -> Mapping[str, Definition]:
    """Return the blocks that come with the language, by name."""

    def wrong(at: Span, text: Message, hint: Message) -> Any:
        raise AssertionError(f"{STANDARD.name}: {text} {hint}")

    writer = _Writer(wrong, {}, set(), placed=False)
    writer.game(_standard_form()[1])
    return writer.known


@cache
def standard_texts() -> dict[str, tuple[str, str]]:
    """Return the definition of each block that comes with the language, and what it means, by name."""
    found = re.findall(r"((?:^;;.*\n)+)(\(define ([A-Z]+)[^;]*)", STANDARD.read_text(encoding="utf-8"), re.MULTILINE)
    means = (comment.replace("\n;; ", " ").removeprefix(f";; {name}: ").strip() for comment, _, name in found)
    return {
        name: (text.strip(), said[0].upper() + said[1:]) for (_, text, name), said in zip(found, means, strict=True)
    }


def standard_text(text: str) -> str:
    """Return the definitions that come with the language and that a text uses, as tokens."""
    form = parse(text)[0]
    wanted = called(form.items) - {name.text for name, _, _ in definitions(form)}
    source, whole = _standard_form()
    found: list[str] = []
    for name, _, body in reversed(list(definitions(whole))):  # a block calls those above it
        if name.text in wanted:
            wanted |= called(body)
            found.append(source[name.at.start : body[-1].at.end])
    return " ".join(token for part in reversed(found) for token in tokens(part))


# -- writing calls out


class _Writer:
    """Replaces calls. ``placed``: whether its definitions are a part of the text, so that errors can point at them."""

    def __init__(
        self, wrong: Wrong, known: Mapping[str, Definition], settled: set[Span], *, placed: bool = True
    ) -> None:
        self.known = dict(known)
        self._wrong, self._settled, self._placed = wrong, settled, placed
        self._marks = count(1)
        self._room = MOST_WRITTEN_OUT
        self._own: dict[str, Span] = {}  # where a text defines each of its names

    def game(self, game: Form) -> Form:
        self._own = {name.text: name.at for name, _, _ in reversed(list(definitions(game)))}
        items: list[Item] = []
        before = True
        for item in game.items:
            before = before and not (isinstance(item, Form) and item.head == "setup")
            if isinstance(item, Form) and item.head == "define" and before:
                self._define(item)
            else:
                items += self._items([item])
        return _form(items, game.at, game.broken)

    def _items(self, items: list[Item]) -> list[Item]:
        """Return items with their calls replaced; one call may stand for several items."""
        found: list[Item] = []
        for item in items:
            if isinstance(item, Atom):
                found.append(item)
            elif item.head == "call":
                found += self._call(item)
            elif item.head == "define":
                hint = message("Define blocks directly in the game, before the setup.")
                found.append(
                    self._refused(item, item.items[0].at, message("{kind} is not allowed here.", kind="define"), hint)
                )
            else:
                found.append(_form(self._items(item.items), item.at, item.broken))
        return found

    def _refused(self, form: Form, at: Span, text: Message, hint: Message = NONE) -> Item:
        """Note an error. Return what stands for the form from here on, of which nothing more is reported."""
        if not form.broken:
            self._wrong(at, text, hint)
        return self._nothing(form.at)

    def _nothing(self, at: Span) -> Item:
        """Return what stands for something of which nothing more is reported."""
        self._settled.add(at)
        return Form([], at, 1, broken=True)

    # -- definitions

    def _define(self, form: Form) -> None:
        items = form.items
        name = items[1] if len(items) > 1 else None
        if not (isinstance(name, Atom) and name.kind == "NAME"):
            at = name.at if name else form.at
            self._refused(form, at, message("Expected the name of the block after define."), how_written("define"))
            return
        parameters = items[2] if len(items) > 2 else None
        if not isinstance(parameters, Form) or not all(_is_variable(one) for one in parameters.items):
            at = parameters.at if parameters else form.at
            hint = message(
                "Write (define {name} ('X 'Y) ...), or without parameters (define NAME () ...).",
                name=short(name.text),
            )
            self._refused(form, at, message("Expected the parameters of the block here, in brackets."), hint)
            return
        texts = tuple(one.text for one in parameters.items if isinstance(one, Atom))
        if len(set(texts)) < len(texts):
            self._refused(form, parameters.at, message("Two parameters have one name here."))
        if len(items) == 3:
            self._refused(
                form, form.at, message("There is nothing in the block {name}.", name=name.text), how_written("define")
            )
            return
        if name.text in self.known and self.known[name.text].at:
            self._refused(
                form,
                name.at,
                message("There is a block {name} already.", name=short(name.text)),
                message("Give each its own name."),
            )
            return
        body = self._items(items[3:])
        self.known[name.text] = Definition(name.text, texts, tuple(body), name.at if self._placed else None)

    # -- calls

    def _call(self, form: Form) -> list[Item]:
        name = form.items[1] if len(form.items) > 1 else None
        if not (isinstance(name, Atom) and name.kind == "NAME"):
            at = name.at if name else form.at
            return [self._refused(form, at, message("Expected the name of a block after call."), how_written("call"))]
        definition = self.known.get(name.text)
        if not definition:
            return [
                self._refused(
                    form,
                    name.at,
                    message("There is no block {name} here.", name=short(name.text)),
                    self._meant(name.text),
                )
            ]
        given = self._items(form.items[2:])
        if len(given) != len(definition.parameters):
            written = " ".join([name.text, *definition.parameters])
            text = takes(short(name.text), [len(definition.parameters)], len(given))
            at = given[len(definition.parameters)].at if len(given) > len(definition.parameters) else form.at
            return [self._refused(form, at, text, message("Write (call {written}).", written=written))]
        arguments = dict(zip(definition.parameters, given, strict=True))
        marks: dict[int, int] = defaultdict(lambda: next(self._marks))
        at_call = None if definition.at else form.at
        found = [_copied(item, arguments, marks, at_call) for item in definition.body]
        room, self._room = self._room, self._room - sum(map(_size, found))
        if self._room < 0:
            if room >= 0:
                text = message("The calls of this text stand for more than {most:,} parts.", most=MOST_WRITTEN_OUT)
                self._refused(form, form.at, text, message("Call fewer blocks, or smaller ones."))
            return [self._nothing(form.at)]
        if any(isinstance(item, Form) and item.depth > MAX_DEPTH for item in found):
            text = message("With this call written out, brackets lie more than {most} deep.", most=MAX_DEPTH)
            return [self._refused(form, form.at, text, message("Nest fewer calls of blocks."))]
        return found

    def _meant(self, name: str) -> Message:
        if name in self._own:
            return message("It is defined below: a block can only call those that are defined above it.")
        near = nearest(name, self.known)
        return (
            message("Did you mean {near}?", near=near)
            if near
            else message("Define blocks before the setup: (define NAME ('X) ...).")
        )


def _copied(item: Item, arguments: Mapping[str, Item], marks: Mapping[int, int], at: Span | None) -> Item:
    """Return a copy of a part of a definition. ``at``: where all of it is from now on; None: where it is."""
    if isinstance(item, Form):
        return _form([_copied(one, arguments, marks, at) for one in item.items], at or item.at, item.broken)
    if item.kind != "VAR":
        return Atom(item.kind, item.text, at or item.at)
    if not item.mark and item.text in arguments:
        return arguments[item.text]
    return Atom(item.kind, item.text, at or item.at, marks[item.mark])


def _form(items: list[Item], at: Span, broken: bool) -> Form:
    return Form(items, at, 1 + max([item.depth for item in items if isinstance(item, Form)], default=0), broken)


def _size(item: Item) -> int:
    return 1 if isinstance(item, Atom) else sum(1 + len(form.items) for form in forms(item))


def _is_variable(item: Item) -> bool:
    return isinstance(item, Atom) and item.kind == "VAR"
