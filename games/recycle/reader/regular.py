"""Reading the forms that the table of the language describes completely: a node, and its arguments in their order."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from typing import Any

from games.core.messages import any_of, message
from games.recycle.reader.base import Reader, is_sign, is_word, member_type
from games.recycle.reader.simple import target
from games.recycle.reader.syntax import Atom, Form, Item
from games.recycle.reader.values import using
from games.recycle.signatures import HEADED, KINDS, WHICH, Signature, how_written
from games.recycle.tree import Relative, Type, Value, Var


def regular(gives: Collection[str], r: Reader, form: Form) -> Any | None:
    """Return the node of a form that gives one of these; None if it cannot be read, which is noted."""
    signature = None if form.broken else _signature(r, form, gives)
    if signature is None or signature.node is None:
        return None
    values: list[Any] = []
    with ExitStack() as scope:
        for part, item in zip(signature.parts, form.items, strict=True):
            if part.text == "VAR":
                values.append(scope.enter_context(_binding(r, signature, item, values[-1])))
            elif part.kind:
                values.append(_argument(r, part.text, item))
    return None if None in values else signature.node(form.at, *signature.words, *values)


def _binding(r: Reader, signature: Signature, item: Item, value: Value | None) -> AbstractContextManager[Var]:
    """Bind a variable to a value, or to the members of one."""
    if signature.parts[1].text == "VALUE":
        return r.binding(item, value.type if value else None, "let", value)
    return r.binding(item, member_type(value), "each")


def _argument(r: Reader, kind: str, item: Item) -> Any | None:
    type = KINDS[kind].type
    if type:
        return r.want(item, type)
    if kind == "COLLECTION":
        return r.collection(item)
    if kind == "VALUE":
        return r.value(item)
    if kind == "STEP":
        return r.step(item)
    if kind == "POINTS":
        return using(r, item)
    if kind == "TURN":
        if isinstance(item, Atom) and item.text in WHICH:
            return Relative(item.at, item.text, "player")
        return r.want(item, Type.PLAYER)
    return target(r, item, memory=kind == "NOTE")


def _signature(r: Reader, form: Form, gives: Collection[str]) -> Signature | None:
    """Return the signature that a form follows; None, with an error noted, if it follows none."""
    left = [signature for signature in HEADED[form.head] if signature.node and signature.gives in gives]
    for place, item in enumerate(form.items):
        possible = [signature for signature in left if place < len(signature.parts)]
        fits = [signature for signature in possible if _is(item, signature.parts[place].text)]
        fits = fits or [signature for signature in possible if signature.parts[place].kind]
        if possible and not fits:
            words = any_of(dict.fromkeys(signature.parts[place].text for signature in possible))
            there = item.text if isinstance(item, Atom) and item.kind == "WORD" else ""
            near = r.nearest(there, frozenset(signature.parts[place].text for signature in possible))
            hint = message("Did you mean {near}?", near=near) if near else how_written(form.head)
            r.wrong(
                item.at,
                message("Expected {words} here, but found {code}.", words=words, code=r.quoted(item)),
                hint,
            )
            return None
        left = [signature for signature in left if signature in fits or place >= len(signature.parts)]
    found = next((signature for signature in left if len(signature.parts) == len(form.items)), None)
    if not found and left[-1].parts[-1].text == "STEP" and len(form.items) > len(left[-1].parts):
        hint = message("Write several as ({word} ... (do (STEP STEP ...))).", word=form.head)
        r.wrong(
            form.items[len(left[-1].parts)].at,
            message("{word} takes one step, but here is a second.", word=form.head),
            hint,
        )
    elif not found:
        r.wrong_number(form, sorted({len(signature.parts) - 1 for signature in left}))
    return found


def _is(item: Item, text: str) -> bool:
    return is_word(item, text) or is_sign(item, text)


def readers(gives: Collection[str]) -> dict[str, Callable[[Reader, Form], Any | None]]:
    """Return the readers of all regular forms that give one of these, by their heads."""
    read = partial(regular, gives)
    return {head: read for head, signatures in HEADED.items() for one in signatures if one.node and one.gives in gives}
