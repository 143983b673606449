"""Reading numbers, tests, names, players and teams."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.core.messages import NONE, Message, message, template
from games.recycle.reader.base import (
    GAME_OR_PLAYER,
    IS,
    WANTED,
    Reader,
    as_card,
    but,
    in_capitals,
    is_word,
    made_up,
    member_type,
    were_found,
    word,
)
from games.recycle.reader.syntax import Atom, Form, Item
from games.recycle.signatures import PLACES, SECRET, STORES, WHICH, how_written
from games.recycle.tree import (
    Compare,
    Each,
    Logic,
    Quantified,
    Random,
    Ref,
    Relative,
    Span,
    Table,
    Type,
    Value,
)

COMPARABLE = frozenset((Type.INT, Type.STR, Type.CARD, Type.PLAYER, Type.TEAM))  # what can be compared by == and !=


def _random(r: Reader, form: Form) -> Value | None:
    parts = r.parts(form, "_", "..", "_") if len(form.items) > 2 else r.parts(form, "_")
    if not parts:
        return None
    ends = [r.want(part, Type.INT) for part in parts]
    return Random(form.at, ends[0] if len(ends) > 1 else None, ends[-1])


def _logic(r: Reader, form: Form) -> Value | None:
    op, parts = word(form), form.items[1:]
    if not form.broken and len(parts) < 2:
        wanted = message("{word} takes at least 2 parts", word=op)
        r.wrong(form.at, but(wanted, were_found(len(parts))), how_written(op))
    return Logic(form.at, op, tuple(r.want(part, Type.BOOL) for part in parts))


def _equal(r: Reader, form: Form) -> Value | None:
    parts = r.parts(form, "_", "_")
    if not parts:
        return None
    left, right = (r.value(part) for part in parts)
    if left is None or right is None:
        return None
    if left.type is Type.CARD:
        right = as_card(right) or right
    elif right.type is Type.CARD:
        left = as_card(left) or left
    if left.type is right.type and left.type in COMPARABLE:
        return Compare(form.at, word(form), left, right)
    for part, other in zip(parts, (right, left), strict=True):
        if other.type is not Type.STR and (meant := r.unquoted(part)):
            found = message(IS[Type.STR], code=r.quoted(part))
            r.wrong(part.at, but(WANTED[other.type], found), meant)
            return None
    first, second = (r.what(part, value) for part, value in zip(parts, (left, right), strict=True))
    if left.type is right.type:
        hint = message("What can be equal: numbers, names, single cards, players, teams.")
        if left.type is Type.BOOL:
            hint = message("Join tests by (and ...), (or ...) and (not ...).")
        r.wrong(form.at, message("These cannot be compared: {one}, and {other}.", one=first, other=second), hint)
    else:
        r.wrong(
            form.at,
            message("Only two of one kind can be compared, but {one}, and {other}.", one=first, other=second),
            _hint_to_compare(r, parts, left, right),
        )
    return None


def _hint_to_compare(r: Reader, parts: list[Item], left: Value, right: Value) -> Message:
    """Return how to write a comparison of values of two types, if that can be guessed."""
    for one, other, part in ((left, right, parts[1]), (right, left, parts[0])):
        if one.type is Type.STR and other.type is Type.CARD:
            return message("Write an attribute of a card as (cardatt SUIT {code}).", code=r.quoted(part))
        if one.type is Type.INT and other.type is Type.CARDS:
            return message("Write (size {code}) for how many they are.", code=r.quoted(part))
        if one.type is Type.INT and other.type is Type.STR:
            return message("Store numbers with sto, names with str.")
    return NONE


def _all(r: Reader, form: Form) -> Value | None:
    """Read a test of all members, or the cards of each of them, depending on its body."""
    parts = r.parts(form, "_", "_", "_")
    if not parts:
        return None
    over = r.collection(parts[0])
    with r.binding(parts[1], member_type(over), "each") as var:
        inner = r.value(parts[2])
    if over is None or inner is None:
        return None
    if inner.type is Type.BOOL:
        return Quantified(form.at, "all", over, var, inner)
    if inner.type is Type.CARDS:
        return Each(form.at, over, var, inner)
    hint = (
        message("Write {code} for all cards there.", code=r.quoted(parts[2].items[-1]))
        if inner.type is Type.CARD and isinstance(parts[2], Form)
        else NONE
    )
    r.wrong(parts[2].at, but(message("Expected a test or cards here"), r.what(parts[2], inner)), hint)
    return None


# -- players and teams


def _relative(r: Reader, form: Form) -> Value | None:
    items = form.items
    if form.broken:
        return None
    if len(items) == 2 and isinstance(items[1], Atom) and items[1].text in ("player", "team"):
        return Relative(form.at, word(form), items[1].text)  # type: ignore[arg-type]
    hint = how_written(word(form))
    if len(items) > 1 and is_word(items[1], *PLACES, *STORES):
        hint = message(
            "Put the player into brackets of its own: (({word} player) {code} NAME).",
            word=word(form),
            code=r.quoted(items[1]),
        )
    r.wrong(form.at, message("Expected player or team after {word}, and nothing else.", word=word(form)), hint)
    return None


# -- stores

IS_STORE_OF = {
    "sto": template("{code} is a store of numbers"),
    "str": template("{code} is a store of names"),
    "who": template("{code} is a store of players"),
    "points": template("{code} is a store of point maps"),
}  # what a store is, as the end of a sentence


def ref(r: Reader, item: Item) -> Ref | None:
    """Read a store: ``(game sto X)``, ``('P str X)``, ``(game points X)``."""
    if not isinstance(item, Form) or len(item.items) < 2 or not is_word(item.items[1], *STORES):
        others = ", ".join(sorted(set(STORES).difference(SECRET, ("sto",))))
        hint = message(
            "Write a store as (game sto NAME) or ((current player) sto NAME), or with {others} instead of sto.",
            others=others,
        )
        if isinstance(item, Form) and len(item.items) > 1 and is_word(item.items[1], *PLACES):
            hint = message("Cards get into a place by (move CARD (top PLACE)).")
        elif isinstance(item, Atom) and item.kind == "VAR":
            hint = message("A variable keeps its value. What changes is stored: (game sto NAME).")
        r.wrong(item.at, message("Expected a store here, but found {code}.", code=r.quoted(item)), hint)
        return None
    kind: Any = item.items[1].text  # type: ignore[union-attr]  # one of these words
    what, vis = (kind[1:], f"{kind[0]}loc") if kind in SECRET else (kind, "vloc")
    who = owner(r, item.items[0], teams=True)
    name = location_name(r, item, kind)
    return Ref(item.at, what, who, name, vis) if who and name else None  # type: ignore[arg-type]


def using(r: Reader, item: Item) -> Ref:
    """Read the point map after ``using``."""
    found = ref(r, item)
    if found and found.what != "points":
        wanted = message("Expected a point map here")
        r.wrong(item.at, but(wanted, message(IS_STORE_OF[found.what], code=r.quoted(item))), how_written("points"))
    return found or Ref(item.at, "points", Table(item.at), made_up(Type.STR, item.at))


def owner(r: Reader, item: Item, *, teams: bool) -> Table | Value | None:
    """Read who owns a store or a place: the table, a player, and for stores (``teams``) a team."""
    if is_word(item, "game"):
        return Table(item.at)
    if is_word(item, "player", "team"):
        r.wrong(
            item.at,
            message("It is not said which {code}.", code=r.quoted(item)),
            message("Write (current player), or a variable: (all player 'P ... ('P sto NAME) ...)."),
        )
        return None
    value = r.value(item)
    if value is None or value.type is Type.PLAYER or (teams and value.type is Type.TEAM):
        return value
    hint = r.unquoted(item)
    if value.type is Type.CARD:
        hint = message("Write (owner {code}) for the player in whose place it lies.", code=r.quoted(item))
    elif value.type is Type.TEAM:
        hint = message("Teams own stores (sto, str, points), but no places; cards lie on the table or with a player.")
    elif value.type is Type.INT:
        hint = message("Write the player with that number as ({code} player).", code=r.quoted(item))
    r.wrong(item.at, but(GAME_OR_PLAYER, r.what(item, value)), hint)
    return None


def location_name(r: Reader, form: Form, kind: str) -> Value | None:
    """Read the name of a place or store, the third item of its form."""
    if form.broken:
        return None
    if len(form.items) != 3:
        at = form.items[3].at if len(form.items) > 3 else Span(form.at.end - 1, form.at.end)
        r.wrong(at, message("Expected one name after {kind}, and nothing else.", kind=kind), how_written(kind))
        return None
    item = form.items[2]
    if isinstance(item, Atom) and (item.kind == "INT" or item.text == "new"):
        r.wrong(
            item.at,
            message("Expected a name here, but {code} cannot be one.", code=r.quoted(item)),
            message("Names are capital letters: DISCARD."),
        )
        return None
    if isinstance(item, Atom) and item.kind == "WORD":
        r.wrong(
            item.at,
            message("Expected a name here, but {code} is in small letters.", code=r.quoted(item)),
            in_capitals(item.text),
        )
        return None
    return r.want(item, Type.STR)


VALUES: dict[str, Callable[[Reader, Form], Value | None]] = {
    "random": _random,
    **dict.fromkeys(("and", "or"), _logic),
    **dict.fromkeys(("==", "!="), _equal),
    "all": _all,
    **dict.fromkeys(WHICH, _relative),
}
