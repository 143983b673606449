"""Reading numbers, tests, names, players and teams."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.recycle.reader.base import A, Reader, are, as_card, in_capitals, is_word, made_up, member_type, word
from games.recycle.reader.syntax import Atom, Form, Item
from games.recycle.signatures import PLACES, SECRET, STORES, how_written
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

ALIKE = frozenset((Type.INT, Type.STR, Type.CARD, Type.PLAYER, Type.TEAM))  # what can be compared by == and !=


def _random(r: Reader, form: Form) -> Value | None:
    parts = r.parts(form, "_", "..", "_") if len(form.items) > 2 else r.parts(form, "_")
    if not parts:
        return None
    ends = [r.want(part, Type.INT) for part in parts]
    return Random(form.at, ends[0] if len(ends) > 1 else None, ends[-1])


def _logic(r: Reader, form: Form) -> Value | None:
    op, parts = word(form), form.items[1:]
    if not form.broken and len(parts) < 2:
        r.wrong(form.at, f"{op} takes at least 2 parts, but {len(parts) or 'nothing'} stands here.", how_written(op))
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
    if left.type is right.type and left.type in ALIKE:
        return Compare(form.at, word(form), left, right)
    for part, other in zip(parts, (right, left), strict=True):
        if other.type is not Type.STR and (meant := r.unquoted(part)):
            r.wrong(part.at, f"{A[other.type].capitalize()} is wanted here, but {r.quoted(part)} is a name.", meant)
            return None
    quote = [f"{r.quoted(part)} {are(value)}" for part, value in zip(parts, (left, right), strict=True)]
    if left.type is right.type:
        hint = "What can be equal: numbers, names, single cards, players, teams."
        if left.type is Type.BOOL:
            hint = "Join tests by (and ...), (or ...) and (not ...)."
        r.wrong(form.at, f"These cannot be compared: {quote[0]}, and {quote[1]}.", hint)
    else:
        r.wrong(
            form.at,
            f"Only two of one kind can be compared, but {quote[0]}, and {quote[1]}.",
            _how_alike(r, parts, left, right),
        )
    return None


def _how_alike(r: Reader, parts: list[Item], left: Value, right: Value) -> str:
    for one, other, part in ((left, right, parts[1]), (right, left, parts[0])):
        if one.type is Type.STR and other.type is Type.CARD:
            return f"An attribute of a card is written (cardatt SUIT {r.quoted(part)})."
        if one.type is Type.INT and other.type is Type.CARDS:
            return f"How many they are is written (size {r.quoted(part)})."
        if one.type is Type.INT and other.type is Type.STR:
            return "Numbers are stored by sto, names by str."
    return ""


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
        f"Write {r.quoted(parts[2].items[-1])} for all cards there."
        if inner.type is Type.CARD and isinstance(parts[2], Form)
        else ""
    )
    r.wrong(parts[2].at, f"A test or cards are wanted here, but {r.quoted(parts[2])} {are(inner)}.", hint)
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
        hint = f"Put the player into brackets of its own: (({word(form)} player) {r.quoted(items[1])} NAME)."
    r.wrong(form.at, f"After {word(form)}, player or team is wanted, and nothing else.", hint)
    return None


# -- stores

KEPT = {"sto": "numbers", "str": "names", "who": "players", "points": "point maps"}  # what each kind of store keeps


def ref(r: Reader, item: Item) -> Ref | None:
    """Read a store: ``(game sto X)``, ``('P str X)``, ``(game points X)``."""
    if not isinstance(item, Form) or len(item.items) < 2 or not is_word(item.items[1], *STORES):
        others = ", ".join(sorted(set(STORES).difference(SECRET, ("sto",))))
        hint = f"A store is written (game sto NAME), ((current player) sto NAME), or with {others} instead of sto."
        if isinstance(item, Form) and len(item.items) > 1 and is_word(item.items[1], *PLACES):
            hint = "Cards get into a place by (move CARD (top PLACE))."
        elif isinstance(item, Atom) and item.kind == "VAR":
            hint = "A variable keeps its value. What changes is stored: (game sto NAME)."
        r.wrong(item.at, f"A store is wanted here, but {r.quoted(item)} stands here.", hint)
        return None
    word: Any = item.items[1].text  # type: ignore[union-attr]  # one of these words
    secret = word in SECRET
    what, vis = (word[1:], f"{word[0]}loc") if secret else (word, "vloc")
    who = owner(r, item.items[0], teams=True)
    name = location_name(r, item, word)
    return Ref(item.at, what, who, name, vis) if who and name else None  # type: ignore[arg-type]


def using(r: Reader, item: Item) -> Ref:
    """Read the point map after ``using``."""
    found = ref(r, item)
    if found and found.what != "points":
        text = f"A point map is wanted here, but {r.quoted(item)} is a store of {KEPT[found.what]}."
        r.wrong(item.at, text, how_written("points"))
    return found or Ref(item.at, "points", Table(item.at), made_up(Type.STR, item.at))


def owner(r: Reader, item: Item, *, teams: bool) -> Table | Value | None:
    """Read who owns a store or a place: the table, a player, and for stores (``teams``) a team."""
    if is_word(item, "game"):
        return Table(item.at)
    if is_word(item, "player", "team"):
        r.wrong(
            item.at,
            f"It is not said which {r.quoted(item)}.",
            "Write (current player), or a variable: (all player 'P ... ('P sto NAME) ...).",
        )
        return None
    value = r.value(item)
    if value is None or value.type is Type.PLAYER or (teams and value.type is Type.TEAM):
        return value
    hint = r.unquoted(item)
    if value.type is Type.CARD:
        hint = f"Write (owner {r.quoted(item)}) for the player in whose place it lies."
    elif value.type is Type.TEAM:
        hint = "Teams own stores (sto, str, points), but no places; cards lie on the table or with a player."
    elif value.type is Type.INT:
        hint = f"A player of that number is written ({r.quoted(item)} player)."
    r.wrong(item.at, f"game or a player is wanted here, but {r.quoted(item)} {are(value)}.", hint)
    return None


def location_name(r: Reader, form: Form, kind: str) -> Value | None:
    """Read the name of a place or store, the third item of its form."""
    if form.broken:
        return None
    if len(form.items) != 3:
        at = form.items[3].at if len(form.items) > 3 else Span(form.at.end - 1, form.at.end)
        r.wrong(at, f"After {kind} one name is wanted, and nothing else.", how_written(kind))
        return None
    item = form.items[2]
    if isinstance(item, Atom) and (item.kind == "INT" or item.text == "new"):
        r.wrong(
            item.at, f"A name is wanted here; {r.quoted(item)} cannot be one.", "Names are capital letters: DISCARD."
        )
        return None
    if isinstance(item, Atom) and item.kind == "WORD":
        r.wrong(item.at, f"A name is wanted here, but {r.quoted(item)} is in small letters.", in_capitals(item.text))
        return None
    return r.want(item, Type.STR)


VALUES: dict[str, Callable[[Reader, Form], Value | None]] = {
    "random": _random,
    **dict.fromkeys(("and", "or"), _logic),
    **dict.fromkeys(("==", "!="), _equal),
    "all": _all,
    **dict.fromkeys(("current", "next", "previous"), _relative),
}
