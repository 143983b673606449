"""What has to be known of a whole tree before any sentence of it can be written."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from games.recycle.tree import (
    Address,
    Attribute,
    CardAtt,
    Compare,
    CreateDeck,
    Declare,
    Each,
    Extreme,
    Filter,
    ForEach,
    GameNode,
    Let,
    Move,
    Name,
    Names,
    Node,
    Number,
    Numbered,
    Place,
    Quantified,
    Ref,
    Remember,
    RunAt,
    Runs,
    Score,
    SetName,
    SetNumber,
    SetPlayer,
    SetPoints,
    Sorted,
    Stored,
    Sum,
    Tuples,
    Type,
    Use,
    Value,
    Var,
    address_of,
    walk,
)

PIECES = {"deck": "card", "die": "die", "tokens": "token"}
OF_CARDS = (Type.CARD, Type.CARDS, Type.GROUPS)
BINDERS = Quantified | Each | Filter | ForEach
MOST_NODES = 200_000  # that are looked at: a page of a tree that has more is cut off long before its end
# Of places whose name is known only in play. Each may have any name of a list, and a text may have thousands of both.
MOST_USES = 500
DEEPEST = 8  # variables that stand for each other: as deep as their names are followed
Scored = Extreme | Score | Sum | Sorted | RunAt | Runs | Tuples
Known = Score | Stored | Use


class Survey:
    """What is used where in a tree."""

    def __init__(self, game: GameNode) -> None:
        self.game = game
        self.uses: Counter[Var] = Counter()
        self.lettered: set[Var] = set()  # variables that are used inside the scope of another one of their type
        self.seats: set[Var] = set()  # numbers that stand for seats
        self.values: dict[Var, Value] = {}  # what a variable is bound to, or goes through
        self.places: dict[Address, list[Place]] = defaultdict(list)
        self.refs: dict[Address, list[Ref]] = defaultdict(list)
        self.writes: dict[Address, list[SetNumber | SetName | SetPlayer | SetPoints]] = defaultdict(list)
        self.scores: list[Scored] = []  # all that asks what cards count
        self._asked: set[int] = set()  # numbers that are compared with another one of the play
        self._held: dict[int, Var | Address] = {}  # numbers that a variable or a store keeps
        self._read: dict[Var | Address, set[int]] = defaultdict(set)  # where they are read
        self.attributes: dict[str, list[str]] = defaultdict(list)  # of cards: what values each has
        self._compared: set[int] = set()  # reads of stores in comparisons with 0 or 1
        self._written: dict[Address, list[str] | None] = {}  # the names that a store can hold
        self._visited = 0
        self._made: list[CreateDeck] = []
        self._moved: list[tuple[Value, Value]] = []  # from which card, to which place
        self._visit(game, [])
        self._kinds = self._pieces()  # what can lie in places of a name: cards, dice, tokens
        every = {kind for kinds in self._kinds.values() for kind in kinds}
        self.kinds = [kind for kind in PIECES.values() if kind in every] or ["card"]
        self.only_kind = self.kinds[0]  # what most sentences are about
        self.flags = {each for each, writes in self.writes.items() if each.word == "sto" and self._flag(each, writes)}

    def _visit(self, node: Node, bound: list[Var]) -> None:
        self._visited += 1
        if self._visited > MOST_NODES:
            return
        self._note(node, bound)
        if isinstance(node, Let | Declare):
            self.values[node.var] = node.value
        elif isinstance(node, BINDERS):
            self.values[node.var] = node.over
        inner = [*bound, node.var] if isinstance(node, Let | BINDERS) else bound
        for child, name in _children(node):
            self._visit(child, bound if name in ("over", "value") else inner)

    def _note(self, node: Node, bound: list[Var]) -> None:
        if isinstance(node, Scored):
            self.scores.append(node)
        elif isinstance(node, Let):
            self._held[id(node.value)] = node.var
        elif isinstance(node, SetNumber) and node.op == "set":
            self._held[id(node.value)] = address_of(node.ref)
        elif isinstance(node, Compare) and isinstance(node.left, Known) and isinstance(node.right, Known):
            self._asked |= {id(node.left), id(node.right)}
        match node:
            case Use(var=var):
                self.uses[var] += 1
                self._read[var].add(id(node))
                if var in bound and var.how == "each":
                    after = bound[bound.index(var) + 1 :]
                    if any(other.type is var.type and other.how == "each" for other in after):
                        self.lettered.add(var)
            case Stored(ref=ref):
                self._read[address_of(ref)].add(id(node))
            case Numbered(number=Use(var=var)):
                self.seats.add(var)
            case Place():
                self.places[address_of(node)].append(node)
            case Ref():
                self.refs[address_of(node)].append(node)
            case SetNumber(ref=ref) | SetName(ref=ref) | SetPlayer(ref=ref) | SetPoints(ref=ref):
                self.writes[address_of(ref)].append(node)
            case Move(card=card, to=to) | Remember(card=card, to=to):
                self._moved.append((card, to.place))
            case CreateDeck(attributes=attributes):
                self._made.append(node)
                for attribute in attributes:
                    self._attribute(attribute)
            case Compare(left=Stored(ref=ref), right=Number(value=0 | 1)) if node.op in ("==", "!="):
                self._compared.add(id(ref))

    def _attribute(self, attribute: Attribute) -> None:
        for each in attribute.values:
            if each.text not in self.attributes[attribute.key]:
                self.attributes[attribute.key].append(each.text)
            for under in each.under:
                self._attribute(under)

    def _flag(self, each: Address, writes: list[SetNumber | SetName | SetPlayer | SetPoints]) -> bool:
        """Return whether a number is only ever 0 or 1, and only tested for that."""
        if not each.name:
            return False
        written = set()
        for write in writes:
            if not (isinstance(write, SetNumber) and write.op == "set" and isinstance(write.value, Number)):
                return False
            if write.value.value not in (0, 1):
                return False
            written.add(id(write.ref))
        asked = [ref for ref in self.refs[each] if id(ref) not in written]
        return bool(asked) and all(id(ref) in self._compared for ref in asked)

    # -- what lies where

    def _pieces(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        kinds = {PIECES[made.kind] for made in self._made}
        for made in self._made:
            for name in self._names_of(made.place):
                found[name].add(PIECES[made.kind])
        ways = [(self._names_of(card), self._names_of(to)) for card, to in self._moved] if len(kinds) > 1 else []
        before = -1
        while before != (before := sum(map(len, found.values()))):
            for sources, targets in ways:
                came = set().union(*(found[name] for name in sources))
                for name in targets:
                    found[name] |= came
        return found

    def _names_of(self, value: Value, depth: int = 0) -> set[str]:
        """Return the names of the places that a card or a collection can be in."""
        found: set[str] = set()
        for node in walk(value) if depth < DEEPEST else ():
            if isinstance(node, Place):
                found.update(self.domain(node.name) or ())
            elif isinstance(node, Use) and node.var in self.values and node.type in OF_CARDS:
                found |= self._names_of(self.values[node.var], depth + 1)
        return found

    def piece(self, value: Value) -> str:
        """Return what a collection consists of: "card", "die" or "token"; "piece" for several of these."""
        if len(self.kinds) == 1:
            return self.only_kind
        kinds = set().union(*(self._kinds.get(name, set()) for name in self._names_of(value)))
        return kinds.pop() if len(kinds) == 1 else "piece" if kinds else self.only_kind

    def place_names(self) -> set[str]:
        """Return the names of all places, as far as they are known."""
        return {text for each in self.places for text in self.names(each)}

    def names(self, each: Address) -> set[str]:
        """Return the names that places of a kind have, as far as they are known."""
        return {text for node in self.places[each][:MOST_USES] for text in self.domain(node.name) or ()}

    def only_compared(self, points: Address) -> bool:
        """Return whether a point map is only used to compare cards, so that its numbers do not matter."""
        asking = [node for node in self.scores if address_of(node.using) == points]
        return all(
            isinstance(node, Extreme) or (isinstance(node, Score) and self._is_compared(node)) for node in asking
        )

    def _is_compared(self, number: Score) -> bool:
        """Return whether a number, or what keeps it, is only compared with other numbers of the play."""
        if id(number) in self._asked:
            return True
        holder = self._held.get(id(number))
        return holder is not None and self._read[holder] <= self._asked

    def domain(self, name: Value, depth: int = 0) -> list[str] | None:
        """Return the names that a name can be; None if that is known only in play."""
        if depth > DEEPEST:
            return None
        match name:
            case Name(text=text):
                return [text]
            case Use(var=var) if var in self.values:
                return self.domain(self.values[var], depth + 1)
            case Names(texts=texts):
                return list(dict.fromkeys(texts))
            case Filter(over=over):
                return self.domain(over, depth + 1)
            case CardAtt(key=Name(text=text)) if text in self.attributes:
                return self.attributes[text]
            case Stored(ref=ref) if ref.what == "str" and address_of(ref).name:
                store = address_of(ref)
                if store not in self._written:
                    self._written[store] = []  # while it is found out: what a store gets of itself is nothing new
                    self._written[store] = self._names_written(store, depth)
                return self._written[store]
        return None

    def _names_written(self, store: Address, depth: int) -> list[str] | None:
        found: dict[str, None] = {}
        for write in self.writes[store]:
            names = self.domain(write.value, depth + 1) if isinstance(write, SetName) else None
            if names is None:
                return None
            found |= dict.fromkeys(names)
        return [each for each in found if each not in ("", "NONE")]


def _children(node: Node) -> Iterator[tuple[Node, str]]:
    for name in node.__dataclass_fields__:
        held = getattr(node, name)
        if isinstance(held, Node):
            yield held, name
        elif isinstance(held, tuple) and name != "at":
            yield from ((each, name) for each in _flat(held))


def _flat(held: tuple[object, ...]) -> Iterator[Node]:
    for each in held:
        if isinstance(each, Node):
            yield each
        elif isinstance(each, tuple):
            yield from _flat(each)
