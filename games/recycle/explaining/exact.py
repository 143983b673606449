"""The exact wording of a text: each statement of its tree as a sentence with its condition, scope and numbers.

The rules page says what people need to know, and leaves out what they can see. This section leaves out nothing: a test
reads it back into the tree. So each construct has one phrase. Round brackets are around expressions that could be read
in two ways. The body of a condition or a loop follows a colon, or is a list below it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from games.core.game import EXACT_WORDING
from games.recycle.constants import constant
from games.recycle.explaining.words import MINUS
from games.recycle.labels import Labels
from games.recycle.phrase_book import capital
from games.recycle.tree import (
    Action,
    Actual,
    Arith,
    Attribute,
    AttributeValue,
    Award,
    Block,
    CardAt,
    CardAtt,
    Choice,
    Combined,
    Compare,
    CreateDeck,
    CreateTeams,
    Cycle,
    Do,
    Each,
    Everybody,
    Extreme,
    Filter,
    ForEach,
    Forget,
    GameNode,
    GroupAt,
    Let,
    Logic,
    Move,
    Name,
    Names,
    Not,
    Number,
    Numbered,
    Others,
    OwnerOf,
    Partition,
    Pass,
    Place,
    Quantified,
    Random,
    Range,
    Ref,
    Relative,
    Remember,
    Repeat,
    RepeatAll,
    Reveal,
    Roll,
    RunAt,
    Runs,
    Score,
    Selections,
    Series,
    SetName,
    SetNumber,
    SetPlayer,
    SetPoints,
    Shuffle,
    Size,
    Slice,
    Sorted,
    Stage,
    Stored,
    Subsets,
    Sum,
    Table,
    Target,
    TeamOf,
    TeamPlayers,
    Tuples,
    Type,
    Use,
    Value,
    When,
    walk,
)

DEFAULT = "DEFAULT"  # the name by which the reader knows a deck without one
DEEPEST = 12  # levels of indentation; deeper lists are shown at this level
_LISTS = (", ", "the words ")  # after a list of words, a comma would seem to continue it
# Labels without characters that mean something in these sentences.
_SAFE = re.compile(r"[A-Za-zÀ-ÿ0-9][A-Za-zÀ-ÿ0-9 .!?+%&/-]*")
_SIGNS = {"+": "+", "-": MINUS, "*": "\N{MULTIPLICATION SIGN}", "//": "÷", "%": "modulo", "^": "to the power of"}
_COMPARED = {
    "==": "is",
    "!=": "is not",
    "<": "is less than",
    ">": "is more than",
    "<=": "is at most",
    ">=": "is at least",
}
# Adjectives of places by their visibility, nouns of stores by their kind, adjectives of secret stores.
_SEEN = {"vloc": "open", "iloc": "private", "hloc": "face-down", "oloc": "turned-away", "mem": "noted"}
_KEPT = {"sto": "number", "str": "word", "who": "player", "points": "points"}
_SECRET = {"vloc": "", "iloc": "private ", "hloc": "hidden ", "oloc": "turned-away "}
_MEMBER = {
    Type.CARD: "card",
    Type.CARDS: "group",
    Type.PLAYER: "player",
    Type.TEAM: "team",
    Type.STR: "word",
    Type.INT: "number",
}
# Set operations on what is listed, and on "everything in each …".
_PARTS = {"union": "all of", "intersect": "what is common to", "disjunction": "what is in only one of"}
_EVERY = {"union": "everything in", "intersect": "what is common in", "disjunction": "what is only once in"}
# After these, a following "and" would seem to belong to them.
_AND = (" and ", *(f"{words} " for words in _PARTS.values()), " with one ")
_INFIX = (Arith, Compare, Logic, Not, Quantified, Filter, Each)  # always in brackets within another phrase
_LEGEND = (
    "These sentences say everything that the text of the game says, in its order. An open place is seen by everybody, "
    "a private one by its owner only, a face-down one by nobody, a turned-away one by everybody but its owner. A noted "
    "card stays where it is; only the note is in the place. The points of a card are the sum of all awards that match "
    "it. Stored numbers are 0 at first. ÷ leaves out the remainder. The current player is the one whose turn it is. "
    "“Go round the players until” is one turn after another, with the steps below it; whether that is over is asked "
    "before each turn, the first one included."
)


def exact(game: GameNode, labels: Labels) -> list[str]:
    """Return the lines of the section, in Markdown."""
    words = _Exact(game, labels)
    lines = [f"## {EXACT_WORDING}", "", _LEGEND, "", "### What there is", ""]
    lines += _listed(words.setup(), 0, bullets=False)
    lines += ["", "### What is done", ""]
    lines += _listed(words.statements(game.blocks), 0, bullets=False)
    return [*lines, "", "### Who wins", "", f"{capital(words.scoring())}."]


def _listed(items: list[ExactItem], depth: int, bullets: bool) -> Iterator[str]:
    for place, item in enumerate(items, 1):
        mark = "-" if bullets else f"{place}."
        line = f"{'    ' * min(depth, DEEPEST)}{mark} {capital(item.text)}"
        yield f"{line}{':' if item.inner else '.'}"
        yield from _listed(item.inner, depth + 1, item.bullets)


def _under(head: str, items: list[ExactItem]) -> ExactItem:
    """Return the item of a head and its body: one step follows a colon, several are a list below it."""
    if len(items) == 1:
        return ExactItem(f"{head}: {items[0].text}", items[0].inner, items[0].bullets)
    return ExactItem(head, items)


@dataclass
class ExactItem:
    """A line of a list, without a full stop, and its sublist. ``bullets``: the sublist is not a sequence."""

    text: str
    inner: list[ExactItem] = field(default_factory=list)
    bullets: bool = False


class _Exact:
    def __init__(self, game: GameNode, labels: Labels) -> None:
        self.game = game
        self.names = names_in_words(game, labels)
        self.choosing = False  # in the options of a choice, where "any" chooses one

    # -- statements

    def setup(self) -> list[ExactItem]:
        """Return the declared constants, the players, the teams and the decks."""
        game = self.game
        # The values of all other constants stand where those were named.
        used = {node.var for node in walk(game) if isinstance(node, Use)}
        found = [
            ExactItem(f"in the whole game {self.var(declare.var.name)} is {self.value(declare.value)}")
            for declare in game.declares
            if declare.var in used
        ]
        players = game.players
        if isinstance(players, Range):
            found.append(ExactItem(f"the players number {self.part(players.low)} to {self.part(players.high)}"))
        else:
            found.append(ExactItem(f"the players number {self.part(players)}"))
        if game.teams:
            found.append(self.statement(game.teams))
        return found + [self.statement(made) for made in game.decks]

    def scoring(self) -> str:
        scoring = self.game.scoring
        best = "highest" if scoring.op == "max" else "lowest"
        value = self.part(scoring.value, *_LISTS)
        return f"each player, taken as the current one, scores {value}, and the {best} score wins"

    def statements(self, blocks: tuple[Block, ...]) -> list[ExactItem]:
        """Return a line for each of several blocks or steps."""
        return [item for block in blocks for item in self.steps(block)]

    def steps(self, block: Block) -> list[ExactItem]:
        """Return the lines of a block or a step: several if it only puts others into brackets."""
        return self.statements(block.steps) if isinstance(block, Do) else [self.statement(block)]

    def statement(self, block: Block) -> ExactItem:
        match block:
            case Stage(kind=kind, end=end, blocks=blocks):
                head = f"go round the {kind}s until {self.value(end)}"
                return ExactItem(head, self.statements(blocks))
            case Choice(steps=steps, players=players):
                self.choosing = True
                options = [self._option(step) for step in steps]
                self.choosing = False
                head = "the current player chooses one of these"
                if players:
                    head = f"at the same time, as the current player, each of {self.part(players)} chooses one of these"
                return ExactItem(head, options, bullets=True)
            case When(test=test, body=body):
                return _under(f"if {self.value(test)}", self.steps(body))
            case ForEach(op=op, over=over, var=var, step=step):
                each = "choose one" if self.choosing and op == "any" else "for each"
                return _under(f"{each} {self.among(var.type, var.name, over)}", self.steps(step))
            case Let(value=value, var=var, step=step):
                return _under(f"let {self.var(var.name)} be {self.value(value)}", self.steps(step))
            case Repeat(count=count, action=action):
                return _under(f"do this {self.count(count)} times", self.steps(action))
            case RepeatAll(action=action):
                return _under("repeat once for each card that is there at the start", self.steps(action))
        return ExactItem(self.simple(block))

    def _option(self, step: Action) -> ExactItem:
        items = self.steps(step)
        return items[0] if len(items) == 1 else ExactItem("all of this, in order", items)

    def simple(self, action: Action) -> str:
        """Return a step that consists of no others."""
        match action:
            case SetNumber(op="inc", ref=ref, value=value):
                return f"add {self.part(value)} to {self.ref(ref)}"
            case SetNumber(op="dec", ref=ref, value=value):
                return f"take {self.part(value)} from {self.ref(ref)}"
            case SetNumber(ref=ref, value=value) | SetName(ref=ref, value=value) | SetPlayer(ref=ref, value=value):
                return f"set {self.ref(ref)} to {self.value(value)}"
            case Reveal(ref=ref):
                return f"reveal {self.ref(ref)}"
            case SetPoints(ref=ref, awards=awards):
                return f"set {self.ref(ref)} to the awards {'; '.join(map(self.award, awards))}"
            case Move(card=card, to=to):
                return f"move {self.part(card)} {self.target(to)}"
            case Remember(card=card, to=to):
                return f"note {self.part(card)} {self.target(to)}"
            case Forget(card=card):
                return f"delete the note of {self.part(card)}"
            case Shuffle(cards=cards, second=None):
                return f"shuffle {self.part(cards)}"
            case Shuffle(cards=cards, second=second) if second is not None:
                return f"shuffle {self.part(cards)}, card by card, with {self.part(second)}"
            case Cycle(op="next", player=player):
                return f"the next turn is for {self.part(player)}"
            case Cycle(player=player):
                return f"from here on the turn is that of {self.part(player)}"
            case Roll(cards=cards):
                return f"roll {self.part(cards)}"
            case CreateDeck(name=name, place=place, attributes=attributes, kind=kind):
                back = "" if isinstance(name, Name) and name.text == DEFAULT else f", with the back {self.word(name)}"
                kinds = " and ".join(map(self.attribute, attributes))
                what = {"deck": "card of", "tokens": "token of", "die": "die with a face for"}[kind]
                return f"make a {what} each combination of {kinds} in {self.part(place)}{back}"
            case CreateTeams(teams=teams):
                listed = ", ".join(f"({', '.join(str(player + 1) for player in team)})" for team in teams)
                return f"make the teams {listed} of players"
            case Pass():
                return "pass"
        raise AssertionError(action)

    def target(self, to: Target) -> str:
        place = self.part(to.place)
        if isinstance(to.where, str):
            return f"to the {to.where} of {place}"
        return f"above {self.count(to.where)} cards of {place}"

    def award(self, award: Award) -> str:
        pairs = " and ".join(f"{self.word(key)} = {self.part(value, *_AND)}" for key, value in award.pairs)
        return f"{self.part(award.value)} for {pairs}"

    def attribute(self, attribute: Attribute) -> str:
        return f"*{self.names[attribute.key]}* ({', '.join(map(self.attribute_value, attribute.values))})"

    def attribute_value(self, value: AttributeValue) -> str:
        under = f" with {' and '.join(map(self.attribute, value.under))}" if value.under else ""
        return f"*{self.names[value.text]}*{under}"

    # -- values

    def var(self, name: str) -> str:
        return f"**{name.lower()}**"

    def word(self, value: Value) -> str:
        """Return the name of something: as it is, or as what it is computed from."""
        if isinstance(value, Name):
            return f"*{self.names[value.text]}*"
        return self.var(value.var.name) if isinstance(value, Use) else f"named ({self.value(value)})"

    def ref(self, ref: Ref) -> str:
        return f"the {_SECRET[ref.vis]}{_KEPT[ref.what]} {self.word(ref.name)}{self.owner(ref.who)}"

    def owner(self, who: Table | Value) -> str:
        return "" if isinstance(who, Table) else f" of {self.part(who)}"

    def among(self, kind: Type, name: str, over: Value) -> str:
        """Return "player **p**", or "card **c** of the open *Pool*": a variable and what it goes through."""
        wording = f"{_MEMBER[kind]} {self.var(name)}"
        plain = isinstance(over, Everybody) and over.kind == _MEMBER[kind]
        return wording if plain else f"{wording} of {self.part(over, *_LISTS)}"

    def part(self, value: Value, *stops: str) -> str:
        """Return a value as a part of a phrase.

        It is in brackets if it is an expression with an operator, or contains one of ``stops``: words after which one
        could not see where it ends.
        """
        value = _computed(value)
        text = self.value(value)
        if isinstance(value, _INFIX) or any(stop in _outside(text) for stop in stops):
            return f"({text})"
        return text

    def count(self, value: Value) -> str:
        """Return a number as it stands before a noun: in brackets if it is computed."""
        value = _computed(value)
        return self.part(value) if isinstance(value, Number | Use) else f"({self.value(value)})"

    def value(self, value: Value) -> str:
        value = _computed(value)
        match value:
            case Number(value=number):
                return f"{MINUS}{-number}" if number < 0 else str(number)
            case Name() | Use():
                return self.word(value)
            case Stored(ref=ref):
                return self.ref(ref)
            case Logic() | Not() | Compare() | Quantified():
                return self.test(value)
            case Relative(which=which, kind=kind):
                return f"the {which} {kind}"
            case Numbered(number=Number(value=number), kind=kind) if number >= 0:
                return f"{kind} {number + 1}"
            case Numbered(number=number, kind=kind):
                return f"the {kind} with {self.count(number)} before it"
            case OwnerOf(card=card):
                return f"the owner of {self.part(card)}"
            case TeamOf(player=player):
                return f"the team of {self.part(player)}"
            case CardAt() | Extreme() | Actual():
                return self.card(value)
            case Everybody() | Others() | TeamPlayers() | Names() | Range():
                return self.list(value)
            case Place() | Combined() | Filter() | Slice() | RunAt() | Sorted() | GroupAt():
                return self.cards(value)
            case Tuples() | Partition() | Subsets() | Selections() | Runs() | Each():
                return self.groups(value)
        return self.number(value)

    def number(self, value: Value) -> str:
        match value:
            case Arith(op=op, left=left, right=right):
                return f"{self.part(left)} {_SIGNS[op]} {self.part(right)}"
            case Series(op="tri", of=of):
                return f"the sum of all numbers up to {self.part(of)}"
            case Series(of=of):
                return f"the Fibonacci number at {self.part(of)}"
            case Random(low=low, high=high):
                return f"a random number from {self.part(low) if low else 0} to {self.part(high)}"
            case Size(of=Everybody(kind=kind)):
                return f"the number of {kind}s"
            case Size(of=of):
                return f"the number of {_MEMBER_OF.get(of.type, 'cards')} in {self.part(of)}"
            case Sum(cards=cards, using=using):
                return f"the total of {self.part(cards, ' by ')} by {self.ref(using)}"
            case Score(card=card, using=using):
                return f"the score of {self.part(card, ' by ')} by {self.ref(using)}"
            case CardAtt(key=key, card=card):
                return f"the {self.word(key)} of {self.part(card)}"
        raise AssertionError(value)

    def test(self, test: Value) -> str:
        match test:
            case Logic(op=op, parts=parts):
                return f" {op} ".join(self._joined(part) for part in parts)
            case Not(of=of):
                return f"it is not so that {self.part(of)}"
            case Compare(op=op, left=left, right=right):
                return f"{self.part(left)} {_COMPARED[op]} {self.part(right, *_AND)}"
            case Quantified(op=op, over=over, var=var, test=inner):
                every = "some" if op == "any" else "every"
                return f"for {every} {self.among(var.type, var.name, over)}, {self._joined(inner)}"
        raise AssertionError(test)

    def _joined(self, part: Value) -> str:
        return self.value(part) if isinstance(part, Compare) else self.part(part)

    def card(self, card: Value) -> str:
        match card:
            case CardAt(where="top" | "bottom" as where, cards=cards):
                return f"the {where} card of {self.part(cards)}"
            case CardAt(where=where, cards=cards) if not isinstance(where, str):
                return f"the card with {self.count(where)} below it in {self.part(cards)}"
            case Extreme(op=op, cards=cards, using=using):
                best = "a highest" if op == "max" else "a lowest"
                return f"{best} card of {self.part(cards, ' by ')} by {self.ref(using)}"
            case Actual(card=inner):
                return f"the card itself of {self.part(inner)}"
        raise AssertionError(card)

    def list(self, value: Value) -> str:
        match value:
            case Everybody(kind=kind):
                return f"the {kind}s"
            case Others(kind=kind):
                return f"the other {kind}s"
            case TeamPlayers(team=team):
                return f"the players of {self.part(team)}"
            case Names(texts=texts):
                return f"the words {', '.join(f'*{self.names[text]}*' for text in texts)}"
            case Range(low=low, high=high):
                return f"the numbers from {self.part(low)} to {self.part(high)}"
        raise AssertionError(value)

    def cards(self, value: Value) -> str:
        match value:
            case Place(who=who, vis=vis, name=name):
                return f"the {_SEEN[vis]} {self.word(name)}{self.owner(who)}"
            case Combined(op=op, parts=parts):
                return (
                    f"{_EVERY[op]} {self.part(parts)}"
                    if isinstance(parts, Each)
                    else f"{_PARTS[op]} {self.parts(parts)}"
                )
            case Filter(over=over, var=var, test=test):
                return f"each {self.among(var.type, var.name, over)} for which {self.value(test)}"
            case GroupAt(where="top" | "bottom" as where, groups=groups):
                return f"the {'first' if where == 'top' else 'last'} group of {self.part(groups)}"
            case GroupAt(where=where, groups=groups) if not isinstance(where, str):
                return f"the group with {self.count(where)} before it in {self.part(groups)}"
            case Slice(end=end, count=count, cards=cards):
                return f"the {end} {self.count(count)} cards of {self.part(cards)}"
            case RunAt(end=end, least=least, cards=cards, using=using):
                return (
                    f"the longest run of {self.count(least)} or more cards at the {end} of {self.part(cards, ' by ')} "
                    f"by {self.ref(using)}"
                )
            case Sorted(cards=cards, using=using):
                return f"the sorted cards of {self.part(cards, ' by ')} by {self.ref(using)}"
        raise AssertionError(value)

    def parts(self, parts: tuple[Value, ...]) -> str:
        wording = [(self.part(part, *_AND), isinstance(part, Combined)) for part in parts]
        return " and ".join(f"({text})" if combined and text[0] != "(" else text for text, combined in wording)

    def groups(self, value: Value) -> str:
        match value:
            case Each(over=over, var=var, cards=cards):
                return f"{self.part(cards)} for each {self.among(var.type, var.name, over)}"
            case Tuples(count=count, cards=cards, using=using):
                return (
                    f"the groups of {self.count(count)} cards with one score of {self.part(cards, ' by ')} "
                    f"by {self.ref(using)}"
                )
            case Partition(key=key, parts=parts):
                inside = f"everything in {self.part(parts)}" if isinstance(parts, Each) else self.parts(parts)
                return f"the groups of cards with one {self.word(key)} in {inside}"
            case Subsets(cards=cards):
                return f"the groups of any cards of {self.part(cards)}"
            case Selections(count=count, cards=cards):
                return f"the groups of any {self.count(count)} cards of {self.part(cards)}"
            case Runs(which=which, least=least, cards=cards, using=using):
                return (
                    f"the {'longest' if which == 'largest' else 'possible'} runs of {self.count(least)} or more cards "
                    f"of {self.part(cards, ' by ')} by {self.ref(using)}"
                )
        raise AssertionError(value)


_MEMBER_OF = {
    Type.GROUPS: "groups",
    Type.PLAYERS: "players",
    Type.TEAMS: "teams",
    Type.STRS: "words",
    Type.INTS: "numbers",
}


def _computed(value: Value) -> Value:
    """Return a constant expression as a number, 2 for 8 minus 6; any other value unchanged."""
    known = constant(value) if isinstance(value, Arith | Series) else None
    return value if known is None else Number(value.at, known)


def _outside(text: str) -> str:
    """Return a text without what is in round brackets, and without names."""
    found, depth = [], 0
    for piece in re.split(r"([()])", re.sub(r"\*[^*]*\*", "*", text)):
        depth += {"(": 1, ")": -1}.get(piece, 0)
        if not depth:
            found.append(piece)
    return "".join(found)


def names_in_words(game: GameNode, labels: Labels) -> dict[str, str]:
    """Return what the section calls each name of a text: by its label if that is clear, else as the text has it."""
    found: dict[str, str] = {}
    for node in walk(game):
        match node:
            case Name(text=text) | AttributeValue(text=text):
                found.setdefault(text, labels.word(text))
            case Attribute(key=key):
                found.setdefault(key, labels.word(key))
            case Names(texts=texts):
                for text in texts:
                    found.setdefault(text, labels.word(text))
    count = Counter(found.values())
    return {
        text: label if count[label] == 1 and _SAFE.fullmatch(label) and (label == text or label not in found) else text
        for text, label in found.items()
    }
