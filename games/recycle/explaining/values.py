"""Numbers, cards and collections as phrases: "the top card of the stock", "the cards in your hand of one suit"."""

from __future__ import annotations

from games.recycle.constants import constant
from games.recycle.explaining.words import MINUS, WHOSE_ALL, Noun, PlayerPhrase, Words, noun_of
from games.recycle.phrase_book import MOST_LISTED, SEVERAL, Phrase
from games.recycle.tree import (
    Actual,
    Arith,
    CardAt,
    Combined,
    Compare,
    Each,
    Everybody,
    Extreme,
    Filter,
    GroupAt,
    Name,
    Names,
    Others,
    Partition,
    Place,
    Random,
    Range,
    Ref,
    RunAt,
    Runs,
    Score,
    Selections,
    Series,
    SetPoints,
    Size,
    Slice,
    Sorted,
    Stored,
    Subsets,
    Sum,
    TeamPlayers,
    Tuples,
    Type,
    Use,
    Value,
    Var,
    address_of,
)

SIGNS = {"+": "+", "-": MINUS, "*": "\N{MULTIPLICATION SIGN}"}
OR = "{others} or {last}"


class ValuePhrases(Words):
    """Writes numbers, cards and collections."""

    # -- numbers

    def number(self, value: Value) -> Phrase:
        """Return a number."""
        if self._enough():
            return self.dots
        say, folded = self.say, constant(value)
        if folded is not None:
            return self.book.plain(f"{MINUS}{-folded}" if folded < 0 else str(folded), count=int(folded != 1))
        match value:
            case Stored(ref=ref):
                return self.store(ref)
            case Use(var=var):
                return self._called(var)
            case Arith(op=op, left=left, right=right):
                return self._sum(op, left, right)
            case Series(op="tri", of=of):
                return say("1 + 2 + … + {n}", n=self._part(of))
            case Series(of=of):
                return say("the Fibonacci number with the index {n}", n=self._part(of))
            case Random(low=low, high=high):
                least = self.number(low) if low else 0
                return say("a random number from {low} to {high}", low=least, high=self.number(high))
            case Size(of=of):
                return self.of_many("the number of {many}", self.noun(of))
            case Sum(cards=cards, using=using):
                return self.of_many("the total {store} of the {many}", self.noun(cards), store=self.store(using))
            case Score(card=card, using=using):
                return say("the {store} of {card:dat}", store=self.store(using), card=self.card(card))
        return say("a number")

    def of_many(self, message: str, noun: Noun, **slots: Phrase) -> Phrase:
        """Return a phrase about all of a collection."""
        return self.say(message, many=self.many(noun), the=self.them(noun), **slots)

    def _sum(self, op: str, left: Value, right: Value) -> Phrase:
        first, last = self._part(left, Size | Sum | Score), self._part(right)
        if op == "//":
            return self.say("{n} ÷ {by} (dropping the remainder)", n=first, by=last)
        if op == "%":
            return self.say("the remainder of {n} ÷ {by}", n=self._part(left), by=last)
        if op == "^":
            return self.say("{n} to the power of {by}", n=first, by=last)
        last = last if op in ("+", "-") else self._part(right, Size | Sum | Score)
        return self.say("{n:=} {sign} {by:=}", n=first, sign=SIGNS[op], by=last)

    def _part(self, value: Value, bracketed: object = ()) -> Phrase:
        number = self.number(value)
        if isinstance(value, bracketed) or (isinstance(value, Arith | Series) and constant(value) is None):  # type: ignore[arg-type]
            return self.say("({n:=})", n=number)
        return number

    # -- cards

    def card(self, value: Value) -> Phrase:
        """Return a card."""
        if self._enough():
            return self.dots
        match value:
            case Use(var=var):
                return self._called(var)
            case Actual(card=inner):
                return self.card(inner)
            case Extreme(op=op, cards=cards, using=using):
                noun = self.noun(cards)
                one = self.with_tail(self.book.the(self.book.noun(noun.head)), noun.tail)
                best = "{card:=} with the highest {store}" if op == "max" else "{card:=} with the lowest {store}"
                return self.say(best, card=one, store=self.store(using))
            case CardAt(where=where, cards=cards):
                return self._card_at(where, cards)
        return self.say("a card")

    def _card_at(self, where: str | Value, cards: Value) -> Phrase:
        say = self.say
        if isinstance(cards, Filter):
            if where == "top" and (only := self.only_card(cards.test, cards.var)):
                return self.with_tail(only, self.noun(cards.over).tail)
            if isinstance(where, str) and (best := self.best_of(cards)):
                which = "{card:=} (among equals, the {end})"
                return say(which, card=self.card(best), end=say("last") if where == "top" else say("first"))
        noun = self.noun(cards)
        word = self.book.noun(noun.head)
        if isinstance(where, str):
            end = "the top {noun}" if where == "top" else "the bottom {noun}"
            slot = isinstance(cards, Place) and self.labels.layouts.get(address_of(cards).name) == "slot"
            if slot and where == "top":
                return self.with_tail(self.book.the(word), noun.tail)
            if isinstance(cards, Place | Use | Sorted | RunAt | Slice | GroupAt):
                return say("{card:=} of {whole:dat}", card=say(end, noun=word), whole=noun.whole)
            return self.with_tail(say(end, noun=word), noun.tail)
        card = say("{card:=} of {whole:dat}", card=self.book.the(word), whole=noun.whole)
        return say("{card:=} with {under:dat} under it", card=card, under=self.beneath(where, noun.head))

    def beneath(self, where: Value, head: str) -> Phrase:
        """Return so many cards that lie under another one."""
        count = constant(where)
        if count is None:
            noun = self.book.noun(head, several=True)
            return self.say("as many {noun} as {n}", noun=noun, n=self.number(where))
        return self.book.some(count, head)

    # -- collections

    def noun(self, value: Value) -> Noun:
        """Return a collection."""
        if self._enough():
            return Noun("card", self.dots, self.dots)
        say = self.say
        match value:
            case Place():
                return self.place(value)
            case Use(var=var):
                return self._bound(value, var)
            case Filter(over=Subsets(cards=cards), test=Compare(op="==", left=Size(of=Use(var=size)), right=right)) if (
                size is value.var and constant(right) is not None
            ):
                return self._selections(right, cards)
            case Filter(over=over, var=var, test=test):
                return self._filter(over, var, test)
            case Combined():
                return self._combined(value)
            case Each(over=over, var=var, cards=cards):
                return self._group("set", say("of {whole:dat}", whole=self.them(self._each(over, var, cards))))
            case Everybody(kind=kind):
                return self._group(kind)
            case Others(kind=kind):
                return self._group(f"other {kind}")
            case TeamPlayers(team=team):
                name = self.person(team).name
                return Noun("player", say("of {whole:dat}", whole=name), name)
            case Range(low=low, high=high):
                return self._range(low, high)
            case Names(texts=texts):
                words = [self.value(text) for text in texts]
                wording = self.book.listed(words, most=MOST_LISTED)
                return Noun(self.list_word(value), say("out of {words}", words=wording), wording)
        return self._groups(value)

    def _selections(self, count: Value, cards: Value) -> Noun:
        """Return all groups of so many cards."""
        inner = self.noun(cards)
        some = self.some_cards(count, inner.head)
        group = self._group("set", self.with_tail(self.say("of {cards:dat}", cards=some), inner.tail))
        return group._replace(free=self.with_tail(self.say("any {cards:=}", cards=some), inner.tail))

    def _group(self, head: str, tail: Phrase | None = None) -> Noun:
        """Return a collection that is called by its members: "the sets of three cards in your hand"."""
        noun = Noun(head, tail, self.dots)
        return noun._replace(whole=self.them(noun))

    def _of(self, value: Value, whole: Phrase) -> Noun:
        """Return the cards of something that has a name of its own."""
        return Noun(self.survey.piece(value), self.say("of {whole:dat}", whole=whole), whole)

    def _bound(self, value: Use, var: Var) -> Noun:
        called = self.called.get(var)
        if isinstance(called, Noun):
            return called
        bound = self.survey.values.get(var)
        if var.how == "declare" and var.type is Type.STRS and (noun := noun_of(var)):
            return self._group(noun)
        if bound is not None and var.how != "each":
            return self.noun(bound)
        return Noun("member", self.say("of {whole:dat}", whole=self._called(var)), self._called(var))

    def _range(self, low: Value, high: Value) -> Noun:
        say = self.say
        if isinstance(high, Size) and isinstance(high.of, Use) and constant(low) == 1:
            noun = self.noun(high.of)
            cards = self.book.noun(noun.head, several=True)
            free = say("how many {noun} of {whole:dat} (at least one)", noun=cards, whole=noun.whole)
            return self._group("number", say("of {whole:dat}", whole=self.them(noun)))._replace(free=free)
        return self._group("number", say("from {low} to {high}", low=self.number(low), high=self.number(high)))

    def _filter(self, over: Value, var: Var, test: Value) -> Noun:
        inner = self.noun(over)
        letter = self.bind(var, over)
        tail = self.relative(test, var)
        self.unbind(var, over, letter)
        only = self.only_card(test, var)
        tail = self.with_tail(inner.tail, tail) if inner.tail else tail
        free = self.with_tail(only, inner.tail) if only else None
        return self._group(inner.head, tail)._replace(free=free, letter=letter)

    def _each(self, over: Value, var: Var, cards: Value) -> Noun:
        noun = self.noun(over)
        if var.type is Type.PLAYER and isinstance(over, Everybody):
            self.called[var] = PlayerPhrase(self.say("the players", count=SEVERAL), WHOSE_ALL)
        elif var.type in (Type.PLAYER, Type.TEAM):
            self.called[var] = PlayerPhrase(self.one(noun, "any {noun}"))
        elif var.type is Type.STR:
            self.called[var] = noun.whole if noun.whole.count else self.one(noun, "any {noun}")
        else:
            self.bind(var, over)
        return self.noun(cards)

    def _combined(self, value: Combined) -> Noun:
        say, piece = self.say, self.survey.piece(value)
        shared = {
            "union": "of {whole:dat}",
            "intersect": "shared by {whole}",
            "disjunction": "found in just one of {whole:dat}",
        }
        if isinstance(value.parts, Each):
            inner = self._each(value.parts.over, value.parts.var, value.parts.cards)
            tail = inner.tail if value.op == "union" else say(shared[value.op], whole=inner.whole)
            return self._group(piece, tail)
        parts = [self.noun(part) for part in value.parts]
        if not parts:
            return Noun(piece, say("of none at all"), say("no {noun}", noun=self.book.noun(piece, several=True)))
        if len(parts) == 1:
            return parts[0]
        whole = self.book.listed([part.whole for part in parts])
        if value.op != "union":
            return self._group(piece, say(shared[value.op], whole=whole))
        tails = [part.tail or self.dots for part in parts]
        return Noun(piece, self.book.listed(tails, OR), whole)

    def _groups(self, value: Value) -> Noun:
        say = self.say
        match value:
            case GroupAt(where=where, groups=groups):
                inner = self.noun(groups)
                if isinstance(where, str):
                    first = "the first {noun}" if where == "top" else "the last {noun}"
                    return self._of(value, self.one(inner, first))
                which = self.one(inner, "the {noun}")
                numbered = say("{who:=} whose number is {n} (the first has 0)", who=which, n=self.number(where))
                return self._of(value, numbered)
            case Slice(end=end, count=count, cards=cards):
                whole = self.slice(end, count, cards)
                return Noun(self.survey.piece(value), say("among {whole:dat}", whole=whole), whole)
            case RunAt(end=end, least=least, cards=cards, using=using):
                inner = self.noun(cards)
                least_cards = self.some_cards(least, inner.head)
                message = "the longest run of at least {cards:dat} on top of {whole:dat} (by {store}, in any order)"
                if end != "top":
                    message = (
                        "the longest run of at least {cards:dat} at the bottom of {whole:dat} "
                        "(by {store}, in any order)"
                    )
                return self._of(value, say(message, cards=least_cards, whole=inner.whole, store=self.store(using)))
            case Sorted(cards=cards, using=using):
                inner = self.noun(cards)
                order = say("(sorted by {store}, the lowest first)", store=self.store(using))
                tail = self.with_tail(inner.tail, order) if inner.tail else order
                return inner._replace(whole=self.with_tail(inner.whole, order), tail=tail)
            case Tuples(count=count, cards=cards, using=using):
                inner = self.noun(cards)
                some = self.some_cards(count, inner.head)
                alike = self.alike(using)
                same = (
                    say("of the same {noun}", noun=alike)
                    if alike
                    else say("with the same {store}", store=self.store(using))
                )
                return self._group("set", self.with_tail(say("of {cards:dat}", cards=some), same, inner.tail))
            case Partition(key=attribute, parts=parts):
                inner = self._combined(Combined(value.at, "union", parts))
                one = say("of one {noun}", noun=self.attribute(attribute))
                tail = self.with_tail(one, inner.tail)
                everything = self.them(inner._replace(tail=tail), "all {noun}")
                return self._group("group", say("of {whole:dat}", whole=everything))
            case Selections(count=count, cards=cards):
                return self._selections(count, cards)
            case Subsets(cards=cards):
                inner = self.noun(cards)
                word = self.book.noun(inner.head, several=True)
                return self._group(
                    "set", self.with_tail(say("of any number of {noun} (even none)", noun=word), inner.tail)
                )
            case Runs(which=which, least=least, cards=cards, using=using):
                inner = self.noun(cards)
                some = say("of {cards:dat} or more", cards=self.some_cards(least, inner.head))
                using_store = say("with consecutive {store}", store=self.store(using))
                head = "longest possible run" if which == "largest" else "run"
                return self._group(head, self.with_tail(some, inner.tail, using_store))
        return self._group(self.survey.piece(value))

    def slice(self, end: str, count: Value, cards: Value) -> Phrase:
        """Return so many cards from an end of a collection."""
        inner, say = self.noun(cards), self.say
        fixed = constant(count)
        if fixed is not None:
            if fixed == 1:
                message = "the top {noun}" if end == "top" else "the bottom {noun}"
                word = say(message, noun=self.book.noun(inner.head))
            else:
                message = "the top {cards:=}" if end == "top" else "the bottom {cards:=}"
                word = say(message, cards=self.book.some(fixed, inner.head), count=SEVERAL)
            return say("{card:=} of {whole:dat}", card=word, whole=inner.whole, count=int(fixed != 1))
        of = "from the top of {whole:dat}" if end == "top" else "from the bottom of {whole:dat}"
        if isinstance(cards, Use) and cards.var.how == "each" and end == "top":
            of = "of {whole:dat}"
        tail = say(of, whole=inner.whole)
        if isinstance(count, Size):
            noun, many = self.book.noun(inner.head, several=True), self.many(self.noun(count.of))
            return say("as many {noun} {of} as there are {many}", noun=noun, of=tail, many=many, count=SEVERAL)
        return say("{cards:=} {of}", cards=self.some_cards(count, inner.head), of=tail, count=SEVERAL)

    def some_cards(self, count: Value, head: str) -> Phrase:
        """Return so many cards."""
        fixed = constant(count)
        noun = self.book.noun(head, several=True)
        if fixed is not None:
            return self.book.some(fixed, head)
        if isinstance(count, Use):
            return self.say("that many {noun}", noun=noun, count=SEVERAL)
        if isinstance(count, Size):
            inner = self.noun(count.of)
            slots = {"noun": noun, "many": self.many(inner)}
            return self.say("as many {noun} as there are {many}", **slots, count=SEVERAL)
        if isinstance(count, Stored):
            return self.say("{n} {noun}", n=self.number(count), noun=noun, count=SEVERAL)
        return self.say("{noun} (as many as {n})", n=self.number(count), noun=noun, count=SEVERAL)

    def alike(self, using: Ref) -> Phrase | None:
        """Return the attribute in which cards of one score are alike: "rank"; None if there is none."""
        writes = self.survey.writes.get(address_of(using), [])
        if len(writes) != 1 or not isinstance(writes[0], SetPoints):
            return None
        found = set()
        values = []
        for award in writes[0].awards:
            if len(award.pairs) != 1 or not isinstance(award.pairs[0][0], Name):
                return None
            found.add(award.pairs[0][0].text)
            values.append(constant(award.value))
        if len(found) != 1 or None in values or len(set(values)) < len(values):
            return None
        return self.attribute(Name(using.at, found.pop()))
