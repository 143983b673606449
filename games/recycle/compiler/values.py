"""Values as Python expressions.

Players, teams, names and cards are whole numbers; cards a list of numbers, which for a place is the place's own list;
groups lists of such lists. Every expression stands in brackets or needs none. In generated code ``s`` is the state,
``L`` its places, ``W`` where each card lies, ``I``, ``S``, ``H`` and ``P`` its numbers, names, players and point maps.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from games.recycle import tree
from games.recycle.layout import Layout
from games.recycle.tree import Type, Var

UNROLLED = 8  # players for whom a test is written out one by one
SHORT = 40  # parts of such a test
FEW = 128  # members of a collection for which its steps are not counted: see ``Values.collection``
# What generated functions call by one letter.
LOCALS = {"L": "s.L", "W": "s.W", "I": "s.I", "S": "s.S", "H": "s.H", "P": "s.P"}
_CALLS = {"//": "divide", "%": "modulo", "^": "power"}
# Tests of these alone have no side effect, cannot fail and are quick: they may stop early.
_PLAIN = (tree.Number, tree.Name, tree.Stored, tree.Size, tree.Logic, tree.Not, tree.Compare, tree.Relative, tree.Use)


class Values:
    """Writes values. ``variables`` says what stands for each variable in the code, ``chance`` what draws come from."""

    def __init__(self, layout: Layout, keys: dict[str, int], cards: int) -> None:
        self.layout = layout
        self.cards = cards  # that there may be
        self.keys = keys  # attributes that are asked for by name, and the number of the table with their values
        self.variables: dict[Var, str] = {}
        self.live: dict[Var, str] = {}  # of variables that are bound to a place: the place's number
        self.texts: dict[Var, str] = {}  # of variables that are declared as a name: the name
        self.chance = "s.chance"
        self.current = "cur"  # the current player; where steps are tried out it may change
        self.depth = 0  # loops around what is being written
        self._each: Var | None = None  # the variable of the outermost loop, if that goes through all players
        self.random = False  # whether a value was written that draws from chance
        self._fresh = 0

    def fresh(self, letter: str) -> str:
        """Return a name that the code does not have yet."""
        self._fresh += 1
        return f"{letter}{self._fresh}"

    @contextmanager
    def bound(self, var: Var, name: str, over: tree.Value) -> Iterator[None]:
        """Within: ``name`` stands for the variable, in one more loop, which goes through ``over``."""
        self.variables[var] = name
        if not self.depth:
            self._each = var if _everybody(over) else None
        with self.deeper():
            yield

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Within: in one more loop."""
        self.depth += 1
        yield
        self.depth -= 1

    # -- stores, owners, places

    def owner(self, who: tree.Table | tree.Value) -> tuple[tree.Owner, str]:
        """Return the kind of an owner, and its number."""
        if isinstance(who, tree.Table):
            return "game", "0"
        return ("player" if who.type is Type.PLAYER else "team"), self.value(who)

    def slot(self, ref: tree.Ref) -> str:
        """Return the number of a store."""
        owner, number = self.owner(ref.who)
        name = self.text(ref.name)
        if name is not None:
            return _plus(self.layout.store(ref.what, owner, name, ref.vis), number)
        return f"s.store({ref.what!r}, {owner!r}, {number}, {self.value(ref.name)}, {ref.vis!r})"

    def text(self, name: tree.Value) -> str | None:
        """Return a name that is known before the game is played; None: it is not."""
        if isinstance(name, tree.Name):
            return name.text
        return self.texts.get(name.var) if isinstance(name, tree.Use) else None

    def scores(self, ref: tree.Ref) -> str:
        """Return the point map of a reference."""
        return f"P[{self.slot(ref)}]"

    def spot(self, place: tree.Value) -> str:
        """Return the number of a place, or of one that a variable is bound to."""
        if isinstance(place, tree.Use):
            return self.live[place.var]
        if not isinstance(place, tree.Place):
            raise TypeError(f"{type(place).__name__} is no place.")
        owned = not isinstance(place.who, tree.Table)
        number = self.owner(place.who)[1] if owned else "-1"
        name = self.text(place.name)
        if name is not None:
            base = self.layout.place(place.vis, owned, name)
            return _plus(base, number) if owned else str(base)
        return f"s.place({place.vis!r}, {number}, {self.value(place.name)})"

    def is_place(self, value: tree.Value) -> bool:
        """Return whether a value is the list of a place itself."""
        return isinstance(value, tree.Place) or (isinstance(value, tree.Use) and value.var in self.live)

    # -- values

    def value(self, node: tree.Value) -> str:
        """Return the expression for a value of any type."""
        return str(getattr(self, f"_{type(node).__name__}")(node))

    def collection(self, node: tree.Value, looked_at: tree.Value | None = None) -> str:
        """Return the expression for something to go through, whose members are counted as steps.

        ``looked_at``: what is worked out for each of them; every ten parts of it are one more step. A few members are
        not counted outside of loops: the round of the stage in which that stands counts for them.
        """
        found, size = self.value(node), _parts(looked_at)
        if size <= SHORT and self.few(node):
            return found
        return f"counted(s, {found}, {1 + size // 10})"

    def few(self, over: tree.Value) -> bool:
        """Return whether a collection never has many members, in all rounds of the loops around it together."""
        match over:
            case tree.Place() if self._each_has_one(over):
                return self.cards <= FEW
            case tree.Filter(over=inner) | tree.Sorted(cards=inner) | tree.Slice(cards=inner) | tree.RunAt(cards=inner):
                return self.few(inner)
        if self.depth:
            return False
        match over:
            case tree.Combined(op="union", parts=tree.Each() as each) if _of_everybody(each):
                return self.cards <= FEW
            case tree.Place():
                return self.cards <= FEW
            case tree.Use(var=var):
                return var.live and self.cards <= FEW
            case tree.Range(low=tree.Number(value=low), high=tree.Number(value=high)):
                return high - low < FEW
            case tree.Names(texts=texts):
                return len(texts) <= FEW
        return over.type in (Type.PLAYERS, Type.TEAMS)

    def _each_has_one(self, place: tree.Place) -> bool:
        """Return whether the only loop around a place is over its owners: then all their places share the cards."""
        who = place.who
        return self.depth == 1 and isinstance(who, tree.Use) and who.var is self._each and place.vis != "mem"

    def _Number(self, node: tree.Number) -> str:
        return str(node.value)

    def _Name(self, node: tree.Name) -> str:
        return str(self.layout.name(node.text))

    def _Use(self, node: tree.Use) -> str:
        if node.var in self.live:
            return f"L[{self.live[node.var]}]"
        return self.variables[node.var]

    def _Stored(self, node: tree.Stored) -> str:
        held = self._held(node)
        return f"holder({held})" if node.ref.what == "who" else held

    def _held(self, node: tree.Stored) -> str:
        return f"{_STORES[node.ref.what]}[{self.slot(node.ref)}]"

    def _Arith(self, node: tree.Arith) -> str:
        left, right = self.value(node.left), self.value(node.right)
        if node.op in ("+", "-"):
            return f"({left} {node.op} {right})"
        if node.op == "*":
            return f"number({left} * {right})"
        return f"{_CALLS[node.op]}({left}, {right})"

    def _Series(self, node: tree.Series) -> str:
        return f"{'triangle' if node.op == 'tri' else 'fibonacci'}({self.value(node.of)})"

    def _Random(self, node: tree.Random) -> str:
        self.random = True
        low = "0" if node.low is None else self.value(node.low)
        return f"drawn({low}, {self.value(node.high)}, {self.chance})"

    def _Size(self, node: tree.Size) -> str:
        return f"len({self.value(node.of)})"

    def _Sum(self, node: tree.Sum) -> str:
        scores, card = self.fresh("p"), self.fresh("v")
        table, cards = self.scores(node.using), self.collection(node.cards)
        return f"sum([{scores}[{card}] for {scores} in ({table},) for {card} in {cards}])"

    def _Score(self, node: tree.Score) -> str:
        return f"{self.scores(node.using)}[{self.value(node.card)}]"

    def _CardAtt(self, node: tree.CardAtt) -> str:
        table = self.attribute(node.key)
        card = tree.bare(node.card)
        if isinstance(card, tree.CardAt):
            cards = self.value(card.cards)
            if isinstance(card.where, str) and self.is_place(card.cards):
                return f"({table}[{cards}[{_END[card.where]}]] if {cards} else 0)"
            where = _END[card.where] if isinstance(card.where, str) else f"index({self.value(card.where)})"
            return f"attribute_at({table}, {cards}, {where})"
        return f"{table}[{self.value(card)}]"

    def attribute(self, key: tree.Value) -> str:
        """Return the table with the values of an attribute, by card."""
        name = self.text(key)
        if name is not None:
            return f"A{self.keys.setdefault(name, len(self.keys))}"
        return f"attribute({self.value(key)})"

    def _Logic(self, node: tree.Logic) -> str:
        return "(" + f" {node.op} ".join(self.value(part) for part in node.parts) + ")"

    def _Not(self, node: tree.Not) -> str:
        return f"(not {self.value(node.of)})"

    def _Compare(self, node: tree.Compare) -> str:
        if isinstance(node.left, tree.Size) and isinstance(node.right, tree.Number) and node.right.value == 0:
            if node.op == "==":
                return f"(not {self.value(node.left.of)})"
            if node.op in (">", "!="):
                return f"bool({self.value(node.left.of)})"
        return f"({self._compared(node.left)} {node.op} {self._compared(node.right)})"

    def _compared(self, node: tree.Value) -> str:
        """Return the expression for a value that is compared: -1 for nobody, and for the top of an empty place."""
        card = tree.bare(node)
        if isinstance(node, tree.Stored):
            return self._held(node)
        if not isinstance(card, tree.CardAt):
            return self.value(node)
        cards = self.value(card.cards)
        if isinstance(card.where, str) and self.is_place(card.cards):
            return f"({cards}[{_END[card.where]}] if {cards} else -1)"
        where = _END[card.where] if isinstance(card.where, str) else self.index(card.where)
        return f"card_at({cards}, {where})"

    def _Quantified(self, node: tree.Quantified) -> str:
        players = _everybody(node.over)
        short = _plain(node.test) and _parts(node.test) <= SHORT
        if players and short and self.layout.seats <= UNROLLED:
            tests = []
            for seat in range(self.layout.seats):
                self.variables[node.var] = str(seat)
                tests.append(self.value(node.test))
            return "(" + (" and " if node.op == "all" else " or ").join(tests) + ")"
        over, name = self.collection(node.over, node.test), self.fresh("v")
        with self.bound(node.var, name, node.over):
            # A list, not a generator: all tests are evaluated, so that a failing one is found in any case.
            return f"{node.op}([{self.value(node.test)} for {name} in {over}])"

    def _Relative(self, node: tree.Relative) -> str:
        if node.kind == "team":
            return {"current": "s.tcur", "next": "next_team(s)", "previous": "((s.tcur - 1) % len(s.teams))"}[
                node.which
            ]
        seats, cur = self.layout.seats, self.current
        return {
            "current": cur,
            "next": f"(s.queued if s.queued >= 0 else ({cur} + 1) % {seats})",
            "previous": f"(({cur} - 1) % {seats})",
        }[node.which]

    def _Numbered(self, node: tree.Numbered) -> str:
        most = str(self.layout.seats) if node.kind == "player" else "len(s.teams)"
        if isinstance(node.number, tree.Number) and node.kind == "player" and node.number.value < self.layout.seats:
            return str(node.number.value)
        return f"one_of({self.value(node.number)}, {most})"

    def _OwnerOf(self, node: tree.OwnerOf) -> str:
        return f"owner(s, {self.value(node.card)})"

    def _TeamOf(self, node: tree.TeamOf) -> str:
        return f"team_of(s, {self.value(node.player)})"

    def _CardAt(self, node: tree.CardAt) -> str:
        cards = self.value(node.cards)
        if isinstance(node.where, str):
            return f"{cards}[{_END[node.where]}]"
        return f"{cards}[{self.index(node.where)}]"

    def index(self, where: tree.Value) -> str:
        """Return the expression for a place from the bottom."""
        return str(where.value) if isinstance(where, tree.Number) else f"index({self.value(where)})"

    def _Extreme(self, node: tree.Extreme) -> str:
        self.random = True
        call = "best" if node.op == "max" else "worst"
        return f"{call}({self.collection(node.cards)}, {self.scores(node.using)}, {self.chance})"

    def _Actual(self, node: tree.Actual) -> str:
        return self.value(node.card)

    def _Place(self, node: tree.Place) -> str:
        return f"L[{self.spot(node)}]"

    def _Combined(self, node: tree.Combined) -> str:
        if node.op == "union":
            return self._joined(node)
        parts = self._each_counted(node) if isinstance(node.parts, tree.Each) else self._listed(node, node.parts)
        return f"{node.op}({parts})"

    def _listed(self, node: tree.Value, parts: tuple[tree.Value, ...]) -> str:
        return "[" + ", ".join(self.collection(part) for part in parts) + "]"

    def _each_counted(self, node: tree.Combined | tree.Partition) -> str:
        """Return the collections of an ``all``, each of them counted."""
        if not isinstance(node.parts, tree.Each):
            raise TypeError("These parts are listed.")
        parts = node.parts
        over, name = self.collection(parts.over, parts.cards), self.fresh("v")
        with self.bound(parts.var, name, parts.over):
            return f"[{self.collection(parts.cards)} for {name} in {over}]"

    def _joined(self, node: tree.Combined | tree.Partition) -> str:
        """Return all cards of all parts, in one list."""
        parts = node.parts
        if isinstance(parts, tree.Each):
            if _of_everybody(parts) and self.layout.seats <= UNROLLED:
                return "[" + ", ".join(f"*{cards}" for cards in self._written_out(parts)) + "]"
            over, name, card = self.collection(parts.over, parts.cards), self.fresh("v"), self.fresh("v")
            with self.bound(parts.var, name, parts.over):
                return f"[{card} for {name} in {over} for {card} in {self.collection(parts.cards)}]"
        return "[" + ", ".join(f"*{self.collection(part)}" for part in parts) + "]"

    def _written_out(self, each: tree.Each) -> Iterator[str]:
        """Yield the expression for the cards of each player."""
        for seat in range(self.layout.seats):
            self.variables[each.var] = str(seat)
            yield self.collection(each.cards)

    def _Each(self, node: tree.Each) -> str:
        over, name = self.collection(node.over, node.cards), self.fresh("v")
        with self.bound(node.var, name, node.over):
            return f"[{self.value(node.cards)} for {name} in {over}]"

    def _Filter(self, node: tree.Filter) -> str:
        over, name = self.collection(node.over, node.test), self.fresh("v")
        with self.bound(node.var, name, node.over):
            there = f"{name} and " if node.type is Type.GROUPS else ""
            return f"[{name} for {name} in {over} if {there}{self.value(node.test)}]"

    def _GroupAt(self, node: tree.GroupAt) -> str:
        groups = self.value(node.groups)
        if isinstance(node.where, str):
            return f"{groups}[{0 if node.where == 'top' else -1}]"
        return f"{groups}[{self.index(node.where)}]"

    def _Slice(self, node: tree.Slice) -> str:
        return f"{node.end}most({self.collection(node.cards)}, {self.value(node.count)})"

    def _RunAt(self, node: tree.RunAt) -> str:
        cards = self.collection(node.cards)
        seen = f"{cards}[::-1]" if node.end == "top" else cards
        return f"run_at({seen}, {self.value(node.least)}, {self.scores(node.using)})"

    def _Sorted(self, node: tree.Sorted) -> str:
        return f"by_score({self.collection(node.cards)}, {self.scores(node.using)})"

    def _Tuples(self, node: tree.Tuples) -> str:
        return self._many(f"tuples({self.value(node.count)}, {self.collection(node.cards)}, {self.scores(node.using)})")

    def _Partition(self, node: tree.Partition) -> str:
        return f"partition({self._joined(node)}, {self.attribute(node.key)})"

    def _Subsets(self, node: tree.Subsets) -> str:
        return self._many(f"subsets({self.collection(node.cards)})")

    def _Selections(self, node: tree.Selections) -> str:
        return self._many(f"selections({self.value(node.count)}, {self.collection(node.cards)})")

    def _Runs(self, node: tree.Runs) -> str:
        call = "largest_runs" if node.which == "largest" else "all_runs"
        return self._many(f"{call}({self.value(node.least)}, {self.collection(node.cards)}, {self.scores(node.using)})")

    @staticmethod
    def _many(groups: str) -> str:
        """Return the expression for groups of which there may be very many."""
        return f"counted_groups(s, {groups})"

    def _Names(self, node: tree.Names) -> str:
        return "(" + "".join(f"{self.layout.name(text)}, " for text in node.texts) + ")"

    def _Everybody(self, node: tree.Everybody) -> str:
        return f"range({self.layout.seats})" if node.kind == "player" else "range(len(s.teams))"

    def _Others(self, node: tree.Others) -> str:
        if node.kind == "player":
            return f"OTHERS[{self.current}]"
        return "[team for team in range(len(s.teams)) if team != s.tcur]"

    def _TeamPlayers(self, node: tree.TeamPlayers) -> str:
        return f"s.teams[{self.value(node.team)}]"

    def _Range(self, node: tree.Range) -> str:
        return f"numbers({self.value(node.low)}, {self.value(node.high)})"


