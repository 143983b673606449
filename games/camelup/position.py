"""The state of a race.

The camels are in one row, ``order``, from last to first: square by square, each stack from bottom to top. With the
square of each camel that is the whole track, and the ranking is the row read backwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from typing import NamedTuple

from games.camelup.terms import MAX_SEATS, Terms

HIDDEN = -1  # the camel of another player's race bet
NO_CAMEL = -1  # the camel that moved last, before any has

Bets = tuple[tuple[int, int], ...]  # (camel, seat), in the order placed
_FACE_DOWN: Bets = tuple([(HIDDEN, seat) for seat in range(MAX_SEATS)])  # made once, because copies are made often

Scored = tuple[tuple[int, int, int], ...]  # (camel, seat, coins), in the order placed


class LegScore(NamedTuple):
    """How a leg was scored, and with the last leg the race. All of it lay on the table."""

    leg: int
    ranking: tuple[int, ...]  # camels, first to last
    leg_bets: Scored
    rolls: tuple[int, ...]  # coins for pyramid tiles, by seat
    race: bool = False
    winner_bets: Scored = ()
    loser_bets: Scored = ()


@dataclass(slots=True)
class Position:
    """A race at some moment; a new one has no camels on the track yet: see ``place_camels``.

    The engine modifies it. Its fields are immutable values, which are replaced.

    A copy made for a player (``seen_by``) has the camels of other players' race bets HIDDEN, and does not contain
    which cards they still hold.
    """

    terms: Terms = field(repr=False)
    seats: int
    order: tuple[int, ...] = ()  # camels, last to first
    place: tuple[int, ...] = field(init=False)  # the square of each camel
    left: tuple[int, ...] = field(init=False)  # camels whose dice are in the pyramid, ascending
    dice: tuple[int, ...] = field(init=False)  # what each camel's die has shown this leg; 0: nothing yet
    last_die: tuple[int, int] = (NO_CAMEL, 0)  # the camel that moved last, and what its die showed
    tiles: tuple[int, ...] = field(init=False)  # the square of each seat's desert tile, negative for a mirage; 0: none
    leg_bets: Bets = ()
    winner_bets: Bets = ()
    loser_bets: Bets = ()
    money: tuple[int, ...] = field(init=False)
    pyramids: tuple[int, ...] = field(init=False)  # pyramid tiles each seat has taken this leg
    mover: int = 0
    opener: int = 0  # who had the first turn of this leg
    leg: int = 1
    still: int = 0  # turns since the last roll
    over: bool = False
    last_score: LegScore | None = None  # how the last leg was scored

    # Derived fields: they follow from the others, and let the engine find open moves without searching. Sets are bit
    # masks. The rules engine does not look at them.
    occupied: int = 0  # squares with camels
    near: tuple[int, ...] = field(init=False)  # the square of each seat's desert tile and those beside it
    open_legs: int = field(init=False)  # camels of which a leg tile is left
    cards: tuple[int, ...] = field(init=False)  # camels whose race card each seat still holds

    def __post_init__(self) -> None:
        terms, seats = self.terms, self.seats
        self.left = tuple(range(terms.camels))
        self.place = self.dice = (0,) * terms.camels
        self.tiles = self.pyramids = self.near = (0,) * seats
        self.money = (terms.money,) * seats
        self.open_legs = terms.every_card
        self.cards = (terms.every_card,) * seats

    # -- copies

    def copy(self) -> Position:
        """Return an independent copy."""
        return _copied(self)

    def seen_by(self, seat: int | None) -> Position:
        """Return the copy that a seat (None: a spectator) may see. A race that is over hides nothing."""
        copy = self.copy()
        if not self.over:
            copy.winner_bets = _hide(self.winner_bets, seat)
            copy.loser_bets = _hide(self.loser_bets, seat)
            every = self.terms.every_card
            copy.cards = tuple([held if whose == seat else every for whose, held in enumerate(self.cards)])
        return copy

    # -- the track

    def place_camels(self, stacks: dict[int, list[int]]) -> None:
        """Put the camels on the track: by square, each stack from bottom to top."""
        self.order = tuple([camel for square in sorted(stacks) for camel in stacks[square]])
        place = list(self.place)
        for square, stack in stacks.items():
            for camel in stack:
                place[camel] = square
        self.place = tuple(place)
        self.occupied = bits(place)

    def lay(self, tiles: tuple[int, ...]) -> None:
        """Set the desert tiles, by seat."""
        self.tiles = tiles
        self.near = tuple([7 << abs(tile) - 1 if tile else 0 for tile in tiles])

    def stacks(self) -> dict[int, list[int]]:
        """Return the camels by square, each stack from bottom to top."""
        stacks: dict[int, list[int]] = {}
        for camel in self.order:
            stacks.setdefault(self.place[camel], []).append(camel)
        return stacks

    def ranking(self) -> tuple[int, ...]:
        """Return the camels, first to last."""
        return self.order[::-1]

    def leg_tiles_left(self, camel: int) -> int:
        """Return how many leg tiles of a camel can still be taken."""
        left = len(self.terms.leg_first)
        for named, _ in self.leg_bets:
            if named == camel:
                left -= 1
        return left


def _copier() -> Callable[[Position], Position]:
    """Return a function that copies field by field. Its code is generated, because a loop is slow."""
    parts = [f" copy.{part.name} = race.{part.name}" for part in fields(Position)]
    lines = ["def copied(race):", " copy = new(kind)", *parts, " return copy"]
    written: dict[str, Callable[[Position], Position]] = {}
    exec("\n".join(lines), {"new": Position.__new__, "kind": Position}, written)  # noqa: S102 - names of fields only
    return written["copied"]


_copied = _copier()


def bits(squares: Iterable[int]) -> int:
    """Return a set of squares as a bit mask."""
    mask = 0
    for square in squares:
        mask |= 1 << square
    return mask


def plus(values: tuple[int, ...], index: int, more: int) -> tuple[int, ...]:
    """Return ``values`` with one of them changed by ``more``."""
    return (*values[:index], values[index] + more, *values[index + 1 :])


def _hide(bets: Bets, seat: int | None) -> Bets:
    return tuple([bet if bet[1] == seat else _FACE_DOWN[bet[1]] for bet in bets]) if bets else bets
