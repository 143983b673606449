"""Tests as clauses: "your hand is empty", "whose suit is hearts"."""

from __future__ import annotations

from games.recycle.constants import constant
from games.recycle.explaining import names
from games.recycle.explaining.comparing import (
    left_of,
    mirrored,
    negate,
    negative,
    of_step,
    positive,
    same,
    same_name,
    speaks_of,
    step_of,
)
from games.recycle.explaining.phrases import ValuePhrases
from games.recycle.explaining.survey import key
from games.recycle.explaining.words import Person
from games.recycle.tree import (
    Arith,
    Best,
    CardAtt,
    Compare,
    Everybody,
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
    walk,
)

AMOUNT = {"==": "", "!=": "not ", ">": "more than ", ">=": "at least ", "<": "less than ", "<=": "at most "}
COUNT = {
    "==": "exactly ",
    "!=": "not exactly ",
    ">": "more than ",
    ">=": "at least ",
    "<": "fewer than ",
    "<=": "at most ",
}


class Clauses(ValuePhrases):
    """Writes tests."""

    def clause(self, test: Value) -> str:
        """Return a test as a clause."""
        if self._enough():
            return "…"
        match test:
            case Logic(op=op, parts=parts):
                return self._joined(op, parts)
            case Not(of=of):
                opposite = negate(of)
                return self.clause(opposite) if not isinstance(opposite, Not) else f"not {self._called_test(of)}"
            case Quantified():
                return self._quantified(test)
            case Compare():
                return self._compare(test)
        return self._called_test(test)

    def _called_test(self, test: Value) -> str:
        if isinstance(test, Use):
            bound = self.survey.values.get(test.var)
            if bound is not None and test.var.how != "each" and test.var not in self.called:
                return self.clause(bound)
            return f"{self._called(test.var)} is so"
        return "something is so"

    def _joined(self, op: str, parts: tuple[Value, ...]) -> str:
        if len(parts) == 1:
            return self.clause(parts[0])
        parts = tuple(map(positive, parts))
        card = self._one_card(op, parts) or self._next_to(op, parts)
        if card:
            return card
        told = []
        for part in parts:
            text = self.clause(part)
            told.append(f"{_both(part, op)}{text}")
        comma = "," if any("," in text or " or " in text or " and " in text for text in told) else ""
        if len(told) == 2:
            return f"{told[0]}{comma} {op} {told[1]}"
        return f"{', '.join(told[:-1])}, {op} {told[-1]}"

    def _one_card(self, op: str, parts: tuple[Value, ...]) -> str:
        """Return "that card is the 2 of clubs" where a test asks for just that; else ""."""
        first = parts[0]
        if (
            op == "and"
            and isinstance(first, Compare)
            and isinstance(first.left, CardAtt)
            and isinstance(first.left.card, Use)
        ):
            only = self.only_card(Logic(first.at, "and", parts), first.left.card.var)
            return f"{self.card(first.left.card)} is the {only}" if only else ""
        return ""

    def _next_to(self, op: str, parts: tuple[Value, ...], var: Var | None = None) -> str:
        """Return "the *Order* of ... is one more or one less than that of ..." where a test asks for that; else ""."""
        if len(parts) != 2:
            return ""
        first, second = (step_of(part) for part in parts)
        if first is None or second is None or first[0] != second[0]:
            return ""
        if same(first[1], second[2]) and same(first[2], second[1]):
            second = (second[0], first[1], first[2], -second[3])
        if first[3] + second[3] or not first[3] or not (same(first[1], second[1]) and same(first[2], second[2])):
            return ""
        told = {("==", "or"): ("one more or one less"), ("!=", "and"): ("neither one more nor one less")}
        if (first[0], op) not in told or abs(first[3]) != 1:
            return ""
        card, other = first[1], first[2]
        if var is not None:
            mine, yours = (card, other) if speaks_of(card, var) else (other, card)
            return f"whose {self.store(mine.using)} is {told[first[0], op]} than that of {self.card(yours.card)}"
        one = f"the {self.store(card.using)} of {self.card(card.card)}"
        return f"{one} is {told[first[0], op]} than that of {self.card(other.card)}"

    def best_of(self, cards: Filter) -> Best | None:
        match cards.test:
            case Compare(op="==", left=Score(card=Use(var=var), using=using), right=Score(card=Best() as best)):
                if var is cards.var and same(best.cards, cards.over) and same(best.using, using):
                    return best
        return None

    def only_card(self, test: Value, var: Var) -> str:
        if not (isinstance(test, Logic) and test.op == "and" and len(test.parts) == 2):
            return ""
        found: dict[str, str] = {}
        for part in test.parts:
            match part:
                case Compare(
                    op="==", left=CardAtt(key=Name(text=attribute), card=Use(var=used)), right=Name(text=text)
                ):
                    if used is var:
                        found[attribute] = self.value(text)
        return f"{found['RANK']} of {found['SUIT']}" if set(found) == {"RANK", "SUIT"} else ""

    # -- any and all

    def _quantified(self, test: Quantified) -> str:
        over, var, inner = test.over, test.var, test.test
        if test.op == "any":
            if self.survey.uses[var] == 1 and isinstance(over, Everybody) and not speaks_of(left_of(inner), var):
                self.called[var] = Person(f"some {over.kind}", f"some {over.kind}'s")
                return self.clause(inner)
            noun = self.noun(over)
            letter = self.bind(var, over)
            text = f"there is {names.a(noun.head + letter)} {noun.tail}".rstrip() + f" {self.relative(inner, var)}"
            self.unbind(var, over, letter)
            return text
        if negative(inner) and var.type in (Type.CARD, Type.CARDS, Type.PLAYER, Type.TEAM):
            noun = self.noun(over)
            letter = self.bind(var, over)
            text = f"there is no {noun.head}{letter} {noun.tail}".rstrip() + f" {self.relative(negate(inner), var)}"
            self.unbind(var, over, letter)
            return text
        noun = self.noun(over)
        if self.survey.uses[var] == 1 and not isinstance(left_of(inner), Arith | Quantified):
            every = f"every {noun.one}"
            if isinstance(over, Everybody) and _not_empty(inner):
                self.called[var] = Person(f"no {noun.one}", f"no {noun.one}'s")
                return self.clause(negate(inner))
            if var.type in (Type.PLAYER, Type.TEAM):
                self.called[var] = Person(every, f"{every}'s" if not noun.tail else "")
            else:
                self.called[var] = every
                if var.type is Type.CARDS:
                    self.bind(var, over)
                    return f"for {every}, {self.clause(inner)}"
            return self.clause(inner)
        letter = self.bind(var, over)
        text = f"for every {noun.head}{letter} {noun.tail}".rstrip() + f", {self.clause(inner)}"
        self.unbind(var, over, letter)
        return text

    # -- comparisons

    def _compare(self, test: Compare) -> str:
        op, left, right = test.op, test.left, test.right
        if isinstance(left, Number | Name) and not isinstance(right, Number | Name):
            test = mirrored(test)
            op, left, right = test.op, test.left, test.right
        no = "" if op == "==" else "not "
        if left.type in (Type.PLAYER, Type.TEAM):
            person = self.person(left)
            return f"{person.name} {person.are} {no}{self.person(right).name}"
        if left.type is Type.CARD:
            return f"{self.card(left)} is {no}{self.card(right)}"
        if left.type is Type.STR:
            return self._compare_names(op, left, right)
        if isinstance(left, Size) and (constant(right) is not None or not isinstance(right, Size)):
            return self._compare_size(left, op, right)
        if isinstance(left, Stored) and key(left.ref) in self.survey.flags and isinstance(right, Number):
            return f"{self.store(left.ref)} is {'yes' if (right.value == 1) == (op == '==') else 'no'}"
        step = step_of(test)
        if step and step[3]:
            more = f"{names.number(abs(step[3]))} {'more' if step[3] > 0 else 'less'} than that of"
            return f"{self.number(left)} is {no}{more} {self.card(step[2].card)}"
        amount = AMOUNT[op]
        if constant(right) is None and op in ("==", "!="):
            amount += "equal to "
        return f"{self.number(left)} {self.are(left)} {amount}{self.number(right)}"

    def _compare_names(self, op: str, left: Value, right: Value) -> str:
        no = "" if op == "==" else "not "
        if isinstance(left, CardAtt) and isinstance(right, CardAtt) and same_name(left.key, right.key):
            how = "the same" if op == "==" else "another"
            than = "as" if op == "==" else "than"
            return f"{self.card(left.card)} has {how} {self.attribute(left.key)} {than} {self.card(right.card)}"
        if isinstance(right, Name) and right.text in names.NOTHING:
            if isinstance(left, CardAtt):
                return f"{self.card(left.card)} has {'no' if op == '==' else 'a'} {self.attribute(left.key)}"
            if right.text not in self.labels.words:
                return f"{'nothing' if op == '==' else 'something'} is noted as {self.name(left)}"
        if isinstance(left, CardAtt) and isinstance(right, Name) and right.text in names.COURT | names.RANKS:
            card = names.a(self.value(right.text))
            return f"{self.card(left.card)} is {card if op == '==' else 'not ' + card}"
        mark = "*" if isinstance(left, Stored) and isinstance(right, Name) and not self._is_value(right) else ""
        return f"{self.name(left)} {self.are(left)} {no}{mark}{self.word(right)}{mark}"

    def word(self, value: Value) -> str:
        """Return a name that is compared or set, NONE included."""
        return self.value(value.text) or "nothing" if isinstance(value, Name) else self.name(value)

    def _is_value(self, name: Name) -> bool:
        return any(name.text in values for values in self.survey.attributes.values())

    def _compare_size(self, size: Size, op: str, right: Value) -> str:
        of, count = size.of, constant(right)
        empty = (op, count) in (("==", 0), ("<", 1), ("<=", 0))
        some = (op, count) in ((">", 0), (">=", 1), ("!=", 0))
        if isinstance(of, Place | Use) and (isinstance(of, Place) or of.var.type is Type.CARDS):
            noun = self.place(of)
            are = "are" if noun.are else "is"
            if empty or some:
                return f"{noun.whole} {are} {'' if empty else 'not '}empty"
            return f"there {self._there(right)} {self._how_many(op, right)} in {noun.whole}"
        noun = self.noun(of)
        if empty or some:
            return f"there is {'no ' + noun.one if empty else noun.some}"
        if isinstance(of, Everybody) and op == "==" and count is not None:
            return f"there are {names.number(count)} {of.kind}s"
        if count == 1 and op in ("==", "<="):
            return f"there is {'exactly' if op == '==' else 'at most'} one {noun.one}"
        if count is not None:
            amount = f"{COUNT[op]}{names.number(count) if count else 'no'}"
            return f"there {'is' if count == 1 else 'are'} {amount} {noun.one if count == 1 else noun.many}"
        return f"the number of {noun.many} is {AMOUNT[op]}{self.number(right)}"

    def _there(self, right: Value) -> str:
        return "is" if constant(right) == 1 else "are"

    def _how_many(self, op: str, right: Value) -> str:
        count = constant(right)
        if count is None:
            if isinstance(right, Stored):
                return f"{COUNT[op]}{self.number(right)} cards"
            if isinstance(right, Size) and op != "<=":
                many = self.noun(right.of).many
                if op in ("<", ">"):
                    return f"{'fewer' if op == '<' else 'more'} cards than there are {many}"
                return f"{COUNT[op]}as many cards as there are {many}"
            if isinstance(right, Size):
                return f"no more cards than there are {self.noun(right.of).many}"
            told = self.number(right)
            return f"{COUNT[op]}as many cards as {told}" if op in ("==", "!=") else f"{COUNT[op]}{told} cards"
        return f"{COUNT[op]}{'one card' if count == 1 else names.number(count) + ' cards' if count else 'no cards'}"

    # -- after a noun

    def relative(self, test: Value, var: Var) -> str:
        if self._enough():
            return "…"
        match test:
            case Not(of=of):
                opposite = negate(of)
                if not isinstance(opposite, Not):
                    return self.relative(opposite, var)
            case Logic(op=op, parts=parts) if len(parts) > 1:
                only = self.only_card(test, var)
                if only:
                    return f"that is the {only}"
                first = parts[0]
                if isinstance(first, Compare) and (speaks_of(first.left, var) or of_step(first, var)):
                    near = self._next_to(op, parts, var)
                    if near:
                        return near
                near = self._next_to(op, parts)
                return f"such that {near}" if near else self._joined_relative(op, parts, var)
            case Logic(parts=(only,)):
                return self.relative(only, var)
            case Compare():
                if speaks_of(test.right, var) and not speaks_of(test.left, var):
                    test = mirrored(test)
                if speaks_of(test.left, var):
                    return self._fact(test, var)
        return f"such that {self.clause(test)}"

    def _joined_relative(self, op: str, parts: tuple[Value, ...], var: Var) -> str:
        parts = tuple(map(positive, parts))
        about = [part for part in parts if any(isinstance(node, Use) and node.var is var for node in walk(part))]
        free = [part for part in parts if part not in about]
        if about and free:
            what = self.relative(about[0] if len(about) == 1 else Logic(about[0].at, op, tuple(about)), var)  # type: ignore[arg-type]
            rest = self.clause(free[0] if len(free) == 1 else Logic(free[0].at, op, tuple(free)))  # type: ignore[arg-type]
            return f"{what} (or any at all, if {rest})" if op == "or" else f"{what} (but only if {rest})"
        told = []
        for part in parts:
            text = self.relative(part, var)
            before = _both(part, op)  # "both" is ambiguous if a part is in brackets
            told.append(text if before == "both " and text.endswith(")") else f"{before}{text}")
        if any(text.startswith(("such", "both", "either")) for text in told):
            return f"{', '.join(told[:-1])}, {op} {told[-1]}"
        return names.listed(told, op)

    def _fact(self, test: Compare, var: Var) -> str:
        """Return a comparison of a fact of a variable."""
        op, left, right = test.op, test.left, test.right
        no = "" if op == "==" else "not "
        match left:
            case CardAtt(key=attribute):
                return self._attribute_fact(op, attribute, right)
            case Score(using=using):
                whose = f"whose {self.store(using)} is {AMOUNT[op]}"
                if isinstance(right, Score) and self.store(right.using) == self.store(using):
                    return f"{whose}{'that' if op != '==' else 'the same as that'} of {self.card(right.card)}"
                return f"{whose}{self.number(right)}"
            case Size(of=Use()):
                return f"with {self._how_many(op, right)}"
            case Size(of=Place() as place):
                empty = (op, constant(right)) in (("==", 0), ("<", 1), ("<=", 0))
                some = (op, constant(right)) in ((">", 0), (">=", 1), ("!=", 0))
                many = "without cards" if empty else "with cards" if some else f"with {self._how_many(op, right)}"
                if isinstance(place.who, Table):
                    return many
                self.called[var] = Person("that player", "their")
                return f"{many} in {self.place(place).whole}"
            case Stored(ref=ref):
                return self._store_fact(test, ref.name, right)
            case Use() if left.type is Type.INT:
                return f"that is {AMOUNT[op]}{self.number(right)}"
            case Use() if left.type is Type.STR:
                return f"that is {no}{self.word(right)}"
        if op == "!=":
            return f"other than {self.said(right)}"
        return f"that is {self.said(right)}"

    def _store_fact(self, test: Compare, name: Value, right: Value) -> str:
        label = f"*{self.store_label(name)}*"
        are = self.are(test.left)
        no = "" if test.op == "==" else "not "
        if isinstance(test.left, Stored) and key(test.left.ref) in self.survey.flags and isinstance(right, Number):
            return f"whose {label} is {'yes' if (right.value == 1) == (test.op == '==') else 'no'}"
        if test.left.type is Type.INT:
            if isinstance(right, Stored) and test.op == "==":
                return f"whose {label} {are} the same as {self.store(right.ref)}"
            return f"whose {label} {are} {AMOUNT[test.op]}{self.number(right)}"
        if isinstance(right, Name) and right.text in names.NOTHING and right.text not in self.labels.words:
            return f"with {'nothing' if test.op == '==' else 'something'} noted as {label}"
        mark = "*" if isinstance(right, Name) and not self._is_value(right) else ""
        return f"whose {label} {are} {no}{mark}{self.word(right)}{mark}"

    def _attribute_fact(self, op: str, attribute: Value, right: Value) -> str:
        word = self.attribute(attribute)
        if isinstance(right, CardAtt) and same_name(attribute, right.key):
            than = f"of the same {word} as" if op == "==" else f"of another {word} than"
            return f"{than} {self.card(right.card)}"
        if isinstance(right, Name) and right.text in names.NOTHING:
            return f"{'without' if op == '==' else 'with'} {names.a(word)}"
        return f"whose {word} is {'' if op == '==' else 'not '}{self.word(right)}"


def _not_empty(test: Value) -> bool:
    match test:
        case Compare(op=">" | "!=", left=Size(of=Place()), right=Number(value=0)):
            return True
    return False


def _both(part: Value, op: str) -> str:
    """Return the word before a part that is joined otherwise than the whole."""
    if not isinstance(part, Logic) or part.op == op or len(part.parts) < 2 or all(step_of(each) for each in part.parts):
        return ""
    return "both " if part.op == "and" else "either "
