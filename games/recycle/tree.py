"""The typed tree of a text: made by the reader, and used by checks, compiler and rules page.

Every node has ``at``, the span of the text it was read from. A ``Value`` also has a ``type``. Names are text as the
author wrote it. Each binding of a variable has its own ``Var`` object, so that two variables of the same name differ
and scopes need not be resolved again.

Each docstring begins with what is written in the language, where lower-case words stand for parts. ``docs/recycle.md``
describes the language.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Literal, NamedTuple

# Who sees the cards of a place: everybody, its owner, nobody, all but its owner. "mem": a memory, of cards that lie
# elsewhere, which everybody sees.
Vis = Literal["vloc", "iloc", "hloc", "oloc", "mem"]
OwnerKind = Literal["player", "team"]
Owner = Literal["game", OwnerKind]
Which = Literal["current", "next", "previous"]
End = Literal["top", "bottom"]
Comparison = Literal["<", ">", "<=", ">=", "==", "!="]


class Span(NamedTuple):
    """Where something stands in the text: from character ``start`` up to ``end``."""

    start: int
    end: int


class Type(Enum):
    """What a value can be."""

    INT = "number"
    BOOL = "truth"
    STR = "name"
    CARD = "card"
    CARDS = "cards"
    GROUPS = "groups of cards"
    PLAYER = "player"
    TEAM = "team"
    PLAYERS = "players"
    TEAMS = "teams"
    STRS = "names"
    INTS = "numbers"


# The type of the items of each collection.
ITEM_TYPE = {
    Type.CARDS: Type.CARD,
    Type.GROUPS: Type.CARDS,
    Type.PLAYERS: Type.PLAYER,
    Type.TEAMS: Type.TEAM,
    Type.STRS: Type.STR,
    Type.INTS: Type.INT,
}


@dataclass(eq=False, slots=True)
class Var:
    """A variable, as it is bound at one point of a text.

    ``how``: by ``declare``, by ``let``, or ("each") by ``any``, ``all`` or ``filter``. ``live``: ``let`` has bound it
    to a place, so its cards change as cards move there.
    """

    name: str  # without the apostrophe
    type: Type
    at: Span  # of the name where it is bound
    how: Literal["declare", "let", "each"]
    live: bool = False
    used: bool = False  # of declared numbers only: the reader puts the number in place of each use


@dataclass(frozen=True, slots=True)
class Node:
    """A part of a text, in brackets or not."""

    at: Span


# -- values


@dataclass(frozen=True, slots=True)
class Number(Node):
    """``7``."""

    value: int
    type: ClassVar[Type] = Type.INT


@dataclass(frozen=True, slots=True)
class Name(Node):
    """``HEARTS``."""

    text: str
    type: ClassVar[Type] = Type.STR


@dataclass(frozen=True, slots=True)
class Use(Node):
    """``'X``: the value of a variable."""

    var: Var

    @property
    def type(self) -> Type:
        """The type of the variable."""
        return self.var.type


@dataclass(frozen=True, slots=True)
class Table(Node):
    """``game``: the table itself, as the owner of places and stores."""


@dataclass(frozen=True, slots=True)
class Ref(Node):
    """``(game sto PHASE)``: a store of the table, a player or a team (``who``).

    ``what`` it holds: a number, a name, a player ("who"), or a point map. ``vis``: who sees that, as of a place. The
    word for a secret store begins with the letter of its ``vis``: ``isto`` is seen by its owner.
    """

    what: Literal["sto", "str", "who", "points"]
    who: Table | Value  # PLAYER or TEAM
    name: Value  # STR
    vis: Literal["vloc", "iloc", "hloc", "oloc"] = "vloc"

    @property
    def word(self) -> str:
        """The word of the language for such a store: ``sto``, ``isto``, ``points``, ..."""
        return self.what if self.vis == "vloc" else self.vis[0] + self.what


@dataclass(frozen=True, slots=True)
class Stored(Node):
    """The number, the name or the player that a store holds."""

    ref: Ref

    @property
    def type(self) -> Type:
        """INT, STR or PLAYER."""
        return {"sto": Type.INT, "str": Type.STR}.get(self.ref.what, Type.PLAYER)


@dataclass(frozen=True, slots=True)
class Arith(Node):
    """``(+ a b)``."""

    op: Literal["+", "-", "*", "//", "%", "^"]
    left: Value
    right: Value
    type: ClassVar[Type] = Type.INT


