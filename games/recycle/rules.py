"""A match of a text: the ``State`` of a game, on top of the machine.

Drawn are what the text shuffles, its random numbers and its ties of ``max`` and ``min``, in the order in which the text
comes to them. What an option draws is drawn when it is taken; while options are looked for, draws come from a stream
of their own, so that looking changes nothing.

Source: ``docs/recycle.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from games.core import Chance, Sight
from games.core.messages import Message, message, quoted
from games.core.moves import RulesFailed, numbered
from games.core.ranks import ranks
from games.core.sight import BLIND
from games.core.state import LONGEST_ROLLOUT, Keeps
from games.core.view import say
from games.recycle.awards import Gain
from games.recycle.compiler import Program
from games.recycle.layout import What
from games.recycle.log_entries import Logged, log_alike, log_chosen, log_move, log_rest
from games.recycle.machine import (
    MOST_ACTIONS,
    MOST_OPTIONS,
    MOST_STEPS,
    NOBODY,
    ROUND,
    Action,
    Event,
    Op,
    Position,
    perform,
    put,
    quiet,
    turn_die,
    who_sees,
    who_sees_store,
)
from games.recycle.moves import ChoiceOption, OptionReader, Where, where
from games.recycle.tree import Vis
from games.recycle.tricks import Trick
from games.recycle.zones import is_drawn

LOOK = 1_400  # milliseconds for which everybody looks at what a move has brought before the rules clear it away
MOST_LOOKS = 2  # in a move
AWARD_LOOK = 1_200  # milliseconds for which everybody looks at the cards for which points are awarded
MOST_AWARDS = 24  # in a move
MOST_DETERMINIZATIONS = 100  # that are dealt to find one in which a seat has the options that it really has
MOST_LOOKED_FOR = 100_000  # steps that finding the options of all these may take together

# -- what an audience knows


@dataclass(frozen=True, slots=True)
class Lying:
    """A card in a place: the id by which the audience calls it, and its face. No id: it sees a back.

    ``face`` of a back is what it knows to lie there, "" if it does not.
    """

    id: str
    face: str
    back: str = ""


@dataclass(frozen=True, slots=True)
class PlaceSeen:
    """A place as an audience sees it, the bottom card first."""

    where: Where
    cards: tuple[Lying, ...]
    used: bool  # a card has lain there, or at the place of that name of another player


@dataclass(frozen=True, slots=True)
class StoreSeen:
    """What a store holds. ``number`` is that of the player or team that owns it.

    ``value``: a number, a name, or the seat of a player (-1: nobody); None if the audience does not see it.
    """

    what: What
    owner: str
    number: int
    name: str
    value: int | str | None
    vis: Vis


@dataclass(frozen=True, slots=True)
class TrickSeen:
    """A trick: who played which card, in the order of play, and who has won it (-1: nobody yet).

    ``points``: that its cards have brought the winner.
    """

    plays: tuple[tuple[int, Lying], ...] = ()
    winner: int = -1
    points: int = 0


@dataclass(frozen=True, slots=True)
class Observation:
    """All that a seat (None: a spectator) knows. ``options`` are the seat's own, duplicates and all."""

    seat: int | None
    seats: int
    movers: tuple[int, ...]  # who are to choose; none when the match is over
    chosen: ChoiceOption | None  # what the seat has chosen, while others still choose at the same time
    places: tuple[PlaceSeen, ...]
    stores: tuple[StoreSeen, ...]
    teams: tuple[tuple[int, ...], ...]
    options: tuple[ChoiceOption, ...]
    scores: tuple[float, ...]  # as they would be if the match ended now; none where they depend on hidden cards
    winners: tuple[int, ...]  # of a match that is over
    trick: TrickSeen = TrickSeen()  # in the middle: the latest one, until the first card of the next
    last_trick: TrickSeen = TrickSeen()  # the last one that was won, if it is no longer there
    awarded: frozenset[str] = frozenset()  # the cards for which points were just awarded, within a move
    gains: tuple[Gain, ...] = ()  # of a match that is over: those of its last round
    in_a_row: int = 1  # of the seat's next decisions: each takes one of the cards on offer, whichever the others took

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return not self.movers


