"""A second reader: of the exact wording of a text, as nested tuples. It knows the English, and nothing of the writer.

``read_back(lines, names)`` returns what ``normal(tree)`` returns of the tree. That is a normal form: a variable is its
name, brackets around steps make no difference, ``any`` outside a choice is ``all``, a random number from nothing is
one from 0, and what a text computes from numbers alone is a number. What is declared and never used is left out, as are
declared numbers, which stand where they count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Any

from games.recycle import tree
from games.recycle.constants import constant
from games.recycle.tree import GameNode, Node, Var

Form = Any  # a nested tuple, whose first part is the name of a node

# -- the tree in its normal form


def normal(game: GameNode) -> Form:
    """Return a tree in its normal form."""
    used = {node.var for node in tree.walk(game) if isinstance(node, tree.Use)}
    declares = [declare for declare in game.declares if declare.var in used]
    return (
        tuple(("Declare", declare.var.name, _form(declare.value)) for declare in declares),
        _form(game.players),
        _form(game.teams) if game.teams else None,
        tuple(form for made in game.decks for form in _steps(made, False)),
        tuple(form for block in game.blocks for form in _steps(block, False)),
        _form(game.scoring),
    )


def _steps(block: Node, choosing: bool) -> tuple[Form, ...]:
    match block:
        case tree.Do(steps=steps):
            return tuple(form for step in steps for form in _steps(step, choosing))
        case tree.Stage(kind=kind, end=end, blocks=blocks):
            return (("Stage", kind, _form(end), tuple(form for each in blocks for form in _steps(each, choosing))),)
        case tree.Choice(steps=steps, players=players):
            return (("Choice", tuple(_steps(step, True) for step in steps), _form(players) if players else None),)
        case tree.When(test=test, body=body):
            return (("When", _form(test), _steps(body, choosing)),)
        case tree.ForEach(op=op, over=over, var=var, step=step):
            how = op if choosing else "all"
            return (("ForEach", how, _form(over), var.name, _steps(step, choosing)),)
        case tree.Let(value=value, var=var, step=step):
            return (("Let", _form(value), var.name, _steps(step, choosing)),)
        case tree.Repeat(count=count, action=action):
            return (("Repeat", _form(count), _steps(action, choosing)),)
        case tree.RepeatAll(action=action):
            return (("RepeatAll", _steps(action, choosing)),)
    return (_form(block),)


def _form(node: object) -> Form:
    if isinstance(node, Var):
        return node.name
    if isinstance(node, tree.Arith | tree.Series) and (known := constant(node)) is not None:
        return ("Number", known)
    if isinstance(node, tree.Random) and node.low is None:
        return ("Random", ("Number", 0), _form(node.high))
    if isinstance(node, Node):
        return (
            type(node).__name__,
            *(_form(getattr(node, field.name)) for field in fields(node) if field.name != "at"),
        )
    if isinstance(node, tuple):
        return tuple(map(_form, node))
    return node


# -- the lines


class NotRead(Exception):
    """A sentence that the reader does not understand."""


class Line:
    """A line of a list, and the lines below it."""

    def __init__(self, text: str, depth: int, bullet: bool) -> None:
        self.text, self.depth, self.bullet = text, depth, bullet
        self.below: list[Line] = []


def read_back(lines: Iterable[str], names: Mapping[str, str]) -> Form:
    """Return what the lines say. ``names``: those of the text, by what they are called. Raises NotRead."""
    there, done, won = re.split(r"^### .*$", "\n".join(lines), flags=re.MULTILINE)[1:]
    declares, players, teams, decks = _there(_lines(there), names)
    return declares, players, teams, decks, _blocks(_lines(done), names, False), Sentence(won.strip(), names).scoring()


def _lines(text: str) -> list[Line]:
    found: list[Line] = []
    above: list[Line] = []
    for raw in filter(None, text.split("\n")):
        match = re.fullmatch(r"( *)(-|\d+\.) (.*)", raw)
        if not match or len(match[1]) % 4:
            raise NotRead(f"no line of a list: {raw}")
        line = Line(match[3], len(match[1]) // 4, match[2] == "-")
        del above[line.depth :]
        if len(above) < line.depth:
            raise NotRead(f"set in too far: {raw}")
        held = above[-1].below if above else found
        if not line.bullet and int(match[2][:-1]) != len(held) + 1:
            raise NotRead(f"counted wrongly: {raw}")
        held.append(line)
        above.append(line)
    return found


def _there(lines: list[Line], names: Mapping[str, str]) -> Form:
    declares: list[Form] = []
    decks: list[Form] = []
    players = teams = None
    for line in lines:
        sentence = Sentence(line.text, names)
        if sentence.takes("in the whole game "):
            name = sentence.var()
            sentence.needs(" is ")
            declares.append(("Declare", name, sentence.value()))
            sentence.needs(".")
        elif sentence.takes("the players number "):
            players = sentence.part()
            if sentence.takes(" to "):
                players = ("Range", players, sentence.part())
            sentence.needs(".")
        elif sentence.text.startswith("make the teams"):
            (teams,) = sentence.steps(line, False)
        else:
            decks += sentence.steps(line, False)
    return tuple(declares), players, teams, tuple(decks)


def _blocks(lines: list[Line], names: Mapping[str, str], choosing: bool) -> tuple[Form, ...]:
    return tuple(form for line in lines for form in Sentence(line.text, names).steps(line, choosing))


# -- sentences

KEPT = {"number": "sto", "word": "str", "player": "who", "points": "points"}
SECRET = {None: "vloc", "private": "iloc", "hidden": "hloc", "turned-away": "oloc"}
SET = {"sto": ("SetNumber", "set"), "str": ("SetName",), "who": ("SetPlayer",)}
SEEN = {"open": "vloc", "private": "iloc", "face-down": "hloc", "turned-away": "oloc", "noted": "mem"}
WORD = r"(?:card|group|player|team|word|number)"


class Sentence:
    """A sentence, of which ``text`` has not been read yet."""

    def __init__(self, text: str, names: Mapping[str, str]) -> None:
        self.text = re.sub(r"^[A-Z]", lambda first: first[0].lower(), text)
        self.names = names

    def takes(self, *starts: str) -> str:
        """Read one of several beginnings. Return it, "" if there is none of them."""
        for start in starts:
            if self.text.startswith(start):
                self.text = self.text[len(start) :]
                return start
        return ""

    def needs(self, *starts: str) -> str:
        found = self.takes(*starts)
        if not found:
            raise NotRead(f"{' or '.join(starts)!r} before {self.text!r}")
        return found

    def match(self, pattern: str) -> re.Match[str] | None:
        found = re.match(pattern, self.text)
        if found:
            self.text = self.text[found.end() :]
        return found

    # -- steps

    def steps(self, line: Line, choosing: bool) -> tuple[Form, ...]:
        """Return the steps that the rest of a line says, with the lines below it."""
        if self.takes("all of this, in order:"):
            return self.below(line, choosing)
        if self.takes("the current player chooses one of these:", "at the same time, as the current player, each of "):
            players = self.players() if self.text else None
            if self.text or not all(each.bullet for each in line.below):
                raise NotRead(f"no list of options: {self.text}")
            options = tuple(Sentence(each.text, self.names).steps(each, True) for each in line.below)
            return (("Choice", options, players),)
        if each := self.match(r"go round the (player|team)s until "):
            return (("Stage", each[1], self.value(), self.body(line, choosing)),)
        if self.takes("if "):
            return (("When", self.value(), self.body(line, choosing)),)
        if op := self.takes("for each ", "choose one "):
            how = "all" if op == "for each " else "any"
            over, var = self.among()
            return (("ForEach", how, over, var, self.body(line, choosing)),)
        if self.takes("let "):
            var = self.var()
            self.needs(" be ")
            return (("Let", self.value(), var, self.body(line, choosing)),)
        if self.takes("do this "):
            count = self.part()
            self.needs(" times")
            return (("Repeat", count, self.body(line, choosing)),)
        if self.takes("repeat once for each card that is there at the start"):
            return (("RepeatAll", self.body(line, choosing)),)
        step = self.simple()
        if self.text != "." or line.below:
            raise NotRead(f"more than a step: {self.text!r}")
        return (step,)

    def players(self) -> Form:
        found = self.part()
        self.needs(" chooses one of these:")
        return found

    def body(self, line: Line, choosing: bool) -> tuple[Form, ...]:
        if self.takes(": "):
            return self.steps(line, choosing)
        self.needs(":")
        return self.below(line, choosing)

    def below(self, line: Line, choosing: bool) -> tuple[Form, ...]:
        if self.text or any(each.bullet for each in line.below):
            raise NotRead(f"no list of steps: {self.text}")
        return _blocks(line.below, self.names, choosing)

    def simple(self) -> Form:
        if self.takes("pass"):
            return ("Pass",)
        if op := self.takes("add ", "take "):
            value = self.part()
            self.needs(" to " if op == "add " else " from ")
            return ("SetNumber", "inc" if op == "add " else "dec", self.ref(), value)
        if self.takes("reveal "):
            return ("Reveal", self.ref())
        if self.takes("set "):
            ref = self.ref()
            if self.takes(" to the awards "):
                return ("SetPoints", ref, self.many(self.award, "; "))
            self.needs(" to ")
            return (*SET[ref[1]], ref, self.value())
        if op := self.takes("move ", "note "):
            card = self.part()
            return ("Move" if op == "move " else "Remember", card, self.target())
        if self.takes("delete the note of "):
            return ("Forget", self.part())
        if self.takes("shuffle "):
            cards = self.part()
            return ("Shuffle", cards, self.part() if self.takes(", card by card, with ") else None)
        if op := self.takes("the next turn is for ", "from here on the turn is that of "):
            return ("Cycle", "next" if op.startswith("the next") else "current", self.part())
        if self.takes("roll "):
            return ("Roll", self.part())
        if what := self.match(r"make a (card of|token of|die with a face for) each combination of "):
            kinds = self.many(self.attribute, " and ")
            self.needs(" in ")
            place = self.part()
            name = self.word() if self.takes(", with the back ") else ("Name", "DEFAULT")
            return (
                "CreateDeck",
                name,
                place,
                kinds,
                {"card": "deck", "token": "tokens", "die": "die"}[what[1].split()[0]],
            )
        self.needs("make the teams ")
        teams = self.many(self.team, ", ")
        self.needs(" of players")
        return ("CreateTeams", teams)

    def scoring(self) -> Form:
        self.needs("each player, taken as the current one, scores ")
        value = self.part()
        best = self.needs(", and the highest score wins.", ", and the lowest score wins.")
        return ("Scoring", "max" if "highest" in best else "min", value)

    def many(self, one: Callable[[], Form], between: str) -> tuple[Form, ...]:
        found = [one()]
        while self.takes(between):
            found.append(one())
        return tuple(found)

    def team(self) -> Form:
        found = self.match(r"\(([\d, ]+)\)")
        if not found:
            raise NotRead(f"no team: {self.text}")
        return tuple(int(player) - 1 for player in found[1].split(", "))

    def target(self) -> Form:
        if self.takes(" above "):
            where = self.part()
            self.needs(" cards of ")
        else:
            where = self.needs(" to the top of ", " to the bottom of ").split()[2]
        return ("Target", where, self.part())

    def award(self) -> Form:
        value = self.part()
        self.needs(" for ")
        return ("Award", self.many(self.pair, " and "), value)

    def pair(self) -> Form:
        key = self.word()
        self.needs(" = ")
        return (key, self.part())

    def attribute(self) -> Form:
        name = self.name()
        self.needs(" (")
        values = self.many(self.attribute_value, ", ")
        self.needs(")")
        return ("Attribute", name, values)

    def attribute_value(self) -> Form:
        name = self.name()
        return ("AttributeValue", name, self.many(self.attribute, " and ") if self.takes(" with ") else ())

    # -- names

    def var(self) -> str:
        found = self.match(r"\*\*([a-z]+)\*\*")
        if not found:
            raise NotRead(f"no variable: {self.text}")
        return found[1].upper()

    def name(self) -> str:
        found = self.match(r"\*([^*]+)\*")
        if not found:
            raise NotRead(f"no name: {self.text}")
        return self.names[found[1]]

    def word(self) -> Form:
        if self.text.startswith("**"):
            return ("Use", self.var())
        if self.takes("named ("):
            value = self.value()
            self.needs(")")
            return value
        return ("Name", self.name())

    def ref(self) -> Form:
        found = self.match(r"the (?:(private|hidden|turned-away) )?(number|word|player|points) ")
        if not found:
            raise NotRead(f"no store: {self.text}")
        name = self.word()
        return ("Ref", KEPT[found[2]], self.owner(), name, SECRET[found[1]])

    def owner(self) -> Form:
        return self.part() if self.takes(" of ") else ("Table",)

    def among(self) -> tuple[Form, str]:
        found = self.match(rf"({WORD}) ")
        if not found:
            raise NotRead(f"nothing to go through: {self.text}")
        var = self.var()
        return (self.part() if self.takes(" of ") else ("Everybody", found[1])), var

    # -- values

    def value(self) -> Form:
        """Return a value that may be put together from others without brackets."""
        if test := self.test():
            return test
        if self.text.startswith("each "):
            return self.filtered()
        first = self.part()
        for sign, op in (
            (" + ", "+"), (" \N{MINUS SIGN} ", "-"), (" \N{MULTIPLICATION SIGN} ", "*"), (" ÷ ", "//"),
            (" modulo ", "%"), (" to the power of ", "^"),
        ):  # fmt: skip
            if self.takes(sign):
                return ("Arith", op, first, self.part())
        if self.takes(" for each "):
            over, var = self.among()
            return ("Each", over, var, first)
        return self.joined(self.compared(first) or first)

    def test(self) -> Form:
        """Return a test with a word before it, None if there is none here."""
        if self.takes("it is not so that "):
            return ("Not", self.part())
        if op := self.takes("for some ", "for every "):
            over, var = self.among()
            self.needs(", ")
            inner = self.part()
            compared = self.compared(inner)
            return ("Quantified", "any" if op == "for some " else "all", over, var, compared or inner)
        return None

    def filtered(self) -> Form:
        self.needs("each ")
        over, var = self.among()
        self.needs(" for which ")
        return ("Filter", over, var, self.value())

    def joined(self, first: Form) -> Form:
        for word, op in ((" and ", "and"), (" or ", "or")):
            if self.text.startswith(word):
                parts = [first]
                while self.takes(word):
                    part = self.part()
                    parts.append(self.compared(part) or part)
                return ("Logic", op, tuple(parts))
        return first

    def compared(self, left: Form) -> Form:
        """Return the comparison that goes on behind a value, None if there is none."""
        for word, op in (
            (" is not ", "!="), (" is less than ", "<"), (" is more than ", ">"), (" is at most ", "<="),
            (" is at least ", ">="), (" is ", "=="),
        ):  # fmt: skip
            if self.takes(word):
                return ("Compare", op, left, self.part())
        return None

    def part(self) -> Form:
        """Return a value that is clear where it ends: one phrase, or anything in brackets."""
        if self.takes("("):
            inner = self.value()
            self.needs(")")
            return inner
        if found := self.match("\N{MINUS SIGN}?\\d+"):
            return ("Number", int(found[0].replace("\N{MINUS SIGN}", "-")))
        if self.text.startswith("*"):
            return self.word()
        if found := self.match(r"(player|team) (\d+)"):
            return ("Numbered", ("Number", int(found[2]) - 1), found[1])
        for words, every, op in (
            ("all of ", "everything in ", "union"),
            ("what is common to ", "what is common in ", "intersect"),
            ("what is in only one of ", "what is only once in ", "disjunction"),
        ):
            if self.takes(every):
                return ("Combined", op, self.part())
            if self.takes(words):
                return ("Combined", op, self.many(self.part, " and "))
        if self.takes("a random number from "):
            low = self.part()
            self.needs(" to ")
            return ("Random", low, self.part())
        if found := self.match(r"a (highest|lowest) card of "):
            cards = self.part()
            return ("Extreme", "max" if found[1] == "highest" else "min", cards, self.by())
        self.needs("the ")
        return self.the()

    def by(self) -> Form:
        self.needs(" by ")
        return self.ref()

    def then(self, between: str) -> Form:
        self.needs(between)
        return self.part()

    def the(self) -> Form:
        if found := self.match(r"(current|next|previous) (player|team)\b"):
            return ("Relative", found[1], found[2])
        if found := self.match(r"(player|team) with "):
            return ("Numbered", self.part(), (self.needs(" before it"), found[1])[1])
        if self.takes("owner of "):
            return ("OwnerOf", self.part())
        if self.takes("team of "):
            return ("TeamOf", self.part())
        if found := self.match(r"(top|bottom) card of "):
            return ("CardAt", found[1], self.part())
        if found := self.match(r"(top|bottom) "):
            count = self.part()
            return ("Slice", found[1], count, self.then(" cards of "))
        if self.takes("card with "):
            where = self.part()
            return ("CardAt", where, self.then(" below it in "))
        if self.takes("card itself of "):
            return ("Actual", self.part())
        if found := self.match(r"(first|last) group of "):
            return ("GroupAt", "top" if found[1] == "first" else "bottom", self.part())
        if self.takes("group with "):
            where = self.part()
            return ("GroupAt", where, self.then(" before it in "))
        if self.takes("longest run of "):
            least = self.part()
            end = self.needs(" or more cards at the top of ", " or more cards at the bottom of ").split()[5]
            cards = self.part()
            return ("RunAt", end, least, cards, self.by())
        if found := self.match(r"(longest|possible) runs of "):
            least = self.part()
            cards = self.then(" or more cards of ")
            return ("Runs", "largest" if found[1] == "longest" else "all", least, cards, self.by())
        if self.takes("sorted cards of "):
            cards = self.part()
            return ("Sorted", cards, self.by())
        return self.group() or self.counted() or self.held()

    def group(self) -> Form:
        if self.takes("groups of cards with one "):
            key = self.word()
            self.needs(" in ")
            return ("Partition", key, self.part() if self.takes("everything in ") else self.many(self.part, " and "))
        if self.takes("groups of any cards of "):
            return ("Subsets", self.part())
        if self.takes("groups of any "):
            count = self.part()
            return ("Selections", count, self.then(" cards of "))
        if self.takes("groups of "):
            count = self.part()
            cards = self.then(" cards with one score of ")
            return ("Tuples", count, cards, self.by())
        return None

    def counted(self) -> Form:
        if found := self.match(r"number of (player|team)s(?! in )"):
            return ("Size", ("Everybody", found[1]))
        if self.match(r"number of (cards|groups|players|teams|words|numbers) in "):
            return ("Size", self.part())
        if found := self.match(r"(total|score) of "):
            of = self.part()
            return ("Sum" if found[1] == "total" else "Score", of, self.by())
        if self.takes("sum of all numbers up to "):
            return ("Series", "tri", self.part())
        if self.takes("Fibonacci number at "):
            return ("Series", "fib", self.part())
        if self.takes("numbers from "):
            low = self.part()
            return ("Range", low, self.then(" to "))
        return None

    def held(self) -> Form:
        """Return places and stores, attributes of cards, and lists of players, teams and words."""
        if self.takes("words "):
            return ("Names", self.many(self.name, ", "))
        if self.takes("players of "):
            return ("TeamPlayers", self.part())
        if found := self.match(r"(other )?(player|team)s\b"):
            return ("Others" if found[1] else "Everybody", found[2])
        if re.match(r"((private|hidden|turned-away) )?(number|word|player) ", self.text):
            self.text = f"the {self.text}"
            return ("Stored", self.ref())
        if found := self.match(r"(open|private|face-down|turned-away|noted) "):
            name = self.word()
            return ("Place", self.owner(), SEEN[found[1]], name)
        key = self.word()
        return ("CardAtt", key, self.then(" of "))