@dataclass(frozen=True, slots=True)
class Series(Node):
    """``(tri n)`` is 1 + 2 + ... + n; ``(fib n)`` the n-th Fibonacci number."""

    op: Literal["tri", "fib"]
    of: Value
    type: ClassVar[Type] = Type.INT


@dataclass(frozen=True, slots=True)
class Random(Node):
    """``(random a)``: from 0 to a; ``(random a .. b)``: from a to b; both ends included."""

    low: Value | None
    high: Value
    type: ClassVar[Type] = Type.INT


@dataclass(frozen=True, slots=True)
class Size(Node):
    """``(size collection)``."""

    of: Value  # a collection
    type: ClassVar[Type] = Type.INT


@dataclass(frozen=True, slots=True)
class Sum(Node):
    """``(sum cards using points)``."""

    cards: Value
    using: Ref
    type: ClassVar[Type] = Type.INT


@dataclass(frozen=True, slots=True)
class Score(Node):
    """``(score card using points)``."""

    card: Value
    using: Ref
    type: ClassVar[Type] = Type.INT


@dataclass(frozen=True, slots=True)
class CardAtt(Node):
    """``(cardatt RANK card)``: the value of an attribute; "" if the card has none, or there is no card."""

    key: Value  # STR
    card: Value
    type: ClassVar[Type] = Type.STR


@dataclass(frozen=True, slots=True)
class Logic(Node):
    """``(and a b ...)``, ``(or a b ...)``."""

    op: Literal["and", "or"]
    parts: tuple[Value, ...]
    type: ClassVar[Type] = Type.BOOL


@dataclass(frozen=True, slots=True)
class Not(Node):
    """``(not a)``."""

    of: Value
    type: ClassVar[Type] = Type.BOOL


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """``(< a b)`` of numbers; ``==`` and ``!=`` of two values of one type, cards by identity."""

    op: Comparison
    left: Value
    right: Value
    type: ClassVar[Type] = Type.BOOL


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    """``(any collection 'V test)``, ``(all collection 'V test)``."""

    op: Literal["any", "all"]
    over: Value  # a collection
    var: Var
    test: Value  # BOOL
    type: ClassVar[Type] = Type.BOOL


@dataclass(frozen=True, slots=True)
class Relative(Node):
    """``(current player)``, ``(next team)``, ..."""

    which: Which
    kind: OwnerKind

    @property
    def type(self) -> Type:
        """PLAYER or TEAM."""
        return Type.PLAYER if self.kind == "player" else Type.TEAM


@dataclass(frozen=True, slots=True)
class Numbered(Node):
    """``(2 player)``, counted from 0."""

    number: Value  # INT
    kind: OwnerKind

    @property
    def type(self) -> Type:
        """PLAYER or TEAM."""
        return Type.PLAYER if self.kind == "player" else Type.TEAM


@dataclass(frozen=True, slots=True)
class OwnerOf(Node):
    """``(owner card)``: the player in whose place it lies."""

    card: Value
    type: ClassVar[Type] = Type.PLAYER


@dataclass(frozen=True, slots=True)
class TeamOf(Node):
    """``(team player)``."""

    player: Value
    type: ClassVar[Type] = Type.TEAM


@dataclass(frozen=True, slots=True)
class CardAt(Node):
    """``(top cards)``, ``(bottom cards)``, ``(2 cards)``: 0 is the bottom card.

    Where a group stands for a card, the reader puts a ``CardAt`` of its top around it.
    """

    where: End | Value  # INT
    cards: Value
    type: ClassVar[Type] = Type.CARD


@dataclass(frozen=True, slots=True)
class Extreme(Node):
    """``(max cards using points)``, ``(min ...)``: the card of the highest or lowest score; chance decides on ties."""

    op: Literal["max", "min"]
    cards: Value
    using: Ref
    type: ClassVar[Type] = Type.CARD


@dataclass(frozen=True, slots=True)
class Actual(Node):
    """``(actual card)``: the card itself that a memory notes; the same as ``card``."""

    card: Value
    type: ClassVar[Type] = Type.CARD


@dataclass(frozen=True, slots=True)
class Place(Node):
    """``(game vloc DISCARD)``, ``('P iloc HAND)``: a place where cards lie, the bottom one first."""

    who: Table | Value  # PLAYER
    vis: Vis
    name: Value  # STR
    type: ClassVar[Type] = Type.CARDS

    @property
    def word(self) -> str:
        """The word of the language for such a place, as of a store."""
        return self.vis


