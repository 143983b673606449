"""Positions of Camel Up, laid out by hand, and a slow second opinion on how camels move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.camelup import engine
from games.camelup.position import Position
from games.camelup.rules import CAMEL_UP, CamelUpState, terms_of
from games.camelup.terms import COLOURS
from games.core import Chance, FastChance, State


class Loaded(FastChance):
    """Dice that fall as told: which of the dice left, by the order of the camels, and what it shows, from 1."""

    def __init__(self, *falls: tuple[int, int]) -> None:
        super().__init__("loaded")
        self.draws = [draw for which, pips in falls for draw in (which, pips - 1)]

    def below(self, n: int) -> int:
        draw = self.draws.pop(0)
        assert draw < n
        return draw


def lay(track: Mapping[int, str], seats: int = 4, chance: Chance | None = None, **options: str) -> CamelUpState:
    """Return a race with camels on numbered spaces, "blue green" being blue under green. Seat 0 is to move.

    Camels that ``track`` does not name stand on space 1, in their order.
    """
    terms = terms_of(tuple(CAMEL_UP.check_options(options).items()))
    position = Position.fresh(terms, seats)
    stacks = {space - 1: [COLOURS.index(colour) for colour in stack.split()] for space, stack in track.items()}
    placed = {camel for stack in stacks.values() for camel in stack}
    for camel in range(terms.camels):
        if camel not in placed:
            stacks.setdefault(0, []).append(camel)
    position.stand(stacks)
    state = CamelUpState(position, chance or FastChance("any"), odds=True)
    state.lines = []
    return state


def roll(state: CamelUpState, colour: str, pips: int) -> None:
    """Have the player to move roll that die and number."""
    race = state.position
    state.chance = Loaded((race.left.index(COLOURS.index(colour)), pips))
    state.play(race.mover, "roll")


def track(state: CamelUpState) -> dict[int, str]:
    """Return the camels by space, bottom first."""
    return {
        square + 1: " ".join(COLOURS[camel] for camel in stack) for square, stack in state.position.stacks().items()
    }


def coins(state: State[Any]) -> list[int]:
    """Return what each seat has."""
    return [int(score) for score in state.scores()]


def finish_leg(state: CamelUpState, pips: Mapping[str, int]) -> None:
    """Roll the given dice, in this order, whoever is to move."""
    for colour, number in pips.items():
        roll(state, colour, number)


def naive_ride(
    stacks: Sequence[Sequence[int]], tiles: Mapping[int, int], camel: int, pips: int
) -> tuple[list[list[int]], int]:
    """Return the track after a die, and the square where it ended, told as plainly as the rules do."""
    track = [list(stack) for stack in stacks]
    here = next(square for square, stack in enumerate(track) if camel in stack)
    cut = track[here].index(camel)
    unit = track[here][cut:]
    track[here] = track[here][:cut]
    landing = here + pips
    if tiles.get(landing) == 1:
        track[landing + 1] = track[landing + 1] + unit
    elif tiles.get(landing) == -1:
        track[landing - 1] = unit + track[landing - 1]
    else:
        track[landing] = track[landing] + unit
    return track, landing


def random_position(chance: FastChance, seats: int = 4) -> Position:
    """Return a position after some random turns of a race that is not over."""
    state = CAMEL_UP.start(seats, CAMEL_UP.check_options({}), chance)
    state.lines = None
    before = state.position.copy()
    for _ in range(chance.below(70)):
        seat = state.to_act()[0]
        kinds: dict[str, list[str]] = {}
        for move in state.legal_moves(seat):
            kinds.setdefault(move.split()[0], []).append(move)
        state.apply(seat, chance.choice(chance.choice(list(kinds.values()))))
        if state.over:
            break
        before = state.position.copy()
    return before


def start_after(draws: Chance, seats: int = 4, **options: str) -> Position:
    """Return the start of a race with these draws."""
    return engine.start(terms_of(tuple(CAMEL_UP.check_options(options).items())), seats, draws)
