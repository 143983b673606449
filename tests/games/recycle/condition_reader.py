"""A reader of conditions: English clauses of the rules page about cards, places, stores and players, and their trees.

``said`` reads a clause, ``meant`` a test of a tree; if the clause says what the tree means, both are the same. A clause
that cannot be read raises Unread. It shares no code with what writes clauses.

What is found is nested tuples: ``("and", parts)``, ``("any", what, condition)``, ``("many", what, condition, number)``
and comparisons ``(left, sign, right)``. "None" is "all are not", "fewer than 3" is "not more than 2".
"""

from __future__ import annotations

import re
from typing import Any

from games.recycle import tree as t
from games.recycle.constants import constant
from games.recycle.labels import Labels

Found = Any  # nested tuples of strings and numbers


FACES = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"} | {
    word: str(number)
    for number, word in enumerate(["TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN"], 2)
}


class Unread(Exception):
    """A clause, or a test, of a form that is not read."""


NUMBERS = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
]
OPPOSITE = {"==": "!=", "!=": "==", ">": "<=", "<=": ">", "<": ">=", ">=": "<", "any": "all", "all": "any"}
AMOUNTS = {
    "more than": ">", "at least": ">=", "fewer than": "<", "less than": "<", "at most": "<=", "not exactly": "!=",
    "exactly": "==", "equal to": "==", "not equal to": "!=", "not": "!=", "": "==",
}  # fmt: skip
_AMOUNT = rf"(?P<how>{'|'.join(sorted(filter(None, AMOUNTS), key=len, reverse=True))})? ?"
_THING = r"(?:cards?|tokens?|dice|die)"


def opposite(found: Found) -> Found:
    """Return what is so if that is not."""
    match found:
        case ("and" | "or" as op, parts):
            return "or" if op == "and" else "and", tuple(map(opposite, parts))
        case ("any" | "all" as op, what, test):
            return OPPOSITE[op], what, opposite(test)
        case ("many", what, test, sign, number):
            return compared(("many", what, test), OPPOSITE[sign], number)
        case (("flag", *_) as left, sign, right):
            return left, sign, 1 - right
        case (left, sign, right):
            return compared(left, OPPOSITE[sign], right)
    raise Unread(found)


def compared(left: Found, sign: str, right: Found) -> Found:
    """Return a comparison in one form."""
    if isinstance(right, int) and sign in (">=", "<"):
        right, sign = right - 1, {">=": ">", "<": "<="}[sign]
    if isinstance(left, tuple) and left[0] in ("many", "size"):
        if right == 0:  # there are never fewer than none
            sign = {"<=": "==", "!=": ">"}.get(sign, sign)
        if left[0] == "many" and right == 0:
            _, what, test = left
            return ("all", what, opposite(test)) if sign == "==" else ("any", what, test)
    return (*left, sign, right) if isinstance(left, tuple) and left[0] == "many" else (left, sign, right)


def joined(op: str, parts: list[Found]) -> Found:
    flat: list[Found] = []
    for part in parts:
        flat += part[1] if part[0] == op else [part]
    return op, tuple(flat)


# -- clauses


def said(clause: str) -> Found:
    """Return what a clause says."""
    clause = re.sub(r" +", " ", clause).strip()
    for begin, op in (("both ", "and"), ("either ", "or")):
        if clause.startswith(begin):
            head, comma, rest = clause[len(begin) :].partition(", ")
            if comma and (found := re.match(r"(and|or) (.*)", rest)) and found[1] != op:
                return joined(found[1], [said(head), said(found[2])])
            return said(clause[len(begin) :])
    for op in ("or", "and"):
        if (parts := re.split(rf", {op} ", clause)) and len(parts) > 1:
            if len(parts) > 2:
                raise Unread(clause)
            first = re.split(r", (?!such|whose|but)", parts[0])
            if len(first) > 1 and not parts[0].startswith(("there is", "for every")):
                return joined(op, [*map(said, first), said(parts[1])])
            return joined(op, [said(parts[0]), said(parts[1])])
    relative = re.match(
        r"(there (?:is|are) [^,]*?) ((?:whose|with|without) [^,]*?) (or|and) ((?:whose|with|without) .*)$", clause
    )
    if relative:
        tests = [_relative(relative[2]), _relative(relative[4])]
        what, sign, number = _there(relative[1])
        return compared(("many", what, joined(relative[3], tests)), sign, number)
    for op in ("or", "and"):
        parts = re.split(rf" {op} (?!in |of )", clause)
        if len(parts) > 1 and not clause.startswith("for every"):
            return joined(op, list(map(said, parts)))
    return _one(clause)