# -- state


class RecycleState(Logged[Observation]):
    """A position of a text."""

    def __init__(self, program: Program, chance: Chance, keeps: Keeps = "log") -> None:
        self.program, self.chance = program, chance
        self.seats = seats = program.seats
        layout = program.layout
        self.L = [[] for _ in layout.places]
        self.W = [-1] * len(program.cards)
        self.I = [0] * len(layout.stores["sto"])
        self.S = [0] * len(layout.stores["str"])
        self.H = [NOBODY] * len(layout.stores["who"])
        self.secrets, self.chooser = {}, -1
        self.asked, self.pending = (), {}
        self.P = [program.zeros] * len(layout.stores["points"])
        self.D = []
        self.teams = list(program.teams)
        self.team_of = [-1] * seats
        for number, members in enumerate(self.teams):
            for seat in members:
                self.team_of[seat] = number
        self.stack = []
        self.cur, self.queued, self.tcur = 0, -1, 0
        self.made = [0] * len(program.deck_statements)
        self.owners = [fact.owner for fact in layout.places]
        self.sees = [who_sees(fact, seats) for fact in layout.places]
        self.room = len(self.L)
        self.extra, self.extra_facts, self.extra_stores, self.extra_store_facts = {}, [], {}, {}
        self.steps, self.notes = MOST_STEPS, 0
        self.log = self.events = None
        if keeps == "log":
            self.log, self.events = [], []
        self.sight = BLIND if keeps == "nothing" else Sight(program.cards, seats)
        self.arrived = None
        self.awarded_cards, self.award_moments = (), {}
        self.held = frozenset()
        self.decided = 0  # decisions so far
        self.choice = 0  # the number of the choice to be made; 0: the match is over
        self._options: dict[int, list[tuple[Action, ...]]] = {}  # of it, by player, once they have been looked for
        self._moves: dict[int, list[str]] = {}  # and as moves
        self._peeks: dict[int | None, Chance] = {}  # see ``_options_chance``
        self._scores: list[float] | None = None  # of this position, computed on demand
        try:
            program.declare(self)
        except Exception as error:
            raise program.failure(error) from error
        self._run(0)
        if self.log is not None:
            log_rest(self)

    def _run(self, function: int) -> None:
        """Go on to the next choice."""
        functions = self.program.quiet if self.sight is BLIND and self.log is None else self.program.recorded
        try:
            while function >= 0:
                function = functions[function](self)
        except Exception as error:
            raise self.program.failure(error) from error
        self.choice = ~function

    # -- whose turn, and what may be done

    def to_act(self) -> tuple[int, ...]:
        if self.asked:
            return tuple(sorted(seat for seat in self.asked if seat not in self.pending))
        return (self.cur,) if self.choice else ()

    def options(self, seat: int | None = None) -> list[tuple[Action, ...]]:
        """Return all options of the choice to be made, as the language counts them. Raises RulesFailed.

        ``seat``: whose, where several choose at the same time. By default those of the first who is to act.
        """
        seat = self.to_act()[0] if seat is None else seat
        found = self._options.get(seat)
        if found is None:
            found = self._options[seat] = self._look_for_options(seat)
        return found

    def _look_for_options(self, seat: int) -> list[tuple[Action, ...]]:
        program, chance, current = self.program, self.chance, self.cur
        peek = self._options_chance(seat) if program.draws[self.choice] else chance
        self.steps = MOST_STEPS
        self.chance, self.cur = peek, seat
        try:
            found = program.options[self.choice](self, peek)
        except Exception as error:
            failure = program.failure(error)
            if failure.kind == "too many steps":  # whose message says that the text may never end
                text = message(
                    "Finding the options of this choice takes more than {steps:,} steps. Offer fewer options, or do "
                    "less in each.",
                    steps=MOST_STEPS,
                )
                failure = self._wrong_choice(failure.kind, text)
            raise failure from error
        finally:
            self.chance, self.cur = chance, current
        if not found:
            raise self._wrong_choice("no option", message("Player {player} has no option here.", player=seat + 1))
        if len(found) > MOST_OPTIONS:
            text = message(
                "A choice may have at most {most:,} options, and this one has {n:,}.", most=MOST_OPTIONS, n=len(found)
            )
            raise self._wrong_choice("too many options", text)
        if (actions := sum(map(len, found))) > MOST_ACTIONS:
            text = message(
                "The options of a choice may have {most:,} actions in all, and these have {actions:,}.",
                most=MOST_ACTIONS,
                actions=actions,
            )
            raise self._wrong_choice("too many options", text)
        self.steps -= actions
        return found

    def _wrong_choice(self, kind: str, text: Message) -> RulesFailed:
        """Return the failure of the choice to be made."""
        return self.program.failed(kind, text, self.program.choices[self.choice - 1].at)

    def _options_chance(self, seat: int | None = None) -> Chance:
        """Return the chance for draws while options are found: the same in all copies, until the choice is made.

        None: for draws of the scoring. Where several choose at the same time, each has a chance of their own, because
        what is drawn for one player must not reveal what is drawn for another.
        """
        if seat not in self._peeks:
            whose = f" of {seat}" if self.asked and seat is not None else ""
            self._peeks[seat] = self.chance.stream(f"options {self.decided}{whose}")
        return self._peeks[seat].clone()

    def legal_moves(self, seat: int) -> list[str]:
        return self._notations(seat) if self.choice and seat in self.to_act() else []

    def _notations(self, seat: int) -> list[str]:
        """Return the options of a player as moves, whether or not the player has chosen."""
        if seat not in self._moves:
            reading, options = OptionReader(self, seat), self.options(seat)
            selected = self.program.drawn[self.choice] is not None
            self._moves[seat] = numbered(reading.selections(options) if selected else map(reading.notation, options))
        return self._moves[seat]

    def must_pass(self, seat: int) -> bool:
        return seat in self.to_act() and self._is_forced(seat)

    def _is_forced(self, seat: int) -> bool:
        """Return whether everybody can see that a player who is asked must pass, whether or not the player has."""
        forced = self.program.must_pass[self.choice]
        if forced is None:
            return False
        current, steps = self.cur, self.steps
        self.cur, self.steps = seat, MOST_STEPS
        try:
            return forced(self)
        except Exception:  # what the text asks for is not there, as everybody sees
            return False
        finally:
            self.cur, self.steps = current, steps

    def move_kinds(self, seat: int) -> list[str]:
        """Return where in the text each legal move stands, "LINE:COLUMN"; "" for one that does nothing."""
        return [self.program.place_of(option[0][1]) if option else "" for option in self.options(seat)]

    def apply(self, seat: int, move: str) -> None:
        moves = self.legal_moves(seat)
        if move not in moves:  # in a determinization
            raise RulesFailed("no such option", message("{move} cannot be chosen here.", move=quoted(move)))
        self.take(seat, self.options(seat)[moves.index(move)])

    def take(self, seat: int, option: tuple[Action, ...]) -> None:
        """Take an option. Where several choose at the same time, it is carried out when all have chosen."""
        if self.log is None:
            self.events = None
            if self.sight is BLIND and not self.asked:
                self._options, self._moves, self._peeks, self._scores = {}, {}, {}, None
                self._take_quietly(option)
                return
        elif self.events is None:
            self.events = []
        taken = [(seat, option)]
        if self.asked:
            number = next(number for number, one in enumerate(self.options(seat)) if one is option)
            self.pending = {**self.pending, seat: number}
            if self.log is not None:
                log_chosen(self, seat)
            if len(self.pending) < len(self.asked):
                self.steps = MOST_STEPS  # the same in all copies, whichever options were found before
                return
            taken = [(one, self._option_of(one)) for one in self.asked]
        self._take(taken, perform if self.sight is not BLIND or self.log is not None else quiet)
        if self.log is not None:
            log_rest(self)

    def _option_of(self, seat: int) -> tuple[Action, ...]:
        """Return the option that a player has chosen while others were still choosing."""
        options, number = self.options(seat), self.pending[seat]
        if number >= len(options):  # in a determinization
            raise RulesFailed("no such option", message("Player {player} cannot have chosen that.", player=seat + 1))
        return options[number]

    def _take(
        self, taken: Sequence[tuple[int, tuple[Action, ...]]], carry_out: Callable[[Position, Action], object]
    ) -> None:
        """Carry out what was chosen, by one player or by several at the same time, and go on."""
        program, current, together = self.program, self.cur, bool(self.asked)
        if self.log is not None:
            passing = [seat for seat, option in taken if any(action[0] == Op.PASS for action in option)]
            self.forced = frozenset(filter(self._is_forced, passing))
        self._options, self._moves, self._peeks, self._scores = {}, {}, {}, None
        self.decided += len(taken)
        self.steps = MOST_STEPS
        written, moments = len(self.log or ()), len(self.moments)
        for seat, option in taken:
            begun = len(self.events or ())
            self.chooser = seat
            if together:
                self.cur = seat
            for action in option:
                try:
                    carry_out(self, action)
                except Exception as error:
                    raise program.failed(*program.kind_and_text(error), program.nodes[action[1]].at) from error
            if self.log is not None:
                log_move(self, seat, begun, together=together)
        if together and self.log is not None and len(self.moments) == moments:  # a moment counts the entries before it
            log_alike(self, [seat for seat, _ in taken], written)
        self.chooser = -1
        if together:
            self.cur, self.asked, self.pending = current, (), {}
        if self.log is not None:
            actions = [action for _, option in taken for action in option if action[0] == Op.MOVE]
            self.arrived = {action[3] for action in actions if self.W[action[2]] == action[3]}
        self._run(program.after[self.choice])
        self.arrived = None

    def _take_quietly(self, option: tuple[Action, ...]) -> None:
        """Carry out what was chosen and go on, as ``_take`` does, without any record."""
        program, functions = self.program, self.program.quiet
        action: Action | None = None
        self.decided += 1
        self.steps = MOST_STEPS
        try:
            for action in option:
                if action[0]:  # anything but Op.MOVE, which is 0 and written out here: random play is little else
                    quiet(self, action)
                    continue
                _, _, card, target, position = action
                self.L[self.W[card]].remove(card)
                if position < 0:
                    self.L[target].append(card)
                else:
                    put(self.L[target], position, card)
                self.W[card] = target
            action = None
            function = program.after[self.choice]
            while function >= 0:
                function = functions[function](self)
        except Exception as error:
            if action:
                raise program.failed(*program.kind_and_text(error), program.nodes[action[1]].at) from error
            raise program.failure(error) from error
        self.choice = ~function

    def look(self, place: int, action: Action) -> None:
        looks = len(self.moments) - len(self.award_moments)
        if self.log is None or looks >= MOST_LOOKS or not is_drawn(self.program, where(self, place)):
            return
        seen, won = self._as_it_lies([*(self.events or ()), (action, place)])
        text = next(
            (line["text"] for line in reversed(self.log) if line["kind"] == "move" and "only" not in line), None
        )
        for trick in won.values():
            text = self.winning(trick)
        if text and (won or not self.award_moments):  # everybody has just looked at the cards of an award
            self.pause(text, LOOK, seen)

    def show_award(self, award: int) -> None:
        events = self.events or []
        if self.log is None or len(self.award_moments) >= MOST_AWARDS:
            return
        seen, _ = self._as_it_lies(events)
        seen.awarded_cards = events[award][0][2]
        self.award_moments[award] = len(self.moments)
        self.pause(say(""), AWARD_LOOK, seen)  # ``log_rest`` writes the words

    def _as_it_lies(self, events: Sequence[Event]) -> tuple[Self, Mapping[int, Trick]]:
        """Return this position in the middle of a move, in which nobody is to choose, and the tricks won in it."""
        seen = self._copy(self.chance.clone())
        for seat in range(self.seats):
            seen._options[seat], seen._moves[seat] = [], []
        seen.course, won = self.follow_tricks(events)
        return seen, won

    def rollout(self, chance: Chance, cap: int = LONGEST_ROLLOUT) -> list[float]:
        self.log = self.events = self._scores = None
        self.sight = BLIND
        program = self.program
        options, draws, drawn = program.options, program.draws, program.drawn
        while cap > 0 and (choice := self.choice):
            if len(self.asked) - len(self.pending) > cap:
                return super().rollout(chance, cap)  # it ends while some of them are still choosing
            if self.asked or draws[choice] or self._options:
                cap -= self._take_any(chance)
                continue
            cap -= 1
            if self._peeks:
                self._peeks = {}
            self.steps = MOST_STEPS
            draw = drawn[choice]
            try:
                option = draw(self, chance) if draw else ()
                option = option or chance.choice(options[choice](self, chance))
            except Exception as error:
                raise program.failure(error) from error
            self._take_quietly(option)
        self._peeks = {}
        return self.scores()

    def _take_any(self, chance: Chance) -> int:
        """Take options at random, where several choose at the same time for all of them. Return how many were taken."""
        movers = self.to_act()
        if not self.asked:
            self.take(movers[0], self._any_option(movers[0], chance))
            return 1
        chosen = {seat: self._any_option(seat, chance) for seat in movers}
        self._take([(one, chosen.get(one) or self._option_of(one)) for one in self.asked], quiet)
        return len(movers)

    def _any_option(self, seat: int, chance: Chance) -> tuple[Action, ...]:
        """Return a random option of a player, drawn as if from the list of all."""
        draw = self.program.drawn[self.choice]
        if draw is None or seat in self._options:
            return chance.choice(self.options(seat))
        current, self.cur = self.cur, seat
        self.steps = MOST_STEPS
        try:
            option = draw(self, chance)
        except Exception as error:
            raise self.program.failure(error) from error
        finally:
            self.cur = current
        return option or chance.choice(self.options(seat))

    # -- the end

    def scores(self) -> list[float]:
        """Return each player's score by the text; 0 for all where there is none yet, in the middle of a match."""
        if self._scores is None:
            self._scores = self._scored()
        return self._scores[:]

    def _scored(self) -> list[float]:
        program, before = self.program, self.queued
        self.queued = -1
        self.steps = MOST_STEPS
        try:
            chance = self._options_chance() if program.score_draws else self.chance
            return [float(program.score(self, seat, chance)) for seat in range(self.seats)]
        except Exception as error:
            if self.choice:
                return [0.0] * self.seats
            raise program.failure(error) from error
        finally:
            self.queued = before

    @property
    def low_wins(self) -> bool:
        return self.program.low_wins

    def ranks(self) -> list[int]:
        teams = [team for team in self.teams if len(team) > 1]
        return ranks(self.scores(), low_wins=self.low_wins, teams=teams)

    # -- what an audience may know

    def observe(self, seat: int | None, *, face_up: bool = False) -> Observation:
        movers = self.to_act()
        mine = seat is not None and seat in movers
        return Observation(
            seat=seat,
            seats=self.seats,
            movers=movers,
            chosen=self._chosen(seat) if seat is not None and seat in self.pending else None,
            places=self._places_seen(seat, face_up),
            stores=self._stores_seen(seat, face_up),
            teams=tuple(self.teams),
            options=tuple(self.offered(seat)) if mine else (),
            scores=tuple(self.scores()) if not movers or self.program.uses.open_scoring else (),
            winners=() if movers else tuple(self.winners()),
            trick=self._trick_seen(self._trick_on_table(), seat, face_up),
            last_trick=self._trick_seen(self.course.last, seat, face_up),
            awarded=frozenset(self.sight.piece_id(seat, card, face_up=face_up) for card in self.awarded_cards),
            gains=() if movers else self.gains,
            in_a_row=self._in_a_row(seat) if mine and seat is not None else 1,
        )

    def _in_a_row(self, seat: int) -> int:
        """Return how many cards a player takes one by one from here on, without anything else between."""
        following, most, count = self.program.next_of_several, len(self.options(seat)), 1
        if self.choice not in following:
            return 1
        copy = self.clone().keep("nothing")
        while count < most:
            expected = following.get(copy.choice)
            try:
                copy.take(seat, copy.options(seat)[0])
            except RulesFailed:  # later than these choices
                return count
            if copy.choice != expected or copy.to_act() != (seat,):
                return count
            count += 1
        return count

    def _trick_on_table(self) -> Trick:
        """Return the trick in the middle. In a copy without a log the order of play may be unknown."""
        trick = self.course.on_table
        lying = [(seat, card) for place, seat in self.program.tricks.seats.items() for card in self.L[place]]
        return trick if set(lying) <= set(trick.plays) and (lying or trick.winner >= 0) else Trick(tuple(lying))

    def _trick_seen(self, trick: Trick, seat: int | None, face_up: bool) -> TrickSeen:
        """Return a trick as an audience knows it: everybody has seen its cards, wherever they lie now."""
        faces, plays = self.program.cards.faces, []
        for at, (who, card) in enumerate(trick.plays):
            try:
                id = self.sight.piece_id(seat, card, face_up=face_up)
            except LookupError:  # it has been shuffled with others of its face
                id = f"{faces[card]} of trick {at}"
            plays.append((who, Lying(id, faces[card])))
        return TrickSeen(tuple(plays), trick.winner, trick.points)

    def _chosen(self, seat: int) -> ChoiceOption:
        """Return what a player has chosen while others were still choosing."""
        reading = OptionReader(self, seat)
        return ChoiceOption(self._notations(seat)[self.pending[seat]], reading.actions(self._option_of(seat)))

    def offered(self, seat: int | None = None) -> list[ChoiceOption]:
        """Return the options of a player to act, in the order of ``legal_moves``, as that player may know them."""
        seat = self.to_act()[0] if seat is None else seat
        reading = OptionReader(self, seat)
        met: set[tuple[object, ...]] = set()
        found = []
        for move, option in zip(self.legal_moves(seat), self.options(seat), strict=True):
            effect = reading.effect(option)
            found.append(ChoiceOption(move, reading.actions(option), alike=effect in met))
            met.add(effect)
        return found

    def _places_seen(self, seat: int | None, face_up: bool) -> tuple[PlaceSeen, ...]:
        """Return all places, in an order that does not depend on when they were created.

        Of places created by name during a match, only those that have ever held a card are included: the existence of
        others may depend on hidden cards.
        """
        held = map(self.fact, self.held)
        kinds = {fact if fact.owner < 0 else fact._replace(owner=0) for fact in held}
        facts = {
            fact._replace(owner=one) for fact in kinds for one in (range(self.seats) if fact.owner >= 0 else (-1,))
        }
        known, names = self.program.place_facts, self.program.names
        seen = _Seeing(self, seat, face_up)
        found = [seen.place(place, fact in facts) for place, fact in enumerate(known)]
        for fact in sorted(facts - self.program.layout.places.keys()):
            place = self.extra.get(fact, -1)
            empty = PlaceSeen(Where(fact.vis, fact.owner, names[fact.name]), (), used=True)
            found.append(empty if place < 0 else seen.place(place, used=True))
        return tuple(found)

    def _stores_seen(self, seat: int | None, face_up: bool) -> tuple[StoreSeen, ...]:
        names, bit = self.program.names, self.seats if seat is None else seat
        found = []
        kinds: tuple[What, ...] = ("sto", "str", "who")
        for what in kinds:
            held, unset = self.kept(what), NOBODY if what == "who" else 0
            facts = list(enumerate(self.program.store_facts[what]))
            if self.extra_stores:
                # That one is there, but has never been set, may depend on cards that are hidden.
                more = [(fact, store) for (kind, fact), store in self.extra_stores.items() if kind == what]
                facts += [
                    (store, fact)
                    for fact, store in sorted(more)
                    if (held[store] != unset if fact.vis == "vloc" else (what, store) in self.secrets)
                ]
            for store, fact in facts:
                seen = fact.vis == "vloc" or face_up or who_sees_store(self, what, store) >> bit & 1
                value = None if not seen else names[held[store]] if what == "str" else held[store]
                found.append(StoreSeen(what, fact.owner, fact.number, names[fact.name], value, fact.vis))
        return tuple(found)

    # -- copies

    def fork(self, chance: Chance) -> Self:
        if self.program.draws[self.choice]:
            for seat in self.asked or self.to_act():
                self._options_chance(seat)  # what is to be chosen from is the same in the copy
        if self.program.score_draws:
            self._options_chance()
        return self._copy(chance)

    def _copy(self, chance: Chance) -> Self:
        copy = self.shallow_copy(chance)
        copy.events = copy._scores = copy.arrived = None
        copy.awarded_cards, copy.award_moments = (), {}
        copy._options, copy._moves, copy._peeks = {}, {}, self._peeks.copy()
        copy.L = list(map(list.copy, self.L))  # the quickest way, and most of what a copy costs
        copy.W, copy.I, copy.S, copy.P = self.W.copy(), self.I.copy(), self.S.copy(), self.P.copy()
        copy.H, copy.secrets = self.H.copy(), self.secrets.copy()
        copy.stack = self.stack.copy()
        if self.extra:
            copy.extra, copy.extra_facts = self.extra.copy(), self.extra_facts.copy()
            copy.owners, copy.sees = self.owners.copy(), self.sees.copy()
        if self.extra_stores:
            copy.extra_stores, copy.extra_store_facts = self.extra_stores.copy(), self.extra_store_facts.copy()
        return copy

    def __getstate__(self) -> dict[str, Any]:
        """Return what is sent to another process: options are looked for again there."""
        return self.__dict__ | {"_options": {}, "_moves": {}}

    # -- what a seat may believe

    def determinize(self, seat: int, chance: Chance) -> Self:
        sample = self._sample(seat, chance)
        if seat not in self.to_act() or not self.program.looks[self.choice]:
            return sample
        # The seat's options reveal something about hidden cards: look for a determinization with the same options. If
        # almost none fits, return one with other options: the true state would reveal too much.
        spent = 0
        for _ in range(MOST_DETERMINIZATIONS):
            try:
                if sample.legal_moves(seat) == self.legal_moves(seat):
                    return sample
            except RulesFailed:  # where nothing can be chosen, say
                pass
            spent += ROUND + MOST_STEPS - sample.steps
            if spent > MOST_LOOKED_FOR:  # the bot's determinization keeps a table waiting
                break
            sample = self._sample(seat, chance)
        return sample

    def determinize_blind(self, seat: int, chance: Chance) -> Self:
        blind = self.fork(chance)
        blind.sight.forget(seat)
        return blind._sample(seat, chance)  # options that reveal something reveal the own hand as well

    def _sample(self, seat: int, chance: Chance) -> Self:
        """Return a determinization, whatever the seat may choose in it."""
        sample = super().determinize(seat, chance)
        if self.program.draws[self.choice]:  # a seat does not know what was drawn for the options of others
            for one in self.asked or self.to_act():
                if one != seat:
                    sample._peeks[one] = chance.stream(f"options {chance.randbelow(1 << 32)}")
        sample._roll_unseen(seat, chance)
        if self.secrets:
            sample._guess(seat, chance)
        if self.pending:
            sample.pending = {one: self._believed(one, seat, sample, chance) for one in self.pending}
        return sample

    def _believed(self, one: int, seat: int, sample: Self, chance: Chance) -> int:
        """Return which option a player has chosen, as another one, ``seat``, believes: any. One's own one knows."""
        try:
            moves = sample._notations(one)
        except RulesFailed:  # it cannot be: see ``_option_of``
            return MOST_OPTIONS
        if one == seat and (mine := self._notations(seat)[self.pending[seat]]) in moves:
            return moves.index(mine)
        return chance.randbelow(len(moves))

    def _roll_unseen(self, seat: int, chance: Chance) -> None:
        """Roll the dice of which a seat does not see what is up."""
        kinds, named = self.program.cards.kinds, None
        before, now = [], []
        for cards in self.piles() if self.program.dice else ():  # in an order that reveals nothing
            for card in list(cards):
                if kinds[card] == "die":
                    named = self.sight.named_by(seat) if named is None else named
                    if card not in named:
                        faces = self.program.cards.die(card)
                        before.append(card)
                        now.append(faces[chance.randbelow(len(faces))])
                        turn_die(self, card, now[-1])
        if before:
            self.sight.redraw(before, now)

    def _guess(self, seat: int, chance: Chance) -> None:
        """Draw what secret stores hold that a seat does not see, by what was done to them."""
        unknown = [each for each in self.secrets.items() if not who_sees_store(self, *each[0]) >> seat & 1]
        for (what, store), secret in unknown:
            self.kept(what)[store] = secret.base
        for (what, store), secret in unknown:
            held, owner = self.kept(what), self.store_fact(what, store).number
            for group, chooser in secret.past:
                self.steps = MOST_STEPS
                try:
                    guess = chance.choice(self.program.guesses[group])
                    held[store] = guess(self, max(chooser, 0), owner, held[store], chance)
                except Exception:  # noqa: S112  # what it was computed from is not there in this determinization
                    continue

    def piles(self) -> Sequence[list[int]]:
        return [cards for cards, fact in zip(self.L, self.program.place_facts, strict=False) if fact.vis != "mem"] + [
            self.L[place] for fact, place in sorted(self.extra.items()) if fact.vis != "mem"
        ]

    @property
    def back(self) -> Callable[[int], Hashable] | None:
        return self.program.backs.__getitem__ if self.program.backs else None

    def arrange(self) -> None:
        W = self.W
        for place, cards in enumerate(self.L):
            if cards and self.fact(place).vis != "mem":
                for card in cards:
                    W[card] = place


