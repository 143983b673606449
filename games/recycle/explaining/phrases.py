"""Numbers, cards and collections as phrases: "the top card of the stock", "the cards in your hand of one suit"."""

from __future__ import annotations

from games.recycle.constants import constant
from games.recycle.explaining import names
from games.recycle.explaining.survey import key
from games.recycle.explaining.words import Noun, Person, Words
from games.recycle.tree import (
    Actual,
    Arith,
    Best,
    CardAt,
    Combined,
    Compare,
    Each,
    Everybody,
    Filter,
    Member,
    Members,
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
    Series,
    SetPoints,
    Size,
    Slice,
    Sorted,
    Stored,
    Subsets,
    Sum,
    Tuples,
    Type,
    Use,
    Value,
    Var,
)

SIGNS = {"+": "+", "-": names.MINUS, "*": names.TIMES, "^": "to the power of"}


class ValuePhrases(Words):
    """Writes numbers, cards and collections."""

    # -- numbers

    def number(self, value: Value) -> str:
        """Return a number."""
        if self._enough():
            return "…"
        folded = constant(value)
        if folded is not None:
            return f"{names.MINUS}{-folded}" if folded < 0 else str(folded)
        match value:
            case Stored(ref=ref):
                return self.store(ref)
            case Use(var=var):
                return self._called(var)
            case Arith(op=op, left=left, right=right):
                return self._sum(op, left, right)
            case Series(op="tri", of=of):
                return f"1 + 2 + … + {self._part(of)}"
            case Series(of=of):
                return f"the Fibonacci number with the index {self._part(of)}"
            case Random(low=low, high=high):
                return f"a random number from {self.number(low) if low else 0} to {self.number(high)}"
            case Size(of=Everybody(kind=kind)):
                return f"the number of {kind}s"
            case Size(of=of):
                return f"the number of {self.noun(of).many}"
            case Sum(cards=cards, using=using):
                return f"the total {self.store(using)} of the {self.noun(cards).many}"
            case Score(card=card, using=using):
                return f"the {self.store(using)} of {self.card(card)}"
        return "a number"

    def _sum(self, op: str, left: Value, right: Value) -> str:
        if op == "//":
            first = f"({self._part(left)})" if isinstance(left, Size | Sum | Score) else self._part(left)
            return f"{first} ÷ {self._part(right)} (without remainder)"
        if op == "%":
            return f"the remainder of {self._part(left)} ÷ {self._part(right)}"
        first = f"({self._part(left)})" if isinstance(left, Size | Sum | Score) else self._part(left)
        last = self._part(right)
        if op not in ("+", "-") and isinstance(right, Size | Sum | Score):
            last = f"({last})"
        return f"{first} {SIGNS[op]} {last}"

    def _part(self, value: Value) -> str:
        text = self.number(value)
        return f"({text})" if isinstance(value, Arith | Series) and constant(value) is None else text

    # -- cards

    def card(self, value: Value) -> str:
        """Return a card."""
        if self._enough():
            return "…"
        match value:
            case Use(var=var):
                return self._called(var)
            case Actual(card=card):
                return self.card(card)
            case Best(op=op, cards=cards, using=using):
                return f"the card {self.noun(cards).tail} with the {op_word(op)} {self.store(using)}"
            case CardAt(where=where, cards=cards):
                return self._card_at(where, cards)
        return "a card"

    def _card_at(self, where: str | Value, cards: Value) -> str:
        if isinstance(cards, Filter):
            only = self.only_card(cards.test, cards.var)
            if only:
                return f"the {only} {self.noun(cards.over).tail}"
            best = self.best_of(cards)
            if best:
                return f"{self.card(best)} (of equal ones the {'last' if where == 'top' else 'first'})"
        noun = self.noun(cards)
        if isinstance(where, str):
            if isinstance(cards, Place) and self.labels.layouts.get(getattr(cards.name, "text", "")) == "slot":
                return f"the card in {noun.whole}"
            if isinstance(cards, Place | Use | Sorted | RunAt | Slice | Member):
                return f"the {where} card of {noun.whole}"
            return f"the {where} {noun.one}"
        return f"the card of {noun.whole} with {self._under(where)} under it"

    def _under(self, where: Value) -> str:
        count = constant(where)
        if count is None:
            return f"as many cards as {self.number(where)}"
        return "one card" if count == 1 else f"{names.number(count)} cards"

    # -- collections

    def noun(self, value: Value) -> Noun:
        """Return a collection."""
        if self._enough():
            return Noun("…", "", "…")
        match value:
            case Place():
                return self.place(value)
            case Use(var=var):
                return self._bound(value, var)
            case Filter(over=Subsets(cards=cards), test=Compare(op="==", left=Size(of=Use(var=size)), right=right)) if (
                size is value.var and constant(right) is not None
            ):
                inner = self.noun(cards)
                count = names.number(constant(right) or 0)
                return Noun("set", f"of {count} cards {inner.tail}", "sets", free=f"any {count} cards {inner.tail}")
            case Filter(over=over, var=var, test=test):
                return self._filter(over, var, test)
            case Combined():
                return self._combined(value)
            case Each(over=over, var=var, cards=cards):
                inner = self._each(over, var, cards)
                return Noun("set", f"of the {inner.many}", f"the {inner.many}")
            case Everybody(kind=kind):
                return Noun(kind, "", f"the {kind}s", True)
            case Others(kind=kind):
                return Noun(f"other {kind}", "", f"the other {kind}s", True)
            case Members(team=team):
                name = self.person(team).name
                return Noun("player", f"of {name}", name)
            case Range(low=low, high=high):
                return self._range(low, high)
            case Names(texts=texts):
                words = [self.value(text) for text in texts]
                told = [*words[:12], "…"] if len(words) > 12 else words
                return Noun(self._list_word(value), f"out of {names.listed(told)}", names.listed(told), True)
        return self._groups(value)

    def _bound(self, value: Use, var: Var) -> Noun:
        called = self.called.get(var)
        if isinstance(called, Noun):
            return called
        bound = self.survey.values.get(var)
        if var.how == "declare" and var.type is Type.STRS and len(var.name) > 3:
            word = var.name.lower()
            return Noun(names.singular(word), "", f"the {names.plural(names.singular(word))}", True)
        if bound is not None and var.how != "each":
            return self.noun(bound)
        return Noun("member", f"of {self._called(var)}", self._called(var))

    def _range(self, low: Value, high: Value) -> Noun:
        if isinstance(high, Size) and isinstance(high.of, Use) and constant(low) == 1:
            whole = self.noun(high.of).whole
            return Noun("number", f"of cards of {whole}", "numbers", free=f"how many cards of {whole} (at least one)")
        return Noun("number", f"from {self.number(low)} to {self.number(high)}", "numbers")

    def _filter(self, over: Value, var: Var, test: Value) -> Noun:
        inner = self.noun(over)
        letter = self.bind(var, over)
        tail = f"{inner.tail} {self.relative(test, var)}".strip()
        self.unbind(var, over, letter)
        only = self.only_card(test, var)
        noun = Noun(f"{inner.head}{letter}", tail, "", free=f"the {only} {inner.tail}" if only else "")
        return noun._replace(whole=f"the {noun.many}", are=True)

    def _each(self, over: Value, var: Var, cards: Value) -> Noun:
        if var.type is Type.PLAYER and isinstance(over, Everybody):
            self.called[var] = Person("the players", "the players'", True)
        elif var.type in (Type.PLAYER, Type.TEAM):
            self.called[var] = Person(f"any {self.noun(over).one}")
        elif var.type is Type.STR:
            noun = self.noun(over)
            self.called[var] = noun.whole if noun.are else f"any {noun.one}"
        else:
            self.bind(var, over)
        return self.noun(cards)

    def _combined(self, value: Combined) -> Noun:
        if isinstance(value.parts, Each):
            inner = self._each(value.parts.over, value.parts.var, value.parts.cards)
            tail = inner.tail
            if value.op != "union":
                tail = f"{'shared by all of' if value.op == 'intersect' else 'found in just one of'} {inner.whole}"
            return Noun("card", tail, f"the cards {tail}", True)
        parts = [self.noun(part) for part in value.parts]
        if not parts:
            return Noun("card", "of none at all", "no cards", True)
        if len(parts) == 1:
            return parts[0]
        tails = [part.tail for part in parts]
        if value.op == "union":
            inside = all(tail.startswith("in ") for tail in tails)
            tail = f"in {names.listed([tail[3:] for tail in tails], 'or')}" if inside else names.listed(tails, "or")
            return Noun("card", tail, names.listed([part.whole for part in parts]), True)
        within = names.listed([part.whole for part in parts])
        tail = f"{'shared by' if value.op == 'intersect' else 'found in just one of'} {within}"
        return Noun("card", tail, f"the cards {tail}", True)

    def _groups(self, value: Value) -> Noun:
        match value:
            case Member(where=where, groups=groups):
                inner = self.noun(groups)
                which = {"top": "first", "bottom": "last"}.get(where, "") if isinstance(where, str) else ""
                whole = f"the {which} {inner.one}" if which else f"the {inner.one} with the number {self._nth(where)}"
                return Noun("card", f"of {whole}", whole)
            case Slice(end=end, count=count, cards=cards):
                whole = self.slice(end, count, cards)
                return Noun("card", f"among {whole}", whole, True)
            case RunAt(end=end, least=least, cards=cards, using=using):
                side = "on top" if end == "top" else "at the bottom"
                whole = (
                    f"the longest run of at least {self.some_cards(least)} {side} of {self.noun(cards).whole} "
                    f"(by {self.store(using)}, in any order)"
                )
                return Noun("card", f"of {whole}", whole)
            case Sorted(cards=cards, using=using):
                inner = self.noun(cards)
                return inner._replace(whole=f"{inner.whole} sorted by {self.store(using)}, the lowest first")
            case Tuples(count=count, cards=cards, using=using):
                alike = self.alike(using) or f"{self.store(using)}"
                return _group("set", f"of {self.some_cards(count)} {self.noun(cards).tail} of the same {alike}")
            case Partition(key=attribute, parts=parts):
                inner = self._combined(Combined(value.at, "union", parts))
                return _group("group", f"of all cards {inner.tail} of one {self.attribute(attribute)}")
            case Subsets(cards=cards):
                return _group("set", f"of any number of cards (even none) {self.noun(cards).tail}")
            case Runs(which=which, least=least, cards=cards, using=using):
                tail = (
                    f"of {self.some_cards(least)} or more {self.noun(cards).tail} with consecutive {self.store(using)}"
                )
                return _group("longest possible run" if which == "largest" else "run", tail)
        return Noun("card", "", "the cards", True)

    def _nth(self, where: Value | str) -> str:
        return f"{self.number(where)} (the first has 0)" if not isinstance(where, str) else where

    def slice(self, end: str, count: Value, cards: Value) -> str:
        """Return so many cards from an end of a collection."""
        whole = self.noun(cards).whole
        if constant(count) is not None:
            return f"the {end} {self.some_cards(count)} of {whole}"
        loose = isinstance(cards, Use) and cards.var.how == "each"
        of = f"of {whole}" if loose else f"from the {end} of {whole}"
        if isinstance(count, Use):
            return f"so many cards {of}"
        if isinstance(count, Size):
            return f"as many cards {of} as there are {self.noun(count.of).many}"
        return f"{self.some_cards(count)} {of}"

    def some_cards(self, count: Value) -> str:
        """Return so many cards, behind "the top" or "of"."""
        fixed = constant(count)
        if fixed is not None:
            return "card" if fixed == 1 else f"{names.number(fixed)} cards"
        if isinstance(count, Use):
            return "so many cards"
        if isinstance(count, Size):
            return f"cards (as many as there are {self.noun(count.of).many})"
        return f"{self.number(count)} cards" if isinstance(count, Stored) else f"cards ({self.number(count)} of them)"

    def alike(self, using: Ref) -> str | None:
        """Return the attribute in which cards of one score are alike: "rank"; None if there is none."""
        writes = self.survey.writes[key(using)]
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


def _group(head: str, tail: str) -> Noun:
    """Return groups of cards: "the sets of three cards in your hand"."""
    return Noun(head, tail, f"the {names.plural(head)} {tail}", True)


def op_word(op: str) -> str:
    """Return the superlative for an operator."""
    return "highest" if op == "max" else "lowest"