def _one(clause: str) -> Found:
    if found := re.fullmatch(r"(nothing|something) is noted as (.+)", clause):
        return compared(_store(found[2]), "==" if found[1] == "nothing" else "!=", "none")
    if clause.startswith("there "):
        return _there_is(clause)
    if found := re.fullmatch(r"for every player, ([^,]+)", clause):
        return "all", "player", said(found[1])
    if found := re.fullmatch(r"(.+) (?:is|are) (not )?empty", clause):
        return _of_each(found[1], lambda whose: compared(("size", _place(whose)), "!=" if found[2] else "==", 0))
    if found := re.fullmatch(r"(every card in )?(.+) has (the same|another) (\w+) (?:as|than) (the .+)", clause):
        left = ("of", found[4], "it" if found[1] else _card(found[2]))
        test = compared(left, "==" if found[3] == "the same" else "!=", ("of", found[4], _card(found[5])))
        return ("all", ("in", _place(found[2])), test) if found[1] else test
    if found := re.fullmatch(r"the (\w+) of (the .+) is (not )?([^,]+)", clause):
        return compared(("of", found[1], _card(found[2])), "!=" if found[3] else "==", _face(found[4]))
    if found := re.fullmatch(r"(the .+) is (not )?an? (\w+)", clause):
        return compared(("of", "rank", _card(found[1])), "!=" if found[2] else "==", found[3])
    if found := re.fullmatch(
        rf"([^,]*\*[^*]+\*) (?:is|are) {_AMOUNT}(\*[^*]+\*|\d+|yes|no|the number of players)", clause
    ):
        sign, right = AMOUNTS[found["how"] or ""], _value(found[3])
        kind = "flag" if found[3] in ("yes", "no") else "store"
        return _of_each(found[1], lambda whose: compared((kind, *_owned(whose)), sign, right))
    if found := re.fullmatch(rf"the number of {_THING} in ([^,]*) is {_AMOUNT}(.+)", clause):
        return compared(("size", _place(found[1])), AMOUNTS[found["how"] or ""], _value(found[3]))
    raise Unread(clause)


def _of_each(whose: str, test: Any) -> Found:
    """Return a test of what every player has, or one has."""
    if found := re.fullmatch(r"every ((?:other )?player|team)'s (.+)", whose):
        return "all", found[1], test(f"their {found[2]}")
    if re.search(r"\b(every|some)\b", whose):
        raise Unread(whose)
    return test(whose)


def _there(head: str) -> tuple[Found, str, int]:
    """Return of what there are so many."""
    found = re.fullmatch(rf"there (?:is|are) {_AMOUNT}(a|an|\w+) (players?|teams?|{_THING})(?: in (.+))?", head)
    if head == "there is another player":
        return "other player", ">", 0
    if not found:
        raise Unread(head)
    sign, number = AMOUNTS[found["how"] or ""], 0
    if found[2] in ("a", "an"):
        sign = ">"
    else:
        number = _number(found[2])
    if found[4]:
        return ("in", _place(found[4])), sign, number
    return re.sub("s$", "", found[3]), sign, number


def _there_is(clause: str) -> Found:
    if found := re.fullmatch(
        rf"there (?:is|are) {_AMOUNT}(\w+|\*[^*]+\*) {_THING} in (?!.* (?:whose|of the same|of another) )(.+)", clause
    ):
        number, sign = _value(found[2]), AMOUNTS[found["how"] or ""]
        if found[2] in ("a", "an"):
            raise Unread(clause)
        return _of_each(found[3], lambda whose: compared(("size", _place(whose)), sign, number))
    head, gap, rest = re.sub(r" (whose|with|without|of the same|of another) ", r"\0\1 ", clause, count=1).partition(
        "\0"
    )
    what, sign, number = _there(head)
    if not gap:
        return compared(("size", what), sign, number)
    return compared(("many", what, _relative(rest)), sign, number)


def _relative(rest: str) -> Found:
    """Return what is said after a noun: "whose rank is 8"."""
    if found := re.fullmatch(rf"with {_AMOUNT}(\w+) {_THING} in (their .+)", rest):
        return compared(("size", _place(found[3])), AMOUNTS[found["how"] or ""], _number(found[2]))
    if found := re.fullmatch(r"(with|without) (?:cards|tokens) in (their .+)", rest):
        return compared(("size", _place(found[2])), ">" if found[1] == "with" else "==", 0)
    if found := re.fullmatch(r"of (the same|another) (\w+) (?:as|than) (the .+)", rest):
        sign = "==" if found[1] == "the same" else "!="
        return compared(("of", found[2], "it"), sign, ("of", found[2], _card(found[3])))
    if found := re.fullmatch(rf"whose (\*[^*]+\*) (?:is|are) {_AMOUNT}(\*[^*]+\*|\d+|yes|no)", rest):
        kind = "flag" if found[3] in ("yes", "no") else "store"
        return compared((kind, *_owned(f"their {found[1]}")), AMOUNTS[found["how"] or ""], _value(found[3]))
    if found := re.fullmatch(r"whose (\w+) is (not )?(\*[^*]+\*|\w+)", rest):
        return compared(("of", found[1], "it"), "!=" if found[2] else "==", _face(found[3]))
    raise Unread(rest)


def _number(word: str) -> int:
    if word in NUMBERS:
        return NUMBERS.index(word)
    if not word.isdecimal():
        raise Unread(word)
    return int(word)


def _face(word: str) -> Found:
    """Return the value of a card, or what a store holds."""
    return _value(word) if word.startswith("*") else word


