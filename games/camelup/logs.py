"""A match as a table: one row a turn, after one for the start. Its columns are those of the series' game logs.

``round_id`` counts turns; squares are numbered from 0; everything is as it stands after the turn. Keys are in the order
in which the columns come.

Source: "Camel Up - Part 1", section "Game Logs".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.camelup import engine
from games.camelup.position import Position
from games.camelup.terms import LEG_BET, ROLL, TILE
from games.core.chance import Chance
from games.core.game import LogRow


def camel_id(camel: int) -> str:
    """Return the name of a camel in the series: "c_0"."""
    return f"c_{camel}"


def rows(position: Position, chance: Chance, moves: Iterable[tuple[int, str]]) -> Iterator[LogRow]:
    """Yield the rows of a match from its start. Makes the moves."""
    yield {"round_id": 0, **standing(position)}
    for turn, (seat, move) in enumerate(moves, 1):
        before = position.place
        engine.act(position, move, chance)
        row: LogRow = {"round_id": turn, "active_player": seat}
        kind, first, second = position.terms.words.meaning[move]
        if kind == ROLL:
            camel = position.last_die[0]
            row |= rolled(camel, position.place[camel] - before[camel])
        elif kind == TILE:
            row |= tile_put(first, second)
        elif kind == LEG_BET:
            row |= leg_bet(first)
        else:
            row |= race_bet("win" if second else "lose", first)
        yield row | standing(position)


def rolled(camel: int, distance: int) -> LogRow:
    """Return what a row says of a roll: how far the camel moved in the end."""
    return {"action_type": "move_camel", "camel": camel_id(camel), "distance": distance}


def tile_put(side: int, square: int) -> LogRow:
    """Return what a row says of a desert tile."""
    return {"action_type": "move_trap", "trap_type": side, "trap_location": square}


def leg_bet(camel: int) -> LogRow:
    """Return what a row says of a leg bet."""
    return {"action_type": "round_winner_bet", "camel": camel_id(camel)}


def race_bet(bet_type: str, camel: int) -> LogRow:
    """Return what a row says of a race card."""
    return {"action_type": "game_bet", "bet_type": bet_type, "camel": camel_id(camel)}


def standing(position: Position) -> LogRow:
    """Return where everything stands: camels, then desert tiles along the track, then coins."""
    level: dict[int, int] = {}
    for stack in position.stacks().values():
        level |= {camel: index for index, camel in enumerate(stack)}
    row: LogRow = {}
    for camel, square in enumerate(position.place):
        row[f"camel_{camel_id(camel)}_location"] = square
        row[f"camel_{camel_id(camel)}_stack_location"] = level[camel]
    lying = sorted((abs(tile), seat) for seat, tile in enumerate(position.tiles) if tile)
    for square, seat in lying:
        row[f"player_{seat}_trap_location"] = square
        row[f"player_{seat}_trap_type"] = 1 if position.tiles[seat] > 0 else -1
    for seat, coins in enumerate(position.money):
        row[f"player_{seat}_coins"] = coins
    return row