_END = {"top": -1, "bottom": 0}
_STORES = {"sto": "I", "str": "S", "who": "H"}


def _everybody(over: tree.Value) -> bool:
    """Return whether a collection is that of all players."""
    return isinstance(over, tree.Everybody) and over.kind == "player"


def _of_everybody(each: tree.Each) -> bool:
    """Return whether cards are those of a place of each player."""
    cards = each.cards
    return (
        _everybody(each.over)
        and isinstance(cards, tree.Place)
        and isinstance(cards.who, tree.Use)
        and cards.who.var is each.var
    )


def _parts(node: object) -> int:
    """Return how many parts something has."""
    return sum(1 for _ in tree.walk(node))


def _plus(base: int, number: str) -> str:
    if number.isdecimal():
        return str(base + int(number))
    return number if base == 0 else f"{base} + {number}"


def _plain(node: tree.Value) -> bool:
    """Return whether a test may stop early: see ``_PLAIN``."""
    if not isinstance(node, _PLAIN):
        return False
    match node:
        case tree.Logic(parts=parts):
            return all(map(_plain, parts))
        case tree.Not(of=of):
            return _plain(of)
        case tree.Compare(left=left, right=right):
            return _plain(left) and _plain(right)
        case tree.Size(of=of):
            return (
                isinstance(of, tree.Place)
                and (isinstance(of.who, tree.Table) or _plain(of.who))
                and isinstance(of.name, tree.Name)
            )
        case tree.Stored(ref=ref):
            mine = isinstance(ref.who, tree.Table) or _plain(ref.who)
            return ref.what != "who" and mine and isinstance(ref.name, tree.Name)
    return True
