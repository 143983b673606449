"""How many cards lie where, as far as the text alone says: warnings about steps that take more than there are.

A text is followed once for each number of players that it allows, from the setup on. Numbers, names, players, turns and
how many cards are in each place are known at the start, and remain known as long as they depend neither on chance nor
on what players choose. What may or may not be done, or how often is unknown, leaves bounds for what it may change, and
nothing in it is reported. So a step that is reported fails in every match with so many players.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Set
from dataclasses import dataclass, replace
from math import inf
from typing import Any, NamedTuple

from games.core.messages import Message, message, template
from games.core.moves import RulesFailed
from games.recycle import operations
from games.recycle.constants import constant, number_node
from games.recycle.logic import holds
from games.recycle.problems import Problem, players_of, with_players
from games.recycle.tree import (
    Action,
    Arith,
    Attribute,
    Block,
    CardAt,
    Choice,
    Combined,
    Compare,
    CreateDeck,
    CreateTeams,
    Cycle,
    Declare,
    Do,
    Each,
    Everybody,
    Extreme,
    Filter,
    ForEach,
    GameNode,
    Let,
    Logic,
    Move,
    Name,
    Names,
    Node,
    Not,
    Number,
    Numbered,
    Others,
    Place,
    Quantified,
    Range,
    Ref,
    Relative,
    Repeat,
    RepeatAll,
    Series,
    SetName,
    SetNumber,
    SetPlayer,
    Shuffle,
    Size,
    Slice,
    Span,
    Stage,
    Stored,
    Table,
    Target,
    TeamOf,
    TeamPlayers,
    Type,
    Use,
    Var,
    When,
    bare,
    owner_of,
    walk,
)

MOST_STEPS = 20_000  # for each number of players; what comes after them in the text is not examined
MOST_PLAYERS = 20

TAKEN = template("{taken:,} cards are taken from {name} ({word}) here, but it has {there:,}.")
TAKEN_AT_MOST = template("{taken:,} cards are taken from {name} ({word}) here, but it has at most {there:,}.")
EMPTY = template("A card is taken from {name} ({word}) here, but no card is there then.")


class Spot(NamedTuple):
    """A place: its word, its owner (-1: the table), its name."""

    vis: str
    owner: int
    name: str


class Slot(NamedTuple):
    """A store: its word, the kind of its owner, the owner's number, its name."""

    word: str
    kind: str
    owner: int
    name: str


class Count(NamedTuple):
    """How many cards are in a place: the least and the most."""

    least: float
    most: float


class Family(NamedTuple):
    """Places that differ in their owner, or of which no more is known. None: any."""

    vis: str | None
    owned: bool | None  # by a player
    name: str | None

    def has(self, spot: Spot) -> bool:
        """Return whether a place is one of them."""
        wanted = (spot.vis, spot.owner >= 0, spot.name)
        return all(mine in (None, its) for mine, its in zip(self, wanted, strict=True))


NO_CARDS = Count(0, 0)
ANY_PLACE = Family(None, None, None)


@dataclass(frozen=True, slots=True)
class TooMany:
    """A step that takes more cards out of a place than there are. ``exact``: else ``there`` is the most that can be."""

    at: Span
    spot: Spot
    taken: int
    there: int
    exact: bool

    @property
    def text(self) -> Message:
        """What is wrong."""
        name, word = self.spot.name, self.spot.vis
        if self.taken == 1 or not self.there:
            return message(EMPTY, name=name, word=word)
        sentence = TAKEN if self.exact else TAKEN_AT_MOST
        return message(sentence, taken=self.taken, name=name, word=word, there=self.there)


class _Stop(Exception):
    """Nothing more can be found out."""


class _Found(Exception):
    """A step that takes too many cards was found."""

    def __init__(self, what: TooMany) -> None:
        super().__init__(what)
        self.what = what


def too_many_taken(game: GameNode) -> Iterator[Problem]:
    """Yield a warning about each step that takes more cards than there are, with the fewest players of whom it does."""
    low, high = _players(game)
    facts = _Facts(game)
    followed = {seats: _followed(facts, seats) for seats in range(low, high + 1)}
    seen: set[Span] = set()
    for seats, found in followed.items():
        if found is None or found.at in seen:
            continue
        seen.add(found.at)
        hint = message("A match that comes to it breaks off.")
        problem = Problem("warning", found.at, found.text, hint)
        if any(other is None or other.at != found.at for other in followed.values()):
            if all(other is None for fewer, other in followed.items() if fewer < seats) and seats > low:
                enough = message("With at most {players} there are enough cards.", players=players_of(seats - 1))
                problem = replace(problem, hint=enough)
            problem = with_players(seats, problem)
        elif len({other.text for other in followed.values() if other}) > 1:
            problem = with_players(seats, problem)
        yield problem


