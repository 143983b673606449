"""Actions of all kinds as lines of a list: conditions, loops, choices, and the simple ones of ``simple.py`` in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeGuard

from games.recycle.constants import constant
from games.recycle.explaining.bookkeeping import bookkeeping, mark, only_bookkeeping
from games.recycle.explaining.comparing import negate, same, speaks_of
from games.recycle.explaining.points import fixed
from games.recycle.explaining.simple import LONG, MOVE, Simple
from games.recycle.explaining.survey import Survey
from games.recycle.explaining.words import WHOSE, WHOSE_ALL, Noun, PlayerPhrase
from games.recycle.labels import Labels
from games.recycle.phrase_book import SEVERAL, Book, Phrase, capital, parsed, phrase
from games.recycle.signatures import STORES
from games.recycle.tree import (
    Action,
    Arith,
    CardAction,
    CardAt,
    Compare,
    CreateTeams,
    Cycle,
    Do,
    Everybody,
    Extreme,
    Filter,
    ForEach,
    GroupAt,
    Let,
    Logic,
    Move,
    Node,
    Number,
    Numbered,
    OwnerOf,
    Pass,
    Place,
    Random,
    Range,
    Ref,
    Relative,
    Repeat,
    RepeatAll,
    RunAt,
    SetName,
    SetNumber,
    SetPlayer,
    SetPoints,
    Size,
    Slice,
    Table,
    Target,
    Type,
    Use,
    Value,
    Var,
    When,
    address_of,
    unwrapped,
    walk,
)

MARKED = parsed("{step}{mark}")
NOTES = {  # by whether it comes first, and whether it is a part of the step that has the note
    (True, False): phrase("before this, {step}"),
    (False, False): phrase("after this, {step}"),
    (True, True): phrase("first, as part of this step, {step}"),
    (False, True): phrase("then, as part of this step, {step}"),
}
INLINE = 150  # characters of a few lines that are written as one sentence instead of a list


@dataclass
class Item:
    """A line of a list, without a full stop, and its sublist."""

    text: Phrase
    inner: list[Item] = field(default_factory=list)  # the sublist
    bullets: bool = False  # the sublist is not a sequence of steps
    covers: bool = False  # it has a heading ("if ..."): another step in the same sentence would read as part of that
    opens: bool = False  # its text may follow the heading of another line, which then has its sublist
    aside: bool = False  # it is bookkeeping only, so it may be written in a note
    chosen: tuple[Phrase, Phrase | None] | None = None  # what is chosen, and what is then done with it


def joined(book: Book, items: Sequence[Item]) -> Phrase | None:
    """Return a few short lines as one sentence; None if there are none, or if a list is easier to read."""
    if any(item.inner for item in items) or not items:
        return None
    if len(items) > 3 or sum(len(str(item.text)) for item in items) > INLINE or any(item.covers for item in items[:-1]):
        return None if len(items) > 1 else items[0].text
    found = items[0].text
    for item in items[1:]:
        found = book.say("{step}; then {next}", step=found, next=item.text)
    return found


class ActionSentences(Simple):
    """Writes actions. ``notes``: sentences about bookkeeping, to which marks in the lines refer."""

    silent: set[int]  # ids of nodes that are left out because another sentence says the same

    def __init__(self, survey: Survey, labels: Labels, book: Book) -> None:
        super().__init__(survey, labels, book)
        self.notes: list[Phrase] = []
        self._bookkeeping = bookkeeping(survey, labels)

    def under(self, text: Phrase, items: list[Item], *, comma: bool = True) -> list[Item]:
        """Return the lines for actions under a heading such as "if your hand is empty"."""
        if not items:
            return []
        line, commas = joined(self.book, items), comma and len(items) == 1
        if line is None and commas and items[0].opens:
            line = items[0].text
        elif line is None:
            return [Item(text, items, covers=True)]
        elif items[0].covers:
            commas = False
        said = self.say("{heading}, {step}" if commas else "{heading}: {step}", heading=text, step=line)
        one = items[0] if len(items) == 1 else Item(said)
        return [Item(said, one.inner, one.bullets, covers=True)]

    def actions(self, action: Action) -> list[Item]:
        """Return an action as lines; [] if there is nothing to say about it."""
        before, self.nested = self.nested, self.nested or isinstance(action, When | ForEach | Repeat)
        found = self._actions(action)
        self.nested = before
        if not self.choosing and only_bookkeeping(action, self._bookkeeping):
            for item in found:
                item.aside = True
        return found

    def _actions(self, action: Action) -> list[Item]:
        if id(action) in self.silent or self._enough():
            return []
        match action:
            case Pass() if not self.choosing:
                return []
            case SetPoints(ref=ref) if len(self.survey.writes[address_of(ref)]) == 1 and fixed(action):
                return []
            case Do(steps=steps):
                return self._steps(steps)
            case When(test=test, body=body):
                return self.under(self.say("if {clause}", clause=self.clause(test)), self.actions(unwrapped(body)))
            case ForEach():
                return self._for_each(action)
            case Let():
                return self._let(action)
            case Repeat():
                return self._repeat(action)
        return [Item(self.simple(action))]

    def _steps(self, steps: tuple[Action, ...]) -> list[Item]:
        found: list[Item] = []
        before: Action | None = None  # the step of the line before, if "otherwise" can refer to it
        passed = 0
        for place, step in enumerate(steps):
            if place < passed:
                continue
            if together := self._moved_together(steps[place:]):
                found.append(together[0])
                before, passed = None, place + together[1]
                continue
            other = isinstance(step, When) and isinstance(before, When) and _otherwise(before, step)
            if other and isinstance(step, When):
                said = self.under(self.say("otherwise"), self.actions(unwrapped(step.body)))
            else:
                said = self.actions(step)
            before = step if said and not other else None
            found += said
            if self.you == self.FIRST and any(isinstance(node, Cycle) and node.op == "current" for node in walk(step)):
                self.you = self.STARTING
        return self.with_notes(found)

    def _moved_together(self, steps: tuple[Action, ...]) -> tuple[Item, int] | None:
        """Return one line for the first steps if each moves all cards of a place to the same place; else None.

        Also return the number of these steps, two at least. The line lists the places in their order.
        """
        found: list[MoveAll] = []
        for step in steps:
            one = None if id(step) in self.silent or only_bookkeeping(step, self._bookkeeping) else _move_all(step)
            if one is None or (one.var and self.survey.uses[one.var] != 1):
                break
            alike = not found or self.survey.piece(one.place) == self.survey.piece(found[0].place)
            if not alike or (found and not same(one.to, found[0].to)):
                break
            found.append(one)
        if len(found) < 2:
            return None
        tails = []
        for one in found:
            if one.var and one.over:
                self.called[one.var] = PlayerPhrase(self.one(self.noun(one.over), "each {noun}"), WHOSE)
            tails.append(self.noun(one.place).tail or self.dots)
        pieces = Noun(self.survey.piece(found[0].place), self.book.listed(tails), self.dots)
        slots = {"card": self.taken(self.them(pieces, "all {noun}")), "place": self.place(found[0].to).whole}
        return Item(self.say(MOVE, **slots)), len(found)

    def with_notes(self, items: list[Item]) -> list[Item]:
        """Return the lines that are more than bookkeeping. The others become notes to the line before or after them."""
        found: list[Item] = []
        waiting: list[Item] = []
        for item in items:
            if item.aside and not item.inner:
                waiting.append(item)
                continue
            found += self._noted(item if not found else found[-1], waiting, before=not found)
            waiting = []
            item.aside = False
            found.append(item)
        return [*found, *self._noted(found[-1], waiting, before=False)] if found else waiting

    def _noted(self, item: Item, asides: list[Item], *, before: bool) -> list[Item]:
        """Make ``asides`` a note to a line, and return []. Return them unchanged if they have to stay lines.

        That is so in a part of a step, if the line begins with a condition: "as part of this step" would then put the
        note under that condition.
        """
        if self.nested and item.covers:
            for aside in asides:
                aside.aside = False
            return asides
        if asides:
            self._note(item, asides, before=before)
        return []

    def _note(self, item: Item, asides: Sequence[Item], *, before: bool) -> None:
        """Mark a line, and write a note that something is done before or after it."""
        step = self.book.listed([aside.text for aside in asides], "{others}; {last}")
        self.notes.append(self.say(NOTES[before, self.nested], step=step))
        item.text = Phrase(MARKED, {"step": item.text, "mark": mark(len(self.notes) - 1)}, count=item.text.count)

    # -- loops and variables

    def _for_each(self, action: ForEach) -> list[Item]:
        """Return a step for each item of a collection: as one of a few idioms, else under "for each ..."."""
        if self.choosing and action.op == "any":
            return self._chosen(action)
        over, var, step, say = action.over, action.var, unwrapped(action.step), self.say
        if line := self._dealt(over, var, step) or self._skipped(over, var, step):
            return [Item(line)]
        uses = self.survey.uses[var]
        noun = self.noun(over)
        if not uses:
            return self.under(say("once for {each:acc}", each=self.one(noun, "each {noun}")), self.actions(step))
        move = step if isinstance(step, Move) and isinstance(step.card, Use) and step.card.var is var else None
        if move and uses == 1:
            whole = isinstance(over, Slice | RunAt | GroupAt)
            return [Item(self.move(move, noun.whole if whole else self.them(noun, "all {noun}")))]
        simple = (
            isinstance(step.action, Move)
            if isinstance(step, Repeat)
            else not isinstance(step, When | Do | Let | ForEach)
        )
        if uses == 1 and isinstance(over, Everybody) and simple:
            self.called[var] = PlayerPhrase(self.one(noun, "each {noun}"), WHOSE)
            return self.actions(step)
        noun = noun._replace(letter=self.bind(var, over))
        if var.type is Type.PLAYER and not noun.letter and self._others_in(step):
            self.called[var] = PlayerPhrase(say("that player"), WHOSE)
        each = self.one(noun, "each {noun}")
        if var in self.survey.seats and not noun.letter and noun.tail:
            each = say("each seat (counted {range})", range=noun.tail)
        text = say("for {each:acc}", each=each)
        if isinstance(step, When):
            if _about(step.test, var):
                text = self.with_tail(text, self.relative(step.test, var))
            else:
                text = say("{each}, if {clause}", each=text, clause=self.clause(step.test))
            step = unwrapped(step.body)
        found = self.under(text, self.actions(step))
        self.unbind(var, over, noun.letter)
        for item in found:
            item.opens = True
        return found

    def _others_in(self, step: Action) -> bool:
        """Return whether a step mentions players other than you and the one it is done for."""
        for node in walk(step):
            if isinstance(node, OwnerOf | Numbered):
                return True
            if isinstance(node, Use) and node.var.type is Type.PLAYER and node.var in self.survey.lettered:
                return True
            if isinstance(node, Relative) and (node.which != "current" or self.you != self.YOU):
                return True
        return False

    def _dealt(self, over: Value, var: Var, step: Action) -> Phrase | None:
        """Return "deal four cards ..." if the step deals from a pile of the table to each player; else None."""
        say = self.say
        count: Value | None = None
        if isinstance(step, Repeat) and isinstance(step.action, Move):
            count, step = step.count, step.action
        match step:
            case Move(
                card=CardAt(where="top", cards=Place(who=Table()) as pile), to=Target(where="top", place=Place() as to)
            ):
                pass
            case _:
                return None
        # The preposition of the place that cards are dealt to is its own, not that of the pile they come from.
        source, head = say("{only:=}", only=self.place(pile).whole), self.survey.piece(pile)
        if isinstance(over, Range) and _round_table(to, var) and count is None:
            low, high = constant(over.low), constant(over.high)
            if low is None or high is None or high < low:
                return None
            self.called[var] = PlayerPhrase(say("the players", count=SEVERAL), WHOSE_ALL)
            target = self.place(Place(to.at, Use(to.at, var), to.vis, to.name)).whole
            some = self.book.some(high - low + 1, head)
            message = "deal {cards:acc} from {source:dat} to {place:acc}, one by one and in turn"
            return say(message, place=target, cards=some, source=source)
        if not (
            isinstance(over, Everybody) and over.kind == "player" and isinstance(to.who, Use) and to.who.var is var
        ):
            return None
        self.called[var] = PlayerPhrase(say("each player"), WHOSE)
        if _fills(count, to):
            noun, place = self.book.noun(head, several=True), self.place(to).whole
            message = "deal {noun} from {source:dat} until there are {n} in {place:dat}"
            return say(message, place=place, noun=noun, source=source, n=self.number(count.left))
        if count is not None and any(isinstance(node, Use) and node.var is var for node in walk(count)):
            return None
        amount = self.some_cards(count, head) if count is not None else self.book.some(1, head)
        message = "deal {cards:acc} from {source:dat} to {place:acc}"
        return say(message, place=self.place(to).whole, cards=amount, source=source)

    def _skipped(self, over: Value, var: Var, step: Action) -> Phrase | None:
        """Return "as long as ..., the turn goes on to the next player" if the step passes players over; else None."""
        if self.survey.uses[var] or not isinstance(over, Everybody) or not isinstance(step, When):
            return None
        match step.body:
            case Cycle(op="current", player=Relative(which="next")):
                pass
            case _:
                return None
        before, message = self.you, "as long as {clause}, that player is passed over"
        if not any(_is_relative(node, "next") for node in walk(step.test)):
            if before != self.YOU:
                self.you = PlayerPhrase(self.say("the player whose turn it would be"))
            message = "as long as {clause}, the turn goes on to the next player"
        text = self.say(message, clause=self.clause(step.test))
        self.you = before
        return text

    def _let(self, action: Let) -> list[Item]:
        return [*self.named(action, (action.step,)), *self.actions(action.step)]

    def named(self, action: Let, inside: tuple[Action, ...]) -> list[Item]:
        """Choose the words for the variable of a ``let``. Return the line that introduces them, [] if unneeded."""
        value, var = action.value, action.var
        if isinstance(value, Place) or var.live:
            return []
        word = self.say("*{name}*", name=self._named_as(var))
        of = self.say("among {whole:dat}", whole=word)
        truth = value.type is Type.BOOL
        what = self.say("whether {clause}", clause=self.clause(value)) if truth else self.said(value)
        if var.type is Type.CARDS:
            self.called[var] = Noun(self.survey.piece(value), of, word)
        elif var.type in (Type.PLAYERS, Type.TEAMS, Type.STRS, Type.INTS, Type.GROUPS):
            self.called[var] = Noun(self.noun(value).head, of, word)
        else:
            self.called[var] = word
        if not any(isinstance(node, Use) and node.var is var for node in walk(inside)):
            return []
        return [Item(self.say("let {name} be {value}", name=word, value=what))]

    def _named_as(self, var: Var) -> Phrase:
        """Return the words for a variable: those of the table file, else its name, as a noun if it is a known one."""
        given, word = self.labels.words.get(f"'{var.name}"), var.name.lower()
        if given:
            return self.book.label(given)
        return self.book.noun(word) if self.book.knows(word) else self.book.named(capital(word))

    def _repeat(self, action: Repeat) -> list[Item]:
        inner, count, say = action.action, action.count, self.say
        match count, inner:
            case Random(), Cycle(op="current", player=Relative(which="next")) if self.whole_round(count):
                return [Item(say("draw lots: the player who is drawn begins"))]
            case Arith(op="-", left=wanted, right=Size(of=of)), Move(
                card=CardAt(where=str() as end, cards=cards), to=to
            ) if _same_place(of, to.place) and not isinstance(cards, Filter):
                message = "{noun}, one by one from the top of {whole:dat},"
                if end != "top":
                    message = "{noun}, one by one from the bottom of {whole:dat},"
                noun = self.noun(cards)
                each = say(message, noun=self.book.noun(noun.head, several=True), whole=noun.whole)
                text = say("{move} until there are {n} in it", move=self.move(inner, each), n=self.number(wanted))
                return [Item(text)]
            case _, Move(card=CardAt(where=str() as end, cards=cards)) if not isinstance(cards, Filter):
                if constant(count) == 1:
                    return [Item(self.simple(inner))]
                return [Item(self.move(inner, self._so_many(count, end, cards)))]
        known = constant(count)
        items = self.actions(inner)
        if known == 1:
            return items
        if known is not None:
            return self.under(say("twice") if known == 2 else say("{n} times", n=self.book.number(known)), items)
        return self.under(say("this many times ({n})", n=self.number(count)), items, comma=False)

    def _so_many(self, count: Value, end: str, cards: Value) -> Phrase:
        match count:
            case Arith(op="-", left=Size(of=of), right=Number(value=1)) if _same_place(of, cards):
                message = "{cards:=} but the bottom one" if end == "top" else "{cards:=} but the top one"
                return self.say(message, cards=self.them(self.noun(cards), "all {noun}"))
        return self.slice(end, count, cards)

    # -- choices

    def options(self, step: Action) -> list[Item]:
        """Return a step of a choice as lines of a list of options."""
        self.choosing = True
        found = self._option(step)
        self.choosing = False
        return found

    def _option(self, step: Action) -> list[Item]:
        step = unwrapped(step)
        if isinstance(step, When):
            body, text = unwrapped(step.body), self.say("if {clause}", clause=self.clause(step.test))
            return self.under(text, self._option(body) if isinstance(body, When) else self.actions(body))
        items = self.actions(step)
        line = joined(self.book, items)
        if line or len(items) < 2:
            chosen = items[0].chosen if len(items) == 1 else None
            return [Item(line, covers=items[0].covers, chosen=chosen)] if line else items
        return [Item(self.say("all of this, in order"), items)]

    def _chosen(self, action: ForEach) -> list[Item]:
        """Return ``any`` in a choice: "move any card ...", or "choose a card; ..."."""
        over, var, step, say = action.over, action.var, unwrapped(action.step), self.say
        noun = self.noun(over)
        alone = self.survey.uses[var] == 1
        inner = step.action if isinstance(step, RepeatAll) else step
        if isinstance(inner, Move) and alone and _goes(inner, var, all_of=inner is not step):
            some = self.some(noun)
            self.bind(var, over)
            return [Item(self.move(inner, some, any_card=True))]
        letter = self.bind(var, over)
        what = self.some(noun._replace(letter=letter or noun.letter))
        if isinstance(step, When):
            what = self.with_tail(what, self.relative(step.test, var))
            step = unwrapped(step.body)
        if isinstance(step, Move) and _goes(step, var) and len(str(what)) < LONG:
            self.unbind(var, over, letter)
            return [Item(self.move(step, what, any_card=True))]
        items = self.actions(step)
        self.unbind(var, over, letter)
        if not items:
            return []
        first = items[0].chosen
        if len(items) == 1 and first:
            both = say("{one:=}, and {other:=}", one=what, other=first[0])
            return [self._choose(both, first[1], items[0].inner)]
        line = joined(self.book, items)
        return [self._choose(what, line, [] if line else items)]

    def _choose(self, what: Phrase, then: Phrase | None, inner: list[Item]) -> Item:
        """Return "choose a card; ..." where ``then`` is a line, or begins the list of what follows."""
        text = self.say("choose {what:acc}", what=what)
        if then:
            text = self.say("{step}; {next}", step=text, next=then)
        return Item(text, inner, opens=True, chosen=(what, then))


class MoveAll(NamedTuple):
    """All cards of a place, or of a place of each player, go to another one."""

    place: Place
    to: Place
    var: Var | None = None
    over: Value | None = None


def _move_all(step: Action) -> MoveAll | None:
    """Return what a step moves if that is all cards of a place, or of a place of each player; else None."""
    match unwrapped(step):
        case RepeatAll(
            action=Move(
                card=CardAt(where="top", cards=Place() as place), to=Target(where="top", place=Place(who=Table()) as to)
            )
        ):
            return MoveAll(place, to)
        case ForEach(op="all", over=Everybody(kind="player") as over, var=var, step=inner):
            found = _move_all(inner)
            if found and not found.var and isinstance(found.place.who, Use) and found.place.who.var is var:
                return found._replace(var=var, over=over)
    return None


def _goes(move: Move, var: Var, *, all_of: bool = False) -> bool:
    """Return whether a move moves what a variable stands for: a card, or each card of a group."""
    card = move.card
    if all_of:
        return (
            isinstance(card, CardAt) and isinstance(card.cards, Use) and card.cards.var is var and card.where == "top"
        )
    return isinstance(card, Use) and card.var is var


def _about(test: Value, var: Var) -> bool:
    """Return whether a test, or each of its parts, describes a variable so that it can follow its noun."""
    match test:
        case Logic(parts=parts):
            return all(_about(part, var) for part in parts)
        case Compare(left=left, right=right):
            return speaks_of(left, var) or speaks_of(right, var)
    return False


def _fills(count: Value | None, to: Place) -> TypeGuard[Arith]:
    """Return whether ``count`` is a number minus the size of a place: as many cards as it lacks."""
    match count:
        case Arith(op="-", right=Size(of=of)):
            return _same_place(of, to)
    return False


def _round_table(to: Place, var: Var) -> bool:
    """Return whether a place belongs to the seat given by a running number, around the table."""
    match to.who:
        case Numbered(number=Arith(op="%", left=Use(var=found), right=Size(of=Everybody(kind="player")))):
            return found is var
    return False


def _same_place(one: Value, other: Value) -> bool:
    match one, other:
        case Place(), Place():
            return one.vis == other.vis and same(one.who, other.who) and same(one.name, other.name)
    return False


def _otherwise(before: When, step: When) -> bool:
    """Return whether a step is done exactly if the one before is not.

    So its test is the opposite, and the body of the one before cannot change what the test reads.
    """
    if not same(negate(before.test), step.test):
        return False
    tested = list(walk(before.test))
    if any(isinstance(node, Random | Extreme) for node in tested):
        return False  # chance may decide otherwise the second time
    read = [address_of(node) for node in tested if isinstance(node, Place | Ref)]
    reads_cards = any(address.word not in STORES for address in read) or any(
        isinstance(node, OwnerOf) or (isinstance(node, Use) and node.var.live) for node in tested
    )
    for node in walk(before.body):
        if isinstance(node, Cycle | CreateTeams):
            return False
        if isinstance(node, CardAction) and reads_cards:
            return False
        if isinstance(node, SetNumber | SetName | SetPlayer | SetPoints):
            written = address_of(node.ref)
            # A name that is known only in play, "", may be any.
            if any(
                one.word == written.word and (one.name == written.name or "" in (one.name, written.name))
                for one in read
            ):
                return False
    return True


def _is_relative(node: Node, which: str) -> bool:
    return isinstance(node, Relative) and node.which == which
