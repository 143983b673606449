"""The machine on which compiled texts run: a position that is small and flat, and what can be done to it.

Cards, players, teams, names, places and stores are whole numbers; a place is a list of cards, the bottom one first.
What is done is an *action*, a tuple (what, the number of its node in the text, ...), made by the compiled text: at
once, or as a part of an option.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from games.core.chance import Chance
from games.core.messages import message
from games.core.sight import BLIND, Sight, everybody_at
from games.recycle.cards import Cards
from games.recycle.layout import Layout, PlaceFact, StoreFact, What
from games.recycle.operations import failed, number, unlist
from games.recycle.tree import CreateTeams, Owner, Vis


class Op:
    """What an action is: its first part. What follows the number of its node is named beside it."""

    MOVE = 0  # card, place, position (-1: on top)
    NUMBER = 1  # store, number; or a function without arguments that draws it
    NAME = 2  # store, name
    POINTS = 3  # store, the score of each card
    REMEMBER = 4  # card, memory, position
    FORGET = 5  # card, memory (-1: all that have it)
    SHUFFLE = 6  # place; or a list that is none
    FARO = 7  # place, place
    PASS = 8
    NEXT = 9  # player
    CURRENT = 10  # player
    DECK = 11  # deck statement, place
    TEAMS = 12  # team statement
    DRAWN = 13  # a function without arguments that returns the action: only when it is taken is it drawn what it is
    PLAYER = 14  # store, player
    REVEAL = 15  # kind of the store, store
    ROLL = 16  # place; or a list of cards
    AWARD = 17  # the cards for which the next action awards points: only noted, never carried out


KEPT: dict[int, What] = {Op.NUMBER: "sto", Op.NAME: "str", Op.PLAYER: "who"}  # what an action sets
NOBODY = -1  # in a store of players: none was stored

Action = tuple[Any, ...]
# An action, and what it did not say itself: where the card was, what the store held, or what was rolled.
Event = tuple[Action, Any]
Done = list[tuple[Action, Any]]  # actions that were tried out, and what takes each back
C = TypeVar("C", bound="Collection[Any]")

MOST_STEPS = 2_000_000  # between two choices, and to find the options of one: see ``Position.steps``
ROUND = 100  # steps that a round of a stage counts for, beside the actions in it
ACTION = 10  # steps an action counts for in a loop or a stage, because events are kept until they are logged
MOST_DONE = 200_000  # actions between two choices if events are kept
MOST_REPEATS = 10_000
MOST_OPTIONS = 1_000
MOST_ACTIONS = 10_000  # of all options of a choice together
MOST_PLACES = 400  # that a match may name, with those that come into being as it goes on: no screen shows more
MOST_STORES = 1_000  # of a kind
MOST_PAST = 100  # changes of a secret number that others take into account
MOST_REMEMBERED = 2_000  # cards in all memories together


class Secret(NamedTuple):
    """What others may know of a secret store that was set.

    ``seen``: who knows what it holds, beside those who see it in any case, as bits like ``Position.sees``. The others
    know that it held ``base``, and what has been done to it since: by which group of statements, and in whose choice
    (-1: in none). See ``Program.guesses``.
    """

    seen: int
    base: int
    past: tuple[tuple[int, int], ...]


class Facts(Protocol):
    """What the machine knows of the program."""

    seats: int
    layout: Layout
    names: list[str]  # by number
    place_facts: list[PlaceFact]  # by number
    store_facts: dict[What, list[StoreFact]]  # by number
    cards: Cards
    kept_teams: list[CreateTeams]
    zeros: list[int]
    changes: list[bool]  # by node: whether it adds to a store or subtracts from it
    followed: list[bool]  # by node: of a move, whether everybody can follow which card of a place is taken
    plain: list[bool]  # by node: of what sets a store, whether the text itself says the value
    group: dict[int, int]  # by node: of what sets a secret store, the group of statements that it may have been


class Position:
    """All that a compiled text keeps while a match is played."""

    program: Facts
    L: list[list[int]]  # places
    W: list[int]  # by card: the place where it lies
    I: list[int]  # numbers  # noqa: E741
    S: list[int]  # names
    H: list[int]  # players
    P: list[Sequence[int]]  # point maps: the score of each card
    D: list[Any]  # what was declared, and never changes
    teams: list[tuple[int, ...]]  # this, team_of, made, owners and sees: replaced, never changed, so copies share them
    team_of: list[int]  # by player; -1: of none
    secrets: dict[tuple[What, int], Secret]  # by store: of those that are secret and were set
    chooser: int  # the player whose choice is being carried out; -1: none
    asked: tuple[int, ...]  # the players who choose at the same time, in the order in which that is carried out
    pending: dict[int, int]  # what those of them have chosen who have: an option by its number; replaced, never changed
    stack: list[tuple[int, int]]  # by stage entered: the current player outside it, and the player queued there
    cur: int
    queued: int  # who plays next, if the text says so; else -1
    tcur: int
    made: list[int]  # by deck statement: how many cards it has made
    owners: list[int]  # by place: whose it is; -1: the table's
    sees: list[int]  # by place: a bit for each seat that sees its cards, then one for spectators
    # Places and stores that came into being by name, and what each of them is. Copies share these, and owners and sees,
    # as long as they are empty. ``room`` counts all places, and those of other players which would have the same name.
    room: int
    extra: dict[PlaceFact, int]
    extra_facts: list[PlaceFact]
    extra_stores: dict[tuple[What, StoreFact], int]
    extra_store_facts: dict[tuple[What, int], StoreFact]
    # Steps left before the next choice: each member of a loop is one, an action ACTION and a round of a stage ROUND of
    # them. This is not a measure of time. It ends endless loops, at the same place every time, before the events fill
    # the memory.
    steps: int
    notes: int  # cards in memories, or more: counted when it would be too many
    chance: Chance
    sight: Sight
    held: frozenset[int]  # places that have ever held a card
    events: list[Event] | None  # events since the log was last written; None: no log
    arrived: set[int] | None  # places that got cards since players last saw the table; None: no log

    def place(self, vis: Vis, owner: int, name: int) -> int:
        """Return the number of a place, which comes into being when it is first named."""
        fact = PlaceFact(vis, owner, name)
        found = self.program.layout.places.get(fact)
        if found is None:
            found = self.extra.get(fact)
        return self._new_place(fact) if found is None else found

    def _new_place(self, fact: PlaceFact) -> int:
        # Of a place of one player the table shows those of the others too, so all of them count.
        seats = range(self.program.seats)
        if fact.owner < 0:
            self.room += 1
        elif not any(fact._replace(owner=seat) in self.extra for seat in seats):
            self.room += len(seats)
        if self.room > MOST_PLACES:
            raise failed("too many places", message("A match may have at most {most:,} places.", most=MOST_PLACES))
        if not self.extra:
            self.extra, self.extra_facts = {}, []
            self.owners, self.sees = self.owners.copy(), self.sees.copy()
        number = self.extra[fact] = len(self.L)
        self.extra_facts.append(fact)
        self.L.append([])
        self.owners.append(fact.owner)
        self.sees.append(who_sees(fact, len(seats)))
        return number

    def store(self, what: What, owner: Owner, number: int, name: int, vis: Vis) -> int:
        """Return the number of a store among those of its kind."""
        fact = StoreFact(owner, number, name, vis)
        found = self.program.layout.stores[what].get(fact)
        if found is None:
            found = self.extra_stores.get((what, fact))
        return self._new_store(what, fact) if found is None else found

    def _new_store(self, what: What, fact: StoreFact) -> int:
        stores: list[Any] = self.P if what == "points" else self.kept(what)
        if len(stores) >= MOST_STORES:
            raise failed(
                "too many stores", message("A match may have at most {most:,} stores of a kind.", most=MOST_STORES)
            )
        if not self.extra_stores:
            self.extra_stores, self.extra_store_facts = {}, {}
        number = self.extra_stores[what, fact] = len(stores)
        self.extra_store_facts[what, number] = fact
        stores.append({"points": self.program.zeros, "who": NOBODY}.get(what, 0))
        return number

    def fact(self, place: int) -> PlaceFact:
        """Return what a place is."""
        known = self.program.place_facts
        return known[place] if place < len(known) else self.extra_facts[place - len(known)]

    def kept(self, what: What) -> list[int]:
        """Return what all stores of numbers, names or players hold."""
        return {"sto": self.I, "str": self.S, "who": self.H}[what]

    def store_fact(self, what: What, store: int) -> StoreFact:
        """Return whose a store is, and its name."""
        known = self.program.store_facts[what]
        return known[store] if store < len(known) else self.extra_store_facts[what, store]

    def look(self, place: int, action: Action) -> None:
        """Have the players look at how the cards lie now, before an action takes one from that place."""

    def show_award(self, award: int) -> None:
        """Have the players look at the cards for which points were just awarded, by the event of that number."""


def who_sees(fact: PlaceFact, seats: int) -> int:
    """Return who sees the cards of a place, as bits: seats, then spectators.

    Source: "Who sees what" in ``docs/recycle.md``. A memory holds what everybody has seen.
    """
    everybody = everybody_at(seats)
    owner = 0 if fact.owner < 0 else 1 << fact.owner
    return {"vloc": everybody, "mem": everybody, "iloc": owner, "hloc": 0, "oloc": everybody & ~owner}[fact.vis]


def who_sees_store(s: Position, what: What, store: int) -> int:
    """Return who sees what a store holds, as bits: seats, then spectators."""
    seats, fact = s.program.seats, s.store_fact(what, store)
    everybody = everybody_at(seats)
    members: tuple[int, ...] = (fact.number,) if fact.owner == "player" else ()
    if fact.owner == "team" and fact.number < len(s.teams):  # else it is one that a text may make in play
        members = s.teams[fact.number]
    owner = sum(1 << member for member in members)
    # Spectators see none of these: an owner who looked on as one of them would see what only the others should.
    seen = {"vloc": everybody, "iloc": owner, "hloc": 0, "oloc": (everybody >> 1) & ~owner}[fact.vis]
    known = s.secrets.get((what, store))
    return seen | (known.seen if known else everybody)


# -- nothing goes on for ever


def counted(s: Position, things: C, each: int = 1) -> C:
    """Return ``things``, which are gone through, and count so many steps for each of them."""
    s.steps -= (len(things) + 1) * each
    if s.steps < 0:
        raise endless()
    return things


def counted_groups(s: Position, groups: list[list[int]]) -> list[list[int]]:
    """Return groups of cards that were made, and count each card in them as a step."""
    s.steps -= sum(map(len, groups))
    return counted(s, groups)


def step(s: Position, count: int) -> None:
    """Count steps."""
    s.steps -= count
    if s.steps < 0:
        raise endless()


def endless() -> Exception:
    """Return the failure of a text that goes on without asking anybody."""
    return failed(
        "too many steps",
        message(
            "This takes more than {steps:,} steps or {actions:,} actions without a choice in between: it may never "
            "end. Make sure that something runs out, or go through fewer cards or numbers.",
            steps=MOST_STEPS,
            actions=MOST_DONE,
        ),
    )


def times(count: int) -> range:
    """Return how often something is repeated."""
    if count > MOST_REPEATS:
        raise failed(
            "too many repeats",
            message("A step may be repeated at most {most:,} times, not {count:,}.", most=MOST_REPEATS, count=count),
        )
    return range(count)


def few_enough(count: int, most: int) -> int:
    """Return how often a step with alternatives is repeated."""
    if count > most:
        raise failed(
            "too many repeats",
            message(
                "A step with alternatives may be repeated at most {most} times, not {count:,}.", most=most, count=count
            ),
        )
    return count


def offer(options: list[tuple[Action, ...]], option: tuple[Action, ...]) -> None:
    """Add an option, unless nothing is done in it."""
    if option:
        options.append(option)
        if len(options) > MOST_OPTIONS:
            few_options(options)


def few_options(options: list[tuple[Action, ...]]) -> None:
    """Look whether there are not too many options."""
    if len(options) > MOST_OPTIONS:
        raise failed(
            "too many options",
            message("A choice may have at most {most:,} options, and this one has more.", most=MOST_OPTIONS),
        )


# -- who and what is where


def owner(s: Position, card: int) -> int:
    """``owner``: the player in whose place a card lies."""
    found = s.owners[s.W[card]]
    if found < 0:
        raise failed("no owner", message("This card is on the table, so it has no owner."))
    return found


def team_of(s: Position, player: int) -> int:
    """``(team player)``."""
    found = s.team_of[player]
    if found < 0:
        raise failed("no team", message("This player is in no team."))
    return found


def holder(player: int) -> int:
    """Return the player that a store holds."""
    if player < 0:
        raise failed("nobody", message("No player is stored here yet."))
    return player


def next_team(s: Position) -> int:
    """``(next team)``."""
    return (s.tcur + 1) % len(s.teams)


def picked(chance: Chance, members: Collection[Any]) -> Any:
    """Return one of some members, each equally likely."""
    if not members:
        raise failed("no member", message("There is nothing here to choose from."))
    return chance.choice(list(members))


def one_of(which: int, there_are: int) -> int:
    """``(n player)``, ``(n team)``: counted from 0."""
    if not 0 <= which < there_are:
        raise failed(
            "no such player",
            message("There is no number {which} here: the numbers are 0 to {last}.", which=which, last=there_are - 1),
        )
    return which


def attribute_at(table: Sequence[int], cards: Sequence[int], where: int) -> int:
    """``(cardatt K (top cards))``: nothing if there are no cards."""
    return table[cards[where]] if cards else 0


def card_at(cards: Sequence[int], where: int) -> int:
    """``(top cards)`` as it is compared: -1 if there are no cards."""
    return cards[where] if cards else -1


# -- cards move


def put(cards: list[int], position: int, card: int) -> None:
    """Put a card into a place: on top (-1), or before the card at that position from the bottom."""
    if position < 0:
        cards.append(card)
    elif position > len(cards):
        raise failed(
            "no such position",
            message(
                "A card cannot be put at position {position} of a place with {there} cards.",
                position=position,
                there=len(cards),
            ),
        )
    else:
        cards.insert(position, card)


def move_all(s: Position, source: int, target: int, from_top: bool, to_top: bool) -> None:
    """Move all cards of a place, one after the other, to the top or the bottom of one."""
    cards, L, W = s.L[source], s.L, s.W
    if source == target:  # the last one is where it was before the first one moved
        return
    moved = cards[::-1] if from_top else cards[:]
    if to_top:
        L[target] += moved
    else:
        L[target][:0] = moved[::-1]
    for card in moved:
        W[card] = target
    cards.clear()


def _with(numbers: list[int], at: int, number: int) -> list[int]:
    return [*numbers[:at], number, *numbers[at + 1 :]]


def _make_deck(s: Position, statement: int, target: int) -> list[int]:
    cards = s.program.cards
    size, made = len(cards.decks[statement]), s.made[statement]
    if made + size > cards.room[statement]:
        raise failed(
            "too many cards",
            message("A deck statement may make at most {most:,} cards in a match.", most=cards.room[statement]),
        )
    first = cards.blocks[statement] + made
    new = list(range(first, first + _laid(cards, statement)))
    s.made = _with(s.made, statement, made + size)
    s.L[target] += new
    for card in new:
        s.W[card] = target
    return new


def _laid(cards: Cards, statement: int) -> int:
    """Return how many cards a deck statement puts into its place: all of the deck, but only one face of a die."""
    return 1 if cards.kinds[cards.blocks[statement]] == "die" else len(cards.decks[statement])


def roll(s: Position, place: int | list[int]) -> list[tuple[int, int]]:
    """Roll the dice of a place, or among some cards. Returns each face that was up before, and the one that is now."""
    found = []
    for card in counted(s, list(place if isinstance(place, list) else s.L[place]), ACTION):
        faces = s.program.cards.die(card)
        if s.program.cards.kinds[card] == "die":
            new = faces[s.chance.randbelow(len(faces))]
            turn_die(s, card, new)
            found.append((card, new))
    return found


def turn_die(s: Position, card: int, new: int) -> None:
    """Put another face of a die in place of the one that is up."""
    place = s.W[card]
    s.L[place][s.L[place].index(card)] = new
    s.W[card] = -1
    s.W[new] = place


def _make_teams(s: Position, statement: int) -> None:
    made = s.program.kept_teams[statement].teams
    if len(s.teams) + len(made) > s.program.layout.teams:
        raise failed("too many teams", message("Teams can be created only once during a match."))
    for team in made:
        for player in team:
            s.team_of = _with(s.team_of, one_of(player, s.program.seats), len(s.teams))
        s.teams = [*s.teams, team]


def _interleave(s: Position, first: int, second: int) -> None:
    """``shuffle faro``: the cards of both places alternately into the first one, beginning with its bottom card."""
    a, b = s.L[first], s.L[second]
    if first == second:
        half = len(a) - len(a) // 2
        a, b = a[:half], a[half:]
    mixed = [card for pair in zip(a, b, strict=False) for card in pair]
    mixed += a[len(b) :] + b[len(a) :]
    s.L[second][:] = []
    s.L[first][:] = mixed
    for card in mixed:
        s.W[card] = first


# -- carried out for good


def quiet(s: Position, action: Action) -> None:
    """Carry out an action without any record."""
    match action:
        case (Op.MOVE, _, card, target, position):
            s.L[s.W[card]].remove(card)
            put(s.L[target], position, card)
            s.W[card] = target
        case (Op.NUMBER, _, store, value):
            s.I[store] = number(value() if callable(value) else value)
        case (Op.NAME, _, store, name):
            s.S[store] = name
        case (Op.PLAYER, _, store, player):
            s.H[store] = player
        case (Op.POINTS, _, store, scores):
            s.P[store] = scores
        case (Op.REMEMBER, _, card, memory, position):
            _note(s)
            put(s.L[memory], position, card)
        case (Op.FORGET, _, card, memory):
            for noting in _memories_of(s, card, memory):
                unlist(s.L[noting], card)
        case (Op.SHUFFLE, _, place):
            s.chance.shuffle(counted(s, place if isinstance(place, list) else s.L[place], ACTION))
        case (Op.ROLL, _, place):
            roll(s, place)
        case (Op.FARO, _, first, second):
            _interleave(s, first, second)
        case (Op.NEXT, _, player):
            s.queued = player
        case (Op.CURRENT, _, player):
            s.cur = player
        case (Op.DECK, _, statement, target):
            _make_deck(s, statement, target)
        case (Op.TEAMS, _, statement):
            _make_teams(s, statement)
        case (Op.DRAWN, _, draw):
            quiet(s, draw())


def _keep_secret(s: Position, action: Action, before: int) -> None:
    """Record what others know of a secret store that was set. ``before``: what it held."""
    what, node, store = KEPT[action[0]], action[1], action[2]
    everybody = everybody_at(s.program.seats)
    old = s.secrets.get((what, store), Secret(everybody, before, ()))
    plain = s.program.plain[node] and s.chooser < 0
    seen = everybody if plain else (1 << s.chooser if s.chooser >= 0 else 0)
    if s.program.changes[node]:
        known = Secret(old.seen & seen, old.base, (*old.past, (s.program.group[node], s.chooser))[-MOST_PAST:])
    elif plain:
        known = Secret(everybody, s.kept(what)[store], ())
    else:
        known = Secret(seen, old.base, ((s.program.group[node], s.chooser),))
    if known.seen == everybody:
        known = Secret(everybody, s.kept(what)[store], ())
    s.secrets[what, store] = known


def _note(s: Position) -> None:
    """Count a card that is remembered. Cards go out of memories in several ways, so they are counted again at times."""
    s.notes += 1
    if s.notes > MOST_REMEMBERED:
        s.notes = 1 + sum(len(cards) for place, cards in enumerate(s.L) if cards and s.fact(place).vis == "mem")
        if s.notes > MOST_REMEMBERED:
            raise failed(
                "too many cards",
                message("All memories together may note at most {most:,} cards.", most=MOST_REMEMBERED),
            )


def _memories_of(s: Position, card: int, memory: int) -> list[int]:
    """Return the memories that forget a card: the one given, else all that note it."""
    if memory >= 0:
        return [memory]
    noting = [place for place, cards in enumerate(s.L) if cards and card in cards and s.fact(place).vis == "mem"]
    if not noting:
        raise failed("no such card", message("No memory notes this card, so it cannot be forgotten."))
    return noting


def perform(s: Position, action: Action) -> int:
    """Carry out an action and record it: who has seen what, and the event for the log. Returns the card of a move."""
    if action[0] == Op.DRAWN:
        action = action[2]()
    what = action[0]
    note: Any = None
    card = -1
    if what == Op.MOVE:
        card, target = action[2], action[3]
        note = s.W[card]
        if s.arrived is not None:
            _look_before(s, note, target, action)
        if s.sight is not BLIND:
            _seen_moving(s, card, note, target, followed=s.program.followed[action[1]])
    elif what == Op.REMEMBER and s.sight is not BLIND:
        s.sight.show_all(action[2], s.L[s.W[action[2]]])
    elif what == Op.REVEAL:
        note = s.kept(action[2])[action[3]]
    elif what in KEPT:
        if what == Op.NUMBER and callable(action[3]):
            action = (*action[:3], action[3]())
        note = s.kept(KEPT[what])[action[2]]
    if what == Op.ROLL:
        note = roll(s, action[2])
        for old, new in note if s.sight is not BLIND else ():
            s.sight.shuffle([old])
            _show(s, [new], s.sees[s.W[new]])
    else:
        quiet(s, action)
    if s.sight is not BLIND:
        if what in KEPT and s.store_fact(KEPT[what], action[2]).vis != "vloc":
            _keep_secret(s, action, note)
        elif what == Op.REVEAL:
            s.secrets[action[2], action[3]] = Secret(everybody_at(s.program.seats), s.kept(action[2])[action[3]], ())
    if what in (Op.MOVE, Op.REMEMBER, Op.DECK):
        _hold(s, action[3])
    elif what == Op.FARO and s.L[action[2]]:
        _hold(s, action[2])
    if s.sight is not BLIND:
        if what == Op.SHUFFLE and not isinstance(action[2], list):
            place = action[2]
            if s.fact(place).vis != "mem":
                s.sight.shuffle(s.L[place])
                _show(s, s.L[place], s.sees[place])
        elif what == Op.FARO:
            _show(s, s.L[action[2]], s.sees[action[2]])
        elif what == Op.DECK:
            _show(s, s.L[action[3]][-_laid(s.program.cards, action[2]) :], s.sees[action[3]])
    if s.events is not None:
        if len(s.events) >= MOST_DONE:
            raise endless()
        s.events.append((action, note))
        if what == Op.NUMBER and action[3] > note and len(s.events) > 1:
            before, _ = s.events[-2]
            if before[:2] == (Op.AWARD, action[1]):
                s.show_award(len(s.events) - 2)
    return card


def award(s: Position, node: int, cards: Callable[[], Sequence[int]]) -> None:
    """Note for which cards the next action, which comes from ``node``, awards points, if everybody sees them."""
    if s.events is None:
        return
    before = s.steps  # the same in all copies, whether or not they keep a log
    found, everybody = tuple(cards()), everybody_at(s.program.seats)
    s.steps = before
    if found and all(s.W[card] >= 0 and s.sees[s.W[card]] == everybody for card in found):
        s.events.append(((Op.AWARD, node, found), None))


def _hold(s: Position, place: int) -> None:
    """Note that a card has lain in a place."""
    if place not in s.held:
        s.held |= {place}


def _look_before(s: Position, source: int, target: int, action: Action) -> None:
    """Before the rules take away a card: what came to lie in the open beside it is to be looked at.

    So the card that fills a trick is seen to lie there.
    """
    arrived = s.arrived
    if arrived and source in arrived and source != target:
        if s.sees[source] == everybody_at(s.program.seats) and s.fact(source).vis != "mem":
            s.look(source, action)
        arrived.clear()
    if arrived is not None:
        arrived.add(target)


def _seen_moving(s: Position, card: int, source: int, target: int, *, followed: bool) -> None:
    """Record who learns what from a move. ``followed``: everybody can tell from its place which card it is."""
    seats = s.program.seats
    before, after = s.sees[source], s.sees[target]
    lay = s.L[source]
    everybody = everybody_at(seats)
    if not followed and (before | after) != everybody and len(lay) > 1:
        s.sight.mix(lay, [one for one in range(seats + 1) if (before | after) >> one & 1])
    if not followed and before != everybody and len(lay) > 1:
        s.sight.take(card, lay, [one for one in range(seats + 1) if not before >> one & 1])
    if new := after & ~before:
        s.sight.show_to(card, new, () if followed else lay)


def _show(s: Position, cards: Sequence[int], who: int) -> None:
    for card in cards:
        s.sight.show_to(card, who)


# -- tried out


def attempt(s: Position, done: Done, action: Action, named: list[int] | None = None) -> None:
    """Carry out an action for the time being. ``named``: the list of a variable, out of which the card goes, too."""
    back: Any = None
    match action:
        case (Op.MOVE, _, card, target, position):
            source = s.W[card]
            at = s.L[source].index(card)
            del s.L[source][at]
            listed = named[:] if named is not None else None
            if named is not None:
                unlist(named, card)
            put(s.L[target], position, card)
            s.W[card] = target
            back = source, at, named, listed
        case (Op.NUMBER, _, store, value):
            back = s.I[store]
            s.I[store] = number(value() if callable(value) else value)
        case (Op.NAME | Op.PLAYER as what, _, store, _):
            back = s.kept(KEPT[what])[store]
            quiet(s, action)
        case (Op.POINTS, _, store, _):
            back = s.P[store]
            quiet(s, action)
        case (Op.REMEMBER, _, _, memory, _):
            back = [(memory, s.L[memory][:])]
            quiet(s, action)
        case (Op.FORGET, _, card, memory):
            back = [(noting, s.L[noting][:]) for noting in _memories_of(s, card, memory)]
            quiet(s, action)
        case (Op.SHUFFLE, _, place):
            cards = place if isinstance(place, list) else s.L[place]
            back = cards, cards[:]
            quiet(s, action)
        case (Op.ROLL, _, place):
            back = roll(s, place)
        case (Op.NEXT, _, _):
            back = s.queued
            quiet(s, action)
        case (Op.CURRENT, _, _):
            back = s.cur
            quiet(s, action)
        case (Op.DRAWN, _, draw):
            back = []
            attempt(s, back, draw(), named)
        case (Op.FARO | Op.DECK | Op.TEAMS, *_):
            back = [cards[:] for cards in s.L], s.W[:], s.made, s.teams, s.team_of
            quiet(s, action)
    done.append((action, back))


def undo(s: Position, done: Done) -> None:
    """Take back what was tried out, the last first."""
    for action, back in reversed(done):
        match action:
            case (Op.MOVE, _, card, target, _):
                source, at, named, listed = back
                s.L[target].remove(card)
                s.L[source].insert(at, card)
                s.W[card] = source
                if named is not None and named is not s.L[source]:
                    named[:] = listed
            case (Op.NUMBER | Op.NAME | Op.PLAYER as what, _, store, _):
                s.kept(KEPT[what])[store] = back
            case (Op.POINTS, _, store, _):
                s.P[store] = back
            case (Op.REMEMBER | Op.FORGET, *_):
                for memory, cards in back:
                    s.L[memory][:] = cards
            case (Op.SHUFFLE, *_):
                cards, order = back
                cards[:] = order
            case (Op.ROLL, *_):
                for old, new in reversed(back):
                    turn_die(s, new, old)
            case (Op.NEXT, *_):
                s.queued = back
            case (Op.CURRENT, *_):
                s.cur = back
            case (Op.DRAWN, *_):
                undo(s, back)
            case (Op.FARO | Op.DECK | Op.TEAMS, *_):
                places, s.W[:], s.made, s.teams, s.team_of = back
                for cards, before in zip(s.L, places, strict=False):
                    cards[:] = before


FOR_PROGRAMS = (
    "attempt",
    "attribute_at",
    "award",
    "card_at",
    "counted",
    "counted_groups",
    "endless",
    "few_enough",
    "few_options",
    "holder",
    "move_all",
    "next_team",
    "offer",
    "one_of",
    "owner",
    "perform",
    "picked",
    "put",
    "quiet",
    "step",
    "team_of",
    "times",
    "undo",
)
