"""Reading what is made before play, and sometimes in it: decks and teams."""

from __future__ import annotations

from typing import TypeGuard

from games.recycle.reader.base import Reader, are, is_sign, is_word
from games.recycle.reader.syntax import Atom, Form, Item
from games.recycle.signatures import how_written
from games.recycle.tree import (
    Attribute,
    AttributeValue,
    CreateDeck,
    CreateTeams,
    Name,
    Number,
    Place,
    Type,
    Use,
    Value,
)


def create(r: Reader, form: Form) -> CreateDeck | CreateTeams | None:
    """Read ``(create deck ...)``, with tokens or a die instead of a deck, or ``(create teams ...)``."""
    if form.broken:
        return None
    what = form.items[1] if len(form.items) > 1 else None
    if what and is_word(what, "deck", "tokens", "die"):
        return _deck(r, form)
    if what and is_word(what, "teams"):
        return _teams(r, form)
    if what and is_word(what, "players"):
        r.wrong(form.at, "Players are created once, at the beginning of the setup.")
    else:
        r.wrong(
            (what or form).at, "After create, players, teams, deck, tokens or die is wanted.", how_written("create")
        )
    return None


def _teams(r: Reader, form: Form) -> CreateTeams | None:
    teams = [found for item in form.items[2:] if (found := _team(r, item))]
    if len(form.items) == 2:
        r.wrong(
            form.at,
            "There is no team here.",
            "Teams are written (create teams (0, 2) (1, 3)); players are counted from 0.",
        )
    seen: set[int] = set()
    for item, team in zip(form.items[2:], teams, strict=False):
        if seen & set(team) or len(set(team)) < len(team):
            r.wrong(item.at, "A player is in two teams, or in one twice.", "Each player has one team at most.")
        seen |= set(team)
    return CreateTeams(form.at, tuple(teams))


def _team(r: Reader, item: Item) -> tuple[int, ...] | None:
    if isinstance(item, Form) and item.broken:
        return None
    hint = "A team is written (0, 2): the numbers of its players, who are counted from 0, with commas."
    if not isinstance(item, Form) or not item.items:
        r.wrong(item.at, f"A team is wanted here, but {r.quoted(item)} stands here.", hint)
        return None
    seats = []
    for place, part in enumerate(item.items):
        if place % 2 and not is_sign(part, ","):
            number = isinstance(part, Atom) and part.kind == "INT"
            text = (
                "A comma is missing before this number."
                if number
                else f"A comma is wanted here, but {r.quoted(part)} stands here."
            )
            r.wrong(part.at, text, hint)
            return None
        if not place % 2:
            value = r.value(part) if isinstance(part, Atom) and part.kind in ("INT", "VAR") else None
            if not isinstance(value, Number):
                r.wrong(part.at, f"The number of a player is wanted here, but {r.quoted(part)} stands here.", hint)
                return None
            seats.append(value.value)
    if not len(item.items) % 2:
        r.wrong(item.items[-1].at, "After this comma the number of another player is wanted.", hint)
        return None
    return tuple(seats)


def _deck(r: Reader, form: Form) -> CreateDeck | None:
    items = form.items[2:]
    if len(items) not in (2, 3):
        text = (
            f"After create {r.quoted(form.items[1])}, a place and a deck are wanted, but there are {len(items)} parts."
        )
        r.wrong(form.at, text, DECK_CREATION)
        return None
    name: Value = r.want(items[0], Type.STR) if len(items) == 3 else Name(form.items[1].at, "DEFAULT")
    place = r.value(items[-2])
    attributes = _attributes_of_deck(r, items[-1])
    if place is None:
        return None
    named = r.place(place)
    if named and named.vis == "mem":
        text = "Cards cannot lie in a memory: it notes cards that lie elsewhere."
        r.wrong(items[-2].at, text, "Name a place of another kind.")
    elif named and isinstance(place, Place | Use):
        return CreateDeck(form.at, name, place, attributes, form.items[1].text)  # type: ignore[union-attr, arg-type]
    else:
        text = f"The cards of a deck need a place, but {r.quoted(items[-2])} {are(place)}."
        r.wrong(items[-2].at, text, DECK_CREATION)
    return None


DECK_CREATION = "It is written (create deck (game iloc STOCK) (deck ...))."
DECK = "A deck is written (deck (RANK (A, TWO, THREE)) (SUIT (CLUBS, HEARTS)))."


def _attributes_of_deck(r: Reader, item: Item) -> tuple[Attribute, ...]:
    if not isinstance(item, Form) or not item.items or not is_word(item.items[0], "deck"):
        if not (isinstance(item, Form) and item.broken):
            r.wrong(item.at, f"A deck is wanted here, but {r.quoted(item)} stands here.", DECK)
        return ()
    if len(item.items) == 1 and not item.broken:
        r.wrong(item.at, "This deck has no attributes, so there are no cards in it.", DECK)
    return tuple(found for each in item.items[1:] if (found := _attribute(r, each)))


def _attribute(r: Reader, item: Item) -> Attribute | None:
    """Read ``(KEY values ...)``, where each of ``values`` is ``(A, B)`` or ``(A attribute ...)``."""
    if isinstance(item, Form) and item.broken:
        return None
    if not isinstance(item, Form) or not item.items or not _is_name(item.items[0]):
        hint = DECK
        if isinstance(item, Form) and item.items and _is_list(item):
            hint = f"These values have no attribute: write (RANK {r.quoted(item)})."
        r.wrong(item.at, f"An attribute and its values are wanted here, but {r.quoted(item)} stands here.", hint)
        return None
    key, rest = item.items[0], item.items[1:]
    if not rest:
        r.wrong(
            item.at,
            f"The attribute {key.text} has no values.",
            f"Values stand in brackets of their own: ({key.text} (A, B)).",
        )
        return None
    if isinstance(rest[0], Atom):
        r.wrong(rest[0].at, f"The values of {key.text} are not in brackets of their own.", DECK)
        return None
    values = [value for each in rest for value in _values(r, each)]
    return Attribute(item.at, key.text, tuple(values))


def _values(r: Reader, item: Item) -> list[AttributeValue]:
    if isinstance(item, Form) and item.broken:
        return []
    if not isinstance(item, Form) or not item.items or not _is_name(item.items[0]):
        r.wrong(item.at, f"Values in brackets are wanted here, but {r.quoted(item)} stands here.", DECK)
        return []
    names, place = [item.items[0].text], 1
    while place + 1 < len(item.items) and is_sign(item.items[place], ",") and _is_name(name := item.items[place + 1]):
        names.append(name.text)
        place += 2
    rest = item.items[place:]
    wrong = next((each for each in rest if isinstance(each, Atom)), None)
    if wrong:
        text = (
            "After this comma another name is wanted."
            if is_sign(wrong, ",")
            else f"A comma or the end of the list is wanted here, but {r.quoted(wrong)} stands here."
        )
        r.wrong(wrong.at, text, DECK)
        return []
    under = tuple(found for each in rest if (found := _attribute(r, each)))
    return [AttributeValue(item.at, name, under) for name in names]


def _is_name(item: Item) -> TypeGuard[Atom]:
    return isinstance(item, Atom) and item.kind == "NAME"


def _is_list(form: Form) -> bool:
    return all(isinstance(item, Atom) for item in form.items)