class _Seeing:
    """What one audience sees of the places of a position."""

    def __init__(self, s: RecycleState, seat: int | None, face_up: bool) -> None:
        self.s, self.seat, self.face_up = s, seat, face_up
        self.bit = s.seats if seat is None else seat
        self.named: set[int] = set() if face_up else s.sight.named_by(seat)  # cards that it can name, wherever they lie

    def place(self, place: int, used: bool) -> PlaceSeen:
        """Return a place with its cards. ``used``: as in PlaceSeen."""
        s, named = self.s, self.named
        faces, backs = s.program.cards.faces, s.program.cards.backs
        here = where(s, place)
        cards = s.L[place]
        if not (self.face_up or s.sees[place] >> self.bit & 1):
            shown = [Lying("", faces[card] if card in named else "", backs[card]) for card in cards]
        elif here.vis == "mem" and not self.face_up:
            # A memory still has the card it recorded when nobody knows any more where that card lies.
            shown = [
                Lying(self._id(card) if card in named else f"{faces[card]}@{at}", faces[card], backs[card])
                for at, card in enumerate(cards)
            ]
        else:
            shown = [Lying(self._id(card), faces[card], backs[card]) for card in cards]
        return PlaceSeen(here, tuple(shown), used)

    def _id(self, card: int) -> str:
        return self.s.sight.piece_id(self.seat, card, face_up=self.face_up)