def owner_of(node: Place | Ref) -> Owner:
    """Return whose a place or store is: the table's ("game"), a player's or a team's."""
    if isinstance(node.who, Table):
        return "game"
    return "team" if node.who.type is Type.TEAM else "player"


class Address(NamedTuple):
    """Places or stores of one name: the word for them, whose they are, the name ("" if it is known only in play)."""

    word: str
    owner: Owner
    name: str


def address_of(node: Place | Ref) -> Address:
    """Return the address of a place or store."""
    return Address(node.word, owner_of(node), node.name.text if isinstance(node.name, Name) else "")


@dataclass(frozen=True, slots=True)
class Combined(Node):
    """``(union cards ...)``, ``(intersect ...)``, ``(disjunction ...)``. ``parts`` may be an ``Each`` instead."""

    op: Literal["union", "intersect", "disjunction"]
    parts: tuple[Value, ...] | Each  # CARDS, or their GROUPS
    type: ClassVar[Type] = Type.CARDS


@dataclass(frozen=True, slots=True)
class Each(Node):
    """``(all collection 'V cards)`` as groups of cards: one group for each item of the collection."""

    over: Value
    var: Var
    cards: Value
    type: ClassVar[Type] = Type.GROUPS


@dataclass(frozen=True, slots=True)
class Filter(Node):
    """``(filter collection 'V test)``: the items that pass the test."""

    over: Value
    var: Var
    test: Value

    @property
    def type(self) -> Type:
        """The type of the collection that is filtered (of a team: PLAYERS)."""
        return self.over.type


@dataclass(frozen=True, slots=True)
class GroupAt(Node):
    """``(top groups)``, ``(bottom groups)``, ``(2 groups)``: one of the groups. "top" and 0 are the first of them."""

    where: End | Value
    groups: Value
    type: ClassVar[Type] = Type.CARDS


@dataclass(frozen=True, slots=True)
class Slice(Node):
    """``(top 3 cards)``, from the top downwards; ``(bottom 3 cards)``, from the bottom upwards."""

    end: End
    count: Value
    cards: Value
    type: ClassVar[Type] = Type.CARDS


@dataclass(frozen=True, slots=True)
class RunAt(Node):
    """``(run top 3 cards using points)``: as many cards on top as make a run in any order, if 3 or more."""

    end: End
    least: Value
    cards: Value
    using: Ref
    type: ClassVar[Type] = Type.CARDS


@dataclass(frozen=True, slots=True)
class Sorted(Node):
    """``(sort cards using points)``: the lowest first."""

    cards: Value
    using: Ref
    type: ClassVar[Type] = Type.CARDS


@dataclass(frozen=True, slots=True)
class Tuples(Node):
    """``(tuples 2 cards using points)``: all groups of two cards with the same score."""

    count: Value
    cards: Value
    using: Ref
    type: ClassVar[Type] = Type.GROUPS


@dataclass(frozen=True, slots=True)
class Partition(Node):
    """``(partition SUIT cards ...)``: a group for each value of an attribute. ``parts`` may be an ``Each``."""

    key: Value
    parts: tuple[Value, ...] | Each
    type: ClassVar[Type] = Type.GROUPS


@dataclass(frozen=True, slots=True)
class Subsets(Node):
    """``(subsets cards)``: all subsets, the empty one first."""

    cards: Value
    type: ClassVar[Type] = Type.GROUPS


@dataclass(frozen=True, slots=True)
class Selections(Node):
    """``(subsets 3 cards)``: the subsets of three cards, in the order of ``(subsets cards)``."""

    count: Value
    cards: Value
    type: ClassVar[Type] = Type.GROUPS


@dataclass(frozen=True, slots=True)
class Runs(Node):
    """``(runs largest 3 cards using points)``, ``(runs all 3 ...)``: groups of 3 or more cards with scores in a row."""

    which: Literal["largest", "all"]
    least: Value
    cards: Value
    using: Ref
    type: ClassVar[Type] = Type.GROUPS


@dataclass(frozen=True, slots=True)
class Names(Node):
    """``(A, B, C)``: a list of names."""

    texts: tuple[str, ...]
    type: ClassVar[Type] = Type.STRS


@dataclass(frozen=True, slots=True)
class Everybody(Node):
    """``player``, ``team``: all of them, in the order of their numbers."""

    kind: OwnerKind

    @property
    def type(self) -> Type:
        """PLAYERS or TEAMS."""
        return Type.PLAYERS if self.kind == "player" else Type.TEAMS


