"""Reading simple actions: those that hold no others."""

from __future__ import annotations

from collections.abc import Callable

from games.core.messages import message, template
from games.recycle.reader.base import Reader, but, head, is_sign, is_word, place_named, word
from games.recycle.reader.decks import create
from games.recycle.reader.syntax import Atom, Form, Item
from games.recycle.reader.values import ref
from games.recycle.signatures import how_written
from games.recycle.tree import (
    Action,
    Award,
    CardAt,
    End,
    Forget,
    Name,
    Place,
    Reveal,
    Roll,
    SetName,
    SetNumber,
    SetPlayer,
    SetPoints,
    Target,
    Type,
    Use,
    Value,
)


def _set(r: Reader, form: Form) -> Action | None:
    parts = r.parts(form, "_", "_")
    if not parts:
        return None
    store = ref(r, parts[0])
    what = store.what if store else ""
    if not store:  # what kind of value it takes cannot be known
        return None
    if what == "points":
        awards = _awards(r, parts[1])
        return SetPoints(form.at, store, awards)
    if what == "str":
        return SetName(form.at, store, r.want(parts[1], Type.STR))
    if what == "who":
        return SetPlayer(form.at, store, r.want(parts[1], Type.PLAYER))
    return SetNumber(form.at, "set", store, r.want(parts[1], Type.INT))


def _count(r: Reader, form: Form) -> Action | None:
    parts = r.parts(form, "_", "_")
    if not parts:
        return None
    store = ref(r, parts[0])
    if store and store.what != "sto":
        r.wrong(
            parts[0].at,
            but(
                message("Expected a store of numbers here"),
                message(ONE_OF[store.what], code=r.quoted(parts[0])),
            ),
            how_written(word(form)),
        )
    value = r.want(parts[1], Type.INT)
    return SetNumber(form.at, word(form), store, value) if store else None


ONE_OF = {
    "str": template("{code} is one of names"),
    "who": template("{code} is one of players"),
    "points": template("{code} is one of point maps"),
}  # a store of another kind than wanted
AWARD = message(
    "Write awards as (((RANK : ACE) 4) ((RANK : KING) (SUIT : HEARTS) 3)), in one pair of brackets around all."
)


def _awards(r: Reader, item: Item) -> tuple[Award, ...]:
    if not isinstance(item, Form):
        r.wrong(item.at, message("Expected awards here, but found {code}.", code=r.quoted(item)), AWARD)
        return ()
    if item.broken:
        return ()
    if not item.items:
        r.wrong(item.at, message("Expected awards here, but found none."), AWARD)
    elif isinstance(item.items[-1], Atom):  # one award without the brackets around all
        r.wrong(item.at, message("The awards are not in brackets of their own."), AWARD)
        return ()
    return tuple(found for each in item.items if (found := _award(r, each)))


def _award(r: Reader, item: Item) -> Award | None:
    if not isinstance(item, Form) or len(item.items) < 2:
        if not (isinstance(item, Form) and item.broken):
            r.wrong(item.at, message("Expected an award here, but found {code}.", code=r.quoted(item)), AWARD)
        return None
    if item.broken:
        return None
    if hint := r.below_zero(item.items):
        r.wrong(item.items[-2].at, message("Expected a number without a sign here."), hint)
        return None
    *pairs, value = item.items
    found = [pair for each in pairs if (pair := _pair(r, each))]
    return Award(item.at, tuple(found), r.want(value, Type.INT))


def _pair(r: Reader, item: Item) -> tuple[Value, Value] | None:
    if isinstance(item, Form) and item.broken:
        return None
    if isinstance(item, Form) and len(item.items) == 3 and is_sign(item.items[1], ":"):
        return r.want(item.items[0], Type.STR), r.want(item.items[2], Type.STR)
    hint = AWARD
    if isinstance(item, Form) and len(item.items) == 2:
        key, old = item.items
        if isinstance(old, Form):
            names = [each.text for each in old.items if isinstance(each, Atom) and each.kind == "NAME"]
            attribute, value = r.quoted(key), names[0] if names else "VALUE"
            hint = message(
                "This is the spelling of version 0.5. Now each value has an award of its own: (({attribute} : "
                "{value}) 4).",
                attribute=attribute,
                value=value,
            )
        else:
            hint = message("Put a colon between the two: ({code} : {code2}).", code=r.quoted(key), code2=r.quoted(old))
    r.wrong(
        item.at,
        message("Expected an attribute and its value here, but found {code}.", code=r.quoted(item)),
        hint,
    )
    return None


