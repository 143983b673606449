"""Players, places, stores and names as phrases: "the next player", "your hand", "your *Chips*"."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from string import ascii_uppercase
from typing import NamedTuple

from games.recycle.constants import constant
from games.recycle.explaining.survey import Survey
from games.recycle.labels import DIGITS, NOTHING, Labels
from games.recycle.phrase_book import BARE, SEVERAL, YOU, Book, Phrase, capital, phrase, singular
from games.recycle.place_names import PlaceNames
from games.recycle.tree import (
    Arith,
    CardAtt,
    Cycle,
    Everybody,
    Extreme,
    Filter,
    Name,
    Node,
    Number,
    Numbered,
    OwnerOf,
    Place,
    Random,
    Ref,
    Relative,
    Repeat,
    Runs,
    Selections,
    Size,
    Stored,
    Subsets,
    Table,
    TeamOf,
    Tuples,
    Type,
    Use,
    Value,
    Var,
    address_of,
)

MOST_PHRASES = 30_000  # of a page; further ones are abbreviated to dots
MINUS = "\N{MINUS SIGN}"
ACE, JACK, QUEEN, KING = phrase("ace"), phrase("jack"), phrase("queen"), phrase("king")
COURT = {"ACE": ACE, "JACK": JACK, "QUEEN": QUEEN, "KING": KING, "JOKER": phrase("joker")}
RANK_LETTERS = {"A": ACE, "J": JACK, "Q": QUEEN, "K": KING}
SUIT_LETTERS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
RANKS = {**{name: str(number) for name, number in DIGITS.items()}, "THIRTEEN": "13"}
LAYOUTS = ("row", "pile", "hand")  # that a place may be called by
SEEN_BY = {
    "vloc": phrase("(open)"),
    "iloc": phrase("(for the owner's eyes)"),
    "hloc": phrase("(face down)"),
    "oloc": phrase("(open to others)"),
    "mem": phrase("(memory)"),
}
MOST = {  # by whether the highest score wins, and whether it is called by a plural
    (True, 0): phrase("highest *{store}*"),
    (True, 1): phrase("most *{store}*"),
    (False, 0): phrase("lowest *{store}*"),
    (False, 1): phrase("fewest *{store}*"),
}
INSIDE = "in"  # the kind of a phrase that says in which place cards are
HEAD_AND_TAIL = {"head", "tail"}
ONLY_CARDS = {"card", "cards", "end", "store", "others", "next", "last", "only"}  # slots around what cards are called
YOURS, THEIRS, TEAMS, WHOSE, WHOSE_ALL, OF = (
    "your {noun}",
    "their {noun}",
    "that team's {noun}",
    "{owner}'s {noun}",
    "{owner}' {noun}",
    "the {noun} of {owner}",
)


class PlayerPhrase(NamedTuple):
    """A player or a team. ``whose``: the phrase for what is theirs."""

    name: Phrase
    whose: str = OF


class Noun(NamedTuple):
    """A collection: ``head`` says what it consists of, ``tail`` which of those; ``whole`` is all of it.

    ``letter`` distinguishes its members from others, ``free`` is one of them, where that is better said otherwise.
    """

    head: str
    tail: Phrase | None
    whole: Phrase
    free: Phrase | None = None
    letter: str = ""


def noun_of(var: Var) -> str:
    """Return the noun that the variable of a list is: "suit" for 'SUITS; "" if it is too short to be one."""
    return singular(var.name.lower()) if len(var.name) > 3 else ""


