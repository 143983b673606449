"""The constants of a race, and the words of its moves. Rule sets differ in them; a study may change each.

Camels are numbered from 0, squares from 0 (square 0 is space 1 on the board), seats from 0.

A move is a text: ``roll``, ``tile + on 7`` (an oasis on space 7, ``-`` for a mirage), ``bet blue`` (the top leg tile of
that camel), ``race blue win`` or ``race blue lose`` (a race card on a pile).
"""

from __future__ import annotations

from typing import Any

COLOURS = ("blue", "green", "orange", "yellow", "white", "red", "purple", "black")

ROLL, TILE, LEG_BET, RACE_BET = 0, 1, 2, 3  # kinds of moves
OASIS, MIRAGE = 1, -1

Meaning = tuple[int, int, int]  # kind; tile: side, square; leg bet: camel; race bet: camel, 1 to win or 0 to lose


class Terms:
    """The constants of a race. Never changed once made."""

    def __init__(
        self,
        *,
        camels: int = 5,
        spaces: int = 16,
        die_low: int = 1,
        die_high: int = 3,
        leg_first: tuple[int, ...] = (5, 3, 2),
        leg_second: tuple[int, ...] = (1, 1, 1),
        leg_other: int = -1,
        race: tuple[int, ...] = (8, 5, 3, 2),
        race_wrong: int = -1,
        money: int = 3,
        roll_pay: int = 1,
        tile_pay: int = 1,
        pay_at_once: bool = False,
        floor: bool = True,
        tiles_stay: bool = False,
    ) -> None:
        """``pay_at_once``: a roll is paid when made, not with the leg. ``floor``: nobody falls below 0.

        ``tiles_stay``: desert tiles stay on the track when a leg ends.
        """
        self.camels = camels
        self.spaces = spaces
        self.die_low = die_low
        self.die_high = die_high
        self.leg_first = leg_first
        self.leg_second = leg_second
        self.leg_other = leg_other
        self.race = race
        self.race_wrong = race_wrong
        self.money = money
        self.roll_pay = roll_pay
        self.tile_pay = tile_pay
        self.pay_at_once = pay_at_once
        self.floor = floor
        self.tiles_stay = tiles_stay
        self.every_card = (1 << camels) - 1
        self.words = Words(camels, spaces)

    @staticmethod
    def known(**numbers: Any) -> Terms:
        """Return the terms with these numbers, all of them: the same object each time, as its words cost something."""
        return _restored(*[numbers[name] for name in NUMBERS])

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, tuple([getattr(self, name) for name in NUMBERS])

    def race_pay(self, place: int) -> int:
        """Return what the ``place``-th correct race card earns, counted from 0: the last ones a coin each."""
        return self.race[place] if place < len(self.race) else 1


NUMBERS = (
    "camels", "spaces", "die_low", "die_high", "leg_first", "leg_second", "leg_other", "race", "race_wrong", "money",
    "roll_pay", "tile_pay", "pay_at_once", "floor", "tiles_stay",
)  # fmt: skip

_known: dict[tuple[object, ...], Terms] = {}


def _restored(*numbers: Any) -> Terms:
    if numbers not in _known:
        _known[numbers] = Terms(**dict(zip(NUMBERS, numbers, strict=True)))
    return _known[numbers]


class Words:
    """The texts of all moves of a race, what they mean, and lists of them by what is open.

    Lists are made once for each set (a bit mask) that comes up: nobody may change one.
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
        self.rolls = ["roll"]
        self._tiles_by_squares: dict[int, list[str]] = {}
        self._legs_by_camels: dict[int, list[str]] = {}
        self._races_by_camels: dict[int, list[str]] = {}

    def tiles(self, squares: int) -> list[str]:
        """Return the moves that put a tile on one of ``squares``: oases ascending, then mirages."""
        found = self._tiles_by_squares.get(squares)
        if found is None:
            found = _picked(self._oases, squares) + _picked(self._mirages, squares)
            if len(self._tiles_by_squares) > MOST_LISTS:
                self._tiles_by_squares.clear()
            self._tiles_by_squares[squares] = found
        return found

    def legs(self, camels: int) -> list[str]:
        """Return the moves that take a leg tile of one of ``camels``."""
        found = self._legs_by_camels.get(camels)
        if found is None:
            found = self._legs_by_camels[camels] = _picked(self._legs, camels)
        return found

    def races(self, camels: int) -> list[str]:
        """Return the moves that play the race card of one of ``camels``: to win, then to lose."""
        found = self._races_by_camels.get(camels)
        if found is None:
            found = self._races_by_camels[camels] = _picked(self._winners, camels) + _picked(self._losers, camels)
        return found

    def tile(self, side: int, square: int) -> str:
        """Return the move that puts a tile, ``side`` up, on a square."""
        return self._oases[square] if side == OASIS else self._mirages[square]

    def leg(self, camel: int) -> str:
        """Return the move that takes the top leg tile of a camel."""
        return self._legs[camel]

    def race(self, camel: int, to_win: bool) -> str:
        """Return the move that plays the race card of a camel."""
        return self._winners[camel] if to_win else self._losers[camel]


MOST_LISTS = 1 << 16


def _picked(moves: list[str], bits: int) -> list[str]:
    return [move for index, move in enumerate(moves) if bits >> index & 1]