def target(r: Reader, item: Item, *, memory: bool) -> Target | None:
    """Read where a card is put: on top of a place, under it, or before a card in it."""
    if not isinstance(item, Form) or len(item.items) != 2:
        value = r.value(item)
        if value is not None:
            hint = (
                message("Write (top {code}) to put it on top.", code=r.quoted(item))
                if value.type is Type.CARDS
                else message("Write (top PLACE).")
            )
            r.wrong(item.at, but(message("Expected the destination of a card here"), r.what(item, value)), hint)
        return None
    if item.broken:
        return None
    first, second = item.items
    where: End | Value
    if is_word(first, "top", "bottom"):
        where = "bottom" if is_word(first, "bottom") else "top"
    elif head(item) or (isinstance(first, Atom) and first.kind == "NAME"):
        r.wrong(
            item.at,
            message("Expected the destination of a card here, but found {code}.", code=r.quoted(item)),
            message("Write (top PLACE), (bottom PLACE) or (2 PLACE)."),
        )
        return None
    else:
        where = r.want(first, Type.INT)
    place = r.value(second)
    if place is None:
        return None
    named = r.place(place)
    if named and isinstance(place, Place | Use):
        if memory and named.vis != "mem":
            r.wrong(
                second.at,
                message("Expected a memory here, but {code} is a place of another kind.", code=r.quoted(second)),
                message("Write a memory as (game mem NAME); a card gets into a place by move."),
            )
        elif not memory and named.vis == "mem":
            r.wrong(
                second.at,
                message("Cards cannot lie in a memory: it notes cards that lie elsewhere."),
                message("Write remember instead of move."),
            )
        return Target(item.at, where, place)
    if place.type is Type.CARDS:
        hint = message("Name the place: (top (game vloc NAME)), or a variable that is bound by let to a place.")
        r.wrong(
            second.at,
            message(
                "A card can only be put into a place, but {code} is a collection made from cards.",
                code=r.quoted(second),
            ),
            hint,
        )
    else:
        hint = message("Write (top PLACE).")
        if isinstance(place, Name):
            hint = r.unquoted(second) or place_named(place)
        r.wrong(second.at, but(message("Expected a place here"), r.what(second, place)), hint)
    return None


def _forget(r: Reader, form: Form) -> Action | None:
    parts = r.parts(form, "_")
    if not parts:
        return None
    card = r.want(parts[0], Type.CARD)
    place = r.place(card.cards) if isinstance(card, CardAt) else None
    if place and place.vis != "mem":
        r.wrong(
            parts[0].at,
            message("Only a card of a memory can be forgotten."),
            message("Write (forget (top (game mem NAME)))."),
        )
    return Forget(form.at, card)


def _roll(r: Reader, form: Form) -> Action | None:
    parts = r.parts(form, "_")
    value = r.value(parts[0]) if parts else None
    if value is None:
        return None
    if parts and value.type is not Type.CARD:
        value = r.fit(value, Type.CARDS, parts[0])
    return Roll(form.at, value)


def _reveal(r: Reader, form: Form) -> Action | None:
    parts = r.parts(form, "_")
    store = ref(r, parts[0]) if parts else None
    if not store:
        return None
    if store.vis == "vloc":
        text = message("Expected a secret store here, but everybody sees {code}.", code=r.quoted(form.items[1]))
        r.wrong(store.at, text, how_written("reveal"))
        return None
    return Reveal(form.at, store)


SIMPLE: dict[str, Callable[[Reader, Form], Action | None]] = {
    "set": _set,
    "inc": _count,
    "dec": _count,
    "forget": _forget,
    "reveal": _reveal,
    "roll": _roll,
    "create": create,
}