class Words(ABC):
    """Writes players, places, stores and names. ``you`` is the current player at the place being described."""

    def __init__(self, survey: Survey, labels: Labels, book: Book) -> None:
        self.survey, self.labels, self.book, self.say = survey, labels, book, book.say
        self.YOU = PlayerPhrase(book.say("you", count=YOU), YOURS)
        self.FIRST = PlayerPhrase(book.say("the first player"), WHOSE)  # before anybody was put on turn
        self.STARTING = PlayerPhrase(book.say("the starting player"), WHOSE)
        self.dots = book.plain("…")
        self.you = self.YOU
        self.coming: PlayerPhrase | None = None  # the next player, once a step has said who that is
        self.team = PlayerPhrase(book.say("the team whose turn it is"))
        self.called: dict[Var, PlayerPhrase | Noun | Phrase] = {}
        self.letters: dict[str, int] = {}
        self._spent = 0
        self._named = {each.name for each in (*survey.refs, *survey.places)}  # so a label for one of these is theirs
        self.place_names = PlaceNames(survey.place_names(), labels, book)
        self.shown: dict[tuple[str, str], set[str]] = {}  # by owner and name: under which words a place is known
        for each in survey.places:
            for text in survey.names(each):
                self.shown.setdefault((each.owner, text), set()).add(each.word)

    @abstractmethod
    def number(self, value: Value) -> Phrase:
        """Return a number."""

    @abstractmethod
    def card(self, value: Value) -> Phrase:
        """Return a card."""

    @abstractmethod
    def noun(self, value: Value) -> Noun:
        """Return a collection."""

    @abstractmethod
    def relative(self, test: Value, var: Var) -> Phrase:
        """Return a test of a variable as what follows a noun: "whose suit is hearts"."""

    @abstractmethod
    def best_of(self, cards: Filter) -> Extreme | None:
        """Return which highest or lowest card a filter looks for, if that is all it does."""

    @abstractmethod
    def only_card(self, test: Value, var: Var) -> Phrase | None:
        """Return "2 of clubs" for a test that asks for just that."""

    def _enough(self) -> bool:
        """Count one more phrase, and return whether the page has too many."""
        self._spent += 1
        return self._spent > MOST_PHRASES

    # -- nouns

    def with_tail(self, head: Phrase, *tails: Phrase | None) -> Phrase:
        """Return a phrase with what follows it."""
        for tail in tails:
            if tail is not None:
                head = self.say("{head:=} {tail}", head=head, tail=tail, kind=head.kind, count=head.count)
        return head

    def one(self, noun: Noun, article: str = "a {noun}") -> Phrase:
        """Return one of them, with its article, or with "each", "no"."""
        word = self.lettered(self.book.noun(noun.head), noun.letter)
        head = self.book.a(word) if article == "a {noun}" else self.say(article, noun=word)
        head.kind = "no" if article.startswith("no ") else ""
        return self.with_tail(head, noun.tail)

    def some(self, noun: Noun) -> Phrase:
        """Return one of them: "a card in your hand", "any two cards"."""
        return noun.free or self.one(noun)

    def many(self, noun: Noun) -> Phrase:
        """Return several of them, without an article."""
        return self.with_tail(self.book.noun(noun.head, several=True), noun.tail)

    def them(self, noun: Noun, article: str = "the {noun}") -> Phrase:
        """Return all of them: "the cards in your hand"."""
        word = self.book.noun(noun.head, several=True)
        return self.with_tail(self.say(article, noun=word, count=SEVERAL), noun.tail)

    def lettered(self, word: Phrase, letter: str) -> Phrase:
        """Return a noun with the letter that distinguishes it."""
        return self.say("{noun:=} {letter}", noun=word, letter=letter, kind=word.kind) if letter else word

    # -- variables

    def letter(self, var: Var, head: str) -> str:
        """Return the letter that distinguishes a variable from others of its kind, or ""."""
        if var not in self.survey.lettered:
            return ""
        count = self.letters.get(head, 0)
        self.letters[head] = count + 1
        return ascii_uppercase[count % 26]

    def bind(self, var: Var, over: Value) -> str:
        """Give a variable that goes through a collection its words, and return its letter."""
        head = self.noun_of_member(var, over)
        letter = self.letter(var, head)
        noun = self.book.noun(head)
        word = self.say("{noun} {letter}", noun=noun, letter=letter) if letter else self.say("that {noun}", noun=noun)
        if var.type in (Type.PLAYER, Type.TEAM):
            theirs = THEIRS if var.type is Type.PLAYER else TEAMS
            if self.you.whose == THEIRS:  # what is "their" own is that of the one who chooses
                theirs = WHOSE
            self.called[var] = PlayerPhrase(word, WHOSE if letter else theirs)
        elif var.type is Type.CARDS:
            self.called[var] = Noun(self.survey.piece(over), self.say("of {whole}", whole=word), word)
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
            return self.list_word(over)
        if var.type is Type.INT and var in self.survey.seats:
            return "seat"
        if var.type is Type.CARDS:
            while isinstance(over, Filter):
                over = over.over
            return {Tuples: "set", Subsets: "set", Selections: "set", Runs: "run"}.get(type(over), "group")
        if var.type is Type.CARD:
            return self.survey.piece(over)
        return {Type.PLAYER: "player", Type.TEAM: "team", Type.INT: "number"}.get(var.type, "thing")

    def list_word(self, over: Value) -> str:
        """Return what a name of a list is called: "suit", "column"."""
        while isinstance(over, Filter):
            over = over.over
        if isinstance(over, Use) and over.var.how == "declare" and (noun := noun_of(over.var)):
            return noun
        found = self.survey.domain(over) or []
        for declare in self.survey.game.declares:
            noun = noun_of(declare.var)
            if noun and found and set(found) <= set(self.survey.domain(declare.value) or ()):
                return noun
        for attribute, values in self.survey.attributes.items():
            if found and set(found) <= set(values):
                return attribute.lower()
        return "name"

    # -- people

    def person(self, value: Value) -> PlayerPhrase:
        """Return a player or a team."""
        if self._enough():
            return PlayerPhrase(self.dots)
        say = self.say
        match value:
            case Relative(which="current", kind="player"):
                return self.you
            case Relative(which="current"):
                return self.team
            case Relative(which="previous", kind="player"):
                return PlayerPhrase(say("the player before {person:dat}", person=self.you.name))
            case Relative(which="next", kind="player"):
                return self.coming or PlayerPhrase(say("the next player"), WHOSE)
            case Relative(which="next"):
                return PlayerPhrase(say("the next team"), WHOSE)
            case Relative():
                return PlayerPhrase(say("the previous team"), WHOSE)
            case Numbered(number=Number(value=count), kind=kind):
                return PlayerPhrase(say("{noun:=} {number}", noun=self.book.noun(kind), number=count + 1), WHOSE)
            case Numbered(number=Use(var=var)) if var in self.survey.seats and var in self.called:
                return PlayerPhrase(say("the player in {seat:dat}", seat=self._called(var)))
            case Numbered(
                number=Arith(op="%", left=Arith(op="+", left=seat, right=further), right=round_table), kind="player"
            ) if self.all_seats(round_table):
                fixed = constant(further)
                by = self.number(further) if fixed is None or fixed < 0 else self.book.number(fixed)
                by.count = int(fixed != 1)
                if isinstance(seat, Use) and seat.var in self.survey.seats:
                    return PlayerPhrase(say("the player {n} {n|seat|seats} further round", n=by))
                message = "the player {n} {n|seat|seats} after seat {number} (the first is 0)"
                return PlayerPhrase(say(message, n=by, number=self.number(seat)))
            case Numbered(number=Random() as drawn, kind="player") if self.whole_round(drawn):
                return PlayerPhrase(say("a random player"))
            case Numbered(number=number, kind=kind):
                noun = self.book.the(self.book.noun(kind))
                return PlayerPhrase(
                    say("{who:=} whose number is {n} (the first has 0)", who=noun, n=self.number(number))
                )
            case OwnerOf(card=Extreme() as card):
                return PlayerPhrase(say("the player who has {card:acc}", card=self.card(card)))
            case OwnerOf(card=card):
                return PlayerPhrase(say("the owner of {card:dat}", card=self.card(card)))
            case TeamOf(player=player):
                owner = self.person(player)
                one = owner.whose in (YOURS, THEIRS)  # else "the next player's team's points"
                return PlayerPhrase(self.owned(owner, self.book.noun("team")), WHOSE if one else OF)
            case Stored(ref=ref):
                store = self.store(ref)
                return (
                    PlayerPhrase(say("the {store}", store=store), WHOSE)
                    if isinstance(ref.who, Table)
                    else PlayerPhrase(store)
                )
            case Use(var=var):
                called = self.called.get(var)
                if isinstance(called, PlayerPhrase):
                    return called
                return PlayerPhrase(say("that {noun}", noun=self.book.noun(var.type.value)))
        return PlayerPhrase(say("somebody"))

    def draws_lots(self, node: Node) -> bool:
        """Return whether a step puts any player on turn, each as likely."""
        match node:
            case Repeat(count=Random() as count, action=Cycle(op="current", player=Relative(which="next"))):
                return self.whole_round(count)
            case Cycle(op="current", player=Numbered(number=Random() as number, kind="player")):
                return self.whole_round(number)
        return False

    def whole_round(self, count: Random) -> bool:
        """Return whether a random number stands for any player."""
        low = 0 if count.low is None else constant(count.low)
        high = count.high
        if low != 0:
            return False
        if isinstance(high, Arith) and high.op == "-" and constant(high.right) == 1:
            return self.all_seats(high.left)
        last = constant(high)
        return last is not None and self.all_seats(Number(high.at, last + 1))

    def all_seats(self, count: Value) -> bool:
        """Return whether a number is that of the players."""
        players = self.survey.game.players
        if isinstance(count, Size):
            return isinstance(count.of, Everybody) and count.of.kind == "player"
        return isinstance(players, Number) and constant(count) == players.value

    def owned(self, owner: PlayerPhrase, noun: Phrase, kind: str = "", the: Phrase | None = None) -> Phrase:
        """Return what a person has: "your hand", "the hand of player 2"."""
        the = the or self.book.the(noun)
        return self.say(owner.whose, owner=owner.name, noun=noun, the=the, count=noun.count, kind=kind)

    # -- places and stores

    def place_noun(self, name: str, *, several: bool = False) -> tuple[Phrase, str]:
        """Return a place as the noun behind "the" or "your", and its word. ``several``: one of each player."""
        if found := self.place_names.noun(name, several=several):
            return found
        label = self.place_names.label(name)
        kind = self._layout(name, LAYOUTS)
        head = self.book.noun(kind, several=several)
        said = self.say("{noun:=} *{label}*", noun=head, label=self.book.label(label), kind=head.kind, count=head.count)
        return said, kind

    def place_label(self, name: str) -> Phrase:
        """Return what the table of places calls one."""
        noun, _ = self.place_noun(name)
        label = noun.slots.get("label")
        return self.book.plain(capital(str(label) if label else noun.text(BARE)))

    def place(self, node: Value) -> Noun:
        """Return a place, or what a variable follows, as a collection of cards."""
        if isinstance(node, Use):
            bound = self.survey.values.get(node.var)
            if bound is None or node.var in self.called:
                called = self.called.get(node.var)
                if isinstance(called, Noun):
                    return called
                it = self.say("it")
                return Noun(self.survey.piece(node), self.say("of {whole:dat}", whole=it), it)
            return self.place(bound)
        if not isinstance(node, Place):
            return self.noun(node)
        whole = self._place(node)
        return Noun(self.survey.piece(node), self.say("in {place:dat}", place=whole, kind=INSIDE), whole)

    def taken(self, cards: Phrase) -> Phrase:
        """Return cards that are moved away: "a card from your hand" for "a card in your hand"."""
        if cards.kind == INSIDE and "place" in cards.slots:
            return self.say("from {place:dat}", place=cards.slots["place"])
        names = list(cards.slots)
        if not (set(names) <= ONLY_CARDS or set(names) == HEAD_AND_TAIL):
            return cards
        found = dict(cards.slots)
        for name in names:
            part = found[name]
            if isinstance(part, Phrase):
                found[name] = self.taken(part)
                if found[name] is not part and set(names) == HEAD_AND_TAIL:
                    break  # what else is said of them says what they are like, not where they are
        same = all(found[name] is cards.slots[name] for name in names)
        return cards if same else Phrase(cards.parts, found, cards.kind, cards.count)

    def _place(self, node: Place) -> Phrase:
        owner = None if isinstance(node.who, Table) else self.person(node.who)
        first = (self.survey.domain(node.name) or [""])[0]
        kind = self._layout(first, ("row", "pile"))
        match node.name:
            case Name(text=text):
                word, preposition = self.place_noun(text, several=owner is not None and owner.name.count == SEVERAL)
                ways = self._shown(node, text)
                return self._with(owner, word, preposition, ways)
            case Use():
                that, ways = self.name(node.name), self._shown(node, first)
                if owner is None:
                    return self.with_tail(that, ways)
                return self._with(owner, self.book.noun(kind), kind, ways, self.say("for {what:acc}", what=that))
            case CardAtt():
                tail = self.say("for {what:acc}", what=self.name(node.name))
            case Stored(ref=ref):
                tail = self.say("noted as {store}", store=self.store(ref))
            case name:
                tail = self.say("*{name}*", name=self.name(name))
        return self._with(owner, self.book.noun(kind), kind, None, tail)

    def _layout(self, name: str, known: Collection[str]) -> str:
        """Return the layout of a place as its noun, if it is one of these; else "place"."""
        layout = self.labels.layouts.get(name, "")
        return layout if layout in known else "place"

    def _with(
        self, owner: PlayerPhrase | None, noun: Phrase, word: str, ways: Phrase | None, tail: Phrase | None = None
    ) -> Phrase:
        """Return a place of somebody or (None) of the table. ``word``: of its noun; ``ways``: who sees it."""
        noun, locative = self.with_tail(noun, tail, ways), self.book.locative(word)
        return self.owned(owner, noun, locative) if owner else self.book.the(noun, locative)

    def _shown(self, node: Place, name: str) -> Phrase | None:
        ways = self.shown.get((address_of(node).owner, name), set())
        return self.seen_by(node.vis) if len(ways) > 1 else None

    def seen_by(self, word: str) -> Phrase:
        """Return by whom a place is seen, where another one has its name."""
        return self.say(SEEN_BY[word])

    def store(self, ref: Ref) -> Phrase:
        """Return a store: "your *Chips*"."""
        label = self.store_label(ref.name)
        said = self.say("*{label}*", label=label, kind=label.kind, count=label.count)
        if isinstance(ref.who, Table):
            return said
        # A label of which the language does not say what gender it has is like a name, and has no article.
        return self.owned(self.person(ref.who), said, the=self.book.the(said) if label.kind else said)

    def store_label(self, name: Value) -> Phrase:
        """Return what a store is called."""
        if isinstance(name, Name):
            return self.book.label(self.labels.word(name.text))
        return self.say("store for {name}", name=self.name(name))

    def attribute(self, attribute: Value) -> Phrase:
        """Return an attribute of cards, as a noun."""
        if isinstance(attribute, Name):
            given = "" if attribute.text in self._named else self.labels.words.get(attribute.text)
            return self.book.noun((given or attribute.text).lower())
        return self.say("attribute {name}", name=self.name(attribute))

    # -- names and numbers

    def value(self, text: str, attribute: str = "") -> Phrase:
        """Return a name that is a value of a card, or of a store, as a sentence has it.

        ``attribute``: which one of cards has this value. Letters are ranks and suits only there.
        """
        attribute = attribute or next(
            (each for each in ("RANK", "SUIT") if text in self.survey.attributes.get(each, ())), ""
        )
        given = self.labels.words.get(text)
        if given:
            return self.book.named(given)
        if len(text) == 1:
            return self.book.named({"RANK": RANK_LETTERS, "SUIT": SUIT_LETTERS}.get(attribute, {}).get(text, text))
        return self.book.named(RANKS.get(text) or COURT.get(text) or text.lower())

    def name(self, value: Value) -> Phrase:
        """Return a name."""
        if self._enough():
            return self.dots
        match value:
            case Name(text=text):
                return self.value(text) if text not in NOTHING else self.say("nothing")
            case Use(var=var):
                return self._called(var)
            case Stored(ref=ref):
                return self.store(ref)
            case CardAtt(key=attribute, card=card):
                return self.say("the {noun} of {card:dat}", noun=self.attribute(attribute), card=self.card(card))
        return self.say("something")

    def _called(self, var: Var) -> Phrase:
        called = self.called.get(var)
        if called is None:
            value = self.survey.values.get(var)
            if value is not None and var.how != "each":
                return self.said(value)
            return self.say("that {noun}", noun=self.book.noun(var.type.value))
        if isinstance(called, Noun):
            return called.whole
        return called.name if isinstance(called, PlayerPhrase) else called

    def said(self, value: Value) -> Phrase:
        """Return any value."""
        if value.type is Type.INT:
            return self.number(value)
        if value.type is Type.STR:
            return self.name(value)
        if value.type is Type.CARD:
            return self.card(value)
        if value.type in (Type.PLAYER, Type.TEAM):
            return self.person(value).name
        return self.noun(value).whole if value.type is not Type.BOOL else self.say("whether something is so")