def _players(game: GameNode) -> tuple[int, int]:
    """Return how many players a text allows: the fewest and the most; none at all if it does not say."""
    players = game.players
    ends = (players.low, players.high) if isinstance(players, Range) else (players, players)
    low, high = map(constant, ends)
    return (1, 0) if low is None or high is None else (max(1, low), min(high, MOST_PLAYERS))


def _followed(facts: _Facts, seats: int) -> TooMany | None:
    """Return the first step that takes too many cards with so many players."""
    try:
        return _World(facts, seats).run()
    except (_Stop, RulesFailed, RecursionError):  # the rest of the text is not known
        return None


def _ways(attribute: Attribute) -> int:
    return sum(sum(map(_ways, value.under)) if value.under else 1 for value in attribute.values)


def _cards_made(deck: CreateDeck) -> int:
    """Return how many pieces a deck statement makes: of a die, one of its faces at a time."""
    found = 1
    for attribute in deck.attributes:
        found *= _ways(attribute)
    return 1 if deck.kind == "die" and found else found


@dataclass(frozen=True, slots=True)
class _Changes:
    """What a part of a text may change."""

    sources: Set[Family]  # places that may lose cards
    targets: Set[Family]  # places that may get some
    stores: Set[tuple[str, str | None]]  # words and names; None: any
    makes_cards: bool
    next: bool
    current: bool
    teams: bool


class _Facts:
    """What a text says of its places, whatever the number of players is."""

    def __init__(self, game: GameNode) -> None:
        self.game = game
        self._changes: dict[int, _Changes] = {}  # by part
        self._lie: dict[Var, Set[Family]] = {}  # by variable: where its cards may lie
        self._bound: dict[Var, Node] = {}  # by variable: what it is a member of, or stands for
        for node in walk(game):
            match node:
                case Declare(value=value, var=var) | Let(value=value, var=var):
                    self._bound[var] = value
                case ForEach(over=over, var=var) | Quantified(over=over, var=var):
                    self._bound[var] = over
                case Filter(over=over, var=var) | Each(over=over, var=var):
                    self._bound[var] = over
        self.filled = self._put(walk(game))  # where the text ever puts cards
        self._moved_to = self._put(node for node in walk(game) if not isinstance(node, CreateDeck))

    def changes(self, part: object) -> _Changes:
        """Return what a part may change, if it is done any number of times or not at all."""
        if id(part) not in self._changes:
            nodes = list(walk(part))
            sources = set[Family]()
            for node in nodes:
                if isinstance(node, Move):
                    sources |= self.sources(node.card)
                elif isinstance(node, Shuffle) and node.second is not None:
                    sources |= self.sources(node.second)
            self._changes[id(part)] = _Changes(
                sources=sources,
                targets=self._put(nodes),
                stores={store_family(node.ref) for node in nodes if isinstance(node, SetNumber | SetName | SetPlayer)},
                makes_cards=any(isinstance(node, CreateDeck) for node in nodes),
                next=any(isinstance(node, Cycle) for node in nodes),
                current=any(isinstance(node, Cycle) and node.op == "current" for node in nodes),
                teams=any(isinstance(node, CreateTeams) for node in nodes),
            )
        return self._changes[id(part)]

    def _put(self, nodes: Iterable[Node]) -> set[Family]:
        """Return the families of the places into which some actions put cards."""
        found = set[Family]()
        for node in nodes:
            match node:
                case CreateDeck(place=place) | Move(to=Target(place=place)):
                    found.add(self.family(place))
                case Shuffle(cards=place, second=second) if second is not None:
                    found.add(self.family(place))
        return found

    def family(self, place: Node) -> Family:
        """Return of which family a place is."""
        if isinstance(place, Use) and place.var in self._bound:
            return self.family(self._bound[place.var])
        if isinstance(place, Place):
            name = place.name.text if isinstance(place.name, Name) else None
            return Family(place.vis, not isinstance(place.who, Table), name)
        return ANY_PLACE

    def sources(self, card: Node) -> set[Family]:
        """Return the families of the places where a card may lie."""
        found = set[Family]()
        for node in walk(card):
            match node:
                case Place(vis="mem"):
                    return {ANY_PLACE}
                case Place():
                    found.add(self.family(node))
                case Use(var=var) if var.type in (Type.CARD, Type.CARDS, Type.GROUPS):
                    if var not in self._lie:
                        moved = set() if var.live else self._moved_to  # it may have been moved since
                        self._lie[var] = self.sources(self._bound[var]) | moved
                    found |= self._lie[var]
        return found


