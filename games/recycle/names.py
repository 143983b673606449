"""Warnings about names that cannot be meant: attributes and values that no card has, and players that do not exist.

What a name can be is computed from the whole text. A name of a store is one that some ``set`` of that store can give
it, an attribute of a card is one of the decks' values. Where that depends on more, nothing is reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from games.core.messages import NONE, Message, all_of, any_of, message
from games.recycle.labels import NOTHING
from games.recycle.problems import Problem
from games.recycle.reader.syntax import MAX_NUMBER
from games.recycle.reader.words import nearest
from games.recycle.tree import (
    Attribute,
    AttributeValue,
    Award,
    CardAtt,
    Compare,
    CreateTeams,
    Declare,
    Each,
    Filter,
    ForEach,
    GameNode,
    Let,
    Name,
    Names,
    Number,
    Numbered,
    Partition,
    Quantified,
    Range,
    SetName,
    Span,
    Stored,
    Type,
    Use,
    Value,
    Var,
    owner_of,
    walk,
)

NO_CARD = (*NOTHING, "NOTHING", "NOBODY")  # what authors may mean by these: no value of a card
MOST_SHOWN = 8  # names that a hint lists
MOST_ROUNDS = 20  # of finding out what stores hold that are set to what others hold
MOST_COMPARED = 200  # names among which a similar one is looked for

Texts = frozenset[str]
Kept = tuple[str, str]  # a store of names: the kind of its owner ("game", "player", "team") and its name


class Vocabulary:
    """The names that a text can produce: attributes with their values, and what each store of names can hold."""

    def __init__(self, game: GameNode) -> None:
        self.attributes: dict[str, dict[str, None]] = {}
        self._bound: dict[Var, Value] = {}  # what a variable stands for, or is a member of
        self._held: dict[Kept, Texts] = {}
        sets: list[SetName] = []
        for node in walk(game):
            match node:
                case Attribute(key=key, values=values):
                    self.attributes.setdefault(key, {}).update((value.text, None) for value in values)
                case Declare(value=value, var=var) | Let(value=value, var=var):
                    self._bound[var] = value
                case Quantified(over=over, var=var) | Each(over=over, var=var) | Filter(over=over, var=var):
                    self._bound[var] = over
                case ForEach(over=over, var=var):
                    self._bound[var] = over
                case SetName():
                    sets.append(node)
        self.variables = frozenset(var.name for var in self._bound)
        if not any(self._adds(sets) is False for _ in range(MOST_ROUNDS)):
            self._held.clear()  # too much depends on each other: nothing is said of stores

    def _adds(self, sets: list[SetName]) -> bool:
        """Add what each ``set`` can store, as far as it is known. Returns whether anything was new."""
        new = False
        for made in sets:
            given = self.texts(made.value)
            for name in self.texts(made.ref.name):
                held = self._held.get((owner_of(made.ref), name), frozenset())
                if not given <= held:
                    self._held[owner_of(made.ref), name] = held | given
                    new = True
        return new

    def meant(self, value: Value) -> Value:
        """Return what a variable was bound to; any other value as it is."""
        while isinstance(value, Use) and value.var in self._bound:
            value = self._bound[value.var]
        return value

    def texts(self, value: Value) -> Texts:
        """Return the names that a value, or a member of it, can be, other than nothing at all."""
        match self.meant(value):
            case Name(text=text):
                return frozenset((text,))
            case Names(texts=texts):
                return frozenset(texts)
            case Filter(over=over):
                return self.texts(over)
            case CardAtt(key=key):
                return frozenset(self.values(self.texts(key)))
            case Stored(ref=ref):
                owner = owner_of(ref)
                return frozenset().union(*(self._held.get((owner, name), ()) for name in self.texts(ref.name)))
        return frozenset()

    def values(self, keys: Texts) -> list[str]:
        """Return the values of some attributes, in the order of the decks."""
        return list(dict.fromkeys(text for key in self.attributes if key in keys for text in self.attributes[key]))


def names(game: GameNode) -> Iterator[Problem]:
    """Yield a warning about each attribute, value and player that does not exist."""
    known = Vocabulary(game)
    most = _most_players(game)
    made = [node for node in walk((game.teams, game.blocks)) if isinstance(node, CreateTeams)]
    teams = sum(len(node.teams) for node in made) + (0 if game.teams else most)  # else each player is one
    yield from (problem for node in made for problem in _left_out(node, most))
    yield from _members(game, known)
    for node in walk(game):
        match node:
            case Attribute(key=key, values=values):
                yield from _twice(key, values)
            case CardAtt(key=key) | Partition(key=key):
                yield from _key(known, key)
            case Award(pairs=pairs):
                for key, value in pairs:
                    yield from _pair(known, key, value)
            case Compare(op=("==" | "!=") as op, left=left, right=right) if left.type is Type.STR:
                yield from _compared(known, op, left, right)
            case Numbered(number=Number(value=number), kind=kind) if number >= (most if kind == "player" else teams):
                yield _no_such(node.number.at, kind, number, most if kind == "player" else teams)


def _key(known: Vocabulary, key: Value) -> Iterator[Problem]:
    asked = known.texts(key)
    if asked and not asked & known.attributes.keys():
        yield _warning(
            key.at,
            message("No card has the attribute {name}.", name=_joined(asked)),
            _meant(known, asked, known.attributes, message("The attributes of the cards are")),
        )


def _pair(known: Vocabulary, key: Value, value: Value) -> Iterator[Problem]:
    unknown = list(_key(known, key))
    yield from unknown
    keys, asked = known.texts(key), known.texts(value)
    there = known.values(keys)
    if not unknown and asked and there and not asked & set(there):
        attribute, name = _joined(keys), _joined(asked)
        text = message("This award fits no card: none has the {attribute} {name}.", attribute=attribute, name=name)
        yield _warning(
            value.at, text, _meant(known, asked, there, message("The values of {attribute} are", attribute=attribute))
        )


def _compared(known: Vocabulary, op: str, left: Value, right: Value) -> Iterator[Problem]:
    """Yield a warning where a name that the text says is compared with something that can never be that name."""
    if not isinstance(known.meant(right), Name):
        left, right = right, left
    other = known.meant(left)
    asked, there = known.texts(right), known.texts(left)
    if not isinstance(known.meant(right), Name) or isinstance(other, Name) or not there or asked & there:
        return
    name = _joined(asked)
    if isinstance(other, CardAtt):
        attribute = _joined(known.texts(other.key))
        why, they = (
            message("no card has the {attribute} {name}", attribute=attribute, name=name),
            message("The values of {attribute} are", attribute=attribute),
        )
    elif isinstance(other, Stored):
        store = _joined(known.texts(other.ref.name))
        why, they = (
            message("{store} is never set to {name}", store=store, name=name),
            message("{store} is set to", store=store),
        )
    else:
        why, they = message("{name} is none of these names", name=name), message("They are")
    in_order = [text for text in known.values(frozenset(known.attributes)) if text in there]
    in_order += sorted(there.difference(in_order))
    said = (
        message("This is never true: {why}.", why=why)
        if op == "=="
        else message("This is always true: {why}.", why=why)
    )
    yield _warning(right.at, said, _meant(known, asked, in_order, they))


def _twice(key: str, values: tuple[AttributeValue, ...]) -> Iterator[Problem]:
    met: set[str] = set()
    for value in values:
        if value.text in met:
            hint = message("Each such card is there twice. If that is meant: (repeat 2 (create deck ...)).")
            yield _warning(
                value.at, message("{name} occurs twice among these values of {key}.", name=value.text, key=key), hint
            )
        met.add(value.text)


def _left_out(teams: CreateTeams, most: int) -> Iterator[Problem]:
    """Yield a warning about players who are in no team, if it is known how many play."""
    left = sorted({*range(most if most < MAX_NUMBER else 0)}.difference(*teams.teams))
    if left:
        players = all_of(map(str, left))
        text = message("There are teams, but players {players} are in none.", players=players)
        if len(left) == 1:
            text = message("There are teams, but player {players} is in none.", players=players)
        yield _warning(teams.at, text, message("In a text, players are counted from 0."))


def _members(game: GameNode, known: Vocabulary) -> Iterator[Problem]:
    """Yield a warning about each name of a list, or that a store is set to, which fits no card it is compared with."""
    asked: dict[Var, set[str]] = {}  # by variable of a list: the values of cards that it is compared with
    stores: dict[Kept, set[str]] = {}  # the same of a store
    used: Counter[Var] = Counter()
    compared: Counter[Var] = Counter()
    for node in walk(game):
        pairs: list[tuple[Value, Value]] = []
        match node:
            case Use(var=var):
                used[var] += 1
            case Compare(op="==" | "!=", left=left, right=right):
                pairs = [(left, right), (right, left)]
            case Award(pairs=given):
                pairs = [(value, CardAtt(value.at, key, value)) for key, value in given]
        for one, other in pairs:
            values = known.texts(other) if isinstance(known.meant(other), CardAtt) else frozenset()
            if isinstance(one, Use):
                compared[one.var] += bool(values)
                asked.setdefault(one.var, set()).update(values)
            elif isinstance(one, Stored):
                for name in known.texts(one.ref.name):
                    stores.setdefault((owner_of(one.ref), name), set()).update(values)
    for node in walk(game):
        match node:
            case Quantified(over=over, var=var) | ForEach(over=over, var=var) | Each(over=over, var=var):
                listed = known.meant(over)
                if isinstance(listed, Names) and asked.get(var) and used[var] == compared[var]:
                    for text in listed.texts:
                        if text not in asked[var]:
                            hint = _meant(known, frozenset((text,)), sorted(asked[var]), message("They are"))
                            said = message("{name} is compared with values of cards, but no card has it.", name=text)
                            yield _warning(listed.at, said, hint)
            case SetName(ref=ref, value=Name(text=text) as value) if isinstance(ref.name, Name):
                there = stores.get((owner_of(ref), ref.name.text), set())
                near = nearest(text, sorted(there)[:MOST_COMPARED]) if there and text not in there else None
                if near and text not in NO_CARD:
                    said = message(
                        "{store} is compared with values of cards, but no card has {name}.",
                        store=ref.name.text,
                        name=text,
                    )
                    yield _warning(value.at, said, message("Did you mean {near}?", near=near))


def _most_players(game: GameNode) -> int:
    """Return how many may play at most, as far as the text says it."""
    most = game.players.high if isinstance(game.players, Range) else game.players
    return most.value if isinstance(most, Number) else MAX_NUMBER


def _no_such(at: Span, kind: str, number: int, most: int) -> Problem:
    they = message("the numbers are 0 to {last}", last=most - 1) if most > 1 else message("the only number is 0")
    if kind == "team":
        hint = message("In a text, teams are counted from 0: (0 team) is team 1 at the table.")
        return _warning(
            at, message("There is no team with the number {number}: {they}.", number=number, they=they), hint
        )
    hint = message("In a text, players are counted from 0: (0 player) is player 1 at the table.")
    return _warning(at, message("There is no player with the number {number}: {they}.", number=number, they=they), hint)


# -- words for them


def _joined(texts: Iterable[str]) -> str:
    return any_of(sorted(texts)[:MOST_SHOWN])


def _meant(known: Vocabulary, asked: Texts, there: Collection[str], they: Message) -> Message:
    """Return a hint at what may have been meant: a similar name, a variable, or what there is."""
    if len(asked) == 1:
        [text] = asked
        near = nearest(text, list(there)[:MOST_COMPARED])
        if near:
            return message("Did you mean {near}?", near=near)
        if text in known.variables:
            return message("Did you mean the variable '{name}? Its apostrophe is missing.", name=text)
        keys = [key for key, values in known.attributes.items() if text in values]
        if keys:
            return message("{name} is a value of {attribute}.", name=text, attribute=_joined(keys))
    shown = list(dict.fromkeys(there))
    if not shown or len(shown) > MOST_SHOWN:
        return NONE
    return message("{they} {names}.", they=they, names=all_of(shown))


def _warning(at: Span, text: Message, hint: Message) -> Problem:
    return Problem("warning", at, text, hint)
