"""The log of a text: the actions of a move, and of everything that follows from it, as log entries.

Similar consecutive actions become one sentence. It names a card for everybody if everybody saw it at one of the places;
other players who saw it get an entry of their own. Numbers come last.

Clearing up is no news (``clearing.py``).

Where several choose at the same time and all that is to be said of each is the same, one entry says it of all of them;
each player reads which of their own cards, that others do not see, it was about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from games.core import State
from games.core.sight import everybody_at
from games.core.view import Arg, EntryKind, LogEntry, Sentence, say, seat_arg, word
from games.recycle import clearing, verbs
from games.recycle.awards import Gain, award_sentence, how_won, source_of
from games.recycle.cards import PieceKind
from games.recycle.clearing import Gathered
from games.recycle.compiler import Program
from games.recycle.layout import What
from games.recycle.machine import KEPT, Action, Event, Op, Position, who_sees_store
from games.recycle.moves import Where, where
from games.recycle.phrase_book import EVERYBODY, EVERYBODY_ASKED, NOUNS, PASS, SPEAK, Verb, is_plural
from games.recycle.tricks import Trick, TricksSoFar, follow, winning
from games.recycle.uses import ROUNDS
from games.recycle.zones import is_drawn, is_kept, zone_of

SCORE_NAMES = frozenset(
    {"SCORE", "SCORES", "POINTS", "CHIPS", "MONEY", "COINS", "CASH", "LIVES", "STRIKES", "TRICKS", "POT"}
)
MOST_MOTIONS = 60  # of an entry: more would not be seen
MOST_NAMED = 6  # cards in an entry that is not a player's move
MOST_PRIVATE = 13  # cards in an entry for one player
MOST_ENTRIES = 200  # about what a player has chosen, and as many about what followed

O = TypeVar("O")  # noqa: E741


@dataclass
class Moved:
    """Cards that went from places of one name to places of one name, in order: (card, source, target).

    ``key``: what all of these moves have in common.
    """

    key: tuple[Any, ...]
    steps: list[tuple[int, int, int]] = field(default_factory=list)


class Logged(Position, State[O]):
    """The parts of a match that its log entries are made from."""

    program: Program
    choice: int  # the number of the choice to be made; 0: the match is over
    own = 0  # the number of events that the player chose and that are logged
    awarded_cards: tuple[int, ...] = ()  # the cards for which points were just awarded, in a position within a move
    award_moments: dict[int, int]  # the moments of this move that show awards, by the number of their event
    forced: frozenset[int] = frozenset()  # the players who must pass in this move, as everybody sees
    course = TricksSoFar()  # the tricks; kept only together with a log, so copies of bots do not pay for it

    gains: tuple[Gain, ...] = ()  # since the last round began; kept together with a log

    def winning(self, trick: Trick) -> Sentence:
        """Return the sentence about who has won a trick."""
        program = self.program
        card = program.faces.arg(program.cards.faces[trick.card]) if trick.card >= 0 else None
        return winning(trick.winner, card, trick.points)

    def follow_tricks(self, events: Sequence[Event]) -> tuple[TricksSoFar, dict[int, Trick]]:
        """Return what events have made of the tricks, and by the place of an event the trick that it decided."""
        course, won = follow(self.program.tricks, self.course, events, self.owners)
        for at, trick in won.items():
            points = self._points_of(trick, events)
            won[at] = trick._replace(points=points)
            if course.latest == trick:
                course = course._replace(latest=won[at])
        return course, won

    def _points_of(self, trick: Trick, events: Sequence[Event]) -> int:
        """Return the points that the cards of a trick have brought its winner; 0 if the text counts none."""
        points = 0
        for action, before in events:
            if action[0] == Op.NUMBER and action[1] in self.program.tricks.valued:
                fact = self.store_fact("sto", action[2])
                team = self.teams[fact.number] if fact.owner == "team" else (fact.number,)
                if fact.vis == "vloc" and fact.owner != "game" and trick.winner in team:
                    points += action[3] - before
        return points


def log_chosen(s: Logged[Any], seat: int) -> None:
    """Log that a player has chosen, and not what, while others choose at the same time."""
    s.add_entry("move", say("{seat} has chosen.", seat=seat_arg(seat)), seat=seat)


def log_move(s: Logged[Any], seat: int, begun: int, *, together: bool = False) -> None:
    """Put what a player has chosen, which is all that was done from an event on, into log entries.

    ``together``: others have chosen at the same time, so nobody has just seen what this player chose.
    """
    if s.log is not None and s.events is not None:
        s.own = len(s.events)
        _Writer(s, together=together).option(seat, s.events[begun:])


def log_alike(s: Logged[Any], seats: Sequence[int], begun: int) -> None:
    """Put one entry in place of those that say the same of all ``seats``, who have chosen at the same time.

    ``begun``: the number of entries before those about what they have chosen.
    """
    if s.log is None or len(seats) < 2:
        return
    entries = s.log[begun:]
    about = [[entry for entry in entries if entry.get("seat") == seat and "only" not in entry] for seat in seats]
    private = [entry for entry in entries if "only" in entry]
    if sum(map(len, about)) + len(private) < len(entries) or not all(map(_may_name_all, entries)):
        return
    if len({repr([_of_anybody(entry) for entry in its]) for its in about}) > 1:
        return
    who = EVERYBODY if len(seats) == s.seats else EVERYBODY_ASKED
    del s.log[begun:]
    for alike in zip(*about, strict=True):
        text = say(alike[0]["text"]["text"], **{**alike[0]["text"]["args"], "seat": who})
        motions = [(one["source"], one["target"]) for entry in alike for one in entry.get("motions", ())]
        s.add_entry("move", text, motions=motions[:MOST_MOTIONS])
    s.log += private


def _may_name_all(entry: LogEntry) -> bool:
    """Return whether a sentence begins with its player: there, and in the singular, all can be named instead."""
    return "only" in entry or (entry["kind"] == "move" and entry["text"]["text"].startswith("{seat}"))


def _of_anybody(entry: LogEntry) -> tuple[str, list[tuple[str, Arg]]]:
    """Return what an entry says, but not about whom."""
    text = entry["text"]
    return text["text"], sorted((name, arg) for name, arg in text["args"].items() if name != "seat")


def log_rest(s: Logged[Any]) -> None:
    """Put what followed, or the deal, into log entries, and forget all that was done."""
    events = s.events
    if s.log is None or events is None:
        return
    own, s.own, s.events = s.own, 0, []
    begun = len(s.log)
    s.course, won = s.follow_tricks(events)
    writer = _Writer(s)
    writer.rest(events, own, won)
    _describe_awards(s, writer.described)
    writer.changes(events, own)
    s.gains += tuple(_gains(s, events))
    if not s.choice:
        writer.end()
    elif any(entry["kind"] == "round" for entry in s.log[begun:]):
        s.gains = ()


def _gains(s: Logged[Any], events: Sequence[Event]) -> Iterator[Gain]:
    """Yield what events have changed of the scores, where these are stores that everybody sees.

    Awards may be counted in another store first, which is added to the score then.
    """
    program, award = s.program, None
    awarded: dict[str, dict[str, int]] = {}  # by the name of a store: the kinds of awards in it
    for action, before in events:
        if action[0] == Op.AWARD:
            award = action[1]
        if action[0] != Op.NUMBER:
            continue
        fact, points = s.store_fact("sto", action[2]), action[3] - before
        name = program.names[fact.name]
        kind = program.award_reasons[action[1]].kind if award == action[1] else ""
        if (fact.owner, name) != program.uses.score_store or fact.vis != "vloc":
            if kind:
                awarded.setdefault(name, {})
                awarded[name][kind] = awarded[name].get(kind, 0) + points
            elif points < 0 or action[3] == 0:  # reset
                awarded.pop(name, None)
            continue
        source, added = source_of(program.nodes[action[1]])
        parts = awarded.pop(added, {}) if not kind else {}
        rest = points - sum(parts.values())
        for seat in s.teams[fact.number] if fact.owner == "team" else (fact.number,):
            yield from (Gain(seat, one, count) for one, count in parts.items())
            if rest:
                yield Gain(seat, kind or source, rest)


def _describe_awards(s: Logged[Any], described: Mapping[int, tuple[Sentence, int]]) -> None:
    """Put the words of awards into the moments that show them; one whose points go to nobody is left out."""
    shown, entries = {number: event for event, number in s.award_moments.items()}, 0
    moments = []
    for number, moment in enumerate(s.moments):
        if number in shown:
            if shown[number] not in described:
                continue
            text, entries = described[shown[number]]
            moment = moment._replace(text=text)
        entries = max(entries, moment.entries)
        moments.append(moment._replace(entries=entries))
    s.moments, s.award_moments = tuple(moments), {}


class _Writer:
    def __init__(self, s: Logged[Any], *, together: bool = False) -> None:
        self.together = together  # others have chosen at the same time
        self.s, self.program, self.labels = s, s.program, s.program.labels
        self.everybody = everybody_at(s.seats)
        self._room = MOST_ENTRIES
        self.played: dict[int, int] = {}  # cards that players have played from their hands, and who
        self.mixed: set[int] = set()  # places about which was said that they are shuffled
        self.described: dict[int, tuple[Sentence, int]] = {}  # of awards, with the entries then

    def _entry(self, kind: EntryKind, text: Sentence, **more: Any) -> None:
        """Add an entry, up to a limit for each move: nobody reads hundreds."""
        self._room -= 1
        if self._room > 0:
            self.s.add_entry(kind, text, **more)
        elif self._room == 0:
            self.s.add_entry("info", say("More happened than the log can show."))

    # -- what a player has chosen

    def option(self, seat: int, events: Sequence[Event]) -> None:
        """Add entries for a player's own actions."""
        written = 0
        own_moves = list(self._own_moves(events))
        if self._is_capture(seat, own_moves):
            self._captured("move", seat, own_moves)
            written += 1
        else:
            for moved in own_moves:
                self._own(seat, moved)
                written += 1
        stores = [(action, note) for action, note in events if action[0] in KEPT]
        for action, _ in stores:
            name = self._store(KEPT[action[0]], action[2])[2]
            value = self.program.names[action[3]] if action[0] == Op.NAME else None
            if not self.labels.says(name, value) or (written and action[0] == Op.NUMBER):
                continue
            self._set(seat, action)
            written += 1
        for action, note in events:
            if action[0] == Op.ROLL and note:
                self._rolled(seat, note)
                written += 1
        if not written and any(action[0] == Op.PASS for action, _ in events):
            verb = verbs.of_passing(self.labels)
            if verb is PASS and seat in self.s.forced:
                self._entry("move", say("{seat} must pass.", seat=seat_arg(seat)), seat=seat)
            else:
                self._entry("move", say(verb.logged, seat=seat_arg(seat)), seat=seat)
        elif not written:
            template = "{seat} shuffles." if any(action[0] == Op.SHUFFLE for action, _ in events) else "{seat} goes on."
            self._entry("move", say(template, seat=seat_arg(seat)), seat=seat)

    def _own_moves(self, events: Sequence[Event]) -> Iterator[Moved]:
        """Yield the moves of an option, each card from where it lay to where it ended, as the button called it."""
        ways: dict[int, list[int]] = {}
        for action, note in events:
            if action[0] == Op.MOVE:
                ways.setdefault(action[2], [note, action[3]])[1] = action[3]
        shown = {card: way for card, way in ways.items() if self._where(way[1]).name not in self.labels.hidden_places}
        found: Moved | None = None
        for card, (source, target) in (shown or ways).items():
            if found and found.key == (source, target):
                found.steps.append((card, source, target))
                continue
            if found:
                yield found
            found = Moved((source, target), [(card, source, target)])
        if found:
            yield found

    def _is_capture(self, seat: int, moves: Sequence[Moved]) -> bool:
        """Return whether moves take open cards from several places into one place of a player."""
        s = self.s
        if len(moves) < 2 or len({moved.steps[0][2] for moved in moves}) > 1:
            return False
        went = self._where(moves[0].steps[0][2])
        sources = [moved.steps[0][1] for moved in moves]
        hands = [moved for moved in moves if verbs.is_hand(self._where(moved.steps[0][1]))]
        return (
            went.owner == seat
            and not verbs.is_hand(went)
            and all(s.sees[source] | s.sees[moves[0].steps[0][2]] == self.everybody for source in sources)
            and all(s.owners[source] in (-1, seat) for source in sources)
            and len(hands) <= 1
            and all(len(moved.steps) == 1 for moved in hands)
            and not any(verbs.has_own(self.labels, self._where(source), went) for source in sources)
        )

    def _captured(self, kind: EntryKind, seat: int, moves: Sequence[Moved]) -> None:
        """Add the entry for cards from several places that go to one: "Bram takes 4♥ and 3♦ with 7♣."."""
        steps = [step for moved in moves for step in moved.steps]
        used = [card for card, source, _ in steps if card in self.played or verbs.is_hand(self._where(source))]
        taken = [card for card, _, _ in steps if card not in used]
        template = "{seat} takes {cards} with {card}." if used else "{seat} takes {cards}."
        template, listed = verbs.list_cards(template, self._faces(taken), len(taken), kind=self._kind(taken))
        if used:
            listed["card"] = self._faces(used)[0]
        motions = self._motions(Moved((), steps))
        self._entry(kind, say(template, seat=seat_arg(seat), **listed), seat=seat, motions=motions)

    def _own(self, seat: int, moved: Moved) -> None:
        s = self.s
        _, source, target = moved.steps[0]
        came, went = self._where(source), self._where(target)
        cards = [card for card, _, _ in moved.steps]
        sees = s.sees[source] | s.sees[target]
        public = sees == self.everybody
        going = verbs.Going(came, went, len(cards), seen=bool(s.sees[source] >> seat & 1))
        verb = verbs.of_cards(self.labels, going, seat)
        sentence = self._sentence(verb, seat, came, went, cards, named=public)
        self._entry("move", sentence, seat=seat, motions=self._motions(moved))
        if self.together and not public and going.seen and len(cards) <= MOST_PRIVATE:
            order = self.program.faces.order
            known = sorted(cards, key=lambda card: order(self.program.cards.faces[card]))
            named = self._sentence(verb, seat, came, went, known, named=True, most=MOST_PRIVATE)
            if named != sentence:
                self._entry("info", named, only=seat)
        for viewer in [] if public else range(s.seats):
            if (sees & ~s.sees[source]) >> viewer & 1:
                self._privately(viewer, went, cards)

    def _sentence(
        self,
        verb: Verb,
        seat: int,
        came: Where,
        went: Where,
        cards: Sequence[int],
        *,
        named: bool,
        most: int = verbs.MOST_NAMED,
    ) -> Sentence:
        faces = self._faces(cards) if named else []
        template, listed = verbs.list_cards(verb.logged, faces, len(cards), most=most, kind=self._kind(cards))
        places = verbs.gaps(self.labels, verb, came, went, seat)
        return verbs.filled(template, seat=seat_arg(seat), **listed, **places)

    def _privately(self, viewer: int, went: Where, cards: Sequence[int]) -> None:
        cards = [card for card in cards if self.program.cards.kinds[card] != "die"]  # what was rolled is seen there
        if not 0 < len(cards) <= MOST_PRIVATE:
            return  # nobody reads so long an entry
        faces = self.program.cards.faces
        order = self.program.faces.order
        cards = sorted(cards, key=lambda card: order(faces[card]))
        own = say("You get {cards}." if went.owner == viewer else "You see {cards}.")
        others = say("{seat} gets {cards}." if went.owner == viewer else "{seat} sees {cards}.", seat=seat_arg(viewer))
        for text in (own, others):
            text["text"], listed = verbs.list_cards(text["text"], self._faces(cards), len(cards), most=MOST_PRIVATE)
            text["args"] |= listed
        self._entry("deal", own, only=viewer, others=others)

    def _set(self, seat: int, action: Action) -> None:
        kept, number = KEPT[action[0]], action[2]
        store, seen = self._store(kept, number), who_sees_store(self.s, kept, number)
        if seen != self.everybody:
            text = say("{seat} secretly chooses the {store}.", seat=seat_arg(seat), store=self.labels.bare(store[2]))
            self._entry("move", text, seat=seat)
            self._secretly(action, seat)
        else:
            self._entry("move", self._sets(seat, action), seat=seat)

    def _sets(self, seat: int, action: Action) -> Sentence:
        """Return the sentence about a player who sets a store."""
        kept, number = KEPT[action[0]], action[2]
        store = self._store(kept, number)
        value = self.program.names[action[3]] if action[0] == Op.NAME else self.s.kept(kept)[number]
        verb = verbs.of_store(self.labels, store, value, seat)
        gaps = verbs.store_gaps(self.labels, store, value, player=action[0] == Op.PLAYER)
        if verb.logged != SPEAK.logged:
            gaps["store"] = self.labels.bare(store[2])
        return verbs.filled(verb.logged, seat=seat_arg(seat), **gaps)

    def _secretly(self, action: Action, seat: int = -1) -> None:
        """Add entries for those who see to what a secret store was set. ``seat``: who has chosen it; -1: the rules."""
        kept, number = KEPT[action[0]], action[2]
        name = self._store(kept, number)[2]
        value: Arg = self.labels.value(self.program.names[action[3]]) if action[0] == Op.NAME else action[3]
        if action[0] == Op.PLAYER:
            value = seat_arg(action[3])
        store, seen = self.labels.bare(name), who_sees_store(self.s, kept, number)
        if name in self.labels.hidden_stores or seen == self.everybody:
            return
        for viewer in range(self.s.seats):
            if seen >> viewer & 1 and viewer == seat:
                self._entry("info", self._sets(seat, action), only=seat)
            elif seen >> viewer & 1:
                text = say("You see the {store}: {value}.", store=store, value=value)
                others = say("{seat} sees the {store}: {value}.", seat=seat_arg(viewer), store=store, value=value)
                self._entry("info", text, only=viewer, others=others)

    def _rolled(self, seat: int, rolled: Sequence[tuple[int, int]]) -> None:
        """Add the entry for dice that were rolled, by a player or (-1) by the rules."""
        if not rolled:
            return
        new = [card for _, card in rolled if self.s.W[card] >= 0]
        seen = [self.s.sees[self.s.W[card]] for card in new]
        public = len(new) == len(rolled) <= MOST_PRIVATE and all(eyes == self.everybody for eyes in seen)
        template = "{seat} rolls {cards}." if seat >= 0 else "The dice: {cards}." if public else "Dice are rolled."
        template, listed = verbs.list_cards(
            template, self._faces(new) if public else [], len(rolled), most=MOST_PRIVATE, kind="die"
        )
        if seat < 0:
            self._entry("deal", verbs.filled(template, **listed))
            return
        self._entry("move", verbs.filled(template, seat=seat_arg(seat), **listed), seat=seat)

    # -- what followed

    def rest(self, events: Sequence[Event], own: int, won: Mapping[int, Trick]) -> None:
        """Add entries for what the rules did: deals, taking tricks, discarding. ``won``: tricks, by their event."""
        begun: dict[tuple[Any, ...], Moved] = {}  # since the last shuffle
        in_tricks = {card for trick in won.values() for _, card in trick.plays}
        shuffled = {at: one for at, one in clearing.shuffled(self.s, events, own).items() if self._is_news(one)}
        cleared = {step for gathered in shuffled.values() for step in gathered.steps}
        kept = clearing.kept_by_taker(self.s, events, own)
        self.played = {
            action[2]: self.s.owners[note]
            for action, note in events[:own]
            if action[0] == Op.MOVE and verbs.is_hand(self._where(note))
        }
        for at, (action, note) in enumerate(events):
            if self._room <= 0:
                return
            if at in won:
                self._write_moves(begun)
                self._won(won[at])
            if at < own or at in cleared or at in kept:
                continue
            if action[0] == Op.MOVE and action[2] in in_tricks and note in self.program.tricks.seats:
                continue  # the entry about the winner stands for it
            if action[0] == Op.MOVE:
                came, went = self._where(note), self._where(action[3])
                key = (came.vis, came.name), (went.vis, went.name), came.owner < 0, went.owner < 0
                begun.setdefault(key, Moved(key)).steps.append((action[2], note, action[3]))
            elif action[0] in (Op.SHUFFLE, Op.FARO, Op.DECK):
                self._write_moves(begun)
                if at in shuffled:
                    self._gathered(shuffled[at])
                elif action[0] != Op.DECK and not isinstance(action[2], list):
                    self._mixed(action[2])
            elif action[0] == Op.ROLL:
                self._write_moves(begun)
                self._rolled(-1, note)
            elif action[0] in KEPT and self._is_secret(KEPT[action[0]], action[2]):
                self._secretly(action)
            elif action[0] == Op.AWARD and at + 1 < len(events):
                self._write_moves(begun)
                self._awarded(at, events)
            elif action[0] == Op.REVEAL:
                self._write_moves(begun)
                self._revealed(action, note)
        self._write_moves(begun)

    def _is_news(self, gathered: Gathered) -> bool:
        """Return whether people see where cards come from that are put together, or where they go."""
        return self._shown(self._where(gathered.ways[0][1])) or self._shown(self._where(gathered.place))

    def _gathered(self, gathered: Gathered) -> None:
        """Add the entry for cards that were put into a place and shuffled there."""
        motions = self._motions(Moved((), gathered.ways))
        if gathered.all:
            kind: EntryKind = "deal" if self.program.uses.rounds else "round"
            self._entry(kind, say("The cards are gathered and shuffled."), motions=motions)
            return
        cards = [card for card, _, _ in gathered.ways]
        one = "is" if len(cards) == 1 else "are"
        template, listed = verbs.list_cards(
            f"{{cards}} {one} shuffled into {{place}}.", [], len(cards), kind=self._kind(cards)
        )
        place = verbs.called(self.labels, self._where(gathered.place))
        text = verbs.filled(_capital(template), **listed, place=place)
        self._entry("deal", text, motions=motions)

    def _mixed(self, place: int) -> None:
        """Add the entry for a place that is shuffled, once in a move."""
        if self._where(place).vis != "mem" and place not in self.mixed:
            self.mixed.add(place)
            called = verbs.called(self.labels, self._where(place))
            nouns = [word for word in called.split() if word in NOUNS] or [called]
            several = any(map(is_plural, nouns))
            template = "{place} are shuffled." if several else "{place} is shuffled."
            self._entry("deal", say(template, place=_capital(called)))

    def _won(self, trick: Trick) -> None:
        """Add the entry about who has won a trick. It stays in view, so nothing moves yet."""
        self._entry("win", self.s.winning(trick), seat=trick.winner)

    def _awarded(self, at: int, events: Sequence[Event]) -> None:
        """Add the entry about points for some cards: an event says for which, and the next one awards them."""
        (award, _), (action, before) = events[at : at + 2]
        if action[:2] != (Op.NUMBER, award[1]) or action[3] <= before:
            return
        taker = self._taker(action[2], events[at + 1 :])
        if taker < 0:
            return
        reason, order = self.program.award_reasons[award[1]], self.program.faces.order
        rank_first = -1 if reason.kind == "run" else 1
        cards = sorted(award[2], key=lambda card: order(self.program.cards.faces[card])[::rank_first])
        template, args = award_sentence(reason, len(cards), taker, action[3] - before)
        template, listed = verbs.list_cards(template, self._faces(cards), len(cards), most=len(cards))
        text = say(template, **args, **listed)
        self._entry("info", text, seat=taker)
        self.described[at] = text, len(self.s.log or ())

    def _taker(self, store: int, events: Sequence[Event]) -> int:
        """Return who gets points that are added to a store: its owner, or whose store is increased next; -1: nobody."""
        for one in (store, *(action[2] for action, _ in events if action[0] == Op.NUMBER)):
            fact = self.s.store_fact("sto", one)
            if fact.owner != "game" and self.program.names[fact.name] in self.program.uses.scored:
                return fact.number if fact.owner == "player" else self.s.teams[fact.number][0]
        return -1

    def _is_secret(self, kept: What, store: int) -> bool:
        return self.s.store_fact(kept, store).vis != "vloc"

    def _revealed(self, action: Action, held: int) -> None:
        """Add the entry for what a secret store held when everybody saw it."""
        _, _, kept, store = action
        self._open(kept, store, held)

    def _write_moves(self, begun: dict[tuple[Any, ...], Moved]) -> None:
        """Add entries for the moves of cards since the last call, and forget these moves."""
        captures = {place: moves for place, moves in self._by_target(begun.values()).items() if self._is_given(moves)}
        for moved in begun.values():
            moves = captures.get(moved.steps[0][2], [])
            if moved in moves:
                if moved is moves[0]:
                    self._captured("info", self.s.owners[moved.steps[0][2]], moves)
            else:
                self._moved(moved)
        begun.clear()

    @staticmethod
    def _by_target(moves: Iterable[Moved]) -> dict[int, list[Moved]]:
        """Return by place the moves of which all cards go there."""
        found: dict[int, list[Moved]] = {}
        for moved in moves:
            if len(targets := {target for _, _, target in moved.steps}) == 1:
                found.setdefault(targets.pop(), []).append(moved)
        return found

    def _is_given(self, moves: Sequence[Moved]) -> bool:
        """Return whether the rules give a player cards for the one that this player has just played."""
        s, place = self.s, moves[0].steps[0][2]
        went = self._where(place)
        steps = [step for moved in moves for step in moved.steps]
        played = [card for card, _, _ in steps if self.played.get(card) == went.owner]
        seen = all(s.sees[source] | s.sees[place] == self.everybody for _, source, _ in steps)
        return len(played) == 1 < len(steps) and self._shown(went) and seen and not verbs.is_hand(went)

    def _moved(self, moved: Moved) -> None:
        """Add entries for cards the rules have moved."""
        s = self.s
        if all(source == target for _, source, target in moved.steps):
            return  # they lie where they were, in another order
        came, went = self._where(moved.steps[0][1]), self._where(moved.steps[0][2])
        if not self._shown(came) and (not self._shown(went) or is_kept(self.program, came)):
            return
        if came.owner < 0 and went.owner < 0 and not self._shown(went) and len(moved.steps) > MOST_NAMED:
            return  # no cards would be named, and what nobody needs to see needs no entry
        takers: dict[int, list[tuple[int, int, int]]] = {}
        for step in moved.steps:
            takers.setdefault(s.owners[step[2]], []).append(step)
        public = all(s.sees[source] | s.sees[target] == self.everybody for _, source, target in moved.steps)
        kind: EntryKind = "deal" if verbs.is_stock(came) else "info"
        count = len(moved.steps)
        alike = len(set(map(len, takers.values()))) == 1
        own = all(s.owners[source] == s.owners[target] for _, source, target in moved.steps)
        if went.owner < 0:
            self._to_table(kind, came, went, moved, public=public)
        elif len(takers) == s.seats > 1 and alike and not own and not (public and len(takers) == count):
            self._to_everybody(kind, went, moved)
        elif public and len(takers) == count > 1:
            self._one_each(kind, went, moved)
        else:
            for seat, steps in sorted(takers.items()):
                cards = [card for card, _, _ in steps]
                givers = {s.owners[source] for _, source, _ in steps}
                some_motions = self._motions(Moved(moved.key, steps))
                self._to_player(kind, came, went, seat, cards, public=public, givers=givers, motions=some_motions)
        if not public:
            self._privately_all(moved)

    def _to_everybody(self, kind: EntryKind, went: Where, moved: Moved) -> None:
        """Add an entry for as many cards going to each player: "2 cards go to each player's left column."."""
        pieces = [card for card, _, _ in moved.steps]
        count, what = len(pieces) // self.s.seats, self._kind(pieces)
        template = "{cards} goes to each player's {place}." if count == 1 else "{cards} go to each player's {place}."
        if verbs.is_hand(went) or verbs.is_named_after(self.labels, went, what):
            template = "Everybody gets {cards}."
        template, listed = verbs.list_cards(template, [], count, kind=what)
        text = verbs.filled(_capital(template), **_begun(template, listed), place=self.labels.owned(went.name))
        self._entry(kind, text, motions=self._motions(moved))

    def _one_each(self, kind: EntryKind, went: Where, moved: Moved) -> None:
        """Add an entry for one card going to each of several players: "Last bid: Anna J♣, Bram 5♠, Coco 4♥."."""
        args: dict[str, Arg] = {"place": self.labels.word(went.name)}
        named = []
        for number, (card, _, target) in enumerate(moved.steps):
            args |= {f"seat{number}": seat_arg(self._where(target).owner), f"card{number}": self._faces([card])[0]}
            named.append(f"{{seat{number}}} {{card{number}}}")
        template = word("{place}: {each}.").replace("{each}", ", ".join(named))
        self._entry(kind, say(template, **args), motions=self._motions(moved))

    def _to_table(self, kind: EntryKind, came: Where, went: Where, moved: Moved, *, public: bool) -> None:
        cards = [card for card, _, _ in moved.steps]
        one = "goes" if len(cards) == 1 else "go"
        givers = {self.s.owners[source] for _, source, _ in moved.steps}
        template = f"{{cards}} {one} to {{place}}."
        giver = next(iter(givers))
        faces = self._named(cards) if public else []
        if len(givers) == 1 and giver >= 0:
            whose = "{seat}'s {cards}" if faces or (public and len(cards) > 1) else "{cards} of {seat}"
            template = f"{whose} {one} to {{place}}."
        elif giver < 0 and went.name in verbs.SHOWN and came.vis in ("hloc", "iloc") and len(faces) == 1:
            template = "{cards} is turned up from {from}."
        elif giver < 0:
            template = f"{{cards}} {one} from {{from}} to {{place}}."
        template, listed = verbs.list_cards(template, faces, len(cards), kind=self._kind(cards))
        text = verbs.filled(
            _capital(template),
            **_begun(template, listed),
            seat=seat_arg(max(giver, 0)),
            place=verbs.called(self.labels, went),
            **{"from": verbs.called(self.labels, came)},
        )
        self._entry(kind, text, motions=self._motions(moved))

    def _named(self, cards: Sequence[int]) -> list[Arg]:
        """Return the faces of cards that an entry names; none where there are too many, or tokens that are equal.

        A single token has no name if all of the text are equal: "a token", not "red".
        """
        faces = self._faces(cards) if len(cards) <= MOST_NAMED else []
        if faces and self._kind(cards) == "tokens":
            pieces = self.program.cards
            others = cards if len(cards) > 1 else [one for one, kind in enumerate(pieces.kinds) if kind == "tokens"]
            return [] if len({pieces.faces[one] for one in others}) == 1 < len(others) else faces
        return faces

    def _to_player(
        self,
        kind: EntryKind,
        came: Where,
        went: Where,
        seat: int,
        cards: Sequence[int],
        *,
        public: bool,
        givers: set[int],
        motions: Sequence[tuple[str, str]],
    ) -> None:
        faces = self._named(cards) if public else []
        one = "goes" if len(cards) == 1 else "go"
        listed: dict[str, Arg] = {}
        if came.name in verbs.TRICKS | verbs.PLAYED and len(givers) > 1:
            template = "{seat} takes the trick."
        elif verbs.is_hand(came) and verbs.is_hand(went) and len(givers) == 1:
            template, listed = verbs.list_cards(
                "{giver} gives {cards} to {seat}.", faces, len(cards), kind=self._kind(cards)
            )
        else:
            template = "{seat} gets {cards}." if verbs.is_hand(went) else f"{{cards}} {one} to {{seat}}'s {{place}}."
            template, listed = verbs.list_cards(template, faces, len(cards), kind=self._kind(cards))
            template, listed = _capital(template), _begun(template, listed)
        giver = seat_arg(max(min(givers), 0))
        text = verbs.filled(template, seat=seat_arg(seat), giver=giver, place=self.labels.owned(went.name), **listed)
        self._entry(kind, text, motions=motions)

    def _privately_all(self, moved: Moved) -> None:
        """Add entries for each player about cards that only they see now, first those they get."""
        s = self.s
        for viewer in range(s.seats):
            news: dict[bool, list[int]] = {True: [], False: []}
            for card, source, target in moved.steps:
                news_to = s.sees[target] & ~s.sees[source]
                if news_to >> viewer & 1 and s.sees[source] | s.sees[target] != self.everybody:
                    news[s.owners[target] == viewer].append(card)
            for own, cards in news.items():
                if cards:
                    self._privately(viewer, self._where(moved.steps[0][2])._replace(owner=viewer if own else -1), cards)

    # -- what has changed

    def changes(self, events: Sequence[Event], own: int) -> None:
        """Add entries for what stores hold now: scores, rounds, trumps, who deals."""
        before: dict[tuple[int, int], Any] = {}
        said = {(action[0], action[2]) for action, _ in events[:own] if action[0] in (Op.NAME, Op.PLAYER)}
        for action, note in events:
            if action[0] in KEPT:
                before.setdefault((action[0], action[2]), note)
        counted: dict[str, list[tuple[tuple[int, ...], int]]] = {}  # by store, whose it is, and the new value
        for (what, store), old in sorted(before.items()):
            now = self.s.kept(KEPT[what])[store]
            if now != old and (what, store) not in said and not self._is_secret(KEPT[what], store):
                self._changed(KEPT[what], store, now, counted)
        for name, values in counted.items():
            self._new_values(name, values)

    def _changed(self, kept: What, store: int, now: int, counted: dict[str, list[tuple[tuple[int, ...], int]]]) -> None:
        labels = self.labels
        kind, number, name = self._store(kept, store)
        if name in labels.hidden_stores:
            return
        if kept == "who":
            self._open(kept, store, now)
        elif kept == "str":
            value = self.program.names[now]
            if kind == "game" and value:
                text = say("{store}: {value}.", store=labels.word(name), value=labels.value(value))
                self._entry("info", text)
        elif kind == "game":
            if name in ROUNDS and now:
                self._entry("round", say("{store} {number}", store=labels.word(name), number=now))
        elif name in self.program.uses.scored | SCORE_NAMES:
            team = self.s.teams[number] if kind == "team" else (number,)
            counted.setdefault(name, []).append((team, now))

    def _open(self, kept: What, store: int, now: int) -> None:
        """Add the entry for what a store of the table or of a player holds."""
        kind, number, name = self._store(kept, store)
        value: Arg = seat_arg(now) if kept == "who" else now
        if kept == "str":
            value = self.labels.value(self.program.names[now]) or "none"
        args: dict[str, Arg] = {"store": self.labels.word(name), "value": value}
        if name in self.labels.hidden_stores or (kept == "who" and now < 0):
            return
        if kind == "player":
            self._entry("info", say("{store} of {whom}: {value}.", whom=seat_arg(number), **args))
        else:
            self._entry("info", say("{store}: {value}.", **args))

    def _new_values(self, name: str, values: Sequence[tuple[tuple[int, ...], int]]) -> None:
        """Add an entry for the new values of a store, of one or several owners: "Points: Anna 3, Bram 5."."""
        args: dict[str, Arg] = {"store": self.labels.word(name)}
        named = []
        for number, (team, value) in enumerate(values):
            gaps = []
            for place, seat in enumerate(team):
                args[f"seat{number}_{place}"] = seat_arg(seat)
                gaps.append(f"{{seat{number}_{place}}}")
            args[f"value{number}"] = value
            named.append(f"{' + '.join(gaps)} {{value{number}}}")
        self._entry("info", say(word("{store}: {each}.").replace("{each}", ", ".join(named)), **args))

    def end(self) -> None:
        """Add the entry for the end of the match."""
        s = self.s
        scores, winners = s.scores(), s.winners()
        if not winners:
            s.add_entry("info", say("{seat} ends with {score}.", seat=seat_arg(0), score=int(scores[0])))
        low = self.program.low_wins
        if len(winners) == 1:
            template = f"{how_won(scores, low_wins=low)}."
        else:
            share = "{seat} shares the win with a score of {score}."
            template = "{seat} shares the win with the lowest score: {score}." if low else share
        for winner in winners:
            s.add_entry("win", say(template, seat=seat_arg(winner), score=int(scores[winner])), seat=winner)

    # -- helpers

    def _where(self, place: int) -> Where:
        return where(self.s, place)

    def _shown(self, place: Where) -> bool:
        hidden = place.name in self.labels.hidden_places or is_kept(self.program, place)
        return place.vis != "mem" and not hidden

    def _faces(self, cards: Sequence[int]) -> list[Arg]:
        faces = self.program.cards.faces
        return [self.program.faces.arg(faces[card]) for card in cards]

    def _kind(self, cards: Sequence[int]) -> PieceKind:
        """Return whether some pieces are all dice, or all tokens; else they are called cards."""
        kinds = {self.program.cards.kinds[card] for card in cards}
        return kinds.pop() if len(kinds) == 1 else "deck"

    def _store(self, kept: What, store: int) -> tuple[str, int, str]:
        """Return whose a store is, the owner's number, and its name."""
        fact = self.s.store_fact(kept, store)
        return fact.owner, fact.number, self.program.names[fact.name]

    def _motions(self, moved: Moved) -> list[tuple[str, str]]:
        ways = [(self._where(source), self._where(target)) for _, source, target in moved.steps[:MOST_MOTIONS]]
        drawn = [way for way in ways if all(is_drawn(self.program, place) for place in way)]
        return [(zone_of(self.program, came), zone_of(self.program, went)) for came, went in drawn]


def _begun(template: str, listed: dict[str, Arg]) -> dict[str, Arg]:
    """Return what fills the gaps of a sentence, with a capital where it begins with one."""
    return {
        name: _capital(arg) if isinstance(arg, str) and template.startswith(f"{{{name}}}") else arg
        for name, arg in listed.items()
    }


def _capital(phrase: str) -> str:
    return phrase[:1].upper() + phrase[1:]
