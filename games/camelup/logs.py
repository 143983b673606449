"""A match as rows for a data file: one for the start, then one for each turn.

The columns, in the order of the keys, are those of the game logs of the article series with the rules ``series``. It
calls desert tiles traps and legs rounds, except in ``round_id``, which counts turns. All positions are those after
the turn. Squares count from 0, unlike the spaces of moves.

Source: "Camel Up - Part 1", section "Game Logs".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from games.camelup import engine
from games.camelup.position import Position
from games.camelup.terms import LEG_BET, ROLL, TILE
from games.core.chance import Chance
from games.core.game import LogRow


def camel_id(camel: int) -> str:
    """Return the name of a camel in the series: "c_0"."""
    return f"c_{camel}"


def rows(position: Position, chance: Chance, moves: Iterable[tuple[int, str]]) -> Iterator[LogRow]:
    """Yield the rows of a match. Makes the legal ``moves``, each with its seat; ``chance`` rolls the dice."""
    yield {"round_id": 0, **_columns_of(position)}
    for turn, (seat, move) in enumerate(moves, 1):
        before = position.place
        engine.act(position, move, chance)
        row: LogRow = {"round_id": turn, "active_player": seat}
        kind, first, second = position.terms.notation.meaning[move]
        if kind == ROLL:
            camel = position.last_die[0]
            row |= rolled(camel_id(camel), position.place[camel] - before[camel])
        elif kind == TILE:
            row |= tile_put(first, second)
        elif kind == LEG_BET:
            row |= leg_bet(camel_id(first))
        else:
            row |= race_bet("win" if second else "lose", camel_id(first))
        yield row | _columns_of(position)


def rolled(camel: str, distance: int) -> LogRow:
    """Return the columns of a roll; ``distance`` in squares, with the effect of a desert tile."""
    return {"action_type": "move_camel", "camel": camel, "distance": distance}


def tile_put(side: int, square: int) -> LogRow:
    """Return the columns of a desert tile that is placed: ``side`` 1 for an oasis, -1 for a mirage."""
    return {"action_type": "move_trap", "trap_type": side, "trap_location": square}


def leg_bet(camel: str) -> LogRow:
    """Return the columns of a leg bet."""
    return {"action_type": "round_winner_bet", "camel": camel}


def race_bet(bet_type: str, camel: str) -> LogRow:
    """Return the columns of a race card."""
    return {"action_type": "game_bet", "bet_type": bet_type, "camel": camel}


def placement_columns(
    camels: Iterable[tuple[str, int, int]], tiles: Iterable[tuple[int, int, int]], coins: Sequence[int]
) -> LogRow:
    """Return the columns for the places of camels and desert tiles, and for the coins.

    ``camels``: each with its square and its level in the stack, 0 at the bottom. ``tiles``: the desert tiles along the
    track, as (square, side, seat).
    """
    row: LogRow = {}
    for camel, square, level in camels:
        row[f"camel_{camel}_location"] = square
        row[f"camel_{camel}_stack_location"] = level
    for square, side, seat in tiles:
        row[f"player_{seat}_trap_location"] = square
        row[f"player_{seat}_trap_type"] = side
    for seat, money in enumerate(coins):
        row[f"player_{seat}_coins"] = money
    return row


def _columns_of(position: Position) -> LogRow:
    level = {camel: index for stack in position.stacks().values() for index, camel in enumerate(stack)}
    camels = [(camel_id(camel), square, level[camel]) for camel, square in enumerate(position.place)]
    tiles = sorted((abs(tile), 1 if tile > 0 else -1, seat) for seat, tile in enumerate(position.tiles) if tile)
    return placement_columns(camels, tiles, position.money)
