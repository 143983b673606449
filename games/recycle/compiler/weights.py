"""How much work a text asks for, as far as it can be read off: so that no text keeps a machine busy for long.

Work is counted in *units* of about 6 nanoseconds. What is gone through inside a loop, or may be long, is counted as it
is gone through (``fuel`` of ``machine.py``): so many members, so many units for each. What stands outside of loops and
is short is counted at once, by the function in which it stands.
"""

from __future__ import annotations

from games.recycle import tree
from games.recycle.cards import deck
from games.recycle.tree import Type

LIGHT = 5_000  # units: a loop that cannot take more is counted where it stands
_CALL = 20  # units to count a loop while the game is played
_ROUND = 4  # units of each round of a loop
_ACTION = 8  # units for what ``act`` counts as one
_NAMED = 60  # units to find a place or store whose name is not known before
_EACH: dict[type, int] = {
    tree.Sum: 3,
    tree.Best: 6,
    tree.Slice: 1,
    tree.Sorted: 20,
    tree.RunAt: 30,
    tree.Partition: 12,
    tree.Combined: 3,
    tree.Subsets: 2,
    tree.Tuples: 20,
    tree.Runs: 20,
}  # units for each card that is gone through, by what goes through it
_COUNTED = 15  # for each card of ``intersect`` and ``disjunction``
_VALUE: dict[type, int] = {
    tree.OwnerOf: 15,
    tree.TeamOf: 15,
    tree.Arith: 10,
    tree.Series: 100,
    tree.Random: 60,
    tree.Best: 60,
    tree.Numbered: 15,
}

Loop = tree.Filter | tree.Quantified | tree.Each


class Weights:
    """Tells how many units something takes. ``cards``: how many there may be; ``doubles``: whether some look alike."""

    def __init__(self, cards: int, seats: int, *, doubles: bool) -> None:
        self.cards, self.seats = cards, seats
        # To show a card of which there are several: each audience has numbers for those that look alike.
        self._showing = cards * (seats + 1) if doubles else seats + 1
        self._known: dict[tuple[int, bool], int] = {}

    def most(self, over: tree.Value) -> int | None:
        """Return how many members a collection has at most; None if that cannot be told."""
        match over:
            case tree.Place():
                return self.cards
            case tree.Use(var=var) if var.live:
                return self.cards
            case tree.Filter(over=inner) | tree.Sorted(cards=inner) | tree.Slice(cards=inner) | tree.RunAt(cards=inner):
                return self.most(inner)
            case tree.Each(over=inner):
                return self.most(inner)
            case tree.Partition(parts=parts) | tree.Combined(parts=parts) if isinstance(parts, tuple):
                counts = [self.most(part) for part in parts]
                return None if None in counts else sum(count for count in counts if count is not None)
            case tree.Names(texts=texts):
                return len(texts)
            case tree.Range(low=tree.Number(value=low), high=tree.Number(value=high)):
                return max(0, high - low + 1)
        if over.type in (Type.PLAYERS, Type.TEAMS):
            return self.seats
        return None

    def light(self, over: tree.Value, each: int) -> bool:
        """Whether going through a collection, at so many units for each member, cannot take long."""
        most = self.most(over)
        return most is not None and most * (each + 1) <= LIGHT

    def each(self, node: Loop | tree.Value) -> int:
        """Return the units for each member that a value goes through."""
        match node:
            case tree.Filter(test=test) | tree.Quantified(test=test):
                return _ROUND + self.of(test, inside=True)
            case tree.Each(cards=cards):
                return _ROUND + self.of(cards, inside=True)
            case tree.Combined(op="intersect" | "disjunction"):
                return _COUNTED
        return _EACH.get(type(node), 1)

    def few_times(self, node: tree.Repeat) -> int | None:
        """Return how often something is repeated, if that cannot take long."""
        if isinstance(node.count, tree.Number) and node.count.value * self.step(node.action) <= LIGHT:
            return node.count.value
        return None

    def of(self, node: object, *, inside: bool) -> int:
        """Return the units for doing something once. ``inside``: in a loop; loops in it are counted by themselves."""
        if isinstance(node, tuple):
            return sum(self.of(one, inside=inside) for one in node)
        if not isinstance(node, tree.Node):
            return 0
        key = id(node), inside
        if key not in self._known:
            self._known[key] = self._of(node, inside)
        return self._known[key]

    def _of(self, node: tree.Node, inside: bool) -> int:
        part: object
        match node:
            case tree.Filter(over=over) | tree.Quantified(over=over) | tree.Each(over=over):
                return 2 + self.of(over, inside=inside) + self.going(over, self.each(node), inside=inside)
            case tree.ForEach(over=over, step=step):
                return 2 + self.of(over, inside=inside) + self.going(over, self.step(step), inside=inside)
            case tree.Repeat(count=count, action=action):
                times = None if inside else self.few_times(node)
                work = _CALL if times is None else times * self.step(action)
                return 2 + self.of(count, inside=inside) + work
            case tree.RepeatAll(action=action):
                return 2 + self.of(action.card, inside=inside) + _CALL
            case tree.Place(name=name, who=who) | tree.Ref(name=name, who=who):
                return (1 if isinstance(name, tree.Name) else _NAMED + self.of(name, inside=inside)) + self.of(
                    who, inside=inside
                )
        found = _ACTION * self.act(node) if type(node) in _ACTIONS else _VALUE.get(type(node), 1)
        each = self.each(node) if type(node) in _EACH else 0  # type: ignore[arg-type]  # these are values
        for field in node.__dataclass_fields__:
            if field in ("at", "var"):
                continue
            part = getattr(node, field)
            found += self.of(part, inside=inside)
            if each and field in ("cards", "parts"):
                for one in part if isinstance(part, tuple) else (part,):
                    found += self.going(one, each, inside=inside)
        return found

    def going(self, over: tree.Value, each: int, *, inside: bool) -> int:
        """Return what a loop adds where it stands: all of it if it is light, else what counting it takes."""
        if inside or not self.light(over, each):
            return _CALL
        return (self.most(over) or 0) * (each + 1)

    def act(self, node: tree.Node) -> int:
        """Return what a simple action takes by itself, with the record of it and whatever tries it out, in 50 ns."""
        match node:
            case tree.Move():
                return 80 + 2 * self.cards + self._showing
            case tree.Remember() | tree.Forget():
                return 80 + self.cards + self._showing
            case tree.Shuffle():
                return 50 + 10 * self.cards + self.cards * self._showing
            case tree.SetPoints(awards=awards):
                return 50 + (len(awards) + 1) * self.cards
            case tree.CreateDeck(attributes=attributes):
                return 200 + self.cards + len(deck(attributes)) * (10 + self._showing)
            case tree.CreateTeams():
                return 200 + 4 * self.cards
            case tree.SetNumber() | tree.SetName() | tree.Pass() | tree.Cycle():
                return 40
        return 1

    def step(self, step: tree.Action) -> int:
        """Return the units that each round of a loop of steps takes: the loops in it are counted by themselves."""
        return _ROUND + self.of(step, inside=True)


_ACTIONS = (
    tree.Move,
    tree.Remember,
    tree.Forget,
    tree.Shuffle,
    tree.SetPoints,
    tree.CreateDeck,
    tree.CreateTeams,
    tree.SetNumber,
    tree.SetName,
    tree.Pass,
    tree.Cycle,
)
