"""The state of a race.

The camels stand in one row, ``order``, from last to first: square by square, each stack from bottom to top. With the
square of each camel that is the whole track, and the ranking is the row read backwards.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from games.camelup.terms import Terms

HIDDEN = -1  # the camel of a race bet that somebody else has made

Bets = tuple[tuple[int, int], ...]  # (camel, seat), in the order placed


Scored = tuple[tuple[int, int, int], ...]  # (seat, camel, coins), in the order placed


class Reckoned(NamedTuple):
    """How a leg was scored, and with the last leg the race. All of it lay on the table."""

    leg: int
    ranking: tuple[int, ...]  # camels, first to last
    leg_bets: Scored
    rolls: tuple[int, ...]  # coins for pyramid tiles, by seat
    race: bool = False
    winner_bets: Scored = ()
    loser_bets: Scored = ()


class Position:
    """A race at some moment. The engine changes it; its parts are never changed, only replaced.

    A copy made for a player (``seen_by``) has the camels of other players' race bets HIDDEN, and knows nothing of
    which cards they still hold.
    """

    __slots__ = (
        "board", "cards", "dice", "last_die", "left", "leg", "leg_bets", "loser_bets", "money", "mover", "occupied",
        "open_legs", "opener", "order", "over", "place", "pyramids", "reckoned", "seats", "shadows", "still", "terms",
        "tiles", "winner_bets",
    )  # fmt: skip

    terms: Terms
    seats: int
    order: tuple[int, ...]  # camels, last to first
    place: tuple[int, ...]  # the square of each camel
    left: tuple[int, ...]  # camels whose dice are in the pyramid, ascending
    dice: tuple[int, ...]  # what each camel's die has shown this leg; 0: nothing yet
    last_die: tuple[int, int]  # the camel that moved last, and what its die showed; (HIDDEN, 0): none yet
    tiles: tuple[int, ...]  # the square of each seat's desert tile, negative for a mirage; 0: not on the track
    leg_bets: Bets
    winner_bets: Bets
    loser_bets: Bets
    cards: tuple[int, ...]  # camels whose race card each seat still holds, as bits
    money: tuple[int, ...]
    pyramids: tuple[int, ...]  # pyramid tiles each seat has taken this leg
    mover: int
    opener: int  # who had the first turn of this leg
    leg: int  # from 1
    still: int  # turns since the last roll
    over: bool
    reckoned: Reckoned | None  # how the last leg was scored

    # What follows from the rest, as bits, kept because the rules engine asks for it at every turn.
    board: int  # squares where a tile may lie at all: not the first
    occupied: int  # squares with camels
    shadows: tuple[int, ...]  # squares that others' tiles, or its own place, keep each seat's tile from
    open_legs: int  # camels of which a leg tile is left

    @staticmethod
    def fresh(terms: Terms, seats: int) -> Position:
        """Return a race whose camels are not on the track yet: see ``stand``."""
        position = Position()
        position.terms = terms
        position.seats = seats
        position.order = ()
        position.place = (0,) * terms.camels
        position.left = tuple(range(terms.camels))
        position.dice = (0,) * terms.camels
        position.last_die = (HIDDEN, 0)
        position.tiles = (0,) * seats
        position.leg_bets = ()
        position.winner_bets = ()
        position.loser_bets = ()
        position.cards = (terms.every_card,) * seats
        position.money = (terms.money,) * seats
        position.pyramids = (0,) * seats
        position.mover = 0
        position.opener = 0
        position.leg = 1
        position.still = 0
        position.over = False
        position.reckoned = None
        position.board = (1 << terms.spaces) - 2
        position.occupied = 0
        position.shadows = (0,) * seats
        position.open_legs = terms.every_card
        return position

    # -- copies

    def copy(self) -> Position:
        """Return an independent copy."""
        twin = Position()
        twin.terms = self.terms
        twin.seats = self.seats
        twin.board = self.board
        twin.order = self.order
        twin.place = self.place
        twin.occupied = self.occupied
        twin.left = self.left
        twin.dice = self.dice
        twin.last_die = self.last_die
        twin.tiles = self.tiles
        twin.shadows = self.shadows
        twin.leg_bets = self.leg_bets
        twin.winner_bets = self.winner_bets
        twin.loser_bets = self.loser_bets
        twin.open_legs = self.open_legs
        twin.cards = self.cards
        twin.money = self.money
        twin.pyramids = self.pyramids
        twin.mover = self.mover
        twin.opener = self.opener
        twin.leg = self.leg
        twin.still = self.still
        twin.over = self.over
        twin.reckoned = self.reckoned
        return twin

    def seen_by(self, player: int) -> Position:
        """Return the copy that a player (-1: a watcher) may see. A race that is over hides nothing."""
        twin = self.copy()
        if not self.over:
            twin.winner_bets = _hide(self.winner_bets, player)
            twin.loser_bets = _hide(self.loser_bets, player)
            every = self.terms.every_card
            twin.cards = tuple([held if seat == player else every for seat, held in enumerate(self.cards)])
        return twin

    # -- the track

    def stand(self, stacks: dict[int, list[int]]) -> None:
        """Put the camels on the track: by square, each stack from bottom to top."""
        self.order = tuple([camel for square in sorted(stacks) for camel in stacks[square]])
        place = list(self.place)
        for square, stack in stacks.items():
            for camel in stack:
                place[camel] = square
        self.place = tuple(place)
        self.occupied = bits(place)

    def lay(self, tiles: tuple[int, ...]) -> None:
        """Have the desert tiles lie so: by seat, as ``tiles`` says."""
        self.tiles = tiles
        others = [7 << (abs(tile) - 1) if tile else 0 for tile in tiles]
        shadows = []
        for seat, tile in enumerate(tiles):
            shadow = 1 << abs(tile)
            for other, around in enumerate(others):
                if other != seat:
                    shadow |= around
            shadows.append(shadow)
        self.shadows = tuple(shadows)

    def stacks(self) -> dict[int, list[int]]:
        """Return the camels by square, each stack from bottom to top."""
        found: dict[int, list[int]] = {}
        for camel in self.order:
            found.setdefault(self.place[camel], []).append(camel)
        return found

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

    def __repr__(self) -> str:
        return f"Position({', '.join(f'{name}={getattr(self, name)!r}' for name in PARTS if name != 'terms')})"

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, tuple([getattr(self, name) for name in PARTS])


PARTS = (
    "terms", "seats", "order", "place", "left", "dice", "last_die", "tiles", "leg_bets", "winner_bets", "loser_bets",
    "cards", "money", "pyramids", "mover", "opener", "leg", "still", "over", "reckoned", "board", "occupied", "shadows",
    "open_legs",
)  # fmt: skip


def _restored(*parts: object) -> Position:
    position = Position()
    for name, part in zip(PARTS, parts, strict=True):
        setattr(position, name, part)
    return position


def bits(squares: Iterable[int]) -> int:
    """Return a set of squares as a bit mask."""
    found = 0
    for square in squares:
        found |= 1 << square
    return found


def plus(values: tuple[int, ...], index: int, more: int) -> tuple[int, ...]:
    """Return ``values`` with one of them changed by ``more``."""
    return (*values[:index], values[index] + more, *values[index + 1 :])


def _hide(bets: Bets, player: int) -> Bets:
    return tuple([bet if bet[1] == player else (HIDDEN, bet[1]) for bet in bets]) if bets else bets