@dataclass(frozen=True, slots=True)
class Others(Node):
    """``(other player)``, ``(other team)``: all but the current one."""

    kind: OwnerKind

    @property
    def type(self) -> Type:
        """PLAYERS or TEAMS."""
        return Type.PLAYERS if self.kind == "player" else Type.TEAMS


@dataclass(frozen=True, slots=True)
class TeamPlayers(Node):
    """A team where a collection is wanted: its players, in the order in which the team lists them."""

    team: Value
    type: ClassVar[Type] = Type.PLAYERS


@dataclass(frozen=True, slots=True)
class Range(Node):
    """``(range 1 .. 5)``: both ends included."""

    low: Value
    high: Value
    type: ClassVar[Type] = Type.INTS


Value = (
    Number
    | Name
    | Use
    | Stored
    | Arith
    | Series
    | Random
    | Size
    | Sum
    | Score
    | CardAtt
    | Logic
    | Not
    | Compare
    | Quantified
    | Relative
    | Numbered
    | OwnerOf
    | TeamOf
    | CardAt
    | Extreme
    | Actual
    | Place
    | Combined
    | Each
    | Filter
    | GroupAt
    | Slice
    | RunAt
    | Sorted
    | Tuples
    | Partition
    | Subsets
    | Selections
    | Runs
    | Names
    | Everybody
    | Others
    | TeamPlayers
    | Range
)


# -- decks and awards


@dataclass(frozen=True, slots=True)
class Attribute(Node):
    """``(SUIT (HEARTS, SPADES))``: each value, with the attributes under it."""

    key: str
    values: tuple[AttributeValue, ...]


@dataclass(frozen=True, slots=True)
class AttributeValue(Node):
    """A value of an attribute. ``under``: attributes that only cards with this value have; none if empty."""

    text: str
    under: tuple[Attribute, ...] = ()


@dataclass(frozen=True, slots=True)
class Award(Node):
    """``((RANK : ACE) (SUIT : HEARTS) 4)``: the points of a card that has all of these values."""

    pairs: tuple[tuple[Value, Value], ...]  # STR and STR
    value: Value  # INT


# -- actions


@dataclass(frozen=True, slots=True)
class SetNumber(Node):
    """``(set ref int)``, ``(inc ref int)``, ``(dec ref int)``."""

    op: Literal["set", "inc", "dec"]
    ref: Ref
    value: Value


@dataclass(frozen=True, slots=True)
class SetName(Node):
    """``(set ref str)``."""

    ref: Ref
    value: Value


@dataclass(frozen=True, slots=True)
class SetPlayer(Node):
    """``(set ref player)``."""

    ref: Ref
    value: Value


@dataclass(frozen=True, slots=True)
class Reveal(Node):
    """``(reveal ref)``: everybody sees what a secret store holds until it is set again."""

    ref: Ref


@dataclass(frozen=True, slots=True)
class SetPoints(Node):
    """``(set (game points P) (award ...))``."""

    ref: Ref
    awards: tuple[Award, ...]


@dataclass(frozen=True, slots=True)
class Target(Node):
    """Where a card is put: on top of a place, under it, or below its card number ``where``, counted from the bottom.

    ``place`` is a ``Place``, or a variable that is bound to one (``live``).
    """

    where: End | Value
    place: Place | Use


@dataclass(frozen=True, slots=True)
class Move(Node):
    """``(move card target)``."""

    card: Value
    to: Target


@dataclass(frozen=True, slots=True)
class Remember(Node):
    """``(remember card target)``: a memory notes a card. The card stays where it is."""

    card: Value
    to: Target


@dataclass(frozen=True, slots=True)
class Forget(Node):
    """``(forget card)``: ``card`` is a ``CardAt`` of a memory, or a variable bound to a card of one."""

    card: Value


@dataclass(frozen=True, slots=True)
class Shuffle(Node):
    """``(shuffle cards)``; with ``second`` ``(shuffle faro cards cards)``."""

    cards: Value
    second: Value | None = None


@dataclass(frozen=True, slots=True)
class Roll(Node):
    """``(roll cards)``: chance decides which face of each die among the cards is up. ``cards`` may be a single card."""

    cards: Value  # CARDS or CARD


@dataclass(frozen=True, slots=True)
class Pass(Node):
    """``(turn pass)``."""


@dataclass(frozen=True, slots=True)
class Cycle(Node):
    """``(cycle next X)``: X plays next; ``(cycle current X)``: X is the current player from now on."""

    op: Literal["next", "current"]
    player: Value