def store_family(ref: Ref) -> tuple[str, str | None]:
    """Return the word and the name of a store. Its owner does not matter."""
    return ref.word, ref.name.text if isinstance(ref.name, Name) else None


class _World:
    """What is known of a match. A value that is not known is None."""

    def __init__(self, facts: _Facts, seats: int) -> None:
        self.facts, self.game, self.seats = facts, facts.game, seats
        self.places: dict[Spot, Count] = {}
        self.filled: set[Family] = set()  # where there may be cards, in places that are not among them
        self.cards: float = 0  # of the whole match
        self.stores: dict[Slot, Any] = {}
        # Words and names (None: any) of stores of which those that are not in ``stores`` are not known.
        self.vague: set[tuple[str, str | None]] = set()
        self.env: dict[Var, Any] = {}  # a place is a Spot
        self.cur: int | None = 0
        self.queued: int | None = -1  # -1: the next seat
        self.tcur: int | None = 0
        self.teams: tuple[tuple[int, ...], ...] | None = tuple((seat,) for seat in range(seats))
        if facts.game.teams:
            self.teams = facts.game.teams.teams
        self.steps = MOST_STEPS
        self.trying = False  # the options of a choice
        self.around: list[Node] = []  # loops around the step that is followed, the outermost first
        self.taken: dict[Spot, int] = defaultdict(int)  # cards, since the outermost of them began
        self.failing: tuple[Span, Spot] | None = None

    def copy(self) -> _World:
        """Return a copy in which something can be tried."""
        self.step(5 + (len(self.places) + len(self.stores)) // 3)
        found = object.__new__(_World)
        found.__dict__ = self.__dict__.copy()
        for name in ("places", "filled", "stores", "vague", "env", "taken", "around"):
            setattr(found, name, getattr(self, name).copy())
        return found

    @property
    def team_count(self) -> int | None:
        return None if self.teams is None else len(self.teams)

    def step(self, count: int = 1) -> None:
        """Count steps, which are about as much work each."""
        self.steps -= count
        if self.steps < 0:
            raise _Stop

    # -- the course of a match

    def run(self) -> TooMany | None:
        """Return the first step that takes too many cards. Raises _Stop when no more is known."""
        for declare in self.game.declares:
            self.env[declare.var] = self.named(declare.value)
        try:
            for deck in self.game.decks:
                self.now(deck)
            self.blocks(self.game.blocks)
        except _Found as found:
            return found.what
        return None

    def blocks(self, blocks: tuple[Block, ...]) -> None:
        for block in blocks:
            match block:
                case Stage():
                    self.stage(block)
                case Choice():
                    self.choice(block)
                case _:
                    self.now(block)

    def stage(self, stage: Stage) -> None:
        outside = self.cur, self.queued, self.tcur
        if stage.kind == "player":
            self.queued = -1
        first = True
        while (over := self.value(stage.end)) is False:
            self.step(10)
            if not first and stage.kind == "player":
                self.cur, self.queued = self.next_player(), -1
            elif not first:
                self.tcur = self.relative(self.tcur, 1, self.team_count)
            first = False
            self.blocks(stage.blocks)
        if over is None:
            self.may(stage.blocks)
        if stage.kind == "player":
            self.cur, self.queued, _ = outside
        else:
            self.tcur = outside[2]

    def choice(self, choice: Choice) -> None:
        """Try each option of each player; then any of them may have been taken."""
        current = self.cur
        players = [current] if choice.players is None else self.value(choice.players)
        if players == []:
            return
        for player in players or ():
            for step in choice.steps:
                world = self.copy()
                world.cur, world.trying = player, True
                world.now(step)
                self.steps = world.steps
        self.may(choice.steps)
        if choice.players is not None:
            self.cur = current

    # -- steps that are certainly done

    def now(self, step: Action) -> None:
        """Follow a step, and what it means for the counts. Raises _Found at the end of a loop that takes too many."""
        if not self.around:
            self.taken.clear()
        loop = isinstance(step, ForEach | Repeat | RepeatAll)
        if loop:
            self.around.append(step)
        self.step(3)
        self._now(step)
        if loop:
            self.around.pop()
        if self.failing and not self.around:
            raise _Found(self.too_many(*self.failing))

    def _now(self, step: Action) -> None:
        match step:
            case Do(steps=steps):
                for inner in steps:
                    self.now(inner)
            case When(test=test, body=body):
                holds = self.value(test)
                if holds:
                    self.now(body)
                elif holds is None:
                    self.may(body)
            case Let(value=value, var=var, step=inner):
                self.env[var] = self.named(value)
                self.now(inner)
            case ForEach():
                self.for_each(step)
            case Repeat(count=count, action=Move() as move):
                times = self.value(count)
                if times is None:
                    self.may(move)
                elif any(isinstance(node, Size) for node in walk(move)):  # which place it is may change
                    for _ in range(times):
                        self.now(move)
                elif times > 0:
                    self.move(move, times)
            case Repeat(count=count, action=action):
                times = self.value(count)
                if times is None:
                    self.may(action)
                for _ in range(times or 0):
                    self.now(action)
            case RepeatAll(action=Move() as move):
                self.move_all(move)
            case Move():
                self.move(step, 1)
            case CreateDeck():
                self.create(step)
            case SetNumber(op=op, ref=ref, value=value):
                self.set_number(op, ref, self.value(value))
            case SetName(ref=ref, value=value) | SetPlayer(ref=ref, value=value):
                self.store(ref, self.value(value))
            case Cycle(op="next", player=player):
                self.queued = self.value(player)
            case Cycle(player=player):
                self.cur = self.value(player)
            case CreateTeams(teams=teams):
                self.teams = teams
            case Shuffle(second=None):
                pass
            case Shuffle():  # all cards of the second place come into the first
                self.may(step)

    def for_each(self, step: ForEach) -> None:
        members = self.value(step.over)
        if step.over.type is Type.CARDS:
            size = self.size(step.over)
            members = [] if size == 0 else None
            if size and self.trying and step.op == "any":
                members = [None]  # any of the cards
        if members is None:
            self.may(step.step)
        elif self.trying and step.op == "any":  # alternatives: each is tried, and one of them may be taken
            for member in members:
                world = self.copy()
                world.env[step.var] = member
                world.now(step.step)
                self.steps = world.steps
                if world.failing:
                    raise _Found(world.too_many(*world.failing))
            self.may(step.step)
        else:
            for member in members:
                self.env[step.var] = member
                self.now(step.step)

    def create(self, deck: CreateDeck) -> None:
        made = _cards_made(deck)
        self.cards += made
        spot = self.spot(deck.place)
        if spot is None:
            self.may_get({self.facts.family(deck.place)})
        else:
            self.add(spot, made)

    def move(self, step: Move, times: int) -> None:
        """Follow a move that is done so many times."""
        card = bare(step.card)
        if not isinstance(card, CardAt | Extreme):
            self.may(step)
            return
        source, target = self.spot(card.cards), self.spot(step.to.place)
        if source is None or source.vis == "mem":
            self.may(step)
            return
        most = self.count(source).most
        if most < (1 if source == target else times) and self.failing is None:
            if not any(family.has(source) for family in self.facts.filled):
                raise _Stop  # there is a warning that no card ever gets there
            self.failing = self._where(step), source
        self.taken[source] += times
        if source == target:
            return
        self.add(source, -times)
        if target is None:
            self.may_get({self.facts.family(step.to.place)})
        else:
            self.add(target, times)

    def move_all(self, step: Move) -> None:
        card = bare(step.card)
        if not isinstance(card, CardAt | Extreme):
            self.may(step)
            return
        source, target = self.spot(card.cards), self.spot(step.to.place)
        if source is None or target is None or source.vis == "mem":
            self.may(step)
        elif source != target:
            moved, there = self.count(source), self.count(target)
            if moved.least == moved.most:
                self.taken[source] += int(moved.most)
            self.places[source] = NO_CARDS
            self.places[target] = Count(there.least + moved.least, min(self.cards, there.most + moved.most))

    def count(self, spot: Spot) -> Count:
        """Return how many cards are in a place."""
        if spot in self.places:
            return self.places[spot]
        return Count(0, self.cards) if any(family.has(spot) for family in self.filled) else NO_CARDS

    def add(self, spot: Spot, count: int) -> None:
        least, most = self.count(spot)
        # A place in which cards are missing has fewer than none, until the loop around is done.
        low = max(0, least + count) if least < most else least + count
        self.places[spot] = Count(low, most + count)

    def _where(self, step: Move) -> Span:
        """Return the part of the text that says how many cards are moved: the repeat, or the move."""
        inner = self.around[-1] if self.around else step
        return inner.at if isinstance(inner, Repeat) else step.at

    def too_many(self, at: Span, spot: Spot) -> TooMany:
        """Return what is wrong, at the end of the outermost loop."""
        least, most = self.count(spot)
        taken = self.taken[spot]
        return TooMany(at, spot, taken, max(0, int(most) + taken), least == most)

    # -- steps that may be done, or not, any number of times

    def may(self, part: object) -> None:
        """Forget what a part of the text may change."""
        changes = self.facts.changes(part)
        self.step(10 + len(self.places) * (len(changes.sources) + len(changes.targets)) // 3)
        if changes.makes_cards:
            self.cards = inf
        for spot, (least, most) in self.places.items():
            if any(family.has(spot) for family in changes.sources):
                self.places[spot] = Count(min(0, least), most)
        self.may_get(changes.targets)
        for word, name in changes.stores:
            self.forget_store(word, name)
        if changes.next:
            self.queued = None
        if changes.current:
            self.cur = None
        if changes.teams:
            self.teams = None

    def may_get(self, families: Set[Family]) -> None:
        """Any number of cards may have come into the places of some families."""
        self.filled |= families
        for spot, (least, _) in self.places.items():
            if any(family.has(spot) for family in families):
                self.places[spot] = Count(least, self.cards)

    # -- stores

    def slot(self, ref: Ref) -> Slot | None:
        """Return the store that is meant, if that is known."""
        name = self.value(ref.name)
        owner = -1 if isinstance(ref.who, Table) else self.value(ref.who)
        return Slot(ref.word, owner_of(ref), owner, name) if owner is not None and name is not None else None

    def store(self, ref: Ref, value: Any) -> None:
        """Note what a store holds; of one that is not known, all that it may be are forgotten."""
        slot = self.slot(ref)
        if slot is not None:
            self.stores[slot] = value
        else:
            self.forget_store(*store_family(ref))

    def forget_store(self, word: str, name: str | None) -> None:
        """Forget what the stores of a word and a name (None: any) hold."""
        self.vague.add((word, name))
        for each in [each for each in self.stores if each.word == word and name in (None, each.name)]:
            del self.stores[each]

    def set_number(self, op: str, ref: Ref, value: int | None) -> None:
        if op != "set":
            slot = self.slot(ref)
            before = self.held(slot, 0) if slot else None
            value = None if value is None or before is None else before + value if op == "inc" else before - value
        self.store(ref, None if value is None else operations.number(value))

    def held(self, slot: Slot, unset: Any) -> Any:
        vague = (slot.word, slot.name) in self.vague or (slot.word, None) in self.vague
        return self.stores.get(slot, None if vague else unset)

    # -- values

    def spot(self, place: Node) -> Spot | None:
        """Return the place that is meant, if that is known."""
        if isinstance(place, Use):
            found = self.env.get(place.var)
            return found if isinstance(found, Spot) else None
        if not isinstance(place, Place):
            return None
        name, owner = self.value(place.name), -1
        if not isinstance(place.who, Table):
            owner = self.value(place.who)
        return Spot(place.vis, owner, name) if name is not None and owner is not None else None

    def named(self, value: Node) -> Any:
        """Return what a variable is bound to."""
        if isinstance(value, Place):
            return self.spot(value)
        if isinstance(value, Use) and isinstance(self.env.get(value.var), Spot):
            return self.env[value.var]
        return self.value(value)

    def next_player(self) -> int | None:
        return self.relative(self.cur, 1, self.seats) if self.queued == -1 else self.queued

    @staticmethod
    def relative(one: int | None, step: int, of: int | None) -> int | None:
        return None if one is None or not of else (one + step) % of

    def size(self, cards: Node) -> int | None:
        """Return how many cards there are in an expression, if that is known."""
        match cards:
            case Place() | Use():
                spot = self.spot(cards)
                if spot is None or spot.vis == "mem":
                    return None
                least, most = self.count(spot)
                return int(most) if least == most else None
            case Combined(op="union", parts=tuple() as parts):
                sizes = [self.size(part) for part in parts]
                return None if None in sizes else sum(size for size in sizes if size is not None)
            case Combined(op="union", parts=Each(over=over, var=var, cards=inner)):
                found = 0
                members = self.value(over)
                for member in members or ():
                    self.env[var] = member
                    size = self.size(inner)
                    if size is None:
                        return None
                    found += size
                return None if members is None else found
            case Slice(count=count, cards=inner):
                there, wanted = self.size(inner), self.value(count)
                return None if there is None or wanted is None else min(there, max(0, wanted))
        return None

    def value(self, value: Node) -> Any:
        """Return a number, a truth, a name, a player, a team, or a list of these; None if it is not known."""
        self.step()
        match value:
            case Number(value=number):
                return number
            case Name(text=text):
                return text
            case Names(texts=texts):
                return list(texts)
            case Use(var=var):
                found = self.env.get(var)
                return None if isinstance(found, Spot) else found
            case Stored(ref=ref):
                slot = self.slot(ref)
                return self.held(slot, {"sto": 0, "str": ""}.get(ref.what)) if slot else None
            case Arith() | Series():
                return self.computed(value)
            case Size(of=of):
                if of.type is Type.CARDS:
                    return self.size(of)
                members = self.value(of)
                return None if members is None else len(members)
            case Not(of=inner):
                holds = self.value(inner)
                return None if holds is None else not holds
            case Logic(op=op, parts=parts):
                return _joined(op == "and", [self.value(part) for part in parts])
            case Compare():
                return self.compared(value)
            case Quantified(op=op, over=over, var=var, test=test):
                if over.type is Type.CARDS:
                    return (op == "all") if self.size(over) == 0 else None
                members = self.value(over)
                return None if members is None else _joined(op == "all", list(self.each(members, var, test)))
            case Relative(which=which, kind=kind):
                if kind == "player" and which == "next":
                    return self.next_player()
                away = {"current": 0, "next": 1, "previous": -1}[which]
                if kind == "player":
                    return self.relative(self.cur, away, self.seats)
                return self.relative(self.tcur, away, self.team_count)
            case Numbered(number=which, kind=kind):
                found, there = self.value(which), self.seats if kind == "player" else len(self.teams or ())
                return found if found is not None and 0 <= found < there else None
            case TeamOf(player=player):
                whose = self.value(player)
                teams = enumerate(self.teams or ())
                return next((team for team, members in teams if whose in members), None)
            case Everybody(kind="player"):
                return list(range(self.seats))
            case Everybody():
                return None if self.teams is None else list(range(len(self.teams)))
            case Others(kind=kind):
                one = self.cur if kind == "player" else self.tcur
                there = self.seats if kind == "player" else len(self.teams or ())
                return None if one is None or not there else [each for each in range(there) if each != one]
            case TeamPlayers(team=team):
                which = self.value(team)
                return None if which is None or self.teams is None else list(self.teams[which])
            case Range(low=low, high=high):
                ends = self.value(low), self.value(high)
                return None if None in ends else operations.numbers(*ends)
            case Filter(over=over, var=var, test=test) if over.type is not Type.CARDS:
                members = self.value(over)
                if members is None:
                    return None
                passed = list(self.each(members, var, test))
                return None if None in passed else [one for one, holds in zip(members, passed, strict=True) if holds]
        return None

    def each(self, members: Any, var: Var, test: Node) -> Iterator[Any]:
        """Yield the value of an expression for each member."""
        for member in members:
            self.env[var] = member
            yield self.value(test)

    def computed(self, value: Arith | Series) -> int | None:
        if isinstance(value, Series):
            of = self.value(value.of)
            return None if of is None else constant(replace(value, of=number_node(of, value.at)))
        left, right = self.value(value.left), self.value(value.right)
        if left is None or right is None:
            return None
        known = replace(value, left=number_node(left, value.at), right=number_node(right, value.at))
        return constant(known)

    def compared(self, value: Compare) -> bool | None:
        if value.left.type in (Type.CARD, Type.CARDS):
            return None
        left, right = self.value(value.left), self.value(value.right)
        if left is None or right is None:
            return None
        return holds(value.op, left, right)


def _joined(every: bool, parts: Collection[bool | None]) -> bool | None:
    """Return whether every part holds, or any of them; None if that is not known."""
    if (not every) in parts:
        return not every
    return None if None in parts else every
