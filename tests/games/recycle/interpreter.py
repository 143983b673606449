"""A second interpreter of RECYCLE, slow and obvious: it walks the tree of a text, and does what the language page says.

It shares the reader with the product, and nothing else. A card is (the deck statement that made it, its number there);
a place and a store are known by what the text calls them; options are found by trying each in a copy of the world.
Draws are made in the order in which a text comes to them, so that with one seed both make the same ones.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from copy import copy, deepcopy
from fractions import Fraction
from itertools import combinations, product
from typing import Any, NamedTuple

from games.core.chance import Chance
from games.recycle import tree as t

MOST_WORK = 500_000  # values that are worked out in a match

Card = tuple[int, int]
Action = tuple[Any, ...]  # what is done: its word, and all that it is done with


class Failed(Exception):
    """The text asks for what cannot be done."""


class Unclear(Exception):
    """The page does not say what this means."""


class Spot(NamedTuple):
    """A place: its word, its owner (-1: the table), its name."""

    vis: str
    owner: int
    name: str


class Slot(NamedTuple):
    """A store: its word, the kind of its owner, the owner's number, its name, who sees it."""

    what: str
    kind: str
    owner: int
    name: str
    vis: str


class Step(NamedTuple):
    """A part of an option: what it does, or, if that is drawn when the option is taken, how to find that out then."""

    action: Action
    later: Callable[[World], Action] | None


def fail(why: str) -> Any:
    raise Failed(why)


def ways_of(attribute: t.Attribute) -> Iterator[dict[str, str]]:
    """Yield the ways in which a card can have an attribute."""
    for value in attribute.values:
        for way in [way for under in value.under for way in ways_of(under)] or [{}]:
            yield {attribute.key: value.text, **way}


def cards_of(made: t.CreateDeck) -> list[dict[str, str]]:
    """Return the attributes of each card of a deck."""
    ways = product(*(list(ways_of(attribute)) for attribute in made.attributes))
    return [{key: value for part in way for key, value in part.items()} for way in ways]


