"""The constants of a race, and its moves as strings. Rule sets differ in them; a study may change each.

Camels are numbered from 0, squares from 0 (square 0 is space 1 on the board), seats from 0.

A move is a string: ``roll``, ``tile + on 7`` (an oasis on space 7, ``-`` for a mirage), ``bet blue`` (the top leg tile
of that camel), ``race blue win`` or ``race blue lose`` (a race card on a pile).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any

COLOURS = ("blue", "green", "orange", "yellow", "white", "red", "purple", "black")

MAX_SEATS = 8

ROLL, TILE, LEG_BET, RACE_BET = 0, 1, 2, 3  # kinds of moves
OASIS, MIRAGE = 1, -1

MOST_LISTS = 1 << 14  # lists of tile moves that are cached: the same ones are asked for again and again

Open = tuple[int, int, int]  # as bits: squares for a desert tile, camels to bet on for the leg, race cards
Meaning = tuple[int, int, int]  # kind; tile: side, square; leg bet: camel; race bet: camel, 1 to win or 0 to lose


@dataclass
class Terms:
    """The constants of a race, with those of the first edition as defaults. Never changed once made.

    ``options.terms_of`` makes them from the options of a match.
    """

    camels: int = 5
    spaces: int = 16  # length of the track; the finish is behind it
    die_low: int = 1
    die_high: int = 3
    leg_first: tuple[int, ...] = (5, 3, 2)  # coins for each leg tile of the leading camel, in the order taken
    leg_second: tuple[int, ...] = (1, 1, 1)  # coins for those of the second camel
    leg_other: int = -1  # coins for those of any other camel
    race: tuple[int, ...] = (8, 5, 3, 2)  # coins for correct race cards, in the order placed; later ones get 1
    race_wrong: int = -1  # coins for a wrong race card
    money: int = 3  # coins at the start
    roll_pay: int = 1  # coins for a roll
    tile_pay: int = 1  # coins for the owner when a unit (a camel with those on its back) stops on a desert tile
    pay_at_once: bool = False  # a roll is paid when made, not with the leg
    floor: bool = True  # coins never fall below 0
    tiles_stay: bool = False  # desert tiles stay on the track when a leg ends

    every_card: int = field(init=False, repr=False, compare=False)  # all race cards, as bits
    notation: MoveNotation = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.every_card = (1 << self.camels) - 1
        self.notation = MoveNotation(self.camels, self.spaces)

    def __reduce__(self) -> tuple[object, ...]:
        return _shared, tuple([getattr(self, constant.name) for constant in fields(self) if constant.init])

    def race_pay(self, index: int) -> int:
        """Return what the ``index``-th correct race card earns, counted from 0: the last ones a coin each."""
        return self.race[index] if index < len(self.race) else 1


@lru_cache(64)  # visitors choose the constants
def _shared(*constants: Any) -> Terms:
    """Return the terms with these constants, the same object each time, because its moves take a while to build."""
    return Terms(*constants)


class MoveNotation:
    """The notation of all moves of a race, what they mean, and lists of the open ones.

    What is open is given as bit masks: squares for a desert tile, camels with a leg tile left, and camels whose race
    card a player holds. Tiles are listed with oases ascending, then mirages; race cards to win, then to lose.
    """

    def __init__(self, camels: int, spaces: int) -> None:
        self.meaning: dict[str, Meaning] = {"roll": (ROLL, 0, 0)}
        self._oases = [f"tile + on {square + 1}" for square in range(spaces)]
        self._mirages = [f"tile - on {square + 1}" for square in range(spaces)]
        self._legs = [f"bet {colour}" for colour in COLOURS[:camels]]
        self._winners = [f"race {colour} win" for colour in COLOURS[:camels]]
        self._losers = [f"race {colour} lose" for colour in COLOURS[:camels]]
        for square in range(spaces):
            self.meaning[self._oases[square]] = (TILE, OASIS, square)
            self.meaning[self._mirages[square]] = (TILE, MIRAGE, square)
        for camel in range(camels):
            self.meaning[self._legs[camel]] = (LEG_BET, camel, 0)
            self.meaning[self._winners[camel]] = (RACE_BET, camel, 1)
            self.meaning[self._losers[camel]] = (RACE_BET, camel, 0)
        # By bits, eight squares at a time: what is open is asked at every turn.
        self._tiles_by_bits = [
            (_by_bits(self._oases[first : first + 8]), _by_bits(self._mirages[first : first + 8]))
            for first in range(0, spaces, 8)
        ]
        self._tiles: Callable[[int], list[str]] = lru_cache(MOST_LISTS)(self._tiles_by_squares)
        self._legs_by_bits = _by_bits(self._legs)
        races = zip(_by_bits(self._winners), _by_bits(self._losers), strict=True)
        self._races_by_bits = [winners + losers for winners, losers in races]

    def moves(self, squares: int, camels: int, cards: int) -> list[str]:
        """Return the moves that are open: the roll, tiles, leg bets and race bets, in this order."""
        return ["roll", *self._tiles(squares), *self._legs_by_bits[camels], *self._races_by_bits[cards]]

    def kinds(self, squares: int, camels: int, cards: int) -> tuple[list[str], list[str], list[str], list[str]]:
        """Return the same moves by kind. Callers must not modify these lists."""
        return ["roll"], self._tiles(squares), self._legs_by_bits[camels], self._races_by_bits[cards]

    def is_among(self, move: str, open_now: Open) -> bool:
        """Return whether a move, which may be any string, is one of those that are open."""
        if move not in self.meaning:
            return False
        kind, first, second = self.meaning[move]
        squares, camels, cards = open_now
        if kind == TILE:
            return squares >> second & 1 == 1
        return kind == ROLL or (camels if kind == LEG_BET else cards) >> first & 1 == 1

    def _tiles_by_squares(self, squares: int) -> list[str]:
        oases: list[str] = []
        mirages: list[str] = []
        for oases_by_bits, mirages_by_bits in self._tiles_by_bits:
            oases += oases_by_bits[squares & 255]
            mirages += mirages_by_bits[squares & 255]
            squares >>= 8
        return oases + mirages

    def tile(self, side: int, square: int) -> str:
        """Return the move that puts a tile, ``side`` up, on a square."""
        return self._oases[square] if side == OASIS else self._mirages[square]

    def leg(self, camel: int) -> str:
        """Return the move that takes the top leg tile of a camel."""
        return self._legs[camel]

    def race(self, camel: int, to_win: bool) -> str:
        """Return the move that plays the race card of a camel."""
        return self._winners[camel] if to_win else self._losers[camel]


def _by_bits(moves: list[str]) -> list[list[str]]:
    """Return, for each set of some moves as bits, a list of them."""
    subsets: list[list[str]] = [[]]
    for move in moves:
        subsets += [[*others, move] for others in subsets]
    return subsets