@dataclass(frozen=True, slots=True)
class Repeat(Node):
    """``(repeat n action)``: n times, one after the other."""

    count: Value
    action: Action


@dataclass(frozen=True, slots=True)
class RepeatAll(Node):
    """``(repeat all (move card target))``: as many times as there are cards at the start where ``card`` comes from."""

    action: Move | Forget


@dataclass(frozen=True, slots=True)
class CreateDeck(Node):
    """``(create deck NAME cards (deck attr ...))``.

    ``kind``: whether the pieces are cards, tokens, or the faces of one die, the first of which is up.
    """

    name: Value  # STR; cards of decks of the same name have the same back
    place: Place | Use
    attributes: tuple[Attribute, ...]
    kind: Literal["deck", "tokens", "die"] = "deck"


@dataclass(frozen=True, slots=True)
class CreateTeams(Node):
    """``(create teams (0, 2) (1, 3))``."""

    teams: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Do(Node):
    """``(do (step ...))``."""

    steps: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class When(Node):
    """``(test body)``: a step with a condition."""

    test: Value
    body: Action


@dataclass(frozen=True, slots=True)
class ForEach(Node):
    """``(any collection 'V step)``, ``(all collection 'V step)``: the step for each item.

    The two differ in a choice only: with ``any`` each item is an option of its own.
    """

    op: Literal["any", "all"]
    over: Value
    var: Var
    step: Action


@dataclass(frozen=True, slots=True)
class Let(Node):
    """``(let value 'V step)``."""

    value: Value
    var: Var
    step: Action


Action = (
    SetNumber
    | SetName
    | SetPlayer
    | Reveal
    | SetPoints
    | Move
    | Remember
    | Forget
    | Shuffle
    | Roll
    | Pass
    | Cycle
    | Repeat
    | RepeatAll
    | CreateDeck
    | CreateTeams
    | Do
    | When
    | ForEach
    | Let
)

# Actions after which a place can hold other cards, or the same in another order, or a die with another face up.
CardAction = Move | Remember | Forget | Shuffle | Roll | CreateDeck


# -- the game


@dataclass(frozen=True, slots=True)
class Choice(Node):
    """``(choice (step ...))``: the current player takes one of the options of all steps.

    A ``let`` around a choice is read as one inside each of its steps. With ``players``, ``(together players choice)``:
    each of them takes one, at the same time.
    """

    steps: tuple[Action, ...]
    players: Value | None = None  # PLAYERS


@dataclass(frozen=True, slots=True)
class Stage(Node):
    """``(stage player (end test) block ...)``: turns of players or teams, until the test holds."""

    kind: OwnerKind
    end: Value
    blocks: tuple[Block, ...]


Block = Stage | Choice | Action


@dataclass(frozen=True, slots=True)
class Declare(Node):
    """``(declare value 'V)``: evaluated before anything else, so also before the number of players."""

    value: Value
    var: Var


@dataclass(frozen=True, slots=True)
class Scoring(Node):
    """``(scoring max int)``: the score of each player, computed with them as the current player."""

    op: Literal["min", "max"]
    value: Value


@dataclass(frozen=True, slots=True)
class GameNode(Node):
    """A whole text.

    ``players`` is a number, or a ``Range`` for ``(create players 2 .. 5)``, which the original language does not have.
    ``decks`` creates the decks of the setup, in the order in which that is done: plain ones first, then repeated ones.
    """

    declares: tuple[Declare, ...]
    players: Value  # INT or Range
    teams: CreateTeams | None
    decks: tuple[CreateDeck | Repeat, ...]
    blocks: tuple[Block, ...]
    scoring: Scoring


def walk(node: object) -> Iterator[Node]:
    """Yield a node and all nodes in it, in textual order; of a tuple, those of its items."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Node):
            yield node
            waiting += [getattr(node, name) for name in reversed(node.__dataclass_fields__)]
        elif isinstance(node, tuple) and not isinstance(node, Span):
            waiting += reversed(node)


def parts(node: Node) -> Iterator[object]:
    """Yield the fields of a node except its span and variable: nodes, tuples of them, words, numbers, its type."""
    for name in node.__dataclass_fields__:
        if name not in ("at", "var"):
            yield getattr(node, name)


def unwrapped(action: Action) -> Action:
    """Return an action without each ``do`` around it that has no other step."""
    while isinstance(action, Do) and len(action.steps) == 1:
        action = action.steps[0]
    return action


def bare(card: Value) -> Value:
    """Return a card without any ``actual`` around it."""
    while isinstance(card, Actual):
        card = card.card
    return card
