"""Positions of Camel Up for tests, and a slow, simple implementation of a move to compare with."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any

from games.camelup import engine, plugins
from games.camelup.game import GAME
from games.camelup.options import terms_of
from games.camelup.position import Position
from games.camelup.rules import CamelUpState
from games.camelup.terms import COLOURS, Terms
from games.core import Chance, FastChance, State
from games.core.options import OptionValue
from games.core.view import View, Zone

# A short race, for tests that play every game.
SHORT: dict[str, OptionValue] = {"spaces": 8}


class Loaded(FastChance):
    """Dice with given results, each two numbers: which of the dice left, in the order of the camels, and its pips."""

    def __init__(self, *falls: tuple[int, int]) -> None:
        super().__init__("loaded")
        self.draws = [draw for which, pips in falls for draw in (which, pips - 1)]

    def randbelow(self, n: int) -> int:
        draw = self.draws.pop(0)
        assert draw < n
        return draw


SERIES_MODULES = ("camelup", "bots", "playerinterface", "actionids")  # as the bots of the series import them


@contextmanager
def series_api() -> Iterator[Any]:
    """Let the modules of the series be imported as its bots do; gives the module ``camelup``."""
    sys.path.insert(0, str(plugins.API))
    try:
        yield import_module("camelup")
    finally:
        sys.path.remove(str(plugins.API))
        for name in SERIES_MODULES:
            sys.modules.pop(name, None)


def position_of(g: Any) -> Position:
    """Return a ``GameState`` of the series' API as a position of the engine, without the player to move."""
    position = Position(terms_of_game(g), g.NUM_PLAYERS)
    position.place_camels({square: [int(c[2:]) for c in stack] for square, stack in enumerate(g.camel_track) if stack})
    tiles = [0] * g.NUM_PLAYERS
    for square, trap in enumerate(g.trap_track):
        if trap:
            tiles[trap[1]] = trap[0] * square
    position.lay(tuple(tiles))
    for camel, player in g.round_bets:
        engine.bet_on_leg(position, player, int(camel[2:]))
    for bets, to_win in ((g.game_winner_bets, True), (g.game_loser_bets, False)):
        for camel, player in bets:
            if camel is not None:
                engine.bet_on_race(position, player, int(camel[2:]), to_win)
    position.money = tuple(g.player_money_values)
    position.left = tuple(camel for camel, waiting in enumerate(g.camel_yet_to_move) if waiting)
    position.still = g._still
    position.over = not g.active_game
    return position


_terms = cache(Terms)  # its moves take a while to build


def terms_of_game(g: Any) -> Terms:
    """Return the constants of a ``GameState``, with those of the series that it cannot vary."""
    return _terms(
        camels=g.NUM_CAMELS,
        spaces=g.BOARD_SIZE,
        die_low=g.MOVE_RANGE[0],
        die_high=g.MOVE_RANGE[1],
        leg_first=g.FIRST_PLACE_ROUND_PAYOUT,
        leg_second=g.SECOND_PLACE_ROUND_PAYOUT,
        leg_other=g.THIRD_OR_WORSE_PLACE_ROUND_PAYOUT,
        race=g.GAME_END_PAYOUT,
        race_wrong=g.BAD_GAME_END_BET,
        pay_at_once=True,
        floor=False,
        tiles_stay=True,
    )


def as_tuple(move: str) -> tuple[Any, ...]:
    """Return a move as the series writes it."""
    words = move.split()
    if words[0] == "roll":
        return (0,)
    if words[0] == "tile":
        return (1, 1 if words[1] == "+" else -1, int(words[3]) - 1)
    camel = f"c_{COLOURS.index(words[1])}"
    return (2, camel) if words[0] == "bet" else (3, words[2], camel)


def terms_by(**options: str) -> Terms:
    """Return the constants of a race with these options."""
    return terms_of(tuple(GAME.check_options(options).items()))


def lay(track: Mapping[int, str], seats: int = 4, chance: Chance | None = None, **options: str) -> CamelUpState:
    """Return a race with camels on numbered spaces, "blue green" being blue under green. Seat 0 is to move.

    Camels that ``track`` does not name stand on space 1, in their order.
    """
    terms = terms_by(**options)
    position = Position(terms, seats)
    stacks = {space - 1: [COLOURS.index(colour) for colour in stack.split()] for space, stack in track.items()}
    placed = {camel for stack in stacks.values() for camel in stack}
    for camel in range(terms.camels):
        if camel not in placed:
            stacks.setdefault(0, []).append(camel)
    position.place_camels(stacks)
    state = CamelUpState(position, chance or FastChance("any"), odds=True)
    state.log = []
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


def view(state: State[Any], audience: int | None) -> View:
    """Return what an audience sees."""
    return GAME.view(state, audience)


def zone(state: State[Any], audience: int | None, name: str) -> Zone:
    """Return a zone as an audience sees it."""
    return next(zone for zone in view(state, audience)["zones"] if zone["id"] == name)


def faces(state: State[Any], audience: int | None, name: str) -> list[str]:
    """Return the faces in a zone as an audience sees them, "?" for what lies face down."""
    return [piece.get("face", "?") for piece in zone(state, audience, name)["pieces"]]


def coins(state: State[Any]) -> list[int]:
    """Return what each seat has."""
    return [int(score) for score in state.scores()]


def play_all_cards(state: CamelUpState) -> None:
    """Put all race cards on the pile for the last camel."""
    race = state.position
    race.loser_bets = tuple((camel, seat) for seat in range(race.seats) for camel in range(race.terms.camels))
    race.cards = (0,) * race.seats


def finish_leg(state: CamelUpState, pips: Mapping[str, int]) -> None:
    """Roll the given dice, in this order, for the player whose turn it is."""
    for colour, number in pips.items():
        roll(state, colour, number)


def naive_step(
    stacks: Sequence[Sequence[int]], tiles: Mapping[int, int], camel: int, pips: int
) -> tuple[list[list[int]], int]:
    """Return the track after a die, and the square where it ended, computed as plainly as the rules say it."""
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


def random_position(chance: FastChance) -> Position:
    """Return a position after some random turns of a race for four that is not over."""
    state = GAME.start(4, GAME.check_options({}), chance)
    state.log = None
    before = state.position.copy()
    for _ in range(chance.randbelow(70)):
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
    return engine.start(terms_by(**options), seats, draws)