class World:
    """A position of a text, and all that can be asked of it and done to it."""

    def __init__(self, game: t.GameNode, seats: int, chance: Chance) -> None:
        self.game, self.seats, self.chance = game, seats, chance
        self.places: dict[Spot, list[Card]] = {}
        self.lies: dict[Card, Spot] = {}
        self.stores: dict[Slot, Any] = {}
        self.env: dict[int, Any] = {}  # variables: a place is a Spot
        self.noted: dict[int, Spot] = {}  # variables that go through a memory
        self.cur, self.queued, self.tcur, self.decided = 0, -1, 0, 0
        self.knows: set[tuple[int, Card]] = (
            set()
        )  # which audience (the last one: spectators) knows which card lies where
        self.used: set[tuple[str, bool, str]] = set()  # the names of places where a card has ever lain
        self.known_to: dict[Slot, set[int]] = {}  # of stores that were set: who knows what they hold
        self.chooser = -1  # whose choice is being carried out
        self.steps: list[Step] = []  # of the option that is being tried
        self.trying = self.drawn = False
        self.work = [MOST_WORK]  # left, of this world and its copies together
        self.statements = [self._deck(made) for made in game.decks]
        self.statements += [node for node in t.walk(game.blocks) if isinstance(node, t.CreateDeck)]
        self.made = [0] * len(self.statements)
        self.attributes = [cards_of(made) for made in self.statements]
        self.teams = list(game.teams.teams) if game.teams else [(seat,) for seat in range(seats)]

    @staticmethod
    def _deck(made: t.Node) -> t.CreateDeck:
        while isinstance(made, t.Repeat):
            made = made.action
        assert isinstance(made, t.CreateDeck)
        return made

    def copy(self) -> World:
        self.tire(50)
        found = copy(self)
        found.places = {spot: cards[:] for spot, cards in self.places.items()}
        found.lies, found.stores, found.noted = self.lies.copy(), self.stores.copy(), self.noted.copy()
        found.env, found.steps = deepcopy(self.env), self.steps[:]
        found.made, found.teams, found.knows, found.used = self.made[:], self.teams[:], set(self.knows), set(self.used)
        return found

    def tire(self, units: int) -> None:
        self.work[0] -= units
        if self.work[0] < 0:
            raise Unclear("what comes of so much work: it would take too long")

    # -- the game

    def run(self) -> Generator[list[list[Step]], int, None]:
        """Play: yield the options of each choice, and be sent the number of the one that is taken."""
        for declare in self.game.declares:
            self.env[id(declare.var)] = self.named(declare.value)
        for made in self.game.decks:
            self.now(made)
        yield from self.blocks(self.game.blocks)

    def blocks(self, blocks: tuple[t.Block, ...]) -> Generator[list[list[Step]], int, None]:
        for block in blocks:
            if isinstance(block, t.Stage):
                yield from self.stage(block)
            elif isinstance(block, t.Choice):
                yield from self.choice(block)
            else:
                self.now(block)

    def choice(self, choice: t.Choice) -> Generator[list[list[Step]], int, None]:
        """Ask each player who chooses for an option, as the current one; when all have chosen, do what they chose."""
        current = self.cur
        players = list(dict.fromkeys(self.value(choice.players))) if choice.players else [current]
        offered: dict[int, list[list[Step]]] = {}
        for self.cur in sorted(players):
            offered[self.cur] = self.options(choice)
        taken: dict[int, list[Step]] = {}
        for self.cur, options in offered.items():
            taken[self.cur] = options[(yield options)]
        self.decided += len(players)
        for self.cur in players:
            self.chooser = self.cur
            for step in taken[self.chooser]:
                self.carry_out(step.later(self) if step.later else step.action)
        self.chooser = -1
        self.cur = current if choice.players else self.cur

    def stage(self, stage: t.Stage) -> Generator[list[list[Step]], int, None]:
        outside = self.cur, self.queued, self.tcur
        if stage.kind == "player":
            self.queued = -1
        first = True
        while not self.value(stage.end):
            if not first and stage.kind == "player":
                self.cur, self.queued = (self.queued if self.queued >= 0 else (self.cur + 1) % self.seats), -1
            elif not first:
                self.tcur = (self.tcur + 1) % len(self.teams)
            first = False
            yield from self.blocks(stage.blocks)
        if stage.kind == "player":
            self.cur, self.queued, _ = outside
        else:
            self.tcur = outside[2]

    def scores(self) -> list[int]:
        found = self.copy()
        found.chance, found.queued = self.chance.stream(f"options {self.decided}"), -1
        scores = []
        for found.cur in range(self.seats):
            scores.append(int(found.value(self.game.scoring.value)))
        return scores

    def winners(self) -> list[int]:
        scores, low = self.scores(), self.game.scoring.op == "min"
        if self.seats == 1:
            return [0] if (scores[0] <= 0 if low else scores[0] > 0) else []
        best = min(scores) if low else max(scores)
        first = {seat for seat, score in enumerate(scores) if score == best}
        return sorted(first | {seat for team in self.teams if first & set(team) for seat in team})

    # -- steps

    def now(self, step: t.Action) -> None:
        """Do a step for good."""
        for _ in self.ways(step):
            pass

    def options(self, choice: t.Choice) -> list[list[Step]]:
        """Return what may be chosen: looking for it changes nothing."""
        whose = f" of {self.cur}" if choice.players else ""
        chance, found = self.chance.stream(f"options {self.decided}{whose}"), []
        for step in choice.steps:
            world = self.copy()
            world.chance, world.trying, world.steps, world.drawn = chance, True, [], False
            found += [end.steps for end in world.ways(step) if end.steps]
        return found or fail("no option")

    def ways(self, step: t.Action) -> Iterator[World]:
        """Do a step, and yield each world in which it ends: more than one if it is tried and has alternatives."""
        match step:
            case t.Do(steps=steps):
                yield from self.one_by_one([(inner, None, None) for inner in steps])
            case t.When(test=test, body=body):
                if self.value(test):
                    yield from self.ways(body)
                else:
                    yield self
            case t.Let(value=value, var=var, step=inner):
                self.env[id(var)] = self.named(value)
                yield from self.ways(inner)
            case t.ForEach(op=op, over=over, var=var, step=inner):
                spot = self.spot_of(over)
                members = self.env[id(step)] = list(self.place(spot) if spot else self.value(over))
                if spot and spot.vis == "mem":
                    self.noted[id(var)] = spot
                if op == "all" or not self.trying:
                    yield from self.one_by_one([(inner, var, (id(step), number)) for number in range(len(members))])
                elif not members:
                    yield self
                else:
                    for number in range(len(members)):
                        world = self.copy()
                        world.env[id(var)] = world.env[id(step)][number]
                        yield from world.ways(inner)
            case t.Repeat(count=count, action=inner):
                yield from self.one_by_one([(inner, None, None)] * self.value(count))
            case t.RepeatAll(action=inner):
                yield from self.one_by_one(self.all_of(inner))
            case _:
                self.simple(step)
                yield self

    def one_by_one(self, steps: list[Any]) -> Iterator[World]:
        """Do steps one after the other, each with what its variable stands for: a member of what was gone through."""
        if not steps:
            yield self
            return
        (step, var, member), *more = steps
        if var:
            self.env[id(var)] = self.env[member[0]][member[1]]
        for world in self.ways(step):
            yield from world.one_by_one(more)

    def all_of(self, action: t.Move | t.Forget) -> list[Any]:
        """Return the steps of a ``repeat all``: as many as there are cards; a list is computed once."""
        card = t.bare(action.card)
        if not isinstance(card, t.CardAt | t.Extreme):
            return [(action, None, None)]
        cards = self.value(card.cards)
        if not isinstance(card.cards, t.Place) and not in_variable(card.cards):
            var = t.Var("", t.Type.CARDS, card.at, "let")
            self.env[id(var)] = cards[:]
            use = t.Use(card.at, var)
            card = (
                t.CardAt(card.at, card.where, use)
                if isinstance(card, t.CardAt)
                else t.Extreme(card.at, card.op, use, card.using)
            )
            action = t.Move(action.at, card, action.to) if isinstance(action, t.Move) else t.Forget(action.at, card)
        return [(action, None, None)] * len(cards)

    def simple(self, step: t.Action) -> None:
        """Do a step that has none in it; in an option, note it."""
        random = any(isinstance(node, t.Random) for node in t.walk(step))
        env, noted, late = deepcopy(self.env) if self.trying else {}, self.noted.copy(), random or self.drawn

        def later(world: World) -> Action:
            then = copy(world)
            then.env, then.noted = env, noted
            return then.action(step)

        action = self.action(step)
        held = self.held(step.card) if isinstance(step, t.Move) else None
        self.steps.append(Step(deepcopy(action), later if late and not isinstance(step, t.Shuffle) else None))
        self.drawn |= random or action[0] in ("shuffle", "roll")
        self.carry_out(action)
        if held is not None and action[1] in held:
            del held[len(held) - 1 - held[::-1].index(action[1])]

    def held(self, card: t.Value) -> list[Card] | None:
        """Return the list that a card goes out of, beside its place: what a variable keeps, or a memory."""
        card = t.bare(card)
        if isinstance(card, t.CardAt | t.Extreme):
            if isinstance(card.cards, t.Place):
                memory = card.cards.vis == "mem"
            else:
                spot = self.spot_of(card.cards)
                memory = spot.vis == "mem" if spot else in_variable(card.cards)
            if memory:
                found: list[Card] = self.value(card.cards)
                return found
        return None

    def action(self, step: t.Action) -> Action:
        """Return what a step does, as things are now."""
        match step:
            case t.Move(card=card, to=to):
                lies = t.bare(card)
                by_place = isinstance(lies, t.CardAt) and self.is_place(lies.cards)
                return "move", self.value(card), self.spot(to.place), self.position(to), by_place
            case t.Remember(card=card, to=to):
                return "remember", self.value(card), self.spot(to.place), self.position(to)
            case t.Forget(card=card):
                wanted = self.value(card)
                return "forget", wanted, self.memories(card, wanted)
            case t.SetNumber(op=op, ref=ref, value=value):
                slot = self.slot(ref)
                number, before = self.value(value), self.stores.get(slot, 0)
                new = number if op == "set" else before + number if op == "inc" else before - number
                return "set", slot, new, written(value), op != "set"
            case t.SetName(ref=ref, value=value) | t.SetPlayer(ref=ref, value=value):
                return "set", self.slot(ref), self.value(value), written(value), False
            case t.Reveal(ref=ref):
                return "reveal", self.slot(ref)
            case t.SetPoints(ref=ref, awards=awards):
                slot = self.slot(ref)
                worth = [
                    ([(self.value(k), self.value(v)) for k, v in one.pairs], self.value(one.value)) for one in awards
                ]
                return "set", slot, worth, True, False
            case t.Shuffle(cards=cards, second=None):
                return "shuffle", self.spot_of(cards) or self.value(cards)
            case t.Shuffle(cards=cards, second=second):
                return "faro", self.spot(cards), self.spot(second)  # type: ignore[arg-type]
            case t.Roll(cards=cards):
                one = cards.type is t.Type.CARD
                return "roll", [self.value(cards)] if one else self.spot_of(cards) or list(self.value(cards))
            case t.Pass():
                return ("pass",)
            case t.Cycle(op=op, player=player):
                return op, self.value(player)
            case t.CreateDeck(place=place):
                number = next(number for number, one in enumerate(self.statements) if one is step)
                return "deck", number, self.spot(place)
            case t.CreateTeams(teams=teams):
                return "teams", teams
        raise AssertionError(step)

    def carry_out(self, action: Action) -> None:
        if not self.trying:
            self.forget_faces(action)
            self.keep_secret(action)
        self.do(action)
        if not self.trying:
            for spot, cards in self.places.items():
                self.used |= {(spot.vis, spot.owner >= 0, spot.name)} if cards else set()
                seen = [one for one in range(self.seats + 1) if self.sees(one, spot) and spot.vis != "mem"]
                self.knows |= {(one, card) for card in cards for one in seen}
            if action[0] == "remember":
                self.knows |= {(one, action[1]) for one in range(self.seats + 1)}

    def keep_secret(self, action: Action) -> None:
        """What a store is set to is known to those who see it, and in a choice to the player whose choice it is.

        Outside of choices everybody knows what the text itself says.
        """
        everybody = set(range(self.seats + 1))
        match action:
            case ("reveal", slot):
                self.known_to[slot] = everybody
            case ("set", slot, _, by_text, changed):
                new = {self.chooser} if self.chooser >= 0 else everybody if by_text else set()
                self.known_to[slot] = self.known_to.get(slot, everybody) & new if changed else new

    def knows_value(self, audience: int, slot: Slot) -> bool:
        """Whether an audience knows what a store holds."""
        members = self.teams[slot.owner] if slot.kind == "team" and slot.owner < len(self.teams) else ()
        mine = audience in ((slot.owner,) if slot.kind == "player" else members)
        player = audience < self.seats
        sees = {"vloc": True, "iloc": mine, "hloc": False, "oloc": player and not mine}[slot.vis]
        return sees or slot not in self.known_to or audience in self.known_to[slot]

    def forget_faces(self, action: Action) -> None:
        """Where cards change places out of sight, nobody knows any more which is which."""
        who, mixed = list(range(self.seats + 1)), list[Card]()
        if action[0] == "shuffle" and isinstance(action[1], Spot) and action[1].vis != "mem":
            mixed = self.place(action[1])
        elif action[0] == "move" and not action[4] and len(self.place(self.lies[action[1]])) > 1:
            ways = self.lies[action[1]], action[2]
            mixed, who = self.place(ways[0]), [one for one in who if not any(self.sees(one, way) for way in ways)]
        self.knows -= {(one, card) for one in who for card in mixed}

    def do(self, action: Action) -> None:
        match action:
            case ("move", card, spot, position, _):
                self.place(self.lies[card]).remove(card)
                self.put(spot, position, card)
                self.lies[card] = spot
            case ("remember", card, spot, position):
                self.put(spot, position, card)
            case ("forget", card, spots):
                for cards in map(self.place, spots):
                    if card in cards:
                        del cards[len(cards) - 1 - cards[::-1].index(card)]
            case ("set", slot, value, *_):
                self.stores[slot] = value
            case ("shuffle", spot):
                self.chance.shuffle(self.place(spot) if isinstance(spot, Spot) else spot)
            case ("faro", first, second):
                self.faro(first, second)
            case ("next", player):
                self.queued = player
            case ("current", player):
                self.cur = player
            case ("deck", number, spot):
                die = self.statements[number].kind == "die"
                for place in range(len(self.attributes[number])):
                    if not (die and place):
                        self.put(spot, None, (number, self.made[number]))
                        self.lies[number, self.made[number]] = spot
                    self.made[number] += 1
            case ("roll", cards):
                for card in self.place(cards)[:] if isinstance(cards, Spot) else cards:
                    if self.statements[card[0]].kind == "die":
                        self.turn(card)
            case ("teams", teams):
                self.teams += teams

    def turn(self, card: Card) -> None:
        """Have any face of a die come in place of the one that is up."""
        if card not in self.lies:
            fail("no such card")
        faces = len(self.attributes[card[0]])
        new = card[0], card[1] // faces * faces + self.chance.randbelow(faces)
        spot = self.lies.pop(card)
        cards = self.place(spot)
        cards[cards.index(card)] = new
        self.lies[new] = spot
        if not self.trying:
            self.knows -= {(one, card) for one in range(self.seats + 1)}

    def put(self, spot: Spot, position: int | None, card: Card) -> None:
        cards = self.place(spot)
        if position is not None and position > len(cards):
            fail("no such position")
        cards.insert(len(cards) if position is None else position, card)

    def faro(self, first: Spot, second: Spot) -> None:
        """Take a card of each place in turn, from the bottom, into the first one; of one place its two halves."""
        a, b = self.place(first)[:], self.place(second)[:]
        if first == second:
            half = len(a) - len(a) // 2
            a, b = a[:half], b[half:]
        mixed = [cards[at] for at in range(max(len(a), len(b))) for cards in (a, b) if at < len(cards)]
        self.places[second], self.places[first] = [], mixed
        self.lies |= dict.fromkeys(mixed, first)

    def memories(self, card: t.Value, wanted: Card) -> list[Spot]:
        """Return the memories that forget a card: the one that the step names, else all that note it."""
        card = t.bare(card)
        if isinstance(card, t.Use) and id(card.var) in self.noted:
            return [self.noted[id(card.var)]]
        spot = self.spot_of(card.cards) if isinstance(card, t.CardAt | t.Extreme) else None
        if spot:
            return [spot]
        noting = [spot for spot, cards in self.places.items() if spot.vis == "mem" and wanted in cards]
        return noting or fail("no such card")

    # -- places and stores

    def named(self, value: t.Value) -> Any:
        """Return what a variable stands for: a place itself, or a value as it is now."""
        return self.spot_of(value) or self.value(value)

    def is_place(self, value: t.Value) -> bool:
        return isinstance(value, t.Place) or (isinstance(value, t.Use) and isinstance(self.env[id(value.var)], Spot))

    def spot_of(self, value: t.Value) -> Spot | None:
        if isinstance(value, t.Use):
            found = self.env[id(value.var)]
            return found if isinstance(found, Spot) else None
        return self.spot(value) if isinstance(value, t.Place) else None

    def spot(self, place: t.Value) -> Spot:
        if isinstance(place, t.Use):
            found = self.env[id(place.var)]
            return found if isinstance(found, Spot) else fail("no place")
        assert isinstance(place, t.Place)
        owner = -1 if isinstance(place.who, t.Table) else self.value(place.who)
        return Spot(place.vis, owner, self.value(place.name))

    def place(self, spot: Spot) -> list[Card]:
        return self.places.setdefault(spot, [])

    def slot(self, ref: t.Ref) -> Slot:
        if isinstance(ref.who, t.Table):
            return Slot(ref.what, "game", 0, self.value(ref.name), ref.vis)
        kind = "player" if ref.who.type is t.Type.PLAYER else "team"
        return Slot(ref.what, kind, self.value(ref.who), self.value(ref.name), ref.vis)

    def position(self, to: t.Target) -> int | None:
        if isinstance(to.where, str):
            return None if to.where == "top" else 0
        at: int = self.value(to.where)
        return at if at >= 0 else fail("no such card")

    def attribute(self, card: Card, key: str) -> str:
        deck = self.attributes[card[0]]
        return deck[card[1] % len(deck)].get(key, "")

    def worth(self, ref: t.Ref) -> Callable[[Card], int]:
        """Return what each card scores by a point map: awards add up."""
        awards = self.stores.get(self.slot(ref), [])
        return lambda card: sum(
            worth for pairs, worth in awards if all(self.attribute(card, key) == value for key, value in pairs)
        )

    def sees(self, audience: int, spot: Spot) -> bool:
        """Whether an audience, a seat or the spectators after the last one, sees the cards of a place."""
        own = audience == spot.owner
        return {"vloc": True, "mem": True, "iloc": own, "hloc": False, "oloc": not own}[spot.vis]

    # -- values

    def each(self, over: t.Value, var: t.Var, inner: t.Value, *, empty: bool = False) -> list[tuple[Any, Any]]:
        """Return each member of a collection, and what something is for it. ``empty``: leave out empty ones."""
        found = []
        for member in list(self.value(over)):
            if empty and not member:
                continue
            self.env[id(var)] = member
            found.append((member, self.value(inner)))
        return found

    def at(self, where: t.End | t.Value, *, top: int, bottom: int) -> int:
        """Return a place in a list: -1 is the last one."""
        if isinstance(where, str):
            return top if where == "top" else bottom
        found: int = self.value(where)
        return found if found >= 0 else fail("no such card")

    @staticmethod
    def one(cards: list[Any], at: int) -> Any:
        return cards[at] if cards and at < len(cards) else fail("no such card")

    def collections(self, parts: tuple[t.Value, ...] | t.Each) -> list[list[Card]]:
        if isinstance(parts, t.Each):
            return [cards[:] for _, cards in self.each(parts.over, parts.var, parts.cards)]
        return [self.value(part)[:] for part in parts]

    def value(self, node: t.Value) -> Any:
        self.tire(1)
        match node:
            case t.Number(value=found):
                return found
            case t.Name(text=text):
                return text
            case t.Names(texts=texts):
                return texts
            case t.Use(var=var):
                found = self.env[id(var)]
                return self.place(found) if isinstance(found, Spot) else found
            case t.Stored(ref=ref):
                found = self.stores.get(self.slot(ref), {"sto": 0, "str": ""}.get(ref.what))
                return fail("nobody") if found is None else found
            case t.Arith(op=op, left=left, right=right):
                return arithmetic(op, self.value(left), self.value(right))
            case t.Series(op=series, of=of):
                return self.series(series, self.value(of))
            case t.Random(low=low, high=high):
                first, last = self.value(low) if low else 0, self.value(high)
                return first + self.chance.randbelow(last - first + 1) if first <= last else fail("empty range")
            case t.Size(of=of):
                return len(self.value(of))
            case t.Sum(cards=cards, using=using):
                return sum(map(self.worth(using), self.value(cards)))
            case t.Score(card=card, using=using):
                return self.worth(using)(self.value(card))
            case t.CardAtt(key=key, card=card):
                wanted, lies = self.value(key), t.bare(card)
                if not isinstance(lies, t.CardAt):
                    return self.attribute(self.value(lies), wanted)
                cards = self.value(lies.cards)
                at = self.at(lies.where, top=-1, bottom=0)
                return self.attribute(self.one(cards, at), wanted) if cards else ""
            case t.Logic(op=op, parts=parts):
                return (all if op == "and" else any)(self.value(part) for part in parts)
            case t.Not(of=of):
                return not self.value(of)
            case t.Compare(op=op, left=left, right=right):
                a, b = self.compared(left), self.compared(right)
                return {"==": a == b, "!=": a != b}[op] if op in ("==", "!=") else ordered(op, a, b)
            case t.Quantified(op=op, over=over, var=var, test=test):
                return (all if op == "all" else any)([holds for _, holds in self.each(over, var, test)])
            case t.Relative(which=which, kind=kind):
                cur, count = (self.cur, self.seats) if kind == "player" else (self.tcur, len(self.teams))
                if which == "next" and kind == "player" and self.queued >= 0:
                    return self.queued
                return (cur + {"current": 0, "next": 1, "previous": -1}[which]) % count
            case t.Numbered(number=number, kind=kind):
                found = self.value(number)
                there = self.seats if kind == "player" else len(self.teams)
                return found if 0 <= found < there else fail("no such player")
            case t.OwnerOf(card=card):
                owner = self.lies[self.value(card)].owner
                return owner if owner >= 0 else fail("no owner")
            case t.TeamOf(player=player):
                seat = self.value(player)
                teams = [number for number, team in enumerate(self.teams) if seat in team]
                return teams[-1] if teams else fail("no team")
            case t.Actual(card=card):
                return self.value(card)
            case t.CardAt(where=where, cards=cards):
                return self.one(self.value(cards), self.at(where, top=-1, bottom=0))
            case t.GroupAt(where=where, groups=groups):
                return self.one(self.value(groups), self.at(where, top=0, bottom=-1))
            case t.Extreme(op=op, cards=cards, using=using):
                return self.best(op, self.value(cards), self.worth(using))
            case t.Place():
                return self.place(self.spot(node))
            case t.Combined(op=op, parts=parts):
                listed = self.collections(parts)
                together = [card for cards in listed for card in cards]
                wanted = len(listed) if op == "intersect" else 1
                one_each = list(dict.fromkeys(together))
                return together if op == "union" else [card for card in one_each if together.count(card) == wanted]
            case t.Each(over=over, var=var, cards=cards):
                return [found for _, found in self.each(over, var, cards)]
            case t.Filter(over=over, var=var, test=test):
                passed = self.each(over, var, test, empty=node.type is t.Type.GROUPS)
                return [member for member, holds in passed if holds]
            case t.Slice(end=end, count=count, cards=cards):
                lie, number = self.value(cards), self.value(count)
                if number > len(lie):
                    fail("too few cards")
                return (lie[::-1] if end == "top" else lie)[: max(0, number)]
            case t.RunAt(end=end, least=least, cards=cards, using=using):
                lie, fewest = self.value(cards), self.value(least)
                return run(lie[::-1] if end == "top" else lie, fewest, self.worth(using))
            case t.Sorted(cards=cards, using=using):
                return sorted(self.value(cards), key=self.worth(using))
            case t.Tuples(count=count, cards=cards, using=using):
                number, chains = max(0, self.value(count)), by_value(self.value(cards), self.worth(using))
                return [list(group) for _, alike in sorted(chains.items()) for group in combinations(alike, number)]
            case t.Partition(key=key, parts=parts):
                wanted = None
                together = [card for listed in self.collections(parts) for card in listed]
                wanted = self.value(key)
                return list(by_value(together, lambda card: self.attribute(card, wanted)).values())
            case t.Subsets(cards=cards):
                lie = self.value(cards)
                self.tire(2 ** len(lie))
                return [[card for bit, card in enumerate(lie) if which >> bit & 1] for which in range(2 ** len(lie))]
            case t.Selections(count=count, cards=cards):
                number, lie = max(0, self.value(count)), self.value(cards)
                ways = sorted(combinations(range(len(lie)), number), key=lambda way: way[::-1])
                self.tire(len(ways))
                return [[lie[at] for at in way] for way in ways]
            case t.Runs(which=which_runs, least=least, cards=cards, using=using):
                return runs(which_runs, self.value(least), self.value(cards), self.worth(using))
            case t.Everybody(kind=kind):
                return range(self.seats if kind == "player" else len(self.teams))
            case t.Others(kind=kind):
                cur, count = (self.cur, self.seats) if kind == "player" else (self.tcur, len(self.teams))
                return [one for one in range(count) if one != cur]
            case t.TeamPlayers(team=team):
                return self.teams[self.value(team)]
            case t.Range(low=low, high=high):
                return range(self.value(low), self.value(high) + 1)
        raise AssertionError(node)

    def compared(self, node: t.Value) -> Any:
        """Return a value that is compared: None for a card of no cards at all, and for nobody."""
        card = t.bare(node)
        if isinstance(node, t.Stored) and node.ref.what == "who":
            self.tire(1)
            return self.stores.get(self.slot(node.ref))
        if not isinstance(card, t.CardAt):
            return self.value(node)
        self.tire(1)
        cards = self.value(card.cards)
        at = self.at(card.where, top=-1, bottom=0)
        return self.one(cards, at) if cards else None

    def best(self, op: str, cards: list[Card], worth: Callable[[Card], int]) -> Card:
        if not cards:
            fail("no card")
        wanted = (max if op == "max" else min)(map(worth, cards))
        return self.chance.choice([card for card in cards if worth(card) == wanted])

    @staticmethod
    def series(op: str, n: int) -> int:
        if op == "tri":
            return n * (n + 1) // 2
        a, b = 0, 1
        for _ in range(min(n, 60)):
            a, b = b, a + b
        return a


