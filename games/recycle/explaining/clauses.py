"""Tests as clauses: "your hand is empty", "whose suit is hearts"."""

from __future__ import annotations

from games.recycle.constants import constant
from games.recycle.explaining.comparing import (
    alone_with_most,
    difference,
    left_of,
    mirrored,
    negate,
    negative,
    positive,
    same,
    same_name,
    speaks_of,
)
from games.recycle.explaining.values import ValuePhrases
from games.recycle.explaining.words import COURT, MOST, OF, RANK_LETTERS, RANKS, THEIRS, WHOSE, PlayerPhrase
from games.recycle.labels import NOTHING
from games.recycle.phrase_book import SEVERAL, Phrase, Slot
from games.recycle.tree import (
    Arith,
    CardAtt,
    Compare,
    Everybody,
    Extreme,
    Filter,
    Logic,
    Name,
    Not,
    Number,
    Place,
    Quantified,
    Score,
    Size,
    Stored,
    Table,
    Type,
    Use,
    Value,
    Var,
    address_of,
    walk,
)

AMOUNT = {
    "==": "{n}",
    "!=": "not {n}",
    ">": "more than {n}",
    ">=": "at least {n}",
    "<": "less than {n}",
    "<=": "at most {n}",
}
COUNT = {
    "==": "exactly {cards:=}",
    "!=": "not exactly {cards:=}",
    ">": "more than {cards:=}",
    ">=": "at least {cards:=}",
    "<": "fewer than {cards:=}",
    "<=": "at most {cards:=}",
}
JOIN = {"and": "{one} and {other}", "or": "{one} or {other}"}
COMMAS = {"and": "{one}, and {other}", "or": "{one}, or {other}"}
LISTED = {"and": "{others} and {last}", "or": "{others} or {last}"}
DIFFERENCES = {  # by the comparison, and whether the left side is the larger one
    ("==", True): "{store} is {n} more than that of {card:dat}",
    ("==", False): "{store} is {n} less than that of {card:dat}",
    ("!=", True): "{store} is not {n} more than that of {card:dat}",
    ("!=", False): "{store} is not {n} less than that of {card:dat}",
}
NEAR = {
    ("==", "or"): "{store} is one more or one less than that of {card:dat}",
    ("!=", "and"): "{store} is neither one more nor one less than that of {card:dat}",
}
IS_NONE = frozenset({("==", 0), ("<", 1), ("<=", 0)})  # comparisons of a size with a number that mean that it is 0
IS_SOME = frozenset({(">", 0), (">=", 1), ("!=", 0)})
BRIEF = 25  # characters of "with cards" before "such that"; with more, there is "and" between them
COMPUTED = "sum"  # the kind of a number that is not known: French "plus que", but "plus de trois"
WITH = "with"  # the kind of a phrase that has no verb, and so stands before it where verbs come last
SUCH = "such"  # the kind of a phrase that takes up the rest of its sentence


