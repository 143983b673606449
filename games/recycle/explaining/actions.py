"""What is done, as sentences: "move the top card of the stock to the pool"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from games.recycle.constants import constant
from games.recycle.explaining import names
from games.recycle.explaining.comparing import negate, same, speaks_of
from games.recycle.explaining.points import fixed
from games.recycle.explaining.simple import LONG, Simple
from games.recycle.explaining.survey import key
from games.recycle.explaining.words import FIRST, STARTING, Noun, Person
from games.recycle.signatures import STORES
from games.recycle.tree import (
    Action,
    Arith,
    CardAt,
    CreateDeck,
    CreateTeams,
    Cycle,
    Do,
    Everybody,
    Filter,
    ForEach,
    Forget,
    Let,
    Member,
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
    Remember,
    Repeat,
    RepeatAll,
    RunAt,
    SetName,
    SetNumber,
    SetPlayer,
    SetPoints,
    Shuffle,
    Size,
    Slice,
    Table,
    Target,
    Type,
    Use,
    Value,
    Var,
    When,
    walk,
)

INLINE = 150  # characters: so much may stand behind a colon instead of in a list
SCOPED = ("if ", "otherwise", "for each ", "once for ", "as long as ", "for one ")  # what would cover a step behind it


@dataclass
class Item:
    """A line of a list, without a full stop, and its sublist. ``bullets``: the sublist is not a sequence."""

    text: str
    inner: list[Item] = field(default_factory=list)
    bullets: bool = False


def joined(items: Sequence[Item]) -> str | None:
    """Return a few short lines as one; None where a list says it better."""
    if any(item.inner for item in items) or not items:
        return None
    texts = [item.text for item in items]
    if len(texts) > 3 or sum(map(len, texts)) > INLINE or any(map(_covers, texts[:-1])):
        return None if len(texts) > 1 else texts[0]
    return "; then ".join(texts) if len(texts) > 1 else texts[0]


def _covers(text: str) -> bool:
    """Return whether a line would seem to be about a step that comes behind it in the same sentence."""
    return ": " in text or text.startswith(SCOPED) or bool(re.match(r"(\w+|so many) times\b", text))


def under(text: str, items: list[Item], comma: bool = True) -> list[Item]:
    """Return the lines for actions under a heading such as "if your hand is empty"."""
    if not items:
        return []
    line = joined(items)
    if line and line.startswith(SCOPED):
        comma = False
    if line and not (comma and "; then " in line):
        return [Item(f"{text}{',' if comma else ':'} {line}")]
    if line:
        return [Item(f"{text}: {line}")]
    if len(items) == 1 and items[0].text.startswith(("choose ", "for each ", "**")):
        return [Item(f"{text}{',' if comma else ':'} {items[0].text}", items[0].inner, items[0].bullets)]
    return [Item(text, items)]


class ActionSentences(Simple):
    """Writes actions."""

    silent: set[int]  # nodes left out because another sentence says the same

    def actions(self, action: Action) -> list[Item]:
        """Return an action as lines."""
        if id(action) in self.silent or self._enough():
            return []
        match action:
            case Pass() if not self.choosing:
                return []
            case SetPoints(ref=ref) if len(self.survey.writes[key(ref)]) == 1 and fixed(action):
                return []
            case Do(steps=steps):
                return self._steps(steps)
            case When(test=test, body=body):
                return under(f"if {self.clause(test)}", self.actions(unwrapped(body)))
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
        for step in steps:
            other = isinstance(step, When) and isinstance(before, When) and _otherwise(before, step)
            told = under("otherwise", self.actions(unwrapped(step.body))) if other else self.actions(step)  # type: ignore[union-attr]
            before = step if told and not other else None
            found += told
            if self.you == FIRST and any(isinstance(node, Cycle) and node.op == "current" for node in walk(step)):
                self.you = STARTING
        return found

    # -- one after the other

    def _for_each(self, action: ForEach) -> list[Item]:
        if self.choosing and action.op == "any":
            return self._chosen(action)
        over, var, step = action.over, action.var, unwrapped(action.step)
        dealt = self._dealt(over, var, step)
        if dealt:
            return [Item(dealt)]
        skipped = self._skipped(over, var, step)
        if skipped:
            return [Item(skipped)]
        uses = self.survey.uses[var]
        noun = self.noun(over)
        if not uses:
            return under(f"once for each {noun.one}", self.actions(step))
        move = step if isinstance(step, Move) and isinstance(step.card, Use) and step.card.var is var else None
        if move and uses == 1:
            told = noun.whole if isinstance(over, Slice | RunAt | Member) else f"all {noun.many}"
            return [Item(self.move(move, told))]
        if uses == 1 and isinstance(over, Everybody) and not isinstance(step, When | Do | Let | ForEach):
            self.called[var] = Person(f"each {over.kind}", f"each {over.kind}'s")
            return self.actions(step)
        letter = self.bind(var, over)
        if var.type is Type.PLAYER and not letter and self._others_in(step):
            self.called[var] = Person("that player", "that player's")
        told = f"for each {noun.head}{letter} {noun.tail}".rstrip()
        if var in self.survey.seats and not letter:
            told = f"for each seat (counted {noun.tail})"
        if isinstance(step, When):
            told += f" {self.relative(step.test, var)}" if _about(step.test, var) else f", if {self.clause(step.test)}"
            step = unwrapped(step.body)
        found = under(told, self.actions(step))
        self.unbind(var, over, letter)
        return found

    def _others_in(self, step: Action) -> bool:
        """Return whether a step mentions players other than you and the one it is done for."""
        for node in walk(step):
            if isinstance(node, OwnerOf | Numbered):
                return True
            if isinstance(node, Use) and node.var.type is Type.PLAYER and node.var in self.survey.lettered:
                return True
            if isinstance(node, Relative) and (node.which != "current" or self.you.name != "you"):
                return True
        return False

    def _dealt(self, over: Value, var: Var, step: Action) -> str:
        """Return "deal four cards ..." where cards go from a pile of the table to everybody; else ""."""
        count: Value | None = None
        if isinstance(step, Repeat) and isinstance(step.action, Move):
            count, step = step.count, step.action
        match step:
            case Move(
                card=CardAt(where="top", cards=Place(who=Table()) as pile), to=Target(where="top", place=Place() as to)
            ):
                pass
            case _:
                return ""
        if isinstance(over, Range) and _round_table(to, var):
            low, high = constant(over.low), constant(over.high)
            if low is None or high is None:
                return ""
            self.called[var] = Person("the players", "the players'", True)
            target = self.place(Place(to.at, Use(to.at, var), to.vis, to.name)).whole
            return f"deal {high - low + 1} cards from {self.place(pile).whole} to {target}, one by one and in turn"
        if not (
            isinstance(over, Everybody) and over.kind == "player" and isinstance(to.who, Use) and to.who.var is var
        ):
            return ""
        source = self.place(pile).whole
        self.called[var] = Person("each player", "each player's")
        if (
            isinstance(count, Arith)
            and count.op == "-"
            and isinstance(count.right, Size)
            and _same_place(count.right.of, to)
        ):
            return f"deal cards from {source} until there are {self.number(count.left)} in {self.place(to).whole}"
        if count is not None and any(isinstance(node, Use) and node.var is var for node in walk(count)):
            return ""
        amount = self.some_cards(count) if count is not None else "card"
        if amount == "card":
            amount = "one card"
        return f"deal {amount} from {source} to {self.place(to).whole}"

    def _skipped(self, over: Value, var: Var, step: Action) -> str:
        """Return "as long as ..., go on to the next player" where players are passed over; else ""."""
        if self.survey.uses[var] or not isinstance(over, Everybody) or not isinstance(step, When):
            return ""
        match step.body:
            case Cycle(player=Relative(which="next")):
                pass
            case _:
                return ""
        before = self.you
        if step.body.op == "current" and not any(_is_relative(node, "next") for node in walk(step.test)):
            if before.name != "you":
                self.you = Person("the player whose turn it would be")
            text = f"as long as {self.clause(step.test)}, the turn goes on to the next player"
            self.you = before
            return text
        return f"as long as {self.clause(step.test)}, that player is passed over"

    def _let(self, action: Let) -> list[Item]:
        value, var = action.value, action.var
        if isinstance(value, Place) or var.live:
            return self.actions(action.step)
        word = f"*{var.name.lower()}*"
        told = self.said(value) if value.type is not Type.BOOL else f"whether {self.clause(value)}"
        if var.type is Type.CARDS:
            self.called[var] = Noun("card", f"of {word}", word)
        elif var.type in (Type.PLAYERS, Type.TEAMS, Type.STRS, Type.INTS, Type.GROUPS):
            head = self.noun(value).head
            self.called[var] = Noun(head, f"of {word}", word)
        else:
            self.called[var] = word
        return [Item(f"let {word} be {told}"), *self.actions(action.step)]

    def _repeat(self, action: Repeat) -> list[Item]:
        inner, count = action.action, action.count
        match count, inner:
            case Random(), Cycle(op="current", player=Relative(which="next")) if self._whole_round(count):
                return [Item("draw lots: whoever is drawn begins")]
            case Arith(op="-", left=wanted, right=Size(of=of)), Move(
                card=CardAt(where=str() as end, cards=cards), to=to
            ) if _same_place(of, to.place) and not isinstance(cards, Filter):
                card = f"cards, one by one from the {end} of {self.noun(cards).whole},"
                return [Item(f"{self.move(inner, card)} until there are {self.number(wanted)} in it")]
            case _, Move(card=CardAt(where=str() as end, cards=cards)) if not isinstance(cards, Filter):
                known = constant(count)
                if known == 1:
                    return [Item(self.simple(inner))]
                told = self._so_many(count, end, cards)
                return [Item(self.move(inner, told))]
        known = constant(count)
        times = f"{names.number(known)} times" if known is not None else f"so many times: {self.number(count)}"
        items = self.actions(inner)
        if known == 1:
            return items
        return under(times if known is not None else f"{times};", items, comma=known is not None)

    def _so_many(self, count: Value, end: str, cards: Value) -> str:
        noun = self.noun(cards)
        match count:
            case Arith(op="-", left=Size(of=of), right=Number(value=1)) if _same_place(of, cards):
                return f"all cards {noun.tail} but the {'bottom' if end == 'top' else 'top'} one"
        return self.slice(end, count, cards)

    def _whole_round(self, count: Random) -> bool:
        low = 0 if count.low is None else constant(count.low)
        high = count.high
        players = self.survey.game.players
        seats = players.value if isinstance(players, Number) else None
        if low != 0:
            return False
        if isinstance(high, Arith) and high.op == "-" and isinstance(high.left, Size):
            return isinstance(high.left.of, Everybody) and constant(high.right) == 1
        return seats is not None and constant(high) == seats - 1

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
            told = f"if {self.clause(step.test)}"
            body = unwrapped(step.body)
            return under(told, self._option(body) if isinstance(body, When) else self.actions(body))
        items = self.actions(step)
        line = joined(items)
        if line or len(items) < 2:
            return [Item(line)] if line else items
        return [Item("all of this, in order", items)]

    def _chosen(self, action: ForEach) -> list[Item]:
        over, var, step = action.over, action.var, unwrapped(action.step)
        noun = self.noun(over)
        alone = self.survey.uses[var]
        if isinstance(step, Move) and isinstance(step.card, Use) and step.card.var is var and alone == 1:
            card = noun.some
            self.bind(var, over)
            return [Item(self.move(step, card))]
        if isinstance(step, RepeatAll) and isinstance(step.action, Move) and alone == 1:
            card_at = step.action.card
            if isinstance(card_at, CardAt) and isinstance(card_at.cards, Use) and card_at.cards.var is var:
                return [Item(self.move(step.action, noun.some))]
        letter = self.bind(var, over)
        told = noun.free or names.a(f"{noun.head}{letter} {noun.tail}".rstrip())
        if isinstance(step, When):
            told += f" {self.relative(step.test, var)}"
            step = unwrapped(step.body)
        if isinstance(step, Move) and isinstance(step.card, Use) and step.card.var is var and len(told) < LONG:
            self.unbind(var, over, letter)
            return [Item(self.move(step, told))]
        items = self.actions(step)
        self.unbind(var, over, letter)
        if not items:
            return []
        if len(items) == 1 and items[0].text.startswith("choose "):
            return [Item(f"choose {told}, and {items[0].text.removeprefix('choose ')}", items[0].inner)]
        line = joined(items)
        return [Item(f"choose {told}; {line}")] if line else [Item(f"choose {told}", items)]


def unwrapped(action: Action) -> Action:
    """Return the one step that an action consists of, out of the brackets around it."""
    while isinstance(action, Do) and len(action.steps) == 1:
        action = action.steps[0]
    return action


def _about(test: Value, var: Var) -> bool:
    """Return whether a test, or each of its parts, describes a variable so that it can follow its noun."""
    parts = getattr(test, "parts", None)
    if parts:
        return all(_about(part, var) for part in parts)
    left, right = getattr(test, "left", None), getattr(test, "right", None)
    return any(side is not None and speaks_of(side, var) for side in (left, right))


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
    """Return whether a step is done exactly if the one before is not, whatever that one does."""
    if not same(negate(before.test), step.test):
        return False
    asked = [key(each) for each in walk(before.test) if isinstance(each, Place | Ref)]
    follows = any(isinstance(each, Use) and each.var.live for each in walk(before.test))
    cards = follows or any(one.what not in STORES for one in asked)
    if any(isinstance(each, Random) for each in walk(before.test)):
        return False
    for each in walk(before.body):
        if isinstance(each, Cycle | CreateTeams):
            return False
        if isinstance(each, SetNumber | SetName | SetPlayer | SetPoints):
            written = key(each.ref)
            if any(one.what == written.what and one.name in ("", written.name) for one in asked):
                return False
            if not written.name and any(one.what == written.what for one in asked):
                return False
        elif isinstance(each, Move | CreateDeck | Shuffle | Remember | Forget) and cards:
            return False
    return True


def _is_relative(node: Node, which: str) -> bool:
    return isinstance(node, Relative) and node.which == which