def written(value: t.Value) -> bool:
    """Whether the text itself says a value."""
    return isinstance(value.number if isinstance(value, t.Numbered) else value, t.Number | t.Name)


def in_variable(cards: t.Value) -> bool:
    """Whether cards are a list that a variable keeps, or one of its groups."""
    return isinstance(cards, t.Use) or (isinstance(cards, t.GroupAt) and isinstance(cards.groups, t.Use))


def arithmetic(op: str, a: int, b: int) -> int:
    if (op in ("//", "%") and b == 0) or (op == "^" and a == 0 and b < 0):
        fail("division by zero")
    if op == "^":
        return int(Fraction(a) ** b) if abs(a) < 2 or b < 32 else fail("number too large")
    whole = int(Fraction(a, b)) if op in ("//", "%") else 0
    return {"+": a + b, "-": a - b, "*": a * b, "//": whole, "%": a - b * whole}[op]


def ordered(op: str, a: int, b: int) -> bool:
    return {"<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}[op]


def by_value(cards: list[Card], value: Callable[[Card], Any]) -> dict[Any, list[Card]]:
    found: dict[Any, list[Card]] = {}
    for card in cards:
        found.setdefault(value(card), []).append(card)
    return found


def run(cards: list[Card], least: int, worth: Callable[[Card], int]) -> list[Card]:
    for size in range(len(cards), max(least, 1) - 1, -1):
        scores = sorted(map(worth, cards[:size]))
        if scores == list(range(scores[0], scores[0] + size)):
            return sorted(cards[:size], key=worth)
    return []


def runs(which: str, least: int, cards: list[Card], worth: Callable[[Card], int]) -> list[list[Card]]:
    alike = by_value(cards, worth)
    found = []
    for low in sorted(alike):
        for high in sorted(alike):
            whole = high >= low and all(score in alike for score in range(low, high + 1))
            longer = low - 1 in alike or high + 1 in alike
            if whole and high - low + 1 >= least and not (which == "largest" and longer):
                found += [list(group) for group in product(*(alike[score] for score in range(low, high + 1)))]
    return found