class Clauses(ValuePhrases):
    """Writes tests."""

    def clause(self, test: Value) -> Phrase:
        """Return a test as a clause."""
        if self._enough():
            return self.dots
        match test:
            case Logic(op=op, parts=parts):
                return self._joined(op, parts)
            case Not(of=of):
                bound = self.survey.values.get(of.var) if isinstance(of, Use) and of.var.how == "declare" else None
                opposite = negate(bound or of)
                if not isinstance(opposite, Not):
                    return self.clause(opposite)
                return self.say("not {clause}", clause=self._called_test(of))
            case Quantified():
                return self._quantified(test)
            case Compare():
                return self._compare(test)
        return self._called_test(test)

    def _called_test(self, test: Value) -> Phrase:
        if isinstance(test, Use):
            bound = self.survey.values.get(test.var)
            if bound is not None and test.var.how != "each" and test.var not in self.called:
                return self.clause(bound)
            return self.say("{what} is so", what=self._called(test.var))
        return self.say("something is so")

    def _joined(self, op: str, parts: tuple[Value, ...]) -> Phrase:
        if len(parts) == 1:
            return self.clause(parts[0])
        parts = tuple(map(positive, parts))
        if card := self._one_card(op, parts) or self._next_to(op, parts):
            return card
        wording = [self._both(part, op, self.clause(part)) for part in parts]
        comma = len(parts) > 2 or any(map(_branches, parts)) or any("," in str(text) for text in wording)
        found = wording[0]
        for text in wording[1:-1]:
            found = self.say("{one}, {other}", one=found, other=text)
        return self.say((COMMAS if comma else JOIN)[op], one=found, other=wording[-1])

    def _both(self, part: Value, op: str, text: Phrase) -> Phrase:
        """Return a part, with a word before it if it is joined otherwise than the whole."""
        if not isinstance(part, Logic) or part.op == op or len(part.parts) < 2 or all(map(difference, part.parts)):
            return text
        return self.say("both {clause}" if part.op == "and" else "either {clause}", clause=text, kind=SUCH)

    def _one_card(self, op: str, parts: tuple[Value, ...]) -> Phrase | None:
        """Return "that card is the 2 of clubs" where a test asks for just that."""
        match parts[0]:
            case Compare(left=CardAtt(card=Use(var=var) as card)) if op == "and":
                only = self.only_card(Logic(parts[0].at, "and", parts), var)
                return self.say("{what} is {that}", what=self.card(card), that=only) if only else None
        return None

    def _next_to(self, op: str, parts: tuple[Value, ...], var: Var | None = None) -> Phrase | None:
        """Return "whose order is one more or one less than that of ..." where a test asks for just that."""
        if len(parts) != 2:
            return None
        first, second = (difference(part) for part in parts)
        if first is None or second is None or first.op != second.op or (first.op, op) not in NEAR:
            return None
        mine, other = first.left, first.right
        by = second.by
        if same(mine, second.right) and same(other, second.left):
            by = -by
        elif not (same(mine, second.left) and same(other, second.right)):
            return None
        if abs(by) != 1 or first.by != -by:
            return None
        message, store = NEAR[first.op, op], self.store(mine.using)
        if var is not None:
            yours = other if speaks_of(mine, var) else mine
            return self._whose(var, message, store=store, card=self.card(yours.card))
        of = self.say("the {store} of {card:dat}", store=store, card=self.card(mine.card))
        return self.say(message, store=of, card=self.card(other.card))

    def best_of(self, cards: Filter) -> Extreme | None:
        match cards.test:
            case Compare(
                op="==", left=Score(card=Use(var=var), using=using), right=Score(card=Extreme() as best) as score
            ):
                alike = same(best.using, using) and same(score.using, using)
                if var is cards.var and alike and same(best.cards, cards.over):
                    return best
        return None

    def only_card(self, test: Value, var: Var) -> Phrase | None:
        if not (isinstance(test, Logic) and test.op == "and" and len(test.parts) == 2):
            return None
        found: dict[str, Phrase] = {}
        for part in test.parts:
            match part:
                case Compare(
                    op="==", left=CardAtt(key=Name(text=attribute), card=Use(var=used)), right=Name(text=text)
                ):
                    if used is var:
                        found[attribute] = self.value(text)
        if set(found) != {"RANK", "SUIT"}:
            return None
        return self.say("the {rank} of {suit}", rank=found["RANK"], suit=found["SUIT"])

    # -- any and all

    def _quantified(self, test: Quantified) -> Phrase:
        over, var, inner, say = test.over, test.var, test.test, self.say
        if found := alone_with_most(test):
            label = self.store_label(found[0].ref.name)
            one = self.book.some(1, "team" if over.type is Type.TEAMS else "player")
            most = say(MOST[True, label.count], store=label)
            amount = say(AMOUNT[found[1].op], n=self.number(found[1].right))
            return say("{one} alone has the {most}, {amount}", one=one, most=most, amount=amount)
        if test.op == "any" or (negative(inner) and var.type in (Type.CARD, Type.CARDS, Type.PLAYER, Type.TEAM)):
            once = test.op == "any" and isinstance(over, Everybody) and self.survey.uses[var] == 1
            if once and not speaks_of(left_of(inner), var):
                self.called[var] = PlayerPhrase(self.one(self.noun(over), "some {noun}"), WHOSE)
                return self.clause(inner)
            noun = self.noun(over)
            noun = noun._replace(letter=self.bind(var, over))
            head = self.one(noun, "a {noun}" if test.op == "any" else "no {noun}")
            tail = self.relative(inner if test.op == "any" else negate(inner), var)
            self.unbind(var, over, noun.letter)
            return self._there_is(head, tail)
        noun = self.noun(over)
        if self.survey.uses[var] == 1 and not isinstance(left_of(inner), Arith | Quantified):
            every = self.one(noun, "every {noun}")
            if isinstance(over, Everybody) and _not_empty(inner):
                self.called[var] = PlayerPhrase(self.one(noun, "no {noun}"), WHOSE)
                return self.clause(negate(inner))
            if var.type in (Type.PLAYER, Type.TEAM):
                self.called[var] = PlayerPhrase(every, OF if noun.tail else WHOSE)
            else:
                self.called[var] = every
                if var.type is Type.CARDS:
                    self.bind(var, over)
                    return say("for {every:acc}, {clause}", every=every, clause=self._closed(inner))
            return self.clause(inner)
        noun = noun._replace(letter=self.bind(var, over))
        text = say("for {every:acc}, {clause}", every=self.one(noun, "every {noun}"), clause=self._closed(inner))
        self.unbind(var, over, noun.letter)
        return text

    def _closed(self, test: Value) -> Phrase:
        """Return a clause behind which a sentence may go on with "or" or "and"."""
        return self._both(positive(test), "", self.clause(test))

    # -- comparisons

    def _compare(self, test: Compare) -> Phrase:
        say, op, left, right = self.say, test.op, test.left, test.right
        if isinstance(left, Number | Name) and not isinstance(right, Number | Name):
            test = mirrored(test)
            op, left, right = test.op, test.left, test.right
        if left.type in (Type.PLAYER, Type.TEAM, Type.CARD):
            pair = self.said(left), self.said(right)
        elif left.type is Type.STR:
            return self._compare_names(op, left, right)
        elif isinstance(left, Size) and (constant(right) is not None or not isinstance(right, Size)):
            return self._compare_size(left, op, right)
        elif isinstance(left, Stored) and address_of(left.ref) in self.survey.flags and isinstance(right, Number):
            so = self.yes((right.value == 1) == (op == "=="))
            return say("{what} is {that}", what=self.store(left.ref), that=so)
        else:
            if (found := difference(test)) and found.by:
                message = DIFFERENCES[found.op, found.by > 0]
                number = self.book.number(abs(found.by))
                return say(message, store=self.number(left), n=number, card=self.card(found.right.card))
            what = self.number(left)
            if constant(left) is not None:
                what = self.book.plain(str(what))  # "3 is more than 2"
            return self._amount("{what} {what|is|are} {amount}", what, op, right)
        return say(
            "{what} {what|is|are} {that}" if op == "==" else "{what} {what|is|are} not {that}",
            what=pair[0],
            that=pair[1],
        )

    def _there_is(self, one: Phrase, rest: Phrase | None) -> Phrase:
        return self.say("there is {one:acc} {rest}", one=one, rest=rest or "")

    def yes(self, so: object) -> Phrase:
        """Return "yes" or "no"."""
        return self.say("yes") if so else self.say("no")

    def _amount(self, message: str, what: Phrase, op: str, right: Value, equal: str = "equal to ") -> Phrase:
        """Return a comparison with a number. ``equal``: before a number that is not known; "" for none."""
        number = self.number(right)
        if constant(right) is None and equal and op in ("==", "!="):
            amount = self.say("equal to {n:dat}" if op == "==" else "not equal to {n:dat}", n=number)
        else:
            if constant(right) is None:
                number = self.say("{only:=}", only=number, kind=COMPUTED, count=number.count)
            amount = self.say(AMOUNT[op], n=number)
        return self.say(message, what=what, amount=amount)

    def _compare_names(self, op: str, left: Value, right: Value) -> Phrase:
        say, same_one = self.say, op == "=="
        if isinstance(left, CardAtt) and isinstance(right, CardAtt) and same_name(left.key, right.key):
            message = (
                "{card} has the same {noun} as {other}" if same_one else "{card} has a different {noun} from {other}"
            )
            return say(message, card=self.card(left.card), noun=self.attribute(left.key), other=self.card(right.card))
        if isinstance(right, Name) and right.text in NOTHING:
            if isinstance(left, CardAtt):
                message = "{card} has no {noun}" if same_one else "{card} has a {noun}"
                return say(message, card=self.card(left.card), noun=self.attribute(left.key))
            if right.text not in self.labels.words:
                message = "nothing is noted as {store}" if same_one else "something is noted as {store}"
                return say(message, store=self.name(left))
        if isinstance(left, CardAtt) and isinstance(right, Name) and self._is_rank(left.key, right.text):
            noun, what = self.value(right.text), self.card(left.card)
            if same_one:
                return say("{what} is {that}", what=what, that=self.book.a(noun))
            return say("{what} is not {one}", noun=noun, what=what, one=self.book.a(noun))  # German: "kein König"
        message = "{what} {what|is|are} {that}" if same_one else "{what} {what|is|are} not {that}"
        return say(message, what=self.name(left), that=self.marked(right, left))

    def _is_rank(self, attribute: Value, text: str) -> bool:
        """Return whether a value of an attribute is what people call a card by: "a king"."""
        of = self.survey.attributes.get(attribute.text, ()) if isinstance(attribute, Name) else ()
        return text in RANK_LETTERS | COURT | RANKS and text in of

    def marked(self, value: Value, of: Value | None = None) -> Phrase:
        """Return a name that is compared or set, NONE included; with marks if it is no value of cards."""
        word = self.word(value)
        if not isinstance(value, Name) or not (of is None or isinstance(of, Stored)):
            return word
        of_cards = any(value.text in values for values in self.survey.attributes.values())
        return word if of_cards else self.say("*{name}*", name=word)

    def word(self, value: Value) -> Phrase:
        """Return a name that is compared or set, NONE included."""
        if isinstance(value, Name):
            return self.value(value.text) if value.text else self.say("nothing")
        return self.name(value)

    def _compare_size(self, size: Size, op: str, right: Value) -> Phrase:
        say, of, count = self.say, size.of, constant(right)
        empty, some = (op, count) in IS_NONE, (op, count) in IS_SOME
        noun = self.noun(of)
        if isinstance(of, Place | Use) and (isinstance(of, Place) or of.var.type is Type.CARDS):
            noun = self.place(of)
            if empty or some:
                message = "{place} {place|is|are} empty" if empty else "{place} {place|is|are} not empty"
                return say(message, place=noun.whole)
            if not _plain(right):  # "as many cards as that number less one in your hand" would be ambiguous
                return self._amount(
                    "{what} {what|is|are} {amount}", self.of_many("the number of {many}", noun), op, right
                )
            cards = self._how_many(op, right, noun.head)
            return say("there {cards|is|are} {cards:acc} in {place:dat}", place=noun.whole, cards=cards)
        if empty or some:
            if noun.free and some:
                return self._there_is(noun.free, None)
            head = noun._replace(tail=None)
            return self._there_is(self.one(head, "no {noun}") if empty else self.one(head), noun.tail)
        if isinstance(of, Everybody) and op == "==" and count is not None:
            return say("there {cards|is|are} {cards:acc} {rest}", cards=self.book.some(count, of.kind), rest="")
        if count is not None:
            cards = self._how_many(op, right, noun.head)
            return say("there {cards|is|are} {cards:acc} {rest}", cards=cards, rest=noun.tail or "")
        return self._amount("{what} {what|is|are} {amount}", self.of_many("the number of {many}", noun), op, right)

    def _how_many(self, op: str, right: Value, head: str) -> Phrase:
        """Return so many cards of a comparison: "at least two cards"."""
        say, count = self.say, constant(right)
        noun = self.book.noun(head, several=True)
        if count is not None:
            return say(COUNT[op], cards=self.book.some(count, head), count=int(count != 1))
        if isinstance(right, Stored):
            return say(COUNT[op], cards=say("{n} {noun}", n=self.number(right), noun=noun), count=SEVERAL)
        if isinstance(right, Size):
            many = self.many(self.noun(right.of))
            message = {
                "<": "fewer {noun} than there are {many}",
                ">": "more {noun} than there are {many}",
                "<=": "no more {noun} than there are {many}",
            }.get(op)
            if message:
                return say(message, noun=noun, many=many, count=SEVERAL)
            cards = say("as many {noun} as there are {many}", noun=noun, many=many)
        elif op in ("==", "!="):
            cards = say("as many {noun} as {n}", noun=noun, n=self.number(right))
        else:
            cards = say("{n} {noun}", n=self.number(right), noun=noun)
        return say(COUNT[op], cards=cards, count=SEVERAL)

    # -- after a noun

    def relative(self, test: Value, var: Var) -> Phrase:
        if self._enough():
            return self.dots
        match test:
            case Not(of=of):
                opposite = negate(of)
                if not isinstance(opposite, Not):
                    return self.relative(opposite, var)
            case Logic(op=op, parts=parts) if len(parts) > 1:
                if only := self.only_card(test, var):
                    return self.say("that is {what}", what=only)
                found = difference(parts[0])
                mine = found and (speaks_of(found.left, var) or speaks_of(found.right, var))
                if mine and (near := self._next_to(op, parts, var)):
                    return near
                if near := self._next_to(op, parts):
                    return self.say("such that {clause}", clause=near, of=self._sort(var), kind=SUCH)
                return self._joined_relative(op, parts, var)
            case Logic(parts=(only_part,)):
                return self.relative(only_part, var)
            case Compare():
                if speaks_of(test.right, var) and not speaks_of(test.left, var):
                    test = mirrored(test)
                if speaks_of(test.left, var):
                    return self._fact(test, var)
        return self._such(test, var)

    def _such(self, test: Value, var: Var) -> Phrase:
        return self.say("such that {clause}", clause=self.clause(test), of=self._sort(var), kind=SUCH)

    def _sort(self, var: Var) -> Phrase:
        """Return an empty phrase that has the sort of a variable, by which a language may choose a relative pronoun."""
        return self.book.plain("", "person" if var.type is Type.PLAYER else "")

    def _joined_relative(self, op: str, parts: tuple[Value, ...], var: Var) -> Phrase:
        parts = tuple(map(positive, parts))
        about = [part for part in parts if any(isinstance(node, Use) and node.var is var for node in walk(part))]
        free = [part for part in parts if part not in about]
        if about and free:
            what = self.relative(about[0] if len(about) == 1 else Logic(about[0].at, op, tuple(about)), var)  # type: ignore[arg-type]
            if what.kind != SUCH:  # else what is in brackets would seem to be a part of that clause
                rest = self.clause(free[0] if len(free) == 1 else Logic(free[0].at, op, tuple(free)))  # type: ignore[arg-type]
                message = "{what} (or any at all, if {clause})" if op == "or" else "{what} (but only if {clause})"
                return self.say(message, what=what, clause=rest, kind="bracket")
        wording = []
        mixed = any(self._whose_name(part, var) is None for part in parts)
        for part in parts:
            text = (mixed and self._whose_name(part, var)) or self.relative(part, var)
            wording.append(text if text.kind == "bracket" else self._both(part, op, text))
        brief = len(parts) == 2 and isinstance(left_of(parts[0]), Size | Use) and len(str(wording[0])) < BRIEF
        if op == "and" and brief and wording[1].kind == SUCH:
            return self.say("{one} {other}", one=wording[0], other=wording[1], kind=SUCH)
        if any(text.kind == SUCH for text in wording):
            found = wording[0]
            for text in wording[1:-1]:
                found = self.say("{one}, {other}", one=found, other=text)
            return self.say(COMMAS[op], one=found, other=wording[-1], kind=SUCH)
        found = self.book.listed(wording, LISTED[op])
        found.kind = WITH if all(text.kind == WITH for text in wording) else ""
        return found

    def _whose_name(self, test: Value, var: Var) -> Phrase | None:
        """Return "whose suit is the suit of ...", which goes with other facts better than "of the same suit as ..."."""
        match test:
            case Compare(
                op="==" | "!=" as op,
                left=CardAtt(key=key, card=Use(var=one)) as left,
                right=CardAtt() as right,
            ) if same_name(key, right.key):
                if one is not var:
                    left, right = right, left
                if isinstance(left.card, Use) and left.card.var is var:
                    message = "{noun} is {value}" if op == "==" else "{noun} is not {value}"
                    return self._whose(var, message, noun=self.attribute(left.key), value=self.name(right))
        return None

    def _whose(self, var: Var, message: str, **slots: Slot) -> Phrase:
        """Return a clause about what something has, as what follows its noun."""
        return self.say("whose {clause}", clause=self.say(message, **slots), of=self._sort(var))

    def _whose_amount(self, var: Var, store: Phrase, op: str, right: Value) -> Phrase:
        amount = self._amount("{what} {what|is|are} {amount}", store, op, right, "")
        return self.say("whose {clause}", clause=amount, of=self._sort(var))

    def _fact(self, test: Compare, var: Var) -> Phrase:
        """Return a comparison of a fact of a variable."""
        say, op, left, right = self.say, test.op, test.left, test.right
        match left:
            case CardAtt(key=attribute):
                return self._attribute_fact(op, attribute, right, var)
            case Score(using=using):
                if (found := difference(test)) and found.by:
                    slots = {"store": self.store(using), "n": self.book.number(abs(found.by))}
                    message = DIFFERENCES[found.op, found.by > 0]
                    return self._whose(var, message, card=self.card(found.right.card), **slots)
                if isinstance(right, Score) and same(right.using, using):
                    that = say(
                        "that of {card:dat}" if op != "==" else "the same as that of {card:dat}",
                        card=self.card(right.card),
                    )
                    return self._whose(var, "{what} is {that}", what=self.store(using), that=say(AMOUNT[op], n=that))
                return self._whose_amount(var, self.store(using), op, right)
            case Size(of=Use()):
                head = self.survey.piece(left.of)
                return say("with {cards:dat}", cards=self._how_many(op, right, head), kind=WITH)
            case Size(of=Place() as place) if _plain(right):
                compared = op, constant(right)
                empty, some = compared in IS_NONE, compared in IS_SOME
                cards = self.book.noun(self.survey.piece(place), several=True)
                if empty or some:
                    many = say("without {cards}" if empty else "with {cards:dat}", cards=cards, kind=WITH)
                else:
                    many = self._how_many(op, right, self.survey.piece(place))
                    many = say("with {cards:dat}", cards=many, kind=WITH)
                if isinstance(place.who, Table):
                    return many
                self.called[var] = PlayerPhrase(say("that player"), THEIRS)
                return say("{many} in {place:dat}", many=many, place=self.place(place).whole, kind=WITH)
            case Stored(ref=ref):
                return self._store_fact(test, ref.name, right, var)
            case Use() if left.type is Type.INT:
                return self._amount("that is {amount}", self.dots, op, right, "")
            case Use() if left.type is Type.STR:
                return say("that is {what}" if op == "==" else "that is not {what}", what=self.word(right))
            case Size():
                return self._such(test, var)
        equal = "who is {what}" if var.type is Type.PLAYER else "that is {what}"
        return say("other than {what:dat}" if op == "!=" else equal, what=self.said(right))

    def _store_fact(self, test: Compare, name: Value, right: Value, var: Var) -> Phrase:
        say, same_one = self.say, test.op == "=="
        label = self.store_label(name)
        store = say("*{label}*", label=label, kind=label.kind, count=label.count)
        if (
            isinstance(test.left, Stored)
            and address_of(test.left.ref) in self.survey.flags
            and isinstance(right, Number)
        ):
            return self._whose(var, "{what} is {that}", what=store, that=self.yes((right.value == 1) == same_one))
        if test.left.type is Type.INT:
            if isinstance(right, Stored) and same_one:
                return self._whose(
                    var, "{what} {what|is|are} the same as {that}", what=store, that=self.store(right.ref)
                )
            return self._whose_amount(var, store, test.op, right)
        if isinstance(right, Name) and right.text in NOTHING and right.text not in self.labels.words:
            return say("with nothing noted as {store}" if same_one else "with something noted as {store}", store=store)
        message = "{what} {what|is|are} {that}" if same_one else "{what} {what|is|are} not {that}"
        return self._whose(var, message, what=store, that=self.marked(right))

    def _attribute_fact(self, op: str, attribute: Value, right: Value, var: Var) -> Phrase:
        say, noun, same_one = self.say, self.attribute(attribute), op == "=="
        if isinstance(right, CardAtt) and same_name(attribute, right.key):
            message = "of the same {noun} as {card}" if same_one else "of a different {noun} from {card}"
            return say(message, noun=noun, card=self.card(right.card))
        if isinstance(right, Name) and right.text in NOTHING:
            return say("without {what:acc}" if same_one else "with {what:dat}", what=self.book.a(noun))
        message = "{noun} is {value}" if same_one else "{noun} is not {value}"
        return self._whose(var, message, noun=noun, value=self.word(right))


def _branches(test: Value) -> bool:
    """Return whether a test has several parts."""
    return isinstance(test.test if isinstance(test, Quantified) else test, Logic)


def _plain(number: Value) -> bool:
    """Return whether "three cards in ..." can be said of a number of cards."""
    return constant(number) is not None or isinstance(number, Stored)


def _not_empty(test: Value) -> bool:
    match test:
        case Compare(op=">" | "!=", left=Size(of=Place()), right=Number(value=0)):
            return True
    return False
