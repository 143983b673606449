"""Options as moves: their actions as plain data, and the notation that is stored and sent.

A move describes all of its actions, but of a card the player does not see only its place. Options of one choice with
the same notation are numbered (``numbered``). They need not do the same: it leaves out which memory a card is
remembered in, and what a number is drawn from. ``OptionReader.effect`` has that, too.

``7C HAND>TRICK`` moves a card; ``7C 8C HAND>DISCARD`` two; ``top STOCK>HAND`` one that is not seen, ``#2 ROW>DISCARD``
the third from the bottom; ``HAND:2`` is the hand of player 2, without a number one's own. ``BID=3`` sets a number,
``SUIT=HEARTS`` a name, ``DEALER=player 2`` a player; ``pass``, ``next:2``. Several actions are joined by ``; ``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from types import FunctionType
from typing import NamedTuple
from zlib import crc32

from games.core.moves import LONGEST_MOVE
from games.recycle.machine import KEPT, Action, Op, Position

_CUT = LONGEST_MOVE - 20  # characters: leaves room for a number


class Where(NamedTuple):
    """A place: its visibility word, whose it is (-1: the table's), its name."""

    vis: str
    owner: int
    name: str

    @property
    def zone(self) -> str:
        """The id of its zone on the table."""
        return f"{self.vis}:{self.name}" if self.owner < 0 else f"{self.vis}:{self.name}:{self.owner}"


class MoveAction(NamedTuple):
    """One action of an option. ``what`` is as in ``machine.py``.

    ``face`` is "" for a card that the player does not see: ``piece`` says where it lies. A number that is drawn when
    the option is taken has the value None.
    """

    what: int
    face: str = ""
    piece: str = ""  # the id of the card in the player's view
    source: Where | None = None
    target: Where | None = None
    position: int = -1  # in the target; -1: on top
    store: tuple[str, int, str] | None = None  # kind of owner, its number, name
    dice: tuple[str, ...] = ()  # that are rolled: the ids of these pieces in the player's view
    value: int | str | None = None  # a number or a name; a player for PLAYER, NEXT and CURRENT


@dataclass(frozen=True, slots=True)
class ChoiceOption:
    """An option of a choice. ``alike``: one before it has the same effect, so people are not offered it again."""

    move: str
    actions: tuple[MoveAction, ...]
    alike: bool = False


class OptionReader:
    """Describes the options of a position as ``seat``, who is to choose, sees them."""

    def __init__(self, s: Position, seat: int) -> None:
        self.s, self.seat = s, seat
        self._faces, self._names = s.program.cards.faces, s.program.names
        self._spots: dict[int, str] = {}
        self._indices: dict[int, dict[int, int]] = {}  # by place that was asked for: each card's index from the bottom
        # The point maps that options make: their numbers in the notation, by their points and by the id of the list.
        self._maps: dict[tuple[int, ...], int] = {}
        self._map_numbers: dict[int, int] = {}

    # -- notation

    def notation(self, option: tuple[Action, ...]) -> str:
        """Return the notation of an option, cut if it is long."""
        return _cut(self._whole_notation(option))

    def selections(self, options: Sequence[tuple[Action, ...]]) -> list[str]:
        """Return the notation of each option of a choice among selections of cards that only move.

        That is ``notation`` of each, but there may be hundreds of options, which move the same few cards.
        """
        cards = {action[2] for option in options for action in option}
        sources = {self.s.W[card] for card in cards}
        targets = {option[0][3:] for option in options}
        twice = len(options) > comb(len(cards), len(options[0]))  # some card is selected twice, so it moves on
        if len(sources) > 1 or len(targets) > 1 or twice:
            return [self.notation(option) for option in options]
        (source,), ((target, position),) = sources, targets
        names = {card: self._card(card, source) for card in cards}
        way = f"{self._spot(source)}>{self._spot(target)}{_into(position)}"
        return [_cut(f"{' '.join([names[action[2]] for action in option])} {way}") for option in options]

    def effect(self, option: tuple[Action, ...]) -> tuple[object, ...]:
        """Return what an option does, as far as the player may know it: two options with equal effects are the same."""
        found: list[object] = [self._whole_notation(option)]
        for action in option:
            if action[0] in (Op.REMEMBER, Op.FORGET):
                found.append(action[3])
            # What is drawn only when the option is taken is a function: of a statement, and the values of variables,
            # some of which are lists.
            found += [(part.__code__, repr(part.__defaults__)) for part in action if isinstance(part, FunctionType)]
        return tuple(found)

    def _whole_notation(self, option: tuple[Action, ...]) -> str:
        if len(option) == 1 and option[0][0] == Op.MOVE:
            _, _, card, target, position = option[0]
            source = self.s.W[card]
            return f"{self._card(card, source)} {self._spot(source)}>{self._spot(target)}{_into(position)}"
        parts: list[str] = []
        lies = self._made(option)
        names: list[str] = []  # of the cards that go one way
        way = ""
        for action in option:
            if action[0] != Op.MOVE:
                if names:
                    parts.append(f"{' '.join(names)} {way}")
                    names, way = [], ""
                parts.append(self._other(action))
                continue
            _, _, card, target, position = action
            source = lies.get(card, self.s.W[card])
            before, way = way, f"{self._spot(source)}>{self._spot(target)}{_into(position)}"
            if names and way != before:
                parts.append(f"{' '.join(names)} {before}")
                names = []
            names.append(
                self._card(card, self.s.W[card])
            )  # as it lies now: what the option turns up is not known before
            lies[card] = target
        if names:
            parts.append(f"{' '.join(names)} {way}")
        return "; ".join(parts)

    def _made(self, option: tuple[Action, ...]) -> dict[int, int]:
        """Return the first place of each card that an option itself makes."""
        cards, made, found = self.s.program.cards, self.s.made[:], dict[int, int]()
        for action in option:
            if action[0] == Op.DECK:
                _, _, statement, place = action
                first = cards.blocks[statement] + made[statement]
                made[statement] += len(cards.decks[statement])
                found.update((card, place) for card in range(first, cards.blocks[statement] + made[statement]))
        return found

    def _card(self, card: int, place: int) -> str:
        if place < 0:  # the option itself makes it
            return "new"
        if self._sees(place):
            return self._faces[card]
        at = self._index_in(place, card)
        return "top" if at == len(self.s.L[place]) - 1 else f"#{at}"

    def _index_in(self, place: int, card: int) -> int:
        """Return where in a place a card lies, counted from the bottom."""
        if place not in self._indices:
            self._indices[place] = {card: at for at, card in enumerate(self.s.L[place])}
        return self._indices[place][card]

    def _piece(self, card: int) -> str:
        """Return the id of a card in the player's view: its face where the player sees it, else where it lies."""
        s, place = self.s, self.s.W[card]
        if self._sees(place):
            return s.sight.piece_id(self.seat, card)
        return f"{where(self.s, place).zone}#{self._index_in(place, card)}"

    def _sees(self, place: int) -> bool:
        return bool(self.s.sees[place] >> self.seat & 1)

    def _spot(self, place: int) -> str:
        if place not in self._spots:
            fact = self.s.fact(place)
            name = self._names[fact.name]
            self._spots[place] = name if fact.owner in (-1, self.seat) else f"{name}:{fact.owner}"
        return self._spots[place]

    def _other(self, action: Action) -> str:
        """Return the notation of an action that moves no card."""
        what = action[0]
        if what in KEPT:
            fact = self.s.store_fact(KEPT[what], action[2])
            own = fact.owner == "game" or (fact.owner == "player" and fact.number == self.seat)
            store = self._names[fact.name] + ("" if own else f":{'team ' * (fact.owner == 'team')}{fact.number}")
            if what == Op.NAME:
                return f"{store}={self._names[action[3]] or '-'}"
            if what == Op.PLAYER:
                return f"{store}=player {action[3]}"
            return f"{store}={'?' if callable(action[3]) else action[3]}"
        if what == Op.ROLL:
            listed = isinstance(action[2], list)
            dice = " ".join(self._card(card, self.s.W[card]) for card in action[2]) if listed else self._spot(action[2])
            return f"roll {dice}"
        if what == Op.REVEAL:
            return f"reveal {self._names[self.s.store_fact(action[2], action[3]).name]}:{action[3]}"
        if what == Op.DRAWN:  # unknown before it is done
            return f"drawn {action[1]}"
        if what == Op.POINTS:
            scores = action[3]
            number = self._map_numbers.get(id(scores))  # most are the same object
            if number is None:
                number = self._maps.setdefault(tuple(scores), len(self._maps))
                self._map_numbers[id(scores)] = number
            return f"points {action[2]} {number}"
        if what in (Op.REMEMBER, Op.FORGET):
            card = self._card(action[2], self.s.W[action[2]])
            return f"{'remember' if what == Op.REMEMBER else 'forget'} {card}"
        if what == Op.SHUFFLE:
            return "shuffle" if isinstance(action[2], list) else f"shuffle {self._spot(action[2])}"
        if what == Op.FARO:
            return f"interleave {self._spot(action[2])} {self._spot(action[3])}"
        if what == Op.DECK:
            return f"deck {action[2]} {self._spot(action[3])}"
        return {Op.PASS: "pass", Op.NEXT: "next:{2}", Op.CURRENT: "turn:{2}", Op.TEAMS: "teams {2}"}[what].format(
            *action
        )

    # -- plain data

    def actions(self, option: tuple[Action, ...]) -> tuple[MoveAction, ...]:
        """Return what an option does, as the player may know it."""
        lies = self._made(option)
        return tuple(self._move_action(action, lies) for action in option)

    def _move_action(self, action: Action, lies: dict[int, int]) -> MoveAction:
        s, what = self.s, action[0]
        if what in (Op.MOVE, Op.REMEMBER, Op.FORGET):
            card = action[2]
            source = lies.get(card, s.W[card])
            new = s.W[card] < 0  # the option itself makes it
            # What the option turns up is not known before.
            face = self._faces[card] if not new and self._sees(s.W[card]) else ""
            piece = f"new {card}" if new else self._piece(card)
            target = None if what == Op.FORGET and action[3] < 0 else where(self.s, action[3])
            if what == Op.MOVE:
                lies[card] = action[3]
            position = action[4] if len(action) > 4 else -1
            return MoveAction(what, face, piece, where(self.s, source), target, position)
        if what in KEPT:
            fact = s.store_fact(KEPT[what], action[2])
            value = self._names[action[3]] if what == Op.NAME else None if callable(action[3]) else action[3]
            return MoveAction(what, store=(fact.owner, fact.number, self._names[fact.name]), value=value)
        if what == Op.ROLL:
            cards = action[2] if isinstance(action[2], list) else s.L[action[2]]
            dice = tuple(self._piece(card) for card in cards if s.program.cards.kinds[card] == "die")
            place = None if isinstance(action[2], list) else where(self.s, action[2])
            return MoveAction(what, target=place, dice=dice)
        if what == Op.REVEAL:
            fact = s.store_fact(action[2], action[3])
            return MoveAction(what, store=(fact.owner, fact.number, self._names[fact.name]))
        if what in (Op.NEXT, Op.CURRENT):
            return MoveAction(what, value=action[2])
        if what in (Op.SHUFFLE, Op.FARO, Op.DECK):
            place = action[3] if what == Op.DECK else action[2]
            return MoveAction(what, target=None if isinstance(place, list) else where(self.s, place))
        return MoveAction(what)


def where(s: Position, place: int) -> Where:
    """Return a place by its number."""
    fact = s.fact(place)
    return Where(fact.vis, fact.owner, s.program.names[fact.name])


def _into(position: int) -> str:
    """Return how the notation says where in a place a card goes: "" for on top, "(2)" for above two others."""
    return "" if position < 0 else f"({position})"


def _cut(text: str) -> str:
    return text if len(text) <= _CUT else f"{text[: _CUT - 12]}... {crc32(text.encode()):08x}"
