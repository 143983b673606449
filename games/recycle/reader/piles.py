"""Reading single cards, cards, and groups of cards."""

from __future__ import annotations

from collections.abc import Callable

from games.core.messages import NONE, any_of, message
from games.recycle.reader.base import Reader, but, is_word, place_named, word
from games.recycle.reader.syntax import Atom, Form, Item
from games.recycle.reader.values import location_name, owner, ref
from games.recycle.signatures import PLACES, STORES, how_written
from games.recycle.tree import (
    CardAt,
    Combined,
    Each,
    End,
    GroupAt,
    Name,
    Numbered,
    Partition,
    Place,
    Slice,
    Stored,
    Type,
    Use,
    Value,
    Var,
)


def _end(r: Reader, form: Form) -> Value | None:
    """Read ``(top X)`` and ``(top 3 X)``."""
    end: End = word(form)
    if len(form.items) == 3:
        count, cards = form.items[1:]
        return Slice(form.at, end, r.want(count, Type.INT), r.want(cards, Type.CARDS))
    parts = r.parts(form, "_")
    return indexed(r, form, end, parts[0]) if parts else None


def indexed(r: Reader, form: Form, where: End | Value, item: Item) -> Value | None:
    """Read what is indexed: one of some cards is a card, one of some groups is cards."""
    value = r.value(item)
    if value is None:
        return None
    if value.type is Type.GROUPS:
        return GroupAt(form.at, where, value)
    if value.type is Type.CARDS:
        return CardAt(form.at, where, value)
    hint = message("Write {code} alone.", code=r.quoted(item)) if value.type is Type.CARD else NONE
    if isinstance(value, Name):
        hint = r.unquoted(item) or place_named(value)
    r.wrong(item.at, but(message("Expected cards or groups of cards here"), r.what(item, value)), hint)
    return None


def _parts(r: Reader, form: Form, items: list[Item]) -> tuple[Value, ...] | Each:
    """Read what is put together: some cards, or the cards of each member of something."""
    if not items:
        if not form.broken:
            r.wrong(
                form.at, message("{word} takes cards, but there are none.", word=word(form)), how_written(word(form))
            )
        return ()
    if len(items) == 1:
        value = r.value(items[0])
        if isinstance(value, Each):
            return value
        if value is not None and value.type is Type.GROUPS:  # each group of them
            at = items[0].at
            group = Var("GROUP", Type.CARDS, at, "each")
            return Each(at, value, group, Use(at, group))
        return (r.fit(value, Type.CARDS, items[0]),)
    return tuple(r.want(item, Type.CARDS) for item in items)


def _combined(r: Reader, form: Form) -> Value | None:
    return Combined(form.at, word(form), _parts(r, form, form.items[1:]))


def _partition(r: Reader, form: Form) -> Value | None:
    if len(form.items) < 3:
        if not form.broken:
            r.wrong(form.at, message("partition takes the name of an attribute, and cards."), how_written("partition"))
        return None
    first = r.value(form.items[1])
    if first is not None and first.type in (Type.CARDS, Type.GROUPS):
        text = but(message("Expected the name of an attribute here"), r.what(form.items[1], first))
        r.wrong(form.items[1].at, text, message("The attribute comes first, as in (partition SUIT CARDS)."))
        return None
    key = r.fit(first, Type.STR, form.items[1])
    return Partition(form.at, key, _parts(r, form, form.items[2:]))


def owned(r: Reader, form: Form) -> Value | None:
    """Read a form that does not begin with a word: something a player owns, or a member by its number."""
    first, rest = form.items[0], form.items[1:]
    second = rest[0] if rest else None
    if isinstance(second, Atom) and second.text in PLACES:
        who = owner(r, first, teams=False)
        name = location_name(r, form, second.text)
        return Place(form.at, who, second.text, name) if who and name else None  # type: ignore[arg-type]
    if isinstance(second, Atom) and second.text in STORES:
        found = ref(r, form)
        if found and found.what == "points":
            r.wrong(
                form.at,
                message("A point map is no value."),
                message("It belongs after using: (score CARD using (game points NAME))."),
            )
            return None
        return Stored(form.at, found) if found else None
    if form.broken:
        return None
    if is_word(first, "game"):
        there = message("found {code}", code=r.quoted(second)) if second else message("found nothing")
        near = r.nearest(second.text, frozenset(PLACES + STORES)) if isinstance(second, Atom) else None
        words = any_of(PLACES + STORES)
        r.wrong(
            second.at if second else form.at,
            message("Expected {words} after game, but {found}.", words=words, found=there),
            message("Did you mean {near}?", near=near)
            if near
            else message("Write a place on the table as (game vloc NAME)."),
        )
        return None
    if isinstance(second, Atom) and second.text in ("player", "team") and len(rest) == 1:
        return Numbered(form.at, r.want(first, Type.INT), second.text)  # type: ignore[arg-type]
    if len(rest) == 1 and second:
        return indexed(r, form, r.want(first, Type.INT), second)
    if not rest and isinstance(first, Atom) and first.kind == "VAR":
        r.wrong(
            form.at,
            message("{code} is in brackets here.", code=r.quoted(first)),
            message("A variable has none around it."),
        )
    elif not rest and isinstance(first, Form):
        r.wrong(
            form.at,
            message("There is one pair of brackets too many here."),
            message("Write {code}.", code=r.quoted(first)),
        )
    elif not rest:
        r.wrong(
            form.at,
            message("{code} is in brackets here.", code=r.quoted(first)),
            message("A number has none around it."),
        )
    else:
        r.wrong(
            form.at,
            message("{code} is no value.", code=r.quoted(form)),
            message("A value begins with a word, as (size CARDS), or with an owner, as ('P vloc NAME)."),
        )
    return None


CARDS: dict[str, Callable[[Reader, Form], Value | None]] = {
    **dict.fromkeys(("top", "bottom"), _end),
    **dict.fromkeys(("union", "intersect", "disjunction"), _combined),
    "partition": _partition,
}
