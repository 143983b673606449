"""Reading what is made before play, and sometimes in it: decks and teams."""

from __future__ import annotations

from typing import TypeGuard

from games.core.messages import message
from games.recycle.reader.base import Reader, but, is_sign, is_word
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
        r.wrong(form.at, message("Players are created once, at the beginning of the setup."))
    else:
        r.wrong(
            (what or form).at,
            message("Expected players, teams, deck, tokens or die after create."),
            how_written("create"),
        )
    return None


def _teams(r: Reader, form: Form) -> CreateTeams | None:
    teams = [(item, found) for item in form.items[2:] if (found := _team(r, item))]
    if len(form.items) == 2:
        r.wrong(
            form.at,
            message("There is no team here."),
            message("Write teams as (create teams (0, 2) (1, 3)); players are counted from 0."),
        )
    seen: set[int] = set()
    for item, team in teams:
        if seen & set(team) or len(set(team)) < len(team):
            r.wrong(
                item.at,
                message("A player is in two teams, or in one twice."),
                message("Each player has one team at most."),
            )
        seen |= set(team)
    return CreateTeams(form.at, tuple(team for _, team in teams))


def _team(r: Reader, item: Item) -> tuple[int, ...] | None:
    if isinstance(item, Form) and item.broken:
        return None
    hint = message("Write a team as (0, 2): the numbers of its players, counted from 0, with commas.")
    if not isinstance(item, Form) or not item.items:
        r.wrong(item.at, message("Expected a team here, but found {code}.", code=r.quoted(item)), hint)
        return None
    seats = []
    for place, part in enumerate(item.items):
        if place % 2 and not is_sign(part, ","):
            number = isinstance(part, Atom) and part.kind == "INT"
            text = (
                message("A comma is missing before this number.")
                if number
                else message("Expected a comma here, but found {code}.", code=r.quoted(part))
            )
            r.wrong(part.at, text, hint)
            return None
        if not place % 2:
            value = r.value(part) if isinstance(part, Atom) and part.kind in ("INT", "VAR") else None
            if not isinstance(value, Number):
                r.wrong(
                    part.at,
                    message("Expected the number of a player here, but found {code}.", code=r.quoted(part)),
                    hint,
                )
                return None
            seats.append(value.value)
    if not len(item.items) % 2:
        r.wrong(item.items[-1].at, message("Expected the number of another player after this comma."), hint)
        return None
    return tuple(seats)


def _deck(r: Reader, form: Form) -> CreateDeck | None:
    items = form.items[2:]
    if len(items) not in (2, 3):
        code = r.quoted(form.items[1])
        text = message("Expected a place and a deck after create {code}, but found 1 part.", code=code)
        if len(items) != 1:
            text = message(
                "Expected a place and a deck after create {code}, but found {n} parts.", code=code, n=len(items)
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
        text = message("Cards cannot lie in a memory: it notes cards that lie elsewhere.")
        r.wrong(items[-2].at, text, message("Name a place of another kind."))
    elif named and isinstance(place, Place | Use):
        return CreateDeck(form.at, name, place, attributes, form.items[1].text)  # type: ignore[union-attr, arg-type]
    else:
        text = but(message("The cards of a deck need a place"), r.what(items[-2], place))
        r.wrong(items[-2].at, text, DECK_CREATION)
    return None


DECK_CREATION = message("Write (create deck (game iloc STOCK) (deck ...)).")
DECK = message("Write a deck as (deck (RANK (A, TWO, THREE)) (SUIT (CLUBS, HEARTS))).")


def _attributes_of_deck(r: Reader, item: Item) -> tuple[Attribute, ...]:
    if not isinstance(item, Form) or not item.items or not is_word(item.items[0], "deck"):
        if not (isinstance(item, Form) and item.broken):
            r.wrong(item.at, message("Expected a deck here, but found {code}.", code=r.quoted(item)), DECK)
        return ()
    if len(item.items) == 1 and not item.broken:
        r.wrong(item.at, message("This deck has no attributes, so there are no cards in it."), DECK)
    return tuple(found for each in item.items[1:] if (found := _attribute(r, each)))


def _attribute(r: Reader, item: Item) -> Attribute | None:
    """Read ``(KEY values ...)``, where each of ``values`` is ``(A, B)`` or ``(A attribute ...)``."""
    if isinstance(item, Form) and item.broken:
        return None
    bare = isinstance(item, Form) and len(item.items) > 1 and is_sign(item.items[1], ",")  # (ACE, KING)
    if not isinstance(item, Form) or not item.items or not _is_name(item.items[0]) or bare:
        hint = DECK
        if bare:
            hint = message("These values have no attribute: write (RANK {code}).", code=r.quoted(item))
        r.wrong(
            item.at,
            message("Expected an attribute and its values here, but found {code}.", code=r.quoted(item)),
            hint,
        )
        return None
    key, rest = item.items[0], item.items[1:]
    if not rest:
        r.wrong(
            item.at,
            message("The attribute {name} has no values.", name=key.text),
            message("Put the values in brackets of their own: ({name} (A, B)).", name=key.text),
        )
        return None
    if isinstance(rest[0], Atom):
        r.wrong(rest[0].at, message("The values of {name} are not in brackets of their own.", name=key.text), DECK)
        return None
    values = [value for each in rest for value in _values(r, each)]
    return Attribute(item.at, key.text, tuple(values))


def _values(r: Reader, item: Item) -> list[AttributeValue]:
    if isinstance(item, Form) and item.broken:
        return []
    if not isinstance(item, Form) or not item.items or not _is_name(item.items[0]):
        first = item.items[0] if isinstance(item, Form) and item.items else None
        if isinstance(first, Atom):  # a number, as in (RANK (1, 2, 3))
            r.wrong(first.at, message("Expected a name here, but {code} cannot be one.", code=r.quoted(first)), DECK)
            return []
        r.wrong(item.at, message("Expected values in brackets here, but found {code}.", code=r.quoted(item)), DECK)
        return []
    names, place = [item.items[0].text], 1
    while place + 1 < len(item.items) and is_sign(item.items[place], ",") and _is_name(name := item.items[place + 1]):
        names.append(name.text)
        place += 2
    rest = item.items[place:]
    wrong = next((each for each in rest if isinstance(each, Atom)), None)
    if wrong:
        text = (
            message("Expected another name after this comma.")
            if is_sign(wrong, ",")
            else message("Expected a comma or the end of the list here, but found {code}.", code=r.quoted(wrong))
        )
        r.wrong(wrong.at, text, DECK)
        return []
    under = tuple(found for each in rest if (found := _attribute(r, each)))
    return [AttributeValue(item.at, name, under) for name in names]


def _is_name(item: Item) -> TypeGuard[Atom]:
    return isinstance(item, Atom) and item.kind == "NAME"
