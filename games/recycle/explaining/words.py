"""Players, places, stores and names as phrases: "the next player", "your hand", "your *Chips*"."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

from games.recycle.explaining import names
from games.recycle.explaining.survey import Survey, key
from games.recycle.labels import Labels
from games.recycle.place_names import NOUNS
from games.recycle.tree import (
    Arith,
    Best,
    CardAtt,
    Filter,
    Name,
    Number,
    Numbered,
    OwnerOf,
    Place,
    Ref,
    Relative,
    Runs,
    Stored,
    Subsets,
    Table,
    TeamOf,
    Tuples,
    Type,
    Use,
    Value,
    Var,
)

MOST_PHRASES = 30_000  # of a page; further ones are abbreviated to dots
SEEN_BY = {
    "vloc": "open",
    "iloc": "for the owner's eyes",
    "hloc": "face down",
    "oloc": "open to others",
    "mem": "memory",
}


class Person(NamedTuple):
    """A player or a team. ``poss``: before what is theirs; "" where that is said by "of". ``several``: all of them."""

    name: str
    poss: str = ""
    several: bool = False

    @property
    def are(self) -> str:
        """The verb that goes with them."""
        return "are" if self.name == "you" or self.several else "is"


class Noun(NamedTuple):
    """A collection: ``head`` says what it consists of, ``tail`` which of those; ``whole`` is all of it."""

    head: str
    tail: str
    whole: str
    are: bool = False  # the whole is plural
    free: str = ""  # one of them, where that is better said otherwise

    @property
    def one(self) -> str:
        """One of them, without an article."""
        return f"{self.head} {self.tail}".strip()

    @property
    def some(self) -> str:
        """One of them, with its article."""
        return self.free or names.a(self.one)

    @property
    def many(self) -> str:
        """Several of them."""
        return f"{names.plural(self.head)} {self.tail}".strip()


YOU = Person("you", "your")
FIRST = Person("the first player", "the first player's")  # before anybody was put on turn
STARTING = Person("the starting player", "the starting player's")


class Words(ABC):
    """Writes players, places, stores and names. ``you`` is the current player at the place being described."""

    def __init__(self, survey: Survey, labels: Labels) -> None:
        self.survey, self.labels = survey, labels
        self.you = YOU
        self.team = Person("the team whose turn it is")
        self.called: dict[Var, Person | Noun | str] = {}
        self.letters: dict[str, int] = {}
        self._spent = 0
        self._named = {each.name for each in (*survey.refs, *survey.places)}  # so a label for one of these is theirs
        self.shown: dict[tuple[str, str], set[str]] = {}  # by owner and name: under which words a place is known
        for each, nodes in survey.places.items():
            for text in {text for node in nodes[:50] for text in survey.domain(node.name) or ()}:
                self.shown.setdefault((each.owner, text), set()).add(each.what)

    @abstractmethod
    def number(self, value: Value) -> str:
        """Return a number."""

    @abstractmethod
    def card(self, value: Value) -> str:
        """Return a card."""

    @abstractmethod
    def noun(self, value: Value) -> Noun:
        """Return a collection."""

    @abstractmethod
    def relative(self, test: Value, var: Var) -> str:
        """Return a test of a variable as what follows a noun: "whose suit is hearts"."""

    @abstractmethod
    def best_of(self, cards: Filter) -> Best | None:
        """Return which highest or lowest card a filter looks for, if that is all it does."""

    @abstractmethod
    def only_card(self, test: Value, var: Var) -> str:
        """Return "2 of clubs" for a test that asks for just that; else ""."""

    def _enough(self) -> bool:
        self._spent += 1
        return self._spent > MOST_PHRASES

    # -- variables

    def letter(self, var: Var, head: str) -> str:
        """Return the letter that distinguishes a variable from others of its kind, with a space before it, or ""."""
        if var not in self.survey.lettered:
            return ""
        count = self.letters.get(head, 0)
        self.letters[head] = count + 1
        return f" {'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[count % 26]}"

    def bind(self, var: Var, over: Value) -> str:
        """Give a variable that goes through a collection its words, and return its letter."""
        head = self.noun_of_member(var, over)
        letter = self.letter(var, head)
        word = f"{head}{letter}" if letter else f"that {head}"
        if var.type in (Type.PLAYER, Type.TEAM):
            self.called[var] = Person(word, f"{word}'s" if letter else "their")
        elif var.type is Type.CARDS:
            self.called[var] = Noun("card", f"of {word}", word)
        else:
            self.called[var] = word
        return letter

    def unbind(self, var: Var, over: Value, letter: str) -> None:
        """Free the letter of a variable whose scope ends."""
        if letter:
            self.letters[self.noun_of_member(var, over)] -= 1

    def noun_of_member(self, var: Var, over: Value) -> str:
        """Return what a member of a collection is called: "card", "player", "column"."""
        if var.type is Type.STR:
            return self._list_word(over)
        if var.type is Type.INT and var in self.survey.seats:
            return "seat"
        if var.type is Type.CARDS:
            while isinstance(over, Filter):
                over = over.over
            return {Tuples: "set", Subsets: "set", Runs: "run"}.get(type(over), "group")
        return {Type.CARD: "card", Type.PLAYER: "player", Type.TEAM: "team", Type.INT: "number"}.get(var.type, "thing")

    def _list_word(self, over: Value) -> str:
        while isinstance(over, Filter):
            over = over.over
        if isinstance(over, Use) and over.var.how == "declare" and len(over.var.name) > 3:
            return names.singular(over.var.name.lower())
        found = self.survey.domain(over) or []
        for declare in self.survey.game.declares:
            if found and len(declare.var.name) > 3 and set(found) <= set(self.survey.domain(declare.value) or ()):
                return names.singular(declare.var.name.lower())
        for attribute, values in self.survey.attributes.items():
            if found and set(found) <= set(values):
                return attribute.lower()
        return "name"

    # -- people

    def person(self, value: Value) -> Person:
        """Return a player or a team."""
        if self._enough():
            return Person("…", "…")
        match value:
            case Relative(which="current", kind="player"):
                return self.you
            case Relative(which="current"):
                return self.team
            case Relative(which="previous", kind="player"):
                return Person(f"the player before {self.you.name}")
            case Relative(which=which, kind=kind):
                return Person(f"the {which} {kind}", f"the {which} {kind}'s")
            case Numbered(number=Number(value=count), kind=kind):
                return Person(f"{kind} {count + 1}", f"{kind} {count + 1}'s")
            case Numbered(number=Use(var=var)) if self.called.get(var) == "that seat":
                return Person("the player in that seat")
            case Numbered(number=Arith(op="%", left=Arith(op="+", left=seat, right=further)), kind="player"):
                if isinstance(seat, Use) and seat.var in self.survey.seats:
                    return Person(f"the player {self.number(further)} seats further round")
                return Person(f"the player {self.number(further)} seats after seat {self.number(seat)}")
            case Numbered(number=number, kind=kind):
                return Person(f"the {kind} with the number {self.number(number)} (the first has 0)")
            case OwnerOf(card=Best() as card):
                return Person(f"whoever has {self.card(card)}")
            case OwnerOf(card=card):
                return Person(f"the owner of {self.card(card)}")
            case TeamOf(player=player):
                person = self.person(player)
                if person.poss:
                    return Person(f"{person.poss} team", f"{person.poss} team's")
                return Person(f"the team of {person.name}")
            case Stored(ref=ref):
                store = self.store(ref)
                return Person(f"the {store}", f"the {store}'s") if isinstance(ref.who, Table) else Person(store)
            case Use(var=var):
                called = self.called.get(var)
                return called if isinstance(called, Person) else Person(f"that {var.type.value}")
        return Person("somebody")

    def of(self, owner: Person, thing: str) -> str:
        """Return the possessive of a person and a thing."""
        return f"{owner.poss} {thing}" if owner.poss else f"the {thing} of {owner.name}"

    # -- places and stores

    def place(self, node: Value) -> Noun:
        """Return a place, or what a variable follows, as a collection of cards."""
        if isinstance(node, Use):
            bound = self.survey.values.get(node.var)
            if bound is None or node.var in self.called:
                called = self.called.get(node.var)
                return called if isinstance(called, Noun) else Noun("card", "of it", "it")
            return self.place(bound)
        if not isinstance(node, Place):
            return self.noun(node)
        whole, are = self._place(node)
        return Noun("card", f"in {whole}", whole, are)

    def _place(self, node: Place) -> tuple[str, bool]:
        owner = None if isinstance(node.who, Table) else self.person(node.who)
        match node.name:
            case Name(text=text):
                word, are = names.place(text, self.labels)
                if owner and owner.several and not are:
                    word, are = names.place_plural(word), True
                word += self._shown(node, text)
                return (self.of(owner, word) if owner else f"the {word}"), are
            case Use():
                that = self.name(node.name)
                ways = self._shown(node, (self.survey.domain(node.name) or [""])[0])
                if owner is None:
                    return f"{that}{ways}", False
                if not set(that.split()) & NOUNS:
                    kind = f"{self._kind(node)} for {that}{ways}"
                    return (self.of(owner, kind) if owner.poss else f"the {kind} of {owner.name}"), False
                mine = {"your": "yours", "their": "theirs"}.get(owner.poss, owner.name)
                return f"{that} of {mine}{ways}", False
            case CardAtt(key=attribute, card=card):
                word = f"{self._kind(node)} for the {self.attribute(attribute)} of {self.card(card)}"
            case Stored(ref=ref):
                word = f"{self._kind(node)} noted as {self.store(ref)}"
            case name:
                word = f"{self._kind(node)} *{self.name(name)}*"
        return (self.of(owner, word) if owner and owner.poss else f"the {word}"), False

    def _kind(self, node: Place) -> str:
        first = (self.survey.domain(node.name) or [""])[0]
        return {"row": "row", "pile": "pile"}.get(self.labels.layouts.get(first, ""), "place")

    def _shown(self, node: Place, name: str) -> str:
        ways = self.shown.get((key(node).owner, name), set())
        return f" ({SEEN_BY[node.vis]})" if len(ways) > 1 else ""

    def store(self, ref: Ref) -> str:
        """Return a store: "your *Chips*"."""
        said = f"*{self.store_label(ref.name)}*"
        if isinstance(ref.who, Table):
            return said
        owner = self.person(ref.who)
        return f"{owner.poss} {said}" if owner.poss else f"the {said} of {owner.name}"

    def store_label(self, name: Value) -> str:
        """Return what a store is called."""
        return names.label(name.text, self.labels) if isinstance(name, Name) else f"store for {self.name(name)}"

    def are(self, value: Value) -> str:
        """Return the verb that goes with a value."""
        if isinstance(value, Stored) and value.ref.what == "sto" and isinstance(value.ref.name, Name):
            return "are" if names.is_plural(self.store_label(value.ref.name)) else "is"
        return "is"

    def attribute(self, attribute: Value) -> str:
        """Return an attribute of cards."""
        if isinstance(attribute, Name):
            given = "" if attribute.text in self._named else self.labels.words.get(attribute.text)
            return names.plain(given).lower() if given else attribute.text.lower()
        return f"attribute {self.name(attribute)}"

    # -- names and numbers

    def value(self, text: str) -> str:
        """Return a name that the text itself says."""
        of = next((each for each in ("RANK", "SUIT") if text in self.survey.attributes.get(each, ())), "")
        return names.value(text, self.labels, of)

    def name(self, value: Value) -> str:
        """Return a name."""
        if self._enough():
            return "…"
        match value:
            case Name(text=text):
                return self.value(text) if text not in names.NOTHING else "nothing"
            case Use(var=var):
                return self._called(var)
            case Stored(ref=ref):
                return self.store(ref)
            case CardAtt(key=attribute, card=card):
                return f"the {self.attribute(attribute)} of {self.card(card)}"
        return "something"

    def _called(self, var: Var) -> str:
        called = self.called.get(var)
        if called is None:
            value = self.survey.values.get(var)
            return self.said(value) if value is not None and var.how != "each" else f"that {var.type.value}"
        if isinstance(called, Noun):
            return called.whole
        return called.name if isinstance(called, Person) else called

    def said(self, value: Value) -> str:
        """Return any value."""
        if value.type is Type.INT:
            return self.number(value)
        if value.type is Type.STR:
            return self.name(value)
        if value.type is Type.CARD:
            return self.card(value)
        if value.type in (Type.PLAYER, Type.TEAM):
            return self.person(value).name
        return self.noun(value).whole if value.type is not Type.BOOL else "whether something is so"