def _value(word: str) -> Found:
    if word.startswith("*"):  # a store is written with a capital letter, a name that it holds is not
        bare = word.strip("*")
        return ("store", "", bare.lower()) if bare[:1].isupper() else bare
    if word in ("yes", "no"):
        return int(word == "yes")
    if word == "the number of players":
        return "size", "player"
    return _number(word) if word in NUMBERS or word.isdecimal() else word


_WHOSE = re.compile(r"(?:(your|their|the next player's) |the )?(?:(?:row|pile|place) (?=\*))?\*?([^*]+?)\*?")


def _owned(what: str) -> tuple[str, str]:
    found = _WHOSE.fullmatch(what)
    if not found or " of " in what.replace("of this count", "") or " or " in what:
        raise Unread(what)
    return found[1] or "", found[2].lower()


def _store(what: str) -> Found:
    return ("store", *_owned(what))


def _place(what: str) -> Found:
    return ("place", *_owned(what))


def _card(what: str) -> Found:
    if found := re.fullmatch(rf"the (top|bottom)? ?{_THING} (?:of|in) (.+)", what):
        return found[1] or "top", _place(found[2])
    raise Unread(what)


# -- trees


class Meant:
    """Reads tests of a tree. ``labels``: what the table file calls things."""

    def __init__(self, game: t.GameNode, labels: Labels) -> None:
        self.labels = labels
        numbers = [node for node in t.walk(game.blocks) if isinstance(node, t.SetNumber)]
        names = {node.ref.name.text for node in numbers if isinstance(node.ref.name, t.Name)}
        other = {
            node.ref.name.text
            for node in numbers
            if isinstance(node.ref.name, t.Name) and (node.op != "set" or constant(node.value) not in (0, 1))
        }
        self.flags = names - other  # stores that are only 0 or 1
        self.within: list[t.Var] = []

    def __call__(self, test: t.Value) -> Found:
        """Return what a test means."""
        match test:
            case t.Logic(op=op, parts=parts):
                return joined(op, [self(part) for part in parts])
            case t.Not(of=of):
                return opposite(self(of))
            case t.Quantified(op=op, over=over, var=var, test=inner):
                return op, self.members(over), self.each(var, inner)
            case t.Compare(op=op, left=left, right=right):
                return self.compare(op, left, right)
        raise Unread(test)

    def each(self, var: t.Var, test: t.Value) -> Found:
        if self.within:
            raise Unread(test)
        self.within.append(var)
        found = self(test)
        self.within.pop()
        return found

    def compare(self, op: str, left: t.Value, right: t.Value) -> Found:
        if isinstance(left, t.Size) and isinstance(left.of, t.Filter) and (number := constant(right)) is not None:
            over = left.of
            return compared(("many", self.members(over.over), self.each(over.var, over.test)), op, number)
        if isinstance(left, t.Number | t.Name) and not isinstance(right, t.Number | t.Name):
            left, right = right, left
            op = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(op, op)
        match left, right:
            case t.Stored(ref=t.Ref(name=t.Name(text=text))), t.Number(value=0 | 1 as flag) if text in self.flags:
                return ("flag", *self.value(left)[1:]), "==", flag if op == "==" else 1 - flag
        if isinstance(left, t.CardAtt) and isinstance(right, t.Name) and right.text in FACES:
            return compared(self.value(left), op, FACES[right.text])
        return compared(self.value(left), op, self.value(right))

    def members(self, over: t.Value) -> Found:
        match over:
            case t.Everybody(kind=kind):
                return kind
            case t.Others(kind="player"):
                return "other player"
            case t.Place():
                return "in", self.place(over)
        raise Unread(over)

    def value(self, value: t.Value) -> Found:
        if (number := constant(value)) is not None:
            return number
        match value:
            case t.Name(text=text):
                return "none" if text == "NONE" else self.labels.word(text).lower()
            case t.Stored(ref=t.Ref(name=t.Name(text=text)) as ref):
                return "store", self.owner(ref.who), self.labels.word(text).lower()
            case t.Size(of=t.Place() as place):
                return "size", self.place(place)
            case t.Size(of=t.Everybody(kind=kind)):
                return "size", kind
            case t.CardAtt(key=t.Name(text=key), card=card):
                return "of", key.lower(), self.card(card)
        raise Unread(value)

    def card(self, card: t.Value) -> Found:
        match card:
            case t.Use(var=var) if self.within and self.within[-1] is var:
                return "it"
            case t.CardAt(where="top" | "bottom" as end, cards=t.Place() as place):
                return end, self.place(place)
        raise Unread(card)

    def place(self, place: t.Place) -> Found:
        if not isinstance(place.name, t.Name):
            raise Unread(place)
        name = place.name.text
        return "place", self.owner(place.who), (self.labels.noun(name)[0] or self.labels.word(name)).lower()

    def owner(self, who: t.Table | t.Value) -> str:
        match who:
            case t.Table():
                return ""
            case t.Relative(which="current", kind="player"):
                return "your"
            case t.Relative(which="next", kind="player"):
                return "the next player's"
            case t.Use(var=var) if self.within and self.within[-1] is var:
                return "their"
        raise Unread(who)
